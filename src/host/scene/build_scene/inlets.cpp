#include "host/scene/build_scene/inlets.hpp"

#include <algorithm>
#include <cmath>

#include "host/packing/region.hpp"
#include "host/packing/sizes.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

double median_size(const SizeDistribution& sizes) {
  constexpr std::size_t draws = 1001;
  const packing::SizeSampler sampler(sizes);
  packing::Random random(0, 0);  // of no run: only a size to go by
  std::vector<double> radii(draws);
  for (double& radius : radii) radius = sampler.draw(random);
  std::nth_element(radii.begin(), radii.begin() + draws / 2, radii.end());
  return radii[draws / 2];
}

/// Tries places for the largest particle.
void expect_room(const packing::FillRegion& region, double radius) {
  constexpr int tries = 10000;
  packing::Random random(0, 1);
  for (int k = 0; k < tries; ++k) {
    if (region.holds(region.candidate(radius, random), radius)) return;
  }
  throw CaseError("region", "has no room for a particle of radius " + number_text(radius) + " in its " + region.name());
}

}  // namespace

std::vector<SceneInlet> make_inlets(const Case& input, const std::vector<ClumpShape>& shapes,
                                    std::vector<std::string>& warnings, std::vector<InputProblem>& problems) {
  std::vector<SceneInlet> inlets;
  for (std::size_t i = 0; i < input.particles.size(); ++i) {
    const ParticleGroup& entry = input.particles[i];
    const auto shape = shape_index(input, entry);
    // a shape with a problem has no spheres
    const bool sized = shape ? !shapes[*shape].radius.empty() : entry.radius.has_value();
    if (!entry.inlet || !sized) continue;
    const std::string path = "particles." + std::to_string(i);
    const Inlet& source = *entry.inlet;
    const std::size_t before = problems.size();
    SceneInlet inlet;
    inlet.entry = i;
    inlet.group = group_index(input, i);
    inlet.material = material_index(input, entry.material);
    inlet.shape = shape;
    double around = 1;  // radius of the ball about a particle over its (equivalent) radius
    collect(problems, path, [&] {
      const SizeDistribution sizes =
          entry.radius ? *entry.radius : SizeDistribution(FixedSize{equivalent_radius(shapes[*shape])});
      inlet.smallest_radius = inlet.smallest_clump = packing::smallest_size(sizes);
      inlet.largest_radius = inlet.largest_clump = packing::largest_size(sizes);
      inlet.median_radius = median_size(sizes);
      if (!shape) return;
      const ClumpShape& clump = shapes[*shape];
      const double own = equivalent_radius(clump);
      const auto [least, most] = std::minmax_element(clump.radius.begin(), clump.radius.end());
      around = clump.bounding_radius / own;
      inlet.smallest_radius *= *least / own;
      inlet.largest_radius *= *most / own;
      inlet.median_radius *= 0.5 * (*least + *most) / own;
    });
    collect(problems, path + ".inlet", [&] {
      std::unique_ptr<packing::FillRegion> region;
      try {
        region = packing::make_region(source.region, input.folder, warnings);
      } catch (const CaseError& error) {
        const auto& problem = error.problems().front();
        throw CaseError(below("region", problem.path), problem.message);
      }
      if (problems.size() == before) expect_room(*region, around * inlet.largest_particle());
    });
    inlets.push_back(inlet);
  }
  return inlets;
}

}  // namespace scree
