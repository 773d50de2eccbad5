#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "host/commands/check.hpp"
#include "host/commands/check_start.hpp"
#include "host/commands/schema.hpp"
#include "host/output/vtkhdf.hpp"
#include "host/text/text.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"

namespace scree::case_io_check_test {

std::filesystem::path minimal() { return std::filesystem::path(SCREE_SOURCE_DIR) / "configs" / "minimal.json"; }

/// The rest of the line that begins with `label`; empty if there is no such line.
std::string entry(const std::string& text, const std::string& label) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(label + " ")) return line.substr(line.find_first_not_of(' ', label.size()));
  }
  return "";
}

TEST(CheckCommand, SaysWhatARunWouldBe) {
  std::ostringstream out;
  EXPECT_EQ(run_check(minimal(), {"time.step=1e-5", "time.duration=0.2", "output.frames.every=0.02"}, out), 0);
  const std::string text = out.str();
  EXPECT_EQ(entry(text, "particles").substr(0, 18), "100 spheres, radiu") << text;
  EXPECT_NE(entry(text, "particles").find("total mass 0.0"), std::string::npos) << text;
  EXPECT_EQ(entry(text, "boundaries"), "floor (plane), left (plane), right (plane), front (plane), back (plane)");
  EXPECT_EQ(entry(text, "time step").substr(0, 8), "1e-05 s;") << text;
  EXPECT_NE(entry(text, "Verlet distance"), "") << text;
  EXPECT_EQ(entry(text, "steps"), "20 000 for 0.2 s") << text;
  EXPECT_EQ(entry(text, "frames"), "11, every 0.02 s from the start") << text;
  EXPECT_TRUE(entry(text, "memory").starts_with("about ")) << text;
  EXPECT_NE(entry(text, "memory").find(" in mixed precision with all lists (estimated for a dense packing with "),
            std::string::npos)
      << text;
  EXPECT_NE(entry(text, "memory").find("bodies 11.3 KiB, neighbour list "), std::string::npos) << text;
  EXPECT_EQ(entry(text, "load histories"), "") << text;
}

TEST(CheckCommand, CountsOnlyKindsOfParticlesThatAreThere) {
  const auto particles = [](const std::vector<std::string>& settings) {
    std::ostringstream out;
    EXPECT_EQ(run_check(minimal(), settings, out), 0);
    return entry(out.str(), "particles");
  };
  const std::string peanut =
      R"(shapes={"peanut":{"type":"clump","spheres":[{"center":[-1,0,0],"radius":1.5},{"center":[1,0,0],"radius":1.5}]}})";
  const std::string clumps = particles({peanut, R"(particles.0.shape="peanut")", "particles.0.fill.count=20"});
  EXPECT_TRUE(clumps.starts_with("20 clumps of 40 spheres, radius ")) << clumps;
}

TEST(CheckCommand, ARunEndsWithItsLastStage) {
  const auto steps = [](const std::string& stages) {
    std::ostringstream out;
    EXPECT_EQ(run_check(minimal(), {"time.step=1e-5", "time.duration=0.2", "output.frames.every=0.02", stages}, out),
              0);
    return entry(out.str(), "steps") + "; " + entry(out.str(), "frames");
  };
  const std::string settle = R"(stages=[{"name":"a","until":{"duration":0.03,"at_most":0}},{"name":"b","until":)";
  EXPECT_EQ(steps(settle + R"({"duration":0.05}}])"),
            "8 000 for 0.08 s, when the last stage ends at the latest; 5, every 0.02 s from the start");
  EXPECT_EQ(steps(settle + R"({"duration":0.5}}])"), "20 000 for 0.2 s; 11, every 0.02 s from the start");
  EXPECT_EQ(steps(settle + R"({"at_most":0}}])"), "20 000 for 0.2 s; 11, every 0.02 s from the start");
}

TEST(CheckCommand, TheRunTimeIsThatOfTheThreads) {
  for (const int threads : {1, 2}) {
    std::ostringstream out;
    EXPECT_EQ(run_check(minimal(), {"time.step=1e-5"}, out, threads), 0);
    const std::string text = entry(out.str(), "run time");
    if (text.find(" on host, ") == std::string::npos) { GTEST_SKIP() << "runs of this machine go to its GPU"; }
    EXPECT_NE(text.find("host, " + std::to_string(threads) + " thread"), std::string::npos) << out.str();
  }
}

