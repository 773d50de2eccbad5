#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "jaeger_drive.hpp"

/// The law jaeger over closed loops, in pairs that turn, with dashpots, and where a contact begins.
namespace scree::physics {
namespace {

/// [J] Lost in one loop between -amplitude and amplitude, as a part of kappa mu zeta, at a constant normal force, in so
/// many steps; and what is stored at its end beyond what was at its start.
struct Loop {
  double lost, left;
};
Loop loop_of(double amplitude, int steps) {
  const double kappa = 1.2, mu = 0.5, zeta = 1, reach = kappa * mu * zeta, a = amplitude * reach;
  DrivenSphere contact(jaeger_scene(1, kappa, mu, 16), 16);
  double at = 0;
  const auto move_to = [&](double x, int n) {
    const double from = at;
    for (int k = 1; k <= n; ++k) {
      const double to = from + (x - from) * k / n;
      contact.to(zeta, 0.6 * (to - at), 0.8 * (to - at));
      at = to;
    }
    return contact.answer();
  };
  contact.to(zeta);
  const double pressed = contact.answer().elastic;
  EXPECT_NEAR(pressed, 0.8, 1e-13);  // (4/5) A zeta^2.5
  move_to(a, steps);
  const ContactAnswer begin = contact.answer();
  move_to(-a, steps);
  const ContactAnswer end = move_to(a, steps);
  EXPECT_NEAR(end.work - begin.work, end.friction - begin.friction + end.elastic - begin.elastic, 1e-13);
  EXPECT_NEAR(end.viscous, 0, 1e-15);
  return {end.friction - begin.friction, end.elastic - begin.elastic};
}

// The area of the loop of Mindlin & Deresiewicz (1953): 8 int_0^a F dx - 4 a F(a) with the curve F of first loading, in
// half displacements. Work is by the trapezoidal rule: second order, less where the force turns sharply at full
// sliding.
TEST(JaegerLoops, DissipationIsTheAreaOfTheLoop) {
  const double reach = 0.6, limit = 0.5;
  for (const double amplitude : {0.1, 0.4, 0.8, 1.0, 2.0}) {
    const double a = amplitude * reach, inside = std::max(0.0, 1 - amplitude);
    const double sum = limit * (a - 0.4 * reach * (1 - std::pow(inside, 2.5))),
                 top = limit * (1 - std::pow(inside, 1.5));
    double area = 2 * (8 * sum - 4 * a * top);
    // Beyond full sliding the curves back and forth are those between -1 and 1, and in between it slides.
    if (amplitude > 1) { area = 2 * (8 * limit * 0.6 * reach - 4 * reach * limit + 4 * (a - reach) * limit); }
    double last = 1;
    for (const int steps : {25, 100, 400}) {
      const Loop loop = loop_of(amplitude, steps);
      const double error = std::abs(loop.lost / area - 1);
      std::printf("amplitude %.1f in %d steps: %.3g J of %.3g J, error %.2e, left %.1e\n", amplitude, steps, loop.lost,
                  area, error, loop.left);
      EXPECT_LT(error, last);
      last = error / 6;
      EXPECT_NEAR(loop.left, 0, 1e-13 * area + 1e-15);
    }
    EXPECT_LT(last, 2e-4 / 6);
  }
}

/// Two spheres that turn as one about an axis through their contact after they have been pressed and moved: largest
/// change of the force in their own frame, as a part of its tangential part. `exact`: spins are those that match the
/// chords of a step, so that nothing slips.
double change_of_a_glued_pair(const Real3& axis, int turns, int steps, Precision precision, bool exact) {
  const double r1 = 0.75, r2 = 1.25, overlap = 0.05;
  MaterialPair pair;
  pair.friction = 0.5;
  Scene scene = empty_scene(LawKind::jaeger, {1e7, 0.2, 2500}, {1e7, 0.2, 2500}, pair, 1);
  scene.precision = precision;
  const auto test = make_contact_test(scene, {{0, 0}, {r1, r2}, false});
  ContactMove move;
  move.time_step = 1;
  const std::array<Real3, 2> start{Real3{-(r1 - overlap / 2), 0, 0}, Real3{r2 - overlap / 2, 0, 0}};
  move.position = start;
  move.velocity[1] = {-overlap, 0, 0};
  static_cast<void>(test->step(move));
  move.velocity[1] = {};
  move.spin[1] = {0, 0.004, -0.009};
  const Real3 first = test->step(move).force;
  const double shear = std::hypot(first[1], first[2]);
  EXPECT_GT(shear, 0.2 * 0.5 * first[0]);
  EXPECT_LT(shear, 0.9 * 0.5 * first[0]);
  const double angle = 2 * pi * turns / steps, along = axis[0] / norm(axis), cosine = std::cos(0.5 * angle);
  // x1 - x0 = 2 tan(angle / 2) axis x (x0 + x1) / 2, and n is (x0 + x1) / |x0 + x1|.
  const double shorter = std::sqrt(along * along + (1 - along * along) * cosine * cosine);
  const double rate = exact ? 2 * std::tan(0.5 * angle) * shorter : angle;
  move.spin[0] = move.spin[1] = (rate / norm(axis)) * axis;
  double worst = 0;
  for (int k = 1; k <= steps; ++k) {
    for (std::size_t i = 0; i < 2; ++i) {
      const Real3 to = rotated(start[i], axis, k * angle);
      move.velocity[i] = to - move.position[i];
      move.position[i] = to;
    }
    const Real3 own = rotated(test->step(move).force, axis, -k * angle);
    worst = std::max(worst, norm(own - first));
  }
  return worst / shear;
}

// Ten turns of 3333 steps, 1.9e-3 rad each. The frame is exact but for the twist of a step, whose angle is known to
// angle^3 / 12 at best. And the way of a centre in a step is a chord of its circle, shorter than what the spins roll by
// (l1 + l2) angle^3 / 24: ten turns make 1e-5 (l1 + l2), which is 7e-4 of kappa mu times the overlap here. That is no
// fault of the law: with spins that fit the chords it is not there. All is of second order in the step.
TEST(JaegerLoops, AGluedPairThatTumblesKeepsItsForce) {
  for (const Real3& axis : {Real3{0, 0, 1}, Real3{1, 0, 0}, Real3{1, 2, -0.5}, Real3{-1, 0.3, 0.2}}) {
    const double exact = change_of_a_glued_pair(axis, 10, 33333, Precision::double_, true);
    const double mixed = change_of_a_glued_pair(axis, 10, 33333, Precision::mixed, true);
    const double real = change_of_a_glued_pair(axis, 10, 33333, Precision::double_, false);
    const double coarse = change_of_a_glued_pair(axis, 10, 10000, Precision::double_, false);
    const double coarse_exact = change_of_a_glued_pair(axis, 10, 10000, Precision::double_, true);
    std::printf("axis %g %g %g: exact %.2e (mixed %.2e, coarse %.2e), with chords %.2e, coarse %.2e\n", axis[0],
                axis[1], axis[2], exact, mixed, coarse_exact, real, coarse);
    EXPECT_LT(exact, 2e-5);
    EXPECT_LT(mixed, 2e-3);
    EXPECT_LT(real, 2e-3);
    EXPECT_LT(real, 0.12 * coarse + 1e-9);
    EXPECT_LT(exact, 0.12 * coarse_exact + 1e-9);
  }
}

/// Pressed, then moved along the wall in steps of one second at constant half overlap 1.
std::vector<ContactAnswer> dragged(double damping, double step, int n) {
  Scene scene = jaeger_scene(1, 1.2, 0.5, 16);
  for (MaterialPair& pair : scene.pairs) { pair.damping_ratio = damping; }
  DrivenSphere contact(scene, 16);
  contact.to(0.9);
  contact.to(1);
  std::vector<ContactAnswer> answers;
  for (int k = 0; k < n; ++k) { answers.push_back(contact.to(1, 0.6 * step, 0.8 * step)); }
  return answers;
}

// Dashpots: 2 beta sqrt(m* k_s) v along the contact while it sticks and while it slips in part, as far as mu N allows,
// none while it slides as a whole; the load history does not know of them.
TEST(JaegerLoops, DashpotsStandBeside) {
  const double mass = sphere_mass(16, 2500), young = 1 / (8.0 / 3.0 * std::sqrt(32.0)),
               stiffness = 2 * young * std::sqrt(16 * 2.0) / 1.2;
  const double step = 0.03, beta = 0.05 / (4 * step * std::sqrt(mass * stiffness));
  const auto plain = dragged(0, step, 40), damped = dragged(beta, step, 40), strong = dragged(0.2, step, 40);
  const double dashpot = 2 * beta * std::sqrt(mass * stiffness) * 2 * step;
  int sticks = 0, limited = 0, slides = 0;
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const Real3 elastic = plain[k].force, force = damped[k].force;
    EXPECT_EQ(damped[k].shear, plain[k].shear);
    EXPECT_EQ(damped[k].history, plain[k].history);
    EXPECT_EQ(force[0], elastic[0]);
    const double shear = std::hypot(force[1], force[2]), spring = std::hypot(elastic[1], elastic[2]);
    if (spring > 0.5 * (1 - 1e-12)) {
      EXPECT_EQ(force, elastic);
      EXPECT_EQ(strong[k].force, elastic);
      ++slides;
    } else if (spring + dashpot < 0.5) {
      EXPECT_NEAR(shear, spring + dashpot, 1e-13);
      EXPECT_NEAR(force[2] / force[1], 4.0 / 3.0, 1e-12);
      ++sticks;
    } else {
      EXPECT_NEAR(shear, 0.5, 1e-14);
      ++limited;
    }
    EXPECT_LT(std::hypot(strong[k].force[1], strong[k].force[2]), 0.5 * (1 + 1e-14));
  }
  EXPECT_GT(sticks, 5);
  EXPECT_GT(limited, 1);
  EXPECT_GT(slides, 10);
}

// A sphere that comes to a wall along a straight line below the angle of friction never slips: the force keeps one
// direction, whatever part of a step was before the contact. Counting all of the movement of the first step as sliding
// along would give up to 1 / (its part in contact) too much.
TEST(JaegerLoops, AContactMayBeginAnywhereWithinAStep) {
  const double kappa = 1.2, mu = 0.5, slope = 0.9 * mu;
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    for (const double part : {1e-3, 0.1, 0.5, 0.9, 1.0}) {
      DrivenSphere contact(jaeger_scene(1, kappa, mu, 16, precision), 16);
      const double step = 0.1;
      contact.straight_to(-2 + part * step, 0, 0);
      contact.straight_to((part - 1) * step, 0.3, 0.2);  // still apart: forgotten
      EXPECT_FALSE(contact.answer().touching);
      for (int k = 0; k < 5; ++k) {
        contact.straight_to((part + k) * step, 0.8 * kappa * slope * step, -0.6 * kappa * slope * step);
        // Mixed: the overlap is a float of a radius less a distance in double; its part in the step one of the distance
        // of 0.1.
        const double tolerance = (precision == Precision::double_ ? 1e-11 : 1e-6) * contact.normal();
        EXPECT_NEAR(contact.force()[0], 0.8 * slope * contact.normal(), tolerance) << part << " " << k;
        EXPECT_NEAR(contact.force()[1], -0.6 * slope * contact.normal(), tolerance) << part << " " << k;
      }
    }
  }
}

}  // namespace
}  // namespace scree::physics
