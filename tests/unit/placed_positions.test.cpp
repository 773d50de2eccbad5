#include <gtest/gtest.h>

#include <string>

#include "case_errors.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// Particles whose centres are listed in the case.
namespace scree::test::placed_positions_test {

std::string with_particles(const std::string& particles) {
  return R"({ "time": { "duration": 0.01, "step": 1e-5 },
    "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                              "restitution": 0.4 } },
    "shapes": { "rod": { "type": "clump", "scale": 0.01,
                         "spheres": [ { "center": [-1, 0, 0], "radius": 1 }, { "center": [1, 0, 0], "radius": 1 } ] } },
    "particles": )" +
         particles + " }";
}

Scene scene_of(const std::string& particles) {
  SceneReport report;
  return build_scene(parse_case(with_particles(particles), "."), report);
}

TEST(Positions, AreThoseOfTheCase) {
  const Scene scene = scene_of(R"([
    { "material": "glass", "radius": 0.01, "positions": [[0, 0, 0.01], [0.5, 0.25, 1]], "velocity": [0, 0, 1] },
    { "material": "glass", "radius": { "uniform": [0.001, 0.002] }, "positions": [[2, 0, 0], [2, 1, 0], [2, 2, 0]] },
    { "material": "glass", "shape": "rod", "orientation": [1, 0, 0, 0], "positions": [[0, 4, 0]] } ])");
  const ParticleSet& particles = scene.particles;
  ASSERT_EQ(particles.size(), 7u);
  EXPECT_EQ(particles.position[1], (Real3{0.5, 0.25, 1}));
  EXPECT_EQ(particles.radius[1], 0.01);
  EXPECT_EQ(particles.velocity[0], (Real3{0, 0, 1}));
  for (std::size_t i = 2; i < 5; ++i) {
    EXPECT_EQ(particles.position[i], (Real3{2, static_cast<double>(i) - 2, 0}));
    EXPECT_TRUE(particles.radius[i] >= 0.001 && particles.radius[i] <= 0.002) << particles.radius[i];
  }
  EXPECT_NE(particles.radius[2], particles.radius[3]);
  ASSERT_EQ(particles.clumps.size(), 1u);
  EXPECT_EQ(particles.clumps[0].position, (Real3{0, 4, 0}));
  EXPECT_NEAR(particles.position[5][0], -0.01, 1e-12);
}

TEST(Positions, WhatCannotBeIsSaid) {
  const auto problem = [](const std::string& particles) {
    return error_of([&] { static_cast<void>(scene_of(particles)); });
  };
  const std::string deep =
      problem(R"([ { "material": "glass", "radius": 0.01, "positions": [[0, 0, 0], [0.012, 0, 0]] } ])");
  EXPECT_NE(deep.find("particles.0.positions: sphere 2 overlaps sphere 1 by 80 %"), std::string::npos) << deep;
  const std::string none = problem(R"([ { "material": "glass", "radius": 0.01, "positions": [] } ])");
  EXPECT_NE(none.find("particles.0.positions"), std::string::npos) << none;
  const std::string two = problem(R"([ { "material": "glass", "radius": 0.01, "positions": [[0, 0, 0]],
      "lattice": { "box": [[0, 0, 0], [1, 1, 1]], "spacing": 0.1 } } ])");
  EXPECT_NE(two.find("positions"), std::string::npos) << two;
  const std::string bare = problem(R"([ { "material": "glass", "positions": [[0, 0, 0]] } ])");
  EXPECT_NE(bare.find("particles.0.radius: is missing"), std::string::npos) << bare;
}

TEST(Positions, MayOverlapAsFarAsIsAllowed) {
  const Scene scene = scene_of(
      R"([ { "material": "glass", "radius": 0.01, "positions": [[0, 0, 0], [0.012, 0, 0]], "allow_overlap": 0.9 } ])");
  EXPECT_EQ(scene.particles.size(), 2u);
}

}  // namespace scree::test::placed_positions_test
