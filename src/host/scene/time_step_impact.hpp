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

/// [m] The largest height from which a particle can fall along this gravity [m/s2]. It is the height of the highest
/// particle or inlet above the lowest point of all boundaries and of all particles that do not fall, as far as planes,
/// boxes and outlets let a particle come there. For a plane that continues downhill without end, the vertical distance
/// counts. It is 0 without gravity, and if nothing lies below.
[[nodiscard]] double fall_height(const Scene& scene, const std::vector<InletStart>& inlets, const Real3& gravity);

/// [m/s] The speed of the fastest likely impact of a case: v^2 = v0^2 + 2 g H. Here v0 is the largest speed of
/// boundaries and of particles (alone or relative to the fastest particle), at the start or imposed by stages. H is the
/// fall_height(). If stages change gravity, the largest value of g H counts. It has the same bits on every machine.
[[nodiscard]] double impact_speed(const Scene& scene, const std::vector<InletStart>& inlets);

}  // namespace scree
