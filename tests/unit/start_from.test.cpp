#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <string>

#include "case_errors.hpp"
#include "host/commands/check.hpp"
#include "host/run/exit_code.hpp"
#include "host/storage/state_arrays.hpp"
#include "scree/errors.hpp"
#include "start_runs.hpp"

namespace scree::test::start_from_test {

INSTANTIATE_TEST_SUITE_P(Precisions, Start, testing::Values("mixed", "double"));

double kinetic_energy(const Snapshot& now, const std::vector<double>& density) {
  double sum = 0;
  for (std::size_t i = 0; i < now.id.size(); ++i) {
    const double r = now.radius[i], mass = 4.0 / 3.0 * M_PI * r * r * r * density[i];
    const double spin = geometry::squared_length(now.angular_velocity[i]);
    sum += 0.5 * mass * (geometry::squared_length(now.velocity[i]) + 0.4 * r * r * spin);
  }
  return sum;
}
std::vector<double> densities(const Snapshot& now, const Scene& scene) {
  std::vector<double> all;
  for (const auto m : now.material) { all.push_back(scene.materials[m].density); }
  return all;
}

TEST_P(Start, TheNextForcesAreThoseOfTheOldRun) {
  const auto old = old_engine();
  Started next = started();
  const SnapshotRequest request{.coordination = true};
  const Snapshot before = old->snapshot(request), after = next.engine->snapshot(request);
  ASSERT_LT(before.id.size(), old->counts().particles + 1);
  ASSERT_GT(old->counts().removed.at(0), 10U) << "some are gone, so that ids move up";
  ASSERT_EQ(after.id.size(), before.id.size());
  EXPECT_EQ(after.id.back() + 1, after.id.size());
  EXPECT_EQ(after.position, before.position);
  EXPECT_EQ(after.velocity, before.velocity);
  EXPECT_EQ(after.angular_velocity, before.angular_velocity);
  EXPECT_EQ(after.radius, before.radius);
  EXPECT_EQ(after.coordination, before.coordination) << "the contacts that go on";
  EXPECT_GT(std::accumulate(after.coordination.begin(), after.coordination.end(), 0U), 200U);
  const auto names = [](const Snapshot& now, const std::vector<std::string>& known) {
    std::vector<std::string> all;
    for (const auto m : now.material) { all.push_back(known[m]); }
    return all;
  };
  EXPECT_EQ(names(after, next.scene.material_names), names(before, {"unused", "glass", "clay"}));
  EXPECT_EQ(next.engine->step(), 0U);
  EXPECT_EQ(next.engine->time(), 0);
  const double energy = kinetic_energy(after, densities(after, next.scene));
  EXPECT_GT(energy, 0);

  // Values for a pair of materials are rounded differently in the other order: 1e-7 in single precision.
  const auto b = expect_same_next_forces(*old, *next.engine, 100);
  std::size_t sheared = 0;
  for (const TouchingContact& c : b) {
    const Real3 along = geometry::scaled(c.normal, geometry::dot(c.force, c.normal));
    if (geometry::length(geometry::subtract(c.force, along)) > 0.1 * geometry::length(along)) { ++sheared; }
  }
  EXPECT_GT(sheared, 30U) << "else the test does not see the history";
  EXPECT_NEAR(next.engine->energies().kinetic_translation + next.engine->energies().kinetic_rotation, energy,
              1e-5 * energy);
}

TEST_P(Start, FromAnotherPrecisionDiffersByRounding) {
  const std::string other = GetParam() == std::string("mixed") ? "double" : "mixed";
  const auto old = old_engine();
  Started next = started({"precision=" + other});
  old->advance(1);
  next.engine->advance(1);
  const auto a = old->touching_contacts(), b = next.engine->touching_contacts();
  ASSERT_EQ(a.size(), b.size());
  // In single precision, overlaps of some 1e-3 radii are known to 1e-7 of a radius.
  EXPECT_LT(largest_difference(a, b), 1e-4);
  EXPECT_GT(largest_difference(a, b), 0);
}

TEST_P(Start, AnotherLawBeginsAnew) {
  Started next = started({R"(contacts=[{"between":["clay","clay"],"law":"cundall_strack"},{"between":["*","*"]}])"});
  ASSERT_EQ(next.notes.size(), 3U);
  EXPECT_IN("among particles begin anew, without shear: their law is another one", next.notes[1]);
  EXPECT_IN("with boundaries go on", next.notes[2]);
  EXPECT_NO_THROW(next.engine->advance(10));
  // Only contacts between clay and clay have another law.
  const auto kept = std::stoul(next.notes[0].substr(7)), fresh = std::stoul(next.notes[1].substr(7));
  EXPECT_GT(kept, 10U);
  EXPECT_GT(fresh, 10U);
  Started same = started();
  ASSERT_EQ(same.notes.size(), 2U);
  EXPECT_EQ(std::stoul(same.notes[0].substr(7)), kept + fresh);
  EXPECT_IN("with boundaries go on", same.notes[1]);
}

TEST_P(Start, GroupsAndImposedVelocitiesAreThoseOfTheCase) {
  Started next = started({R"(groups.heap={"fixed":["x","y","z"],"velocity":[0,0,0.25]})"});
  const Snapshot now = next.engine->snapshot();
  std::size_t heap = 0;
  for (std::size_t i = 0; i < now.id.size(); ++i) {
    const bool clay = next.scene.material_names[now.material[i]] == "clay";
    EXPECT_EQ(next.scene.particles.group[i], clay ? 2U : 0U);
    if (!clay) { continue; }
    ++heap;
    EXPECT_EQ(now.velocity[i], (Real3{0, 0, 0.25}));
  }
  EXPECT_GT(heap, 50U);
}

TEST_P(Start, RunsAndResumesToTheSameBits) {
  ASSERT_EQ(run("case.json", "whole"), exit_done);
  const std::string whole = hash();
  EXPECT_IN("start       ", terminal_.str());
  EXPECT_IN("among particles go on", terminal_.str());
  ASSERT_EQ(run("case.json", "out", false, 77), exit_done);
  ASSERT_EQ(run("case.json", "out", true), exit_done);
  EXPECT_EQ(hash(), whole);
  EXPECT_EQ(read_text(folder_ / "out/series.csv"), read_text(folder_ / "whole/series.csv"));
  // The written case names the checkpoint file itself and gives the same run.
  const std::string written = read_text(folder_ / "out/case.json");
  EXPECT_IN("\"start\": \"" + newest().string() + "\"", written);
  write_text(folder_ / "again.json", written);
  ASSERT_EQ(run("again.json", "again"), exit_done);
  EXPECT_EQ(hash(), whole);
  // A run that was started from another can itself be a start.
  write_text(folder_ / "third.json", started_case(GetParam()));
  auto text = read_text(folder_ / "third.json");
  text.replace(text.find("packing/checkpoints"), 19, "out");
  write_text(folder_ / "third.json", text);
  EXPECT_EQ(run("third.json", "third", false, 5), exit_done);
  std::ostringstream checked;
  EXPECT_EQ(run_check(folder_ / "third.json", {}, checked), 0);
  EXPECT_IN("particles of ", checked.str());
}

TEST_P(Start, WrongStartsAreRefused) {
  const auto error = [&](const std::vector<std::string>& settings) {
    return error_of([&] {
      SceneReport report;
      (void)build_scene(read_case(folder_ / "case.json", settings), report);
    });
  };
  EXPECT_IN("start: there is no file or folder", error({"start=nowhere"}));
  EXPECT_IN("start: must name a file or a folder, got \"\"", error({"start="}));
  std::filesystem::create_directory(folder_ / "empty");
  EXPECT_IN("start: there is no checkpoint in the folder", error({"start=empty"}));
  EXPECT_IN("packing.json: is not a checkpoint of scree", error({"start=packing.json"}));
  EXPECT_IN(
      "are of \"clay\", but \"materials\" has none of this name",
      error({R"(materials={"glass":{"density":1,"young_modulus":1,"poisson_ratio":0,"friction":0,"restitution":1}})"}));
  EXPECT_IN("particles.0.file: there is no file", error({R"(particles=[{"material":"glass","file":"x"}])"}));
  EXPECT_IN("domain.periodic: is not allowed with \"start\", which brings the cell",
            error({R"(domain={"periodic":{"size":[1,1,1]}})"}));
  EXPECT_IN("domain.control: needs a periodic cell, but", error({R"(domain={"control":[{"xx":{"stress":-1}}]})"}));
  EXPECT_IN("domain.velocity_gradient: needs a periodic cell, but",
            error({"domain.velocity_gradient=[[0,1,0],[0,0,0],[0,0,0]]"}));
  auto damaged = read_text(newest());
  damaged[damaged.size() / 2] = static_cast<char>(~damaged[damaged.size() / 2]);
  write_text(folder_ / "damaged.h5", damaged);
  EXPECT_IN("damaged.h5: is damaged", error({"start=damaged.h5"}));
}

/// A cloud in a periodic cell. Two halves collide, also across the faces.
std::string cell_case(const std::string& precision, const std::string& domain, const std::string& particles) {
  return R"({ "time": { "duration": 0.02, "step": 2e-5 }, "precision": ")" + precision + R"(", "gravity": [0, 0, 0],
    "materials": {
      "glass": { "density": 2500, "young_modulus": 1e6, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 } },
    )" + particles +
         R"(, "domain": { )" + domain + R"( },
    "output": { "checkpoints": { "every": 0.01 } } })";
}
constexpr const char* cloud = R"("particles": [
      { "material": "glass", "radius": 0.0055, "velocity": [0.3, 0.1, 1],
        "lattice": { "box": [[0, 0, 0], [0.06, 0.06, 0.03]], "spacing": 0.0115, "jitter": 0.9 } },
      { "material": "glass", "radius": 0.0055, "velocity": [-0.3, 0.2, -1],
        "lattice": { "box": [[0, 0, 0.03], [0.06, 0.06, 0.06]], "spacing": 0.0115, "jitter": 0.9 } } ])";

