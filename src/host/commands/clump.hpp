#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>

namespace scree {

/// Arguments of `scree clump`.
struct ClumpArguments {
  std::filesystem::path mesh;  ///< STL, OBJ, PLY or VTK
  std::size_t spheres = 10;    ///< largest number of spheres
  double scale = 1;            ///< [-] factor from the units of the file to metres
  unsigned resolution = 48;    ///< points on the longest edge of the mesh's box
  std::filesystem::path out;   ///< CSV; empty: the terminal gets the template after the report
};

/// `scree clump`: fills a closed surface with spheres, reports how well they represent it and writes the template.
/// Returns the exit code. Throws CaseError.
int run_clump(const ClumpArguments& arguments, std::ostream& terminal);

}  // namespace scree