TEST(CheckCommand, SaysWhereThingsLieAndWhatARunCosts) {
  std::ostringstream out;
  EXPECT_EQ(
      run_check(minimal(), {"boundaries.floor.point=[0,0,-0.5]", "output.checkpoints={\"every\":0.1,\"keep\":2}"}, out),
      0);
  const std::string text = out.str();
  EXPECT_TRUE(entry(text, "particles lie").starts_with("from (-0.0")) << text;
  EXPECT_NE(text.find("boundary lies    floor through (0, 0, -0.5) m, particles on the side of (0, 0, 1), 0.5"),
            std::string::npos)
      << text;
  EXPECT_NE(entry(text, "run time").find(" ms per step in "), std::string::npos) << text;
  EXPECT_TRUE(entry(text, "disk space").starts_with("about ")) << text;
  EXPECT_NE(entry(text, "disk space").find("3 checkpoints at a time of "), std::string::npos) << text;
  EXPECT_EQ(entry(text, "critical step"), "nothing touches at the start") << text;
}

TEST(CheckCommand, SaysWhatFilesOfContactsCost) {
  std::ostringstream out;
  EXPECT_EQ(run_check(minimal(), {"output.contacts={\"every\":0.02}"}, out), 0);
  EXPECT_EQ(entry(out.str(), "contact files"), "11, every 0.02 s from the start") << out.str();
  EXPECT_TRUE(entry(out.str(), "contacts held").starts_with("at most ")) << out.str();
  EXPECT_NE(entry(out.str(), "disk space").find("11 files of contacts in a dense packing of "), std::string::npos)
      << out.str();
}

/// In creeping flow a sphere sinks at 2/9 r^2 (rho - rho_f) g / mu, and follows the flow in 2/9 r^2 rho / mu.
TEST(CheckCommand, SaysHowFastSpheresSinkInAFluid) {
  std::ostringstream out;
  const std::vector<std::string> settings = {"particles.0.radius=0.003", "gravity=[0,0,-10]",
                                             R"(fluid={"density": 500, "viscosity": 1, "drag": "stokes"})"};
  EXPECT_EQ(run_check(minimal(), settings, out), 0);
  EXPECT_EQ(entry(out.str(), "fluid"),
            "500 kg/m3, viscosity 1 Pa s; glass of radius 3 mm sinks at 0.04 m/s, Reynolds number 0.12, and follows "
            "the flow in 0.005 s")
      << out.str();
  out.str("");
  EXPECT_EQ(run_check(minimal(), {"particles.0.radius=0.003", R"(fluid={"density": 5000, "viscosity": 0.001})"}, out),
            0);
  // Beyond a Reynolds number of 1000 the drag is 1/2 0.44 rho_f pi r^2 v^2.
  const double speed = std::sqrt(8.0 / 3 * 0.003 * 2500 * 9.81 / (0.44 * 5000));
  EXPECT_NE(entry(out.str(), "fluid").find("rises at " + short_number_text(speed, 3) + " m/s"), std::string::npos)
      << out.str();
  out.str("");
  EXPECT_EQ(
      run_check(minimal(),
                {"particles.0.radius=0.003", R"(fluid={"density": 5, "viscosity": 0.001, "hindrance": "di_felice"})"},
                out),
      0);
  EXPECT_NE(entry(out.str(), "fluid").find("; grains hinder each other over 24 mm; "), std::string::npos) << out.str();
}

/// The estimate of a file with so many contacts: to a few per cent, as flags and lists are compressed.
TEST(CheckCommand, EstimatesTheSizeOfAFileOfContacts) {
  const test::ScratchFolder folder;
  for (const bool in_cell : {false, true}) {  // then also of level-set grains
    for (const Precision precision : {Precision::mixed, Precision::double_}) {
      constexpr std::size_t n = 20000;
      ContactTable table;
      table.first.resize(n), table.second.resize(n), table.with_boundary.resize(n), table.bonded.resize(n);
      table.ends.resize(2 * n), table.point.resize(n), table.normal.resize(n), table.normal_force.resize(n);
      table.shear_force.resize(n), table.spring.resize(n), table.overlap.resize(n);
      if (in_cell) {
        table.cell = CellState{};
        table.cell_offset.resize(n);
        table.couple.emplace(n);
      }
      write_contact_frame(folder / "contacts.vtkhdf", table, precision);
      const auto size = static_cast<double>(std::filesystem::file_size(folder / "contacts.vtkhdf"));
      EXPECT_NEAR(static_cast<double>(contact_file_bytes(n, precision, in_cell, in_cell)), size, 0.03 * size);
    }
  }
}

