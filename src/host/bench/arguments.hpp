#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scree {

/// Arguments of `scree bench`. The names in parentheses are the benchmarks that use an argument.
struct BenchArguments {
  std::vector<std::string> cases = {"settle"};
  std::vector<std::uint64_t> sizes;         ///< [particles] empty: the usual sizes of the benchmark
  std::vector<double> ratios = {1, 5, 50};  ///< [-] largest to smallest radius (neighbours)
  std::vector<std::string> distributions = {"power_law", "bidisperse"};  ///< at ratios above 1 (neighbours)
  std::vector<std::string> laws;        ///< names in bench_law_names(); empty: Hertz-Mindlin (settle)
  std::vector<std::string> precisions;  ///< empty: double and mixed (settle, clumps), mixed (neighbours)
  std::vector<int> threads;             ///< empty: 1 and all cores (settle, clumps), all cores (neighbours)
  std::string backend = "auto";
  std::optional<int> device;  ///< number of the GPU; none: the first one
  int repeats = 3;            ///< the median is reported
  double seconds = 2;         ///< [s] approximate duration of one measurement (settle, clumps)
  int bed_across = 20, bed_layers = 25, settling_steps = 12000;  ///< size of the tile; tests change it (settle, clumps)
  int clumps_across = 10, clump_layers = 30;                     ///< size of the tile; tests change it (clumps)
  int grains_across = 5, grain_layers = 4;                       ///< size of the tile; tests change it (level_set)
  std::vector<std::uint64_t> nodes;                              ///< nodes per grain; empty: 400 and 1600 (level_set)
  int grain_spacings = 10;                 ///< radius of a grain over the grid spacing; tests change it (deformable)
  std::vector<std::string> field_updates;  ///< words of FieldUpdate; empty: all (deformable)
  int cell_across = 11;                    ///< spheres along each side of the cell that is repeated; for tests (shear)
  std::string write_bed;  ///< CSV file for the bed of the first size, to run it elsewhere; empty: none (settle, shear)
};

}  // namespace scree