class StartInACell : public Start {
 protected:
  void SetUp() override {}
  void pack(const std::string& domain) {
    write_text(folder_ / "packing.json", cell_case(GetParam(), domain, cloud));
    ASSERT_EQ(run("packing.json", "packing"), exit_done);
  }
  void prepare(const std::string& domain) {
    write_text(folder_ / "case.json", cell_case(GetParam(), domain, R"("start": "packing")"));
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, StartInACell, testing::Values("mixed", "double"));

TEST_P(StartInACell, TheNextForcesAreThoseOfTheOldRun) {
  pack(R"("periodic": { "size": [0.06, 0.06, 0.062], "origin": [0, 0, -0.001] }, "control": [
    { "xx": { "strain_rate": -40 }, "yy": { "strain_rate": -40 }, "zz": { "strain_rate": -40 },
      "until": { "duration": 0.005 } }, {} ])");
  prepare("");
  const auto old = old_engine();
  Started next = started();
  ASSERT_TRUE(next.scene.cell.has_value());
  EXPECT_EQ(next.scene.cell->edges, old->cell()->edges);
  EXPECT_EQ(next.scene.cell->origin, old->cell()->origin);
  EXPECT_NEAR(next.scene.cell->edges[2][2], 0.062 * std::pow(1 - 40 * 2e-5, 250), 1e-12);
  EXPECT_NEAR(next.scene.cell->origin[2], -0.001, 1e-12);
  const Snapshot before = old->snapshot(), after = next.engine->snapshot();
  EXPECT_EQ(after.position, before.position);
  EXPECT_EQ(after.image, before.image);
  EXPECT_EQ(after.velocity, before.velocity);
  old->advance(1);
  next.engine->advance(1);
  const auto a = old->touching_contacts(), b = next.engine->touching_contacts();
  ASSERT_EQ(a.size(), b.size());
  ASSERT_GT(a.size(), 20U);
  // The same numbers enter the same formulas. But springs are rounded up or down by the number of the step, which
  // begins at 0 again.
  EXPECT_LE(largest_difference(a, b), GetParam() == std::string("mixed") ? 1e-7 : 0);
  std::size_t across = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].cell_offset, b[k].cell_offset);
    across += a[k].cell_offset != std::array<std::int32_t, 3>{} ? 1 : 0;
  }
  EXPECT_GT(across, 5U);
}

