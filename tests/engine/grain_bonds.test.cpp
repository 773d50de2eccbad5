#include "bond_kit.hpp"

// Bonded level-set grains against closed forms: forces and moments of a bonded face, when bonds break and what is left
// afterwards.
namespace scree::inline SCREE_BACKEND::grain_bonds_test {

using physics::turn;
using GrainBonds = BackendTest;

constexpr double edge = 2 * bead, area = edge * edge;  ///< [m], [m2] of the bonded face
constexpr std::uint64_t all_bonds = face_nodes * face_nodes;
constexpr double speed = 0.1;  ///< [m/s]

/// [N] on the second body; 0 if nothing touches.
Real3 force_of(Engine& engine) {
  const auto contacts = engine.touching_contacts();
  return contacts.empty() ? Real3{} : contacts.at(0).force;
}
/// [m] How far the second body has moved when the forces were computed that can be read.
double moved(const Engine& engine, const Scene& scene) { return speed * scene.time_step * double(engine.step() - 1); }

TEST_F(GrainBonds, PullWithTheStiffnessOfTheFaceUntilTheStrength) {
  for (const bool two_pass : {false, true}) {
    for (const bool plate_first : {false, true}) {
      Scene scene = held(cube_and_plate(plate_first));
      scene.grain_contacts.two_pass = two_pass;
      if (two_pass) {  // the nodes of the plate that are above the cube
        scene.clump_shapes[1] = scene.clump_shapes[0];
      }
      const double away = plate_first ? -1 : 1;
      scene.particles.clumps[1].velocity = {0, 0, away * speed};
      const auto engine = make_backend_engine(scene);
      engine->advance(1);
      const std::uint64_t bonds = two_pass ? 2 * all_bonds : all_bonds;
      EXPECT_EQ(engine->counts().bonds, bonds);
      EXPECT_LT(length_of(force_of(*engine)), 1e-15 * bond_strength * area) << "a new bond has no force";
      const double end = bond_strength / bond_stiffness;
      const auto last = static_cast<std::uint64_t>(end / (speed * scene.time_step));  // 200 steps
      for (const std::uint64_t step : {last / 4, last / 2, last - 1}) {
        engine->advance(step - engine->step());
        const Real3 force = force_of(*engine);
        const double expected = -away * bond_stiffness * area * moved(*engine, scene);
        EXPECT_NEAR(force[2] / expected, 1, 1e-6);
        EXPECT_LT(std::hypot(force[0], force[1]), 1e-6 * std::abs(expected));
      }
      EXPECT_EQ(engine->counts().bonds, bonds);
      engine->advance(4);
      EXPECT_EQ(engine->counts().bonds, 0u);
      EXPECT_EQ(engine->counts().broken_bonds, bonds);
      EXPECT_EQ(length_of(force_of(*engine)), 0);
      engine->advance(1);
      EXPECT_EQ(engine->counts().contacts, 0u);
    }
  }
}

TEST_F(GrainBonds, ShearWithTheStiffnessOfTheFaceUntilTheCohesion) {
  Scene scene = held(cube_and_plate());
  scene.particles.clumps[1].velocity = {0.6 * speed, 0.8 * speed, 0};
  const auto engine = make_backend_engine(scene);
  const double end = bond_cohesion / bond_shear_stiffness;
  const auto last = static_cast<std::uint64_t>(end / (speed * scene.time_step));  // 300 steps
  for (const std::uint64_t step : {last / 3, last - 1}) {
    engine->advance(step - engine->step());
    const Real3 force = force_of(*engine);
    const double expected = -bond_shear_stiffness * area * moved(*engine, scene);
    EXPECT_NEAR(force[0] / (0.6 * expected), 1, 1e-6);
    EXPECT_NEAR(force[1] / (0.8 * expected), 1, 1e-6);
    EXPECT_LT(std::abs(force[2]), 1e-6 * std::abs(expected));
  }
  EXPECT_EQ(engine->counts().broken_bonds, 0u);
  engine->advance(4);
  EXPECT_EQ(engine->counts().broken_bonds, all_bonds);
}

// Pressed together before it is sheared, a bond holds cohesion + friction * pressure.
void expect_friction_after_breakage(double apart) {
  Scene scene = held(cube_and_plate(false, apart));
  const double pressure = 2 * bond_stiffness * bond_gap;  // so that the faces overlap by the gap
  const auto pressing = static_cast<std::uint64_t>(std::lround(2 * bond_gap / (speed * scene.time_step)));
  // The plate moves along a slope: down by twice the gap, while it goes sideways a bit farther than the bond holds.
  const double strength = bond_cohesion + 0.4 * pressure, slide = strength / bond_shear_stiffness;
  scene.particles.clumps[1].velocity = {1.02 * slide / (double(pressing) * scene.time_step), 0, -speed};
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  // The bond breaks where k_t f s = c + friction k_n f p, at a part f of the way.
  const double shear = 1.02 * strength, part = bond_cohesion / (shear - 0.4 * pressure);
  const auto last = static_cast<std::uint64_t>(part * double(pressing));
  engine->advance(last - 1 - engine->step());
  EXPECT_EQ(engine->counts().broken_bonds, 0u);
  engine->advance(4);
  EXPECT_EQ(engine->counts().broken_bonds, all_bonds);
  engine->advance(pressing - engine->step());
  const double overlap = speed * scene.time_step * double(pressing - 1) - std::max(apart, 0.0);
  const Real3 force = force_of(*engine);
  EXPECT_NEAR(force[2] / (bond_stiffness * area * overlap), 1, 1e-5) << "the springs of the contact are the same";
  EXPECT_NEAR(force[0] / (-0.4 * force[2]), 1, 1e-5) << "friction";
}

TEST_F(GrainBonds, CompressionHelpsAgainstShearAndFrictionIsLeftAfterwards) {
  expect_friction_after_breakage(bond_gap);
  expect_friction_after_breakage(-bond_gap);
}

// An overlap at the start has no energy, so that no bond that breaks sets it free.
TEST_F(GrainBonds, SurfacesThatOverlapAreNotPushedApartWhenTheBondBreaks) {
  Scene scene = held(cube_and_plate(false, -2 * bond_gap));
  scene.energies = true;
  scene.particles.clumps[1].velocity = {0, 0, speed};
  const auto engine = make_backend_engine(scene), resumed = make_backend_engine(scene);
  const double end = bond_strength / bond_stiffness;
  engine->advance(static_cast<std::uint64_t>(end / (speed * scene.time_step)) + 4);
  EXPECT_EQ(engine->counts().broken_bonds, all_bonds);
  EXPECT_EQ(engine->counts().contacts, 1u) << "the faces still overlap";
  resumed->restore(engine->save());
  for (const auto& one : {engine.get(), resumed.get()}) {
    one->advance(10);
    EXPECT_EQ(length_of(force_of(*one)), 0);
  }
  const double stored = 0.5 * bond_strength * area * end;
  EXPECT_NEAR(engine->energies().breakage / stored, 1, 0.02) << "one step of 200";
}

/// The plate turns about an axis in the bonded face. Returns the moment [N m] about this axis of the forces on it.
struct Bending {
  Scene scene;
  std::unique_ptr<Engine> engine;
  static constexpr double rate = 50;  ///< [rad/s]

