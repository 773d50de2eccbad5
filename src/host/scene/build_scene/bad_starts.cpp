#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "host/geometry/cell_frame.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/boundaries.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

using namespace geometry;

double distance_to(const CylinderBoundary& shell, const Real3& point) {
  const Real3 span = subtract(shell.to, shell.from), offset = subtract(point, shell.from);
  const Real3 axis = unit(span);
  const double height = dot(offset, axis);
  const double beyond = std::max({-height, height - length(span), 0.0});
  const double across = length(along(offset, -height, axis)) - shell.radius;
  return std::sqrt(beyond * beyond + across * across);
}

double distance_to(const ConeBoundary& shell, const Real3& point) {
  const Real3 span = subtract(shell.to, shell.from), offset = subtract(point, shell.from), axis = unit(span);
  const double height = dot(offset, axis), across = length(along(offset, -height, axis)) - shell.radius_from;
  const double tall = length(span), wider = shell.radius_to - shell.radius_from;
  const double share = std::clamp((across * wider + height * tall) / (wider * wider + tall * tall), 0.0, 1.0);
  return std::hypot(across - share * wider, height - share * tall);
}

double distance_to(const BoxBoundary& box, const Real3& point) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k) least = std::min({least, point[k] - box.min[k], box.max[k] - point[k]});
  return least;
}

/// Distance of a particle's centre to a boundary, where that is less than `reach`; negative behind a plane and outside
/// a box.
class BoundaryDistance {
 public:
  explicit BoundaryDistance(const SceneBoundary& boundary) : boundary_(boundary) {
    if (boundary.kind == SceneBoundary::Kind::mesh) surface_.emplace(boundary.mesh);
  }
  [[nodiscard]] double operator()(const Real3& point, double reach) const {
    switch (boundary_.kind) {
      case SceneBoundary::Kind::plane: return dot(subtract(point, boundary_.plane.point), boundary_.plane.normal);
      case SceneBoundary::Kind::cylinder: return distance_to(boundary_.cylinder, point);
      case SceneBoundary::Kind::box: return distance_to(boundary_.box, point);
      case SceneBoundary::Kind::cone: return distance_to(boundary_.cone, point);
      case SceneBoundary::Kind::sphere:
        return std::fabs(length(subtract(point, boundary_.sphere.center)) - boundary_.sphere.radius);
      case SceneBoundary::Kind::mesh: return std::sqrt(surface_->squared_distance_within(point, reach));
    }
    return reach;
  }

 private:
  const SceneBoundary& boundary_;
  std::optional<MeshSurface> surface_;
};

/// Of the image of a sphere that comes nearest, among those that reach into the cell.
double least_distance(const BoundaryDistance& distance, const Real3& centre, double radius, const CellFrame* cell) {
  if (cell == nullptr) return distance(centre, radius);
  const Real3 inside = cell->folded(centre);
  double least = std::numeric_limits<double>::infinity();
  cell->visit_shifts(inside, radius, [&](const Real3& shift) {
    least = std::min(least, distance(subtract(inside, shift), radius));
    return true;
  });
  return least;
}

void warn_of_overlaps(const ParticleSet& particles, const SceneBoundary& boundary, const CellFrame* cell,
                      std::vector<std::string>& warnings) {
  constexpr double noticed = 0.01;  // of the radius: settled beds overlap their walls by less
  const BoundaryDistance distance(boundary);
  std::size_t count = 0, behind = 0, deepest = 0;
  double depth = 0;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const double radius = particles.radius[i], gap = least_distance(distance, particles.position[i], radius, cell);
    const double share = (radius - gap) / radius;
    if (!(share > noticed)) continue;
    ++count;
    behind += gap < 0 ? 1 : 0;
    if (share > depth) {
      depth = share;
      deepest = i;
    }
  }
  if (count == 0) return;
  const auto number = [](std::size_t n, const std::string& one, const std::string& many) {
    return count_text(n) + (n == 1 ? one : many);
  };
  std::string text = "boundaries." + boundary.name + ": ";
  text += number(count, " particle overlaps", " particles overlap") + " it at the start, particle ";
  text += std::to_string(deepest) + " by " + short_number_text(100 * depth, 3) + " % of its radius";
  if (behind > 0) text += "; " + number(behind, " has its centre", " have their centres") + " behind the plane";
  warnings.push_back(std::move(text));
}

}  // namespace

void warn_of_bad_starts(const Scene& scene, std::vector<std::string>& warnings) {
  std::optional<CellFrame> cell;
  if (scene.cell) cell.emplace(*scene.cell);
  for (const auto& boundary : scene.boundaries)
    warn_of_overlaps(scene.particles, boundary, cell ? &*cell : nullptr, warnings);
  std::vector<std::size_t> gone(scene.outlet_names.size());
  for (const Real3& position : scene.particles.position) {
    for (const auto& outlet : scene.outlets) {
      if (!(dot(subtract(position, outlet.point), outlet.normal) > 0)) continue;
      ++gone[outlet.counter];
      break;
    }
  }
  for (std::size_t n = 0; n < gone.size(); ++n) {
    if (gone[n] == 0) continue;
    warnings.push_back("domain: " + count_text(gone[n]) + (gone[n] == 1 ? " particle starts" : " particles start") +
                       " beyond \"" + scene.outlet_names[n] + "\" and will be removed in the first step");
  }
}

}  // namespace scree