TEST(CheckCommand, TellsTheFirstOfAdaptiveSteps) {
  std::ostringstream out;  // the lattice presses its spheres into the floor by 0.5 % of the radius
  EXPECT_EQ(run_check(minimal(),
                      {"time.adaptive=true",
                       "particles=[{\"material\":\"glass\",\"radius\":0.003,\"lattice\":{\"type\":\"simple_cubic\","
                       "\"box\":[[-0.02,-0.02,0],[0.02,0.02,0.02]],\"spacing\":0.0061}}]",
                       "boundaries.floor.point=[0,0,0.000065]"},
                      out),
            0);
  EXPECT_NE(entry(out.str(), "critical step").find("; the first step, "), std::string::npos) << out.str();
  // time.safety makes it 0.4 of the critical step; impacts at the speeds of the start make it smaller.
  EXPECT_NE(entry(out.str(), "critical step").find(" is 0."), std::string::npos) << out.str();
}

TEST(CheckCommand, WarnsOnceOfRollingThatCreeps) {
  const auto warnings = [](const std::string& rolling, const std::string& gravity) {
    std::ostringstream out;
    EXPECT_EQ(run_check(minimal(), {"materials.glass.rolling=" + rolling, "gravity=" + gravity}, out), 0);
    std::size_t count = 0;
    for (std::size_t at = out.str().find("a heap creeps"); at != std::string::npos; ++count) {
      at = out.str().find("a heap creeps", at + 1);
    }
    return count;
  };
  const std::string down = "[0,0,-9.81]";
  EXPECT_EQ(warnings(R"({"type":"A","friction":0.2})", down), 1u);
  EXPECT_EQ(warnings(R"({"type":"A","friction":0.2})", "[0,0,0]"), 0u);
  EXPECT_EQ(warnings(R"({"type":"C","friction":0.2,"stiffness":0.5})", down), 0u);
}

TEST(CheckCommand, WarnsOfAMeshInMillimetres) {
  std::ostringstream out;
  EXPECT_EQ(run_check(minimal().parent_path() / "hopper.json",
                      {"boundaries.hopper.scale=1", "boundaries.gate.scale=1", "particles.0.fill.count=100"}, out),
            0);
  EXPECT_NE(out.str().find("boundaries.hopper: the mesh is "), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("needs \"scale\": 1e-3"), std::string::npos) << out.str();
}

/// The warnings of `scree check` about an inlet with `rate` particles of 1 mm per second, in a box of 10 x 10 x 10 mm.
std::string inlet_warnings_of(const std::string& rate, const std::string& velocity,
                              const std::string& gravity = "[0,0,0]",
                              const std::string& region = "{\"box\":[[0,0,0.05],[0.01,0.01,0.06]]}",
                              const std::string& limit = "") {
  std::ostringstream out;
  run_check(minimal(),
            {"gravity=" + gravity,
             "materials.clay={\"density\":2500,\"young_modulus\":1e7,\"poisson_ratio\":0.25,\"friction\":0.4,"
             "\"restitution\":0.5}",
             "contacts=[{\"between\":[\"clay\",\"*\"],\"law\":\"hertz_mindlin_rescaled\"},{\"between\":[\"*\",\"*\"]}]",
             "particles=[{\"material\":\"clay\",\"radius\":1e-3,\"inlet\":{\"rate\":" + rate +
                 ",\"velocity\":" + velocity + ",\"region\":" + region + limit + "}}]"},
            out);
  return out.str();
}

// The case has 0.2 s: about 1500 particles, and none at the start.
TEST(CheckCommand, BoundsTheRunTimeWhereInletsBringTheParticles) {
  const std::string text = inlet_warnings_of("7500", "[0,0,-1]"), time = entry(text, "run time");
  EXPECT_TRUE(time.starts_with("up to about ")) << text;
  EXPECT_NE(time.find(" spheres that inlets bring were there from the start: "), std::string::npos) << time;
  EXPECT_NE(time.find(" ms per step with those of the start"), std::string::npos) << time;
}

