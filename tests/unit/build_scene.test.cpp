#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "built_scenes.hpp"
#include "case_errors.hpp"
#include "host/geometry/real3.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"

namespace scree::build_scene_test {

using namespace test::built_scenes;
using test::error_of;
using test::ScratchFolder;

// Soft particles would take long steps, but a run ends where a particle moves by more than its radius in one.
TEST(BuildScene, FastParticlesMoveByATenthOfTheirRadiusAtMost) {
  Case input = small_case();
  input.materials[0].second.young_modulus = 1e3;
  input.particles[0].velocity = {40, 0, 0};
  SceneReport report;
  const Scene scene = build_scene(input, report);
  EXPECT_LE(scene.time_step, 0.1 * 0.05 / 40);
  EXPECT_GT(scene.time_step, 0.099 * 0.05 / 40);
  EXPECT_IN("auto: at 40 m/s, the speed of likely impacts, particles move by 0.1 of the smallest radius",
            report.time_step_reason);
}

// A wall that oscillates faster than the particles did a wrong work, unnoticed.
TEST(BuildScene, AutomaticStepsResolveOscillationsOfBoundaries) {
  Case input = small_case();
  Oscillation swing;
  swing.direction = Real3{0, 0, 1};
  swing.amplitude = 1e-6;
  swing.frequency = 20000;
  const std::string reason = "1/50 of the period of 5e-05 s of boundaries.floor.motion";
  input.boundaries[0].second.motion = {{swing}};
  SceneReport report;
  EXPECT_NEAR(build_scene(input, report).time_step, 1e-6, 1e-8);
  EXPECT_EQ(report.time_step_reason, "auto: " + reason);
  EXPECT_TRUE(report.warnings.empty());
  input.time.adaptive = true;
  const Scene adaptive = build_scene(input, report);
  EXPECT_NEAR(adaptive.time_step, 1e-6, 1e-8);
  EXPECT_NEAR(adaptive.adaptive->safety * adaptive.adaptive->impact_limit, 1e-6, 1e-8);
  EXPECT_IN(reason, report.time_step_reason);
  input.time.adaptive = false;
  input.boundaries[0].second.motion.clear();
  swing.direction = Real3{1, 0, 0};
  input.boundaries[0].second.surface_motion = {{swing}};
  const std::string chosen = report_of(input).time_step_reason;
  EXPECT_IN("boundaries.floor.surface_motion", chosen);

  input.time.step = 2e-6;
  EXPECT_TRUE(report_of(input).warnings.empty());
  input.time.step = 3e-6;
  const std::vector<std::string> warnings = report_of(input).warnings;
  ASSERT_FALSE(warnings.empty());
  EXPECT_IN("time.step: 3e-06 s is longer than a 20th of the period of 5e-05 s of boundaries.floor.surface_motion",
            warnings.back());
}

TEST(BuildScene, ResolvesNamesUnitsAndChoices) {
  Case input = small_case();
  input.particles[0].velocity = {1, 2, 3};
  input.particles[0].angular_velocity = {4, 5, 6};
  SceneReport report;
  const Scene scene = build_scene(input, report);
  ASSERT_EQ(scene.particles.size(), 200u);
  EXPECT_EQ(scene.particles.velocity[199], (Real3{1, 2, 3}));
  EXPECT_EQ(scene.particles.angular_velocity[0], (Real3{4, 5, 6}));
  EXPECT_EQ(scene.particles.material[7], 0u);
  ASSERT_EQ(scene.boundaries.size(), 1u);
  EXPECT_EQ(scene.boundaries[0].material, 1u);
  EXPECT_EQ(std::get<PlaneBoundary>(scene.boundaries[0].shape).normal, (Real3{0, 0, 1}));
  EXPECT_EQ(scene.pairs.size(), 4u);
  EXPECT_LE(scene.time_step, 0.2 * report.time_step_limit);
  EXPECT_GT(scene.time_step, 0.19 * report.time_step_limit);
  EXPECT_EQ(report.time_step_reason,
            "auto: 0.9 of the critical step of glass spheres of radius 50 mm with 5.5 contacts that overlap by 20 % of "
            "the radius on impact at 4.1 m/s, "
            "some with boundary \"floor\"");
  EXPECT_TRUE(report.warnings.empty()) << report.warnings[0];
  input.materials[0].second.young_modulus = 1e10;
  (void)build_scene(input, report);
  EXPECT_EQ(report.time_step_reason, "auto: 0.2 of the Rayleigh time 0.000135 s of glass spheres of radius 50 mm");
}

TEST(BuildScene, ChoosesTheVerletDistance) {
  Case input = small_case();
  SceneReport report;
  const auto expect = [&](const Neighbours& neighbours, double distance, bool automatic, double interval,
                          const std::string& reason) {
    input.neighbours = neighbours;
    const Scene scene = build_scene(input, report);
    EXPECT_EQ(scene.verlet_distance, distance);
    EXPECT_EQ(scene.verlet_auto, automatic);
    EXPECT_EQ(scene.target_interval, interval);
    EXPECT_EQ(report.verlet_reason, reason);
  };
  const std::string by_itself = "auto: at least 0.1 of the smallest radius 50 mm, more for faster particles";
  expect({}, 0.1 * 0.05, true, 0, by_itself + ", by the measured times of steps and searches");
  expect({std::nullopt, 60}, 0.1 * 0.05, true, 60, by_itself + ", for 60 steps");
  expect({VerletFraction{0.2}, std::nullopt}, 0.2 * 0.05, false, 0, "given: 0.2 of the smallest radius 50 mm");
  expect({VerletFraction{0.2}, 60}, 0.2 * 0.05, false, 60,
         "given: 0.2 of the smallest radius 50 mm, 10 to 100 % of it by speed, for 60 steps");
  expect({VerletLength{0.003}, std::nullopt}, 0.003, false, 0, "given");
  expect({VerletLength{0.003}, 1}, 0.003, false, 1, "given, 10 to 100 % of it by speed, for 1 step");
}

TEST(BuildScene, EqualCasesGiveEqualBytes) {
  Case input = small_case();
  input.particles.push_back(fill_group(300));
  const Scene first = build(input), again = build(input);
  EXPECT_EQ(first.particles.position, again.particles.position);
  EXPECT_EQ(first.particles.radius, again.particles.radius);
  input.seed = 2;
  const Scene other = build(input);
  EXPECT_NE(first.particles.position, other.particles.position);
}

TEST(BuildScene, GroupsKeepTheirOrderAndFillsKeepClearOfAllOthers) {
  Case input = small_case();
  input.particles = {fill_group(100), lattice_group(), fill_group(100)};
  const Scene scene = build(input);
  ASSERT_EQ(scene.particles.size(), 400u);
  EXPECT_EQ(scene.particles.radius[0], 0.04);
  EXPECT_EQ(scene.particles.radius[100], 0.05);
  EXPECT_EQ(scene.particles.material[100], 0u);
  EXPECT_EQ(scene.particles.material[399], 1u);
  const auto& particles = scene.particles;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = geometry::length(geometry::subtract(particles.position[i], particles.position[j]));
      ASSERT_GE(distance, (particles.radius[i] + particles.radius[j]) * (1 - 1e-12)) << i << " " << j;
    }
  }
}

