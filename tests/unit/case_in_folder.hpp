#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "case_errors.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

namespace scree::test {

/// A case that is changed by settings and read in a folder of its own.
class CaseInFolder : public ::testing::Test {
 protected:
  explicit CaseInFolder(std::string text) : text_(std::move(text)) {}

  [[nodiscard]] Case parsed(const std::vector<std::string>& settings = {}) const {
    return parse_case(text_, folder.path(), settings);
  }
  [[nodiscard]] Scene built(const std::vector<std::string>& settings = {}) const {
    SceneReport report;
    return build_scene(parsed(settings), report);
  }
  [[nodiscard]] std::string error_with(const std::vector<std::string>& settings) const {
    return error_of([&] { (void)built(settings); });
  }

  ScratchFolder folder;

 private:
  std::string text_;
};

}  // namespace scree::test
