#pragma once

#include <vector>

#include "host/geometry/real3.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Where an inlet brings particles, and how fast.
struct InletStart {
  geometry::Bounds region;  ///< [m]
  Real3 velocity{};         ///< [m/s]
};

/// [m] How far the highest particle or inlet can fall along gravity before it meets something: the lowest point of all
/// boundaries and of particles that do not fall, as far as planes, boxes and outlets let a particle come there. A plane
/// that goes on downhill without end counts where particles would hit it on a straight way down. 0 without gravity, and
/// where nothing lies below.
[[nodiscard]] double fall_height(const Scene& scene, const std::vector<InletStart>& inlets);

/// [m/s] The fastest impact that a case makes likely: v^2 = v0^2 + 2 g H, with v0 the largest of the speeds that
/// particles start with, alone or relative to the fastest, and of those that boundaries have, and with H =
/// fall_height(). The same bits on every machine.
[[nodiscard]] double impact_speed(const Scene& scene, const std::vector<InletStart>& inlets);

}  // namespace scree
