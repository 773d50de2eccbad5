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

/// `scree modes`: gives a template of a level-set grain modes of deformation, says how well they stand for it, and
/// writes it with them. Throws CaseError for a file that is no template.
int run_modes(const ModesArguments& arguments, std::ostream& terminal);

}  // namespace scree