TEST(BuildScene, AnotherGroupsSizeDoesNotMoveThisOne) {
  Case input = small_case();
  input.particles = {fill_group(50)};
  const Scene alone = build(input);
  input.particles.push_back(fill_group(70));
  const Scene both = build(input);
  const auto& places = alone.particles.position;
  EXPECT_TRUE(std::equal(places.begin(), places.end(), both.particles.position.begin()));
}

TEST(BuildScene, OutletsComeFirstThenSixSidesCountedAsOutside) {
  Case input = small_case();
  input.domain.outlets = {{"spout", {{0, 0, -1}, {0, 0, -2}}}};
  input.domain.remove_outside = BoxRegion{{-1, -1, -1}, {2, 2, 2}};
  const Scene scene = build(input);
  EXPECT_EQ(scene.outlet_names, (std::vector<std::string>{"spout", "outside"}));
  ASSERT_EQ(scene.outlets.size(), 7u);
  EXPECT_EQ(scene.outlets[0].normal, (Real3{0, 0, -1}));
  const auto removed = [&](const Real3& p) {
    return std::any_of(scene.outlets.begin() + 1, scene.outlets.end(), [&](const SceneOutlet& outlet) {
      EXPECT_EQ(outlet.counter, 1u);
      return geometry::dot(geometry::subtract(p, outlet.point), outlet.normal) > 0;
    });
  };
  EXPECT_FALSE(removed({0, 0, 0}) || removed({-1, 2, 2}));
  for (std::size_t k = 0; k < 3; ++k) {
    Real3 low{}, high{};
    low[k] = -1.01, high[k] = 2.01;
    EXPECT_TRUE(removed(low) && removed(high));
  }
}

