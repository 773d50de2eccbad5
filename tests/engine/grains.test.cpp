#include "grain_kit.hpp"

#include <map>
#include <numbers>

// Level-set grains: forces of nodes against closed forms, conservation, and the same bits whatever the order of nodes,
// the lists, the threads and restarts.
namespace scree::inline SCREE_BACKEND::grains_test {

using physics::add_clump;
using physics::turn;
using Grains = BackendTest;

constexpr double stiffness = 1e3;  ///< [N/m] of the law: of a circle of the radius of the grain

/// Linear springs without dashpots and friction.
Scene spring_scene(Precision precision = Precision::double_) {
  Scene scene = glass_scene(precision, LawKind::linear_spring_dashpot);
  scene.pairs[0] = {};
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = stiffness;
  scene.pairs[0].springs.shear_stiffness = 0.5 * stiffness;
  scene.time_step = 1e-7;
  scene.verlet_distance = 0.2 * bead;
  return scene;
}

/// Force on the floor of a grain that a step finds `depth` deep in it.
double force_on_floor(const GrainShape& grain, double depth, const std::array<double, 4>& orientation) {
  Scene scene = spring_scene();
  const std::uint32_t shape = add_grain_shape(scene, grain);
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_clump(scene, shape, {0, 0, bead - depth}, {}, {}, orientation);
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  return -engine->boundary_loads().at(0).force[2];
}

// The traction is k d over the area that is d deep, with k = K / (pi R^2). The integral over the cap of a sphere is
// pi k R d^2 = K d^2 / R, exact for all depths. The errors are those that 642 to 10242 nodes at random have (measured:
// 5 % at d = 0.5 h with 642 nodes, 0.6 % at 2562).
TEST_F(Grains, ASphereOnAPlaneHasTheForceOfItsCap) {
  const struct {
    std::size_t nodes;
    double tolerance;
  } cases[] = {{642, 0.06}, {2562, 0.015}, {10242, 0.004}};
  for (const auto& c : cases) {
    const GrainShape grain = grain_of(ball(bead), bead, 0.1 * bead, c.nodes);
    for (const double depth : {0.05, 0.1}) {
      for (const double angle : {0.3, 1.1, 2.2}) {
        const double force = force_on_floor(grain, depth * bead, turn({1, 2, -1}, angle));
        EXPECT_NEAR(force / (stiffness * depth * depth * bead), 1, c.tolerance) << c.nodes << " nodes, depth " << depth;
      }
    }
  }
}

// A sphere pressed into a plane by d and shifted by s, with k_s per area and friction: nodes slide where k_s s exceeds
// the limit, and F_t = 2 pi R (k_s s (d - p) + friction k_n p^2 / 2) with p = min(d, k_s s / (friction k_n)).
TEST_F(Grains, TheShearOfASphereThatIsShiftedFollowsPartialSlip) {
  constexpr double friction = 0.5, depth = 0.1 * bead, speed = 0.1;
  Scene scene = spring_scene();
  scene.pairs[0].friction = friction;
  add_grain_shape(scene, grain_of(ball(bead), bead, 0.1 * bead, 10242));
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_clump(scene, 0, {0, 0, bead - depth}, {speed, 0, 0}, {}, turn({1, 2, 3}, 0.4));
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  scene.particles.group = {1};
  scene.time_step = 1e-6;
  const auto engine = make_backend_engine(scene);
  const double k_n = stiffness / (std::numbers::pi * bead * bead), k_s = 0.5 * k_n;
  for (const std::uint64_t steps : {100U, 300U, 600U, 1500U}) {
    engine->advance(steps - engine->step());
    const double s = speed * scene.time_step * double(steps), p = std::min(depth, k_s * s / (friction * k_n));
    const double expected = 2 * std::numbers::pi * bead * (k_s * s * (depth - p) + 0.5 * friction * k_n * p * p);
    // 1 % by the nodes in the cap, and a part of a step of the shift.
    EXPECT_NEAR(engine->boundary_loads().at(0).force[0] / expected, 1, 0.012) << steps << " steps";
  }
}

/// Force between two balls of radii bead and `second`, the first of which is a grain, `depth` deep.
double force_between(const GrainShape& one, const GrainShape* two, double second, double depth, bool two_pass) {
  Scene scene = spring_scene();
  scene.grain_contacts.two_pass = two_pass;
  add_grain_shape(scene, one);
  if (two != nullptr) { add_grain_shape(scene, *two); }
  add_clump(scene, 0, {0, 0, 0}, {}, {}, turn({1, 1, 0.3}, 0.7));
  const Real3 place{(bead + second - depth) * 0.6, 0, (bead + second - depth) * 0.8};
  if (two != nullptr) {
    add_clump(scene, 1, place, {}, {}, turn({-1, 2, 1}, 1.9));
  } else {
    scene.materials.push_back(scene.materials[0]);
    scene.grain_materials = {true, false};
    scene.pairs = std::vector<MaterialPair>(4, scene.pairs[0]);
    physics::add_sphere(scene, place, second, {}, {}, 1);
  }
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  const auto contacts = engine->touching_contacts();
  if (contacts.size() != 1) { return 0; }
  const Real3& f = contacts[0].force;
  EXPECT_NEAR(f[0] * 0.8 - f[2] * 0.6, 0, 0.02 * length_of(f)) << "along the line of centres";
  return length_of(f);
}

// Nodes of a sphere R1 in the field of a sphere R2, d deep: with s the distance of a node from the second centre, the
// cap of the first has the area dA = 2 pi R1 s ds / L, L = R1 + R2 - d, and F = int k (R2 - s) cos dA over the part
// within, where cos is the slope of the second sphere's normal against the line of centres: here by quadrature.
double cap_force(double r1, double r2, double depth) {
  const double length = r1 + r2 - depth, low = r2 - depth, k = stiffness / (std::numbers::pi * r1 * r2);
  double sum = 0;
  const int n = 2000;
  for (int i = 0; i < n; ++i) {
    const double s = low + (i + 0.5) * depth / n;
    const double along = (length * length + s * s - r1 * r1) / (2 * length * s);
    sum += k * (r2 - s) * along * 2 * std::numbers::pi * r1 * s / length * depth / n;
  }
  return sum;
}

TEST_F(Grains, TwoSpheresHaveTheForceOfTheirCaps) {
  const GrainShape one = grain_of(ball(bead), bead, 0.1 * bead, 10242);
  const GrainShape two = grain_of(ball(1.5 * bead), 1.5 * bead, 0.1 * bead, 20000);
  const double depth = 0.1 * bead;
  const double expected = cap_force(bead, 1.5 * bead, depth), exchanged = cap_force(1.5 * bead, bead, depth);
  // Nodes 0.035 apart in a cap of radius 0.35: 1 %.
  EXPECT_NEAR(force_between(one, &two, 1.5 * bead, depth, false) / expected, 1, 0.01);
  EXPECT_NEAR(force_between(one, &two, 1.5 * bead, depth, true) / (0.5 * (expected + exchanged)), 1, 0.01);
  EXPECT_NEAR(force_between(one, nullptr, 1.5 * bead, depth, false) / expected, 1, 0.01);
}

/// Two rounded boxes that hit one another off centre.
Scene collision(Precision precision, bool two_pass) {
  Scene scene = spring_scene(precision);
  scene.pairs[0].friction = 0.4;
  scene.pairs[0].springs.damping_ratio = 0.05;
  scene.grain_contacts.two_pass = two_pass;
  const GrainShape grain =
      grain_of(rounded_box({0.6 * bead, 0.5 * bead, 0.3 * bead}, 0.2 * bead), 1.1 * bead, 0.08 * bead, 1600);
  add_grain_shape(scene, grain);
  add_clump(scene, 0, {0, 0, 0}, {0.1, 0, 0}, {20, -30, 10}, turn({1, 0.2, 0.5}, 0.6));
  add_clump(scene, 0, {1.7 * bead, 0.3 * bead, 0.2 * bead}, {-0.1, 0.02, 0}, {-10, 5, 40}, turn({0.1, 1, 0.2}, 1.3),
            1.1);
  scene.time_step = 2e-7;
  return scene;
}

TEST_F(Grains, ACollisionKeepsMomentumAndAngularMomentum) {
  for (const bool two_pass : {false, true}) {
    const auto engine = make_backend_engine(collision(Precision::double_, two_pass));
    engine->advance(1);
    const Motion3 before = motion_of(*engine);
    std::uint64_t touched = 0;
    for (int k = 0; k < 80; ++k) {
      engine->advance(250);
      touched += engine->counts().contacts;
    }
    const Motion3 after = motion_of(*engine);
    EXPECT_GT(touched, 2u);
    EXPECT_EQ(engine->counts().contacts, 0u) << "they have parted";
    const double mass = engine->snapshot().clumps[0].mass, p = 0.1 * mass, l = p * bead;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(after.momentum[k], before.momentum[k], 1e-12 * p);
      // Spins half a step before the places: the error is of the order of the turn in a step, 40 rad/s * 2e-7 s.
      EXPECT_NEAR(after.angular[k], before.angular[k], 1e-5 * l);
    }
    EXPECT_GT(length_of(engine->snapshot().clumps[0].velocity), 0.01);
  }
}

