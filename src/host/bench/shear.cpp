#include "host/bench/shear.hpp"

#include <iomanip>
#include <ostream>

#include "host/bench/compressed_cell.hpp"
#include "host/bench/machine.hpp"
#include "host/bench/throughput.hpp"
#include "host/bench/tile.hpp"
#include "scree/machine.hpp"

namespace scree {

void bench_shear(const BenchArguments& arguments, std::ostream& out) {
  constexpr double inertial_number = 1e-2;
  const BackendChoice backend = bench_backend(arguments.backend);
  const std::vector<int> threads = bench_threads(arguments.threads, backend, {1, granted_cores()});
  const std::vector<std::string> precisions = bench_precisions(arguments.precisions, {"double", "mixed"});
  const CompressedCell packing(granted_cores(), arguments.cell_across);
  const double rate = packing.shear_rate(inertial_number);
  out << "shear: dense packing in a periodic cell, Hertz-Mindlin with history; at rest, and in simple shear of "
         "constant volume at an\ninertial number of "
      << inertial_number << "; time per particle-step relative to rest; median of " << arguments.repeats << std::endl;
  const std::vector<std::uint64_t> sizes = bench_sizes(arguments.sizes, {10000, 100000});
  if (!arguments.write_bed.empty()) {
    const Scene scene = packing.scene(sizes.front(), Precision::double_, {});
    write_bed(scene, arguments.write_bed);
    const Matrix3& edges = scene.cell->edges;
    out << std::setprecision(17) << "cell of the packing written [m]: " << edges[0][0] << ' ' << edges[1][1] << ' '
        << edges[2][2] << ", rate [1/s]: " << rate << std::setprecision(6) << '\n';
  }
  print_throughput_header(out);
  out << "   time  cell\n";
  for (const std::uint64_t size : sizes) {
    for (const std::string& precision : precisions) {
      for (const int team : threads) {
        double at_rest = 0;
        for (const bool sheared : {false, true}) {
          const Matrix3 gradient{{{0, 0, sheared ? rate : 0}, {0, 0, 0}, {0, 0, 0}}};
          const Scene scene =
              packing.scene(size, precision == "double" ? Precision::double_ : Precision::mixed, gradient);
          const Throughput m = measure_throughput(*make_engine(scene, {backend, team, arguments.device}), arguments);
          if (!sheared) { at_rest = m.rate; }
          print_throughput(out, m, precision, team);
          out << std::setprecision(2) << std::setw(7) << at_rest / m.rate << (sheared ? "  sheared" : "  at rest")
              << std::defaultfloat << std::endl;
        }
      }
    }
  }
}

}  // namespace scree
