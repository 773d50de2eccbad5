#include "host/scene/build_scene/places_at_start.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"

namespace scree {
namespace {

/// A shift along a direction, or a turn about an axis.
class Displacement {
 public:
  Displacement(const TableMotion& motion, double value) : origin_(motion.origin), turns_(motion.axis.has_value()) {
    if (motion.direction) {
      shift_ = geometry::scaled(*motion.direction, value / geometry::length(*motion.direction));
      return;
    }
    const Real3 axis = geometry::scaled(*motion.axis, std::sin(0.5 * value) / geometry::length(*motion.axis));
    turn_ = {std::cos(0.5 * value), axis[0], axis[1], axis[2]};
  }
  [[nodiscard]] bool turns() const { return turns_; }
  [[nodiscard]] Real3 direction(const Real3& v) const { return turns_ ? clumps::turned(turn_, v) : v; }
  [[nodiscard]] Real3 point(const Real3& x) const {
    if (!turns_) { return geometry::add(x, shift_); }
    return geometry::add(origin_, clumps::turned(turn_, geometry::subtract(x, origin_)));
  }

 private:
  Real3 origin_, shift_{};
  bool turns_;
  clumps::Orientation turn_{1, 0, 0, 0};
};

struct Displace {
  const Displacement& by;
  void operator()(PlaneBoundary& plane) const {
    plane.point = by.point(plane.point), plane.normal = by.direction(plane.normal);
  }
  void operator()(BoxBoundary& box) const {
    if (!by.turns()) { box.min = by.point(box.min), box.max = by.point(box.max); }
  }
  void operator()(CylinderBoundary& shell) const { shell.from = by.point(shell.from), shell.to = by.point(shell.to); }
  void operator()(ConeBoundary& shell) const { shell.from = by.point(shell.from), shell.to = by.point(shell.to); }
  void operator()(SphereBoundary& sphere) const { sphere.center = by.point(sphere.center); }
  void operator()(MeshBoundary&) const {}  // placed_at_start() displaces its vertices
};

}  // namespace

std::vector<SceneBoundary> placed_at_start(std::vector<SceneBoundary> boundaries) {
  for (SceneBoundary& boundary : boundaries) {
    for (const Motion& motion : boundary.motion) {
      const auto* table = std::get_if<TableMotion>(&motion.kind);
      if (table == nullptr || !table->position || table->position->empty()) { continue; }
      const double value = table->position->front()[1];  // its times are 0 and later
      if (value == 0) { continue; }
      const Displacement displacement(*table, value);
      std::visit(Displace{displacement}, boundary.shape);
      for (Real3& vertex : boundary.mesh.vertices) { vertex = displacement.point(vertex); }
    }
  }
  return boundaries;
}

bool is_there_at_start(const std::vector<SceneBoundary>& boundaries, const std::vector<SceneStage>& stages,
                       std::size_t boundary) {
  if (boundaries[boundary].from > 0) { return false; }
  if (stages.empty()) { return true; }
  const auto& changes = stages.front().boundaries;
  return std::none_of(changes.begin(), changes.end(), [&](const SceneStagedBoundary& change) {
    return change.boundary == boundary && !change.present.value_or(true);
  });
}

}  // namespace scree
