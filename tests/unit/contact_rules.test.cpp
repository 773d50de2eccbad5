#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "host/case/check/problems.hpp"
#include "host/scene/contact_rules.hpp"

namespace scree::contact_rules_test {

/// Restitution of a head-on Hertz impact with the damping ratio beta: u'' = -u^(3/2) - 2 beta sqrt(3/2) u^(1/4) u' is
/// integrated from u = 0, u' = 1 until the force vanishes (classical Runge-Kutta).
double restitution_of(double beta) {
  const auto acceleration = [&](double u, double v) {
    const double depth = std::max(u, 0.0);
    return -std::pow(depth, 1.5) - 2 * beta * std::sqrt(1.5) * std::sqrt(std::sqrt(depth)) * v;
  };
  double u = 0, v = 1;
  constexpr double h = 2e-4;
  for (int step = 0; step < 1000000; ++step) {
    const double v1 = v, a1 = acceleration(u, v1), v2 = v + h / 2 * a1, a2 = acceleration(u + h / 2 * v1, v2);
    const double v3 = v + h / 2 * a2, a3 = acceleration(u + h / 2 * v2, v3), v4 = v + h * a3;
    const double a4 = acceleration(u + h * v3, v4);
    u += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if (v < 0 && (u <= 0 || acceleration(u, v) >= 0)) return -v;
  }
  return -1;
}

// Points of the table of exact solutions.
TEST(DampingRatio, ExactPointsComeBack) {
  const std::vector<std::pair<double, double>> points = {
      {0.05, 1.775850},  {0.1, 1.134870},   {0.5, 0.233034}, {0.85, 0.048819},
      {0.925, 0.023016}, {0.995, 0.001458}, {1, 0}};
  for (const auto& [e, beta] : points) EXPECT_NEAR(damping_ratio(e), beta, 1e-12) << e;
}

TEST(DampingRatio, FallsMonotonically) {
  double before = damping_ratio(0.05);
  for (int k = 1; k <= 9500; ++k) {
    const double beta = damping_ratio(std::min(0.05 + 1e-4 * k, 1.0));
    ASSERT_LT(beta, before) << k;
    before = beta;
  }
}

// The work of a weak dashpot 2 beta sqrt(m k_n) along the undamped Hertzian impact: 1 - e = pi sqrt(6/5) beta.
TEST(DampingRatio, SlopeAtOneIsExact) {
  EXPECT_NEAR(damping_ratio(1 - 1e-6) / 1e-6, std::sqrt(5.0 / 6.0) / 3.14159265358979, 1e-6);
}

// Restitutions between the points of the table, against the integrated impact.
TEST(DampingRatio, GivesTheRestitutionItWasAskedFor) {
  for (const double e : {0.15, 0.25, 0.35, 0.55, 0.65, 0.75, 0.88, 0.94, 0.975, 0.99}) {
    EXPECT_NEAR(restitution_of(damping_ratio(e)), e, 1e-3) << e;
  }
  for (const double e : {0.06, 0.075, 0.09}) EXPECT_NEAR(restitution_of(damping_ratio(e)), e, 2.5e-3) << e;
}

Case two_materials() {
  Case input;
  input.materials = {{"glass", {2500, 1e7, 0.25, 0.4, 0.8}}, {"steel", {7800, 1e9, 0.3, 0.2, 0.6}}};
  input.particles.resize(1);
  input.particles[0].material = "glass";
  Boundary wall;
  wall.material = "steel";
  input.boundaries = {{"wall", wall}};
  return input;
}

ContactRule rule(const char* first, const char* second, LawKind law, std::optional<double> friction = {},
                 std::optional<double> restitution = {}) {
  ContactRule made;
  made.between = {first, second};
  made.law = law;
  made.friction = friction;
  made.restitution = restitution;
  return made;
}

TEST(ContactRules, DefaultIsTheSmallerOfBoth) {
  std::vector<InputProblem> problems;
  const auto contacts = resolve_contacts(two_materials(), problems);
  EXPECT_TRUE(problems.empty());
  ASSERT_EQ(contacts.pairs.size(), 4u);
  EXPECT_EQ(contacts.pairs[0].friction, 0.4);
  EXPECT_EQ(contacts.pairs[1].friction, 0.2);
  EXPECT_EQ(contacts.pairs[2].friction, 0.2);
  EXPECT_EQ(contacts.pairs[0].damping_ratio, damping_ratio(0.8));
  EXPECT_EQ(contacts.pairs[1].damping_ratio, damping_ratio(0.6));
  EXPECT_EQ(contacts.pairs[2].damping_ratio, damping_ratio(0.6));
}

TEST(ContactRules, FirstMatchWinsInEitherOrder) {
  Case input = two_materials();
  input.contacts = {rule("steel", "glass", LawKind::hertz_mindlin, 0.9, 0.5),
                    rule("*", "glass", LawKind::hertz_mindlin, 0.1, {}),
                    rule("*", "*", LawKind::hertz_mindlin, 0.7, {})};
  std::vector<InputProblem> problems;
  const auto contacts = resolve_contacts(input, problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(contacts.pairs[1].friction, 0.9);
  EXPECT_EQ(contacts.pairs[2].damping_ratio, damping_ratio(0.5));
  EXPECT_EQ(contacts.pairs[0].friction, 0.1);
  EXPECT_EQ(contacts.pairs[3].friction, 0.7);
}

TEST(ContactRules, EachPairHasTheLawOfItsRule) {
  Case input = two_materials();
  input.contacts = {rule("glass", "steel", LawKind::cundall_strack, {}, {}),
                    rule("*", "*", LawKind::hertz_mindlin, {}, {})};
  std::vector<InputProblem> problems;
  Scene scene;
  ResolvedContacts contacts = resolve_contacts(input, problems);
  EXPECT_TRUE(problems.empty());
  scene.law = contacts.law;
  scene.pairs = contacts.pairs;
  scene.materials.resize(2);
  EXPECT_EQ(scene.law_of(0, 1), LawKind::cundall_strack);
  EXPECT_EQ(scene.law_of(1, 0), LawKind::cundall_strack);
  EXPECT_EQ(scene.law_of(0, 0), LawKind::hertz_mindlin);
}

TEST(ContactRules, CundallStrackNeedsNoRestitution) {
  Case input = two_materials();
  input.materials[0].second.restitution.reset();
  input.contacts = {rule("*", "*", LawKind::cundall_strack, {}, {})};
  std::vector<InputProblem> problems;
  const auto contacts = resolve_contacts(input, problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(contacts.law, LawKind::cundall_strack);
  EXPECT_EQ(contacts.pairs[0].damping_ratio, 0);
}

ContactRule rule_of(LawKind law) {
  ContactRule rule;
  rule.law = law;
  return rule;
}

MaterialPair resolved(const ContactRule& rule) {
  Case input = two_materials();
  input.contacts = {rule};
  std::vector<InputProblem> problems;
  const auto contacts = resolve_contacts(input, problems);
  EXPECT_TRUE(problems.empty());
  return contacts.pairs[1];
}

TEST(ContactRules, ValuesOfHertzLaws) {
  ContactRule rule = rule_of(LawKind::jkr);
  rule.restitution = 0.7;
  rule.restitution_tangential = 0.4;
  rule.young_modulus = 3e6;
  rule.shear_modulus = 1e6;
  rule.surface_energy = 0.1;
  const MaterialPair pair = resolved(rule);
  EXPECT_EQ(pair.damping_ratio, damping_ratio(0.7));
  EXPECT_EQ(pair.damping_ratio_shear, damping_ratio(0.4));
  EXPECT_EQ(pair.effective_young, 3e6);
  EXPECT_EQ(pair.effective_shear, 1e6);
  EXPECT_EQ(pair.surface_energy, 0.1);
  EXPECT_FALSE(resolved(rule_of(LawKind::mindlin_reversal)).damping_ratio_shear.has_value()) << "as the normal one";
}

TEST(ContactRules, CohesionLiquidAndPlasticity) {
  EXPECT_EQ(resolved(rule_of(LawKind::hertz_mindlin)).attraction(), Attraction::none);
  ContactRule rule = rule_of(LawKind::hertz_mindlin);
  rule.cohesion = LinearCohesion{1e5, CohesionArea::sjkr2, true};
  EXPECT_EQ(resolved(rule).attraction(), Attraction::cohesion);
  EXPECT_EQ(resolved(rule).cohesion->area, CohesionArea::sjkr2);
  rule.cohesion.reset();
  rule.liquid = LiquidBridges{0.07, 0.1, {}, 0.02};
  EXPECT_EQ(resolved(rule).attraction(), Attraction::liquid);
  ContactRule plastic = rule_of(LawKind::luding);
  plastic.plasticity = Plasticity{0.5, 1e-6, 0.2};
  EXPECT_EQ(resolved(plastic).plasticity.ratio, 0.5);
  EXPECT_EQ(resolved(plastic).plasticity.adhesion, 0.2);
}

TEST(ContactRules, SpringsFromOneOfThreeSources) {
  ContactRule rule = rule_of(LawKind::linear_spring_dashpot);
  const LinearSprings moduli = resolved(rule).springs;
  EXPECT_TRUE(moduli.from_moduli);
  const double log = std::log(0.6);  // the smaller restitution of the two materials
  EXPECT_NEAR(moduli.damping_ratio, -log / std::sqrt(std::numbers::pi * std::numbers::pi + log * log), 1e-15);
  EXPECT_EQ(moduli.shear_damping_ratio, moduli.damping_ratio);

  rule.contact_time = 1e-3;
  const LinearSprings timed = resolved(rule).springs;
  EXPECT_FALSE(timed.from_moduli);
  EXPECT_NEAR(timed.stiffness_per_mass, 1e6 * (std::numbers::pi * std::numbers::pi + log * log), 1e-5);

  rule.contact_time.reset();
  rule.normal_stiffness = 1e4, rule.shear_stiffness = 2e3, rule.normal_damping = 0.5, rule.shear_damping = 0.25;
  const LinearSprings given = resolved(rule).springs;
  EXPECT_FALSE(given.from_moduli);
  EXPECT_EQ(given.stiffness, 1e4);
  EXPECT_EQ(given.shear_stiffness, 2e3);
  EXPECT_EQ(given.dashpot, 0.5);
  EXPECT_EQ(given.shear_dashpot, 0.25);
  EXPECT_EQ(given.damping_ratio, 0);

  ContactRule undamped = rule_of(LawKind::cundall_strack);
  undamped.normal_stiffness = 1e4, undamped.shear_stiffness = 2e3;
  EXPECT_EQ(resolved(undamped).springs.damping_ratio, 0) << "the restitution of the materials does not count";
}

TEST(ContactRules, RollingResistanceIsTheHarmonicMean) {
  Case input = two_materials();
  input.materials[0].second.rolling = RollingResistance{1, 0.1, 0.5, 0.05, 0.2};
  input.materials[1].second.rolling = RollingResistance{3, 0.2, 0, 0, 0.1};
  std::vector<InputProblem> problems;
  const auto both = resolve_contacts(input, problems).pairs[1].rolling;
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(both.stiffness, 1.5);  // 2 a b / (a + b)
  EXPECT_EQ(both.friction, 0.1);
  EXPECT_EQ(both.twisting_stiffness, 0);
  EXPECT_EQ(both.damping, 0.1);
  EXPECT_TRUE(both.acts());
  input.contacts = {rule("glass", "steel", LawKind::hertz_mindlin), rule("*", "*", LawKind::hertz_mindlin)};
  input.contacts[0].rolling = RollingResistance{0.25, 0.5};
  EXPECT_EQ(resolve_contacts(input, problems).pairs[1].rolling.stiffness, 0.25);
  input.contacts.clear();
  input.materials[1].second.rolling.reset();
  EXPECT_FALSE(resolve_contacts(input, problems).pairs[1].rolling.acts());
  EXPECT_TRUE(problems.empty());
}

// Types A and B: the smaller friction or viscosity. Types that differ are not mixed.
TEST(ContactRules, RollingMomentsOfTypesAAndB) {
  Case input = two_materials();
  input.materials[0].second.rolling = RollingResistance{.friction = 0.1, .type = RollingType::directional};
  input.materials[1].second.rolling = RollingResistance{.friction = 0.2, .type = RollingType::directional};
  std::vector<InputProblem> problems;
  const auto a = resolve_contacts(input, problems).pairs[1].rolling;
  EXPECT_TRUE(a.acts() && a.is_moment());
  EXPECT_EQ(a.friction, 0.1);
  input.materials[0].second.rolling = RollingResistance{.type = RollingType::viscous, .viscosity = 3};
  (void)resolve_contacts(input, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].text().find("contacts.0.rolling: is missing: the rolling resistances of"), std::string::npos);
  problems.clear();
  input.materials[1].second.rolling = RollingResistance{.type = RollingType::viscous, .viscosity = 2};
  const auto b = resolve_contacts(input, problems).pairs[1].rolling;
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(b.viscosity, 2);
  EXPECT_TRUE(b.is_moment());
  for (const bool law : {true, false}) {
    input.contacts = {rule("*", "*", law ? LawKind::mindlin_reversal : LawKind::hertz_mindlin)};
    if (!law) { input.contacts[0].cohesion = LinearCohesion{1e3}; }
    problems.clear();
    (void)resolve_contacts(input, problems);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(
        problems[0].text(),
        law ? "contacts.0.rolling: of type A or B does not go with the law mindlin_reversal, but with hertz_mindlin, "
              "jkr, linear_spring_dashpot and eepa"
            : "contacts.0.rolling: of type A or B does not go with cohesion and liquid beside the law; type C does");
  }
}

// With scattered strengths lists reach to the strongest bond that there may be, 37.1^(1/m) scale parameters.
TEST(ContactRules, ScatteredBondsWidenTheRangeMore) {
  Case input = two_materials();
  input.contacts = {rule("glass", "glass", LawKind::bonded), rule("*", "*", LawKind::cundall_strack)};
  input.contacts[0].bond = Bond{1e5, 2e6, 1.2};
  input.contacts[0].bond->weibull_modulus = 2;
  std::vector<InputProblem> problems;
  const double most = std::sqrt(37.1);
  const auto contacts = resolve_contacts(input, problems);
  ASSERT_TRUE(contacts.pairs[0].range);
  EXPECT_NEAR(*contacts.pairs[0].range, 1.05 * 1.2 * (1 + most * 1e5 / 1e7), 1e-12);
  EXPECT_TRUE(problems.empty());
  input.contacts[0].bond->tensile_strength = 2e6;
  (void)resolve_contacts(input, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].text(),
            "contacts.0.bond.tensile_strength: must be less than Young's modulus, 1e+07 Pa, got 2e+06, of which the "
            "strongest bond may have 6.09 times");
}

// Moments of bonds are those of springs against bending or twisting, of the rule or of the two materials.
TEST(ContactRules, MomentsOfBondsNeedSprings) {
  const std::string message =
      "contacts.0.bond.moment_contribution: needs \"rolling\" of type C with a stiffness or twisting_stiffness: its "
      "springs have the moments of a bond of spheres; bonds of level-set grains have none";
  const auto text_with = [](double contribution, const std::optional<RollingResistance>& rolling) {
    Case input = two_materials();
    input.contacts = {rule("*", "*", LawKind::bonded)};
    input.contacts[0].bond = Bond{1e5, 2e5};
    input.contacts[0].bond->moment_contribution = contribution;
    input.contacts[0].rolling = rolling;
    std::vector<InputProblem> problems;
    const ResolvedContacts contacts = resolve_contacts(input, problems);
    EXPECT_EQ(contacts.pairs[0].bond.moment_contribution, contribution);
    EXPECT_LT(problems.size(), 2U);
    return problems.empty() ? "" : problems[0].text();
  };
  EXPECT_EQ(text_with(0.5, std::nullopt), message);
  EXPECT_EQ(text_with(0.5, RollingResistance{}), message);
  EXPECT_EQ(text_with(0, std::nullopt), "");
  EXPECT_EQ(text_with(0.5, RollingResistance{.stiffness = 0.3}), "");
  EXPECT_EQ(text_with(0.5, RollingResistance{.twisting_stiffness = 0.3}), "");

  // Only particles are bonded: pairs with a material of boundaries need no springs.
  Case input = two_materials();
  input.materials[0].second.rolling = RollingResistance{.stiffness = 0.3};
  input.contacts = {rule("*", "*", LawKind::bonded)};
  input.contacts[0].bond = Bond{1e5, 2e5};
  input.contacts[0].bond->moment_contribution = 1;
  std::vector<InputProblem> problems;
  (void)resolve_contacts(input, problems);
  EXPECT_TRUE(problems.empty()) << problems[0].text();
}

TEST(ContactRules, BondsWidenTheRangeOfTheirPair) {
  Case input = two_materials();
  input.contacts = {rule("glass", "glass", LawKind::bonded), rule("*", "*", LawKind::cundall_strack)};
  input.contacts[0].bond = Bond{1e6, 2e6, 1.2};
  std::vector<InputProblem> problems;
  const auto contacts = resolve_contacts(input, problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(contacts.pairs[0].bond.cohesion, 2e6);
  ASSERT_TRUE(contacts.pairs[0].range);
  EXPECT_NEAR(*contacts.pairs[0].range, 1.05 * 1.2 * (1 + 1e6 / 1e7), 1e-12);
  EXPECT_FALSE(contacts.pairs[1].range) << "other pairs have no bonds";
  input.contacts[0].bond->tensile_strength = 1e7;
  (void)resolve_contacts(input, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].text(),
            "contacts.0.bond.tensile_strength: must be less than Young's modulus, 1e+07 Pa, got 1e+07");
  input.contacts = {rule("*", "*", LawKind::cundall_strack)};
  input.contacts[0].rolling = RollingResistance{1, 0};
  problems.clear();
  (void)resolve_contacts(input, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "contacts.0.rolling");
}

std::vector<InputProblem> problems_of(const Case& input) {
  std::vector<InputProblem> problems;
  (void)resolve_contacts(input, problems);
  return problems;
}

TEST(ContactRules, JaegerDoesNotGoWithRollingResistance) {
  Case input = two_materials();
  input.contacts = {rule("*", "*", LawKind::jaeger)};
  input.contacts[0].rolling = RollingResistance{1, 0.1};
  auto problems = problems_of(input);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].text(),
            "contacts.0.rolling: does not go with the law jaeger, whose contacts roll and twist freely");
  input.contacts[0].rolling.reset();
  for (auto& material : input.materials) material.second.rolling = RollingResistance{1, 0.1};
  problems = problems_of(input);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "contacts.0.rolling");
  EXPECT_NE(problems[0].message.find("have rolling resistance, which does not go with the law jaeger"),
            std::string::npos)
      << problems[0].message;
  input.contacts[0].rolling = RollingResistance{};
  EXPECT_TRUE(problems_of(input).empty());
}

TEST(ContactRules, FaultsNameTheirPlace) {
  Case input = two_materials();
  input.materials[1].second.restitution = 0.04;
  const auto problems = problems_of(input);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].text(), "materials.steel.restitution: must be in [0.05, 1] for hertz_mindlin, got 0.04");

  input = two_materials();
  input.materials[1].second.restitution = 0.04;
  input.contacts = {rule_of(LawKind::linear_spring_dashpot)};
  EXPECT_TRUE(problems_of(input).empty());
}

TEST(ContactRules, PairsThatNeverTouchNeedNoRule) {
  Case input = two_materials();
  input.contacts = {rule("glass", "glass", LawKind::hertz_mindlin, {}, {})};
  std::vector<InputProblem> list;
  Problems problems(list);
  check_contacts(input, problems);
  ASSERT_EQ(list.size(), 1u) << "glass with steel is missing; steel with steel never touches";
  EXPECT_EQ(list[0].text(),
            "contacts: no rule matches \"glass\" and \"steel\"; add one, or a last rule between \"*\" and \"*\"");
}

}  // namespace scree::contact_rules_test