TEST(BuildScene, MeshBoundaryIsReadScaledAndWarnedAbout) {
  const ScratchFolder folder;
  test::write_stl(folder / "box.stl", test::sample_box({0, 0, 0}, {1, 1, 1}));
  Case input = small_case();
  input.folder = folder.path();
  Boundary mesh;
  mesh.shape = MeshBoundary{.file = "box.stl", .scale = 2, .translate = {-0.5, -0.5, -0.5}};
  mesh.material = "steel";
  input.boundaries.push_back({"cage", mesh});
  const Scene scene = build(input);
  ASSERT_EQ(scene.boundaries[1].mesh.vertices.size(), 8u);
  EXPECT_EQ(scene.boundaries[1].mesh.vertices[0], (Real3{-0.5, -0.5, -0.5}));
  EXPECT_TRUE(report_of(input).warnings.empty());

  std::get<MeshBoundary>(input.boundaries[1].second.shape).translate = {0, -0.5, 0.02};
  const auto warnings = report_of(input).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_IN("boundaries.cage: 100 particles overlap it at the start", warnings[0]);
}

TEST(BuildScene, FileParticlesCarryTheirVelocities) {
  const ScratchFolder folder;
  test::write_text(folder / "bed.csv", "x,y,z,radius,vx,vy,vz\n0,0,1,0.1,1,2,3\n0.199,0,1,0.1,0,0,0\n");
  Case input = small_case();
  input.folder = folder.path();
  input.particles[0] = {};
  input.particles[0].material = "glass";
  input.particles[0].file = "bed.csv";
  input.particles[0].angular_velocity = {7, 7, 7};
  const Scene scene = build(input);
  EXPECT_EQ(scene.particles.velocity[0], (Real3{1, 2, 3}));
  EXPECT_EQ(scene.particles.velocity[1], (Real3{}));
  EXPECT_EQ(scene.particles.angular_velocity[1], (Real3{7, 7, 7}));
  input.particles[0].velocity = {9, 9, 9};
  EXPECT_IN("particles.0.file: has the columns vx, vy, vz, so the entry must not give \"velocity\"",
            error_of([&] { static_cast<void>(build(input)); }));
}

