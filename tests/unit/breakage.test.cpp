#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "case_errors.hpp"
#include "host/breakage/fragments.hpp"
#include "host/breakage/saved_totals.hpp"
#include "host/breakage/strength.hpp"
#include "host/case/parcels.hpp"
#include "host/geometry/fragment_pattern.hpp"
#include "host/geometry/real3.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// Spheres that break: patterns of fragments and strengths, without an engine.
namespace scree::test::breakage_test {

using namespace geometry;

constexpr std::uint64_t sizes[] = {2, 4, 6, 8, 13, 14, 33};

/// Gap between fragment i and another one, and between it and the sphere around all.
double gap(const FragmentPattern& p, std::size_t i, std::size_t j) {
  return length(subtract(p.centre[i], p.centre[j])) - p.radius[i] - p.radius[j];
}
double gap_outside(const FragmentPattern& p, std::size_t i) { return 1 - length(p.centre[i]) - p.radius[i]; }

// Radii are a millionth below those of spheres that touch, so gaps of contacts are at most 1e-6. A fragment that
// touches the sphere around all and three others, or its opposite, cannot be larger.
TEST(FragmentPatterns, AreTightAndDoNotOverlap) {
  for (const std::uint64_t n : sizes) {
    SCOPED_TRACE(n);
    const FragmentPattern p = geometry::fragment_pattern(n);
    ASSERT_EQ(p.radius.size(), n);
    ASSERT_EQ(p.centre.size(), n);
    EXPECT_TRUE(std::is_sorted(p.radius.rbegin(), p.radius.rend()));
    Real3 moment{};
    double volume = 0;
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_GT(gap_outside(p, i), 1e-7);
      std::size_t touched = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (i == j) { continue; }
        EXPECT_GT(gap(p, i, j), 1e-7);
        touched += gap(p, i, j) < 1.1e-6 ? 1U : 0U;
      }
      const bool in_the_middle = length(p.centre[i]) < 1e-12;
      EXPECT_TRUE(in_the_middle || gap_outside(p, i) < 1.1e-6) << i;
      EXPECT_GE(touched, n == 2 ? 1U : 3U) << i;
      const double cube = p.radius[i] * p.radius[i] * p.radius[i];
      moment = along(moment, cube, p.centre[i]);
      volume += cube;
    }
    EXPECT_LT(length(moment), 1e-12) << "the centre of mass stays in the middle";
    EXPECT_NEAR(p.volume, volume, 1e-15);
  }
}

// The densest packings of equal spheres in a sphere: radii 1/2, sqrt(6) - 2 and sqrt(2) - 1. The eight further spheres
// of 14 are tangent to three of an octahedron and to the sphere around: r = 0.23011 by Descartes' theorem in space.
TEST(FragmentPatterns, HaveKnownRadii) {
  EXPECT_NEAR(geometry::fragment_pattern(2).largest(), 0.5, 1e-6);
  EXPECT_NEAR(geometry::fragment_pattern(4).largest(), std::sqrt(6.0) - 2, 1e-6);
  EXPECT_NEAR(geometry::fragment_pattern(6).smallest(), std::sqrt(2.0) - 1, 1e-6);
  // Soddy and Gosset: (sum of k)^2 = 3 sum of k^2 for five tangent spheres, the one around with a negative k. The
  // spheres of an octahedron that share a face are tangent to each other.
  const FragmentPattern p = geometry::fragment_pattern(14);
  const double k = 1 / p.largest(), own = 1 / p.smallest();
  EXPECT_NEAR((3 * k + own - 1) * (3 * k + own - 1), 3 * (3 * k * k + own * own + 1), 2e-4);
  EXPECT_NEAR(p.volume, 0.524, 5e-4);
}

SceneBreakageRule rule_of(double modulus) {
  SceneBreakageRule rule;
  rule.stress = 2e7;
  rule.at_diameter = 5e-3;
  rule.inverse_modulus = modulus > 0 ? 1 / modulus : 0;
  rule.size_exponent = 3 * rule.inverse_modulus;
  return rule;
}

