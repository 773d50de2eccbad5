#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "impacts.hpp"
#include "kernels/interactions/plastic_params.hpp"
#include "kernels/laws/elasto_plastic.hpp"
#include "law_states.hpp"

// The laws eepa (n = 3/2) and luding (n = 1): every branch against its formula.
namespace scree::physics::elasto_plastic_test {

constexpr double young = 5e6, radius = 2e-3, ratio = 0.6, energy = 0.05, friction = 0.4;  // E*, r, 1 - k1/k2, gamma
constexpr double reduced = 0.5 * radius, spring = 3e4;

template <class Law>
struct Known;
template <>
struct Known<Eepa<double>> {
  static constexpr double n = 1.5;
  static Eepa<double>::Springs springs() { return {young, 4e6, 0, 0, friction}; }
  static double k1() { return 4.0 / 3 * young * std::sqrt(reduced); }
};
template <>
struct Known<Luding<double>> {
  static constexpr double n = 1;
  static Luding<double>::Springs springs() {
    Luding<double>::Springs s{};
    s.stiffness = spring, s.shear_stiffness = 1e4, s.friction = friction;
    return s;
  }
  static double k1() { return spring; }
};

template <class Law>
typename Law::Params params(double gamma, double adhesion = 0, double pull_off = 0) {
  MaterialPair pair;
  pair.surface_energy = gamma;
  pair.plasticity = {ratio, pull_off, adhesion};
  return plastic_params<Law, double>(Known<Law>::springs(), pair);
}
template <class Law>
LedgerPath<Law> path(const typename Law::Params& p) {
  return {p, contact_at(0, radius, radius)};
}

template <class Law>
class ElastoPlasticLaws : public ::testing::Test {};
using Both = ::testing::Types<Eepa<double>, Luding<double>>;
TYPED_TEST_SUITE(ElastoPlasticLaws, Both);

// Loading, unloading, reloading, loading again, then unloading down the adhesive branch, each in closed form.
TYPED_TEST(ElastoPlasticLaws, EveryBranchIsItsFormula) {
  using Law = TypeParam;
  const double n = Known<Law>::n, k1 = Known<Law>::k1(), k2 = k1 / (1 - ratio), f0 = 2e-4;
  const double most = 4e-5, plastic = ratio * std::pow(most, n), rounding = 1e-11 * k1 * std::pow(most, n);
  const double pull = 3 * pi * energy * std::sqrt(2 * reduced * std::pow(plastic, 1 / n));
  const double branch = pull / (plastic - pull / k2), lowest = std::pow(plastic - pull / k2, 1 / n);
  ASSERT_LT(pull, 0.5 * k2 * plastic) << "the bound does not hold here";
  auto contact = path<Law>(params<Law>(energy, 0, f0));
  const auto loading = [&](double u) { return k1 * std::pow(u, n) - f0; };
  const auto unloading = [&](double u) { return k2 * (std::pow(u, n) - plastic) - f0; };
  for (const double u : {1e-6, 1e-5, most}) { EXPECT_NEAR(contact.move_to(u), loading(u), rounding); }
  for (const double u : {0.95 * most, 0.8 * most, 0.9 * most}) {
    EXPECT_NEAR(contact.move_to(u), unloading(u), rounding);
  }
  EXPECT_NEAR(contact.move_to(most), loading(most), rounding) << "both curves meet at the largest overlap";
  EXPECT_NEAR(contact.move_to(lowest), -pull - f0, rounding) << "the end of unloading";
  for (const double u : {0.8 * lowest, 0.3 * lowest}) {
    EXPECT_NEAR(contact.move_to(u), -branch * std::pow(u, n) - f0, rounding);
  }
  // Reloading starts along k2 from the present force.
  const double torn = 0.3 * lowest, last = -branch * std::pow(torn, n) - f0;
  const double next = torn * 1.05;
  EXPECT_NEAR(contact.move_to(next), last + k2 * (std::pow(next, n) - std::pow(torn, n)), rounding);
  EXPECT_NEAR(contact.move_to(2 * most), loading(2 * most), 4 * rounding) << "and ends on the curve of loading";
}

// Pull-off grows with the consolidation: F_min = 3 pi gamma sqrt(2 R* u_p) for eepa, and h k2/(h + k2) u_p^n for a
// given ratio of stiffnesses.
TYPED_TEST(ElastoPlasticLaws, PullOffGrowsWithTheConsolidation) {
  using Law = TypeParam;
  const double n = Known<Law>::n, k1 = Known<Law>::k1(), k2 = k1 / (1 - ratio);
  const auto least_after = [&](const typename Law::Params& p, double most) {
    auto contact = path<Law>(p);
    contact.move_to(most);
    double least = 0;
    for (int k = 0; k < 20000; ++k) { least = std::min(least, contact.move_to(most * (1 - (k + 1) / 20001.0))); }
    return least;
  };
  for (const double most : {2e-5, 4e-5, 8e-5}) {
    const double plastic = ratio * std::pow(most, n);
    const double pull = 3 * pi * energy * std::sqrt(2 * reduced * std::pow(plastic, 1 / n));
    // Steps of 5e-5 of the path miss the corner by up to k2 n u^n 5e-5.
    const double corner = 5e-5 * n * k2 * std::pow(most, n);
    EXPECT_NEAR(least_after(params<Law>(energy), most), -pull, corner);
    EXPECT_NEAR(least_after(params<Law>(0, 0.5), most), -0.5 * k1 * k2 / (0.5 * k1 + k2) * plastic, corner);
    EXPECT_NEAR(least_after(params<Law>(1e3), most), -0.5 * k2 * plastic, corner) << "at most half of k2 u_p^n";
  }
}

// The work of a closed path is the area between its curves, and the ledger finds it as a loss. The work is summed by
// trapezoids of 1/20000 of the path.
TYPED_TEST(ElastoPlasticLaws, LossIsTheAreaBetweenTheCurves) {
  using Law = TypeParam;
  const double n = Known<Law>::n, k1 = Known<Law>::k1(), k2 = k1 / (1 - ratio), most = 4e-5;
  const std::vector<std::pair<double, double>> legs = {
      {0, most},      {most, 0.8 * most}, {0.8 * most, 1.2 * most}, {1.2 * most, 0.2 * most}, {0.2 * most, 0.3 * most},
      {0.3 * most, 0}};
  auto contact = path<Law>(params<Law>(energy, 0, 1e-4));
  contact.move_to(0);
  for (const auto& [from, to] : legs) {
    for (int k = 1; k <= 20000; ++k) { contact.move_to(from + (to - from) * k / 20000); }
    EXPECT_NEAR(contact.work, contact.lost + contact.stored + contact.normal, 1e-6 * contact.work) << to;
  }
  EXPECT_NEAR(contact.stored + contact.normal, 0, 1e-7 * contact.work) << "nothing is left at the end";

  // One loading and unloading to no force, in closed form: W = k1 I(u) - k2 (I(u) - I(u_p) - u_p^n (u - u_p)).
  auto once = path<Law>(params<Law>(0));
  once.move_to(0);
  for (int k = 1; k <= 1000; ++k) { once.move_to(most * k / 1000); }
  const double plastic = ratio * std::pow(most, n), free = std::pow(plastic, 1 / n);
  const auto integral = [&](double u) { return std::pow(u, n + 1) / (n + 1); };
  const double back = k2 * (integral(most) - integral(free) - plastic * (most - free));
  EXPECT_NEAR(once.lost, k1 * integral(most) - back, 1e-9 * once.work);
  EXPECT_NEAR(once.normal, back, 1e-9 * once.work);
  for (int k = 1; k <= 1000; ++k) { once.move_to(most + (free - most) * k / 1000); }
  EXPECT_NEAR(once.normal, 0, 1e-9 * back);
  EXPECT_NEAR(once.lost, k1 * integral(most) - back, 1e-9 * once.work) << "unloading loses nothing";
}

/// The energy [J] lost in 1e5 steps of 2e-8 of the overlap, after one step to this overlap.
template <class Law, class R>
double lost_slowly(const typename Law::Params& params) {
  ContactState<R> c{};
  c.n = c.branch_before = {R(0), R(0), R(1)};
  c.radius1 = c.radius2 = R(radius);
  c.effective_radius = R(reduced);
  c.effective_mass = c.time_step = R(1);
  typename Law::History history{};
  double lost = 0;
  constexpr double most = 4e-5, step = 2e-8 * most;
  for (int k = 0; k <= 100000; ++k) {
    c.overlap = R(most + k * step);
    c.retreat = R(k == 0 ? -most : -step);
    c.overlap_before = c.overlap + c.retreat;
    const typename Law::History before = history;
    const LawResponse<R> response = Law::evaluate(c, params, history);
    if (k > 0) { lost += double(Law::energies(c, params, response, R(0), before, history).breakage); }
  }
  return lost;
}

/// The same parameters in single precision.
template <class Single, class Double>
typename Single::Params rounded(typename Double::Params params) {
  std::array<double, Double::Params::n_components> values{};
  params.each([&](int component, double& value) { values[std::size_t(component)] = value; });
  typename Single::Params result{};
  result.each([&](int component, float& value) { value = static_cast<float>(values[std::size_t(component)]); });
  return result;
}

// Mixed precision: the loss of small steps adds up to that of a large one. It follows the plastic overlap, whose first
// and last value are floats with an error of up to three last places, 2e-7 each; it grows by 2e-3, so the error is
// below 2 * 2e-7 / 2e-3 = 2e-4. Differences of energies that are floats would add some per cent, all of one sign.
TEST(ElastoPlastic, LossOfManySmallSteps) {
  const auto eepa = params<Eepa<double>>(energy);
  EXPECT_NEAR((lost_slowly<Eepa<float>, float>(rounded<Eepa<float>, Eepa<double>>(eepa))) /
                  (lost_slowly<Eepa<double>, double>(eepa)),
              1, 2e-4);
  const auto luding = params<Luding<double>>(energy);
  EXPECT_NEAR((lost_slowly<Luding<float>, float>(rounded<Luding<float>, Luding<double>>(luding))) /
                  (lost_slowly<Luding<double>, double>(luding)),
              1, 2e-4);
}

// Coulomb's limit is mu (F_N + f0 + h u^n): at the end of unloading there is no friction left, and at no load there is.
TYPED_TEST(ElastoPlasticLaws, FrictionGoesWithTheDistanceFromTheAdhesiveBranch) {
  using Law = TypeParam;
  const double n = Known<Law>::n, k2 = Known<Law>::k1() / (1 - ratio);
  const double most = 4e-5, plastic = ratio * std::pow(most, n), free = std::pow(plastic, 1 / n);
  const double pull = 3 * pi * energy * std::sqrt(2 * reduced * std::pow(plastic, 1 / n));
  const double branch = pull / (plastic - pull / k2);
  typename Law::History history{};
  const auto p = params<Law>(energy, 0, 1e-4);
  auto c = contact_at(most, radius, radius);
  static_cast<void>(Law::evaluate(c, p, history));
  c.overlap = c.overlap_before = free;
  c.slip = {1, 0, 0};
  const LawResponse<double> response = Law::evaluate(c, p, history);
  EXPECT_NEAR(response.normal, -1e-4, 1e-9) << "no elastic force";
  EXPECT_NEAR(response.tangential.x, -friction * branch * plastic, 1e-9 * branch * plastic);
}

/// Two equal spheres that meet head-on at a relative speed.
Scene head_on(LawKind law, double speed, double gamma) {
  MaterialPair pair{friction, 0};
  pair.surface_energy = gamma;
  pair.plasticity = {ratio, 0, 0};
  pair.springs = {.from_moduli = false, .stiffness = spring, .shear_stiffness = 1e4};
  const double time = hertz_impact(young, reduced, 0.5 * sphere_mass(radius, 2000), speed).duration;
  Scene scene = empty_scene(law, {young * 2 * (1 - 0.09), 0.3, 2000}, {rigid, 0, 1}, pair, time / 4000);
  scene.energies = true;
  add_sphere(scene, {-radius, 0, 0}, radius, {0.5 * speed, 0, 0});
  add_sphere(scene, {radius, 0, 0}, radius, {-0.5 * speed, 0, 0});
  return scene;
}

// Restitution without adhesion, from the two areas: e^2 = 1 - L for n = 1 (Walton & Braun 1986), and
// (1 - L^(5/3) - 5/2 L (1 - L^(2/3))) / (1 - L) for n = 3/2, L = 1 - k1/k2. It does not depend on the speed.
TEST(ElastoPlasticImpacts, RestitutionFollowsFromTheRatioOfStiffnesses) {
  for (const LawKind law : {LawKind::eepa, LawKind::luding}) {
    const double square =
        law == LawKind::luding
            ? 1 - ratio
            : (1 - std::pow(ratio, 5.0 / 3) - 2.5 * ratio * (1 - std::pow(ratio, 2.0 / 3))) / (1 - ratio);
    for (const double speed : {0.1, 0.5}) {
      const auto engine = start(head_on(law, speed, 0));
      engine->advance(16000);
      EXPECT_NEAR(2 * read(*engine, 1).velocity[0] / speed, std::sqrt(square), 1e-4);
      const EnergyLedger e = engine->energies();
      const double before = 0.25 * sphere_mass(radius, 2000) * speed * speed;
      EXPECT_NEAR(e.breakage / before, 1 - square, 1e-4);
      EXPECT_LT(std::fabs(e.error), 1e-4 * before);
    }
  }
}

// Slow spheres stick if tearing them apart takes more energy than unloading gives back. With the closed forms of the
// branches and u = 1 these are, for eepa with F_a near its bound, 0.18 and 0.14 k1, and for luding at the bound k2
// L^2/4 = 0.09 and k2 (1 - L)^2/2 = 0.08 k2. The ledger balances.
TEST(ElastoPlasticImpacts, SlowSpheresStick) {
  for (const LawKind law : {LawKind::eepa, LawKind::luding}) {
    const double speed = 0.02;
    const auto engine = start(head_on(law, speed, law == LawKind::eepa ? 2 : 100));
    engine->advance(200000);
    EXPECT_EQ(engine->counts().contacts, 1U);
    const EnergyLedger e = engine->energies();
    const double before = 0.25 * sphere_mass(radius, 2000) * speed * speed;
    EXPECT_LT(std::fabs(e.error), 1e-3 * before);
    EXPECT_GT(e.breakage, 0.5 * before);
  }
}

}  // namespace scree::physics::elasto_plastic_test
