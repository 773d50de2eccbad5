#include <cmath>

#include "engine_kit.hpp"

/// Cylinders with a radius that changes: the same bits in any run, work, and radii that change too fast.
namespace scree::inline SCREE_BACKEND::growing_cylinders_test {

constexpr std::size_t tube = 2;  // the boundary

void make_radial(SceneBoundary& wall) {
  wall.name = "tube";
  wall.servo = SceneServo{};
  wall.servo->radial = true;
  wall.servo->most_speed = 2;
  wall.drive = Drive{};
  wall.drive->translation = DrivenTranslation{.mass = 2e-3, .damping = 5};
}

/// Beads in a wide tube between two planes.
Scene beads_in_tube(Precision precision, double verlet) {
  Scene scene = glass_scene(precision);
  scene.gravity = {0, 0, -20};
  scene.verlet_distance = verlet * bead;
  Random random(8);
  add_lattice(scene, {7, 7, 4}, {-7.35 * bead, -7.35 * bead, 0.1 * bead}, 2.1 * bead, {0.8 * bead, bead}, 0.2, random);
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_plane(scene, {0, 0, 8.6 * bead}, {0, 0, -1});
  make_radial(add_cylinder(scene, {0, 0, -2 * bead}, {0, 0, 11 * bead}, 10.2 * bead));
  return scene;
}

/// The radius is led to 8.4 mm in 400 steps; then a force presses the wall on.
void lead(Engine& engine) {
  engine.set_radial_drive(tube, 0, -1.1);
  engine.advance(400);
}
void press(Engine& engine, std::uint64_t steps) {
  engine.set_radial_drive(tube, -6, std::nullopt);
  engine.advance(steps);
}

struct Outcome {
  StateHash hash;
  BoundaryLoad load;
  EngineCounts counts;
};

Outcome outcome(Engine& engine) { return {engine.hash(), engine.boundary_loads().at(tube), engine.counts()}; }

Outcome run(const Scene& scene, int threads) {
  const auto engine = make_backend_engine(scene, threads);
  lead(*engine);
  press(*engine, 200);
  return outcome(*engine);
}

void expect_same(const Outcome& a, const Outcome& b, const std::string& what) {
  EXPECT_TRUE(a.hash == b.hash) << what;
  EXPECT_EQ(a.load.work, b.load.work) << what;
  EXPECT_EQ(a.load.growth, b.load.growth) << what;
  EXPECT_EQ(a.load.growth_rate, b.load.growth_rate) << what;
  EXPECT_EQ(a.load.radial_force, b.load.radial_force) << what;
}

class GrowingCylinders : public BackendTest {};

TEST_F(GrowingCylinders, SameBitsForThreadsListsAndRestarts) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const Scene scene = beads_in_tube(precision, 0.2);
    const Outcome whole = run(scene, 1);
    EXPECT_GT(whole.counts.contacts, 20u);
    EXPECT_GT(whole.counts.boundary_contacts, 5u);
    EXPECT_GT(whole.counts.searches, 2u);
    EXPECT_LT(whole.load.growth, -1.7 * bead);
    EXPECT_GT(whole.load.work, 0);
    expect_same(run(scene, 2), whole, "two threads");
    expect_same(run(beads_in_tube(precision, 0.05), 1), whole, "another list");
    const auto first = make_backend_engine(scene), resumed = make_backend_engine(scene, 2);
    lead(*first);
    press(*first, 90);
    resumed->restore(first->save());
    press(*resumed, 110);
    expect_same(outcome(*resumed), whole, "resumed");
  }
}

// The state of the radius is in the hash.
TEST_F(GrowingCylinders, TheRadiusIsHashed) {
  Scene scene = glass_scene(Precision::double_);
  add_body(scene, {0, 0, 0});
  make_radial(add_cylinder(scene, {0, 0, -5 * bead}, {0, 0, 5 * bead}, 10 * bead));
  const auto a = make_backend_engine(scene), b = make_backend_engine(scene);
  a->set_radial_drive(0, 0, -0.1);
  b->set_radial_drive(0, 0, -0.2);
  a->advance(10);
  b->advance(10);
  EXPECT_FALSE(a->hash() == b->hash());
}

