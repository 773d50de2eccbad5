#pragma once

#include <string>
#include <vector>

#include "case_errors.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

namespace scree::test {

/// Expects that no scene can be built of a case with this text: the first problem has this path, and this part in its
/// message. Relative paths of files start from the working folder.
inline void expect_refused(const std::string& text, const std::string& path, const std::string& part,
                           const std::vector<std::string>& settings = {}) {
  const auto build = [&] {
    SceneReport report;
    static_cast<void>(build_scene(parse_case(text, ".", settings), report));
  };
  expect_first_problem(build, path, part);
}

}  // namespace scree::test
