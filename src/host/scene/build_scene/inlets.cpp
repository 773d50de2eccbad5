#include "host/scene/build_scene/inlets.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "host/case/particle_kinds.hpp"
#include "host/geometry/real3.hpp"
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
  packing::Random random(0, 0);  // independent of the seed of the run: this is only an estimate
  std::vector<double> radii(draws);
  for (double& radius : radii) radius = sampler.draw(random);
  std::nth_element(radii.begin(), radii.begin() + draws / 2, radii.end());
  return radii[draws / 2];
}

/// Throws CaseError if none of many random places has room for a particle of this radius [m].
void expect_room(const packing::FillRegion& region, double radius) {
  constexpr int tries = 10000;
  packing::Random random(0, 1);
  for (int k = 0; k < tries; ++k) {
    if (region.holds(region.candidate(radius, random), radius)) return;
  }
  throw CaseError("region", "has no room for a particle of radius " + number_text(radius) + " in its " + region.name());
}

}  // namespace

namespace {

/// The data of one kind of particles of an inlet. Sets `around` to the radius of the ball around a particle over its
/// equivalent radius.
SceneInlet inlet_of(const Case& input, std::size_t entry, std::size_t part, const ParticleKind& kind,
                    const std::vector<ClumpShape>& shapes, double& around) {
  SceneInlet inlet;
  inlet.entry = entry;
  inlet.part = part;
  inlet.name = input.particles[entry].inlet->name.value_or("");
  inlet.group = group_index(input, kind.group);
  inlet.material = material_index(input, kind.material);
  inlet.shape = shape_index(input, kind.shape);
  const SizeDistribution sizes =
      kind.radius ? *kind.radius : SizeDistribution(FixedSize{equivalent_radius(shapes[*inlet.shape])});
  inlet.smallest_radius = inlet.smallest_clump = packing::smallest_size(sizes);
  inlet.largest_radius = inlet.largest_clump = packing::largest_size(sizes);
  inlet.median_radius = median_size(sizes);
  around = 1;
  if (!inlet.shape) return inlet;
  const ClumpShape& clump = shapes[*inlet.shape];
  const double own = equivalent_radius(clump);
  const auto [least, most] = std::minmax_element(clump.radius.begin(), clump.radius.end());
  around = clump.bounding_radius / own;
  inlet.smallest_radius *= *least / own;
  inlet.largest_radius *= *most / own;
  inlet.median_radius *= 0.5 * (*least + *most) / own;
  return inlet;
}

/// Whether the sizes of a kind are known. A shape that could not be made has no spheres.
bool is_sized(const Case& input, const ParticleKind& kind, const std::vector<ClumpShape>& shapes) {
  const auto shape = shape_index(input, kind.shape);
  return shape ? !shapes[*shape].radius.empty() : kind.radius.has_value();
}

/// A sample of the places where an inlet puts particles, from which the share of unsuitable places is estimated.
class PlacesOfInlet {
 public:
  PlacesOfInlet(const packing::FillRegion& region, double radius) {
    constexpr int tries = 2000;
    packing::Random random(0, 2);
    for (int k = 0; k < tries; ++k) {
      const Real3 centre = region.candidate(radius, random);
      if (region.holds(centre, radius)) { places_.push_back(centre); }
    }
  }
  /// The share of places for which `is_wrong` holds, as "all" or "some 60 %"; none if it is below one per cent.
  template <class Wrong>
  [[nodiscard]] std::optional<std::string> share(const Wrong& is_wrong) const {
    const auto wrong = static_cast<std::size_t>(std::count_if(places_.begin(), places_.end(), is_wrong));
    if (wrong * 100 < places_.size() || wrong == 0) { return std::nullopt; }
    if (wrong == places_.size()) { return "all"; }
    const double percent = 100 * static_cast<double>(wrong) / static_cast<double>(places_.size());
    return "some " + short_number_text(percent, 2) + " %";
  }

 private:
  std::vector<Real3> places_;  ///< [m]
};

bool is_beyond_sides(const Real3& centre, const BoxBoundary& box) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (centre[k] < box.min[k] || centre[k] > box.max[k]) { return true; }
  }
  return false;
}

