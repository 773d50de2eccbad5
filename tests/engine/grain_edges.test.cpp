#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "grain_boxes.hpp"

// Level-set grains at the edges and seams of meshes, and at the rims of shells.
namespace scree::inline SCREE_BACKEND::grain_edges_test {

using namespace grain_boxes;

using GrainEdges = BackendTest;

// A box slides along a block, in part beyond its edge. What hangs in the air touches nothing, whatever side of the
// plane of the block's side it is on.
TEST_F(GrainEdges, ABoxThatHangsOverAnEdgeSlidesOn) {
  Scene scene = scene_of_box(0.2, 0, {-1.5 * bead, 0.1 * bead, half[2] - 1e-7}, {0.3, 0, 0});
  scene.gravity = {0, 0, -9.81};
  add_mesh(scene, block({-12 * bead, -10 * bead, -5 * bead}, {0, 10 * bead, 0}));
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  const double start = kinetic(*engine);
  EXPECT_LT(most_kinetic(*engine, 60), 1.02 * start);
  const Snapshot now = engine->snapshot();
  EXPECT_NEAR(now.clumps[0].velocity[0], 0.3, 1e-3);
  EXPECT_LT(std::abs(engine->energies().error), 1e-3 * start);
}

/// Several meshes as one, with common vertices where they are equal.
TriangleMesh together(const std::vector<TriangleMesh>& meshes) {
  TriangleMesh all;
  for (const TriangleMesh& mesh : meshes) {
    std::vector<std::uint32_t> index;
    for (const Real3& x : mesh.vertices) {
      const auto found = std::find(all.vertices.begin(), all.vertices.end(), x);
      index.push_back(static_cast<std::uint32_t>(found - all.vertices.begin()));
      if (found == all.vertices.end()) { all.vertices.push_back(x); }
    }
    for (const auto& [a, b, c] : mesh.triangles) { all.triangles.push_back({index[a], index[b], index[c]}); }
  }
  return all;
}

// A box slides over a floor of several parts: bodies side by side, one body in another, sheets that overlap in one
// plane, facing either way. It moves as over a plane: walls within the floor do not count, and two sheets are not a way
// out.
TEST_F(GrainEdges, AFloorOfSeveralPartsIsOneFloor) {
  const double far = 12 * bead, deep = -5 * bead;
  const auto reversed = [](TriangleMesh mesh) {
    for (auto& t : mesh.triangles) { std::swap(t[1], t[2]); }
    return mesh;
  };
  const auto flat = [&](double from, double to, std::uint32_t n) {
    return sheet({from, -far, 0}, {to - from, 0, 0}, {0, 2 * far, 0}, n);
  };
  const std::vector<std::pair<const char*, TriangleMesh>> floors{
      {"side by side",
       together({block({-far, -far, deep}, {0.3 * bead, far, 0}), block({0.3 * bead, -far, deep}, {far, far, 0})})},
      {"overlapping",
       together({block({-far, -far, deep}, {1 * bead, far, 0}), block({-1 * bead, -far, 0.9 * deep}, {far, far, 0})})},
      {"one in the other", together({block({-far, -far, deep}, {far, far, 0}),
                                     block({-1 * bead, -1 * bead, 0.2 * deep}, {bead, bead, 0})})},
      {"sheets", together({flat(-far, bead, 3), flat(-bead, far, 2)})},
      {"sheets that face either way", together({flat(-far, bead, 3), reversed(flat(-bead, far, 2))})},
      {"one sheet twice", together({flat(-far, far, 3), flat(-far, far, 2)})}};
  std::vector<double> expected;
  for (std::size_t k = 0; k <= floors.size(); ++k) {
    Scene scene = scene_of_box(0.2, 0.3, {-0.6 * bead, 0.1 * bead, half[2] - 1e-7}, {0.5, 0, 0});
    scene.gravity = {0, 0, -9.81};
    if (k == 0) {
      add_plane(scene, {0, 0, 0}, {0, 0, 1});
    } else {
      add_mesh(scene, floors[k - 1].second);
    }
    const auto engine = make_backend_engine(scene);
    for (std::size_t row = 0; row < 20; ++row) {
      engine->advance(100);
      const Snapshot now = engine->snapshot();
      const double load = engine->boundary_loads().at(0).force[2];
      if (k == 0) {
        expected.insert(expected.end(), {now.clumps[0].position[0], now.clumps[0].position[2], load});
        continue;
      }
      EXPECT_NEAR(now.clumps[0].position[0], expected[3 * row], 1e-7) << floors[k - 1].first << row;
      EXPECT_NEAR(now.clumps[0].position[2], expected[3 * row + 1], 1e-8) << floors[k - 1].first << row;
      EXPECT_NEAR(load, expected[3 * row + 2], 0.02 * std::abs(expected[3 * row + 2])) << floors[k - 1].first << row;
    }
  }
}

// A box whose centre is beyond the edge tips, driven by gravity alone.
TEST_F(GrainEdges, ABoxWithItsCentreBeyondAnEdgeTips) {
  Scene scene = scene_of_box(0.2, 0.3, {0.5 * bead, 0.1 * bead, half[2] - 1e-7}, {0, 0, 0});
  scene.gravity = {0, 0, -9.81};
  add_mesh(scene, block({-12 * bead, -10 * bead, -5 * bead}, {0, 10 * bead, 0}));
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  EXPECT_GT(most_kinetic(*engine, 100), 0);
  const EnergyLedger e = engine->energies();
  EXPECT_LT(kinetic(*engine), 1.02 * e.gravity) << "no more than what gravity gave";
  EXPECT_LT(std::abs(engine->snapshot().clumps[0].velocity[0]), 0.1);
}

// A box that falls on the rim of a cylinder bounces a little.
TEST_F(GrainEdges, ABoxOnTheRimOfACylinderBounces) {
  Scene scene = scene_of_box(0.2, 0.3, {5 * bead, 0.1 * bead, half[2] + 1e-7}, {0, 0, -0.02});
  add_cylinder(scene, {0, 0, -10 * bead}, {0, 0, 0}, 5 * bead);
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  const double start = kinetic(*engine);
  EXPECT_LT(most_kinetic(*engine, 100), 1.02 * start);
}

// The restitution of a flat impact is that on a plane, however fine the mesh is: 2 % for the nodes at seams.
TEST_F(GrainEdges, ImpactsDoNotDependOnTheTriangles) {
  double on_plane = 0;
  for (const std::uint32_t n : {0u, 1u, 2u, 5u, 12u}) {
    Scene scene = scene_of_box(0.25, 0, {0.11 * bead, 0.23 * bead, half[2] + 1e-8}, {0, 0, -0.1});
    if (n == 0) {
      add_plane(scene, {0, 0, 0}, {0, 0, 1});
    } else {
      add_mesh(scene, sheet({-10 * bead, -10 * bead, 0}, {20 * bead, 0, 0}, {0, 20 * bead, 0}, n));
    }
    const auto engine = make_backend_engine(scene);
    engine->advance(6000);
    EXPECT_EQ(engine->counts().boundary_contacts, 0u) << n;
    const double restitution = engine->snapshot().clumps[0].velocity[2] / 0.1;
    if (n == 0) { on_plane = restitution; }
    EXPECT_GT(restitution, 0.3);
    EXPECT_NEAR(restitution, on_plane, 0.02 * on_plane) << n;
  }
}

// A box slides over the seams of a fine mesh as over a plane: nodes remember their shear from facet to facet.
TEST_F(GrainEdges, SlidingDoesNotDependOnTheTriangles) {
  Real3 end[2];
  for (const bool fine : {false, true}) {
    Scene scene = scene_of_box(0.2, 0.3, {-3 * bead, 0.23 * bead, half[2] - 1e-7}, {0.2, 0, 0});
    scene.gravity = {0, 0, -9.81};
    if (fine) {
      add_mesh(scene, sheet({-10 * bead, -10 * bead, 0}, {20 * bead, 0, 0}, {0, 20 * bead, 0}, 15));
    } else {
      add_plane(scene, {0, 0, 0}, {0, 0, 1});
    }
    const auto engine = make_backend_engine(scene);
    engine->advance(10000);
    end[fine ? 1 : 0] = engine->snapshot().clumps[0].position;
  }
  EXPECT_NEAR(end[1][0], end[0][0], 0.01 * bead);
  EXPECT_NEAR(end[1][2], end[0][2], 1e-3 * bead);
}

// Where a sheet goes on in another one, or in a cylinder, it has no free edge: a box that slides across is not slowed.
TEST_F(GrainEdges, EdgesThatOthersContinueAreNone) {
  for (const bool split : {false, true}) {
    Scene scene = scene_of_box(0, 0, {-3.5 * bead, 0.02 * bead, half[2] - 1e-7}, {0.3, 0, 0});
    scene.gravity = {0, 0, -9.81};
    add_mesh(scene, sheet({-10 * bead, -10 * bead, 0}, {10 * bead, 0, 0}, {0, 20 * bead, 0}, 2));
    add_mesh(scene, sheet({0, -10 * bead, 0}, {10 * bead, 0, 0}, {0, 20 * bead, 0}, split ? 3 : 2));
    const auto engine = make_backend_engine(scene);
    engine->advance(1);
    const std::uint64_t slots = engine->counts().boundary_contacts;
    EXPECT_GT(slots, 0u);
    const double start = kinetic(*engine);
    EXPECT_LT(most_kinetic(*engine, 300), 1.001 * start);
    EXPECT_NEAR(engine->snapshot().clumps[0].velocity[0], 0.3, 1e-4);
  }
}

// The facets below a face of a box are one contact, with their forces and torques together, and the number of triangles
// does not matter. In a corner of a mesh there are two.
TEST_F(GrainEdges, FacetsThatFaceOneWayAreOneContact) {
  const double wall = 3.5 * bead;
  const TriangleMesh upright = sheet({wall, -10 * bead, 0}, {0, 20 * bead, 0}, {0, 0, 20 * bead}, 4);
  for (const std::uint32_t n : {0u, 1u, 2u, 5u, 12u}) {
    for (const bool corner : {false, true}) {
      const double x = corner ? wall - half[0] + 1e-6 : 0.13 * bead;
      Scene scene = scene_of_box(0.2, 0.3, {x, 0.21 * bead, half[2] - 1e-6}, {0, 0, 0});
      const double from = -10 * bead;
      const TriangleMesh floor = sheet({from, from, 0}, {wall - from, 0, 0}, {0, 20 * bead, 0}, n);
      if (n == 0) {
        add_plane(scene, {0, 0, 0}, {0, 0, 1});
      } else {
        add_mesh(scene, corner ? together({floor, upright}) : floor);
      }
      if (n == 0 && corner) { add_plane(scene, {wall, 0, 0}, {-1, 0, 0}); }
      const auto engine = make_backend_engine(scene);
      engine->advance(3);
      const std::size_t expected = corner ? 2 : 1;
      EXPECT_EQ(engine->counts().boundary_contacts, expected) << n;
      EXPECT_EQ(engine->snapshot({false, true}).coordination.at(0), expected) << n;
      Real3 force{}, torque{};
      const auto contacts = engine->touching_contacts();
      EXPECT_EQ(contacts.size(), expected) << n;
      for (const TouchingContact& c : contacts) {
        const Real3 &p = c.point, &f = c.force;
        const Real3 moment{p[1] * f[2] - p[2] * f[1], p[2] * f[0] - p[0] * f[2], p[0] * f[1] - p[1] * f[0]};
        force = force + f, torque = torque + moment + c.couple;
        EXPECT_GT(std::max(c.normal[2], -c.normal[0]), 1 - 1e-6) << n;
        EXPECT_NEAR(length_of(c.normal), 1, 1e-12) << n;
      }
      for (const BoundaryLoad& load : engine->boundary_loads()) {
        force = force + load.force, torque = torque + load.torque;
      }
      EXPECT_LT(length_of(force), 1e-12 * length_of(contacts.at(0).force)) << n;
      EXPECT_LT(length_of(torque), 1e-12 * length_of(contacts.at(0).force) * 10 * bead) << n;
    }
  }
}

// A box that a plane cannot stop ends the run, with the plane named as the cause.
TEST_F(GrainEdges, ABoxThatGoesThroughAPlaneIsAFault) {
  Scene scene = scene_of_box(0, 0, {0, 0, half[0] + 0.1 * bead}, {0, 0, -40}, physics::turn({0, 1, 0}, 1.5707963));
  scene.pairs[0].springs.stiffness = 2e2;
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const auto engine = make_backend_engine(scene);
  EXPECT_THROW(engine->advance(2000), KernelFault);
}

// A box rests on a slope of two facets whose places are rounded: far from the origin, too, no node is lost, so friction
// holds it as on a plane. A lost node forgets its shear.
TEST_F(GrainEdges, ABoxRestsOnATurnedMeshAnywhere) {
  constexpr double tilt = 0.26, heading = 0.7;
  const Real3 along{std::cos(tilt) * std::cos(heading), std::cos(tilt) * std::sin(heading), -std::sin(tilt)};
  const Real3 across{-std::sin(heading), std::cos(heading), 0};
  const Real3 up{std::sin(tilt) * std::cos(heading), std::sin(tilt) * std::sin(heading), std::cos(tilt)};
  for (const double far : {0.0, 1.0, 1000.0}) {
    const Real3 foot{far, 0.7 * far, -0.3 * far};
    // The box stands upright on the slope: its axes are along, across and up.
    const auto about_z = physics::turn({0, 0, 1}, heading), about_y = physics::turn({0, 1, 0}, tilt);
    const std::array<double, 4> standing{
        about_z[0] * about_y[0] - about_z[3] * about_y[3], about_z[0] * about_y[1] - about_z[3] * about_y[2],
        about_z[0] * about_y[2] + about_z[3] * about_y[1], about_z[0] * about_y[3] + about_z[3] * about_y[0]};
    Scene scene = scene_of_box(0.5, 0.6, foot + (half[2] - 1e-8) * up, {0, 0, 0}, standing);
    scene.gravity = {0, 0, -9.81};
    scene.pairs[0].springs.stiffness = 2e7, scene.pairs[0].springs.shear_stiffness = 1e7;
    scene.time_step = 1e-7;
    scene.integration.viscous_damping = 3e4;  // at rest after 3e-5 s; without friction it would slide at 8e-5 m/s
    scene.groups = {SceneGroup{}};
    const double reach = 20 * bead;
    add_mesh(scene, sheet(foot - (0.4 * reach) * along - (0.55 * reach) * across, reach * along, reach * across, 1));
    const auto engine = make_backend_engine(scene);
    engine->advance(6000);
    const Real3 before = engine->snapshot().clumps[0].position;
    engine->advance(2000);
    const Real3 after = engine->snapshot().clumps[0].position;
    const double speed = length_of(after - before) / (2000 * scene.time_step);
    EXPECT_LT(speed, 1e-6) << far;
    EXPECT_GT(engine->node_counts().touching, 3u);
  }
}

}  // namespace scree::inline SCREE_BACKEND::grain_edges_test
