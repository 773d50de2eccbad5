#include "host/bench/settle.hpp"

#include <iomanip>
#include <ostream>

#include "host/bench/machine.hpp"
#include "host/bench/settled_bed.hpp"
#include "host/bench/throughput.hpp"
#include "host/bench/traffic.hpp"
#include "scree/machine.hpp"

namespace scree {

namespace {

void print_traffic(std::ostream& out, const Throughput& m, double bytes, double bandwidth) {
  out << std::setw(8) << bytes;
  if (bandwidth > 0) { out << std::setw(10) << 100 * bytes * m.step_rate / bandwidth << "%"; }
}

}  // namespace

void bench_settle(const BenchArguments& arguments, std::ostream& out) {
  const BackendChoice backend = bench_backend(arguments.backend);
  const std::vector<int> threads = bench_threads(arguments.threads, backend, {1, granted_cores()});
  const std::vector<std::string> precisions = bench_precisions(arguments.precisions, {"double", "mixed"});
  const std::vector<std::uint64_t> sizes = bench_sizes(arguments.sizes, {10000, 100000, 1000000});
  const bool with_laws = !arguments.laws.empty();
  out << "settle: dense bed at rest, "
      << (with_laws ? "law by law; time per particle-step relative to the first law" : "Hertz-Mindlin with history")
      << "; Z counts particle contacts only; median of " << arguments.repeats << std::endl;
  const SettledBed bed(granted_cores(), arguments.bed_across, arguments.bed_layers, arguments.settling_steps);
  if (!arguments.write_bed.empty()) { write_bed(bed.scene(sizes.front(), Precision::double_), arguments.write_bed); }
  std::vector<SettledBed> beds;
  for (const std::string& law : arguments.laws) { beds.push_back(bed.under(law)); }
  if (!with_laws) { beds.push_back(bed); }
  print_throughput_header(out);
  out << (with_laws ? "   time  law\n" : "  B/step  bandwidth\n");
  for (const std::uint64_t size : sizes) {
    for (const std::string& precision : precisions) {
      for (const int team : threads) {
        double bandwidth = 0;
        double first_rate = 0;
        for (std::size_t k = 0; k < beds.size(); ++k) {
          const Scene scene = beds[k].scene(size, precision == "double" ? Precision::double_ : Precision::mixed);
          const auto engine = make_engine(scene, {backend, team, arguments.device});
          if (!with_laws && bandwidth == 0) { bandwidth = engine->copy_bandwidth(); }
          const Throughput m = measure_throughput(*engine, arguments);
          if (k == 0) { first_rate = m.rate; }
          print_throughput(out, m, precision, team);
          if (with_laws) {
            out << std::setprecision(2) << std::setw(7) << first_rate / m.rate << "  " << arguments.laws[k];
          } else {
            print_traffic(out, m, step_traffic(m.counts, scene.precision).all(), bandwidth);
          }
          out << std::defaultfloat << std::endl;
        }
      }
    }
  }
}

}  // namespace scree
