#include "host/output/boundary_axis.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include "host/geometry/real3.hpp"

namespace scree {
namespace {

using geometry::cross, geometry::length, geometry::subtract;

/// The axis of a motion that turns; none of one along a direction.
std::optional<BoundaryAxis> axis_of_motion(const Motion& motion) {
  const auto made = [](const Real3& direction, const Real3& origin) {
    return BoundaryAxis{geometry::unit(direction), origin};
  };
  if (const auto* rotation = std::get_if<Rotation>(&motion.kind)) { return made(rotation->axis, rotation->origin); }
  const auto* swing = std::get_if<Oscillation>(&motion.kind);
  if (swing != nullptr && swing->axis) { return made(*swing->axis, swing->origin); }
  const auto* table = std::get_if<TableMotion>(&motion.kind);
  if (table != nullptr && table->axis) { return made(*table->axis, table->origin); }
  return std::nullopt;
}

bool is_same_line(const BoundaryAxis& a, const BoundaryAxis& b) {
  const Real3 between = subtract(b.origin, a.origin);
  const double size = std::max({length(a.origin), length(b.origin), length(between)});
  return length(cross(a.direction, b.direction)) <= geometry::no_lean &&
         length(cross(between, a.direction)) <= geometry::no_lean * size;
}

/// The turns of one or several lists of motions.
struct Turns {
  std::optional<BoundaryAxis> axis;  ///< of the first turn
  bool any_shift = false;            ///< something moves along a direction
  bool of_one_axis = true;           ///< no turn is about another line, and none comes after a shift
};

void add_motions(const std::vector<Motion>& motions, Turns& turns) {
  for (const Motion& motion : motions) {
    const auto axis = axis_of_motion(motion);
    if (!axis) {
      turns.any_shift = true;
      continue;
    }
    if (!turns.axis) { turns.axis = axis; }
    turns.of_one_axis = turns.of_one_axis && !turns.any_shift && is_same_line(*turns.axis, *axis);
  }
}

}  // namespace

std::optional<BoundaryAxis> axis_of(const Scene& scene, std::size_t boundary) {
  const SceneBoundary& given = scene.boundaries[boundary];
  Turns turns, of_surface;
  add_motions(given.motion, turns);
  add_motions(given.surface_motion, of_surface);
  for (const SceneStage& stage : scene.stages) {
    for (const SceneStagedBoundary& staged : stage.boundaries) {
      if (staged.boundary != boundary) { continue; }
      if (staged.motion) { add_motions(*staged.motion, turns); }
      if (staged.surface_motion) { add_motions(*staged.surface_motion, of_surface); }
    }
  }
  if (!turns.of_one_axis) { return std::nullopt; }
  if (given.drive && (given.drive->body || given.drive->rotation)) {
    if (given.drive->body || turns.axis) { return std::nullopt; }
    return BoundaryAxis{geometry::unit(given.drive->rotation->axis), given.drive->rotation->origin};
  }
  if (turns.axis) { return turns.axis; }
  // The motions of a surface add up, in any order.
  return of_surface.any_shift || !of_surface.of_one_axis ? std::nullopt : of_surface.axis;
}

double torque_about(const BoundaryAxis& axis, const BoundaryLoad& load) {
  Real3 direction{}, origin{};
  for (std::size_t k = 0; k < 3; ++k) {
    direction[k] = geometry::dot(load.rotation[k], axis.direction);
    origin[k] = geometry::dot(load.rotation[k], axis.origin) + load.offset[k];
  }
  return geometry::dot(direction, subtract(load.torque, cross(origin, load.force)));
}

}  // namespace scree
