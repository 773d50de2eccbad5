#include <algorithm>
#include <cmath>

#include "host/geometry/boundary_shapes.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/boundaries.hpp"
#include "host/scene/meetings.hpp"
#include "host/scene/time_step.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

using namespace geometry;

/// The largest magnitude of the slopes of a table of displacements, or of the values of a table of velocities.
double steepest(const TableMotion& motion) {
  double most = 0;
  if (motion.velocity) {
    for (const auto& row : *motion.velocity) most = std::max(most, std::fabs(row[1]));
  } else if (motion.position) {
    const TimeTable& rows = *motion.position;
    for (std::size_t k = 1; k < rows.size(); ++k) {
      most = std::max(most, std::fabs((rows[k][1] - rows[k - 1][1]) / (rows[k][0] - rows[k - 1][0])));
    }
  }
  return most;
}

/// [m] An upper bound of the distance from an axis at which a boundary may meet a particle. It follows from the
/// vertices of a mesh, the corners of a box and the rims of shells, and for a plane from the start positions of
/// particles. It does not follow from outlines, because their corners depend on the C library.
class FarthestFromAxis {
 public:
  FarthestFromAxis(const SceneBoundary& boundary, const ParticleSet& particles) {
    for (const Part& part : parts_of(boundary.shape)) {
      own_.push_back(part.centre);
      around_.push_back(part.radius);
    }
    if (own_.empty()) given_ = boundary.is_mesh() ? &boundary.mesh.vertices : &particles.position;
  }
  [[nodiscard]] double operator()(const Real3& axis, const Real3& origin) const {
    const std::vector<Real3>& points = given_ != nullptr ? *given_ : own_;
    const Real3 direction = unit(axis);
    double most = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
      most =
          std::max(most, length(cross(subtract(points[k], origin), direction)) + (around_.empty() ? 0.0 : around_[k]));
    }
    return most;
  }

 private:
  const std::vector<Real3>* given_ = nullptr;
  std::vector<Real3> own_;
  std::vector<double> around_;  ///< [m] the radius of a rim, or of a sphere, about each point
};

double largest_speed(const MotionKind& motion, const FarthestFromAxis& farthest) {
  const auto along_or_about = [&](const auto& kind, double rate) {
    return kind.direction ? rate : rate * farthest(*kind.axis, kind.origin);
  };
  if (const auto* translation = std::get_if<Translation>(&motion)) return length(translation->velocity);
  if (const auto* rotation = std::get_if<Rotation>(&motion)) {
    return std::fabs(rotation->radians_per_second()) * farthest(rotation->axis, rotation->origin);
  }
  if (const auto* swing = std::get_if<Oscillation>(&motion)) {
    constexpr double two_pi = 6.283185307179586477;
    return along_or_about(*swing, two_pi * std::fabs(swing->frequency * swing->amplitude));
  }
  const auto& table = std::get<TableMotion>(motion);
  return along_or_about(table, steepest(table));
}

}  // namespace

double largest_speed(const SceneBoundary& boundary, const ParticleSet& particles) {
  const FarthestFromAxis farthest(boundary, particles);
  double sum = 0;
  for (const Motion& motion : boundary.motion) sum += largest_speed(motion.kind, farthest);
  if (boundary.drive && boundary.drive->translation) sum += length(boundary.drive->translation->velocity);
  if (boundary.drive && boundary.drive->rotation) {
    const DrivenRotation& drive = *boundary.drive->rotation;
    sum += std::fabs(drive.rate) * farthest(drive.axis, drive.origin);
  }
  if (boundary.drive && boundary.drive->body) {
    const FreeBody& body = *boundary.drive->body;
    const double rate = length(body.angular_velocity);
    sum += length(body.velocity);
    if (rate > 0) { sum += rate * farthest(body.angular_velocity, body.center.value_or(Real3{})); }
  }
  return sum;
}

double largest_surface_speed(const SceneBoundary& boundary, const ParticleSet& particles) {
  const FarthestFromAxis farthest(boundary, particles);
  double sum = 0;
  for (const Motion& motion : boundary.surface_motion) sum += largest_speed(motion.kind, farthest);
  return sum;
}

void warn_of_fast_boundaries(const Scene& scene, std::vector<std::string>& warnings) {
  const double radius = all_radii(scene).smallest;
  for (std::uint32_t b = 0; b < scene.boundaries.size(); ++b) {
    const SceneBoundary& boundary = scene.boundaries[b];
    if (!boundary.moves()) continue;
    double speed = largest_speed(boundary, scene.particles);
    for (const SceneStage& stage : scene.stages) {
      for (const SceneStagedBoundary& change : stage.boundaries) {
        if (change.boundary != b || !change.motion) continue;
        SceneBoundary staged = boundary;
        staged.motion = *change.motion;
        speed = std::max(speed, largest_speed(staged, scene.particles));
      }
    }
    const double way = speed * scene.time_step;
    if (!(way > radius)) continue;
    warnings.push_back("boundaries." + boundary.name + ": at up to " + short_number_text(speed, 3) +
                       " m/s it goes up to " + length_text(way) + " in a step, farther than the smallest radius, " +
                       length_text(radius) +
                       "; the run ends where it meets particles at that speed. A time step below " +
                       short_number_text(rounded_down(radius / speed)) + " s would do");
  }
}

BoundaryPeriod shortest_period(const Scene& scene) {
  BoundaryPeriod shortest;
  const auto look = [&](const std::vector<Motion>& motions, const std::string& path) {
    for (const Motion& motion : motions) {
      const auto* swing = std::get_if<Oscillation>(&motion.kind);
      if (swing == nullptr || swing->amplitude == 0 || swing->frequency == 0) continue;
      const double period = 1 / std::fabs(swing->frequency);
      if (period < shortest.value) shortest = {period, path};
    }
  };
  for (const SceneBoundary& boundary : scene.boundaries) {
    look(boundary.motion, "boundaries." + boundary.name + ".motion");
    look(boundary.surface_motion, "boundaries." + boundary.name + ".surface_motion");
  }
  for (std::size_t k = 0; k < scene.stages.size(); ++k) {
    for (const SceneStagedBoundary& change : scene.stages[k].boundaries) {
      const std::string path = "stages." + std::to_string(k) + ".boundaries." + scene.boundaries[change.boundary].name;
      if (change.motion) look(*change.motion, path + ".motion");
      if (change.surface_motion) look(*change.surface_motion, path + ".surface_motion");
    }
  }
  return shortest;
}

void warn_of_long_steps(const Scene& scene, std::vector<std::string>& warnings) {
  constexpr double fewest_steps = 20;  // per period
  const BoundaryPeriod shortest = shortest_period(scene);
  double step = scene.time_step;
  std::string path = "time.step";
  for (std::size_t k = 0; k < scene.stages.size(); ++k) {
    const auto& time = scene.stages[k].time;
    if (!time || !time->step || !(*time->step > step)) continue;
    step = *time->step;
    path = "stages." + std::to_string(k) + ".time.step";
  }
  if (!(fewest_steps * step > shortest.value)) return;
  warnings.push_back(path + ": " + short_number_text(step) + " s is longer than a 20th of the period of " +
                     short_number_text(shortest.value, 3) + " s of " + shortest.motion +
                     ", so that forces and work of this boundary are wrong. A time step below " +
                     short_number_text(rounded_down(shortest.resolving_step())) + " s would do");
}

}  // namespace scree
