#pragma once

#include <filesystem>
#include <iosfwd>

#include "host/grains/grain_source.hpp"

namespace scree {

/// Arguments of `scree grain`.
struct GrainArguments {
  grains::GrainSource source;
  grains::GrainChoice choice;
  std::filesystem::path out;  ///< HDF5; empty: only the report is printed
  bool use_cache = true;
};

/// `scree grain`: makes templates of level-set grains, reports how well they represent their source, and writes them.
/// An image with several labels makes several files, whose names end in the label. Returns the exit code. Throws
/// CaseError.
int run_grain(const GrainArguments& arguments, std::ostream& terminal);

/// Prints a report about a template, for `scree grain` and `scree info`.
void print_grain(const grains::GrainTemplate& grain, std::ostream& terminal);

/// Prints a report about the modes of a template; nothing for a rigid one.
void print_modes(const GrainShape& shape, std::ostream& terminal);

}  // namespace scree
