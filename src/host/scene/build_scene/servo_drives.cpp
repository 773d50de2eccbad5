#include <algorithm>
#include <cmath>
#include <limits>

#include "host/geometry/real3.hpp"
#include "host/packing/exact_math.hpp"
#include "host/scene/build_scene/servos.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/scene/contact_springs.hpp"
#include "host/scene/meetings.hpp"
#include "host/scene/servo_goal.hpp"
#include "scree/elasticity.hpp"

namespace scree {
namespace {

/// Mean radius [m] and density [kg/m3] of the particles.
struct MeanParticle {
  double radius = 0, density = 0;
};
MeanParticle mean_particle(const Scene& scene) {
  MeanParticle mean;
  double n = 0;
  const auto add = [&](double radius, std::uint32_t material) {
    mean.radius += radius, mean.density += scene.materials[material].density, ++n;
  };
  visit_whole_particles(scene, add);
  if (n == 0) {
    for (const SceneInlet& inlet : scene.inlets) { add(inlet.median_radius, inlet.material); }
  }
  return n > 0 ? MeanParticle{mean.radius / n, mean.density / n} : MeanParticle{};
}

/// [N/m] The stiffness of the stiffest contact of a mean particle with a wall under a normal force [N].
double stiffest_contact(const Scene& scene, const SceneBoundary& wall, double radius, double force) {
  double stiffest = 0;
  const auto radii = radii_by_material(scene);
  for (std::size_t m = 0; m < scene.materials.size(); ++m) {
    if (!radii[m].any()) { continue; }
    const Material &own = scene.materials[m], &other = scene.materials[wall.material];
    const MaterialPair& pair = scene.pair(m, wall.material);
    const LawNeeds& law = needs_of(scene.law_of(m, wall.material));
    if (law.held_by == HeldBy::hertz) {
      const double young = effective_moduli(own, other, pair).young;
      stiffest = std::max(stiffest, 2 * young * packing::exact_cbrt(0.75 * force * radius / young));
    } else {
      const ContactSide side{radius, sphere_mass(own, radius)}, none{radius, std::numeric_limits<double>::infinity()};
      stiffest = std::max(stiffest, linear_springs(own, side, other, none, pair, law.makes_bonds()).normal);
    }
  }
  return stiffest;
}

/// [m] Distance of the plane opposite to a wall, or the diameter of a cylinder; 0 if there is no such plane.
double length_across(const Scene& scene, const SceneBoundary& wall) {
  if (const auto* const tube = std::get_if<CylinderBoundary>(&wall.shape)) { return 2 * tube->radius; }
  const auto* const own = std::get_if<PlaneBoundary>(&wall.shape);
  if (own == nullptr) { return 0; }
  constexpr double opposite = 1e-9 - 1;  // product of two normals
  for (const SceneBoundary& other : scene.boundaries) {
    const auto* const plane = std::get_if<PlaneBoundary>(&other.shape);
    if (plane == nullptr || geometry::dot(own->normal, plane->normal) > opposite) { continue; }
    return std::fabs(geometry::dot(geometry::subtract(plane->point, own->point), own->normal));
  }
  return 0;
}

/// [m2] Estimate of the area on which a force acts: the area of the box around the particles, across the direction.
double area_of_particles(const Scene& scene, const Real3& direction) {
  if (scene.particles.size() == 0) { return 0; }
  Real3 low = scene.particles.position.front(), high = low;
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    const Real3& point = scene.particles.position[i];
    const double radius = scene.particles.radius[i];
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], point[k] - radius), high[k] = std::max(high[k], point[k] + radius);
    }
  }
  const Real3 edge = geometry::subtract(high, low);
  return std::fabs(direction[0]) * edge[1] * edge[2] + std::fabs(direction[1]) * edge[0] * edge[2] +
         std::fabs(direction[2]) * edge[0] * edge[1];
}

/// The largest stress [Pa] or force [N] that the run asks of a wall.
double largest_goal(const Scene& scene, std::uint32_t boundary) {
  const SceneServo& servo = *scene.boundaries[boundary].servo;
  double most = 0;
  const auto note = [&](const std::optional<TimeTable>& goal) {
    for (const auto& row : goal.value_or(TimeTable{})) { most = std::max(most, row[1]); }
  };
  note(servo.stress), note(servo.force);
  for (const SceneStage& stage : scene.stages) {
    for (const SceneStagedBoundary& change : stage.boundaries) {
      if (change.boundary != boundary) { continue; }
      note(change.stress), note(change.servo_force);
    }
  }
  return most;
}

