#include <gtest/gtest.h>

#include <utility>

#include "kernels/laws/viscous_bonded.hpp"
#include "scenes.hpp"

// What becomes of the distance at which a bond was made once it has broken. Spheres have the radius r, E = 1e8 Pa and
// G / E = 0.3; A = pi r^2. The balance of energy is in contact_test.test.cpp.
namespace scree::physics::bond_gaps_test {

constexpr double radius = 0.01, young = 1e8, ratio = 0.3;
constexpr double area = pi * radius * radius;
constexpr double normal_stiffness = young * area / (2 * radius);

/// Two of them, with an overlap or, if it is negative, a gap.
ContactState<double> contact_with(double overlap, double slip = 0) {
  ContactState<double> c{};
  c.n = {0, 0, 1};
  c.overlap = overlap;
  c.slip = {0, slip, 0};
  c.radius1 = c.radius2 = radius;
  c.effective_mass = 0.005;
  c.time_step = 1e-5;
  c.branch_before = {0, 0, 2 * radius - overlap};
  return c;
}

// The energies of a bond know the force of its normal spring: that of the law, but for some last places over the strain
// where the logarithm comes from the energy.
TEST(BondGaps, ForceOfTheStoredEnergy) {
  for (const double logarithmic : {0.0, 1.0}) {
    const Bonded<double>::Params params{young, ratio * young, 1e12, 1e12, 0.5, 1, logarithmic};
    for (const double shorter : {-1e-4, 1e-9, 1e-6, 1e-4, 1e-3, 6e-3, 0.018}) {
      Bonded<double>::History bond{1, -1e-4};
      const double length = 2 * radius + 1e-4;
      const ContactState<double> c = contact_with(shorter - 1e-4);
      const double exact = c.overlap - bond.offset;
      const auto spring = Bonded<double>::normal_spring(exact, length, young * area / length, logarithmic);
      EXPECT_NEAR(spring.force / Bonded<double>::evaluate(c, params, bond).normal, 1, 1e-12) << shorter;
    }
  }
}

// A bond of bodies with a gap of 0.1 mm breaks in shear under pressure. It still presses in this step, and from the
// next one on the bodies have a plain contact, with K_N = E A / 2r.
TEST(BondGaps, BrokenBondsForgetTheirGap) {
  for (const bool logarithmic : {false, true}) {
    const Bonded<double>::Params params{young, ratio * young, 1e6, 1e2, 0.5, 1.1, logarithmic ? 1.0 : 0.0};
    Bonded<double>::History history{1, -1e-4};
    const auto response = [&](double overlap, double slip) {
      return Bonded<double>::evaluate(contact_with(overlap, slip), params, history);
    };
    const auto broken = response(-0.5e-4, 10);
    EXPECT_EQ(history.state, -1);
    EXPECT_NEAR(broken.normal / (young * area / (2 * radius + 1e-4) * 0.5e-4), 1, 2e-3);
    EXPECT_NEAR(norm(Real3{broken.shear.x, broken.shear.y, broken.shear.z}) / (0.5 * broken.normal), 1, 1e-12);
    auto touching = history;
    EXPECT_EQ(response(-0.5e-4, 10).normal, 0) << "nothing is left between them";
    EXPECT_EQ(history.state, 0);
    EXPECT_EQ(history.offset, 0);
    std::swap(history, touching);
    EXPECT_NEAR(response(1e-5, 0).normal / (normal_stiffness * 1e-5), 1, logarithmic ? 1e-3 : 1e-9);
    EXPECT_EQ(history.state, -1);
    EXPECT_EQ(history.offset, 0);
  }
}

// The law that makes bonds later remembers that a pair had one, and nothing else: neither a gap nor an overlap. The two
// have the plain contact that begins at r1 + r2.
TEST(BondGaps, RememberedBondsHaveNoLength) {
  using Law = ViscousBonded<double>;
  for (const double offset : {-1e-4, 1e-4}) {
    const Law::Params params{{young, ratio * young, 1e4, 1e4, 0.5, 1.1, 0}, 0, 0.1};
    Law::History history{1, offset};
    const auto normal = [&](double overlap) { return Law::evaluate(contact_with(overlap), params, history).normal; };
    EXPECT_EQ(normal(-3e-4), 0) << "breaks in tension";
    EXPECT_EQ(history.state, remembered_bond<double>);
    EXPECT_EQ(history.offset, 0);
    EXPECT_EQ(normal(-0.5e-4), 0) << "nearer than at the bond with a gap";
    EXPECT_EQ(history.state, remembered_bond<double>);
    EXPECT_NEAR(normal(1e-5) / (normal_stiffness * 1e-5), 1, 1e-9);
    EXPECT_EQ(history.state, -1) << "not a bond";
    EXPECT_EQ(normal(-1e-6), 0);
    EXPECT_EQ(history.state, remembered_bond<double>);
    EXPECT_EQ(normal(-2.1e-3), 0);
    EXPECT_EQ(history.state, 0) << "forgotten beyond the range";
  }
}

// The check of overlaps leaves out a whole bond. Of a broken one it takes what exceeds the overlap at which the bond
// was made; a gap at that moment does not count. Lengths of 1e-4 m are differences of positions of 0.02 m: 1e-13 of
// them.
TEST(BondGaps, OverlapsThatNoBondExplains) {
  using Law = Bonded<double>;
  const auto overlap = [](double state, double offset) {
    return Law::overlap_without_bond(3e-4, Law::History{state, offset});
  };
  EXPECT_EQ(overlap(1, 1e-4), 0);
  EXPECT_EQ(overlap(0, 0), 3e-4) << "never bonded";
  EXPECT_DOUBLE_EQ(overlap(-1, 1e-4), 2e-4);
  EXPECT_EQ(overlap(-1, -1e-4), 3e-4);
  for (const double damping : {0.0, 0.1}) {
    for (const double rolling : {0.0, 0.3}) {
      for (const BondForm form : {BondForm::start, BondForm::kept}) {
        MaterialPair pair;
        pair.friction = 0.5;
        pair.bond = {1e6, 1e6};
        pair.bond.form = form;
        pair.bond.damping = damping;
        pair.rolling = {rolling, 0.1, rolling, 0.1};
        Scene scene = empty_scene(LawKind::bonded, {young, ratio, 2500}, {young, ratio, 2500}, pair, 1e-7);
        scene.energies = damping > 0;
        add_sphere(scene, {0, 0, 0}, radius);
        add_sphere(scene, {0, 0, 2 * radius - 3e-4}, radius);
        const auto engine = start(scene);
        engine->advance(1);
        const bool bonded = form == BondForm::start;  // no bond is there that could be kept
        EXPECT_EQ(engine->counts().bonds, bonded ? 1U : 0U);
        EXPECT_NEAR(engine->watch().overlap, bonded ? 0 : 3e-4 / radius, 1e-14);
      }
    }
  }
}

}  // namespace scree::physics::bond_gaps_test