  Bending() : scene(held(cube_and_plate())) {
    scene.keeps_node_forces = true;
    scene.particles.clumps[1].angular_velocity = {0, rate, 0};
    scene.particles.clumps[1].velocity = {rate * (bead + bond_gap), 0, 0};
    engine = make_backend_engine(scene);
  }
  [[nodiscard]] double angle() const { return rate * scene.time_step * double(engine->step() - 1); }
  [[nodiscard]] double moment() const {
    double sum = 0;
    for (const TouchingNode& node : engine->touching_nodes()) {
      const Real3 arm{node.point[0], node.point[1], node.point[2] - bead};
      sum += arm[2] * node.force[0] - arm[0] * node.force[2];
    }
    return sum;
  }
};

TEST_F(GrainBonds, BendWithTheSecondMomentOfTheFaceAndBreakFromTheOutside) {
  Bending test;
  const double n = double(face_nodes), second = std::pow(edge, 4) / 12 * (1 - 1 / (n * n));
  const double outermost = bead * (1 - 1 / n), next = bead * (1 - 3 / n);
  const auto step_of = [&](double x) {
    return static_cast<std::uint64_t>(bond_strength / bond_stiffness / x / (Bending::rate * test.scene.time_step));
  };
  for (const double part : {0.3, 0.95}) {
    test.engine->advance(static_cast<std::uint64_t>(part * double(step_of(outermost))) - test.engine->step());
    EXPECT_NEAR(test.moment() / (-bond_stiffness * second * test.angle()), 1, 2e-3) << "small angles";
  }
  EXPECT_EQ(test.engine->counts().broken_bonds, 0u);
  test.engine->advance(step_of(outermost) + 12 - test.engine->step());
  EXPECT_EQ(test.engine->counts().broken_bonds, face_nodes) << "the outermost row";
  test.engine->advance(step_of(next) + 16 - test.engine->step());
  EXPECT_EQ(test.engine->counts().broken_bonds, 2 * face_nodes);
  EXPECT_EQ(test.engine->counts().bonds, all_bonds - 2 * face_nodes);
}

TEST_F(GrainBonds, StretchLessWhereGrainsDeform) {
  // The mode moves the face of the cube, or of the plate, by `share` of its amplitude. In equilibrium the spring of the
  // mode and the bond are in series: F = K K' u / (K share^2 + K').
  const double share = 0.8, mode_stiffness = 3 * bond_stiffness * area, bond = bond_stiffness * area;
  for (const bool cube : {true, false}) {
    Scene scene = held(cube_and_plate());
    GrainShape& shape = scene.grain_shapes[cube ? 0 : 1];
    set_modes(shape, {[&](const Real3& x) { return Real3{0, 0, share * x[2] / bead}; }}, {1e-7}, {mode_stiffness});
    shape.modes.absolute = true;
    shape.modes.damping.ratio = 1;
    for (ClumpShape& each : scene.clump_shapes) { each.radius[0] *= 1.2, each.bounding_radius *= 1.2; }
    for (Clump& each : scene.particles.clumps) {
      const bool deforms = scene.clump_shapes.at(each.shape).grain == (cube ? 0U : 1U);
      each.amplitude.assign(deforms ? 1 : 0, 0);
      each.amplitude_rate = each.amplitude;
    }
    for (double& radius : scene.particles.radius) { radius *= 1.2; }
    scene.particles.clumps[1].velocity = {0, 0, 0.02 * speed};
    const auto engine = make_backend_engine(scene);
    engine->advance(5000);
    EXPECT_EQ(engine->counts().bonds, all_bonds);
    const double u = 0.02 * moved(*engine, scene);
    const double expected = bond * mode_stiffness * u / (bond * share * share + mode_stiffness);
    EXPECT_NEAR(-force_of(*engine)[2] / expected, 1, 0.01) << "the dashpot of the mode lags behind";
  }
}

TEST_F(GrainBonds, DoNotDependOnDirections) {
  Scene scene = cube_and_plate();
  scene.particles.clumps[1].velocity = {0.05, 0.02, 0.6};
  scene.particles.clumps[0].angular_velocity = {200, -150, 100};
  const auto q = turn({0.3, -1, 0.8}, 2.1);
  const auto one = make_backend_engine(scene), two = make_backend_engine(turned_scene(scene, q));
  for (int k = 0; k < 4; ++k) {
    one->advance(200);
    two->advance(200);
    EXPECT_EQ(one->counts().bonds, two->counts().bonds);
    for (std::size_t c = 0; c < 2; ++c) {
      const Real3 v = physics::turned_by(q, one->snapshot().clumps[c].velocity), w = two->snapshot().clumps[c].velocity;
      for (std::size_t i = 0; i < 3; ++i) { EXPECT_NEAR(w[i], v[i], 1e-7); }
    }
  }
  EXPECT_GT(one->counts().broken_bonds, 0u);
}

TEST_F(GrainBonds, AreNotMadeWithWhatIsNotNearAtTheStart) {
  Scene scene = held(cube_and_plate());
  scene.pairs[0].bond.gap = 0.5 * bond_gap;
  const auto engine = make_backend_engine(scene);
  engine->advance(2);
  EXPECT_EQ(engine->counts().bonds, 0u);
  EXPECT_EQ(engine->counts().contacts, 0u);
}

}  // namespace scree::inline SCREE_BACKEND::grain_bonds_test
