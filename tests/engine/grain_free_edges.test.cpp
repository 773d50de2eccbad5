#include <algorithm>
#include <cmath>

#include "grain_boxes.hpp"
#include "grain_spheres.hpp"

// Level-set grains at free edges: those of sheets and thin plates, and rims.
namespace scree::inline SCREE_BACKEND::grain_free_edges_test {

using namespace grain_boxes;

using GrainEdges = BackendTest;

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

}  // namespace scree::inline SCREE_BACKEND::grain_free_edges_test
