#include "host/bench/clumps.hpp"

#include <iomanip>
#include <ostream>

#include "host/bench/clump_bed.hpp"
#include "host/bench/machine.hpp"
#include "host/bench/settled_bed.hpp"
#include "host/bench/throughput.hpp"
#include "scree/machine.hpp"

namespace scree {

namespace {

struct Pair {
  Throughput clumps, spheres;
};

Pair measure_clumps(const ClumpBed& bed, const SettledBed& spheres, std::uint64_t size, Precision precision,
                    const EngineOptions& options, const BenchArguments& arguments) {
  const auto run = [&](const Scene& scene) { return measure_throughput(*make_engine(scene, options), arguments); };
  const Throughput clumps = run(bed.scene(size, precision));
  return {clumps, run(spheres.scene(ClumpBed::members * clumps.counts.clumps, precision))};
}

}  // namespace

void bench_clumps(const BenchArguments& arguments, std::ostream& out) {
  const BackendChoice backend = bench_backend(arguments.backend);
  const std::vector<int> threads = bench_threads(arguments.threads, backend, {1, granted_cores()});
  const std::vector<std::string> precisions = bench_precisions(arguments.precisions, {"double", "mixed"});
  out << "clumps: dense bed at rest of clumps of " << ClumpBed::members
      << " spheres; particles are clumps; Z counts all contacts between them; beside them the bed of settle\n"
         "with as many spheres as there are members; median of "
      << arguments.repeats << std::endl;
  const ClumpBed bed = ClumpBed::of_triangles(
      {granted_cores(), arguments.clumps_across, arguments.clump_layers, arguments.settling_steps});
  const SettledBed spheres(granted_cores(), arguments.bed_across, arguments.bed_layers, arguments.settling_steps);
  print_throughput_header(out);
  out << "  member-steps/s  spheres there  sphere-steps/s  member/sphere\n";
  for (const std::uint64_t size : bench_sizes(arguments.sizes, {3000, 300000})) {
    for (const std::string& precision : precisions) {
      for (const int team : threads) {
        const Pair m = measure_clumps(bed, spheres, size, precision == "double" ? Precision::double_ : Precision::mixed,
                                      {backend, team, arguments.device}, arguments);
        const double member_rate = ClumpBed::members * m.clumps.rate;
        print_throughput(out, m.clumps, precision, team);
        out << std::scientific << std::setprecision(3) << std::setw(16) << member_rate << std::setw(15)
            << m.spheres.counts.particles << std::setw(16) << m.spheres.rate << std::fixed << std::setprecision(2)
            << std::setw(15) << member_rate / m.spheres.rate << std::defaultfloat << std::endl;
      }
    }
  }
}

}  // namespace scree
