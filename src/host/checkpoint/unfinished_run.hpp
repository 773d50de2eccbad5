#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace scree {

/// The step of the newest checkpoint of a run that was interrupted or killed, in its output folder. None: the last run
/// there has ended or failed, or has left no checkpoint.
[[nodiscard]] std::optional<std::uint64_t> unfinished_run(const std::filesystem::path& folder);

}  // namespace scree
