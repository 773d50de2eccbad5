#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
#include "start_runs.hpp"

/// Cases that start from level-set grains of another run.
namespace scree::test::start_from_grains_test {

class StartWithGrains : public testing::TestWithParam<const char*>, protected StartRuns {
 protected:
  static std::string head(const std::string& materials, const std::string& half_axes) {
    return R"({ "time": { "duration": 0.02, "step": 2e-5 }, "precision": ")" + std::string(GetParam()) +
           R"(", "materials": {)" + materials + R"(}, "shapes": {
             "bean": { "type": "level_set", "superellipsoid": { "half_axes": )" +
           half_axes + R"(, "exponents": [0.7, 0.8] }, "grid_spacing": 8e-4 } }, )";
  }
  static std::string material(const std::string& name) {
    return "\"" + name + R"(": { "density": 2000, "young_modulus": 5e6, "poisson_ratio": 0.3, "friction": 0.5,
                                 "restitution": 0.4 })";
  }
  static constexpr const char* walls = R"(
    "boundaries": { "walls": { "type": "box", "min": [0, 0, 0], "max": [0.03, 0.03, 1], "material": "other" } })";
  static constexpr const char* bean = "[0.0047, 0.004, 0.0035]";

  /// Beans that fall among spheres. Some leave upwards.
  void pack() {
    write_text(folder_ / "packing.json", head(material("other") + "," + material("clay"), bean) + walls + R"(,
      "domain": { "outlets": { "top": { "point": [0, 0, 0.07], "normal": [0, 0, 1] } } },
      "particles": [
        { "shape": "bean", "material": "clay", "velocity": [0, 0, 2],
          "lattice": { "box": [[0, 0, 0.05], [0.03, 0.03, 0.06]], "spacing": 0.01 } },
        { "shape": "bean", "material": "clay", "velocity": [0.2, 0.1, -0.6], "angular_velocity": [30, 10, 50],
          "lattice": { "box": [[0, 0, 0], [0.03, 0.03, 0.02]], "spacing": 0.01 } },
        { "material": "other", "radius": 0.004, "velocity": [0, 0.2, -1],
          "lattice": { "box": [[0, 0, 0.02], [0.03, 0.03, 0.03]], "spacing": 0.01 } },
        { "shape": "bean", "material": "other", "velocity": [0, 0, -1],
          "lattice": { "box": [[0, 0, 0.03], [0.03, 0.03, 0.05]], "spacing": 0.01 } } ],
      "output": { "checkpoints": { "every": 0.02 } } })");
    ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  }
  void prepare(const std::string& materials, const std::string& half_axes = bean) {
    write_text(folder_ / "case.json", head(materials, half_axes) + walls +
                                          R"(, "start": "packing", "output": { "checkpoints": { "every": 0.001 } } })");
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, StartWithGrains, testing::Values("mixed", "double"));

/// The materials stand in another order, so grains and their contacts find them by names. The shear of all nodes comes
/// along: without it the tangential forces of the next step would be those of dashpots.
TEST_P(StartWithGrains, TheNextForcesAreThoseOfTheOldRun) {
  pack();
  prepare(material("clay") + "," + material("other"));
  const auto old = old_engine();
  Started next = started();
  const SnapshotRequest request{.coordination = true};
  const Snapshot before = old->snapshot(request), after = next.engine->snapshot(request);
  ASSERT_GT(old->counts().removed.at(0), 5U) << "some are gone, so that ids move up";
  EXPECT_EQ(after.position, before.position);
  EXPECT_EQ(after.coordination, before.coordination) << "the contacts that go on";
  ASSERT_EQ(after.clumps.size(), before.clumps.size());
  for (std::size_t c = 0; c < after.clumps.size(); ++c) {
    EXPECT_EQ(after.clumps[c].orientation, before.clumps[c].orientation);
    EXPECT_EQ(after.clumps[c].mass, before.clumps[c].mass);
  }
  const auto b = expect_same_next_forces(*old, *next.engine, 40);
  std::size_t sheared = 0;
  for (const TouchingContact& c : b) {
    const Real3 along = geometry::scaled(c.normal, geometry::dot(c.force, c.normal));
    if (geometry::length(geometry::subtract(c.force, along)) > 0.1 * geometry::length(along)) { ++sheared; }
  }
  EXPECT_GT(sheared, 10U) << "else the test does not see the history";
}

TEST_P(StartWithGrains, RunsAndResumesToTheSameBits) {
  pack();
  prepare(material("clay") + "," + material("other"));
  ASSERT_EQ(run("case.json", "whole", false, 120), exit_done) << terminal_.str();
  const std::string whole = hash();
  ASSERT_EQ(run("case.json", "out", false, 47), exit_done);
  ASSERT_EQ(run("case.json", "out", true, 120), exit_done);
  EXPECT_EQ(hash(), whole);
}

TEST_P(StartWithGrains, OtherTemplatesAreRefused) {
  pack();
  for (const char* other : {"[0.0048, 0.004, 0.0035]", "[0.0047, 0.004, 0.0036]"}) {
    prepare(material("clay") + "," + material("other"), other);
    EXPECT_IN("that are of the shape \"bean\" are not as \"shapes.bean\" of this case",
              error_of([&] { (void)started(); }));
  }
}

TEST_P(StartWithGrains, OtherForcesOfNodesAreAWarning) {
  pack();
  prepare(material("clay") + "," + material("other"));
  const auto warnings_with = [&](const std::vector<std::string>& settings) {
    SceneReport report;
    (void)build_scene(read_case(folder_ / "case.json", settings), report);
    std::string all;
    for (const std::string& warning : report.warnings) { all += warning + "\n"; }
    return all;
  };
  EXPECT_EQ(warnings_with({}).find("grain_contacts"), std::string::npos);
  const std::string both = warnings_with({"grain_contacts={\"two_pass\":true,\"by_area\":false}"});
  EXPECT_IN("start: \"grain_contacts.two_pass\" was false for the grains of ", both);
  EXPECT_IN("start: \"grain_contacts.by_area\" was true for the grains of ", both);
  EXPECT_IN(" and is false in this case, so their contact forces change at once", both);
}

TEST_P(StartWithGrains, OtherNodesOfTheSameTemplateAreRefused) {
  pack();
  prepare(material("clay") + "," + material("other"));
  EXPECT_NO_THROW((void)started());
  for (const char* other : {"shapes.bean.node_spacing=0.8", "shapes.bean.grid_spacing=4.1e-4"}) {
    EXPECT_IN("of the shape \"bean\" with another \"grid_spacing\" or \"node_spacing\" than",
              error_of([&] { (void)started({other}); }));
  }
}

}  // namespace scree::test::start_from_grains_test
