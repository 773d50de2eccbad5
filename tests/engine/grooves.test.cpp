#include <cmath>

#include "engine_kit.hpp"

// Spheres in sharp grooves of a mesh, where a contact with one side may end in the step in which one with the other
// side begins.
namespace scree::inline SCREE_BACKEND::grooves_test {

using Grooves = BackendTest;

constexpr double gap = 0.002 * bead;  ///< [m] to both sides, where a sphere is in the middle

/// Adds a groove along y whose sides meet in z = 0 and enclose `angle` [rad]: one mesh, or two that do not touch.
void add_groove(Scene& scene, double angle, bool in_one) {
  const double x = 40 * bead * std::sin(0.5 * angle), z = 40 * bead * std::cos(0.5 * angle), y = 40 * bead;
  if (in_one) {
    TriangleMesh mesh;
    mesh.vertices = {{0, -y, 0}, {0, y, 0}, {-x, -y, z}, {-x, y, z}, {x, -y, z}, {x, y, z}};
    mesh.triangles = {{0, 1, 2}, {1, 3, 2}, {0, 4, 1}, {1, 4, 5}};
    add_mesh(scene, mesh);
    return;
  }
  for (const double side : {-1.0, 1.0}) {
    const double apart = side * 1e-6 * bead;
    TriangleMesh mesh;
    mesh.vertices = {{apart, -y, 0}, {apart, y, 0}, {side * x + apart, -y, z}, {side * x + apart, y, z}};
    mesh.triangles = {{0, 1, 2}, {1, 3, 2}};
    add_mesh(scene, mesh);
  }
}

/// A sphere that touches the left side in the first step, the right one in the second, and slides along the groove.
Scene crossing(double angle, bool in_one, double friction = 0.5) {
  Scene scene = glass_scene(Precision::double_);
  scene.pairs[0].friction = friction;
  add_groove(scene, angle, in_one);
  const double beside = 1.5 * gap / std::cos(0.5 * angle);
  add_body(scene, {-beside, 0, (bead + gap) / std::sin(0.5 * angle)}, bead, {2 * beside / scene.time_step, 3, 0});
  return scene;
}

// In a narrow groove the contact would turn by more than a right angle: as if the sphere had gone through a side.
TEST_F(Grooves, AContactWithTheOtherSideIsANewOne) {
  for (const double angle : {0.4, 0.7, 1.2, 1.6, 2.2}) {
    const auto one = make_backend_engine(crossing(angle, true)), two = make_backend_engine(crossing(angle, false));
    for (int step = 0; step < 3; ++step) {
      one->advance(1), two->advance(1);
      const Snapshot a = one->snapshot(), b = two->snapshot();
      const double scale = std::abs(b.angular_velocity[0][0]) + std::abs(b.angular_velocity[0][2]);
      EXPECT_EQ(one->counts().boundary_contacts, two->counts().boundary_contacts) << angle;
      // The sides of the other groove are apart by a millionth of a radius, one in 2000 of an overlap.
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(a.angular_velocity[0][k], b.angular_velocity[0][k], 1e-2 * scale) << angle << " step " << step;
        EXPECT_NEAR(a.velocity[0][k], b.velocity[0][k], 1e-5) << angle << " step " << step;
      }
    }
    EXPECT_GT(one->counts().boundary_contacts, 0u);
  }
}

// Beads that are tossed about in a narrow groove change sides all the time. No run ends.
TEST_F(Grooves, SpheresInANarrowGrooveGoOn) {
  Scene scene = glass_scene();
  scene.gravity = {0, 0, -200};
  scene.time_step = 5e-6;
  scene.pairs[0].restitution = 0.9;
  add_groove(scene, 0.7, true);
  Random random(2);
  for (int k = 0; k < 30; ++k) {
    const double height = random(3.2, 4), across = random(-1, 1), along = random(-0.02, 0.02);
    add_body(scene, {0, (2.2 * k - 32) * bead, height * bead}, bead, {across, along, 0});
  }
  const auto engine = make_backend_engine(scene);
  EXPECT_NO_THROW(engine->advance(20000));
  for (const Real3& x : engine->snapshot().position) { EXPECT_GT(x[2], 2.5 * bead); }
}

/// A sphere that is far away from a facet one step after it touched it: in a groove, where it touches the other side
/// now, or on a sheet, where its contact goes on.
Scene fast_sphere(bool groove, double verlet) {
  Scene scene = glass_scene(Precision::double_);
  scene.time_step = 5e-5;
  scene.verlet_distance = verlet * bead;
  if (groove) {
    add_groove(scene, 0.5 * 3.14159265358979324, true);
    // Distances to both sides, and how they change in the first step.
    const double c = std::sqrt(0.5), left = bead - 0.5 * gap, right = bead + 0.5 * gap, away = 0.3 * bead;
    add_body(scene, {c * (left - right), 0, c * (left + right)}, bead,
             {c * (away + gap) / scene.time_step, 3, c * (away - gap) / scene.time_step});
  } else {
    add_mesh(scene, sheet({-5 * bead, -5 * bead, 0}, {10 * bead, 0, 0}, {0, 10 * bead, 0}, 20));
    add_body(scene, {0.1 * bead, 0.13 * bead, bead - gap}, bead, {0.6 * bead / scene.time_step, 0, 0});
  }
  scene.boundaries[0].facet_loads = FacetOutput{};
  return scene;
}

// With short lists the first facet would be forgotten before the step asks which contacts have just ended.
TEST_F(Grooves, ResultsDoNotDependOnHowFarListsReach) {
  for (const bool groove : {true, false}) {
    const auto engine = make_backend_engine(fast_sphere(groove, 0.02));
    engine->advance(1);
    const auto first = engine->touching_contacts();
    engine->advance(1);
    const auto second = engine->touching_contacts();
    ASSERT_EQ(first.size(), 1u);
    ASSERT_EQ(second.size(), 1u);
    const FacetLoads loads = engine->facet_loads(false).at(0);
    std::uint64_t impacts = 0;
    for (const std::uint64_t n : loads.impacts) { impacts += n; }
    EXPECT_EQ(impacts, 0u) << "it has touched the mesh from the start on";
    for (const double verlet : {0.1, 0.35, 1.0}) {
      const auto other = make_backend_engine(fast_sphere(groove, verlet));
      other->advance(2);
      EXPECT_TRUE(engine->hash() == other->hash()) << groove << " " << verlet;
      EXPECT_EQ(loads.impacts, other->facet_loads(false).at(0).impacts) << groove << " " << verlet;
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::grooves_test
