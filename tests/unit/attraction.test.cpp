#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "host/scene/adhesion_range.hpp"
#include "host/scene/build_scene/attraction.hpp"
#include "host/scene/contact_springs.hpp"

namespace scree::attraction_test {

constexpr double radius = 1e-3;

/// One material of spheres, and a floor of it.
Scene scene_with(LawKind law, const MaterialPair& pair, bool floor = false) {
  Scene scene;
  scene.law = law;
  scene.materials = {Material{2500, 5e6, 0.25, 0.5, 0.5, {}}};
  scene.material_names = {"powder"};
  scene.pairs = {pair};
  scene.particles.position = {{0, 0, 0}};
  scene.particles.radius = {radius};
  scene.particles.material = {0};
  if (floor) {
    SceneBoundary plane;
    plane.shape = PlaneBoundary{{0, 0, 0}, {0, 0, 1}};
    scene.boundaries.push_back(plane);
  }
  return scene;
}

std::string fault_of(LawKind law, const MaterialPair& pair, bool floor = false) {
  std::vector<InputProblem> problems;
  check_cohesion(scene_with(law, pair, floor), problems);
  return problems.empty() ? "" : problems.front().message;
}

MaterialPair cohesive(double density, CohesionArea area = CohesionArea::hertz) {
  MaterialPair pair;
  pair.cohesion = LinearCohesion{density, area, false};
  return pair;
}

// Without load spheres overlap by (3 c k / (4 E*))^2 R*; half of R* is the limit.
TEST(CohesionCheck, BodiesAtRestMustNotCollapse) {
  const double young = 5e6 / (2 * (1 - 0.0625)), most = std::sqrt(0.5) * 4 * young / (3 * std::numbers::pi);
  EXPECT_EQ(fault_of(LawKind::hertz_mindlin, cohesive(0.999 * most)), "");
  EXPECT_NE(fault_of(LawKind::hertz_mindlin, cohesive(1.001 * most)).find("0.501 effective radii, at most 0.5"),
            std::string::npos);
  EXPECT_EQ(fault_of(LawKind::hertz_mindlin, cohesive(0.249 * most, CohesionArea::sjkr2)), "");
  EXPECT_NE(fault_of(LawKind::hertz_mindlin, cohesive(0.251 * most, CohesionArea::sjkr2)), "");
  EXPECT_NE(fault_of(LawKind::hertz_mindlin, cohesive(0.501 * most, CohesionArea::intersection)), "");
}

// A spring of K holds against a pull of k pi R* u only if K > k pi R*, with R* = r/2 among spheres, and r at a wall.
TEST(CohesionCheck, APullMustNotOutgrowALinearSpring) {
  MaterialPair pair = cohesive(1e5);
  pair.springs = {.from_moduli = false, .stiffness = 1.01 * 1e5 * std::numbers::pi * 0.5 * radius};
  EXPECT_EQ(fault_of(LawKind::linear_spring_dashpot, pair), "");
  EXPECT_NE(fault_of(LawKind::linear_spring_dashpot, pair, true).find("bodies would go through each other"),
            std::string::npos);
  pair.springs.stiffness = 0.99 * 1e5 * std::numbers::pi * 0.5 * radius;
  EXPECT_NE(fault_of(LawKind::linear_spring_dashpot, pair), "");
}

// The pull on the smaller sphere of a pair decides with both radii, whichever of them is listed first.
TEST(CohesionCheck, RadiiOfAMixedPairCount) {
  MaterialPair pair = cohesive(1e5);
  const double small = 0.1 * radius, effective = small * radius / (small + radius);
  for (const bool swapped : {false, true}) {
    for (const double factor : {0.99, 1.01}) {
      Scene scene = scene_with(LawKind::linear_spring_dashpot, {});
      scene.materials.push_back(scene.materials[0]);
      scene.material_names.emplace_back("fines");
      pair.springs = {.from_moduli = false, .stiffness = factor * 1e5 * std::numbers::pi * effective};
      scene.pairs = {{}, pair, pair, {}};
      scene.particles.position.push_back({1, 0, 0});
      scene.particles.radius = swapped ? std::vector<double>{small, radius} : std::vector<double>{radius, small};
      scene.particles.material = {0, 1};
      std::vector<InputProblem> problems;
      check_cohesion(scene, problems);
      EXPECT_EQ(problems.empty(), factor > 1) << swapped;
    }
  }
}

TEST(LiquidCheck, BridgesAreSmallerThanSpheres) {
  MaterialPair pair;
  const double sphere = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
  for (const auto& [volume, n_warnings, n_problems] :
       {std::tuple{0.02 * sphere, 0U, 0U}, {0.03 * sphere, 1U, 0U}, {1.1 * sphere, 0U, 1U}}) {
    pair.liquid = LiquidBridges{0.07, 0.4, volume, {}};
    std::vector<std::string> warnings;
    std::vector<InputProblem> problems;
    check_liquid(scene_with(LawKind::hertz_mindlin, pair), warnings, problems);
    EXPECT_EQ(warnings.size(), n_warnings);
    EXPECT_EQ(problems.size(), n_problems);
  }
}

// Pairs are listed up to the rupture of the bridge, also at walls, where the reach is one radius.
TEST(AdhesionRange, ReachesToTheRuptureOfBridges) {
  MaterialPair pair;
  pair.liquid = LiquidBridges{0.07, 0.4, {}, 0.02};
  const double gap = 1.2 * std::cbrt(0.02 * 4.0 / 3 * std::numbers::pi) * radius;
  const double among = adhesion_range(scene_with(LawKind::hertz_mindlin, pair));
  EXPECT_GT((among - 1) * 2 * radius, gap);
  EXPECT_LT((among - 1) * 2 * radius, 1.01 * gap);
  const double wall = adhesion_range(scene_with(LawKind::hertz_mindlin, pair, true));
  EXPECT_GT((wall - 1) * radius, gap);
  pair.liquid = LiquidBridges{0.07, 0.4, 1e-12, {}};
  EXPECT_GT((adhesion_range(scene_with(LawKind::hertz_mindlin, pair)) - 1) * 2 * radius, 1.2e-4);
  pair.liquid.reset();
  EXPECT_EQ(adhesion_range(scene_with(LawKind::hertz_mindlin, pair)), 1);
}

// The time step is that of the stiffness of unloading.
TEST(PlasticSprings, AreAsStiffAsUnloading) {
  MaterialPair pair;
  pair.plasticity.ratio = 0.75;
  EXPECT_EQ(unloading_factor(pair), 4);
  EXPECT_EQ(unloading_factor({}), 1);
}

}  // namespace scree::attraction_test
