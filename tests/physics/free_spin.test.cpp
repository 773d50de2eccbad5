#include <gtest/gtest.h>

#include <cmath>

#include "scenes.hpp"

// Bodies that spin freely, and bodies that turn with what they lie on. Springs across a contact get the slip of the
// middle of a step, turned with the contact (laws/mid_step.hpp). With the slip at the end of a step the bodies here
// gain energy without bound, or creep.
namespace scree::physics::free_spin_test {

constexpr double radius = 5e-4, young = 1e8, density = 2000;

Scene bonded_scene(double time_step, const RollingResistance& rolling = {}, double damping = 0) {
  MaterialPair pair{0.4, 0};
  pair.bond = {.tensile_strength = 0.5 * young, .cohesion = 0.5 * young, .interaction_range = 1.05};
  pair.bond.damping = damping;
  pair.rolling = rolling;
  Scene scene = empty_scene(LawKind::bonded, {young, 0.3, density}, {young, 0.3, density}, pair, time_step);
  scene.interaction_range = 1.2;
  scene.verlet_distance = 0.1 * radius;
  scene.energies = true;
  return scene;
}

/// Bonded spheres on these places [radii] that turn as one body with the spin w [rad/s] about their centre.
void add_spinning(Scene& scene, const std::vector<Real3>& places, const Real3& w) {
  Real3 centre{};
  for (const Real3& x : places) { centre = centre + (radius / double(places.size())) * x; }
  for (const Real3& x : places) {
    const Real3 at = radius * x;
    add_sphere(scene, at, radius, cross(w, at - centre));
    scene.particles.angular_velocity.back() = w;
  }
}

double total_energy(const EnergyLedger& e) { return e.kinetic_translation + e.kinetic_rotation + e.elastic; }

const std::vector<Real3> pair_places{{-0.999, 0, 0}, {0.999, 0, 0}};
constexpr double h = 0.7063;
const std::vector<Real3> tetrahedron{{-h, -h, -h}, {h, h, -h}, {h, -h, h}, {-h, h, h}};

/// [s] 0.3 of the period of a pair over 2 pi.
double step_of_pair() {
  const double stiffness = young * pi * radius * radius / (2 * radius);
  return 0.6 * std::sqrt(0.5 * sphere_mass(radius, density) / stiffness);
}

// Nothing acts on the bodies, so they keep their energy, momentum and angular momentum. The springs hold what the spin
// pulls. 40 rad turned about a skew axis; before, the pair had 1e6 times its energy then, and the tetrahedron broke.
// 1e-5 is what remains of vibrations that begin with the sudden pull of the spin, and grows with the square of the
// step.
TEST(FreeSpin, BondedBodiesKeepTheirEnergy) {
  for (const std::vector<Real3>* places : {&pair_places, &tetrahedron}) {
    for (const bool bends : {false, true}) {
      const RollingResistance rolling =
          bends ? RollingResistance{.stiffness = 0.3, .friction = 1, .twisting_stiffness = 0.2, .twisting_friction = 1}
                : RollingResistance{};
      Scene scene = bonded_scene(step_of_pair(), rolling);
      add_spinning(scene, *places, {60, 80, 100});
      const auto engine = start(scene);
      engine->advance(1);
      const double before = total_energy(engine->energies());
      const auto steps = static_cast<std::uint64_t>(0.3 / scene.time_step);
      engine->advance(steps);
      const EnergyLedger e = engine->energies();
      const double change = std::fabs(total_energy(e) / before - 1);
      std::printf("free spin of %zu, bends %d: energy changes by %.2e, error of the ledger %.2e\n", places->size(),
                  bends ? 1 : 0, change, std::fabs(e.error) / before);
      EXPECT_LT(change, 1e-5);
      EXPECT_LT(std::fabs(e.error), 1e-5 * before);
      EXPECT_EQ(engine->counts().broken_bonds, 0U);
      Real3 momentum{};
      for (const Real3& v : engine->snapshot().velocity) { momentum = momentum + v; }
      EXPECT_LT(norm(momentum), 1e-12);
    }
  }
}

/// [m/s] How fast a sphere that a turning disc holds moves outwards.
double creep(bool moving_mesh, double time_step) {
  MaterialPair pair{0.8, 0.2};  // springs hold the sphere against rolling, too
  pair.rolling = {.stiffness = 1, .friction = 1, .twisting_stiffness = 1, .twisting_friction = 1, .damping = 0.3};
  Scene scene = hertz_scene({1e7, 0.3, density}, pair, time_step);
  scene.gravity = {0, 0, -standard_gravity};
  const double distance = 0.02, rate = 12;  // the centrifugal force is 0.3 of the weight
  const std::vector<Motion> turn{{Rotation{.axis = {0, 0, 1}, .origin = {0, 0, 0}, .rate = rate}}};
  if (moving_mesh) {
    add_mesh(scene, parallelogram({-0.05, -0.05, 0}, {0.1, 0, 0}, {0, 0.1, 0}), turn);
  } else {
    add_plane(scene, {0, 0, 0}, {0, 0, 1}, turn);
  }
  add_sphere(scene, {distance, 0, radius - 1e-7}, radius, {0, rate * distance, 0});
  scene.particles.angular_velocity.back() = {0, 0, rate};
  const auto engine = start(scene);
  const auto out = [&] {
    const Real3 x = engine->snapshot().position[0];
    return std::hypot(x[0], x[1]);
  };
  engine->advance(static_cast<std::uint64_t>(0.05 / time_step));
  const double before = out();
  engine->advance(static_cast<std::uint64_t>(0.2 / time_step));
  return (out() - before) / 0.2;
}

// Before, a sphere crept inwards with (dt/2) W^2 X. What is left is of second order: a hundredth of that.
TEST(FreeSpin, ABodyOnATurntableDoesNotCreep) {
  constexpr double dt = 1e-5, before = 0.5 * dt * 144 * 0.02;
  for (const bool mesh : {false, true}) {
    const double speed = creep(mesh, dt);
    std::printf("turntable: %.2e m/s, before %.2e\n", speed, before);
    EXPECT_LT(std::fabs(speed), 0.01 * before) << mesh;
  }
}

}  // namespace scree::physics::free_spin_test
