#include "host/bench/throughput.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <utility>
#include <vector>

#include "host/bench/machine.hpp"
#include "host/bench/search_cost.hpp"

namespace scree {

Throughput measure_throughput(Engine& engine, const BenchArguments& arguments) {
  engine.advance(50);  // builds the list, brings friction up, warms caches
  auto start = BenchClock::now();
  engine.advance(5);
  const auto steps =
      static_cast<std::uint64_t>(std::clamp(arguments.seconds * 5 / seconds_since(start), 5.0, 100000.0));
  std::vector<std::pair<double, double>> rates;
  Throughput result;
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
  result.coordination =
      2.0 * static_cast<double>(result.counts.contacts) / static_cast<double>(result.counts.particles);
  return result;
}

void print_throughput_header(std::ostream& out) {
  out << "particles  precision  threads     Z  listed  particle-steps/s  of it steps only  contact-steps/s  B/particle";
}

void print_throughput(std::ostream& out, const Throughput& m, const std::string& precision, int threads) {
  const double n = static_cast<double>(m.counts.particles);
  out << std::setw(9) << m.counts.particles << std::setw(11) << precision << std::setw(9) << threads << std::fixed
      << std::setprecision(2) << std::setw(6) << m.coordination << std::setw(8)
      << static_cast<double>(m.counts.candidates) / n << std::scientific << std::setprecision(3) << std::setw(18)
      << m.rate << std::setw(18) << m.step_rate << std::setw(17) << m.contact_rate() << std::fixed
      << std::setprecision(0) << std::setw(12) << m.bytes_per_particle;
}

}  // namespace scree
