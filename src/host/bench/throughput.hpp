#pragma once

#include <iosfwd>
#include <string>

#include "host/bench/arguments.hpp"
#include "scree/engine.hpp"

namespace scree {

/// How fast a bed at rest runs. A clump is one particle here.
struct Throughput {
  double rate = 0;       ///< [1/s] particle-steps
  double step_rate = 0;  ///< [1/s] the same without the time of neighbour searches
  EngineCounts counts;
  double bytes_per_particle = 0;
  double coordination = 0;  ///< [-] contacts between particles, counted for both, per particle

  [[nodiscard]] double contact_rate() const { return rate * coordination / 2; }  ///< [1/s] contact-steps
};

/// Runs the engine for about BenchArguments::seconds, `repeats` times: the medians.
[[nodiscard]] Throughput measure_throughput(Engine& engine, const BenchArguments& arguments);

/// The columns that all tables have, without the end of the line.
void print_throughput_header(std::ostream& out);
void print_throughput(std::ostream& out, const Throughput& throughput, const std::string& precision, int threads);

}  // namespace scree
