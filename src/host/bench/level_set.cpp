#include "host/bench/level_set.hpp"

#include <cmath>
#include <iomanip>
#include <ostream>

#include "host/bench/clump_bed.hpp"
#include "host/bench/machine.hpp"
#include "host/bench/throughput.hpp"
#include "host/grains/implicit_solid.hpp"
#include "host/grains/make_grain.hpp"
#include "scree/machine.hpp"

namespace scree {

namespace {

GrainShape cobble_with(double spacing) {
  const auto solid = grains::make_superellipsoid({1.2e-3, 1e-3, 0.85e-3}, 0.6, 0.6);
  return grains::make_grain(*solid, {.spacing = spacing}, "cobble").shape;
}

/// A superellipsoid between a brick and an ellipsoid, with about `nodes` nodes at the usual distance.
GrainShape cobble(std::uint64_t nodes) {
  const auto wanted = static_cast<double>(nodes);
  double spacing = 2e-3 / std::sqrt(wanted / 15);
  for (int round = 0; round < 2; ++round) {
    spacing *= std::sqrt(static_cast<double>(cobble_with(spacing).node.size()) / wanted);
  }
  return cobble_with(spacing);
}

/// The work on the nodes of a bed.
struct NodeWork {
  Throughput throughput;
  double contacts = 0;  ///< number of contacts between grains and with the box
  double touching = 0;  ///< [-] nodes per contact
  double near = 0;      ///< [-] nodes per contact that each step checks
  double searches = 0;  ///< [-] searches for near nodes per contact and step
};

NodeWork measure_nodes(const Scene& scene, const EngineOptions& options, const BenchArguments& arguments) {
  const auto engine = make_engine(scene, options);
  NodeWork work{.throughput = measure_throughput(*engine, arguments)};
  constexpr std::uint64_t steps = 100;
  const NodeCounts before = engine->node_counts();
  engine->advance(steps);
  const NodeCounts after = engine->node_counts();
  const EngineCounts counts = engine->counts();
  work.contacts = static_cast<double>(counts.contacts + counts.boundary_contacts);
  work.touching = static_cast<double>(after.touching) / work.contacts;
  work.near = static_cast<double>(after.near) / work.contacts;
  work.searches = static_cast<double>(after.searches - before.searches) / (work.contacts * double(steps));
  return work;
}

void print(std::ostream& out, const NodeWork& w, const GrainShape& grain, const std::string& precision, int threads) {
  const double steps = w.throughput.rate / static_cast<double>(w.throughput.counts.particles);  // [1/s]
  const auto nodes = static_cast<double>(grain.node.size());
  print_throughput(out, w.throughput, precision, threads);
  out << std::setw(7) << grain.node.size() << std::fixed << std::setprecision(1) << std::setw(17) << w.touching
      << std::setw(13) << w.near << std::setprecision(2) << std::setw(12) << 100 * (1 - w.near / nodes)
      << std::scientific << std::setprecision(2) << std::setw(14) << w.searches << std::setw(16)
      << w.near * w.contacts * steps << std::fixed << std::setprecision(3) << std::setw(21)
      << 1e6 / (steps * w.contacts) << std::defaultfloat << std::endl;
}

}  // namespace

void bench_level_set(const BenchArguments& arguments, std::ostream& out) {
  const BackendChoice backend = bench_backend(arguments.backend);
  const std::vector<int> threads = bench_threads(arguments.threads, backend, {1, granted_cores()});
  const std::vector<std::string> precisions = bench_precisions(arguments.precisions, {"double", "mixed"});
  const std::vector<std::uint64_t> nodes = bench_sizes(arguments.nodes, {400, 1600});
  out << "level_set: dense bed at rest of superellipsoids between a brick and an ellipsoid; contacts are those of "
         "grains and\nwith the box; a search finds the near nodes of a contact; median of "
      << arguments.repeats << std::endl;
  ClumpBed bed = ClumpBed::of_grains(cobble(nodes.front()), {granted_cores(), arguments.grains_across,
                                                             arguments.grain_layers, arguments.settling_steps});
  print_throughput_header(out);
  out << "  nodes  touching/contact  near/contact  culled [%]  searches/step  near nodes/s  us/contact and step\n";
  for (const std::uint64_t wanted : nodes) {
    const GrainShape grain = cobble(wanted);
    bed.replace_grains(grain);
    for (const std::uint64_t size : bench_sizes(arguments.sizes, {100, 10000})) {
      for (const std::string& precision : precisions) {
        const Scene scene = bed.scene(size, precision == "double" ? Precision::double_ : Precision::mixed);
        for (const int team : threads) {
          print(out, measure_nodes(scene, {backend, team, arguments.device}, arguments), grain, precision, team);
        }
      }
    }
  }
}

}  // namespace scree