TEST(BuildScene, FileParticlesCarryTheirTemperaturesAndFilms) {
  const ScratchFolder folder;
  int n_files = 0;
  const auto with_file = [&](const std::string& columns) {
    const std::string name = "two" + std::to_string(++n_files) + ".csv";
    test::write_text(folder / name, "x,y,z,radius," + columns);
    Case input = small_case();
    input.folder = folder.path();
    input.materials[0].second.thermal = Thermal{1, 800};
    input.materials[1].second.thermal = Thermal{1, 800};
    ParticleGroup group;
    group.material = "glass";
    group.file = name;
    input.particles = {group};
    return input;
  };
  const auto heat = [](Case input) {
    input.heat = HeatSettings{};
    return input;
  };
  const auto films = [](Case input) {
    ContactRule rule;
    rule.between = {"*", "*"};
    rule.liquid = LiquidBridges{};
    rule.liquid->surface_tension = 0.07;
    rule.liquid->volume = 1e-9;
    rule.liquid->from_films = true;
    input.contacts = {rule};
    return input;
  };
  const Case hot = heat(with_file("temperature\n0,0,1,0.05,310\n0,0,2,0.05,320\n"));
  EXPECT_EQ(build(hot).particles.temperature, (std::vector<double>{310, 320}));
  const Case wet = films(with_file("film\n0,0,1,0.05,0.5\n0,0,2,0.05,0\n"));
  const std::vector<double> film = build(wet).particles.film;
  ASSERT_EQ(film.size(), 2U);
  EXPECT_NEAR(film[0], 0.5 * 4.0 / 3 * std::numbers::pi * 0.05 * 0.05 * 0.05, 1e-18);
  EXPECT_EQ(film[1], 0);

  Case both = hot;
  both.particles[0].temperature = 300;
  const auto error = [](const Case& input) { return error_of([&] { (void)build(input); }); };
  EXPECT_IN("has a column \"temperature\", so the entry must not give one", error(both));
  EXPECT_IN("has a column \"film\", but no rule of contacts has \"liquid\" with \"from_films\"",
            error(with_file("film\n0,0,1,0.05,0.5\n")));
  EXPECT_IN("has a column \"temperature\", but the case has no \"heat\"",
            error(with_file("temperature\n0,0,1,0.05,310\n")));
}

TEST(BuildScene, RotationAxesBecomeUnitVectors) {
  Case input = small_case();
  input.boundaries[0].second.motion = {{Rotation{{0, 3, 4}, {}, 1}, 0, 2}};
  EXPECT_EQ(std::get<Rotation>(build(input).boundaries[0].motion[0].kind).axis, (Real3{0, 0.6, 0.8}));
  input.boundaries[0].second.motion = {{Rotation{{0, 0, 0}, {}, 1}, 0, 2}};
  EXPECT_IN("boundaries.floor.motion.0.axis", error_of([&] { build(input); }));
}

// 30 revolutions per minute are half a turn per second, pi rad/s. The product 30 (2 pi) and its division by 60 are
// rounded once each, by at most 1.1e-16 of the value: 7e-16 rad/s.
TEST(BuildScene, RevolutionsPerMinuteBecomeARate) {
  Case input = small_case();
  Rotation turn{{0, 3, 4}, {}};
  turn.rpm = -30;
  RunStage stage;
  stage.name = "turn";
  stage.boundaries = {{"floor", {}}};
  stage.boundaries[0].second.motion = {{turn}};
  input.stages = {stage};
  input.boundaries[0].second.motion = {{turn, 0, 2}};
  GroupSettings wheel;
  wheel.fixed = {"x", "y", "z", "rx", "ry", "rz"};
  wheel.rotation = turn;
  input.groups = {{"wheel", wheel}};
  const Scene scene = build(input);
  const auto expect_half_a_turn = [](const Rotation& found) {
    EXPECT_NEAR(found.rate.value(), -std::numbers::pi, 1e-15);
    EXPECT_FALSE(found.rpm);
    EXPECT_EQ(found.axis, (Real3{0, 0.6, 0.8}));
  };
  expect_half_a_turn(std::get<Rotation>(scene.boundaries[0].motion[0].kind));
  expect_half_a_turn(std::get<Rotation>(scene.stages[0].boundaries.at(0).motion->at(0).kind));
  expect_half_a_turn(*scene.groups.at(1).rotation);
  // A golden case gives this rate in revolutions per minute; its hash is that of 60 rad/s.
  Rotation other;
  other.rpm = 572.9577951308232;
  EXPECT_EQ(other.radians_per_second(), 60);
}

}  // namespace scree::build_scene_test
