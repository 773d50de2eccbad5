#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>

namespace scree {

/// `scree doctor`: one line per thing that a run needs, each `ok` or `warn`. `folder` is where output would go.
/// Throws CaseError if there is no GPU `device`.
[[nodiscard]] int run_doctor(const std::filesystem::path& folder, std::optional<int> device, std::ostream& out);

}  // namespace scree