/// The largest load that a wall with a servo has to hold during the run.
struct WallGoal {
  double area = 0;      ///< [m2]
  double pressure = 0;  ///< [Pa]
};

WallGoal wall_goal(const Scene& scene, std::uint32_t boundary, const MeanParticle& mean) {
  const SceneServo& servo = *scene.boundaries[boundary].servo;
  double area = area_now(scene, servo, {});
  if (!(area > 0)) { area = area_of_particles(scene, servo.direction); }
  if (!(area > 0) && servo.force) { area = 4 * mean.radius * mean.radius; }  // inlets bring particles later
  const double goal = largest_goal(scene, boundary);
  return {area, servo.stress ? goal : goal / area};
}

/// A sentence about a fault of a servo in this scene; empty if it has none.
std::string servo_fault(const Scene& scene, std::uint32_t boundary, double area, const MeanParticle& mean) {
  if (scene.boundaries[boundary].changes_radius() && !scene.grain_shapes.empty()) {
    return "of a cylinder is for spheres and clumps, not for level-set grains";
  }
  if (!(largest_goal(scene, boundary) > 0)) { return "needs a stress or a force above 0, here or in a stage"; }
  if (!(mean.radius > 0)) { return "needs particles, which decide how fast the wall may move"; }
  if (!(area > 0)) { return "acts on no area: the planes beside the wall do not lie apart"; }
  return {};
}

/// Chooses speed, damping and mass of a wall. `largest` [Pa] is the largest stress that the run asks of any wall,
/// `longest_step` [s] the longest time step of the run.
void set_drive(const Scene& scene, const WallGoal& goal, const MeanParticle& mean, double inertial_number,
               double largest, double longest_step, SceneBoundary& wall) {
  constexpr double near_goal = 0.05;    // the wall slows down when less than this fraction of the goal is missing
  constexpr double steps_of_swing = 5;  // steps in 1 / omega: 2 pi 5 = 31 steps per period
  const double d = 2 * mean.radius;
  const double across = length_across(scene, wall), length = across > 0 ? across : std::sqrt(goal.area);
  const double speed = inertial_number * std::sqrt(largest / mean.density) * 0.5 * length / d;
  const double stiffness = goal.area / (d * d) * stiffest_contact(scene, wall, mean.radius, goal.pressure * d * d);
  DrivenTranslation& drive = *wall.drive->translation;
  wall.servo->most_speed = speed;
  drive.damping =
      std::max(near_goal * goal.pressure * goal.area / speed, 2 * steps_of_swing * stiffness * longest_step);
  drive.mass = drive.damping * drive.damping / (4 * stiffness);
}

}  // namespace

void set_servo_drives(const Case& input, Scene& scene, std::vector<InputProblem>& problems) {
  const MeanParticle mean = mean_particle(scene);
  const std::size_t before = problems.size();
  std::vector<WallGoal> goals(scene.boundaries.size());
  double largest = 0;
  for (std::uint32_t b = 0; b < scene.boundaries.size(); ++b) {
    if (!scene.boundaries[b].servo) { continue; }
    goals[b] = wall_goal(scene, b, mean);
    largest = std::max(largest, goals[b].pressure);
    const std::string fault = servo_fault(scene, b, goals[b].area, mean);
    if (!fault.empty()) { problems.push_back({"boundaries." + scene.boundaries[b].name + ".servo", fault}); }
  }
  if (problems.size() > before) { return; }
  double longest_step = scene.time_step;
  for (const RunStage& stage : input.stages) {
    if (stage.time && stage.time->step) { longest_step = std::max(longest_step, *stage.time->step); }
  }
  for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
    SceneBoundary& wall = scene.boundaries[b];
    if (!wall.servo) { continue; }
    const double inertial_number = servo_of(input.boundaries[b].second.shape)->inertial_number;
    set_drive(scene, goals[b], mean, inertial_number, largest, longest_step, wall);
  }
}

}  // namespace scree
