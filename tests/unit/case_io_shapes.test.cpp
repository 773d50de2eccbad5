#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string>

#include "case_in_folder.hpp"
#include "host/run/inlets.hpp"
#include "scree/engine.hpp"

namespace scree::test::case_io_shapes_test {

const std::string base = R"({
  "time": { "duration": 0.1, "step": 1e-5 }, "seed": 3,
  "materials": { "m": { "density": 1000, "young_modulus": 1e6, "poisson_ratio": 0.2, "friction": 0,
    "restitution": 1 } },
  "shapes": {
    "pair": { "type": "clump", "scale": 0.001, "spheres": [ { "center": [3, 4, 5], "radius": 1 },
      { "center": [4, 4, 5], "radius": 1 } ] },
    "hook": { "type": "clump", "file": "hook.csv", "resolution": 64 } },
  "particles": [ { "shape": "pair", "material": "m", "radius": 2e-3,
    "fill": { "box": [[0, 0, 0], [0.04, 0.04, 0.04]], "count": 60 } } ]
})";

/// Volume of two spheres of radius 1 at distance 1: two balls less their common lens, (8/3 - 5/12) pi.
constexpr double pair_volume = 9 * std::numbers::pi / 4;

class ShapeCase : public CaseInFolder {
 protected:
  ShapeCase() : CaseInFolder(base) {
    write_text(folder / "hook.csv", "x,y,z,r\n0,0,0,0.001\n0.001,0,0,0.001\n0.001,0.001,0,0.0005\n");
  }
};

TEST_F(ShapeCase, WritesAndReadsBackTheSame) {
  const Case input = parsed();
  ASSERT_EQ(input.shapes.size(), 2U);
  const auto& pair = std::get<ClumpTemplate>(input.shapes[0].second.kind);
  ASSERT_EQ(pair.spheres.size(), 2U);
  EXPECT_EQ(pair.spheres[1].center, (Real3{4, 4, 5}));
  EXPECT_EQ(pair.scale, 0.001);
  EXPECT_EQ(std::get<ClumpTemplate>(input.shapes[1].second.kind).resolution, 64U);
  EXPECT_EQ(input.particles[0].shape, "pair");
  const std::string once = write_case(input);
  EXPECT_EQ(write_case(parse_case(once, folder.path())), once);
  EXPECT_IN(R"("shape": "pair")", once);
  EXPECT_IN(R"("scale": 0.001)", once);
  EXPECT_IN(R"("resolution": 64)", once);
  EXPECT_IN("hook.csv", once);
}

TEST_F(ShapeCase, MistakesGetOneSentenceEach) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"particles.0.shape=pear", "particles.0.shape: unknown shape \"pear\"; did you mean \"pair\"?"},
      {"shapes.pair.file=hook.csv",
       "shapes.pair: must have exactly one of \"spheres\", \"file\", got \"spheres\", \"file\""},
      {"shapes.pair.spheres=[]", "shapes.pair.spheres: must have at least 1 entry, got 0"},
      {"shapes.pair.spheres.1.radius=0", "shapes.pair.spheres.1.radius: must be greater than 0, got 0"},
      {"shapes.pair.scale=-1", "shapes.pair.scale: must be greater than 0, got -1"},
      {"shapes.hook.resolution=4", "shapes.hook.resolution: must be"},
      {"shapes.hook.file=crook.csv", "shapes.hook.file: "},
      {"shapes.pair.type=klump", "shapes.pair.type: "}};
  for (const auto& [setting, message] : mistakes) {
    const std::string error = error_with({setting});
    EXPECT_IN(message, error);
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST_F(ShapeCase, BadTemplateFilesAreNamedWithTheirLine) {
  write_text(folder / "hook.csv", "x,y,z,r\n0,0,0,0.001\n0,0,1,-1\n");
  const std::string error = error_with({});
  EXPECT_IN("hook.csv", error);
  EXPECT_IN("3", error);
}

/// The smallest gap [m] between spheres of different clumps, over all pairs.
double least_gap(const ParticleSet& set, std::size_t members) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < set.size(); ++i) {
    for (std::size_t j = (i / members + 1) * members; j < set.size(); ++j) {
      const Real3 &a = set.position[i], &b = set.position[j];
      least = std::min(least, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) - set.radius[i] - set.radius[j]);
    }
  }
  return least;
}