TEST_P(StartInACell, BeginsWithTheCellAsItWasLeft) {
  pack(R"("periodic": { "size": [0.06, 0.06, 0.06] }, "control": [
    { "zz": { "strain_rate": -10 }, "xy": { "strain_rate": 5 }, "until": { "duration": 0.004 } },
    { "name": "last", "xx": { "strain": [[0, 0], [0.004, 0.05]] }, "until": { "duration": 0.004 } } ])");
  EXPECT_IN("stage 0     stage 0: zz at -10 /s, xy at 5 /s; for 0.004 s", terminal_.str());
  EXPECT_IN("all stages are over; strain xx 0.05, yy 0, zz -0.04, yz 0, xz 0, xy 0.02; volume", terminal_.str());
  const auto present = checkpoints_in(folder_ / "packing/checkpoints");
  ASSERT_EQ(present.size(), 1U) << "one at the end, although the next was due later";
  EXPECT_NEAR(static_cast<double>(present[0].first), 400, 1) << "and long before the duration of 1000 steps";

  prepare(R"("control": [ { "zz": { "strain_rate": -1 } } ])");
  const auto old = old_engine();
  Started next = started();
  const CellState before = old->cell().value(), after = next.engine->cell().value();
  EXPECT_EQ(after.edges, before.edges);
  const double after_200_steps = 0.06 * std::pow(1 - 10 * 2e-5, 200);
  EXPECT_NEAR(after.edges[2][2], after_200_steps, 1e-12);
  EXPECT_NEAR(after.edges[0][0], 0.06 * std::exp(0.05), 1e-3 * 0.06);
  EXPECT_EQ(after.deformation, (Matrix3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}));
  EXPECT_EQ(after.strain, CellTensor{});
  EXPECT_EQ(after.stage, 0U);
  const Snapshot old_bodies = old->snapshot(), bodies = next.engine->snapshot();
  EXPECT_EQ(bodies.position, old_bodies.position);
  EXPECT_EQ(bodies.fluctuation, old_bodies.fluctuation);
  next.engine->advance(10);
  EXPECT_NEAR(next.engine->cell()->strain[2], 10 * std::log(1 - 2e-5), 1e-15);
  // A case that starts from the started run gets the deformed cell.
  ASSERT_EQ(run("case.json", "second", false, 20), exit_done);
  write_text(folder_ / "third.json", cell_case(GetParam(), "", R"("start": "second/checkpoints")"));
  SceneReport report;
  const Scene third = build_scene(read_case(folder_ / "third.json"), report);
  EXPECT_NEAR(third.cell->edges[2][2], after_200_steps * std::pow(1 - 2e-5, 20), 1e-12);
}

