#include <cmath>

#include "grain_kit.hpp"

// Level-set grains at the edges and seams of meshes, and at the rims of shells.
namespace scree::inline SCREE_BACKEND {
namespace {

using GrainEdges = BackendTest;

const Real3 half{3 * bead, 2 * bead, bead};

/// A flat box with springs of given stiffness.
Scene scene_of_box(double restitution_damping, double friction, const Real3& place, const Real3& velocity,
                   const std::array<double, 4>& orientation = {1, 0, 0, 0}) {
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
  const double rounding = 0.1 * bead;
  const Real3 core{half[0] - rounding, half[1] - rounding, half[2] - rounding};
  add_grain_shape(scene, grain_of(rounded_box(core, rounding), length_of(half), 0.25 * bead, 600));
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
    EXPECT_EQ(engine->counts().wall_contacts, 0u) << n;
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

// A box that a plane cannot stop ends the run, with the plane named as the cause.
TEST_F(GrainEdges, ABoxThatGoesThroughAPlaneIsAFault) {
  Scene scene = scene_of_box(0, 0, {0, 0, half[0] + 0.1 * bead}, {0, 0, -40}, physics::turn({0, 1, 0}, 1.5707963));
  scene.pairs[0].springs.stiffness = 2e2;
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const auto engine = make_backend_engine(scene);
  EXPECT_THROW(engine->advance(2000), KernelFault);
}

}  // namespace
}  // namespace scree::inline SCREE_BACKEND
