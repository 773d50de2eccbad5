#include <algorithm>
#include <functional>
#include <limits>

#include "engine_kit.hpp"

namespace scree::inline SCREE_BACKEND::faults_test {

using Faults = BackendTest;

/// A row of bodies that do not touch.
Scene row_of_bodies(int n = 10, Precision precision = Precision::mixed) {
  Scene scene = glass_scene(precision);
  for (int i = 0; i < n; ++i) { add_body(scene, {3 * bead * i, 0, 0}, bead, {0, 0.1, 0}); }
  return scene;
}

/// Runs until the fault, checks its id and step, and checks that the state can still be read.
void expect_fault(const Scene& scene, std::uint32_t id, std::uint64_t step, const std::string& word) {
  const auto engine = make_backend_engine(scene);
  try {
    engine->advance(step + 50);
    FAIL() << "no fault was raised in " << step + 50 << " steps";
  } catch (const KernelFault& fault) {
    EXPECT_EQ(fault.ids(), std::vector<std::uint32_t>{id});
    EXPECT_EQ(fault.step(), step);
    EXPECT_NE(std::string(fault.what()).find(word), std::string::npos) << fault.what();
  }
  EXPECT_EQ(engine->step(), step);
  const Snapshot state = engine->snapshot({true, true});
  EXPECT_EQ(state.step, step);
  EXPECT_EQ(state.id.size(), scene.particles.size());
  EXPECT_EQ(state.force.size(), scene.particles.size());
  EXPECT_EQ(engine->counts().particles, scene.particles.size());
  EXPECT_EQ(engine->boundary_loads().size(), scene.boundaries.size());
  EXPECT_TRUE(engine->hash() == engine->hash());
  // The run is over: another call reports the same fault and does nothing.
  EXPECT_THROW(engine->advance(1000), KernelFault);
  EXPECT_EQ(engine->step(), step);
}

TEST_F(Faults, AVelocityThatIsNoNumberNamesItsBody) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
    for (const Precision precision : {Precision::mixed, Precision::double_}) {
      Scene scene = row_of_bodies(10, precision);
      scene.particles.velocity[7][1] = bad;
      expect_fault(scene, 7, 1, "finite");
    }
  }
}

TEST_F(Faults, ASpinThatIsNoNumberNamesItsBody) {
  Scene scene = row_of_bodies();
  scene.particles.angular_velocity[4][2] = std::numeric_limits<double>::quiet_NaN();
  expect_fault(scene, 4, 1, "finite");
}

TEST_F(Faults, AMoveOfMoreThanARadiusIsFoundInItsStep) {
  // v = g t: the move in step k (from 1) is g dt^2 (k - 1/2), more than a radius from step 70 on.
  Scene scene = glass_scene();
  scene.gravity = {0, 0, -9e5};
  scene.verlet_distance = 0.1 * bead;
  add_body(scene, {0, 0, 0}, 2 * bead);
  add_body(scene, {10 * bead, 0, 0});
  expect_fault(scene, 1, 70, "radius");
}

TEST_F(Faults, AMoveOfMoreThanARadiusIsFoundOnTheWayBackToo) {
  // The body moves by -0.9 r and +1.1 r. After both moves it is close to its place at the last search, so only the
  // length of a single move reveals the fault.
  for (const double verlet : {0.1, 1.0, 2.2, 5.0}) {
    Scene scene = glass_scene(Precision::double_);
    scene.verlet_distance = verlet * bead;
    scene.gravity = {2.0 * bead / (scene.time_step * scene.time_step), 0, 0};
    add_body(scene, {0, 0, 0}, bead, {-1.9 * bead / scene.time_step, 0, 0});
    expect_fault(scene, 0, 2, "radius");
  }
}

TEST_F(Faults, TheLowestIdIsNamed) {
  Scene scene = row_of_bodies(2000);
  for (const std::size_t i : {1999u, 700u, 301u, 1200u}) {
    scene.particles.velocity[i][0] = std::numeric_limits<double>::quiet_NaN();
  }
  scene.particles.velocity[5][2] = 1e4;  // too fast, but the body that is not a number must be reported first
  for (int run = 0; run < 3; ++run) { expect_fault(scene, 301, 1, "finite"); }
}

TEST_F(Faults, TwoBodiesInOnePlace) {
  Scene scene = row_of_bodies();
  scene.particles.position[8] = scene.particles.position[3];
  expect_fault(scene, 3, 1, "centre");
}

TEST_F(Faults, ABodyThatRunsIntoAnotherUpToItsCentre) {
  // Soft bodies approach by 0.2 r per step from a distance of 2.1 r. Step 7 finds them 0.9 r apart.
  Scene scene = glass_scene(Precision::double_);
  scene.materials[0].young_modulus = 1e-3;
  const double speed = 0.1 * bead / scene.time_step;
  add_body(scene, {0, 50 * bead, 0});
  add_body(scene, {0, 0, 0}, bead, {speed, 0, 0});
  add_body(scene, {2.1 * bead, 0, 0}, bead, {-speed, 0, 0});
  expect_fault(scene, 1, 7, "centre");
}

TEST_F(Faults, APassageThroughAPlane) {
  // The body moves down by 0.5 r per step from a height of 2.25 r. Step 6 finds its centre 0.25 r behind the plane.
  Scene scene = glass_scene(Precision::double_);
  scene.materials[0].young_modulus = 1e-3;
  add_body(scene, {0, 0, 20 * bead});
  add_body(scene, {0, 0, 2.25 * bead}, bead, {0, 0, -0.5 * bead / scene.time_step});
  add_plane(scene, {0, 0, 0}, {0, 0, 1}).name = "floor";
  expect_fault(
      scene, 1, 6,
      "its centre passed through boundary \"floor\"; the time step is too large, the material too soft, or the "
      "start was overlapping");
}