/// The largest distance between the distribution of the values and Weibull's with the scale 1.
double distance_from_weibull(std::vector<double> values, double modulus) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double most = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double expected = 1 - std::exp(-std::pow(values[k], modulus));
    most = std::max({most, expected - static_cast<double>(k) / n, static_cast<double>(k + 1) / n - expected});
  }
  return most;
}

// Kolmogorov and Smirnov: one sample of n in a hundred is farther than 1.628 / sqrt(n) from its distribution. The
// strengths of spheres of the given diameter have its stress as scale, so that exp(-1) = 37 % are stronger.
TEST(ParticleStrengths, FollowWeibullsLaw) {
  constexpr std::uint32_t n = 1000;
  for (const double modulus : {1.0, 3.0, 10.0}) {
    for (const std::uint64_t seed : {1U, 7U}) {
      std::vector<double> values;
      for (std::uint32_t id = 0; id < n; ++id) {
        values.push_back(breakage::strength_of(rule_of(modulus), seed, id, 2.5e-3) / 2e7);
      }
      const auto stronger = std::count_if(values.begin(), values.end(), [](double s) { return s > 1; });
      EXPECT_NEAR(static_cast<double>(stronger) / n, std::exp(-1.0), 4 * std::sqrt(0.37 * 0.63 / n));
      EXPECT_LT(distance_from_weibull(values, modulus), 1.628 / std::sqrt(static_cast<double>(n)));
      EXPECT_GT(distance_from_weibull(values, 1.2 * modulus), 1.628 / std::sqrt(static_cast<double>(n)))
          << "another modulus is told apart";
    }
  }
}

// A sphere that holds 8 of the volumes is as strong as the weakest of 8 in the mean: a factor 8^(-1/m) = 2^(-3/m).
TEST(ParticleStrengths, FallWithTheSize) {
  for (const double modulus : {1.0, 3.0}) {
    for (std::uint32_t id = 0; id < 5; ++id) {
      const double small = breakage::strength_of(rule_of(modulus), 3, id, 2.5e-3),
                   large = breakage::strength_of(rule_of(modulus), 3, id, 5e-3);
      EXPECT_NEAR(large / small, std::pow(8.0, -1 / modulus), 1e-12);
    }
  }
  SceneBreakageRule rule = rule_of(0);
  EXPECT_EQ(breakage::strength_of(rule, 3, 5, 2.5e-3), 2e7) << "no scatter, no size effect";
  rule.size_exponent = 0.5;
  EXPECT_NEAR(breakage::strength_of(rule, 3, 5, 1e-2), 2e7 / 2, 1e-6);
}

// Momentum of the kept mass: its centre of mass is that of the parent, so it is kept mass times velocity. Its angular
// momentum about that centre is the sum of the moments of inertia times the spin, since the motion is a rigid one.
TEST(BreakageFragments, MoveAsTheParentDid) {
  breakage::Parent parent;
  parent.radius = 2e-3, parent.depth = 1e-5;
  parent.position = {0.3, -0.2, 0.1}, parent.velocity = {1, 2, -3}, parent.angular_velocity = {100, -50, 30};
  parent.temperature = 350;
  for (const std::uint64_t n : sizes) {
    SCOPED_TRACE(n);
    parent.id = static_cast<std::uint32_t>(n);
    const FragmentPattern pattern = geometry::fragment_pattern(n);
    ParticleSet set;
    breakage::append_fragments(pattern, parent, 5, set);
    ASSERT_EQ(set.size(), n);
    Real3 momentum{}, angular{}, expected{};
    double mass = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const Real3 arm = subtract(set.position[k], parent.position);
      EXPECT_LE(length(arm) + set.radius[k], parent.radius - parent.depth);
      for (std::size_t j = 0; j < k; ++j) {
        EXPECT_GT(length(subtract(set.position[j], set.position[k])), set.radius[j] + set.radius[k]);
      }
      const double m = 2500 * std::pow(set.radius[k], 3), inertia = 0.4 * m * set.radius[k] * set.radius[k];
      mass += m;
      momentum = along(momentum, m, set.velocity[k]);
      angular = add(angular, along(scaled(cross(arm, set.velocity[k]), m), inertia, set.angular_velocity[k]));
      expected = along(expected, m * dot(arm, arm) + inertia, parent.angular_velocity);
      expected = along(expected, -m * dot(arm, parent.angular_velocity), arm);
      EXPECT_EQ(set.temperature[k], 350);
    }
    EXPECT_NEAR(mass / (2500 * std::pow(parent.radius - parent.depth, 3)), pattern.volume, 1e-12);
    EXPECT_LT(length(subtract(momentum, scaled(parent.velocity, mass))), 1e-12 * length(momentum));
    EXPECT_LT(length(subtract(angular, expected)), 1e-9 * length(expected));
  }
  ParticleSet again, other;
  breakage::append_fragments(geometry::fragment_pattern(14), parent, 5, again);
  breakage::append_fragments(geometry::fragment_pattern(14), parent, 6, other);
  EXPECT_NE(again.position[0], other.position[0]) << "the seed turns the pattern";
}

