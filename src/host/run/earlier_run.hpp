#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace scree {

/// A description of the run whose results are in a folder, from its log: "the run of 2026-11-30 05:03 that made 20 000
/// steps, to t = 0.5 s". None if there is no log of a run. The time is that of the clock of this machine.
[[nodiscard]] std::optional<std::string> earlier_run_text(const std::filesystem::path& folder);

}  // namespace scree
