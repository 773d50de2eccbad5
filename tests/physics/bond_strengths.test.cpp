#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "kernels/laws/bonded.hpp"
#include "kernels/step/pairs/bond_rules.hpp"
#include "scenes.hpp"

// Strengths of bonds that are scattered by Weibull's law.
namespace scree::physics::bond_strengths_test {

// Against the library, over many sizes.
TEST(BondStrengths, LogarithmAndExponential) {
  for (double x = 1e-16; x < 50; x *= 1.07) {
    EXPECT_NEAR(math::logarithm(x), std::log(x), 4e-16 * (1 + std::abs(std::log(x)))) << x;
    for (const double y : {x, -x}) { EXPECT_NEAR(math::exponential(y) / std::exp(y), 1, 4e-15) << y; }
  }
  EXPECT_EQ(math::logarithm(1), 0);
  EXPECT_EQ(math::exponential(0), 1);
  EXPECT_NEAR(math::logarithm(1 - 0x1p-53) / -0x1p-53, 1, 1e-15);
}

double weibull(double strength, double modulus) { return 1 - std::exp(-std::pow(strength, modulus)); }

/// The largest distance of an empirical distribution from Weibull's.
double distance_from_weibull(std::vector<double> values, double modulus) {
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  double most = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double expected = weibull(values[k], modulus);
    most = std::max({most, expected - static_cast<double>(k) / n, static_cast<double>(k + 1) / n - expected});
  }
  return most;
}
/// Kolmogorov and Smirnov: one sample of n in a hundred is farther from its distribution.
double bound_of_distance(std::size_t n) { return 1.628 / std::sqrt(static_cast<double>(n)); }

