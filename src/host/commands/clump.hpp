#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>

namespace scree {

/// Arguments of `scree clump`.
struct ClumpArguments {
  std::filesystem::path mesh;  ///< STL, OBJ, PLY or VTK
  std::size_t spheres = 10;    ///< at most so many
  double scale = 1;            ///< from the units of the file to metres
  unsigned resolution = 48;    ///< points on the longest edge of the mesh's box
  std::filesystem::path out;   ///< CSV; empty: the terminal gets the template after the report
};

/// `scree clump`: fills a closed surface with spheres, says how well they stand for it and writes the template.
int run_clump(const ClumpArguments& arguments, std::ostream& terminal);

}  // namespace scree
