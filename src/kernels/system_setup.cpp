#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/system.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

static_assert(parking_place > farthest_place, "removed bodies must not count in the bounds of the grid");

/// The scene itself, after its arrays were found to fit together.
const Scene& checked(const Scene& scene) {
  const std::size_t n = scene.particles.size();
  const std::size_t n_materials = scene.materials.size();
  SCREE_EXPECT(scene.particles.velocity.size() == n && scene.particles.angular_velocity.size() == n &&
                   scene.particles.radius.size() == n && scene.particles.material.size() == n,
               "particle arrays differ in length");
  SCREE_EXPECT(scene.pairs.size() == n_materials * n_materials, "one entry per ordered pair of materials is needed");
  SCREE_EXPECT(scene.time_step > 0 && std::isfinite(scene.time_step), "the time step must be positive");
  SCREE_EXPECT(scene.interaction_range >= 1, "the interaction range must be at least 1");
  SCREE_EXPECT(scene.verlet_distance > 0, "the Verlet distance must be positive");
  for (const std::uint32_t material : scene.particles.material) { SCREE_EXPECT(material < n_materials, "unknown material"); }
  for (const SceneBoundary& boundary : scene.boundaries) { SCREE_EXPECT(boundary.material < n_materials, "unknown material"); }
  return scene;
}

}  // namespace

template <class R>
System<R>::System(const Scene& scene, int threads)
    : exec_(threads), primitives_(exec_), laws_(make_laws<R>(checked(scene))), boundary_(scene) {
  scene_ = scene;
  range_ = scene.interaction_range;
  scene_.particles = {};
  for (SceneBoundary& boundary : scene_.boundaries) { boundary.mesh = {}; }

  const std::size_t n = scene.particles.size();
  n_bodies_ = n_start_ = n;
  const auto real3 = [](const Real3& a) { return Vec3<R>{static_cast<R>(a[0]), static_cast<R>(a[1]), static_cast<R>(a[2])}; };
  std::vector<Vec3d> position(n);
  std::vector<Vec3<R>> velocity(n), spin(n);
  std::vector<R> radius(n), inverse_mass(n), inverse_inertia(n);
  std::vector<index_t> id(n);
  double total_mass = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Real3& x = scene.particles.position[i];
    position[i] = {x[0], x[1], x[2]};
    velocity[i] = real3(scene.particles.velocity[i]);
    spin[i] = real3(scene.particles.angular_velocity[i]);
    id[i] = static_cast<index_t>(i);
    radius[i] = static_cast<R>(scene.particles.radius[i]);
    const double r = scene.particles.radius[i];
    const double mass = 4.0 / 3.0 * 3.14159265358979323846 * r * r * r * scene.materials[scene.particles.material[i]].density;
    inverse_mass[i] = static_cast<R>(1 / mass);
    inverse_inertia[i] = static_cast<R>(2.5 / (mass * r * r));
    total_mass += mass;
  }
  bodies_.position.assign(position);
  bodies_.velocity.assign(velocity);
  bodies_.angular_velocity.assign(spin);
  bodies_.travel.assign(std::vector<Vec3<R>>(n));
  bodies_.skin.assign(std::vector<R>(n));
  bodies_.clearance.assign(std::vector<R>(n));
  bodies_.radius.assign(radius);
  bodies_.inverse_mass.assign(inverse_mass);
  bodies_.inverse_inertia.assign(inverse_inertia);
  bodies_.id.assign(id);
  bodies_.material.assign(scene.particles.material);

  std::vector<OutletPlane> planes;
  for (const SceneOutlet& outlet : scene.outlets) {
    SCREE_EXPECT(outlet.counter < scene.outlet_names.size(), "an outlet without a name");
    planes.push_back({{outlet.point[0], outlet.point[1], outlet.point[2]}, {outlet.normal[0], outlet.normal[1], outlet.normal[2]},
                      outlet.counter});
  }
  outlet_planes_.assign(planes, "outlets");
  outlet_counts_.assign(std::vector<OutletCount>(scene.outlet_names.size()), "outlets");
  // A power of two such that all mass together stays below 2^62 quanta.
  quanta_per_mass_ = std::exp2(61 - (total_mass > 0 ? std::ilogb(total_mass) : 0));
  control_.assign({Control{}}, "control");

  large_radius_ = std::numeric_limits<R>::max();
  if (n > 0) {
    smallest_radius_ = double(*std::min_element(radius.begin(), radius.end()));
    const auto middle = radius.begin() + std::ptrdiff_t(n / 2);
    std::nth_element(radius.begin(), middle, radius.end());
    large_radius_ = double(static_cast<R>(large_in_median_radii * double(*middle)));
  }
}

template System<float>::System(const Scene&, int);
template System<double>::System(const Scene&, int);

}  // namespace scree::inline SCREE_BACKEND
