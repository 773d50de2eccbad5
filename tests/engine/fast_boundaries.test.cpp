#include <functional>

#include "engine_kit.hpp"

// A boundary that moves farther than a radius in one step raises a fault before it passes through particles.
namespace scree::inline SCREE_BACKEND::fast_boundaries_test {

/// 10 x 10 beads side by side in the plane z = 0, centred on the origin. The step is 1e-5 s, so one radius per step is
/// 100 m/s.
Scene bed_of_beads(const Real3& velocity = {}) {
  Scene scene = glass_scene();
  scene.time_step = 1e-5;
  for (int i = 0; i < 10; ++i) {
    for (int j = 0; j < 10; ++j) {
      add_body(scene, {(2.1 * i - 9.45) * bead, (2.1 * j - 9.45) * bead, 0}, bead, velocity);
    }
  }
  return scene;
}

struct Outcome {
  std::string text;  ///< of the fault; empty if there was none
  std::uint64_t step = 0;
};

Outcome outcome(const Scene& scene, std::uint64_t steps = 200) {
  const auto engine = make_backend_engine(scene);
  try {
    engine->advance(steps);
  } catch (const KernelFault& fault) {
    EXPECT_EQ(fault.ids().size(), 1u);
    EXPECT_EQ(fault.step(), engine->step());
    EXPECT_THROW(engine->advance(1), KernelFault);
    return {fault.what(), fault.step()};
  }
  return {};
}

void expect_named(const Outcome& found, const std::string& boundary) {
  EXPECT_NE(found.text.find("boundary \"" + boundary + "\""), std::string::npos) << "'" << found.text << "'";
  EXPECT_NE(found.text.find("m/s"), std::string::npos) << found.text;
}

class FastBoundaries : public BackendTest {};

TEST_F(FastBoundaries, APlateDoesNotPassThroughABed) {
  for (const double speed : {150.0, 200.0, 350.0, 500.0, 1000.0, 5000.0, 1e5}) {
    // After some step the plate stands before, among or behind the beads, depending on its start.
    for (const double height : {3.1, 4.5, 5.3}) {
      Scene scene = bed_of_beads();
      SceneBoundary& plate =
          add_mesh(scene, sheet({-20 * bead, -20 * bead, height * bead}, {40 * bead, 0, 0}, {0, 40 * bead, 0}, 3));
      plate.motion = {{Translation{{0, 0, -speed}}}};
      expect_named(outcome(scene), plate.name);
    }
  }
}

TEST_F(FastBoundaries, NothingHappensFarFromAllParticles) {
  // One plate crosses the empty space far beside the bed. The other passes 2.5 radii from the nearest centre.
  for (const double x : {500.0, 12.0}) {
    Scene scene = bed_of_beads();
    add_mesh(scene, sheet({x * bead, -20 * bead, 700 * bead}, {40 * bead, 0, 0}, {0, 40 * bead, 0}, 3)).motion = {
        {Translation{{0, 0, -500}}}};
    EXPECT_EQ(outcome(scene).text, "") << x;
  }
}

TEST_F(FastBoundaries, SpeedsBelowARadiusInAStepGoOn) {
  Scene scene = bed_of_beads();
  scene.materials[0].young_modulus = 1e9;
  SceneBoundary& plate =
      add_mesh(scene, sheet({-20 * bead, -20 * bead, 5 * bead}, {40 * bead, 0, 0}, {0, 40 * bead, 0}, 3));
  plate.motion = {{Translation{{0, 0, -20}}}};  // a fifth of a radius per step: it pushes the beads away
  EXPECT_EQ(outcome(scene).text, "");
}

TEST_F(FastBoundaries, ShellsAreFoundOnBothSides) {
  const std::function<void(Scene&)> shells[] = {
      [](Scene& s) {
        add_cylinder(s, {0, 0, 5.2 * bead}, {0, 0, 60 * bead}, 4 * bead);
      },  // its rim comes down
      [](Scene& s) {
        add_cylinder(s, {-30 * bead, 0, 15 * bead}, {30 * bead, 0, 15 * bead}, 8 * bead);
      },  // its near side
      [](Scene& s) {
        add_cylinder(s, {-30 * bead, 0, -1 * bead}, {30 * bead, 0, -1 * bead}, 14.5 * bead);
      },  // its far side, from within
  };
  for (const auto& add : shells) {
    for (const double speed : {170.0, 400.0, 3300.0}) {
      Scene scene = bed_of_beads();
      add(scene);
      scene.boundaries[0].motion = {{Translation{{0, 0, -speed}}}};
      expect_named(outcome(scene), scene.boundaries[0].name);
    }
  }
  for (const bool ball : {false, true}) {
    Scene scene = bed_of_beads();
    SceneBoundary shell;
    shell.name = "shell";
    if (ball) {
      shell.shape = SphereBoundary{{0, 0, 22 * bead}, 15 * bead};
    } else {
      shell.shape = ConeBoundary{{0, 0, 5 * bead}, {0, 0, 30 * bead}, 2 * bead, 12 * bead};
    }
    shell.motion = {{Translation{{0, 0, -410}}}};
    scene.boundaries = {shell};
    expect_named(outcome(scene), "shell");
  }
}

TEST_F(FastBoundaries, ABladeThatTurnsFast) {
  // The axis stands beside the bed, and the blade sweeps through the far half of the bed.
  for (const double rate :
       {2e4, 1e5, 2 * 3.14159265358979 * 1e5}) {  // the last one turns once in a step: it seems to rest
    Scene scene = bed_of_beads();
    SceneBoundary& blade = add_mesh(scene, sheet({0, 5 * bead, -5 * bead}, {0, 20 * bead, 0}, {0, 0, 10 * bead}, 2));
    blade.motion = {{Rotation{{0, 0, 1}, {15 * bead, 0, 0}, rate}}};
    expect_named(outcome(scene), blade.name);
  }
}

TEST_F(FastBoundaries, TheSpeedOfTheParticlesCounts) {
  // 70 m/s against 70 m/s: each is slower than a radius per step, but not both together. Beads that move along with the
  // plate are unharmed.
  for (const double speed : {70.0, -68.0}) {
    Scene scene = bed_of_beads({0, 0, speed});
    SceneBoundary& plate =
        add_mesh(scene, sheet({-20 * bead, -20 * bead, 14.3 * bead}, {40 * bead, 0, 0}, {0, 40 * bead, 0}, 3));
    plate.motion = {{Translation{{0, 0, -70}}}};
    const Outcome found = outcome(scene, 20);
    if (speed > 0) {
      expect_named(found, plate.name);
    } else {
      EXPECT_EQ(found.text, "");
    }
  }
}

TEST_F(FastBoundaries, DrivenByForces) {
  Scene scene = bed_of_beads();
  SceneBoundary& plate =
      add_mesh(scene, sheet({-20 * bead, -20 * bead, 1000 * bead}, {40 * bead, 0, 0}, {0, 40 * bead, 0}, 3));
  Drive drive;
  drive.translation = DrivenTranslation{.mass = 1, .force = {0, 0, -2e6}};  // 2000 m/s at the bed
  plate.drive = drive;
  const Outcome found = outcome(scene, 1000);
  expect_named(found, plate.name);
  EXPECT_NEAR(double(found.step), 100, 2);  // 1 m = a t^2 / 2
}

TEST_F(FastBoundaries, DrivenFromRestInOneStep) {
  // The plate is at rest when the lists are made, and moves 40 mm in the next step.
  Scene scene = bed_of_beads();
  SceneBoundary& plate =
      add_mesh(scene, sheet({-20 * bead, -20 * bead, 20 * bead}, {40 * bead, 0, 0}, {0, 40 * bead, 0}, 3));
  Drive drive;
  drive.translation = DrivenTranslation{.mass = 1e-3, .force = {0, 0, -8e5}};
  plate.drive = drive;
  expect_named(outcome(scene, 3), plate.name);
}

TEST_F(FastBoundaries, TheReportNamesTheLowestId) {
  std::string first;
  for (const double verlet : {0.05, 1.0}) {
    for (const int threads : {1, 3}) {
      Scene scene = bed_of_beads();
      scene.verlet_distance = verlet * bead;
      SceneBoundary& plate =
          add_mesh(scene, sheet({-20 * bead, -20 * bead, 30 * bead}, {40 * bead, 0, 0}, {0, 40 * bead, 20 * bead}, 3));
      plate.motion = {{Translation{{0, 0, -400}}}};
      const auto engine = make_backend_engine(scene, threads);
      try {
        engine->advance(100);
        FAIL();
      } catch (const KernelFault& fault) {
        const std::string text = fault.what() + std::to_string(fault.ids().at(0)) + " " + std::to_string(fault.step());
        EXPECT_EQ(text, first.empty() ? first = text : first);
      }
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::fast_boundaries_test
