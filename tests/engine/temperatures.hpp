#pragma once

#include <vector>

#include "scree/engine.hpp"

namespace scree::test {

/// [n_particles] [K] The temperatures of all particles; empty without heat.
inline std::vector<double> temperatures(Engine& engine) {
  SnapshotRequest request;
  request.temperature = true;
  return engine.snapshot(request).temperature;
}

}  // namespace scree::test
