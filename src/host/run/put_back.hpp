#pragma once

#include <string>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Counts particles that a boundary overlaps when it comes back into the run: they are pushed out with a jolt.
class OverlapsAtReturn {
 public:
  /// Notes which particles overlap a boundary before the return.
  explicit OverlapsAtReturn(Engine& engine);

  /// After the return of a boundary of this name: a warning that names the number of particles that overlap a boundary
  /// now and did not before; empty if there are none.
  [[nodiscard]] std::string warning(Engine& engine, const std::string& name) const;

 private:
  SphereList spheres_;
  std::vector<std::uint8_t> clear_;
};

}  // namespace scree
