#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "../kernels/jaeger_cases.hpp"
#include "../kernels/jaeger_oblique.hpp"
#include "host/commands/contact.hpp"
#include "jaeger_drive.hpp"

/// The law jaeger as the engine evaluates it, from positions and velocities to forces, for one contact at a time.
namespace scree::physics::jaeger_law_test {

/// Largest error of the tangential force over mu N_max along a reference history.
double worst_of(const JaegerCase& c, Precision precision) {
  const double radius = roomy_radius(*std::max_element(c.zeta.begin(), c.zeta.end()));
  Scene scene = jaeger_scene(c.hertz, c.kappa, c.friction, radius, precision);
  for (MaterialPair& pair : scene.pairs) { pair.jaeger.merging = c.merging / c.friction; }
  DrivenSphere contact(scene, radius);
  double worst = 0;
  for (std::size_t k = 0; k < c.zeta.size(); ++k) {
    contact.to(c.zeta[k], c.movement[k].x, c.movement[k].y);
    const auto [x, y] = contact.force();
    worst = std::max(worst, std::hypot(x - c.force[k].x, y - c.force[k].y) / (c.friction * c.largest_normal));
    EXPECT_NEAR(contact.normal(), c.normal[k], (precision == Precision::double_ ? 1e-14 : 4e-7) * c.largest_normal)
        << c.name << " " << k;
    EXPECT_EQ(contact.answer().touching, c.zeta[k] > 0) << c.name << " " << k;
  }
  return worst;
}

// The reference histories, for a sphere on a wall. In mixed precision, half overlaps are differences between a float of
// the size of the radius and a distance; their rounding is added to the rounding of slopes and normal forces.
TEST(JaegerLaw, ReferenceHistoriesOfASphereDrivenSphere) {
  ASSERT_EQ(jaeger_cases().size(), 25u);
  double most = 0, most_mixed = 0;
  for (const JaegerCase& c : jaeger_cases()) {
    const double whole = worst_of(c, Precision::double_), mixed = worst_of(c, Precision::mixed);
    EXPECT_LT(whole, 1e-12) << c.name;
    EXPECT_LT(mixed, 1e-6) << c.name;
    std::printf("%s: %.2e, mixed %.2e\n", c.name.c_str(), whole, mixed);
    most = std::max(most, whole), most_mixed = std::max(most_mixed, mixed);
  }
  std::printf("largest |T - T_ref| / (mu N_max): %.2e, mixed %.2e\n", most, most_mixed);
}

/// A random walk through all branches: the law against the algorithm with the whole stack in one vector.
template <JaegerOptions options>
void expect_same_as_the_algorithm(const LoadHistorySettings& settings, bool wall) {
  const double hertz = 1.3, kappa = 1.2, mu = 0.4, radius = roomy_radius(2);
  Scene scene = jaeger_scene(hertz, kappa, mu, wall ? radius : radius / 2);
  for (MaterialPair& pair : scene.pairs) { pair.jaeger = settings; }
  DrivenSphere contact(scene, radius, wall);
  JaegerContact<double, options> algorithm{jaeger_values<double>(hertz, kappa, mu)};
  algorithm.of.merging = settings.merging;
  algorithm.of.most = std::uint32_t(settings.most_segments.value_or(0));
  std::uint64_t longest = 0;
  int others = 0;
  auto moves = fine_history(60, 2000, 5, kappa, mu, 0.5);
  const auto walk = random_walk(4000, 11, kappa, mu);
  moves.insert(moves.end(), walk.begin(), walk.end());
  for (std::size_t k = 0; k < moves.size(); ++k) {
    const auto& [zeta, movement] = moves[k];
    contact.to(zeta, movement.x, movement.y);
    algorithm.to(zeta, movement);
    ASSERT_LT(std::hypot(contact.force()[0] - algorithm.force.x, contact.force()[1] - algorithm.force.y), 1e-11) << k;
    others += contact.answer().segments != algorithm.stack.size() ? 1 : 0;
    longest = std::max(longest, contact.answer().segments);
  }
  std::printf("up to %d segments, other numbers of them in %d steps\n", int(longest), others);
  EXPECT_LT(others, 5);  // steps on the limit between two branches may differ
  if (settings.most_segments) {
    EXPECT_EQ(longest, *settings.most_segments);
  } else {
    EXPECT_GT(longest, settings.merging > 0 ? 10U : 40U);
  }
}

// The law keeps two segments in a record and others in pages. With all options, only the rounding of overlaps makes a
// difference.
TEST(JaegerLaw, FollowsTheAlgorithmInAllBranches) {
  for (const bool wall : {true, false}) {
    expect_same_as_the_algorithm<JaegerOptions{}>({}, wall);
    expect_same_as_the_algorithm<JaegerOptions{.merges = true}>({.merging = 0.3}, wall);
    expect_same_as_the_algorithm<JaegerOptions{.caps = true}>({.most_segments = 5}, wall);
    expect_same_as_the_algorithm<JaegerOptions{.caps = true}>({.most_segments = 12}, wall);
    expect_same_as_the_algorithm<JaegerOptions{.slides_exactly = true}>({.exact_sliding = true}, wall);
    expect_same_as_the_algorithm<all_jaeger_options>({0.1, 9, true}, wall);
  }
}

/// Checks oblique pressing, loading, unloading and reloading, each in `steps` steps.
void expect_mindlin_deresiewicz(const Oblique& o, int steps, Precision precision, double tolerance) {
  const ObliquePath path{o};
  const double radius = roomy_radius(path.zeta(path.highest_normal()));
  DrivenSphere contact(jaeger_scene(o.hertz, o.kappa, o.mu, radius, precision), radius);
  contact.to(path.zeta(o.pressed));
  double at = 0;
  path.each_step(steps, [&](const ObliqueStep& step) {
    const double moved = step.displacement - at, allowed = tolerance * o.mu * step.normal;
    contact.to(path.zeta(step.normal), moved * std::cos(o.angle), moved * std::sin(o.angle));
    at = step.displacement;
    EXPECT_NEAR(contact.normal(), step.normal, tolerance * step.normal);
    EXPECT_NEAR(contact.force()[0], step.force * std::cos(o.angle), allowed)
        << "step " << step.number << " towards " << step.to;
    EXPECT_NEAR(contact.force()[1], step.force * std::sin(o.angle), allowed)
        << "step " << step.number << " towards " << step.to;
  });
}

// Four large steps are exact, and more steps are, too. Positions have an error of 2e-15 of the half overlap.
TEST(JaegerLaw, MindlinAndDeresiewiczInFourLargeSteps) {
  for (const int steps : {1, 2, 50}) {
    for (const Precision precision : {Precision::double_, Precision::mixed}) {
      const double tolerance = precision == Precision::double_ ? 2e-13 : 2e-6 * std::sqrt(double(steps));
      for (const Oblique& o : oblique_cases) { expect_mindlin_deresiewicz(o, steps, precision, tolerance); }
    }
  }
}

/// A contact that is pressed in 20 steps, and then pressed and sheared together by `step` [m] of overlap in each of
/// 1,200 steps. Returns the shear force [N] and the number of segments.
std::pair<double, std::uint64_t> slowly_loaded(Precision precision, bool wall, double step, double merging) {
  constexpr double radius = 0x1p-7, overlap = 5e-5, dt = 1e-5;  // a radius that is a float
  Scene scene = jaeger_scene(2.5e7, 1.17, 0.4, radius, precision);
  for (MaterialPair& pair : scene.pairs) { pair.jaeger.merging = merging; }
  std::vector<ContactPlace> path;
  for (int k = 0; k <= 1220; ++k) {
    const double slow = std::max(k - 20, 0) * step;
    path.push_back({k * dt, {overlap * std::min(k, 20) / 20 + slow, 0.2 * slow, 0}, {}});
  }
  const ContactSetting setting{{1, 0}, {wall ? 0 : radius, radius}, wall};
  const auto test = make_contact_test(scene, setting);
  ContactAnswer answer;
  for (const ContactMove& move : contact_moves(path, setting)) { answer = test->step(move); }
  return {answer.force[1], answer.segments};
}

// Steps that change the overlap by less than the last place of a float. In mixed precision the overlap changes in one
// step out of many, but the law takes its change from the velocity. Slopes, velocities and parameters are floats, and
// the overlap has an error of up to 8e-7, whose root counts: together less than 2e-6. If the overlap alone told how the
// contact is pressed, the error would be 45 %, and segments could not be merged.
TEST(JaegerLaw, SlowObliqueLoadingInMixedPrecision) {
  for (const bool wall : {true, false}) {
    for (const double step : {2e-12, 2e-13}) {
      const auto [exact, all] = slowly_loaded(Precision::double_, wall, step, 0);
      const auto [mixed, most] = slowly_loaded(Precision::mixed, wall, step, 0);
      EXPECT_NEAR(mixed / exact, 1, 2e-6) << wall << " " << step;
      const auto [shear, few] = slowly_loaded(Precision::mixed, wall, step, 0.1);
      EXPECT_NEAR(shear / exact, 1, 2e-6) << wall << " " << step;
      EXPECT_LE(few, 4u) << wall << " " << step;
    }
  }
}

// Unequal spheres (closed forms): N = 4/3 E* sqrt(R*) delta^1.5; tangentially 8 G* a per displacement at first, then
// Cattaneo and Mindlin. Sphere 2 turns, so that its contact point moves while the normal stays.
TEST(JaegerLaw, SpheresOfOtherRadiiAndMaterials) {
  const Substance one{2.6e7, 0.3, 2500}, two{1.1e7, 0.12, 1500};
  const double r1 = 0.01, r2 = 0.025, mu = 0.37, overlap = 2e-5;
  const auto shear = [](const Substance& s) { return 0.5 * s.young / (1 + s.poisson); };
  const double young = 1 / ((1 - one.poisson) / (2 * shear(one)) + (1 - two.poisson) / (2 * shear(two)));
  const double lateral = 1 / ((2 - one.poisson) / shear(one) + (2 - two.poisson) / shear(two));
  const double radius = r1 * r2 / (r1 + r2), a = std::sqrt(radius * overlap),
               normal = 4.0 / 3.0 * young * std::sqrt(radius) * std::pow(overlap, 1.5);
  // [m] the whole displacement, not half of it.
  const double stick = 8 * lateral * a, limit = mu * normal, reach = 1.5 * limit / stick;
  MaterialPair pair;
  pair.friction = mu;
  const Scene scene = empty_scene(LawKind::jaeger, one, two, pair, 1);
  const auto test = make_contact_test(scene, {{0, 1}, {r1, r2}, false});
  ContactMove move;
  move.time_step = 1;
  move.position[1] = {r1 + r2 - overlap, 0, 0};
  move.velocity[1] = {-overlap, 0, 0};
  EXPECT_NEAR(test->step(move).force[0], normal, 1e-12 * normal);
  move.velocity[1] = {};
  double moved = 0;
  for (const double to : {1e-4, 0.01, 0.2, 0.5, 0.9, 1.5}) {
    move.spin[1] = {0, 0, (moved - to) * reach / (r2 - 0.5 * overlap)};  // the contact point of 2 moves along y
    moved = to;
    const ContactAnswer answer = test->step(move);
    const double expected = limit * (1 - std::pow(std::max(0.0, 1 - to), 1.5));
    EXPECT_NEAR(answer.force[1], -expected, 1e-11 * limit) << to;  // overlaps of 2e-5 at places of 3.5e-2 m: 3e-13
    EXPECT_EQ(answer.force[2], 0);
    EXPECT_NEAR(answer.torque[0][2] / (r1 - 0.5 * overlap), answer.torque[1][2] / (r2 - 0.5 * overlap),
                1e-13 * limit * r2);
    if (to == 1e-4) { EXPECT_NEAR(-answer.force[1] / (to * reach * stick), 1, 1e-4); }
  }
}

}  // namespace scree::physics::jaeger_law_test
