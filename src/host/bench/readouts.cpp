#include "host/bench/readouts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iomanip>
#include <limits>
#include <ostream>
#include <utility>
#include <vector>

#include "host/bench/machine.hpp"
#include "host/bench/settled_bed.hpp"
#include "host/measure/clump_members.hpp"
#include "host/measure/field_sums.hpp"
#include "host/output/contact_frame.hpp"
#include "host/output/contact_writer.hpp"
#include "host/output/series_writer.hpp"
#include "scree/engine.hpp"
#include "scree/errors.hpp"
#include "scree/machine.hpp"

namespace scree {

namespace {

/// A temporary folder for output; it is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "scree-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) { throw OutputError("cannot make the folder " + name); }
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A series with four probes: stress and fabric in a box around the inner half of the bed, the coordination number of
/// all particles, and the flow through a plane in the middle.
SeriesOutput four_probes(const Scene& scene) {
  Real3 low = scene.particles.position.front(), high = low;
  for (const Real3& x : scene.particles.position) {
    for (std::size_t k = 0; k < 3; ++k) { low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]); }
  }
  BoxRegion box;
  for (std::size_t k = 0; k < 3; ++k) {
    box.min[k] = 0.75 * low[k] + 0.25 * high[k];
    box.max[k] = 0.25 * low[k] + 0.75 * high[k];
  }
  SeriesOutput output;
  output.every = 1;
  output.probes = {{"stress", {StressProbe{box}}},
                   {"fabric", {FabricProbe{box}}},
                   {"coordination", {CoordinationProbe{}}},
                   {"flow", {FlowProbe{{{0, 0, 0.5 * (low[2] + high[2])}, {0, 0, 1}}}}}};
  return output;
}

/// Sums over a grid around all particles. Its cells are as large as a particle, and particles are spread over twice
/// this width.
FieldSums sums_about(const Scene& scene) {
  const ParticleSet& all = scene.particles;
  BoxRegion box{all.position.front(), all.position.front()};
  std::array<std::uint64_t, 3> cells{};
  for (const Real3& x : all.position) {
    for (std::size_t k = 0; k < 3; ++k) {
      box.min[k] = std::min(box.min[k], x[k]), box.max[k] = std::max(box.max[k], x[k]);
    }
  }
  const double diameter = 2 * *std::max_element(all.radius.begin(), all.radius.end());
  for (std::size_t k = 0; k < 3; ++k) {
    box.min[k] -= 0.5 * diameter, box.max[k] += 0.5 * diameter;
    cells[k] = static_cast<std::uint64_t>(std::ceil((box.max[k] - box.min[k]) / diameter));
  }
  return {{box, cells}, 2 * diameter};
}

/// Adds a sample of the present state to the sums.
void sample(FieldSums& sums, Engine& engine, const Scene& scene) {
  const MeasuredState state(engine, {.forces = false, .contacts = true});
  const ParticlesOf whole(state.spheres, scene, state.cell);
  sums.add(view_of(state, whole.particles(), scene));
}

std::uint64_t bytes_to_host(Engine& engine) {
  for (const LaunchTime& launch : engine.launch_times()) {
    if (launch.kind == copy_kinds[1]) { return launch.bytes; }
  }
  return 0;
}

struct ReadoutCost {
  double seconds = 0;
  std::uint64_t bytes = 0;  ///< copied to the host
};

/// The least time of a readout. A step precedes each readout, so that the caches are in the state after a step.
ReadoutCost cost_of(Engine& engine, int repeats, const std::function<void()>& readout) {
  ReadoutCost cost{std::numeric_limits<double>::infinity()};
  for (int k = 0; k < repeats; ++k) {
    engine.advance(1);
    const std::uint64_t before = bytes_to_host(engine);
    const auto start = BenchClock::now();
    readout();
    cost.seconds = std::min(cost.seconds, seconds_since(start));
    cost.bytes = bytes_to_host(engine) - before;
  }
  return cost;
}

