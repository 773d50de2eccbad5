#include "host/bench/ledger.hpp"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <ostream>

#include "host/bench/machine.hpp"
#include "host/bench/settled_bed.hpp"
#include "scree/engine.hpp"
#include "scree/machine.hpp"

namespace scree {

namespace {

/// [s] Shortest measured times: other work on the machine can only make times longer.
struct LedgerCost {
  double plain = std::numeric_limits<double>::infinity();        ///< time of a step without a ledger
  double with_ledger = std::numeric_limits<double>::infinity();  ///< time of a step with a ledger
  double reading = std::numeric_limits<double>::infinity();      ///< time to read the energies once
  std::size_t particles = 0;
};

double time_of(const auto& work) {
  const auto start = BenchClock::now();
  work();
  return seconds_since(start);
}

LedgerCost measure_ledger(Scene scene, const EngineOptions& options, const BenchArguments& arguments) {
  scene.energies = false;
  const auto plain = make_engine(scene, options);
  scene.energies = true;
  const auto ledger = make_engine(scene, options);
  plain->advance(50);  // builds the list, brings friction up, warms caches
  ledger->advance(50);
  const double five = time_of([&] { ledger->advance(5); });
  plain->advance(5);
  // Both engines make the same steps in turns, so that both have the same flow and the same load of the machine.
  constexpr int turns_per_repeat = 4;
  const auto steps =
      static_cast<std::uint64_t>(std::clamp(arguments.seconds * 5 / five / (2 * turns_per_repeat), 2.0, 20000.0));
  LedgerCost cost;
  cost.particles = scene.particles.size();
  for (int turn = 0; turn < turns_per_repeat * arguments.repeats; ++turn) {
    const auto per_step = static_cast<double>(steps);
    cost.plain = std::min(cost.plain, time_of([&] { plain->advance(steps); }) / per_step);
    cost.with_ledger = std::min(cost.with_ledger, time_of([&] { ledger->advance(steps); }) / per_step);
    cost.reading = std::min(cost.reading, time_of([&] { static_cast<void>(ledger->energies()); }));
  }
  return cost;
}

}  // namespace

void bench_ledger(const BenchArguments& arguments, std::ostream& out) {
  const BackendChoice backend = bench_backend(arguments.backend);
  out << "ledger: step times of dense beds with and without an energy ledger, Hertz-Mindlin with history; shortest of "
      << "several\nparticles  precision  threads  bed        ns/particle  with ledger   ratio  reading [steps]"
      << std::endl;
  const SettledBed bed(granted_cores(), arguments.bed_across, arguments.bed_layers, arguments.settling_steps);
  for (const std::uint64_t size : bench_sizes(arguments.sizes, {100000})) {
    for (const std::string& precision : bench_precisions(arguments.precisions, {"mixed", "double"})) {
      for (const int team : bench_threads(arguments.threads, backend, {1})) {
        for (const bool flows : {false, true}) {
          Scene scene = bed.scene(size, precision == "double" ? Precision::double_ : Precision::mixed);
          if (flows) { scene.gravity = {6.94, 0, -6.94}; }  // a slope of 45 degrees: the bed slides down
          const LedgerCost cost = measure_ledger(scene, {backend, team, arguments.device}, arguments);
          const auto n = static_cast<double>(cost.particles);
          out << std::setw(9) << cost.particles << std::setw(11) << precision << std::setw(9) << team << "  "
              << std::left << std::setw(9) << (flows ? "on slope" : "at rest") << std::right << std::fixed
              << std::setprecision(1) << std::setw(13) << 1e9 * cost.plain / n << std::setw(13)
              << 1e9 * cost.with_ledger / n << std::setprecision(2) << std::setw(8) << cost.with_ledger / cost.plain
              << std::setw(17) << cost.reading / cost.plain << std::defaultfloat << std::endl;
        }
      }
    }
  }
}

}  // namespace scree
