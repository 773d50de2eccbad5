#pragma once

#include <iosfwd>
#include <string>

#include "host/bench/arguments.hpp"
#include "scree/engine.hpp"

namespace scree {

/// The measured speed of a bed at rest. A clump counts as one particle.
struct Throughput {
  double rate = 0;       ///< [1/s] particle-steps per second
  double step_rate = 0;  ///< [1/s] particle-steps per second, without the time of neighbour searches
  EngineCounts counts;
  double bytes_per_particle = 0;
  double coordination = 0;  ///< [-] mean number of other particles that a particle touches

  [[nodiscard]] double contact_rate() const { return rate * coordination / 2; }  ///< [1/s] contact-steps
};

/// Runs the engine `repeats` times for about BenchArguments::seconds each. Returns the medians.
[[nodiscard]] Throughput measure_throughput(Engine& engine, const BenchArguments& arguments);

/// Prints the header of the columns that all tables have, without the end of the line.
void print_throughput_header(std::ostream& out);
/// Prints the values of these columns, without the end of the line.
void print_throughput(std::ostream& out, const Throughput& throughput, const std::string& precision, int threads);

}  // namespace scree
