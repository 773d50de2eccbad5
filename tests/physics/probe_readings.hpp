#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "host/measure/probes.hpp"

/// Readings of single probes.
namespace scree::physics {

/// A series with one probe, "p".
inline SeriesOutput series_with(const ProbeOutput& probe) {
  SeriesOutput output;
  output.every = 1;
  output.probes.emplace_back("p", probe);
  return output;
}

/// What a probe measures now, by the names of its columns without that of the probe.
inline std::map<std::string, double> read_probe(const ProbeOutput& probe, Engine& engine, const Scene& scene) {
  Probes probes(series_with(probe), scene, {});
  const auto names = probes.columns();
  const auto values = probes.measure(MeasuredState(engine, probes.needs()), scene);
  EXPECT_EQ(names.size(), values.size());
  std::map<std::string, double> result;
  for (std::size_t i = 0; i < values.size(); ++i) { result[names.at(i).substr(2)] = values[i]; }
  return result;
}

}  // namespace scree::physics
