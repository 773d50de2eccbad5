#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
#include "scree/errors.hpp"
#include "start_runs.hpp"

/// Cases that start from clumps of another run.
namespace scree::test::start_from_clumps_test {

constexpr const char* rod = R"("rod": { "type": "clump", "spheres": [
    { "center": [-1.5, 0, 0], "radius": 1 }, { "center": [0, 0.2, 0], "radius": 1.1 },
    { "center": [1.5, 0, 0], "radius": 1 } ] })";
constexpr const char* peanut = R"("peanut": { "type": "clump", "spheres": [
    { "center": [-1, 0, 0], "radius": 1.5 }, { "center": [1, 0, 0], "radius": 1.2 } ] })";
constexpr const char* ball = R"("ball": { "type": "clump", "spheres": [ { "center": [0, 0, 0], "radius": 1 } ] })";

struct Kind {
  const char *precision, *rotation;
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.precision << ", " << kind.rotation; }

class StartWithClumps : public testing::TestWithParam<Kind>, protected StartRuns {
 protected:
  static std::string head(const std::string& materials, const std::string& shapes) {
    return R"({ "time": { "duration": 0.03, "step": 2e-5 }, "precision": ")" + std::string(GetParam().precision) +
           R"(", "integration": { "rotation": ")" + GetParam().rotation + R"(" }, "materials": {)" + materials +
           R"(}, "shapes": {)" + shapes + "}, ";
  }
  static std::string material(const std::string& name, double density = 2000) {
    return "\"" + name + R"(": { "density": )" + std::to_string(density) +
           R"(, "young_modulus": 5e6, "poisson_ratio": 0.3, "friction": 0.5, "restitution": 0.4 })";
  }

  /// Packs rods and peanuts that fall among spheres. Some clumps leave upwards.
  void pack(const std::string& domain, const std::string& up) {
    const std::string text = head(material("other") + "," + material("clay"), std::string(rod) + "," + peanut) + R"(
      "particles": [
        { "shape": "peanut", "material": "clay", "velocity": )" +
                             up + R"(, "radius": 0.005, "angular_velocity": [9, 0, 4],
          "lattice": { "box": [[0, 0, 0.09], [0.09, 0.09, 0.11]], "spacing": 0.018 } },
        { "shape": "rod", "material": "clay", "radius": { "uniform": [0.004, 0.005] }, "velocity": [0.3, 0.1, -1],
          "angular_velocity": [30, 10, 50], "lattice": { "box": [[0, 0, 0], [0.09, 0.09, 0.036]], "spacing": 0.018 } },
        { "material": "other", "radius": 0.004, "velocity": [0, 0.2, -1],
          "lattice": { "box": [[0, 0, 0.04], [0.09, 0.09, 0.06]], "spacing": 0.0101 } },
        { "shape": "peanut", "material": "other", "radius": 0.005, "velocity": [0, 0, -1.5],
          "angular_velocity": [-20, 30, 5],
          "lattice": { "box": [[0, 0, 0.06], [0.09, 0.09, 0.09]], "spacing": 0.018 } } ],
      )" + domain + R"(, "output": { "checkpoints": { "every": 0.01 } } })";
    write_text(folder_ / "packing.json", text);
    ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  }
  void prepare(const std::string& materials, const std::string& shapes, const std::string& domain) {
    write_text(folder_ / "case.json", head(materials, shapes) + domain +
                                          R"(, "start": "packing", "output": { "checkpoints": { "every": 0.001 } } })");
  }
  std::unique_ptr<Engine> new_engine(const std::vector<std::string>& settings = {}) const {
    return started(settings).engine;
  }
  std::string refusal(const std::vector<std::string>& settings = {}) const {
    return error_of([&] { (void)new_engine(settings); });
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, StartWithClumps,
                         testing::Values(Kind{"mixed", "spiral"}, Kind{"double", "fincham"},
                                         Kind{"double", "omelyan"}));

constexpr const char* walls =
    R"("boundaries": {
      "walls": { "type": "box", "min": [-0.01, -0.01, 0], "max": [0.1, 0.1, 1], "material": "other" } })";
const std::string with_outlet =
    std::string(walls) + R"(, "domain": { "outlets": { "top": { "point": [0, 0, 0.12], "normal": [0, 0, 1] } } })";

double way(const Real3& a, const Real3& b) { return geometry::length(geometry::subtract(a, b)); }

void expect_equal(const std::vector<SnapshotClump>& a, const std::vector<SnapshotClump>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t c = 0; c < a.size(); ++c) {
    EXPECT_EQ(a[c].members, b[c].members);
    EXPECT_NEAR(a[c].mass, b[c].mass, 1e-12 * a[c].mass);
    EXPECT_EQ(a[c].position, b[c].position);
    EXPECT_EQ(a[c].velocity, b[c].velocity);
    EXPECT_EQ(a[c].angular_velocity, b[c].angular_velocity);
    EXPECT_EQ(a[c].orientation, b[c].orientation);
  }
}

