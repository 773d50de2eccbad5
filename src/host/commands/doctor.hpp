#pragma once

#include <filesystem>
#include <iosfwd>

namespace scree {

/// `scree doctor`: one line per thing that a run needs, each `ok` or `warn`. `folder` is where output would go.
[[nodiscard]] int run_doctor(const std::filesystem::path& folder, std::ostream& out);

}  // namespace scree
