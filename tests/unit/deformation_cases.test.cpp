#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

#include "case_in_folder.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/grains/grain_file.hpp"
#include "host/grains/solid.hpp"
#include "host/output/grain_surfaces.hpp"
#include "host/run/exit_code.hpp"
#include "host/scene/build_scene/grains.hpp"
#include "host/scene/time_step.hpp"
#include "scree/engine.hpp"
#include "start_runs.hpp"

// Level-set grains that deform in a case file: what is refused, the scene that comes of them, surfaces, starts.
namespace scree::test::deformation_cases_test {

const std::string base = R"({
  "time": { "duration": 0.1 }, "seed": 3,
  "materials": { "m": { "density": 1000, "young_modulus": 1e6, "poisson_ratio": 0.2, "friction": 0.3,
    "restitution": 0.5 } },
  "shapes": {
    "ball": { "type": "level_set", "sphere": { "radius": 0.002 }, "grid_spacing": 4e-4,
              "deformation": { "forms": ["homogeneous"], "damping_ratio": 0.1 } } },
  "particles": [
    { "shape": "ball", "material": "m", "radius": 3e-3, "fill": { "box": [[0, 0, 0], [0.04, 0.04, 0.04]], "count": 6 } } ]
})";

class DeformationCase : public CaseInFolder {
 protected:
  DeformationCase() : CaseInFolder(base) { ::setenv("SCREE_CACHE", (folder / "cache").c_str(), 1); }
  ~DeformationCase() override { ::unsetenv("SCREE_CACHE"); }
};

TEST_F(DeformationCase, MistakesGetOneSentenceEach) {
  const std::string key = "shapes.ball.deformation";
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {key + "={\"damping_ratio\":0.1}", key + ".forms: is missing: the template has no modes of its own"},
      {key + ".count=3", key + ".count: is for the modes of a template"},
      {key + ".mass=[1e-6]", key + ".mass: must have a value for each of the 6 modes, has 1"},
      {key + "={\"forms\":[\"strain_zz\"],\"mass\":[1e-6]}", key + ".stiffness: must have a value for each of the 1"},
      {key + "={\"forms\":[\"strain_zz\"],\"mass\":[1e-6],\"table\":[[2e-4,1],[1e-4,2]]}",
       key + ".table: must have amplitudes above 0 that ascend"},
      {key + "={\"forms\":[\"strain_xx\",\"strain_xx\"]}", key + ": modes are not independent"},
      {key + "={\"forms\":[\"strain_zz\"],\"mass\":[1e-6],\"stiffness\":[1],\"deforming_inertia\":true}",
       key + ".deforming_inertia: is for modes whose masses follow from the density"},
      {key + ".forms=[\"strain_xw\"]", key + ".forms"}};
  for (const auto& [setting, message] : mistakes) {
    const std::string error = error_with({setting});
    EXPECT_IN(message, error);
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

// Both modes of the template have a stiffness, but their difference has a negative one: 1 - 2 + 1 - 2.
TEST_F(DeformationCase, TemplatesWhoseModesGainEnergyAreRefused) {
  const auto error_with_stiffness = [&](const std::vector<double>& stiffness) {
    grains::GrainTemplate grain = grains::make_grain(*grains::make_sphere(0.002), {4e-4, 0.9}, "ball");
    const grains::Grid grid = grains::grid_of(grain.shape);
    GrainModes& modes = grain.shape.modes;
    modes.count = 2;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const auto along = [&](const Real3& x) {
        Real3 u{};
        u[axis] = x[axis] / 0.002;
        return u;
      };
      grains::for_each_point(grid, 0, [&](std::size_t, std::size_t i, std::size_t j, std::size_t k) {
        const Real3 u = along(grid.place(i, j, k));
        modes.field.push_back({static_cast<float>(u[0]), static_cast<float>(u[1]), 0});
      });
      for (const Real3& node : grain.shape.node) { modes.at_node.push_back(along(node)); }
    }
    const double mass = 0.2 * grain.shape.volume;  // the mean of x^2 is r^2 / 5
    modes.mass = {mass, 0, 0, mass};
    modes.stiffness = stiffness;
    modes.poisson_ratio = 0.2;
    modes.largest = {0, 0};
    grain.shape.hash = grains::hash_of(grain.shape);
    grains::write_grain(grain, folder / "ball.h5");
    return error_with({R"(shapes={"ball":{"type":"level_set","file":"ball.h5"}})"});
  };
  EXPECT_EQ(error_with_stiffness({1e-3, 5e-4, 5e-4, 1e-3}), "no error");
  EXPECT_EQ(error_with_stiffness({1e-3, 1e-3, 1e-3, 1e-3}), "no error") << "0 is no negative stiffness";
  const std::string refused = "shapes.ball.file: the stiffness of the modes is negative: some sum of them gains energy";
  EXPECT_EQ(error_with_stiffness({1e-3, 2e-3, 2e-3, 1e-3}), refused);
  EXPECT_EQ(error_with_stiffness({1e-3, 0, 0, -1e-3}), refused);
}