/// Warns of places of an inlet at which particles are removed at once, and of an inlet that lies behind a plane or
/// outside of a box.
void warn_of_lost_places(const Case& input, const PlacesOfInlet& places, const std::vector<SceneOutlet>& outlets,
                         const std::vector<std::string>& outlet_names, const std::string& path,
                         std::vector<std::string>& warnings) {
  const auto warn = [&](const std::optional<std::string>& share, const std::string& where) {
    if (share) { warnings.push_back(path + ": " + *share + " of its region lies " + where); }
  };
  const std::string removes = "\", which removes its particles in the step after they appear";
  // The box of "remove_outside" is several planes of one name.
  for (std::size_t name = 0; name < outlet_names.size(); ++name) {
    const auto share = places.share([&](const Real3& centre) {
      return std::any_of(outlets.begin(), outlets.end(), [&](const SceneOutlet& outlet) {
        return outlet.counter == name && geometry::dot(geometry::subtract(centre, outlet.point), outlet.normal) > 0;
      });
    });
    warn(share, "beyond \"" + outlet_names[name] + removes);
  }
  std::vector<std::string> ignored;
  for (const auto& [name, deletion] : input.domain.delete_in) {
    if (deletion.from > 0 || std::isfinite(deletion.until)) { continue; }
    const auto region = std::visit(
        [&](const auto& kind) { return packing::make_region(Region(kind), input.folder, ignored); }, deletion.region);
    warn(places.share([&](const Real3& centre) { return region->holds(centre, 0); }), "in \"" + name + removes);
  }
  for (const auto& [name, boundary] : input.boundaries) {
    if (!boundary.motion.empty() || boundary.drive || boundary.from > 0) { continue; }
    if (const auto* const box = std::get_if<BoxBoundary>(&boundary.shape)) {
      const auto share = places.share([&](const Real3& centre) { return is_beyond_sides(centre, *box); });
      if (share == "all") { warn(share, "outside of the boundary \"" + name + "\", a box, where no particle can be"); }
    }
    const auto* const plane = std::get_if<PlaneBoundary>(&boundary.shape);
    if (plane == nullptr || plane->servo) { continue; }
    const auto share = places.share([&](const Real3& centre) {
      return geometry::dot(geometry::subtract(centre, plane->point), plane->normal) < 0;
    });
    if (share == "all") { warn(share, "behind the plane \"" + name + "\", where no particle can be"); }
  }
}

}  // namespace

std::vector<SceneInlet> make_inlets(const Case& input, const Scene& scene, std::vector<std::string>& warnings,
                                    std::vector<InputProblem>& problems) {
  std::vector<SceneInlet> inlets;
  const auto& shapes = scene.clump_shapes;
  const auto cell = geometry::frame_of(scene.cell);
  for (std::size_t i = 0; i < input.particles.size(); ++i) {
    const ParticleGroup& entry = input.particles[i];
    if (!entry.inlet) continue;
    const auto kinds = kinds_of(input, entry);
    if (!std::all_of(kinds.begin(), kinds.end(), [&](const auto& kind) { return is_sized(input, kind, shapes); })) {
      continue;
    }
    const std::string path = "particles." + std::to_string(i);
    const std::size_t before = problems.size();
    double largest_ball = 0;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      SceneInlet inlet;
      inlet.entry = i;
      collect(problems, path, [&] {
        double around = 1;
        inlet = inlet_of(input, i, k, kinds[k], shapes, around);
        largest_ball = std::max(largest_ball, around * inlet.largest_particle());
      });
      inlets.push_back(inlet);
    }
    collect(problems, path + ".inlet", [&] {
      std::unique_ptr<packing::FillRegion> region;
      try {
        region = packing::make_region(entry.inlet->region, input.folder, warnings, cell ? &*cell : nullptr);
      } catch (const CaseError& error) {
        const auto& problem = error.problems().front();
        throw CaseError(below("region", problem.path), problem.message);
      }
      if (problems.size() == before) expect_room(*region, largest_ball);
      if (problems.size() == before) {
        warn_of_lost_places(input, PlacesOfInlet(*region, largest_ball), scene.outlets, scene.outlet_names,
                            path + ".inlet", warnings);
      }
    });
  }
  return inlets;
}

}  // namespace scree
