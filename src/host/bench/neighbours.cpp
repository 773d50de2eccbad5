#include "host/bench/neighbours.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>

#include "host/bench/assembly.hpp"
#include "host/bench/machine.hpp"
#include "host/bench/neighbour_tables.hpp"
#include "host/scene/time_step.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"
#include "scree/machine.hpp"

namespace scree {

namespace {

struct Assembly {
  std::string name;
  AssemblyKind kind;
  Tile tile;
  Tile equal;  ///< equal spheres, loose, with about as many pairs; only for the largest ratio
};

std::vector<std::uint64_t> sizes_of(const BenchArguments& arguments) {
  return bench_sizes(arguments.sizes, {10000, 100000, 1000000});
}

std::vector<AssemblyKind> kinds_of(const BenchArguments& arguments) {
  std::vector<AssemblyKind> kinds;
  std::vector<double> ratios = arguments.ratios;
  std::sort(ratios.begin(), ratios.end());
  if (ratios.front() <= 1) { kinds.push_back({}); }
  for (const std::string& name : arguments.distributions) {
    for (const double ratio : ratios) {
      if (ratio > 1) { kinds.push_back({name == "power_law" ? SizeSpread::power_law : SizeSpread::bidisperse, ratio}); }
    }
  }
  return kinds;
}

/// A scene at rest with a fixed Verlet distance, so that every search does the same work.
Scene resting_scene(const Tile& tile, std::uint64_t n, Precision precision) {
  Scene scene = tiled_scene(tile, n, precision);
  scene.time_step = rounded_down(0.16 * time_step_limit(scene, {"grains", "walls"}).value);
  scene.verlet_auto = false;
  return scene;
}

void print_tile(std::ostream& out, const std::string& name, double ratio, const Tile& tile,
                BenchClock::time_point start) {
  out << std::left << std::setw(12) << name << std::right << std::setw(6) << short_number_text(ratio) << std::setw(10)
      << tile.particles.size() << std::fixed << std::setprecision(3) << std::setw(16) << solid_fraction(tile)
      << std::setprecision(1) << std::setw(14) << seconds_since(start) << std::defaultfloat << std::endl;
}

/// Makes the tile of each assembly. It has about as many spheres as the smallest measured scene, from 100 to 10000, or
/// more if unequal sizes need more.
std::vector<Assembly> make_assemblies(const BenchArguments& arguments, std::ostream& out) {
  const std::vector<std::uint64_t> sizes = sizes_of(arguments);
  const std::uint64_t smallest = *std::min_element(sizes.begin(), sizes.end());
  const std::uint64_t n = std::clamp<std::uint64_t>(smallest, 100, 10000);
  const double largest_ratio = *std::max_element(arguments.ratios.begin(), arguments.ratios.end());
  const int cores = granted_cores();
  out << "assemblies: random, settled, smallest radius 1 mm; scenes are mirror images side by side of one tile each\n"
      << "spheres      ratio      tile  solid fraction  built in [s]" << std::endl;
  std::vector<Assembly> assemblies;
  for (const AssemblyKind& kind : kinds_of(arguments)) {
    auto start = BenchClock::now();
    Assembly assembly{spread_name(kind), kind, dense_tile(kind, n, cores), {}};
    print_tile(out, assembly.name, kind.ratio, assembly.tile, start);
    if (kind.ratio > 1 && kind.ratio == largest_ratio) {
      start = BenchClock::now();
      assembly.equal = loose_tile(n, pairs_per_particle(assembly.tile, cores), cores);
      print_tile(out, "equal, loose", 1, assembly.equal, start);
    }
    assemblies.push_back(std::move(assembly));
  }
  return assemblies;
}

NeighbourRow measure_search(const Assembly& assembly, const Scene& scene, const EngineOptions& options, int repeats,
                            std::ostream& out) {
  NeighbourRow row{assembly.name, assembly.kind.ratio, measure_search(scene, options, repeats), {}};
  std::string fault;
  try {
    row.flow = measure_flow(scene, options);
  } catch (const KernelFault& caught) { fault = caught.what(); }
  print_neighbour_row(out, row);
  if (!fault.empty()) { out << "  the flow broke down: " << fault << std::endl; }
  return row;
}

/// Prints all tables for one precision and number of threads.
void report(const std::vector<Assembly>& assemblies, const BenchArguments& arguments, Precision precision,
            const EngineOptions& options, std::ostream& out) {
  std::vector<std::uint64_t> sizes = sizes_of(arguments);
  std::sort(sizes.begin(), sizes.end());
  std::vector<NeighbourRow> rows, stage_rows;
  std::vector<std::pair<NeighbourRow, NeighbourRow>> compared;
  print_neighbour_header(out);
  for (const Assembly& assembly : assemblies) {
    std::uint64_t tiles = 0;
    for (const std::uint64_t size : sizes) {
      // This size needs the same number of tiles as the one before.
      if (tile_count(assembly.tile, size) == tiles) { continue; }
      tiles = tile_count(assembly.tile, size);
      rows.push_back(
          measure_search(assembly, resting_scene(assembly.tile, size, precision), options, arguments.repeats, out));
    }
    const bool has_twin = assembly.equal.particles.size() > 0;
    if (has_twin || assembly.kind.spread == SizeSpread::equal) { stage_rows.push_back(rows.back()); }
    if (has_twin) {
      const Scene scene = resting_scene(assembly.equal, rows.back().cost.particles, precision);
      compared.push_back({rows.back(), {"equal, loose", 1, measure_search(scene, options, arguments.repeats), {}}});
      print_neighbour_row(out, compared.back().second);
    }
  }
  for (const auto& [row, equal] : compared) { print_comparison(out, row, equal); }
  out << '\n';
  print_growth(out, rows);
  for (const NeighbourRow& row : stage_rows) {
    out << '\n';
    print_stages(out, row);
  }
}

}  // namespace

void bench_neighbours(const BenchArguments& arguments, std::ostream& out) {
  const BackendChoice backend = bench_backend(arguments.backend);
  const std::vector<int> threads = bench_threads(arguments.threads, backend, {granted_cores()});
  const std::vector<std::string> precisions = bench_precisions(arguments.precisions, {"mixed"});
  const std::vector<Assembly> assemblies = make_assemblies(arguments, out);
  for (const std::string& precision : precisions) {
    for (const int team : threads) {
      const auto engine =
          make_engine(resting_scene(assemblies.front().tile, 1, Precision::mixed), {backend, team, arguments.device});
      out << "\nneighbours: " << precision << " precision, " << engine->backend() << ", copies of " << std::fixed
          << std::setprecision(1) << engine->copy_bandwidth() * 1e-9 << " GB/s" << std::defaultfloat
          << "; Verlet distance 0.1 mm, in flow automatic; median of " << arguments.repeats << '\n';
      report(assemblies, arguments, precision == "double" ? Precision::double_ : Precision::mixed,
             {backend, team, arguments.device}, out);
    }
  }
}

}  // namespace scree