/// Grains of two shapes and some spheres that fall into a box with walls of planes and facets.
Scene pile(Precision precision, LawKind law, double verlet) {
  Scene scene = glass_scene(precision, law);
  scene.materials.push_back(scene.materials[0]);
  scene.pairs = std::vector<MaterialPair>(4, scene.pairs[0]);
  scene.verlet_distance = verlet * bead;
  scene.gravity = {0, 0, -9.81};
  add_grain_shape(
      scene, grain_of(rounded_box({0.7 * bead, 0.5 * bead, 0.4 * bead}, 0.2 * bead), 1.2 * bead, 0.12 * bead, 500));
  add_grain_shape(scene, grain_of(ball(bead), bead, 0.15 * bead, 400));
  scene.grain_materials = {true, false};
  add_box_walls(scene, {3.9 * bead, 3.9 * bead, 0});
  scene.boundaries.erase(scene.boundaries.begin());
  add_mesh(scene, sheet({-bead, -bead, 0}, {8 * bead, 0, 0}, {0, 8 * bead, 0}, 3));
  for (SceneBoundary& boundary : scene.boundaries) { boundary.material = 1; }
  each_in_pile(3, [&](const PileBody& body) {
    const auto [i, j, k] = body.place;
    const Real3 x{(1 + 1.9 * i) * bead, (1 + 1.9 * j) * bead, (1 + 1.9 * k) * bead};
    if ((i + j + k) % 3 == 2) {
      physics::add_sphere(scene, x, bead, body.velocity, body.spin, 1);
    } else {
      const auto shape = static_cast<std::uint32_t>((i + 2 * j + k) % 2);
      add_clump(scene, shape, x, body.velocity, body.spin, body.orientation, 0.95);
    }
  });
  return scene;
}

