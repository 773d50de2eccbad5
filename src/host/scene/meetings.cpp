#include "host/scene/meetings.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "host/case/laws.hpp"
#include "host/scene/build_scene/shapes.hpp"

namespace scree {

RadiusRange inlet_radii(const Scene& scene) {
  RadiusRange range;
  visit_fragments(scene.breakage, [&](double radius, std::size_t) { range.note(radius); });
  for (const SceneInlet& inlet : scene.inlets) range.note(inlet.smallest_radius), range.note(inlet.largest_radius);
  return range;
}

std::vector<RadiusRange> radii_by_material(const Scene& scene) {
  std::vector<RadiusRange> ranges(scene.materials.size());
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    ranges[scene.particles.material[i]].note(scene.particles.radius[i]);
  }
  for (const SceneInlet& inlet : scene.inlets) {
    ranges[inlet.material].note(inlet.smallest_radius);
    ranges[inlet.material].note(inlet.largest_radius);
  }
  visit_fragments(scene.breakage, [&](double radius, std::size_t material) { ranges[material].note(radius); });
  return ranges;
}

RadiusRange all_radii(const Scene& scene) {
  RadiusRange all;
  for (const RadiusRange& range : radii_by_material(scene)) all.note(range);
  return all;
}

namespace {

/// Calls visit(clump shape, material, size) for each level-set grain of the start, and for the smallest and the largest
/// grain of each inlet.
template <class Visit>
void visit_grains(const Scene& scene, Visit&& visit) {
  for (const Clump& clump : scene.particles.clumps) {
    const ClumpShape& shape = scene.clump_shapes.at(clump.shape);
    if (shape.grain) visit(shape, scene.particles.material.at(clump.first), clump.size);
  }
  for (const SceneInlet& inlet : scene.inlets) {
    if (!inlet.shape) continue;
    const ClumpShape& shape = scene.clump_shapes.at(*inlet.shape);
    if (!shape.grain) continue;
    visit(shape, inlet.material, inlet.smallest_clump / equivalent_radius(shape));
    visit(shape, inlet.material, inlet.largest_clump / equivalent_radius(shape));
  }
}

/// Calls visit(radius [m], material) for each sphere and each member of a clump, for the smallest and the largest
/// sphere of each inlet, and for the smallest and the largest fragment of each material that breaks.
template <class Visit>
void visit_spheres(const Scene& scene, Visit&& visit) {
  const ParticleSet& particles = scene.particles;
  std::vector<bool> is_grain(particles.size());
  for (const Clump& clump : particles.clumps) {
    if (scene.clump_shapes.at(clump.shape).grain) is_grain.at(clump.first) = true;
  }
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (!is_grain[i]) visit(particles.radius[i], particles.material[i]);
  }
  for (const SceneInlet& inlet : scene.inlets) {
    if (inlet.shape && scene.clump_shapes.at(*inlet.shape).grain) continue;
    visit(inlet.smallest_radius, inlet.material);
    visit(inlet.largest_radius, inlet.material);
  }
  visit_fragments(scene.breakage, visit);
}

/// The spheres of a material, or its grains of one shape.
struct MeetingBody {
  RadiusRange radii;
  const GrainShape* grain = nullptr;
};

/// [n_materials] For each material its spheres under the key 0, then its grains under the keys 1 + index of the shape.
std::vector<std::map<std::size_t, MeetingBody>> bodies_by_material(const Scene& scene) {
  std::vector<std::map<std::size_t, MeetingBody>> bodies(scene.materials.size());
  visit_spheres(scene, [&](double radius, std::size_t material) { bodies[material][0].radii.note(radius); });
  visit_grains(scene, [&](const ClumpShape& shape, std::size_t material, double size) {
    MeetingBody& body = bodies[material][1 + *shape.grain];
    body.radii.note(size * equivalent_radius(shape));
    body.grain = &scene.grain_shapes.at(*shape.grain);
  });
  return bodies;
}

}  // namespace

double smallest_sphere(const Scene& scene) {
  double smallest = std::numeric_limits<double>::infinity();
  visit_spheres(scene, [&](double radius, std::size_t) { smallest = std::min(smallest, radius); });
  return smallest;
}

double least_depth(const Scene& scene) {
  double least = smallest_sphere(scene);
  std::map<std::size_t, double> depths;  // at size 1
  visit_grains(scene, [&](const ClumpShape& shape, std::size_t, double size) {
    const auto [depth, is_new] = depths.try_emplace(*shape.grain);
    if (is_new) depth->second = depth_of(scene.grain_shapes.at(*shape.grain));
    least = std::min(least, size * depth->second);
  });
  return least;
}

std::vector<Meeting> meetings(const Scene& scene) {
  const auto bodies = bodies_by_material(scene);
  std::vector<RadiusRange> ranges(bodies.size());
  for (std::size_t m = 0; m < bodies.size(); ++m) {
    for (const auto& [index, body] : bodies[m]) ranges[m].note(body.radii);
  }
  std::map<const GrainShape*, BodyHold> holds = {{nullptr, {}}};
  std::vector<Meeting> all;
  const auto add_meetings = [&](std::size_t m, const MeetingBody& body) {
    const double radius = body.radii.smallest;
    const auto [entry, is_new] = holds.try_emplace(body.grain);
    BodyHold& hold = entry->second;
    if (is_new) hold = hold_of_grain(*body.grain, scene.grain_contacts.by_area);
    const auto meet = [&](std::size_t p, double size, const SceneBoundary* boundary) {
      const Partner partner{scene.materials[p], size, boundary != nullptr};
      all.push_back({m, radius, partner, p, boundary, scene.pairs.empty() ? MaterialPair{} : scene.pair(m, p),
                     scene.law_of(m, p), body.grain, hold});
    };
    for (std::size_t p = 0; p < ranges.size(); ++p) {
      if (!ranges[p].any()) continue;
      // Springs in series are stiffest with the largest partner, bonds with a partner of the same size.
      meet(p, needs_of(scene.law_of(m, p)).makes_bonds() ? std::max(radius, ranges[p].smallest) : ranges[p].largest,
           nullptr);
    }
    for (const auto& boundary : scene.boundaries) meet(boundary.material, radius, &boundary);
  };
  for (std::size_t m = 0; m < bodies.size(); ++m) {
    for (const auto& [index, body] : bodies[m]) add_meetings(m, body);
  }
  return all;
}

}  // namespace scree