/// Compares the spins of clumps without contacts some steps after a start. Fincham's integrator continues with the same
/// angular momentum. For other integrators the first kick of a run is half a step, so the spin may differ by its change
/// in this time, w^2 dt / 2.
void expect_free_turns(Engine& old, Engine& next, const std::vector<bool>& touched, bool exact) {
  const auto a = old.snapshot().clumps, b = next.snapshot().clumps;
  ASSERT_EQ(a.size(), b.size());
  std::size_t free = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    if (touched[c]) continue;
    ++free;
    const double kick = exact ? 1e-11 : 1e-5 * geometry::squared_length(a[c].angular_velocity);
    EXPECT_LE(way(a[c].angular_velocity, b[c].angular_velocity), kick) << c;
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(a[c].orientation[k], b[c].orientation[k], 1e-4 * kick + 1e-13) << c;
  }
  EXPECT_GT(free, 10U);
}

/// Marks clumps with contacts at this moment. Ids of boundaries are taken for ids of particles, so it may mark too
/// many.
void mark_touched(Engine& engine, std::vector<bool>& touched) {
  const auto clumps = engine.snapshot().clumps;
  touched.resize(clumps.size());
  for (const TouchingContact& contact : engine.touching_contacts()) {
    for (std::size_t c = 0; c < clumps.size(); ++c) {
      const auto is_member = [&](std::uint32_t id) { return id - clumps[c].first < clumps[c].members; };
      if (is_member(contact.first) || is_member(contact.second)) touched[c] = true;
    }
  }
}

TEST_P(StartWithClumps, GoesOnAsTheOldRun) {
  pack(with_outlet, "[0, 0, 2]");
  prepare(material("clay") + "," + material("other"), std::string(ball) + "," + peanut + "," + rod, walls);
  const auto old = old_engine(), next = new_engine();
  const Snapshot before = old->snapshot(), after = next->snapshot();
  ASSERT_GT(old->counts().removed.at(0), 10U) << "some are gone, so that ids move up";
  ASSERT_GT(after.clumps.size(), 70U);
  EXPECT_EQ(after.clumps.front().id, 0U);
  EXPECT_EQ(after.clumps.front().first, 0U);
  EXPECT_GT(before.clumps.front().first, 0U);
  expect_equal(before.clumps, after.clumps);
  EXPECT_EQ(after.position, before.position);
  EXPECT_EQ(after.velocity, before.velocity);
  EXPECT_EQ(after.angular_velocity, before.angular_velocity);
  EXPECT_EQ(next->counts().particles, old->counts().particles);
  old->advance(1);
  next->advance(1);
  const auto a = old->touching_contacts(), b = next->touching_contacts();
  ASSERT_EQ(a.size(), b.size());
  ASSERT_GT(a.size(), 50U);
  double most = 0, scale = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    most = std::max(most, way(a[k].force, b[k].force));
    scale = std::max(scale, geometry::length(a[k].force));
  }
  // Values for a pair of materials are rounded differently in the other order: 1e-7 in single precision.
  EXPECT_LE(most, 1e-6 * scale);
  std::vector<bool> touched;
  mark_touched(*next, touched);
  expect_free_turns(*old, *next, touched, GetParam().rotation == std::string("fincham"));
}

TEST_P(StartWithClumps, RunsAndResumesToTheSameBits) {
  pack(with_outlet, "[0, 0, 2]");
  prepare(material("clay", 3000) + "," + material("other"), std::string(peanut) + "," + rod, walls);
  ASSERT_EQ(run("case.json", "whole", false, 200), exit_done);
  const std::string whole = hash();
  ASSERT_EQ(run("case.json", "out", false, 77), exit_done);
  ASSERT_EQ(run("case.json", "out", true, 200), exit_done);
  EXPECT_EQ(hash(), whole);
  // Masses follow from the density of the new case.
  const auto old = old_engine()->snapshot(), now = new_engine()->snapshot();
  for (std::size_t c = 0; c < now.clumps.size(); ++c) {
    const bool clay = now.material[now.clumps[c].first] == 0;
    EXPECT_NEAR(now.clumps[c].mass / old.clumps[c].mass, clay ? 1.5 : 1, 1e-12);
    EXPECT_NEAR(now.clumps[c].inertia[1] / old.clumps[c].inertia[1], clay ? 1.5 : 1, 1e-12);
  }
}

