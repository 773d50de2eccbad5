#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace scree {

/// The step of the newest checkpoint in the output folder of a run that was interrupted or killed. None if the last run
/// in this folder has ended or failed, or has left no checkpoint.
[[nodiscard]] std::optional<std::uint64_t> unfinished_run(const std::filesystem::path& folder);

}  // namespace scree
