#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "host/commands/traction_table.hpp"

namespace scree {

/// Arguments of `scree traction`: either `contact`, or `boundary` and `particle`.
struct TractionArguments {
  std::filesystem::path run;           ///< a checkpoint, or the output folder of a run with checkpoints
  std::vector<std::uint32_t> contact;  ///< ids of two particles
  std::string boundary;
  std::optional<std::uint32_t> particle;
  std::size_t points = traction_points;
  std::filesystem::path out;  ///< empty: the terminal
};

/// `scree traction`: restores a run from a checkpoint and writes pressure and tractions over the circle of one of its
/// contacts as CSV. Returns the exit code. Throws CaseError.
int run_traction(const TractionArguments& arguments, std::ostream& terminal);

}  // namespace scree