std::vector<double> strengths(double modulus, std::uint64_t seed, std::size_t n, std::uint64_t node = 0) {
  std::vector<double> values;
  for (index_t i = 0; values.size() < n; ++i) {
    for (index_t j = i + 1; j < i + 6 && values.size() < n; ++j) {
      values.push_back(BondStrength::of({1 / modulus, 0, 1}, seed, i, j, node));
    }
  }
  return values;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n,
               mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    ab += (a[k] - mean_a) * (b[k] - mean_b), aa += (a[k] - mean_a) * (a[k] - mean_a);
    bb += (b[k] - mean_b) * (b[k] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

// The scale parameter is 1, so the mean is Gamma(1 + 1/m); its error is that of 40,000 values, within 4 standard
// deviations. Another modulus, another seed and another node give other numbers, which do not follow the first ones:
// the correlation of n independent pairs has the deviation 1/sqrt(n).
TEST(BondStrengths, FollowWeibullsLaw) {
  constexpr std::size_t n = 40000;
  for (const double modulus : {1.0, 2.5, 8.0, 30.0}) {
    const std::vector<double> values = strengths(modulus, 7, n);
    EXPECT_LT(distance_from_weibull(values, modulus), bound_of_distance(n)) << modulus;
    EXPECT_GT(distance_from_weibull(values, 1.1 * modulus), bound_of_distance(n)) << "the test sees other moduli";
    const double mean = std::tgamma(1 + 1 / modulus), variance = std::tgamma(1 + 2 / modulus) - mean * mean;
    const double found = std::accumulate(values.begin(), values.end(), 0.0) / n;
    EXPECT_NEAR(found, mean, 4 * std::sqrt(variance / n)) << modulus;
    for (const auto& others : {strengths(modulus, 8, n), strengths(modulus, 7, n, 1)}) {
      EXPECT_LT(std::abs(correlation(values, others)), 4 / std::sqrt(n)) << modulus;
    }
    std::vector<double> next(values.begin() + 1, values.end());
    next.push_back(values.front());
    EXPECT_LT(std::abs(correlation(values, next)), 4 / std::sqrt(n)) << modulus;
  }
  EXPECT_EQ(BondStrength::of({0, 0, 1}, 7, 3, 4, 0), 1) << "no scatter";
}

// The rarest random numbers: the host allows for such strengths where it chooses the reach of lists.
TEST(BondStrengths, HaveALargestOne) { EXPECT_LT(-std::log(0x1p-53), BondStrength::most_logarithm); }

constexpr double radius = 0.01, young = 1e8, strength = 1e4;

/// Many bonded pairs far from each other, each pulled apart along its axis at the same speed [m/s]. `turned`: the
/// second of each pair comes first.
Scene pulled_pairs(int n, double modulus, double speed, std::uint64_t seed, bool turned, double time_step) {
  MaterialPair pair;
  pair.friction = 0.5;
  pair.bond.tensile_strength = strength;
  pair.bond.cohesion = 1e7;
  pair.bond.weibull_modulus = modulus;
  Scene scene = empty_scene(LawKind::bonded, {young, 0.3, 2500}, {young, 0.3, 2500}, pair, time_step);
  scene.interaction_range = 1.1;
  scene.seed = seed;
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  for (int k = 0; k < n; ++k) {
    const Real3 place{0, 0.05 * (k % 40), 0.05 * (k / 40)};
    const Real3 other = place + Real3{2 * radius, 0, 0};
    add_sphere(scene, turned ? other : place, radius, {turned ? speed : 0, 0, 0});
    add_sphere(scene, turned ? place : other, radius, {turned ? 0 : speed, 0, 0});
  }
  scene.particles.group.assign(scene.particles.size(), 1);
  return scene;
}

// Readouts of contacts tell the strength of each bond, rounded to the precision of the run.
TEST(BondStrengths, AreDetailsOfContacts) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = pulled_pairs(50, 3, 0.001, 11, false, 1e-6);
    scene.precision = precision;
    const auto engine = start(scene);
    engine->advance(1);
    std::vector<ContactDetail> details;
    const auto contacts = engine->touching_contacts(&details);
    ASSERT_EQ(contacts.size(), 50U);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const double exact = BondStrength::of({1.0 / 3, 0, 1}, 11, contacts[c].first, contacts[c].second, 0);
      EXPECT_NEAR(details[c].strength, exact, precision == Precision::double_ ? 0 : 0x1p-23 * exact) << c;
      EXPECT_TRUE(details[c].bonded);
      EXPECT_EQ(norm(details[c].moment), 0) << "of a law without rolling resistance";
    }
  }
}

// A bond of the strength s breaks at the strain s (tensile strength) / E. The share of broken bonds over the strain is
// their distribution, seen at 200 strains.
TEST(BondStrengths, BreakPairsOfARun) {
  constexpr int n = 1200, looks = 200;
  constexpr double modulus = 3;
  const double most = 2.2 * strength / young * 2 * radius;  // [m] of stretch
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    std::vector<std::uint64_t> broken[2];
    for (const bool turned : {false, true}) {
      Scene scene = pulled_pairs(n, modulus, most / (looks * 1e-4), 5, turned, 1e-4);
      scene.precision = precision;
      const auto engine = start(scene);
      double distance = 0, from_other = 0;
      engine->advance(1);
      EXPECT_EQ(engine->counts().bonds, static_cast<std::uint64_t>(n));
      for (int k = 1; k <= looks; ++k) {
        engine->advance(1);
        const double stress = 2.2 * k / looks, share = static_cast<double>(engine->counts().broken_bonds) / n;
        distance = std::max(distance, std::abs(share - weibull(stress, modulus)));
        from_other = std::max(from_other, std::abs(share - weibull(stress, 2)));
        broken[turned ? 1 : 0].push_back(engine->counts().broken_bonds);
      }
      EXPECT_LT(distance, bound_of_distance(n));
      EXPECT_GT(from_other, bound_of_distance(n)) << "the test sees other moduli";
    }
    EXPECT_EQ(broken[0], broken[1]) << "a strength belongs to the ids of a pair";
  }
}

