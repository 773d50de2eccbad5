#include "host/commands/check_places.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "host/case/names.hpp"
#include "host/case/particle_kinds.hpp"
#include "host/geometry/cell_frame.hpp"
#include "host/geometry/infinite.hpp"
#include "host/geometry/real3.hpp"
#include "host/geometry/sphere_volume.hpp"
#include "host/packing/region.hpp"
#include "host/scene/build_scene/places_at_start.hpp"
#include "host/scene/time_step.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using geometry::Bounds;

Bounds nothing() { return {{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}}; }
bool is_empty(const Bounds& box) { return !(box.lower[0] <= box.upper[0]); }

void add(Bounds& box, const Real3& place, double radius = 0) {
  for (std::size_t k = 0; k < 3; ++k) {
    box.lower[k] = std::min(box.lower[k], place[k] - radius);
    box.upper[k] = std::max(box.upper[k], place[k] + radius);
  }
}

double diagonal(const Bounds& box) {
  return is_empty(box) ? 0 : geometry::length(geometry::along(box.upper, -1, box.lower));
}

std::string place_text(const Real3& a) {
  return "(" + short_number_text(a[0]) + ", " + short_number_text(a[1]) + ", " + short_number_text(a[2]) + ")";
}
std::string box_text(const Bounds& box) {
  return "from " + place_text(box.lower) + " to " + place_text(box.upper) + " m";
}

Bounds particle_box(const Scene& scene) {
  Bounds box = nothing();
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    add(box, scene.particles.position[i], scene.particles.radius[i]);
  }
  return box;
}

/// Bounding box of the mesh of a boundary, or of the mesh that output draws for another shape; empty for planes.
Bounds surface_box(const SceneBoundary& boundary) {
  Bounds box = nothing();
  for (const Real3& vertex : boundary.mesh.vertices) { add(box, vertex); }
  return box;
}

std::unique_ptr<packing::FillRegion> inlet_region(const Case& input, const SceneInlet& inlet) {
  std::vector<std::string> ignored;
  return packing::make_region(input.particles[inlet.entry].inlet->region, input.folder, ignored);
}

/// Bounding box of all particles, and of the regions where inlets will place more.
Bounds box_of_particles_and_inlets(const Case& input, const Scene& scene) {
  Bounds all = particle_box(scene);
  for (const SceneInlet& inlet : scene.inlets) {
    const Bounds box = inlet_region(input, inlet)->bounds();
    add(all, box.lower);
    add(all, box.upper);
  }
  return all;
}

/// [m] Distance of the particles from the bounding box of a boundary, or from its plane. None if they meet, or without
/// particles.
std::optional<double> gap(const Scene& scene, const SceneBoundary& boundary, const Bounds& particles) {
  if (is_empty(particles)) { return std::nullopt; }
  if (const auto* plane = std::get_if<PlaneBoundary>(&boundary.shape)) {
    double nearest = infinite;
    for (std::size_t i = 0; i < scene.particles.size(); ++i) {
      const Real3 away = geometry::along(scene.particles.position[i], -1, plane->point);
      nearest = std::min(nearest, geometry::dot(away, plane->normal) - scene.particles.radius[i]);
    }
    return nearest > 0 ? std::optional(nearest) : std::nullopt;
  }
  const Bounds box = surface_box(boundary);
  Real3 apart{};
  for (std::size_t k = 0; k < 3; ++k) {
    apart[k] = std::max({0.0, box.lower[k] - particles.upper[k], particles.lower[k] - box.upper[k]});
  }
  const double distance = geometry::length(apart);
  return distance > 0 ? std::optional(distance) : std::nullopt;
}

