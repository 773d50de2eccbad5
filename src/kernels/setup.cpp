#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/system.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

static_assert(parking_place > farthest_place, "removed bodies must not count in the bounds of the grid");

double sphere_mass(const Scene& scene, std::uint32_t material, double radius) {
  return 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius * scene.materials[material].density;
}

/// Mass [kg] of the particles of the start, and of as many as ids allow of each inlet.
double most_mass(const Scene& scene) {
  double mass = 0;
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    mass += sphere_mass(scene, scene.particles.material[i], scene.particles.radius[i]);
  }
  for (const SceneInlet& inlet : scene.inlets) {
    mass += 0x1p31 * sphere_mass(scene, inlet.material, inlet.largest_radius);
  }
  return mass;
}

/// Sizes that the search and the sums of large bodies go by. They follow from the case, not from who is there at the
/// moment: the shape of a sum decides its bits.
template <class R>
void choose_size_limits(const Scene& scene, double& smallest, double& large, double& largest) {
  large = double(std::numeric_limits<R>::max());
  double median = std::numeric_limits<double>::max();
  smallest = std::numeric_limits<double>::max();
  largest = 0;
  const std::size_t n = scene.particles.size();
  if (n > 0) {
    std::vector<R> radius(n);
    std::transform(scene.particles.radius.begin(), scene.particles.radius.end(), radius.begin(),
                   [](double r) { return static_cast<R>(r); });
    smallest = double(*std::min_element(radius.begin(), radius.end()));
    largest = double(*std::max_element(radius.begin(), radius.end()));
    const auto middle = radius.begin() + std::ptrdiff_t(n / 2);
    std::nth_element(radius.begin(), middle, radius.end());
    median = double(*middle);
  }
  for (const SceneInlet& inlet : scene.inlets) {
    smallest = std::min(smallest, double(static_cast<R>(inlet.smallest_radius)));
    largest = std::max(largest, double(static_cast<R>(inlet.largest_radius)));
    median = std::min(median, inlet.median_radius);
  }
  if (median < std::numeric_limits<double>::max()) {
    large = double(static_cast<R>(large_in_median_radii * median));
  } else {
    smallest = 0;
  }
}

OutletRegion outlet_region(const SceneDeletion& deletion, bool adaptive) {
  const auto vec = [](const Real3& a) { return Vec3d{a[0], a[1], a[2]}; };
  OutletRegion region{};
  region.counter = deletion.counter;
  region.first = adaptive ? std::bit_cast<std::uint64_t>(deletion.from) : deletion.first_step;
  region.end = adaptive ? std::bit_cast<std::uint64_t>(deletion.until) : deletion.end_step;
  if (const auto* box = std::get_if<BoxRegion>(&deletion.region)) {
    region.kind = OutletRegion::Kind::box;
    region.a = vec(box->min);
    region.b = vec(box->max);
  } else if (const auto* ball = std::get_if<SphereRegion>(&deletion.region)) {
    region.kind = OutletRegion::Kind::ball;
    region.a = vec(ball->center);
    region.radius = ball->radius;
  } else {
    const auto& cylinder = std::get<CylinderRegion>(deletion.region);
    region.kind = OutletRegion::Kind::cylinder;
    region.a = vec(cylinder.from);
    region.b = vec(cylinder.to) - region.a;
    region.length = norm(region.b);
    region.b = (1 / region.length) * region.b;
    region.radius = cylinder.radius;
  }
  return region;
}

/// The scene itself, after its arrays were found to fit together.
const Scene& checked(const Scene& scene) {
  const std::size_t n = scene.particles.size();
  const std::size_t n_materials = scene.materials.size();
  SCREE_EXPECT(scene.particles.velocity.size() == n && scene.particles.angular_velocity.size() == n &&
                   scene.particles.radius.size() == n && scene.particles.material.size() == n &&
                   (scene.particles.group.empty() || scene.particles.group.size() == n),
               "particle arrays differ in length");
  SCREE_EXPECT(scene.pairs.size() == n_materials * n_materials, "one entry per ordered pair of materials is needed");
  SCREE_EXPECT(scene.time_step > 0 && std::isfinite(scene.time_step), "the time step must be positive");
  SCREE_EXPECT(scene.interaction_range >= 1, "the interaction range must be at least 1");
  SCREE_EXPECT(scene.verlet_distance > 0, "the Verlet distance must be positive");
  for (const std::uint32_t material : scene.particles.material) {
    SCREE_EXPECT(material < n_materials, "unknown material");
  }
  for (const SceneInlet& inlet : scene.inlets) { SCREE_EXPECT(inlet.material < n_materials, "unknown material"); }
  for (const SceneBoundary& boundary : scene.boundaries) {
    SCREE_EXPECT(boundary.material < n_materials, "unknown material");
  }
  return scene;
}

}  // namespace

template <class R>
System<R>::System(const Scene& scene, int threads)
    : exec_(threads),
      primitives_(exec_),
      laws_(make_laws<R>(checked(scene))),
      boundary_(scene),
      cell_(scene),
      clock_(scene) {
  scene_ = scene;
  range_ = scene.interaction_range;
  known_material_.resize(scene.materials.size());
  for (const std::uint32_t material : scene.particles.material) { known_material_[material] = true; }
  for (const SceneInlet& inlet : scene.inlets) { known_material_[inlet.material] = true; }
  scene_.particles = {};
  for (SceneBoundary& boundary : scene_.boundaries) { boundary.mesh = {}; }

  make_clump_shapes();
  append_bodies(scene.particles);
  n_start_ = n_bodies_;
  enter_cell(0);
  make_groups();

  std::vector<OutletPlane> planes;
  for (const SceneOutlet& outlet : scene.outlets) {
    SCREE_EXPECT(outlet.counter < scene.outlet_names.size(), "an outlet without a name");
    planes.push_back({{outlet.point[0], outlet.point[1], outlet.point[2]},
                      {outlet.normal[0], outlet.normal[1], outlet.normal[2]},
                      outlet.counter});
  }
  if (laws_.bonding != 0) {
    bonds_made_.assign(std::vector<std::uint32_t>(n_start_), "bonds");
    bonds_broken_.assign(std::vector<std::uint32_t>(n_start_), "bonds");
  }
  outlet_planes_.assign(planes, "outlets");
  std::vector<OutletRegion> regions;
  for (const SceneDeletion& deletion : scene.deletions) {
    SCREE_EXPECT(deletion.counter < scene.outlet_names.size(), "a deletion region without a name");
    regions.push_back(outlet_region(deletion, scene.adaptive.has_value()));
  }
  outlet_regions_.assign(regions, "outlets");
  outlet_counts_.assign(std::vector<OutletCount>(scene.outlet_names.size()), "outlets");
  // A power of two such that all mass together stays below 2^62 quanta.
  const double total_mass = most_mass(scene);
  quanta_per_mass_ = std::exp2(61 - (total_mass > 0 ? std::ilogb(total_mass) : 0));
  control_.assign({Control{}}, "control");
  if (laws_.stacks) { stacks_.turn_on(); }
  if (scene.energies) { begin_ledger(); }

  choose_size_limits<R>(scene, smallest_radius_, large_radius_, largest_radius_);
  cell_.ends(clock_.at(0), cell_measure_);  // a control that has nothing to do
}

template System<float>::System(const Scene&, int);
template System<double>::System(const Scene&, int);

}  // namespace scree::inline SCREE_BACKEND