TEST_F(Faults, APassageThroughAMeshFromEitherSide) {
  for (const double side : {1.0, -1.0}) {
    Scene scene = glass_scene(Precision::double_);
    scene.materials[0].young_modulus = 1e-3;
    add_body(scene, {0, 0, 20 * bead});
    add_body(scene, {0.3 * bead, 0.2 * bead, side * 2.25 * bead}, bead, {0, 0, -side * 0.5 * bead / scene.time_step});
    add_plane(scene, {0, 0, -90 * bead}, {0, 0, 1}).name = "below";
    add_mesh(scene, sheet({-9 * bead, -9 * bead, 0}, {18 * bead, 0, 0}, {0, 18 * bead, 0}, 3)).name = "sheet";
    expect_fault(scene, 1, 6, "its centre passed through boundary \"sheet\";");
  }
}

TEST_F(Faults, APassageThroughACylinder) {
  Scene scene = glass_scene(Precision::double_);
  scene.materials[0].young_modulus = 1e-3;
  add_body(scene, {10.25 * bead - 2.5 * bead, 0, 0}, bead, {0.5 * bead / scene.time_step, 0, 0});
  add_cylinder(scene, {0, 0, -50 * bead}, {0, 0, 50 * bead}, 10 * bead);
  expect_fault(scene, 0, 6, "boundary");
}

TEST_F(Faults, ABoundaryThatRunsOverABody) {
  Scene scene = glass_scene(Precision::double_);
  scene.materials[0].young_modulus = 1e-3;
  add_body(scene, {0, 0, 0});
  SceneBoundary& piston = add_plane(scene, {0, 0, -2.25 * bead}, {0, 0, 1});
  piston.name = "piston";
  piston.motion = {{Translation{{0, 0, 0.5 * bead / scene.time_step}}}};
  expect_fault(scene, 0, 6, "the start was overlapping, or the motion of \"piston\" crushes the particles");
}

TEST_F(Faults, TheOtherBodiesAreNotHarmed) {
  Scene scene = row_of_bodies();
  scene.particles.velocity[2][0] = std::numeric_limits<double>::quiet_NaN();
  const auto engine = make_backend_engine(scene);
  EXPECT_THROW(engine->advance(10), KernelFault);
  const Snapshot state = engine->snapshot();
  for (std::size_t i = 0; i < state.id.size(); ++i) {
    if (i == 2) { continue; }
    EXPECT_NEAR(state.position[i][1], 0.1 * scene.time_step, 1e-12);
    EXPECT_EQ(state.position[i][0], scene.particles.position[i][0]);
  }
}

TEST_F(Faults, AStepFarBeyondStabilityEndsInAFault) {
  Scene scene = glass_scene();
  scene.time_step = 1e-3;
  scene.gravity = {0, 0, -9.81};
  Random random(71);
  add_lattice(scene, {5, 5, 5}, {0, 0, 0}, 2.02 * bead, {0.9 * bead, bead}, 0.01, random);
  add_box_walls(scene, {5 * 2.02 * bead, 5 * 2.02 * bead, 0});
  const auto engine = make_backend_engine(scene);
  EXPECT_THROW(engine->advance(3000), KernelFault);
}

TEST_F(Faults, TheReportDoesNotDependOnThreadsOrTheVerletDistance) {
  // Hundreds of bodies crash at once. The report must not depend on threads.
  std::vector<std::string> reports;
  for (const int threads : {1, 2}) {
    for (const double verlet : {0.05, 0.3, 1.0}) {
      Scene scene = glass_scene();
      scene.materials[0].young_modulus = 10;
      scene.verlet_distance = verlet * bead;
      Random random(72);
      add_lattice(scene, {9, 9, 9}, {-9 * bead, -9 * bead, -9 * bead}, 2.1 * bead, {0.5 * bead, bead}, 60.0, random);
      const auto engine = make_backend_engine(scene, threads);
      try {
        engine->advance(200);
        FAIL() << "no fault";
      } catch (const KernelFault& fault) {
        reports.push_back(fault.what() + std::to_string(fault.ids().at(0)) + " " + std::to_string(fault.step()) +
                          engine->hash().text());
      }
    }
  }
  for (const std::string& report : reports) { EXPECT_EQ(report, reports[0]); }
}

TEST_F(Faults, ScenesThatContradictThemselvesAreRefused) {
  const auto refused = [](const std::function<void(Scene&)>& spoil) {
    Scene scene = row_of_bodies();
    spoil(scene);
    EXPECT_THROW(make_backend_engine(scene), ContractError);
  };
  refused([](Scene& s) { s.particles.velocity.pop_back(); });
  refused([](Scene& s) { s.particles.radius.pop_back(); });
  refused([](Scene& s) { s.particles.material[0] = 1; });
  refused([](Scene& s) { s.materials.clear(); });
  refused([](Scene& s) { s.pairs.clear(); });
  refused([](Scene& s) { add_plane(s, {0, 0, 0}, {0, 0, 1}).material = 1; });
  refused([](Scene& s) { s.time_step = 0; });
  refused([](Scene& s) { s.verlet_distance = 0; });
  refused([](Scene& s) { s.outlets.push_back({{0, 0, 0}, {0, 0, 1}, 0}); });
}

}  // namespace scree::inline SCREE_BACKEND::faults_test
