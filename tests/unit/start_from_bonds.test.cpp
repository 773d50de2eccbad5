#include <set>
#include <string>

#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
#include "series_columns.hpp"
#include "start_runs.hpp"

/// Cases that start from bonded particles of another run, of which some bonds have broken.
namespace scree::test::start_from_bonds_test {

class StartOfBonds : public testing::TestWithParam<const char*>, protected StartRuns {
 protected:
  static std::string bond(const std::string& form) {
    return R"("bond": { "tensile_strength": 2e4, "cohesion": 4e4, "interaction_range": 1.3, "weibull_modulus": 3)" +
           form + " } ";
  }
  static std::string rule(const std::string& form) {
    return R"("contacts": [ { "between": ["*", "*"], "law": "bonded", )" + bond(form) + "} ], \"boundaries\"";
  }
  static std::string with_rule(std::string text, const std::string& form) {
    return text.replace(text.find("\"boundaries\""), 12, rule(form));
  }
  void SetUp() override {
    write_text(folder_ / "packing.json", with_rule(packing_case(GetParam()), ""));
    write_text(folder_ / "case.json", with_rule(started_case(GetParam()), R"(, "form": "kept")"));
    ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  }
  /// The number of pieces that bonds hold together.
  static std::size_t pieces(Engine& engine) {
    const Snapshot now = engine.snapshot({.fragment = true});
    return std::set<std::uint32_t>(now.fragment.begin(), now.fragment.end()).size();
  }
  Started started_with(const std::string& form) {
    write_text(folder_ / "case.json", with_rule(started_case(GetParam()), form));
    return started();
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, StartOfBonds, testing::Values("mixed", "double"));

// Bonds have forces, offsets and random strengths of their own, so equal forces show that they have come along.
TEST_P(StartOfBonds, KeptBondsGoOn) {
  const auto old = old_engine();
  const EngineCounts before = old->counts();
  ASSERT_GT(before.bonds, 100U);
  ASSERT_GT(before.broken_bonds, 20U);
  ASSERT_GT(before.removed.at(0), 10U) << "some are gone, so that ids move up";
  Started next = started();
  EXPECT_EQ(next.engine->counts().bonds, before.bonds) << "before the first step";
  EXPECT_EQ(pieces(*next.engine), pieces(*old));
  (void)expect_same_next_forces(*old, *next.engine, 100);
  EXPECT_EQ(next.engine->counts().bonds, old->counts().bonds);
  EXPECT_EQ(next.engine->counts().broken_bonds, old->counts().broken_bonds - before.broken_bonds);
  // The velocities differ by half a step at the start, and then follow nearly the same forces.
  old->advance(100);
  next.engine->advance(100);
  EXPECT_NEAR(double(next.engine->counts().bonds), double(old->counts().bonds), 2);
}

TEST_P(StartOfBonds, TheFirstRowCountsKeptBonds) {
  const std::uint64_t whole_bonds = old_engine()->counts().bonds;
  ASSERT_EQ(run("case.json", "next", false, 1), exit_done) << terminal_.str();
  EXPECT_EQ(columns_of(folder_ / "next/series.csv").at("bonds").at(0), double(whole_bonds));
}

// Bonds of 1.3 sums of the radii stay bonds where the case, which makes none, leaves the range out. So they do in a
// third case, which starts from the second one.
TEST_P(StartOfBonds, KeptBondsNeedNoRange) {
  std::string text = with_rule(started_case(GetParam()), R"(, "form": "kept")");
  const std::string range = R"("interaction_range": 1.3, )";
  text.erase(text.find(range), range.size());
  write_text(folder_ / "case.json", text);
  const std::uint64_t whole_bonds = old_engine()->counts().bonds;
  Started next = started();
  next.engine->advance(1);
  EXPECT_EQ(next.engine->counts().bonds + next.engine->counts().broken_bonds, whole_bonds);

  ASSERT_EQ(run("case.json", "second"), exit_done) << terminal_.str();
  const auto left = read_checkpoint(checkpoints_in(folder_ / "second/checkpoints").back().second).state;
  text.replace(text.find("packing/checkpoints"), 19, "second");
  write_text(folder_ / "case.json", text);
  Started third = started();
  third.engine->advance(1);
  const EngineState after = third.engine->save();
  EXPECT_NEAR(double(left.find("pairs/ids")->rows()), double(after.find("pairs/ids")->rows()), 3) << "after a step";
  EXPECT_GT(third.engine->counts().bonds, 50U);
}

TEST_P(StartOfBonds, SaysWhichBondsEnd) {
  const std::uint64_t whole_bonds = old_engine()->counts().bonds;
  Started other = started_with(R"(, "form": "kept" }, "rolling": { "stiffness": 0.2, "friction": 0.1)");
  EXPECT_IN(std::to_string(whole_bonds) + " whole bonds end, since the law, the rolling resistance", other.notes.at(2));
  other.engine->advance(1);
  EXPECT_EQ(other.engine->counts().bonds, 0U);
}

TEST_P(StartOfBonds, OtherFormsMakeBonds) {
  // With the form "near" the packing remembers which bonds have broken.
  write_text(folder_ / "packing.json", with_rule(packing_case(GetParam()), R"(, "form": "near", "form_until": 1e-9)"));
  ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  const std::uint64_t kept = old_engine()->counts().bonds;
  Started anew = started_with("");
  EXPECT_IN("start: bonds are made anew between all particles that are near", anew.notes.at(2));
  anew.engine->advance(1);
  EXPECT_GT(anew.engine->counts().bonds, kept + 20);

  // Broken bonds of particles that have not been apart since then stay broken, so fewer bonds are made.
  Started near = started_with(R"(, "form": "near")");
  near.engine->advance(1);
  EXPECT_GT(near.engine->counts().bonds, kept);
  EXPECT_LT(near.engine->counts().bonds, anew.engine->counts().bonds);
}

TEST_P(StartOfBonds, KeptBondsResume) {
  ASSERT_EQ(run("case.json", "whole"), exit_done) << terminal_.str();
  const std::string expected = hash();
  ASSERT_EQ(run("case.json", "parts", false, 1), exit_done) << terminal_.str();
  ASSERT_EQ(run("case.json", "parts", true, 77), exit_done) << terminal_.str();
  ASSERT_EQ(run("case.json", "parts", true), exit_done) << terminal_.str();
  EXPECT_EQ(hash(), expected);
}

TEST_P(StartOfBonds, KeptBondsNeedAStart) {
  const std::string text = with_rule(packing_case(GetParam()), R"(, "form": "kept")");
  EXPECT_IN("contacts.0.bond.form: \"kept\" needs \"start\"",
            error_of([&] { (void)parse_case(text, folder_.path()); }));
}

/// A wall of bricks that falls on a ridge.
class StartOfBondedGrains : public testing::TestWithParam<const char*>, protected StartRuns {
 protected:
  static std::string bricks(const std::string& form, const std::string& particles) {
    return R"({ "time": { "duration": 0.002, "step": 2e-6 }, "precision": ")" + std::string(GetParam()) + R"(",
      "materials": { "brick": { "density": 2000, "young_modulus": 2e8, "poisson_ratio": 0.2, "friction": 0.6 } },
      "contacts": [ { "between": ["brick", "brick"], "law": "bonded",
        "bond": { "tensile_strength": 5e4, "cohesion": 1e5, "gap": 2e-4, "normal_stiffness": 2e10,
                  "shear_stiffness": 8e9, "damping": 0.05)" +
           form + R"( } } ],
      "shapes": { "brick": { "type": "level_set", "box": { "half_edges": [6e-3, 4e-3, 3e-3] }, "grid_spacing": 1e-3 } },
      "boundaries": { "ridge": { "type": "cylinder", "from": [-0.004, -1, -0.005], "to": [-0.004, 1, -0.005],
                                 "radius": 0.004, "material": "brick" } },)" +
           particles + "}";
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, StartOfBondedGrains, testing::Values("mixed", "double"));

TEST_P(StartOfBondedGrains, KeptBondsGoOn) {
  write_text(folder_ / "packing.json", bricks("", R"("particles": [ { "shape": "brick", "material": "brick",
    "orientation": [1, 0, 0, 0], "velocity": [0, 0, -3], "allow_overlap": 0.95, "positions": [
      [0, 0, 0.003], [0.012, 0, 0.003], [-0.012, 0, 0.003], [0, 0, 0.009], [0.012, 0, 0.009], [-0.012, 0, 0.009] ] } ],
    "output": { "checkpoints": { "every": 0.001 } })"));
  ASSERT_EQ(run("packing.json", "packing", false, 250), exit_done) << terminal_.str();
  write_text(folder_ / "case.json", bricks(R"(, "form": "kept")", R"("start": "packing")"));
  const auto old = old_engine();
  const EngineCounts before = old->counts();
  ASSERT_GT(before.bonds, 100U);
  ASSERT_GT(before.broken_bonds, 20U);
  Started next = started();
  EXPECT_EQ(next.engine->counts().bonds, before.bonds) << "before the first step";
  (void)expect_same_next_forces(*old, *next.engine, 3);
  EXPECT_EQ(next.engine->counts().bonds, old->counts().bonds);
  EXPECT_EQ(next.engine->counts().broken_bonds, old->counts().broken_bonds - before.broken_bonds);
}

}  // namespace scree::test::start_from_bonds_test