TEST(BreakageTotals, ComeBack) {
  std::vector<StateArray> arrays;
  breakage::save_totals({3, 42, 0.125}, arrays);
  const BreakageReport totals = breakage::saved_totals(arrays);
  EXPECT_EQ(totals.broken, 3U);
  EXPECT_EQ(totals.fragments, 42U);
  EXPECT_EQ(totals.fines, 0.125);
  EXPECT_EQ(breakage::saved_totals({}).broken, 0U) << "an older checkpoint has none";
  arrays.clear();
  breakage::save_totals({43, 42, 0.125}, arrays);
  EXPECT_THROW(static_cast<void>(breakage::saved_totals(arrays)), StateError);
}

/// A case in which spheres and a clump of a material lie on a plane.
std::string case_with(const std::string& breakage, const std::string& more = "") {
  return R"({ "time": { "duration": 1e-3 }, "materials": {
    "ore": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.3, "restitution": 0.5 },
    "steel": { "density": 7800, "young_modulus": 1e8, "poisson_ratio": 0.25, "friction": 0.3, "restitution": 0.5 } },
    "shapes": { "pair": { "type": "clump", "spheres": [ { "center": [0, 0, 0], "radius": 1 },
                                                        { "center": [1, 0, 0], "radius": 1 } ] } },
    "particles": [ { "material": "ore", "radius": 0.005, "positions": [[0, 0, 0.005]] },
                   { "material": "steel", "shape": "pair", "radius": 0.005, "positions": [[1, 0, 0.02]] } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "steel" } },
    "breakage": )" +
         breakage + more + "}";
}
std::string rules(const std::string& material, const std::string& more) {
  return R"({ "materials": { ")" + material + R"(": { "stress": 1e6, "at_diameter": 0.01, )" + more + " } } }";
}

Scene scene_of(const std::string& text) {
  SceneReport report;
  return build_scene(parse_case(text, "/nowhere"), report);
}

TEST(BreakageInput, LimitsTheNumberOfParticles) {
  const std::string rule =
      R"("materials": { "ore": { "stress": 1e6, "at_diameter": 0.01, "smallest_radius": 1e-3 } } })";
  EXPECT_EQ(scene_of(case_with("{" + rule)).breakage->most_particles, 10000000U);
  EXPECT_EQ(scene_of(case_with(R"({ "most_particles": 500, )" + rule)).breakage->most_particles, 500U);
  const auto expect_refusal = [&](const std::string& most, const std::string& part) {
    const std::string text = case_with("{ \"most_particles\": " + most + ", " + rule);
    expect_first_problem([&] { scene_of(text); }, "breakage.most_particles", part);
  };
  expect_refusal("1", "must be above the number of particles at the start, ");
  expect_refusal("0", "must be at least 1, got 0");
}