/// Chains of bonded spheres far from each other, each pulled apart at its ends. Spheres between them begin with the
/// velocities of an even stretch, so that no wave runs through a chain before it breaks.
Scene pulled_chains(std::size_t n, std::size_t bonds, double modulus, double speed) {
  Scene scene = pulled_pairs(0, modulus, 0, 11, false, 1e-5);
  scene.groups[0].damping = 0.3;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i <= bonds; ++i) {
      const double x = 2 * radius * double(i), part = double(i) / double(bonds);
      add_sphere(scene, {x, 0.05 * double(k % 20), 0.05 * double(k / 20)}, radius, {speed * part, 0, 0});
      scene.particles.group.push_back(i == 0 || i == bonds ? 1 : 0);
    }
  }
  return scene;
}

// A chain is as strong as its weakest bond: its strength has Weibull's distribution with a scale of N^(-1/m). That is
// the effect of size, by which large bodies are weaker.
TEST(BondStrengths, LongChainsAreWeaker) {
  constexpr std::size_t n = 400, looks = 160;
  constexpr double modulus = 3, most = 1.6;  // of the stress over the tensile strength
  for (const std::size_t bonds : {2UL, 6UL}) {
    const double stretch = most * strength / young * 2 * radius * double(bonds);
    const auto engine = start(pulled_chains(n, bonds, modulus, stretch / (50 * looks * 1e-5)));
    const double scale = std::pow(double(bonds), -1 / modulus);
    std::vector<double> broken_at(n, most);
    double distance = 0, from_one = 0;
    for (std::size_t look = 1; look <= looks; ++look) {
      engine->advance(50);
      const std::vector<std::uint32_t> fragment = engine->snapshot({.fragment = true}).fragment;
      const double stress = most * double(look) / looks;
      std::size_t broken = 0;
      for (std::size_t k = 0; k < n; ++k) {
        if (fragment[k * (bonds + 1)] == fragment[k * (bonds + 1) + bonds]) { continue; }
        ++broken;
        broken_at[k] = std::min(broken_at[k], stress - 0.5 * most / looks);
      }
      const double share = double(broken) / n;
      distance = std::max(distance, std::abs(share - weibull(stress / scale, modulus)));
      from_one = std::max(from_one, std::abs(share - weibull(stress, modulus)));
    }
    EXPECT_LT(distance, bound_of_distance(n)) << bonds;
    EXPECT_GT(from_one, bound_of_distance(n)) << "the test sees the number of bonds";
    const double first = std::tgamma(1 + 1 / modulus),
                 deviation = std::sqrt(std::tgamma(1 + 2 / modulus) - first * first);
    const double mean = std::accumulate(broken_at.begin(), broken_at.end(), 0.0) / n;
    EXPECT_NEAR(mean, scale * first, 4 * scale * deviation / std::sqrt(double(n))) << bonds;
  }
}

// Shear: the strength scales the cohesion, and friction adds to it under pressure.
TEST(BondStrengths, ScaleTheCohesion) {
  const Bonded<double>::Params params{young, 0.3 * young, 1e6, 2e4, 0.5, 1, 0};
  const double area = pi * radius * radius;
  for (const double s : {0.4, 1.0, 2.5}) {
    for (const double overlap : {0.0, 1e-6}) {
      const double press = young * area / (2 * radius) * overlap;
      for (const double part : {0.999, 1.001}) {
        Bonded<double>::History history{s, 0};
        ContactState<double> c{};
        c.n = {0, 0, 1};
        c.overlap = overlap;
        c.radius1 = c.radius2 = radius;
        c.time_step = 1e-5;
        c.branch_before = {0, 0, 2 * radius};
        c.shear = {part * (s * 2e4 * area + 0.5 * press), 0, 0};
        static_cast<void>(Bonded<double>::evaluate(c, params, history));
        EXPECT_EQ(history.state, part < 1 ? s : (overlap > 0 ? -1 : 0)) << s << " " << part;
      }
    }
  }
}

}  // namespace scree::physics::bond_strengths_test
