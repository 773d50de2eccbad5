#include <numbers>

#include "modes_kit.hpp"

// Modes must be closed under rotation: a sphere with all six homogeneous strains answers a load in any direction
// alike, a sphere with one of them does not.
namespace scree::inline SCREE_BACKEND::modes_turned_test {

using physics::add_clump;
using ModesTurned = BackendTest;

constexpr double young = 1e4;

/// [N] Force of two planes that press a held unit sphere along a direction of its body, 3 % of its radius deep on each
/// side, at rest. Of its strain modes it has those from `first` on, `count` of them.
double pressed_along(const Real3& direction, std::size_t first, std::size_t count) {
  GrainShape all = grain_of(ball(1), 1, 0.2, 5000);
  set_strain_modes(all, 1, 1);
  GrainShape grain = all;
  grain.modes = {};
  std::vector<ModeOf> modes;
  std::vector<double> mass, stiffness;
  for (std::size_t a = first; a < first + count; ++a) {
    modes.push_back(homogeneous(unit_strains()[a], 1));
    mass.push_back(all.modes.mass[7 * a]);
    stiffness.push_back(all.modes.stiffness[7 * a]);
  }
  set_modes(grain, modes, mass, stiffness);
  grain.modes.damping.by_stiffness = 0.01;  // about critical

  Scene scene = glass_scene(Precision::double_, LawKind::linear_spring_dashpot);
  scene.materials[0].density = 1;
  scene.materials[0].young_modulus = young;
  scene.pairs[0] = {};
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = 1e4 * young * std::numbers::pi;  // 1e4 E / R per area
  scene.pairs[0].springs.shear_stiffness = 0;
  scene.time_step = 2e-5;
  scene.verlet_distance = 0.1;
  add_soft_shape(scene, grain);
  for (const double side : {-1.0, 1.0}) {
    add_plane(scene, {0, 0, side}, {0, 0, -side}).motion = {{Translation{{0, 0, -0.5 * side}}, 0, 0.06}};
  }
  const double length = length_of(direction);
  const Real3 n = (1 / length) * direction;
  // turns n into z: the product of z and n, as 1 + cos and sin
  std::array<double, 4> q{1 + n[2], n[1], -n[0], 0};
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  for (double& c : q) { c /= norm; }
  add_clump(scene, 0, {0, 0, 0}, {}, {}, q);
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  scene.particles.group = {1};
  const auto engine = make_backend_engine(scene);
  engine->advance(8000);
  const SnapshotClump pressed = engine->snapshot().clumps[0];
  for (const double rate : pressed.amplitude_rate) { EXPECT_LT(std::abs(rate), 1e-4); }
  const auto loads = engine->boundary_loads();
  return 0.5 * (length_of(loads.at(0).force) + length_of(loads.at(1).force));
}

// The force F of each plane and the amplitudes follow from 2 F n.E_a n = K_a e_a and the depth sum e_a n.E_a n, where
// E_a is the strain of mode a: F = depth / (2 sum (n.E_a n)^2 / K_a). With all modes the sum is the same for all n. The
// mode that shortens z and widens x and y has n.E n = 1 along z and 1/2 along x: four times the force. Planes and nodes
// give way by up to a tenth of the depth.
TEST_F(ModesTurned, ASphereNeedsAllModesOfAGroupToAnswerAllDirectionsAlike) {
  double sum = 0;
  const GrainShape sphere = soft_ball(1, 0.2, 100);
  for (const std::size_t a : {1U, 0U, 5U}) {
    const double along = unit_strains()[a][2][2];
    sum += along * along / (young * sphere.modes.stiffness[7 * a]);
  }
  const double along_z = pressed_along({0, 0, 1}, 0, 6);
  EXPECT_NEAR(along_z / (0.03 / (2 * sum)), 0.95, 0.05);
  for (const Real3& direction : {Real3{1, 0, 0}, Real3{1, 1, 1}, Real3{1, 2, 3}}) {
    EXPECT_NEAR(pressed_along(direction, 0, 6) / along_z, 1, 0.02);
  }
  EXPECT_NEAR(pressed_along({1, 0, 0}, 1, 1) / pressed_along({0, 0, 1}, 1, 1), 3.8, 0.2);
}

}  // namespace scree::inline SCREE_BACKEND::modes_turned_test
