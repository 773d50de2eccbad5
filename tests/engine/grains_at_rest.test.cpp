#include "grain_spheres.hpp"

// Spheres made as level sets come to rest in the places that spheres of the same law have, which are computed here.
namespace scree::inline SCREE_BACKEND::grains_at_rest_test {

using GrainsAtRest = BackendTest;

constexpr std::size_t grains = 4;
constexpr double soft = 50;  ///< [N/m] so that overlaps are 5 to 10 % of the radius
constexpr double slot = 2.9 * bead;

/// Places at rest of spheres one above the other in a slot, alternately at its left and its right wall, without
/// friction: they are moved along the forces on them until there are none.
std::vector<Real3> pile_at_rest() {
  std::vector<Real3> x(grains);
  for (std::size_t i = 0; i < grains; ++i) {
    x[i] = {i % 2 == 0 ? bead : slot - bead, 0, (1 + 1.8 * double(i)) * bead};
  }
  std::vector<Real3> force(grains);
  for (int pass = 0; pass < 100'000; ++pass) {
    std::fill(force.begin(), force.end(), Real3{0, 0, -gravity * sphere_mass});
    for (std::size_t i = 0; i < grains; ++i) {
      force[i][0] += plane_force(bead - x[i][0], 0, soft, 0) - plane_force(bead - slot + x[i][0], 0, soft, 0);
      force[i][2] += plane_force(bead - x[i][2], 0, soft, 0);
      for (std::size_t j = 0; j < i; ++j) {
        const Real3 branch = x[i] - x[j];
        const double length = length_of(branch);
        const Real3 f = (pair_force(2 * bead - length, soft) / length) * branch;
        force[i] = force[i] + f;
        force[j] = force[j] - f;
      }
    }
    for (std::size_t i = 0; i < grains; ++i) { x[i] = x[i] + (0.5 / soft) * force[i]; }
  }
  for (const Real3& f : force) { EXPECT_LT(length_of(f), 1e-9 * gravity * sphere_mass); }
  return x;
}

/// [radii] root of the mean square of the distances between grains at rest and spheres at rest.
double error_at_rest(const SphereTemplate& of) {
  Scene scene = sphere_scene(of, soft, 0.7);
  scene.time_step = 1e-4;
  add_box_walls(scene, {slot, 0, 0});
  // The front and the back press the grains into one plane: a sphere on a sphere would fall to a side.
  for (std::size_t b = 3; b < 5; ++b) {
    std::get<PlaneBoundary>(scene.boundaries[b].shape).point = {0, (b == 3 ? -0.99 : 0.99) * bead, 0};
  }
  Random random(11);
  for (std::size_t i = 0; i < grains; ++i) {
    const double x = i % 2 == 0 ? 1.3 * bead : slot - 1.3 * bead;
    add_sphere_grain(scene, {x, 0, (1.5 + 2.1 * double(i)) * bead}, {}, 2, random);
  }
  const auto engine = make_backend_engine(scene);
  engine->advance(5000);
  const std::vector<Real3> expected = pile_at_rest();
  double sum = 0;
  std::size_t i = 0;
  for (const SnapshotClump& c : engine->snapshot().clumps) {
    EXPECT_LT(length_of(c.velocity), 1e-6) << "[m/s]";
    sum += std::pow(length_of(c.position - expected[i++]) / bead, 2) / double(grains);
  }
  // The floor carries the weight of all grains.
  EXPECT_NEAR(engine->boundary_loads().at(0).force[2] / (double(grains) * gravity * sphere_mass), -1, 1e-4);
  return std::sqrt(sum);
}

// Measured: 1.3e-3 with 642 nodes and 2.2e-4 with 2562, of radii (and 7e-5 with 10242). The overlaps are 0.06 to 0.1.
TEST_F(GrainsAtRest, LieWhereSpheresDo) {
  const double usual = error_at_rest(usual_sphere);
  EXPECT_LT(usual, 4e-4);
  EXPECT_LT(usual, 0.4 * error_at_rest(coarse_sphere));
}

}  // namespace scree::inline SCREE_BACKEND::grains_at_rest_test