struct Kind {
  Precision precision;
  LawKind law;
};
class GrainPile : public BackendTest, public ::testing::WithParamInterface<Kind> {
 protected:
  Scene scene(double verlet = 0.2) const { return pile(GetParam().precision, GetParam().law, verlet); }
};

TEST_P(GrainPile, HasTheSameBitsWithAnyListsThreadsAndOrderOfNodes) {
  Scene turned = scene(0.5);
  for (GrainShape& grain : turned.grain_shapes) {
    std::reverse(grain.node.begin(), grain.node.end());
    std::reverse(grain.node_area.begin(), grain.node_area.end());
  }
  const auto engine = make_backend_engine(scene(), 1), other = make_backend_engine(turned, 2);
  engine->advance(400);
  other->advance(400);
  EXPECT_GT(engine->counts().contacts, 2u);
  EXPECT_GT(engine->counts().boundary_contacts, 1u);
  EXPECT_TRUE(engine->hash() == other->hash());
  EXPECT_TRUE(engine->save() == other->save());
}

TEST_P(GrainPile, GoesOnAfterARestart) {
  const auto whole = make_backend_engine(scene());
  whole->advance(201);
  EXPECT_GT(whole->counts().contacts, 2u);
  for (const double verlet : {0.2, 0.05}) {
    const auto resumed = make_backend_engine(scene(verlet));
    resumed->restore(whole->save());
    EXPECT_TRUE(resumed->hash() == whole->hash());
    EXPECT_TRUE(resumed->save() == whole->save());
    const auto straight = make_backend_engine(scene());
    straight->restore(whole->save());
    straight->advance(150);
    resumed->advance(150);
    EXPECT_TRUE(resumed->hash() == straight->hash());
    EXPECT_TRUE(resumed->save() == straight->save());
  }
  const auto resumed = make_backend_engine(scene());
  resumed->restore(whole->save());
  whole->advance(150);
  resumed->advance(150);
  EXPECT_TRUE(resumed->hash() == whole->hash());
}