/// The least time of ten steps in a row, per step.
double seconds_per_step(Engine& engine, double seconds) {
  double least = std::numeric_limits<double>::infinity();
  const auto begin = BenchClock::now();
  do {
    const auto start = BenchClock::now();
    const std::uint64_t steps = engine.advance(10);
    static_cast<void>(engine.counts());  // waits for the backend
    least = std::min(least, seconds_since(start) / static_cast<double>(steps));
  } while (seconds_since(begin) < seconds);
  return least;
}

void measure_readouts(const Scene& scene, const EngineOptions& options, const BenchArguments& arguments,
                      const std::string& precision, std::ostream& out) {
  const auto engine = make_engine(scene, options);
  engine->advance(20);
  const double step = seconds_per_step(*engine, arguments.seconds);
  const auto n = static_cast<double>(engine->counts().particles);
  out << engine->counts().particles << " particles, " << precision << ", " << options.threads << " thread"
      << (options.threads == 1 ? "" : "s") << ": a step takes " << std::setprecision(3) << 1e3 * step << " ms\n"
      << "  readout                        ms      steps  bytes to the host per particle\n";
  const TemporaryFolder folder;
  SeriesOutput bare = four_probes(scene);
  bare.probes.clear();
  std::filesystem::create_directory(folder.path() / "bare");
  SeriesWriter row(folder.path() / "bare", bare, scene), row_with_probes(folder.path(), four_probes(scene), scene);
  ContactWriter contacts(folder.path(), {.every = 1}, scene);
  FieldSums sums = sums_about(scene);
  const std::vector<std::pair<const char*, std::function<void()>>> readouts = {
      {"snapshot", [&] { static_cast<void>(engine->snapshot()); }},
      {"snapshot with forces", [&] { static_cast<void>(engine->snapshot({.force = true, .coordination = true})); }},
      {"hash", [&] { static_cast<void>(engine->hash()); }},
      {"counts", [&] { static_cast<void>(engine->counts()); }},
      {"boundary loads", [&] { static_cast<void>(engine->boundary_loads()); }},
      {"contacts", [&] { static_cast<void>(engine->touching_contacts()); }},
      {"contacts for a file", [&] { static_cast<void>(collect_contacts(*engine)); }},
      {"file of contacts", [&] { contacts.write(*engine); }},
      {"critical step", [&] { static_cast<void>(engine->critical_step()); }},
      {"series row", [&] { row.write(*engine); }},
      {"series row with four probes", [&] { row_with_probes.write(*engine); }},
      {"sample of fields", [&] { sample(sums, *engine, scene); }}};
  for (const auto& [name, readout] : readouts) {
    const ReadoutCost cost = cost_of(*engine, 2 * arguments.repeats + 1, readout);
    out << "  " << std::left << std::setw(28) << name << std::right << std::fixed << std::setprecision(3)
        << std::setw(8) << 1e3 * cost.seconds << std::setprecision(2) << std::setw(9) << cost.seconds / step
        << std::setprecision(1) << std::setw(10) << static_cast<double>(cost.bytes) / n << std::defaultfloat << '\n';
  }
  out << std::flush;
}

}  // namespace

void bench_readouts(const BenchArguments& arguments, std::ostream& out) {
  const BackendChoice backend = bench_backend(arguments.backend);
  out << "readouts of a dense bed at rest, each after one more step; the least of " << 2 * arguments.repeats + 1
      << std::endl;
  const SettledBed bed(granted_cores(), arguments.bed_across, arguments.bed_layers, arguments.settling_steps);
  for (const std::uint64_t size : bench_sizes(arguments.sizes, {100000})) {
    for (const std::string& precision : bench_precisions(arguments.precisions, {"mixed"})) {
      const Scene scene = bed.scene(size, precision == "double" ? Precision::double_ : Precision::mixed);
      for (const int team : bench_threads(arguments.threads, backend, {1})) {
        measure_readouts(scene, {backend, team, arguments.device}, arguments, precision, out);
      }
    }
  }
}

}  // namespace scree