double smallest_radius(const ParticleSet& particles) {
  const auto least = std::min_element(particles.radius.begin(), particles.radius.end());
  return least == particles.radius.end() ? 0 : *least;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> place_lines(const Case& input, const Scene& scene) {
  constexpr double rounding = 1e-6;  // of a radius
  std::vector<std::pair<std::string, std::string>> lines;
  const Bounds particles = particle_box(scene);
  if (!is_empty(particles)) { lines.emplace_back("particles lie", box_text(particles)); }
  for (const SceneInlet& inlet : scene.inlets) {
    if (inlet.part > 0) { continue; }
    lines.emplace_back("inlet lies",
                       inlet_text(input, inlet.entry) + " " + box_text(inlet_region(input, inlet)->bounds()));
  }
  for (const SceneBoundary& boundary : placed_at_start(scene.boundaries)) {
    std::string text = boundary.name + " ";
    if (const auto* plane = std::get_if<PlaneBoundary>(&boundary.shape)) {
      text += "through " + place_text(plane->point) + " m, particles on the side of " + place_text(plane->normal);
    } else {
      text += box_text(surface_box(boundary));
    }
    if (const auto distance = gap(scene, boundary, particles)) {
      const bool touches = *distance < rounding * smallest_radius(scene.particles);
      text += touches ? ", touching the particles" : ", " + length_text(*distance) + " away from the particles";
    }
    lines.emplace_back("boundary lies", text);
  }
  return lines;
}

std::vector<std::string> size_warnings(const Case& input, const Scene& scene) {
  constexpr double far_too_large = 100;
  std::vector<std::string> warnings;
  const double others = diagonal(box_of_particles_and_inlets(input, scene));
  for (const SceneBoundary& boundary : scene.boundaries) {
    if (!boundary.is_mesh()) { continue; }
    const double own = diagonal(surface_box(boundary));
    if (!(own > 0) || !(others > 0)) { continue; }
    const std::string size = "boundaries." + boundary.name + ": the mesh is " + length_text(own) +
                             " across, where particles start " + length_text(others);
    if (own > far_too_large * others) {
      warnings.push_back(size + "; lengths are in metres: a file in millimetres needs \"scale\": 1e-3");
    } else if (far_too_large * own < others) {
      warnings.push_back(size + "; is its \"scale\" right?");
    }
  }
  return warnings;
}

namespace {

/// The room in which new particles of an inlet appear, and how long they take to leave it.
struct InletRoom {
  double volume;   ///< [m3]
  double seconds;  ///< [s] lower bound; infinite if they do not move
};

/// The room at an inlet that is a face. New particles are in the layer next to the face until they leave it. The time
/// for this is shortest if velocity and gravity both point along the normal.
InletRoom room_at_face(const Case& input, FaceRegion face, const Inlet& source, const Real3& gravity, double smallest) {
  const double way = face.depth + 2 * smallest;
  face.depth = 1;  // the volume becomes the area
  std::vector<std::string> ignored;
  const double area = packing::make_region(face, input.folder, ignored)->volume();
  const double v = geometry::length(source.velocity) + std::abs(source.normal_speed), g = geometry::length(gravity);
  const double seconds = g > 0 ? (std::sqrt(v * v + 2 * g * way) - v) / g : (v > 0 ? way / v : infinite);
  return {area * way, seconds};
}

InletRoom room_in_region(const Case& input, const SceneInlet& inlet, const Inlet& source, const Real3& gravity) {
  const auto region = inlet_region(input, inlet);
  const Bounds box = region->bounds();
  const Real3 size = geometry::along(box.upper, -1, box.lower);
  // The shortest time in which a particle crosses the region along one of the axes.
  double seconds = infinite;
  for (std::size_t k = 0; k < 3; ++k) {
    const double v = source.velocity[k], g = gravity[k];
    for (const double way : {size[k], -size[k]}) {  // v t + g t^2 / 2 = way
      const double root = v * v + 2 * g * way;
      if (root < 0) { continue; }
      const double t = g != 0 ? std::max((-v + std::sqrt(root)) / g, (-v - std::sqrt(root)) / g) : way / v;
      if (t > 0 && std::isfinite(t)) { seconds = std::min(seconds, t); }
    }
  }
  return {region->volume(), seconds};
}

}  // namespace

std::vector<std::string> inlet_warnings(const Case& input, const Scene& scene) {
  constexpr double most_filled = 0.33;  // [-] solid fraction of random insertion; see packing::insert_at_random
  std::vector<std::string> warnings;
  for (std::size_t first = 0; first < scene.inlets.size(); ++first) {
    const SceneInlet& inlet = scene.inlets[first];
    if (inlet.part > 0) { continue; }
    const Inlet& source = *input.particles[inlet.entry].inlet;
    const auto kinds = kinds_of(input, input.particles[inlet.entry]);
    double smallest = infinite, volume_per_mass = 0;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const SceneInlet& part = scene.inlets.at(first + k);
      smallest = std::min(smallest, part.smallest_particle());
      volume_per_mass += kinds[k].mass_fraction / scene.materials[part.material].density;
    }
    const auto* const face = std::get_if<FaceRegion>(&source.region);
    const InletRoom room = face != nullptr ? room_at_face(input, *face, source, scene.gravity, smallest)
                                           : room_in_region(input, inlet, source, scene.gravity);
    // [m3/s] A rate by number counts the smallest particles; this is a lower bound, since other sizes need more room.
    const double asked =
        source.mass_flow ? *source.mass_flow * volume_per_mass : *source.rate * geometry::sphere_volume(smallest);
    const double most = std::isfinite(room.seconds) ? most_filled * room.volume / room.seconds : 0;
    double in_all = asked * (std::min(source.until, input.time.duration) - source.from);  // [m3]
    if (source.count) {
      in_all = std::min(in_all, static_cast<double>(*source.count) * geometry::sphere_volume(smallest));
    }
    if (source.mass) { in_all = std::min(in_all, *source.mass * volume_per_mass); }
    if (asked <= most || in_all <= most_filled * room.volume) { continue; }
    const std::string path = "particles." + std::to_string(inlet.entry) + ".inlet: ";
    if (most == 0) {
      warnings.push_back(path +
                         "its particles do not move out of the region, since neither velocity nor gravity carries "
                         "them; it will be full");
      continue;
    }
    const double part = most / asked;
    warnings.push_back(path + "cannot deliver: the region has room for " +
                       (source.mass_flow ? short_number_text(part * *source.mass_flow, 2) + " kg/s of the " +
                                               short_number_text(*source.mass_flow) + " kg/s"
                                         : short_number_text(part * *source.rate, 2) + " of the " +
                                               short_number_text(*source.rate) + " particles/s") +
                       " at most, for particles take " + short_number_text(room.seconds, 2) +
                       " s to leave it; a larger region or velocity helps");
  }
  return warnings;
}

}  // namespace scree