// The work of the wall is -integral F dr, by the trapezoidal rule over the steps: with the forces F_k at the start of
// step k and the radii r_k there, the sum of -F_k (r_(k+1) - r_(k-1)) / 2, to rounding. The sum that moves the wall and
// the one that is reported are the same exact sum.
TEST_F(GrowingCylinders, WorkIsThatOfTheRadialForce) {
  const auto engine = make_backend_engine(beads_in_tube(Precision::double_, 0.2));
  lead(*engine);
  const BoundaryLoad start = engine->boundary_loads().at(tube);
  double before = start.growth + 1.1 * 4e-6, now = start.growth, work = 0;
  for (int k = 0; k < 200; ++k) {
    press(*engine, 1);
    const BoundaryLoad load = engine->boundary_loads().at(tube);
    work -= 0.5 * load.radial_force * (load.growth - before);
    before = now, now = load.growth;
  }
  const double given = engine->boundary_loads().at(tube).work - start.work;
  EXPECT_NE(given, 0);
  // The radius one step before the first is known to its rounding, 1e-18 m of some 1e-6 m.
  EXPECT_NEAR(work / given, 1, 1e-9);
}

// The ledger closes. The contacts are elastic and without friction, so its error is that of the leapfrog and of the
// trapezoidal rule, some (omega dt)^2 / 12 = 1e-3 of the energy of a contact. Beads that begin and end contacts at
// random times make about as much too much as too little. The work of the wall has half of the way of the next step,
// which is some 5e-3 of the work so far.
TEST_F(GrowingCylinders, TheLedgerCloses) {
  Scene scene = beads_in_tube(Precision::double_, 0.2);
  scene.law = LawKind::cundall_strack;
  scene.pairs = {{0, 0}};
  scene.gravity = {0, 0, 0};
  scene.energies = true;
  const auto engine = make_backend_engine(scene);
  lead(*engine);
  const EnergyLedger energies = engine->energies();
  EXPECT_GT(energies.boundaries, 1e-4);
  EXPECT_NEAR(energies.boundaries / engine->boundary_loads().at(tube).work, 1, 0.02);
  EXPECT_LT(std::abs(energies.error), 1e-3 * energies.boundaries);
}

// The radius stops at a quarter of that at the start, and the surface for pictures follows it.
TEST_F(GrowingCylinders, ARadiusDoesNotVanish) {
  Scene scene = glass_scene(Precision::double_);
  add_body(scene, {0, 0, 0});
  make_radial(add_cylinder(scene, {0, 0, -5 * bead}, {0, 0, 5 * bead}, 10 * bead));
  scene.boundaries[0].mesh.vertices = {{6 * bead, 8 * bead, -5 * bead}, {0, -10 * bead, 5 * bead}};
  const auto engine = make_backend_engine(scene);
  engine->set_radial_drive(0, 0, -20);
  engine->advance(100);
  const BoundaryLoad load = engine->boundary_loads().at(0);
  EXPECT_NEAR(load.growth, -7.5 * bead, 1e-12 * bead);
  EXPECT_EQ(load.growth_rate, 0);
  const std::vector<Real3> surface = engine->boundary_vertices(0),
                           expected{{1.5 * bead, 2 * bead, -5 * bead}, {0, -2.5 * bead, 5 * bead}};
  for (std::size_t v = 0; v < 2; ++v) {
    for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(surface.at(v)[k], expected[v][k], 1e-12 * bead) << v; }
  }
}

// 3 mm in a step pass over a bead 1.5 mm from the wall, but not over one on the axis.
TEST_F(GrowingCylinders, AFastRadiusDoesNotPassOverABead) {
  for (const double place : {8.5, 0.0}) {
    Scene scene = glass_scene();
    add_body(scene, {place * bead, 0, 0});
    make_radial(add_cylinder(scene, {0, 0, -5 * bead}, {0, 0, 5 * bead}, 10 * bead));
    const auto engine = make_backend_engine(scene);
    engine->set_radial_drive(0, 0, -750);
    if (place > 0) {
      EXPECT_THROW(engine->advance(1), KernelFault);
    } else {
      EXPECT_NO_THROW(engine->advance(1));
    }
  }
}

TEST_F(GrowingCylinders, OnlyACylinderWithAServoHasARadialDrive) {
  Scene scene = beads_in_tube(Precision::mixed, 0.2);
  const auto engine = make_backend_engine(scene);
  EXPECT_THROW(engine->set_radial_drive(0, 1, std::nullopt), ContractError);
  EXPECT_THROW(engine->set_radial_drive(7, 1, std::nullopt), ContractError);
  EXPECT_THROW(engine->set_drive(tube, Real3{1, 0, 0}, std::nullopt), ContractError);
  EXPECT_THROW(engine->lead_drive(tube, Real3{1, 0, 0}), ContractError);
}

}  // namespace scree::inline SCREE_BACKEND::growing_cylinders_test
