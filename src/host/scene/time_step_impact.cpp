#include "host/scene/time_step_impact.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "host/geometry/boundary_shapes.hpp"
#include "host/geometry/infinite.hpp"
#include "host/scene/build_scene/boundaries.hpp"
#include "host/scene/build_scene/groups.hpp"

namespace scree {
namespace {

using namespace geometry;

/// Particles stay where (x - point) . inward >= 0.
struct HalfSpace {
  Real3 point{}, inward{};
  bool solid = true;  ///< false for an outlet, where particles leave the run
};

std::vector<HalfSpace> half_spaces(const Scene& scene) {
  std::vector<HalfSpace> all;
  for (const SceneBoundary& boundary : scene.boundaries) {
    for (const Side& side : sides_of(boundary.shape)) all.push_back({side.point, side.inward});
  }
  for (const SceneOutlet& outlet : scene.outlets) all.push_back({outlet.point, scaled(outlet.normal, -1), false});
  return all;
}

/// The part of a convex polygon that lies inside a half space.
std::vector<Real3> clipped(const std::vector<Real3>& polygon, const HalfSpace& to, double tolerance) {
  std::vector<Real3> result;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Real3 &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
    const double inside_a = dot(subtract(a, to.point), to.inward), inside_b = dot(subtract(b, to.point), to.inward);
    if (inside_a >= -tolerance) result.push_back(a);
    if ((inside_a >= -tolerance) != (inside_b >= -tolerance))
      result.push_back(along(a, inside_a / (inside_a - inside_b), subtract(b, a)));
  }
  return result;
}

/// [m] The lowest height of a face: of a square of this size about `centre` in the plane of the face, cut by all other
/// half spaces. None if nothing is left of the square.
std::optional<double> lowest_of_face(const std::vector<HalfSpace>& all, std::size_t face, const Real3& centre,
                                     double size, const Real3& up) {
  const Real3& normal = all[face].inward;
  const Real3 middle = along(centre, -dot(subtract(centre, all[face].point), normal), normal);
  const Real3 first = scaled(any_normal_to(normal), size), second = cross(normal, first);
  std::vector<Real3> polygon = {add(middle, first), add(middle, second), subtract(middle, first),
                                subtract(middle, second)};
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (other != face) polygon = clipped(polygon, all[other], 1e-12 * size);
  }
  double lowest = infinite;
  for (const Real3& corner : polygon) lowest = std::min(lowest, dot(corner, up));
  return polygon.empty() ? std::nullopt : std::optional(lowest);
}

/// [m] The places from which particles may fall (free particles, and corners of the regions of inlets), and the places
/// of particles that cannot fall.
struct Places {
  std::vector<Real3> falling, held;
};

Places places_of(const Scene& scene, const std::vector<InletStart>& inlets, const Real3& gravity) {
  Places places;
  const std::vector<bool> group_falls = groups_that_ever(scene, [&](const SceneGroup& group) {
    bool moved = false;
    for (std::size_t k = 0; k < 3; ++k) moved = moved || (gravity[k] != 0 && (group.fixed >> k & 1u) == 0);
    return moved && group.gravity && !group.rotation;
  });
  const auto falls = [&](std::size_t group) { return group >= group_falls.size() || group_falls[group]; };
  const ParticleSet& particles = scene.particles;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    (falls(particles.group.empty() ? 0 : particles.group[i]) ? places.falling : places.held)
        .push_back(particles.position[i]);
  }
  for (const InletStart& inlet : inlets) {
    for (unsigned corner = 0; corner < 8; ++corner) {
      const auto& [lower, upper] = inlet.region;
      places.falling.push_back({(corner & 1u) != 0 ? upper[0] : lower[0], (corner & 2u) != 0 ? upper[1] : lower[1],
                                (corner & 4u) != 0 ? upper[2] : lower[2]});
    }
  }
  return places;
}

/// [m] The height of the lowest point of a boundary that is neither a plane nor a box.
double lowest_of(const SceneBoundary& boundary, const Real3& up) {
  double lowest = infinite;
  for (const Part& part : parts_of(boundary.shape)) {
    const double slope = part.axis ? dot(unit(*part.axis), up) : 0;
    lowest = std::min(lowest, dot(part.centre, up) - part.radius * std::sqrt(std::max(0.0, 1 - slope * slope)));
  }
  if (!boundary.is_mesh()) return lowest;
  for (const Real3& vertex : boundary.mesh.vertices) lowest = std::min(lowest, dot(vertex, up));
  return lowest;
}

/// [m] The longest vertical distance from a place down to a plane.
double straight_fall(const std::vector<Real3>& falling, const HalfSpace& plane, const Real3& up) {
  const double slope = dot(plane.inward, up);
  double most = 0;
  if (!(slope > 0)) return most;
  for (const Real3& place : falling) most = std::max(most, dot(subtract(place, plane.point), plane.inward) / slope);
  return most;
}

/// [m] The largest distance of `centre` from places, outlets, planes and boxes.
double extent_of(const Scene& scene, const Places& places, const Real3& centre) {
  double square = 0;
  const auto reach = [&](const Real3& point) { square = std::max(square, squared_length(subtract(point, centre))); };
  for (const Real3& place : places.falling) reach(place);
  for (const SceneOutlet& outlet : scene.outlets) reach(outlet.point);
  for (const SceneBoundary& boundary : scene.boundaries) {
    for (const Side& side : sides_of(boundary.shape)) reach(side.point);
  }
  return std::sqrt(square);
}