// Three strains along the axes, of which two have frequencies that differ by 1 %.
TEST(DeformationCount, APartOfAGroupOfEqualFrequenciesIsAWarning) {
  GrainShape whole = grains::make_grain(*grains::make_sphere(0.002), {4e-4, 0.9}, "ball").shape;
  const grains::Grid grid = grains::grid_of(whole);
  GrainModes& modes = whole.modes;
  modes.count = 3;
  modes.mass.assign(9, 0), modes.stiffness.assign(9, 0), modes.largest.assign(3, 0);
  modes.poisson_ratio = 0.2;
  const std::array<double, 3> stiffness{1e-3, 2e-3, 2.04e-3};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    grains::for_each_point(grid, 0, [&](std::size_t, std::size_t i, std::size_t j, std::size_t k) {
      std::array<float, 3> u{};
      u[axis] = static_cast<float>(grid.place(i, j, k)[axis] / 0.002);
      modes.field.push_back(u);
    });
    for (const Real3& node : whole.node) {
      Real3 u{};
      u[axis] = node[axis] / 0.002;
      modes.at_node.push_back(u);
    }
    modes.mass[4 * axis] = 0.2 * whole.volume;  // the mean of x^2 is r^2 / 5
    modes.stiffness[4 * axis] = stiffness[axis];
  }
  const auto warnings_with = [&](std::uint64_t count) {
    GrainShape shape = whole;
    LevelSetTemplate source;
    source.deformation = Deformation{};
    source.deformation->count = count;
    std::vector<std::string> notes, warnings;
    give_modes(shape, source, Case{}, notes, warnings);
    EXPECT_EQ(shape.modes.count, count);
    return warnings;
  };
  for (const std::uint64_t count : {0U, 1U, 3U}) { EXPECT_TRUE(warnings_with(count).empty()) << count; }
  const auto split = warnings_with(2);
  ASSERT_EQ(split.size(), 1U);
  EXPECT_IN(
      "shapes.ball.deformation.count: the first 2 modes have only some of the modes 1 to 2 (counted from 0), which "
      "have equal frequencies",
      split[0]);
  EXPECT_IN("take 1 or 3", split[0]);
}

TEST_F(DeformationCase, DeformingInertiaNeedsFreeRotations) {
  const std::vector<std::string> settings = {"shapes.ball.deformation.deforming_inertia=true", "particles.0.group=held",
                                             "groups={\"held\":{\"fixed\":[\"x\",\"rz\"]}}"};
  EXPECT_EQ(error_with(settings),
            "groups.held: fixes a rotation of grains of the shape \"ball\", whose `deforming_inertia` needs free "
            "rotations");
  EXPECT_TRUE(built({settings[0], settings[1], "groups={\"held\":{\"fixed\":[\"x\"]}}"}).grain_shapes[0].modes.inertia);
}

// The contacts act on the masses of the modes, too: the automatic step is shorter than that of rigid grains.
TEST_F(DeformationCase, HasModesAndAShorterStepThanRigidGrains) {
  const Scene scene = built();
  ASSERT_EQ(scene.grain_shapes.at(0).modes.count, 6U);
  EXPECT_EQ(scene.grain_shapes[0].modes.damping.ratio, 0.1);
  EXPECT_GT(scene.clump_shapes.at(0).radius.at(0), 1.1 * scene.grain_shapes[0].bounding_radius) << "room to bulge";
  const Scene rigid =
      built({"shapes.ball={\"type\":\"level_set\",\"sphere\":{\"radius\":0.002},\"grid_spacing\":4e-4}"});
  EXPECT_EQ(rigid.grain_shapes.at(0).modes.count, 0U);
  EXPECT_LT(scene.time_step, 0.6 * rigid.time_step);
  EXPECT_GT(scene.time_step, 0.1 * rigid.time_step);
}

