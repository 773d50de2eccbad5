#include "host/bench/roofline.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <ostream>
#include <string>

#include "host/bench/machine.hpp"
#include "host/bench/settled_bed.hpp"
#include "host/bench/throughput.hpp"
#include "host/bench/traffic.hpp"
#include "scree/errors.hpp"
#include "scree/machine.hpp"

namespace scree {

namespace {

constexpr double least_kernel_time = 2.5e-6;  ///< [s] least time of a kernel on a GPU, for launch and end
constexpr double traffic_of_misses = 1.25;    ///< [-] memory traffic over its least value, because of cache misses
constexpr std::uint64_t timed_steps = 50;

/// [s] Predicted time of a kernel with this least traffic [bytes] at a bandwidth [bytes/s].
double predicted_time(double bytes, double bandwidth, bool on_gpu) {
  return std::max(traffic_of_misses * bytes / bandwidth, on_gpu ? least_kernel_time : 0.0);
}

/// [s] The time of each kind of launch so far, without searches.
std::map<std::string, double> launch_times(Engine& engine) {
  std::map<std::string, double> seconds;
  for (const LaunchTime& launch : engine.launch_times()) {
    if (launch.kind.rfind("search", 0) != 0 && launch.calls > 0 && launch.seconds > 0) {
      seconds[launch.kind] = launch.seconds;
    }
  }
  return seconds;
}

/// Prints the time per step of each kind of launch. From then on the engine waits for every launch.
void print_kernels(Engine& engine, const StepTraffic& traffic, double particles, double bandwidth, std::ostream& out) {
  engine.wait_for_launches();
  const auto before = launch_times(engine);
  engine.advance(timed_steps);
  for (const auto& [stage, after] : launch_times(engine)) {
    const auto old = before.find(stage);
    const double seconds = (after - (old == before.end() ? 0 : old->second)) / static_cast<double>(timed_steps);
    if (seconds <= 0) { continue; }
    // The host runs pair contacts and motion in one sweep.
    const bool pairs = stage == "pair contacts", motion = stage == "gather and move",
               both = pairs && engine.backend().rfind("host", 0) == 0;
    const double bytes = particles * (both ? traffic.all() : pairs ? traffic.pairs : motion ? traffic.motion : 0);
    out << "    " << std::left << std::setw(28) << (both ? "pair contacts with motion" : stage) << std::right
        << std::fixed << std::setprecision(1) << std::setw(12) << 1e6 * seconds << " us";
    if (bytes > 0) { out << std::setprecision(0) << std::setw(7) << 100 * bytes / seconds / bandwidth << " %"; }
    out << std::defaultfloat << '\n';
  }
}

}  // namespace

void bench_roofline(const BenchArguments& arguments, std::ostream& out) {
  const BackendChoice backend = bench_backend(arguments.backend);
  const bool on_gpu = backend == BackendChoice::cuda;
  const int team = bench_threads(arguments.threads, backend, {granted_cores()}).front();
  const std::string word = bench_precisions(arguments.precisions, {"mixed"}).front();
  const Precision precision = word == "double" ? Precision::double_ : Precision::mixed;
  out << "roofline: dense bed at rest, Hertz-Mindlin with history, " << word
      << " precision; predicted: " << traffic_of_misses << " times the least memory traffic at the bandwidth of a copy"
      << (on_gpu ? ", and 2.5 us per kernel at least" : "")
      << ".\nPer kernel: time per step if each launch is waited for, "
      << "and the share of the bandwidth that its least traffic takes" << std::endl;
  out << "particles  copy GB/s  steps/s     particle-steps/s  predicted  measured/predicted\n";
  const SettledBed bed(granted_cores(), arguments.bed_across, arguments.bed_layers, arguments.settling_steps);
  for (const std::uint64_t size : bench_sizes(arguments.sizes, {10000, 100000, 1000000, 8000000})) {
    try {
      const auto engine = make_engine(bed.scene(size, precision), {backend, team, arguments.device});
      const double bandwidth = engine->copy_bandwidth();
      const Throughput m = measure_throughput(*engine, arguments);
      const double n = static_cast<double>(m.counts.particles);
      const StepTraffic traffic = step_traffic(m.counts, precision);
      const double step =
          predicted_time(n * traffic.pairs, bandwidth, on_gpu) + predicted_time(n * traffic.motion, bandwidth, on_gpu);
      out << std::setw(9) << m.counts.particles << std::fixed << std::setprecision(1) << std::setw(11)
          << 1e-9 * bandwidth << std::setprecision(0) << std::setw(9) << m.rate / n << std::scientific
          << std::setprecision(3) << std::setw(21) << m.rate << std::setw(11) << n / step << std::fixed
          << std::setprecision(2) << std::setw(20) << m.rate * step / n << std::defaultfloat << '\n';
      print_kernels(*engine, traffic, n, bandwidth, out);
    } catch (const BackendError& error) { out << std::setw(9) << size << "  " << error.what() << '\n'; }
    out.flush();
  }
}

}  // namespace scree
