#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/system.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

static_assert(parking_place > farthest_place, "removed bodies must not count in the bounds of the grid");

template <class R>
AnyLaw<R> make_law(const Scene& scene) {
  const std::size_t n = scene.materials.size();
  const auto table = [&]<class Law>(auto&& params_of) {
    std::vector<typename Law::Params> all;
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) { all.push_back(params_of(scene.materials[a], scene.materials[b], scene.pair(a, b))); }
    }
    LawTable<Law> result;
    result.params.assign(all, "contact law");
    const std::uint32_t material = scene.particles.material.empty() ? 0 : scene.particles.material.front();
    if (!all.empty()) { result.among_particles = all.at(material * (n + 1)); }
    return result;
  };
  const auto real = [](double value) { return static_cast<R>(value); };
  if (scene.law == LawKind::cundall_strack) {
    return table.template operator()<CundallStrack<R>>([&](const Material& a, const Material& b, const MaterialPair& pair) {
      return typename CundallStrack<R>::Params{real(a.young_modulus), real(b.young_modulus), real(a.poisson_ratio),
                                               real(b.poisson_ratio), real(pair.friction)};
    });
  }
  return table.template operator()<HertzMindlin<R>>([&](const Material& a, const Material& b, const MaterialPair& pair) {
    const auto shear_modulus = [](const Material& m) { return m.young_modulus / (2 * (1 + m.poisson_ratio)); };
    const double young = 1 / ((1 - a.poisson_ratio * a.poisson_ratio) / a.young_modulus +
                              (1 - b.poisson_ratio * b.poisson_ratio) / b.young_modulus);
    const double shear = 1 / ((2 - a.poisson_ratio) / shear_modulus(a) + (2 - b.poisson_ratio) / shear_modulus(b));
    const double damping = 2 * pair.damping_ratio;
    return typename HertzMindlin<R>::Params{real(young), real(8 * shear), real(damping), real(damping * std::sqrt(4 * shear / young)),
                                            real(pair.friction)};
  });
}

/// The scene itself, after its arrays were found to fit together.
const Scene& checked(const Scene& scene) {
  const std::size_t n = scene.particles.size();
  const std::size_t n_materials = scene.materials.size();
  SCREE_EXPECT(scene.particles.velocity.size() == n && scene.particles.angular_velocity.size() == n &&
                   scene.particles.radius.size() == n && scene.particles.material.size() == n,
               "particle arrays differ in length");
  SCREE_EXPECT(scene.pairs.size() == n_materials * n_materials, "one entry per ordered pair of materials is needed");
  SCREE_EXPECT(scene.time_step > 0 && std::isfinite(scene.time_step), "the time step must be positive");
  SCREE_EXPECT(scene.verlet_distance > 0, "the Verlet distance must be positive");
  for (const std::uint32_t material : scene.particles.material) { SCREE_EXPECT(material < n_materials, "unknown material"); }
  for (const SceneBoundary& boundary : scene.boundaries) { SCREE_EXPECT(boundary.material < n_materials, "unknown material"); }
  return scene;
}

}  // namespace

template <class R>
System<R>::System(const Scene& scene, int threads)
    : exec_(threads), primitives_(exec_), law_(make_law<R>(checked(scene))), boundary_(scene) {
  scene_ = scene;
  const auto& material = scene.particles.material;
  one_material_ = std::all_of(material.begin(), material.end(), [&](std::uint32_t m) { return m == material.front(); });
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
