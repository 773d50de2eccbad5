#pragma once

#include <filesystem>
#include <iosfwd>

#include "host/modes/make_modes.hpp"

namespace scree {

/// Arguments of `scree modes`.
struct ModesArguments {
  std::filesystem::path grain;  ///< template (HDF5)
  modes::ModesChoice choice;
  std::filesystem::path out;  ///< HDF5; empty: only the report is printed
};

/// `scree modes`: computes modes of deformation for a template of a level-set grain, reports how good they are, and
/// writes the template with its modes. Returns the exit code. Throws CaseError for a file that is not a template.
int run_modes(const ModesArguments& arguments, std::ostream& terminal);

}  // namespace scree