/// Clumps and spheres far away change nothing of those of the start.
TEST_P(StartWithClumps, ThoseOfTheCaseStandBehindThem) {
  pack(with_outlet, "[0, 0, 2]");
  prepare(material("clay") + "," + material("other"), std::string(peanut) + "," + rod, walls);
  const std::string box = R"("lattice":{"box":[[0,0,0.5],[0.09,0.09,0.52]],"spacing":0.018}})";
  const auto
      alone = new_engine(),
      both = new_engine(
          {R"(particles=[{"material":"clay","radius":0.002,"fill":{"box":[[0,0,0.6],[0.09,0.09,0.7]],"count":20}},)"
           R"({"shape":"rod","material":"other","radius":0.005,"angular_velocity":[0,0,7],)" +
           box + "]"});
  alone->advance(30), both->advance(30);
  const auto expected = alone->snapshot().clumps, all = both->snapshot().clumps;
  ASSERT_EQ(all.size(), expected.size() + 25);
  for (std::size_t c = 0; c < expected.size(); ++c) {
    EXPECT_EQ(all[c].position, expected[c].position);
    EXPECT_EQ(all[c].orientation, expected[c].orientation);
    EXPECT_EQ(all[c].angular_velocity, expected[c].angular_velocity);
  }
  EXPECT_EQ(all.back().members, 3U);
  EXPECT_EQ(all.back().first + 3U, both->snapshot().id.size());
  EXPECT_GT(all.back().position[2], 0.49);
}

/// The cell continues to shear, and the clumps to turn: the fluctuation of the spin continues, and with it the whole
/// motion.
TEST_P(StartWithClumps, KeepsItsSpinInACellThatShears) {
  const std::string flow = R"("velocity_gradient": [[0, 3, 8], [0, 0, 0], [0, -5, 0]])";
  pack(R"("gravity": [0, 0, 0], "domain": { "periodic": { "size": [0.091, 0.091, 0.111] }, )" + flow + "}",
       "[0, 0, -1]");
  prepare(material("other") + "," + material("clay"), std::string(rod) + "," + peanut,
          R"("gravity": [0, 0, 0], "domain": { )" + flow + "}");
  const auto old = old_engine(), next = new_engine();
  ASSERT_GT(old->snapshot().clumps.size(), 80U);
  std::vector<bool> touched;
  for (int k = 0; k < 3; ++k) {
    old->advance(1);
    next->advance(1);
    const auto a = old->touching_contacts(), b = next->touching_contacts();
    ASSERT_EQ(a.size(), b.size());
    ASSERT_GT(a.size(), 4U);
    mark_touched(*next, touched);
    expect_free_turns(*old, *next, touched, GetParam().rotation == std::string("fincham"));
  }
}

TEST_P(StartWithClumps, OtherShapesAreRefused) {
  pack(with_outlet, "[0, 0, 2]");
  const std::string materials = material("clay") + "," + material("other");
  prepare(materials, rod, walls);
  EXPECT_IN("are of the shape \"peanut\", but \"shapes\" has none of this name", refusal());
  const auto other_rod = [&](const std::string& spheres) {
    prepare(materials, std::string(peanut) + R"(, "rod": { "type": "clump", "spheres": [)" + spheres + "] }", walls);
    return refusal();
  };
  const std::string message = "that are of the shape \"rod\" are not as \"shapes.rod\" of this case";
  const std::string left = R"({ "center": [-1.5, 0, 0], "radius": 1 }, )",
                    right = R"({ "center": [1.5, 0, 0], "radius": 1 })";
  const std::string middle = R"({ "center": [0, 0.2, 0], "radius": 1.1 }, )";
  EXPECT_EQ(other_rod(left + middle + right), "no error") << "as it was";
  EXPECT_IN(message, other_rod(left + right));
  EXPECT_IN(message, other_rod(left + middle + R"({ "center": [1.5, 0, 0], "radius": 1.01 })"));
  EXPECT_IN(message, other_rod(left + middle + R"({ "center": [1.5, 0.1, 0], "radius": 1 })"));
  EXPECT_IN(message, other_rod(left + middle + right + R"(, { "center": [0, 1, 0], "radius": 0.1 })"));
}

/// A forged checkpoint: one of its arrays is a row shorter than the others.
TEST_P(StartWithClumps, ArraysThatAreTooShortAreRefused) {
  pack(with_outlet, "[0, 0, 2]");
  prepare(material("clay") + "," + material("other"), std::string(rod) + "," + peanut, walls);
  const Checkpoint good = read_checkpoint(newest());
  const bool has_momentum = GetParam().rotation == std::string("fincham");
  for (const std::string name : {"orientation", "angular_momentum", "mass", "size", "velocity"}) {
    Checkpoint bad = good;
    for (StateArray& array : bad.state.arrays) {
      if (array.name == "clumps/" + name) { array.bytes.resize(array.bytes.size() - array.row_bytes()); }
    }
    ASSERT_NE(bad.state, good.state) << name;
    write_checkpoint(newest(), bad);
    const bool is_used = has_momentum || (name != "angular_momentum" && name != "mass");
    SCOPED_TRACE(name);
    EXPECT_IN(is_used ? "the arrays of clumps differ in length" : "no error", refusal());
  }
}

}  // namespace scree::test::start_from_clumps_test