/// [m/s] The largest speed of a boundary or its surface, at the start or by a motion or a speed that a stage gives.
double fastest_boundary(const Scene& scene) {
  double most = 0;
  const auto look_at = [&](const SceneBoundary& boundary) {
    if (!boundary.moves() && !boundary.slides()) return;
    most = std::max(most, largest_speed(boundary, scene.particles) + largest_surface_speed(boundary, scene.particles));
  };
  for (const SceneBoundary& boundary : scene.boundaries) look_at(boundary);
  for (const SceneStage& stage : scene.stages) {
    for (const SceneStagedBoundary& staged : stage.boundaries) {
      if (staged.servo_speed) most = std::max(most, std::fabs(*staged.servo_speed));
      if (!staged.motion && !staged.surface_motion) continue;
      SceneBoundary moved = scene.boundaries[staged.boundary];
      if (staged.motion) moved.motion = *staged.motion;
      if (staged.surface_motion) moved.surface_motion = *staged.surface_motion;
      look_at(moved);
    }
  }
  return most;
}

/// Appends the velocities [m/s] that stages impose on groups. A rotation gives velocities at the positions of the
/// particles at the start.
void add_staged_velocities(const Scene& scene, std::vector<Real3>& velocities) {
  const ParticleSet& particles = scene.particles;
  for (const SceneStage& stage : scene.stages) {
    for (const SceneStagedGroup& staged : stage.groups) {
      if (staged.change.velocity) velocities.push_back(*staged.change.velocity);
      if (!staged.change.rotation) continue;
      const Rotation& turn = *staged.change.rotation;
      for (std::size_t i = 0; i < particles.group.size(); ++i) {
        if (particles.group[i] != staged.group) continue;
        velocities.push_back(
            cross(scaled(turn.axis, turn.radians_per_second()), subtract(particles.position[i], turn.origin)));
      }
    }
  }
}

/// [m/s] The largest speed of a particle, alone or relative to the fastest particle, at the start or imposed by a
/// stage.
double fastest_start(const Scene& scene, const std::vector<InletStart>& inlets) {
  std::vector<Real3> velocities = scene.particles.velocity;
  for (const Clump& clump : scene.particles.clumps) {
    if (clump.first < velocities.size()) velocities[clump.first] = clump.velocity;
  }
  for (const InletStart& inlet : inlets) velocities.push_back(inlet.velocity);
  add_staged_velocities(scene, velocities);
  double square = 0;
  Real3 fastest{};
  for (const Real3& v : velocities) {
    if (squared_length(v) > square) square = squared_length(v), fastest = v;
  }
  for (const Real3& v : velocities) square = std::max(square, squared_length(subtract(v, fastest)));
  return std::sqrt(square);
}

}  // namespace

double fall_height(const Scene& scene, const std::vector<InletStart>& inlets, const Real3& gravity) {
  const Real3 up = unit(scaled(gravity, -1));
  const Places places = places_of(scene, inlets, gravity);
  if (up == Real3{} || places.falling.empty()) return 0;
  double top = -infinite, lowest_solid = infinite, floor = infinite, straight = 0;
  for (const Real3& place : places.falling) top = std::max(top, dot(place, up));
  const std::vector<HalfSpace> all = half_spaces(scene);
  const Real3& centre = places.falling.front();
  const double size = 1e3 * extent_of(scene, places, centre);
  for (std::size_t face = 0; face < all.size(); ++face) {
    const auto lowest = lowest_of_face(all, face, centre, size, up),
               wider = lowest_of_face(all, face, centre, 2 * size, up);
    if (!lowest || !wider) continue;
    if (!(*lowest - *wider < 1e-6 * size)) {  // the face continues downhill without end
      if (all[face].solid) straight = std::max(straight, straight_fall(places.falling, all[face], up));
      continue;
    }
    floor = std::min(floor, *lowest);
    if (all[face].solid) lowest_solid = std::min(lowest_solid, *lowest);
  }
  const auto as_far_as_reached = [&](double height) { return floor < infinite ? std::max(height, floor) : height; };
  for (const SceneBoundary& boundary : scene.boundaries) {
    if (!sides_of(boundary.shape).empty()) continue;
    lowest_solid = std::min(lowest_solid, as_far_as_reached(lowest_of(boundary, up)));
  }
  for (const Real3& place : places.held) lowest_solid = std::min(lowest_solid, as_far_as_reached(dot(place, up)));
  return std::max({0.0, straight, lowest_solid < infinite ? top - lowest_solid : 0.0});
}

double impact_speed(const Scene& scene, const std::vector<InletStart>& inlets) {
  const double start = std::max(fastest_start(scene, inlets), fastest_boundary(scene));
  double fall = length(scene.gravity) * fall_height(scene, inlets, scene.gravity);
  for (const SceneStage& stage : scene.stages) {
    if (!stage.gravity || *stage.gravity == scene.gravity) continue;
    fall = std::max(fall, length(*stage.gravity) * fall_height(scene, inlets, *stage.gravity));
  }
  return std::sqrt(start * start + 2 * fall);
}

}  // namespace scree