TEST(BreakageInput, KnowsWhatMayCome) {
  const Scene scene = scene_of(case_with(rules("ore", R"("weibull_modulus": 3, "smallest_radius": 1e-3)")));
  ASSERT_TRUE(scene.breakage.has_value());
  ASSERT_EQ(scene.breakage->rules.size(), 1U);
  const SceneBreakageRule& rule = scene.breakage->rules[0];
  EXPECT_NEAR(rule.size_exponent, 1, 1e-12);
  EXPECT_EQ(rule.fragments, 14U);
  EXPECT_NEAR(rule.largest_radius, 0.005 * (std::sqrt(2.0) - 1), 1e-8);
  // The fragments of 2.07 mm would break into some of 0.48 mm.
  EXPECT_EQ(rule.most_particles, 14U);
  EXPECT_EQ(scene.outlet_names, std::vector<std::string>{"breakage"});
  const Scene finer = scene_of(case_with(rules("ore", R"("fragments": 4, "smallest_radius": 1e-3)")));
  EXPECT_EQ(finer.breakage->rules[0].most_particles, 16U) << "radii 5, 2.25 and 1.01 mm";
  EXPECT_LT(scene.time_step, scene_of(case_with(rules("ore", R"("smallest_radius": 1.1e-3)"))).time_step)
      << "the step is that of the smallest fragments";
}

TEST(BreakageInput, ParcelsAreAsStrongAsTheirGrains) {
  Case grains = parse_case(case_with(rules("ore", R"("weibull_modulus": 3, "smallest_radius": 1e-3)")), "/nowhere");
  grains.parcels = Parcels{2};
  const Breakage parcels = as_parcels(grains).breakage.value();
  EXPECT_EQ(parcels.materials[0].second.at_diameter, 0.02);
  EXPECT_EQ(parcels.materials[0].second.smallest_radius, 2e-3);
  EXPECT_EQ(parcels.materials[0].second.stress, 1e6);
}

TEST(BreakageInput, IsRefusedInOneSentence) {
  const auto expect = [](const std::string& text, const std::string& path, const std::string& part) {
    expect_first_problem([&] { static_cast<void>(scene_of(text)); }, path, part);
  };
  const std::string fine = R"("smallest_radius": 1e-3)";
  expect(case_with(rules("oer", fine)), "breakage.materials.oer", "did you mean \"ore\"");
  expect(case_with(rules("ore", R"("fragments": 5, )" + fine)), "breakage.materials.ore.fragments",
         "must be 2, 4, 6, 8, 13, 14 or 33, got 5");
  expect(case_with(rules("ore", R"("weibull_modulus": 0.5, )" + fine)), "breakage.materials.ore.weibull_modulus",
         "at least 1");
  expect(case_with(rules("ore", R"("smallest_radius": 2e-3)")), "breakage.materials.ore.smallest_radius",
         "nothing can break");
  expect(case_with(rules("steel", fine)), "breakage.materials.steel", "clumps and level-set grains do not break");
  expect(case_with(R"({ "materials": {} })"), "breakage.materials", "at least 1");
  expect(case_with(rules("ore", fine),
                   R"(, "domain": { "outlets": { "breakage": { "point": [9, 0, 0], "normal": [1, 0, 0] } } })"),
         "breakage", "an outlet or a region has the name \"breakage\"");
  expect(case_with(rules("ore", fine), R"(, "domain": { "periodic": { "edges": [[2, 0, 0], [0, 2, 0], [0, 0, 2]] },
                   "velocity_gradient": [[0, 0, 1], [0, 0, 0], [0, 0, 0]] })"),
         "breakage", "is not possible in a cell that deforms");
  expect_first_problem(
      [&] {
        Case input = parse_case(case_with(rules("ore", fine)), "/nowhere");
        input.breakage.reset();
        input.output.broken_particles = true;
        SceneReport report;
        static_cast<void>(build_scene(input, report));
      },
      "output.broken_particles", "has no effect without \"breakage\"");
}

}  // namespace scree::test::breakage_test