// A clump of "radius" r has the volume of a ball of radius r, and its members have the relative places of the shape.
TEST_F(ShapeCase, FillsHaveTheWantedVolumeInRandomOrientations) {
  const Scene scene = built();
  const auto& set = scene.particles;
  ASSERT_EQ(set.clumps.size(), 60U);
  ASSERT_EQ(set.size(), 120U);
  const double size = 2e-3 / (1e-3 * std::cbrt(0.75 * pair_volume / std::numbers::pi));
  Real3 spread{};
  for (std::size_t c = 0; c < 60; ++c) {
    EXPECT_EQ(set.clumps[c].first, 2 * c);
    EXPECT_NEAR(set.clumps[c].size, size, 1e-9 * size);  // volumes by exact slices: some 1e-13
    const Real3 &a = set.position[2 * c], &b = set.position[2 * c + 1];
    EXPECT_NEAR(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), 1e-3 * size, 1e-12);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(0.5 * (a[k] + b[k]), set.clumps[c].position[k], 1e-12);
      for (const Real3* x : {&a, &b}) {
        EXPECT_GT((*x)[k], set.radius[2 * c]);
        EXPECT_LT((*x)[k], 0.04 - set.radius[2 * c]);
      }
      spread[k] += std::pow((a[k] - b[k]) / (1e-3 * size), 2) / 60;
    }
  }
  EXPECT_GT(least_gap(set, 2), 0);
  // Mean squared cosines of random directions are 1/3 with a deviation of sqrt(4/45/60) = 0.038; four deviations are
  // allowed.
  for (const double s : spread) { EXPECT_NEAR(s, 1.0 / 3, 0.16); }
}

TEST_F(ShapeCase, WithoutARadiusAShapeKeepsItsSize) {
  const Scene scene =
      built({"particles.0={\"shape\":\"pair\",\"material\":\"m\",\"fill\":{\"box\":[[0,0,0],[0.04,0.04,0.04]],"
             "\"count\":5}}"});
  ASSERT_EQ(scene.particles.clumps.size(), 5U);
  for (const Clump& clump : scene.particles.clumps) { EXPECT_NEAR(clump.size, 1, 1e-12); }
  for (const double r : scene.particles.radius) { EXPECT_NEAR(r, 1e-3, 1e-15); }
}

// The solid fraction is as close as whole clumps allow: each takes 5.2e-4 of the box.
TEST_F(ShapeCase, SolidFractionIsThatOfTheClumps) {
  const double clump = 4 * std::numbers::pi / 3 * 8e-9 / 6.4e-5;
  const auto with = [](const std::string& fraction) {
    return std::vector<std::string>{
        "particles.0.fill={\"box\":[[0,0,0],[0.04,0.04,0.04]],\"solid_fraction\":" + fraction + "}"};
  };
  for (const double wanted : {0.05, 0.15}) {
    const Scene scene = built(with(std::to_string(wanted)));
    EXPECT_NEAR(static_cast<double>(scene.particles.clumps.size()) * clump, wanted, clump);
    EXPECT_GT(least_gap(scene.particles, 2), 0);
  }
  EXPECT_IN("particles.0.fill.solid_fraction: must be at most ", error_with(with("0.5")));
  EXPECT_IN("since clumps are placed by the balls about them, got 0.5", error_with(with("0.5")));
}

// The inlet acts once per millisecond. The number made is the number due, less at most the next clump.
TEST_F(ShapeCase, InletsBringClumpsByRateAndByMass) {
  const double mass = 1000 * 4 * std::numbers::pi / 3 * 1e-9;  // mass of a clump with the volume of a ball of 1 mm
  for (const std::string flow : {"\"rate\":2000", "\"mass_flow\":0.01"}) {
    const Case input = parsed({"particles.0={\"shape\":\"pair\",\"material\":\"m\",\"radius\":1e-3,\"inlet\":{" + flow +
                               ",\"region\":{\"box\":[[-0.03,-0.03,0],[0.03,0.03,0.03]]},\"velocity\":[0,0,-1]}}"});
    SceneReport report;
    const Scene scene = build_scene(input, report);
    const auto engine = make_engine(scene, {BackendChoice::host, 1});
    Inlets inlets(input, scene);
    for (const std::uint64_t last : {2000U, 5000U, 10000U}) {
      while (engine->step() < last) {
        engine->advance(std::min(last, inlets.next_after(engine->step())) - engine->step());
        (void)inlets.feed(*engine);
      }
      const double due = flow[1] == 'r' ? 2000 * engine->time() : 0.01 * engine->time() / mass;
      const auto made = static_cast<double>(engine->counts().inserted);
      EXPECT_EQ(engine->counts().clumps, engine->counts().inserted);
      EXPECT_LE(made, due + 1e-6) << flow;
      EXPECT_GT(made, due - 1 - 1e-6) << flow;
      EXPECT_NEAR(inlets.report(engine->time()).at(0).mass, made * mass, 1e-9 * made * mass);
    }
    double there = 0;
    for (const SnapshotClump& clump : engine->snapshot().clumps) { there += clump.mass; }
    EXPECT_NEAR(there / (static_cast<double>(engine->counts().inserted) * mass), 1, 1e-9);
  }
}

}  // namespace scree::test::case_io_shapes_test
