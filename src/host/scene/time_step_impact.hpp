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

/// [m] How far the highest particle or inlet can fall along this gravity [m/s2] before it meets something: the lowest
/// point of all boundaries and of particles that do not fall, as far as planes, boxes and outlets let a particle come
/// there. A plane that goes on downhill without end counts where particles would hit it on a straight way down. 0
/// without gravity, and where nothing lies below.
[[nodiscard]] double fall_height(const Scene& scene, const std::vector<InletStart>& inlets, const Real3& gravity);

/// [m/s] The fastest impact that a case makes likely: v^2 = v0^2 + 2 g H. Here v0 is the largest of the speeds that
/// particles start with, alone or relative to the fastest, of those that stages impose on groups, and of those that
/// boundaries have. H is the fall_height(); of all gravities of the case and its stages the one with the largest g H
/// counts. The same bits on every machine.
[[nodiscard]] double impact_speed(const Scene& scene, const std::vector<InletStart>& inlets);

}  // namespace scree