// The limit that a given step is compared with counts the modes, as the automatic step does.
TEST_F(DeformationCase, AGivenStepIsComparedWithALimitOfTheModes) {
  const auto limit_of = [&](const std::string& shape, std::string& reason) {
    SceneReport report;
    static_cast<void>(build_scene(parsed({"time.step=1e-3", shape}), report));
    reason = report.time_step_reason;
    EXPECT_FALSE(report.warnings.empty());
    EXPECT_IN("time.step: 0.001 s is above the limit, the ", report.warnings.front());
    return report.time_step_limit;
  };
  std::string reason;
  const double rigid =
      limit_of("shapes.ball={\"type\":\"level_set\",\"sphere\":{\"radius\":0.002},\"grid_spacing\":4e-4}", reason);
  EXPECT_EQ(reason.find("deform"), std::string::npos) << reason;
  const double soft = limit_of("shapes.ball.deformation.damping_ratio=0.1", reason);
  EXPECT_LT(soft, 0.6 * rigid);
  EXPECT_IN("given; the limit is the stable step of grains ball that deform: contacts act on ", reason);
}

// Strains of 5 % along x, y and z at amplitudes of 5 % of the radius: modes are orthogonal, so the three strains make
// three of them, and their sum is found by the volume.
TEST_F(DeformationCase, SurfacesInFramesFollowTheModes) {
  Scene scene = built();
  const auto volume_with = [&](double amplitude) {
    for (Clump& clump : scene.particles.clumps) {
      clump.amplitude = {0, 0, 0, 0, 0, amplitude * clump.size};  // the stiffest mode is the breathing one
    }
    const auto engine = make_engine(scene, {BackendChoice::host, 1});
    return geometry::signed_volume(surfaces_of_grains(scene, engine->snapshot()).mesh);
  };
  const double radius = 0.002, change = volume_with(0.05 * radius) / volume_with(0);
  EXPECT_NEAR(std::abs(std::cbrt(change) - 1), 0.05, 1e-3);
}

class StartWithDeformation : public testing::Test, protected StartRuns {
 protected:
  /// Without forms the balls are rigid.
  static std::string text(const std::string& forms, const std::string& rest) {
    return R"({ "time": { "duration": 0.002, "step": 1e-5 }, "materials": {
        "m": { "density": 1000, "young_modulus": 1e6, "poisson_ratio": 0.2, "friction": 0.3, "restitution": 0.5 } },
      "shapes": { "ball": { "type": "level_set", "sphere": { "radius": 0.002 }, "grid_spacing": 4e-4)" +
           (forms.empty() ? "" : R"(, "deformation": { "forms": [)" + forms + "] }") + R"( } },
      "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "m" } }, )" +
           rest + "}";
  }
  static constexpr const char* three = R"("strain_xx", "strain_yy", "strain_zz")";
};

TEST_F(StartWithDeformation, AmplitudesComeAlong) {
  write_text(folder_ / "packing.json", text(three, R"("particles": [ { "shape": "ball", "material": "m",
      "velocity": [0, 0, -1], "lattice": { "box": [[0, 0, -0.0002], [0.005, 0.005, 0.006]], "spacing": 0.005 } } ],
      "output": { "checkpoints": { "every": 0.002 } })"));
  ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  write_text(folder_ / "case.json", text(three, R"("start": "packing", "output": {})"));
  const Started next = started();
  const auto old = old_engine();
  ASSERT_EQ(next.engine->snapshot().clumps.size(), old->snapshot().clumps.size());
  for (std::size_t c = 0; c < old->snapshot().clumps.size(); ++c) {
    const SnapshotClump before = old->snapshot().clumps[c], after = next.engine->snapshot().clumps[c];
    ASSERT_EQ(before.amplitude.size(), 3U);
    EXPECT_EQ(after.amplitude, before.amplitude);
    EXPECT_EQ(after.amplitude_rate, before.amplitude_rate);
    EXPECT_GT(std::abs(before.amplitude[0]) + std::abs(before.amplitude[1]) + std::abs(before.amplitude[2]), 1e-8);
  }
  write_text(folder_ / "case.json", text(R"("strain_zz")", R"("start": "packing", "output": {})"));
  EXPECT_IN("have more modes there than the 1 that the shape has here",
            error_of([&] { static_cast<void>(run("case.json", "fewer")); }));
}

