#include "host/bench/budget.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>

#include "host/bench/clump_bed.hpp"
#include "host/bench/compressed_cell.hpp"
#include "host/bench/machine.hpp"
#include "host/bench/settled_bed.hpp"
#include "scree/machine.hpp"

namespace scree {

namespace {

constexpr std::uint64_t steps = 160, warm_up = 32;
constexpr std::uint64_t steps_between_inlets = 10;

/// Numbers of launches and copies that an engine has made on its backend so far.
struct Requests {
  std::uint64_t launches = 0, steps_launched = 0, searches = 0;
  std::uint64_t copies_in = 0, copies_out = 0, bytes_in = 0, bytes_out = 0;  ///< to the backend, from the backend

  friend Requests operator-(Requests a, const Requests& b) {
    a.launches -= b.launches, a.steps_launched -= b.steps_launched, a.searches -= b.searches;
    a.copies_in -= b.copies_in, a.copies_out -= b.copies_out;
    a.bytes_in -= b.bytes_in, a.bytes_out -= b.bytes_out;
    return a;
  }
};

Requests requests_of(Engine& engine) {
  Requests sum;
  for (const LaunchTime& launch : engine.launch_times()) {
    if (launch.kind == copy_kinds[0]) {
      sum.copies_in = launch.calls, sum.bytes_in = launch.bytes;
    } else if (launch.kind == copy_kinds[1]) {
      sum.copies_out = launch.calls, sum.bytes_out = launch.bytes;
    } else if (launch.kind != copy_kinds[2]) {
      sum.launches += launch.calls;
      // The end of a step is a launch of its own, or a part of the motion, which on the host has no launch of its own.
      if (launch.kind == "end of step" || launch.kind == "gather and move") {
        sum.steps_launched = std::max(sum.steps_launched, launch.calls);
      }
      if (launch.kind == "search: sweep keys") { sum.searches = launch.calls; }
    }
  }
  return sum;
}

struct BudgetCase {
  const char* name;
  Scene scene;
  bool inlets = false;  ///< a particle is inserted every `steps_between_inlets` steps
};

void make_steps(Engine& engine, const BudgetCase& budget, std::uint64_t n) {
  if (!budget.inlets) {
    engine.advance(n);
    return;
  }
  for (std::uint64_t made = 0; made < n; made += steps_between_inlets) {
    ParticleSet fresh;
    const double height = 1 + 0.01 * static_cast<double>(engine.step());  // [m] far above the bed and each other
    fresh.position = {{5e-3, 5e-3, height}};
    fresh.velocity = fresh.angular_velocity = {{}};
    fresh.radius = {1e-3};
    fresh.material = {0};
    engine.insert(fresh);
    engine.advance(steps_between_inlets);
  }
}

void measure_case(BudgetCase budget, const EngineOptions& options, std::ostream& out) {
  budget.scene.verlet_auto = false;  // an automatic distance, and so the number of searches, depends on measured times
  const auto engine = make_engine(budget.scene, options);
  make_steps(*engine, budget, warm_up);
  const Requests before = requests_of(*engine);
  make_steps(*engine, budget, steps);
  const Requests stepped = requests_of(*engine);
  static_cast<void>(engine->search_neighbours());
  const Requests search = requests_of(*engine) - stepped, all = stepped - before;
  const auto per_step = [](std::uint64_t whole) { return static_cast<double>(whole) / static_cast<double>(steps); };
  out << std::left << std::setw(16) << budget.name << std::right << std::fixed << std::setprecision(2) << std::setw(9)
      << per_step(all.launches) << std::setw(10) << per_step(all.steps_launched) << std::setw(7)
      << per_step(all.copies_in) << std::setw(7) << per_step(all.copies_out) << std::setprecision(0) << std::setw(10)
      << per_step(all.bytes_in) << std::setw(11) << per_step(all.bytes_out) << std::setw(10) << all.searches
      << std::setw(10) << search.launches << std::setw(6) << search.copies_in << std::setw(6) << search.copies_out
      << std::setw(12) << search.bytes_out << std::defaultfloat << std::endl;
}

}  // namespace

void bench_budget(const BenchArguments& arguments, std::ostream& out) {
  const BackendChoice backend = bench_backend(arguments.backend);
  const int team = bench_threads(arguments.threads, backend, {1}).front();
  const std::uint64_t n = bench_sizes(arguments.sizes, {10000}).front();
  const std::string word = bench_precisions(arguments.precisions, {"mixed"}).front();
  const Precision precision = word == "double" ? Precision::double_ : Precision::mixed;
  out << "budget: launches and copies of " << steps << " steps of about " << n << " particles, " << word
      << " precision, with the searches among them; then those of\none search and the count of its tests. A copy out, "
         "from the backend to the host, waits for all launches before it. A\nhost runs pair contacts and motion in one "
         "launch."
      << std::endl;
  out << "case             per step:                                                  searches  per search:\n"
         "                 launches  launched    in    out  bytes in  bytes out            launches    in   out   "
         "bytes out\n";
  const int cores = granted_cores();
  const SettledBed bed(cores, arguments.bed_across, arguments.bed_layers, arguments.settling_steps);
  const Scene plain = bed.scene(n, precision);
  Scene moving = plain, ledger = plain;
  moving.boundaries.back().motion = {{Translation{{1e-4, 0, 0}}}};
  ledger.energies = true;
  const EngineOptions options{backend, team, arguments.device};
  measure_case({"plain bed", plain}, options, out);
  measure_case({"moving wall", moving}, options, out);
  measure_case({"stress control", CompressedCell(cores, arguments.cell_across).scene_under_stress(n, precision)},
               options, out);
  measure_case({"energy ledger", ledger}, options, out);
  const Settling settling{cores, arguments.clumps_across, arguments.clump_layers, arguments.settling_steps};
  measure_case({"clumps", ClumpBed::of_triangles(settling).scene(n / ClumpBed::members, precision)}, options, out);
  measure_case({"jaeger", bed.under("jaeger").scene(n, precision)}, options, out);
  measure_case({"inlets", plain, true}, options, out);
}

}  // namespace scree
