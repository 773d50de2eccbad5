#pragma once

#include <filesystem>
#include <iosfwd>

namespace scree {

/// `scree compare A B`: two output folders (their frames and checkpoints of the same steps, in ascending order), two
/// checkpoints or two frames. Prints the first step, array and particle that differ; 0 when all is the same, else 3.
/// Throws CaseError when there is nothing to compare.
[[nodiscard]] int run_compare(const std::filesystem::path& first, const std::filesystem::path& second,
                              std::ostream& out);

}  // namespace scree