// Rigid grains of a packing begin undeformed, with the forces of their contacts. The other way round is refused.
TEST_F(StartWithDeformation, RigidGrainsBeginToDeform) {
  const std::string falling = R"("particles": [ { "shape": "ball", "material": "m", "velocity": [0, 0, -0.25],
      "lattice": { "box": [[0, 0, -0.0002], [0.005, 0.005, 0.006]], "spacing": 0.005 } } ],
      "output": { "checkpoints": { "every": 0.002 } })",
                    from_packing = R"("start": "packing", "output": {})";
  write_text(folder_ / "packing.json", text("", falling));
  ASSERT_EQ(run("packing.json", "packing", false, 50), exit_done) << terminal_.str();
  const Snapshot before = old_engine()->snapshot();
  ASSERT_TRUE(before.clumps.at(0).amplitude.empty());
  write_text(folder_ / "case.json", text(three, from_packing));
  SceneReport report;
  const Scene scene = build_scene(read_case(folder_ / "case.json"), report);
  EXPECT_NEAR(scene.particles.radius.at(0), 1.15 * before.radius.at(0), 1e-6 * before.radius.at(0));
  const auto is_told = [](const std::string& warning) {
    return warning.find("the shape \"ball\" were rigid and deform from now on") != std::string::npos;
  };
  EXPECT_EQ(std::count_if(report.warnings.begin(), report.warnings.end(), is_told), 1);
  Started next = started();
  const Snapshot after = next.engine->snapshot();
  EXPECT_EQ(after.position, before.position);
  EXPECT_EQ(after.clumps.at(0).amplitude, (std::vector<double>{0, 0, 0}));
  next.engine->advance(20);
  const SnapshotClump later = next.engine->snapshot().clumps.at(0);
  double bulged = 0;
  for (const double a : later.amplitude) { bulged += std::abs(a); }
  EXPECT_GT(bulged, 1e-9) << "the floor presses it";
  write_text(folder_ / "packing.json", text(three, falling));
  ASSERT_EQ(run("packing.json", "packing", false, 50), exit_done) << terminal_.str();
  write_text(folder_ / "case.json", text("", from_packing));
  EXPECT_IN(
      "that are of the shape \"ball\" deform there, but \"shapes.ball\" of this case is rigid: give it the "
      "\"deformation\" that it has there",
      error_of([&] { static_cast<void>(started()); }));
}

// Amplitudes say nothing without their modes: one of z would become one of x.
TEST_F(StartWithDeformation, OtherModesAreRefused) {
  write_text(folder_ / "packing.json", text(R"("strain_zz")", R"("particles": [ { "shape": "ball", "material": "m",
      "velocity": [0, 0, -1], "lattice": { "box": [[0, 0, -0.0002], [0.005, 0.005, 0.006]], "spacing": 0.005 } } ],
      "output": { "checkpoints": { "every": 0.002 } })"));
  ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  const auto error_with_modes = [&](const std::string& modes) {
    write_text(folder_ / "case.json", text(modes, R"("start": "packing", "output": {})"));
    return error_of([&] { static_cast<void>(started()); });
  };
  EXPECT_EQ(error_with_modes(R"("strain_zz")"), "no error");
  const std::string sentence =
      "that are of the shape \"ball\" are deformed by other modes than those of \"shapes.ball\" of this case";
  EXPECT_IN(sentence, error_with_modes(R"("strain_xx")"));
  EXPECT_IN(sentence, error_with_modes(three));
  // Checkpoints of older versions do not tell their modes.
  const auto file = newest_checkpoint(folder_ / "packing");
  Checkpoint older = read_checkpoint(file);
  EXPECT_EQ(older.modes_hashes.size(), 16U);
  older.modes_hashes.clear();
  write_checkpoint(file, std::move(older));
  EXPECT_EQ(error_with_modes(R"("strain_xx")"), "no error");
}

}  // namespace scree::test::deformation_cases_test
