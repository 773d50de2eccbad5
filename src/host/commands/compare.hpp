#pragma once

#include <filesystem>
#include <iosfwd>

namespace scree {

/// `scree compare A B`: compares two output folders (their files and rows of the same steps, in ascending order), two
/// checkpoints or two frames. Prints the first step, array and particle that differ. Returns the exit code: 0 if all is
/// the same, else 3. Throws CaseError if there is nothing to compare.
[[nodiscard]] int run_compare(const std::filesystem::path& first, const std::filesystem::path& second,
                              std::ostream& out);

}  // namespace scree
