#include "host/bench/settle.hpp"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <ostream>

#include "host/bench/machine.hpp"
#include "host/bench/search_cost.hpp"
#include "host/bench/settled_bed.hpp"
#include "scree/errors.hpp"

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

struct Measurement {
  double rate = 0, step_rate = 0;  ///< [1/s] particle-steps with and without list building, contact-steps below
  EngineCounts counts;
  double bytes_per_particle = 0;
  double coordination = 0;
};

Measurement measure(Engine& engine, const BenchArguments& arguments) {
  engine.advance(50);  // builds the list, brings friction up, warms caches
  auto start = BenchClock::now();
  engine.advance(5);
  const auto steps = static_cast<std::uint64_t>(std::clamp(arguments.seconds * 5 / seconds_since(start), 5.0, 100000.0));
  std::vector<std::pair<double, double>> rates;
  Measurement result;
  for (int repeat = 0; repeat < arguments.repeats; ++repeat) {
    const double search_before = search_totals(engine).seconds;
    start = BenchClock::now();
    engine.advance(steps);
    result.counts = engine.counts();
    const double all = seconds_since(start);
    const double work = static_cast<double>(result.counts.particles * steps);
    rates.push_back({work / all, work / (all - (search_totals(engine).seconds - search_before))});
  }
  std::sort(rates.begin(), rates.end());
  result.rate = rates[rates.size() / 2].first;
  result.step_rate = rates[rates.size() / 2].second;
  std::uint64_t bytes = 0;
  for (const MemoryItem& item : engine.memory()) { bytes += item.bytes; }
  result.bytes_per_particle = static_cast<double>(bytes) / static_cast<double>(result.counts.particles);
  result.coordination = 2.0 * static_cast<double>(result.counts.contacts) / static_cast<double>(result.counts.particles);
  return result;
}

void print_header(std::ostream& out, bool with_laws) {
  out << "particles  precision  threads     Z  listed  particle-steps/s  of it steps only  contact-steps/s  B/particle"
      << (with_laws ? "   time  law\n" : "  B/step  bandwidth\n");
}

/// The columns that all tables have.
void print_row(std::ostream& out, const Measurement& m, const std::string& precision, int threads) {
  const double n = static_cast<double>(m.counts.particles);
  out << std::setw(9) << m.counts.particles << std::setw(11) << precision << std::setw(9) << threads << std::fixed
      << std::setprecision(2) << std::setw(6) << m.coordination << std::setw(8) << static_cast<double>(m.counts.candidates) / n
      << std::scientific << std::setprecision(3) << std::setw(18) << m.rate << std::setw(18) << m.step_rate << std::setw(17)
      << m.rate * m.coordination / 2 << std::fixed << std::setprecision(0) << std::setw(12) << m.bytes_per_particle;
}

void print_traffic(std::ostream& out, const Measurement& m, double bytes, double bandwidth) {
  out << std::setw(8) << bytes;
  if (bandwidth > 0) { out << std::setw(10) << 100 * bytes * m.step_rate / bandwidth << "%"; }
}

/// A particle file as cases read it; lengths with all digits.
void write_bed(const Scene& scene, const std::string& path) {
  std::ofstream file(path);
  file << "x,y,z,radius\n" << std::setprecision(17);
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    const Real3& x = scene.particles.position[i];
    file << x[0] << ',' << x[1] << ',' << x[2] << ',' << scene.particles.radius[i] << '\n';
  }
  if (!file.flush()) { throw OutputError("cannot write " + path); }
}

}  // namespace

void bench_settle(const BenchArguments& arguments, std::ostream& out) {
  const BackendChoice backend = bench_backend(arguments.backend);
  const std::vector<int> threads = bench_threads(arguments.threads, backend, {1, core_count()});
  const std::vector<std::string> precisions = bench_precisions(arguments.precisions, {"double", "mixed"});
  const bool with_laws = !arguments.laws.empty();
  out << "settle: dense bed at rest, " << (with_laws ? "law by law; time per particle-step relative to the first law"
                                                     : "Hertz-Mindlin with history")
      << "; Z counts particle contacts only; median of " << arguments.repeats << std::endl;
  const SettledBed bed(core_count(), arguments.bed_across, arguments.bed_layers, arguments.settling_steps);
  if (!arguments.write_bed.empty()) { write_bed(bed.scene(arguments.sizes.front(), Precision::double_), arguments.write_bed); }
  std::vector<SettledBed> beds;
  for (const std::string& law : arguments.laws) { beds.push_back(bed.under(law)); }
  if (!with_laws) { beds.push_back(bed); }
  print_header(out, with_laws);
  for (const std::uint64_t size : arguments.sizes) {
    for (const std::string& precision : precisions) {
      for (const int team : threads) {
        // What a GPU copies is not measured here: its share is left out rather than guessed.
        const double bandwidth = backend == BackendChoice::host && !with_laws ? copy_bandwidth(team) : 0;
        double first_rate = 0;
        for (std::size_t k = 0; k < beds.size(); ++k) {
          const Scene scene = beds[k].scene(size, precision == "double" ? Precision::double_ : Precision::mixed);
          const auto engine = make_engine(scene, {backend, team});
          const Measurement m = measure(*engine, arguments);
          if (k == 0) { first_rate = m.rate; }
          print_row(out, m, precision, team);
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
