#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "grain_spheres.hpp"

// Level-set grains at the edges and seams of meshes, and at the rims of shells.
namespace scree::inline SCREE_BACKEND::grain_edges_test {

using GrainEdges = BackendTest;

const Real3 half{3 * bead, 2 * bead, bead};

/// How a box is made.
struct BoxGrain {
  double rounding = 0.1 * bead, spacing = 0.25 * bead;
  std::size_t nodes = 600;
};

/// A flat box with springs of given stiffness.
Scene scene_of_box(double restitution_damping, double friction, const Real3& place, const Real3& velocity,
                   const std::array<double, 4>& orientation = {1, 0, 0, 0}, const BoxGrain& grain = {}) {
  Scene scene = glass_scene(Precision::double_, LawKind::linear_spring_dashpot);
  scene.pairs[0] = {};
  scene.pairs[0].friction = friction;
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = 2e4;
  scene.pairs[0].springs.shear_stiffness = 1e4;
  scene.pairs[0].springs.damping_ratio = scene.pairs[0].springs.shear_damping_ratio = restitution_damping;
  scene.time_step = 1e-6;
  scene.verlet_distance = 0.2 * bead;
  scene.energies = true;
  const Real3 core{half[0] - grain.rounding, half[1] - grain.rounding, half[2] - grain.rounding};
  add_grain_shape(scene, grain_of(rounded_box(core, grain.rounding), length_of(half), grain.spacing, grain.nodes));
  physics::add_clump(scene, 0, place, velocity, {0, 0, 0}, orientation);
  return scene;
}

/// The six sides of a block.
TriangleMesh block(const Real3& low, const Real3& high) {
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k) {
    mesh.vertices.push_back(
        {(k & 1) != 0 ? high[0] : low[0], (k & 2) != 0 ? high[1] : low[1], (k & 4) != 0 ? high[2] : low[2]});
  }
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

double kinetic(Engine& engine) {
  const EnergyLedger e = engine.energies();
  return e.kinetic_translation + e.kinetic_rotation;
}

/// The largest kinetic energy [J] over some steps.
double most_kinetic(Engine& engine, int batches) {
  double most = 0;
  for (int k = 0; k < batches; ++k) {
    engine.advance(50);
    most = std::max(most, kinetic(engine));
  }
  return most;
}

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

/// [N/m] Springs of the box at an edge of a length that is as sharp as a free one: a row of nodes of its own.
double springs_at_edge(const Scene& scene, double length) {
  const GrainShape& box = scene.grain_shapes[0];
  double area = 0;
  for (const double of_node : box.node_area) { area += of_node; }
  const double spacing = std::sqrt(area / double(box.node.size()));
  constexpr double pi = 3.14159265358979323846;
  return scene.pairs[0].springs.stiffness * length * spacing / (pi * box.equivalent_radius * box.equivalent_radius);
}

double mass_of_box(const Scene& scene) { return scene.materials[0].density * scene.grain_shapes[0].volume; }

/// Drops a box without damping onto something below z = 0 and says how deep it came, and how fast it goes up [m, m/s].
struct Bounce {
  double depth = 0, speed = 0, most = 0;  ///< most: the largest kinetic energy over that of the start
  std::uint64_t touching = 0;             ///< slots that touch in the end
};
Bounce bounce(const Scene& scene, int batches) {
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  const double start = kinetic(*engine);
  Bounce result;
  for (int k = 0; k < batches; ++k) {
    engine->advance(10);
    const Snapshot now = engine->snapshot();
    result.depth = std::max(result.depth, half[2] - now.clumps[0].position[2]);
    result.speed = now.clumps[0].velocity[2];
    result.most = std::max(result.most, kinetic(*engine) / start);
  }
  result.touching = engine->counts().boundary_contacts;
  return result;
}

// The flat face of a box meets two upright sheets whose edges lie between its nodes. Each edge counts as one row of
// nodes: linear springs, so the depth is v sqrt(m / k). The face is 3.8 to 4 beads long, as its edges are round: 5 %.
// The fastest box sinks in by half of a node's distance. Nodes beside the sheets do not push it then.
TEST_F(GrainEdges, AFlatFaceBouncesOffTheEdgesOfSheets) {
  for (const double speed : {0.05, 0.3, 1.0}) {
    Scene scene = scene_of_box(0, 0, {0.03 * bead, 0.02 * bead, half[2] + 1e-8}, {0, 0, -speed});
    for (const double x : {-1.8 * bead, 1.8 * bead}) {
      add_mesh(scene, sheet({x, -10 * bead, -8 * bead}, {0, 20 * bead, 0}, {0, 0, 8 * bead}, 2));
    }
    const Bounce found = bounce(scene, 200);
    const double depth = speed * std::sqrt(mass_of_box(scene) / (2 * springs_at_edge(scene, 3.9 * bead)));
    EXPECT_NEAR(found.depth, depth, 0.05 * depth) << speed;
    EXPECT_NEAR(found.speed, speed, 0.02 * speed) << speed;
    EXPECT_LT(found.most, 1.002) << speed;
    EXPECT_EQ(found.touching, 0u);
  }
}

// The same on a closed plate that is much thinner than the distance of nodes: two edges, each of them half as sharp.
TEST_F(GrainEdges, AFlatFaceBouncesOffThinPlates) {
  const double speed = 0.3, thickness = 0.01 * bead;
  Scene scene = scene_of_box(0, 0, {0.03 * bead, 0.02 * bead, half[2] + 1e-8}, {0, 0, -speed});
  for (const double x : {-1.8 * bead, 1.8 * bead}) {
    add_mesh(scene, block({x, -10 * bead, -8 * bead}, {x + thickness, 10 * bead, 0}));
  }
  const Bounce found = bounce(scene, 200);
  const double depth = speed * std::sqrt(mass_of_box(scene) / (2 * springs_at_edge(scene, 3.9 * bead)));
  EXPECT_NEAR(found.depth, depth, 0.1 * depth) << "nodes may lie on the narrow side";
  EXPECT_NEAR(found.speed, speed, 0.02 * speed);
  EXPECT_LT(found.most, 1.001);
}

// And on the rim of a cylinder, all of which lies under the face: the rim has a length of 2 pi r.
TEST_F(GrainEdges, AFlatFaceBouncesOffARim) {
  for (const double speed : {0.05, 0.3}) {
    const double radius = 1.2 * bead;
    Scene scene = scene_of_box(0, 0, {0.03 * bead, 0.02 * bead, half[2] + 1e-8}, {0, 0, -speed});
    add_cylinder(scene, {0, 0, -10 * bead}, {0, 0, 0}, radius);
    const Bounce found = bounce(scene, 200);
    const double depth =
        speed * std::sqrt(mass_of_box(scene) / springs_at_edge(scene, 2 * 3.14159265358979323846 * radius));
    EXPECT_NEAR(found.depth, depth, 0.02 * depth) << speed;
    EXPECT_NEAR(found.speed, speed, 0.02 * speed) << speed;
    EXPECT_LT(found.most, 1.002) << speed;
  }
}

/// [N] How a sheet that ends at x = 0 pushes a ball which is `s` beside its edge and overlaps it deeply. `flat`: a
/// plane instead of the sheet.
double push_beside_edge(double s, double verlet, bool flat = false) {
  Scene scene = sphere_scene(usual_sphere, 2e4, 0);
  Random random(3);
  add_sphere_grain(scene, {-s, 0.02 * bead, 0.85 * bead}, {}, 1, random);
  scene.gravity = {0, 0, 0};
  scene.verlet_distance = verlet * bead;
  if (flat) {
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
  } else {
    add_mesh(scene, sheet({-10 * bead, -10 * bead, 0}, {10 * bead, 0, 0}, {0, 20 * bead, 0}, 20));
  }
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  double force = 0;
  for (const TouchingContact& c : engine->touching_contacts()) { force += c.force[2]; }
  return std::abs(force);
}

// A ball is pushed as by a plane where the edge of a sheet is outside of it, less over the edge, and does not feel the
// moment at which the edge comes in. The lists must not matter, whose facets go beyond the ball.
TEST_F(GrainEdges, AnEdgeOutsideOfABallChangesNothing) {
  const double of_plane = push_beside_edge(0, 0.2, true);
  double last = 0;
  for (double s = 0.3; s < 1.2; s += 0.005) {
    const double force = push_beside_edge(s * bead, 0.05);
    EXPECT_EQ(force, push_beside_edge(s * bead, 1.5)) << s;
    if (last > 0) { EXPECT_NEAR(force, last, 0.01 * of_plane) << s; }
    // The ball of 1.01 beads that is kept for the grain.
    if (s * s > 1.01 * 1.01 - 0.85 * 0.85) {
      EXPECT_NEAR(force, of_plane, 1e-9 * of_plane) << s;
    } else {
      EXPECT_LT(force, of_plane) << s;
    }
    last = force;
  }
  EXPECT_LT(push_beside_edge(0.01 * bead, 0.2), 0.8 * of_plane);
}

// A box comes to rest on two sheets and stays there, as high as its weight says.
TEST_F(GrainEdges, AFlatFaceRestsOnTheEdgesOfSheets) {
  Scene scene = scene_of_box(0.3, 0.3, {0.03 * bead, 0.02 * bead, half[2] + 1e-7}, {0, 0, 0});
  scene.gravity = {0, 0, -981};
  for (const double x : {-1.8 * bead, 1.8 * bead}) {
    add_mesh(scene, sheet({x, -10 * bead, -8 * bead}, {0, 20 * bead, 0}, {0, 0, 8 * bead}, 3));
  }
  const auto engine = make_backend_engine(scene);
  engine->advance(20000);
  const double depth = 981 * mass_of_box(scene) / (2 * springs_at_edge(scene, 3.9 * bead));
  const Snapshot now = engine->snapshot();
  EXPECT_NEAR(half[2] - now.clumps[0].position[2], depth, 0.05 * depth);
  EXPECT_NEAR(now.clumps[0].position[0], 0.03 * bead, 1e-3 * bead);
  EXPECT_LT(kinetic(*engine), 1e-12 * mass_of_box(scene));
}

// A box falls on sheets or on a rim at any angle, with a corner, an edge or a face, up to the depth of a node's
// distance or so. Without dashpots and friction it keeps its energy: 5 %, as the normals on a grid are not quite the
// gradients of its distances. With edges as sharp as the grid allows it is up to 18 %.
TEST_F(GrainEdges, BoxesFallOnFreeEdgesAtAnyAngle) {
  Random random(11);
  for (int n = 0; n < 12; ++n) {
    const Real3 axis = random.direction();
    const double angle = random(0, 3), along = random(-2, 2), speed = n < 6 ? 0.1 : 0.5;
    Scene scene = scene_of_box(0, 0, {along * bead, 0.02 * bead, 4 * bead}, {0, 0, -speed}, physics::turn(axis, angle),
                               {0.6 * bead, 0.125 * bead, 2400});
    if (n % 2 == 0) {
      for (const double x : {-1.8 * bead, 1.8 * bead}) {
        add_mesh(scene, sheet({x, -20 * bead, -20 * bead}, {0, 40 * bead, 0}, {0, 0, 20 * bead}, 3));
      }
    } else {
      add_cylinder(scene, {0, 0, -20 * bead}, {0, 0, 0}, 1.8 * bead);
    }
    const auto engine = make_backend_engine(scene);
    engine->advance(1);
    const double start = kinetic(*engine);
    engine->advance(n < 6 ? 80000 : 16000);
    EXPECT_EQ(engine->counts().boundary_contacts, 0u) << n;
    EXPECT_NEAR(kinetic(*engine), start, 0.05 * start) << n;
  }
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
