#include "host/bench/settle.hpp"

#include <iomanip>
#include <ostream>

#include "host/bench/machine.hpp"
#include "host/bench/settled_bed.hpp"
#include "host/bench/throughput.hpp"

namespace scree {

namespace {

/// Least memory traffic [B] of one step per particle: each state array read or written once, lists once, each pair
/// record once. What caches fail to keep comes on top.
double counted_bytes(const EngineCounts& counts, Precision precision) {
  const double real = precision == Precision::double_ ? 8 : 4;
  const double n = static_cast<double>(counts.particles);
  const double listed = static_cast<double>(counts.candidates) / n;
  const double touching = static_cast<double>(counts.contacts) / n;
  const double contacts = 24 + 8 * real + 4 + listed * (8 + 1) + touching * (6 + 8) * real;
  const double motion = 2 * 24 + 2 * 9 * real + 3 * real + 8 + 4 + listed * (8 * real + 2 * 4);
  return contacts + motion;
}

void print_traffic(std::ostream& out, const Throughput& m, double bytes, double bandwidth) {
  out << std::setw(8) << bytes;
  if (bandwidth > 0) { out << std::setw(10) << 100 * bytes * m.step_rate / bandwidth << "%"; }
}

}  // namespace

void bench_settle(const BenchArguments& arguments, std::ostream& out) {
  const BackendChoice backend = bench_backend(arguments.backend);
  const std::vector<int> threads = bench_threads(arguments.threads, backend, {1, core_count()});
  const std::vector<std::string> precisions = bench_precisions(arguments.precisions, {"double", "mixed"});
  const std::vector<std::uint64_t> sizes = bench_sizes(arguments.sizes, {10000, 100000, 1000000});
  const bool with_laws = !arguments.laws.empty();
  out << "settle: dense bed at rest, "
      << (with_laws ? "law by law; time per particle-step relative to the first law" : "Hertz-Mindlin with history")
      << "; Z counts particle contacts only; median of " << arguments.repeats << std::endl;
  const SettledBed bed(core_count(), arguments.bed_across, arguments.bed_layers, arguments.settling_steps);
  if (!arguments.write_bed.empty()) { write_bed(bed.scene(sizes.front(), Precision::double_), arguments.write_bed); }
  std::vector<SettledBed> beds;
  for (const std::string& law : arguments.laws) { beds.push_back(bed.under(law)); }
  if (!with_laws) { beds.push_back(bed); }
  print_throughput_header(out);
  out << (with_laws ? "   time  law\n" : "  B/step  bandwidth\n");
  for (const std::uint64_t size : sizes) {
    for (const std::string& precision : precisions) {
      for (const int team : threads) {
        // What a GPU copies is not measured here: its share is left out rather than guessed.
        const double bandwidth = backend == BackendChoice::host && !with_laws ? copy_bandwidth(team) : 0;
        double first_rate = 0;
        for (std::size_t k = 0; k < beds.size(); ++k) {
          const Scene scene = beds[k].scene(size, precision == "double" ? Precision::double_ : Precision::mixed);
          const auto engine = make_engine(scene, {backend, team});
          const Throughput m = measure_throughput(*engine, arguments);
          if (k == 0) { first_rate = m.rate; }
          print_throughput(out, m, precision, team);
          if (with_laws) {
            out << std::setprecision(2) << std::setw(7) << first_rate / m.rate << "  " << arguments.laws[k];
          } else {
            print_traffic(out, m, counted_bytes(m.counts, scene.precision), bandwidth);
          }
          out << std::defaultfloat << std::endl;
        }
      }
    }
  }
}

}  // namespace scree
