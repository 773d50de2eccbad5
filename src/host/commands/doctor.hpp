#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>

namespace scree {

/// `scree doctor`: prints one line for each thing that a run needs, beginning with `ok` or `warn`. `folder` is the
/// folder for output whose disk is checked. Returns the exit code. Throws CaseError if the GPU `device` does not exist.
[[nodiscard]] int run_doctor(const std::filesystem::path& folder, std::optional<int> device, std::ostream& out);

}  // namespace scree
