#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scree {

/// What `scree bench` is given. Not every benchmark looks at all of it.
struct BenchArguments {
  std::vector<std::string> cases = {"settle"};
  std::vector<std::uint64_t> sizes;         ///< [particles] empty: the usual sizes of the benchmark
  std::vector<double> ratios = {1, 5, 50};  ///< [-] largest to smallest radius (neighbours)
  std::vector<std::string> distributions = {"power_law", "bidisperse"};  ///< at ratios above 1 (neighbours)
  std::vector<std::string> laws;        ///< of bench_law_names(); empty: Hertz-Mindlin, the bed as it is (settle)
  std::vector<std::string> precisions;  ///< empty: double and mixed (settle, clumps), mixed (neighbours)
  std::vector<int> threads;             ///< empty: 1 and all cores (settle, clumps), all cores (neighbours)
  std::string backend = "auto";
  std::optional<int> device;  ///< number of the GPU; none: the first one
  int repeats = 3;            ///< the median is reported
  double seconds = 2;         ///< [s] about how long one measurement lasts (settle, clumps)
  int bed_across = 20, bed_layers = 25, settling_steps = 12000;  ///< of the tile; for tests (settle, clumps)
  int clumps_across = 10, clump_layers = 30;                     ///< likewise (clumps)
  int grains_across = 5, grain_layers = 4;                       ///< likewise (level_set)
  std::vector<std::uint64_t> nodes;                              ///< of a grain; empty: 400 and 1600 (level_set)
  int grain_spacings = 10;                 ///< of the grid in the radius of a grain; for tests (deformable)
  std::vector<std::string> field_updates;  ///< words of FieldUpdate; empty: all (deformable)
  int cell_across = 11;                    ///< spheres along each side of the cell that is repeated; for tests (shear)
  std::string write_bed;  ///< CSV file for the bed of the first size, to run it elsewhere; empty: none (settle, shear)
};

}  // namespace scree
