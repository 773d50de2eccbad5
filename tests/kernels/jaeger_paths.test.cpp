#include "jaeger_contact.hpp"
#include "jaeger_oblique.hpp"
#include "scree/elasticity.hpp"

/// The Jaeger contact along paths whose answer is known. Half displacements, forces in units of Hertz's constant.
namespace scree::inline SCREE_BACKEND::jaeger_paths_test {

template <class R>
class JaegerPaths : public ::testing::Test {
 protected:
  /// Rounding of up to some tens of steps, relative to mu N.
  static constexpr double small = sizeof(R) == 4 ? 2e-6 : 3e-15;
};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(JaegerPaths, Reals);

// Loading in three elastic pieces, slip that splits and pops segments, elastic again, slip inside a slip zone. The
// forces were worked out by hand and checked against 64 000 fibres that stick and slip one by one.
TYPED_TEST(JaegerPaths, NineMovements) {
  const double kappa = 1.2;
  JaegerContact<TypeParam> contact{jaeger_values<TypeParam>(1, kappa, 0.5)};
  struct Row {
    double grown, moved, force;
    JaegerEvent event;
    std::vector<double> ends, b;
  };
  const double cut4 = 0.742857142857142857, cut8 = 1.144117647058823529;
  const std::vector<Row> rows{
      {0.3, 0.03, 0.016432, JaegerEvent::elastic, {0.3}, {0.1}},
      {0.3, 0.09, 0.106564, JaegerEvent::elastic, {0.3, 0.6}, {0.1, 0.3}},
      {0.3, 0.06, 0.184375, JaegerEvent::elastic, {0.3, 0.6, 0.9}, {0.1, 0.3, 0.2}},
      {-0.02, -0.10, 0.049039, JaegerEvent::slip, {0.3, 0.6, cut4, 0.88}, {0.1, 0.3, 0.2, -0.5}},
      {-0.03, -0.12, -0.092803, JaegerEvent::slip, {0.3, 0.55625, 0.85}, {0.1, 0.3, -0.5}},
      {0.2, 0.04, -0.034350, JaegerEvent::elastic, {0.3, 0.55625, 0.85, 1.05}, {0.1, 0.3, -0.5, 0.2}},
      {0.2, 0.07, 0.078215, JaegerEvent::elastic, {0.3, 0.55625, 0.85, 1.05, 1.25}, {0.1, 0.3, -0.5, 0.2, 0.35}},
      {0.02,
       -0.10,
       -0.086314,
       JaegerEvent::slip,
       {0.3, 0.55625, 0.85, 1.05, cut8, 1.27},
       {0.1, 0.3, -0.5, 0.2, 0.35, -0.5}},
      {-0.01,
       0.05,
       -0.002791,
       JaegerEvent::unload,
       {0.3, 0.55625, 0.85, 1.05, cut8, 1.215, 1.26},
       {0.1, 0.3, -0.5, 0.2, 0.35, -0.5, 0.5}}};
  double zeta = 0;
  for (const Row& row : rows) {
    zeta += row.grown;
    const JaegerStep<TypeParam> step = contact.to(zeta, {kappa * row.moved, 0});
    EXPECT_NEAR(contact.force.x, row.force, 1.1e-6);  // the table has this many digits
    EXPECT_EQ(contact.force.y, 0);
    EXPECT_EQ(int(step.event), int(row.event));
    ASSERT_EQ(contact.stack.size(), row.ends.size());
    for (std::size_t k = 0; k < row.ends.size(); ++k) {
      const auto segment = contact.stack.at(std::uint32_t(k));
      EXPECT_NEAR(segment.end(), row.ends[k], 2 * this->small);
      EXPECT_NEAR(0.5 * segment.slope().x, row.b[k], 10 * this->small);
      EXPECT_EQ(segment.slips(), std::abs(row.b[k]) == 0.5);
    }
  }
}

// Closed form at constant normal force: Cattaneo and Mindlin on first loading, twice this curve after each reversal.
// Closed loops are forgotten.
TYPED_TEST(JaegerPaths, ConstantNormalForce) {
  const double hertz = 1.7, kappa = 1.25, mu = 0.4, zeta = 0.8;
  const double normal = hertz * zeta * std::sqrt(zeta), reach = kappa * mu * zeta;
  const auto first = [&](double x) { return mu * normal * (1 - std::pow(std::max(0.0, 1 - x / reach), 1.5)); };
  JaegerContact<TypeParam> contact{jaeger_values<TypeParam>(hertz, kappa, mu)};
  contact.to(zeta, {0, 0});
  double at = 0;
  const auto move_to = [&](double x, int n) {
    contact.along(zeta, {x - at, 0}, n);
    at = x;
  };
  const double tolerance = 3 * this->small * mu * normal;
  const double a = 0.8 * reach, b = -0.3 * reach, c = 0.4 * reach, d = 0.1 * reach;
  move_to(0.5 * a, 1);
  EXPECT_NEAR(contact.force.x, first(0.5 * a), tolerance);
  move_to(a, 3);
  const double at_a = first(a);
  EXPECT_NEAR(contact.force.x, at_a, tolerance);
  move_to(b, 1);
  const double at_b = at_a - 2 * first((a - b) / 2);
  EXPECT_NEAR(contact.force.x, at_b, tolerance);
  move_to(c, 7);
  const double at_c = at_b + 2 * first((c - b) / 2);
  EXPECT_NEAR(contact.force.x, at_c, tolerance);
  move_to(d, 1);
  EXPECT_NEAR(contact.force.x, at_c - 2 * first((c - d) / 2), tolerance);
  // Back through c and further: the small loop is forgotten, and the curve from b continues.
  move_to(0.6 * reach, 1);
  EXPECT_NEAR(contact.force.x, at_b + 2 * first((0.6 * reach - b) / 2), tolerance);
  // Through a and further: first loading continues.
  move_to(0.9 * reach, 1);
  EXPECT_NEAR(contact.force.x, first(0.9 * reach), tolerance);
  EXPECT_EQ(contact.stack.size(), 2u);
  move_to(3 * reach, 1);
  EXPECT_NEAR(contact.force.x, mu * normal, tolerance);
  EXPECT_EQ(contact.stack.size(), 1u);
}

/// The number of steps per leg does not matter: four large steps (pressing, loading, unloading, reloading) are exact.
template <class R>
void expect_mindlin_deresiewicz(const Oblique& o, int steps, double tolerance) {
  const ObliquePath path{o};
  JaegerContact<R> contact{jaeger_values<R>(o.hertz, o.kappa, o.mu)};
  const Vec2<double> along{std::cos(o.angle), std::sin(o.angle)};
  contact.to(path.zeta(o.pressed), {0, 0});
  double at = 0;
  path.each_step(steps, [&](const ObliqueStep& step) {
    contact.to(path.zeta(step.normal), (step.displacement - at) * along);
    at = step.displacement;
    const double allowed = tolerance * o.mu * step.normal;
    EXPECT_NEAR(double(contact.normal()), step.normal, 10 * tolerance * step.normal);
    EXPECT_NEAR(contact.force.x, step.force * along.x, allowed) << "step " << step.number << " towards " << step.to;
    EXPECT_NEAR(contact.force.y, step.force * along.y, allowed) << "step " << step.number << " towards " << step.to;
  });
}

TYPED_TEST(JaegerPaths, MindlinAndDeresiewiczInLargeSteps) {
  const double tolerance = sizeof(TypeParam) == 4 ? 4e-6 : 3e-14;
  for (const int steps : {1, 2, 50}) {
    const double more = steps == 50 ? 5 : 1;
    for (const Oblique& o : oblique_cases) { expect_mindlin_deresiewicz<TypeParam>(o, steps, more * tolerance); }
  }
}

// Without slip the force is the sum of d_xi / (kappa d_zeta) dN, in any direction.
TYPED_TEST(JaegerPaths, WithoutSlipTheForceIsTheSum) {
  const double hertz = 2, kappa = 1.1, mu = 0.6;
  JaegerContact<TypeParam> contact{jaeger_values<TypeParam>(hertz, kappa, mu)};
  Chance chance(3);
  Vec2<double> expected{0, 0};
  const auto normal = [&](double z) { return hertz * z * std::sqrt(z); };
  for (int k = 0; k < 100; ++k) {
    const double step = chance(0.001, 0.02), before = contact.zeta;
    const Vec2<double> b = chance.within(0.99 * mu);
    EXPECT_EQ(int(contact.to(before + step, kappa * step * b).event), int(JaegerEvent::elastic));
    expected += (normal(before + step) - normal(before)) * b;
    EXPECT_NEAR(norm(contact.force - expected), 0, 10 * this->small * mu * normal(contact.zeta));
  }
  EXPECT_EQ(contact.stack.size(), 100u);
}

// A straight oblique step on a new contact gives the force of a collinear step, turned.
TYPED_TEST(JaegerPaths, ObliqueStepIsTheTurnedCollinearOne) {
  const Vec2<double> along{std::cos(2.5), std::sin(2.5)};
  for (const double moved : {0.1, 0.2, 0.3, 0.6}) {
    JaegerContact<TypeParam> straight{jaeger_values<TypeParam>(1, 1.2, 0.5)}, turned{straight.of};
    straight.to(0.4, {0.01, 0}), turned.to(0.4, 0.01 * along);
    straight.to(0.6, {moved, 0}), turned.to(0.6, moved * along);
    EXPECT_NEAR(norm(turned.force - straight.force.x * along), 0, this->small * straight.force.x);
    EXPECT_EQ(turned.stack.size(), straight.stack.size());
  }
}

Material elastic(double shear_modulus, double poisson_ratio) {
  Material material;
  material.young_modulus = 2 * (1 + poisson_ratio) * shear_modulus;
  material.poisson_ratio = poisson_ratio;
  return material;
}

// Values from section 2 of Kuhn: two equal spheres with G = 29 GPa, nu = 0.15, R = 0.5 mm. A = (8/3) E* sqrt(R).
TEST(JaegerElasticity, FromMaterials) {
  const Material bead = elastic(29e9, 0.15);
  const EffectiveModuli like = effective_moduli(bead, bead, {});
  const double hertz = 8.0 / 3.0 * like.young * std::sqrt(0.5e-3);
  EXPECT_NEAR(hertz, 2.034383415e9, 1);
  EXPECT_NEAR(hertz, 8.0 / 3.0 * 29e9 / 0.85 * std::sqrt(0.5e-3), 1e-5);
  EXPECT_NEAR(like.young / (4 * like.shear), 1.088235294, 1e-9);
  const EffectiveModuli unlike = effective_moduli(bead, elastic(10e9, 0.3), {});
  const double young = 1 / (0.85 / 58e9 + 0.7 / 20e9);
  EXPECT_NEAR(unlike.young, young, 1e-14 * young);
  // kappa is the ratio of the normal stiffness 2 E* a to the tangential stiffness 8 G* a.
  EXPECT_NEAR(unlike.young / (4 * unlike.shear), 2 * young / (8 / (1.85 / 29e9 + 1.7 / 10e9)), 1e-14);
}

}  // namespace scree::inline SCREE_BACKEND::jaeger_paths_test