TEST_P(StartInACell, StagesCannotMoveItsBoundaries) {
  pack(R"("periodic": { "size": [0.06, 0.06, 0.062], "axes": ["x", "y"] })");
  prepare("");
  const auto error = [&](const std::string& setting) {
    const std::string floor =
        R"(boundaries={"floor":{"type":"plane","point":[0,0,-0.1],"normal":[0,0,1],"material":"glass"}})";
    const Case input = read_case(folder_ / "case.json", {floor, setting});
    SceneReport report;
    return error_of([&] { static_cast<void>(build_scene(input, report)); });
  };
  EXPECT_IN("no error", error("stages=[]"));
  EXPECT_IN("stages.0.boundaries.floor.motion: is not possible in a periodic cell",
            error(R"(stages=[{"name":"a","boundaries":{"floor":{"motion":[)"
                  R"({"type":"translation","velocity":[0,0,0.1]}]}}}])"));
}

TEST_P(StartInACell, AxesAndOriginAreThoseOfTheCell) {
  pack(R"("periodic": { "size": [0.06, 0.06, 0.5], "axes": ["y", "x"], "origin": [0.01, 0.02, 0.03] })");
  prepare("");
  EXPECT_EQ(started().scene.cell->periodic, (std::array{true, true, false}));
  EXPECT_NEAR(started().scene.cell->origin[1], 0.02, 1e-12);
  const auto error = error_of([&] { (void)started({R"(domain.control=[{"zz":{"stress":-1}}])"}); });
  EXPECT_IN("domain.control.0.zz: is not possible, since the cell does not repeat along z", error);
  const std::string bonds = R"(contacts=[{"between":["*","*"],"law":"bonded",)"
                            R"("bond":{"tensile_strength":1,"cohesion":1,"interaction_range":3}}])";
  const auto wide = error_of([&] { (void)started({bonds}); });
  EXPECT_IN("start: the cell is too narrow along x: its width is 0.06 m, but must be more than 0.0727", wide);
}