INSTANTIATE_TEST_SUITE_P(Laws, GrainPile,
                         ::testing::Values(Kind{Precision::mixed, LawKind::hertz_mindlin},
                                           Kind{Precision::double_, LawKind::linear_spring_dashpot},
                                           Kind{Precision::mixed, LawKind::mindlin_reversal}));

/// The pile comes to rest above the floor: grains lose their energy and none falls through.
TEST_F(Grains, APileComesToRest) {
  const auto engine = make_backend_engine(pile(Precision::mixed, LawKind::hertz_mindlin, 0.3));
  engine->advance(40000);
  for (const SnapshotClump& c : engine->snapshot().clumps) {
    EXPECT_GT(c.position[2], 0.4 * bead);
    EXPECT_LT(length_of(c.velocity), 0.01);
  }
}

/// A pile that is turned with its gravity and walls does the same, but for rounding.
TEST_F(Grains, ACollisionDoesNotDependOnDirections) {
  const Scene scene = collision(Precision::double_, false);
  const auto q = turn({0.3, -1, 0.8}, 2.1);
  const auto one = make_backend_engine(scene), two = make_backend_engine(turned_scene(scene, q));
  one->advance(6000);
  two->advance(6000);
  for (std::size_t c = 0; c < 2; ++c) {
    const Real3 v = physics::turned_by(q, one->snapshot().clumps[c].velocity), w = two->snapshot().clumps[c].velocity;
    for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(w[k], v[k], 1e-7); }
  }
}

/// A level-set shape that no grain has changes no bit of a run of spheres.
TEST_F(Grains, AShapeWithoutGrainsChangesNothing) {
  const auto hash_of = [](bool with_shape) {
    Scene scene = glass_scene();
    scene.gravity = {0, 0, -9.81};
    add_box_walls(scene, {4.2 * bead, 4.2 * bead, 0});
    Random random(3);
    add_lattice(scene, {2, 2, 3}, {0, 0, 0}, 2.1 * bead, {0.9 * bead, bead}, 0.1, random);
    if (with_shape) {
      add_grain_shape(scene, grain_of(ball(bead), bead, 0.15 * bead, 400));
      scene.grain_materials = {false};
    }
    const auto engine = make_backend_engine(scene);
    engine->advance(3000);
    EXPECT_GT(engine->counts().contacts, 0u);
    EXPECT_TRUE(engine->touching_nodes().empty());
    EXPECT_LT(engine->critical_step().value, 1);
    return engine->hash();
  };
  EXPECT_EQ(hash_of(true), hash_of(false));
}

}  // namespace scree::inline SCREE_BACKEND::grains_test
