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

/// `scree grain`: makes templates of level-set grains, says how well they stand for their source, and writes them. An
/// image with several labels makes several files, whose names end in the label.
int run_grain(const GrainArguments& arguments, std::ostream& terminal);

/// Prints what is known of a template, as `scree grain` and `scree info` do.
void print_grain(const grains::GrainTemplate& grain, std::ostream& terminal);

/// Prints what is known of the modes of a template; nothing for a rigid one.
void print_modes(const GrainShape& shape, std::ostream& terminal);

}  // namespace scree