// 0.33 of 1e-6 m3 holds 79 spheres of 4.19e-9 m3. At 1 m/s they leave the 10 mm in 10 ms: 7 900 per second. Falling
// takes 45 ms: 1 740 per second.
TEST(CheckCommand, WarnsOfInletsThatCannotDeliver) {
  EXPECT_EQ(inlet_warnings_of("7500", "[0,0,-1]").find("cannot deliver"), std::string::npos);
  EXPECT_NE(inlet_warnings_of("8200", "[0,0,-1]")
                .find("particles.0.inlet: cannot deliver: the region has room for 7900 of the 8200 particles/s"),
            std::string::npos)
      << inlet_warnings_of("8200", "[0,0,-1]");
  EXPECT_EQ(inlet_warnings_of("1700", "[0,0,0]", "[0,0,-9.81]").find("cannot deliver"), std::string::npos);
  EXPECT_NE(inlet_warnings_of("1800", "[0,0,0]", "[0,0,-9.81]").find("cannot deliver"), std::string::npos);
  EXPECT_NE(inlet_warnings_of("1800", "[0,0,0]").find("do not move out of the region"), std::string::npos);
}

// What fits at once comes at any rate. From a face of 1e-4 m2 at 1 m/s come 0.33e-4 m3/s: 7 900 spheres per second.
TEST(CheckCommand, KnowsLimitsAndFacesOfInlets) {
  const std::string box = R"({"box":[[0,0,0.05],[0.01,0.01,0.06]]})", still = "[0,0,0]";
  const auto delivers = [&](const std::string& rate, const std::string& region, const std::string& limit) {
    const std::string out = inlet_warnings_of(rate, "[0,0,-1]", still, region, limit);
    return out.find("cannot deliver") == std::string::npos;
  };
  EXPECT_TRUE(delivers("1e6", box, ",\"count\":70"));
  EXPECT_FALSE(delivers("1e6", box, ",\"count\":90"));
  EXPECT_TRUE(delivers("1e6", box, ",\"mass\":7e-4"));
  EXPECT_FALSE(delivers("1e6", box, ",\"mass\":9e-4"));
  const std::string face = R"({"face":{"polygon":[[0,0,0.05],[0,0.01,0.05],[0.01,0.01,0.05],[0.01,0,0.05]]}})";
  EXPECT_TRUE(delivers("7500", face, ""));
  EXPECT_FALSE(delivers("8200", face, ""));
}

TEST(CheckCommand, NamesTheLawOfParticlesThatInletsBring) {
  EXPECT_NE(inlet_warnings_of("10", "[0,0,-1]").find("hertz_mindlin_rescaled"), std::string::npos)
      << inlet_warnings_of("10", "[0,0,-1]");
}

TEST(CheckCommand, PlansLoadHistoriesOfTheLawJaeger) {
  std::ostringstream out, capped;
  const auto law = [](const std::string& more) {
    return "contacts=[{\"between\":[\"*\",\"*\"],\"law\":\"jaeger\"" + more + "}]";
  };
  EXPECT_EQ(run_check(minimal(), {law("")}, out), 0);
  EXPECT_NE(entry(out.str(), "load histories").find("with 100 segments per contact in the mean"), std::string::npos)
      << out.str();
  EXPECT_NE(entry(out.str(), "load histories").find("1 000 000 particles"), std::string::npos) << out.str();
  EXPECT_EQ(run_check(minimal(), {law(",\"load_history\":{\"most_segments\":16}")}, capped), 0);
  EXPECT_NE(entry(capped.str(), "load histories").find("with 16 segments per contact"), std::string::npos)
      << capped.str();
  EXPECT_EQ(entry(capped.str(), "load histories").find("260"), std::string::npos) << capped.str();
}

TEST(CheckCommand, WrongInputThrowsEveryProblem) {
  std::ostringstream out;
  try {
    run_check(minimal(), {"time.duration=-1", "materials.glass.density=-1"}, out);
    FAIL();
  } catch (const CaseError& error) { EXPECT_EQ(error.problems().size(), 2u) << error.what(); }
  EXPECT_EQ(out.str(), "");
}

TEST(SchemaCommand, PrintsTheSchema) {
  std::ostringstream out;
  EXPECT_EQ(run_schema(out), 0);
  EXPECT_EQ(out.str().substr(0, 16), "{\n  \"$schema\": \"");
}

}  // namespace scree::case_io_check_test