class StartUnderLoad : public testing::Test, protected StartRuns {};

// The contacts of a start that is pressed together are stiffer than those that "auto" assumes.
TEST_F(StartUnderLoad, AutomaticStepsStayBelowItsCriticalStep) {
  const std::string begin = R"({ "time": { "duration": 1e-6)", rest = R"( }, "gravity": [0, 0, 0],
    "materials": { "glass": { "density": 2500, "young_modulus": 1e9, "poisson_ratio": 0.25, "friction": 0.4,
                              "restitution": 0.5 } },)";
  std::string places;
  for (int k = 0; k < 125; ++k) {
    const auto place = [](int n) { return std::to_string(0.0018 * (n % 5) + 0.0009); };
    places += (k == 0 ? "[" : ", [") + place(k) + ", " + place(k / 5) + ", " + place(k / 25) + "]";
  }
  write_text(folder_ / "packing.json", begin + R"(, "step": 1e-7)" + rest + R"(
    "particles": [ { "material": "glass", "radius": 0.001, "allow_overlap": 0.2,
      "positions": [)" + places + R"(] } ],
    "domain": { "periodic": { "size": [0.009, 0.009, 0.009] } }, "output": { "checkpoints": { "every": 1e-6 } } })");
  write_text(folder_ / "case.json", begin + rest + R"("start": "packing/checkpoints" })");
  run("packing.json", "packing");
  SceneReport report;
  const Scene scene = build_scene(read_case(folder_ / "case.json"), report);
  EXPECT_EQ(report.time_step_reason, "auto: 0.8 of the critical step of the contacts of the start");
  const Started start = started();
  start.engine->advance(1);
  const double critical = start.engine->critical_step().value;
  EXPECT_LT(scene.time_step, 0.85 * critical);
  EXPECT_GT(scene.time_step, 0.6 * critical);
}

TEST(Converted, ChangesOnlyBetweenFloatingPointTypes) {
  StateArray array{"a", "1", ValueType::float64, 1, std::vector<std::byte>(sizeof(double))};
  const double third = 1.0 / 3.0;
  std::memcpy(array.bytes.data(), &third, sizeof third);
  const StateArray narrow = converted(array, ValueType::float32);
  float value = 0;
  ASSERT_EQ(narrow.bytes.size(), sizeof value);
  std::memcpy(&value, narrow.bytes.data(), sizeof value);
  EXPECT_EQ(value, static_cast<float>(third));
  EXPECT_EQ(converted(narrow, ValueType::float32), narrow);
  EXPECT_THROW((void)converted(array, ValueType::uint64), StateError);
}

}  // namespace scree::test::start_from_test
