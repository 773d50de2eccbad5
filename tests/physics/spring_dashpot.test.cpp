#include <gtest/gtest.h>

#include <cmath>

#include "driven_contact.hpp"
#include "host/scene/linear_springs.hpp"
#include "impacts.hpp"
#include "kernels/laws/linear_spring_dashpot.hpp"

namespace scree::physics::spring_dashpot_test {

// A05: two equal spheres, m* is half of the mass of one.
constexpr double radius = 0.01, density = 2500, contact_time = 1e-3, speed = 0.5;
const double effective_mass = 0.5 * sphere_mass(radius, density);

ContactRule timed_rule(bool exact) {
  ContactRule rule;
  rule.law = LawKind::linear_spring_dashpot;
  rule.contact_time = contact_time;
  rule.exact_restitution = exact;
  return rule;
}

Scene head_on(const LinearSprings& springs, double time_step) {
  MaterialPair pair;
  pair.springs = springs;
  const Substance any{1e7, 0.3, density};
  Scene scene = empty_scene(LawKind::linear_spring_dashpot, any, any, pair, time_step);
  add_sphere(scene, {-radius, 0, 0}, radius, {0.5 * speed, 0, 0});
  add_sphere(scene, {radius, 0, 0}, radius, {-0.5 * speed, 0, 0});
  return scene;
}

struct Rebound {
  double restitution, duration;
};

/// Follows the contact until its force vanishes.
Rebound rebound(const LinearSprings& springs, int steps) {
  const double dt = contact_time / steps;
  const auto engine = start(head_on(springs, dt));
  engine->advance(2);
  int step = 2;  // the force of a step belongs to the time (step - 1) dt
  while (norm(read(*engine).force) > 0 && step < 100 * steps) {
    engine->advance(1);
    ++step;
  }
  return {2 * read(*engine, 1).velocity[0] / speed, dt * (step - 1.5)};
}

// A05, values of the catalogue: closed forms with pi^2 + ln^2 e and -2 ln e.
TEST(SpringDashpot, A05StiffnessAndDashpot) {
  const struct {
    double restitution, stiffness, dashpot;
  } cases[] = {{0.9, 51735.2517, 1.10333274}, {0.6, 53043.4212, 5.34935342}, {0.3, 59266.9565, 12.6079737}};
  for (const auto& c : cases) {
    const LinearSprings s = linear_springs(timed_rule(false), c.restitution, c.restitution);
    const double stiffness = s.stiffness_per_mass * effective_mass;
    EXPECT_NEAR(stiffness / c.stiffness, 1, 1e-9);
    EXPECT_NEAR(2 * s.damping_ratio * std::sqrt(stiffness * effective_mass) / c.dashpot, 1, 1e-8);
    const double shear = s.shear_per_mass * effective_mass, log = std::log(c.restitution);
    EXPECT_NEAR(shear / (2.0 / 7 * effective_mass * (pi * pi + log * log) * 1e6), 1, 1e-12);
    EXPECT_NEAR(2 * s.shear_damping_ratio * std::sqrt(2.0 / 7 * shear * effective_mass) /
                    (-4.0 / 7 * effective_mass * log * 1e3),
                1, 1e-12);
  }
}

// A05: since attraction is cut off, the impact ends early and with a higher restitution (closed form). 1e-3 as in the
// catalogue for a step of t_c/500; the end of the force is known to one step, and dashpots use the velocity of half a
// step before.
TEST(SpringDashpot, A05ClampedImpact) {
  const struct {
    double restitution, clamped, duration;
  } cases[] = {{0.9, 0.902026, 9.78657e-4}, {0.6, 0.632291, 8.97383e-4}, {0.3, 0.397140, 7.67015e-4}};
  for (const auto& c : cases) {
    const Rebound r = rebound(linear_springs(timed_rule(false), c.restitution, 1), 500);
    EXPECT_NEAR(r.restitution, c.clamped, 1e-3);
    EXPECT_NEAR(r.duration, c.duration, 2.5e-3 * contact_time);
  }
}

// A05: dashpots use the velocity of half a step before, so the error of the restitution is of first order. Against the
// closed form of the impact without attraction, b = c/(2 sqrt(K m*)), w = sqrt(1 - b^2); 10 % for terms of second
// order.
TEST(SpringDashpot, A05ErrorIsOfFirstOrder) {
  for (const double e : {0.9, 0.6}) {
    const double b = -std::log(e) / std::sqrt(pi * pi + std::log(e) * std::log(e)), w = std::sqrt(1 - b * b);
    const double clamped = std::exp(-b / w * (pi - std::atan(2 * b * w / (1 - 2 * b * b))));
    const LinearSprings springs = linear_springs(timed_rule(false), e, 1);
    const double coarse = rebound(springs, 250).restitution - clamped,
                 fine = rebound(springs, 1000).restitution - clamped;
    EXPECT_NEAR(coarse / fine, 4, 0.4) << e;
  }
}

// exact_restitution: the impact without attraction has the given restitution and contact time, also beyond critical
// damping (e < exp(-2) = 0.135).
TEST(SpringDashpot, ExactRestitution) {
  for (const double e : {0.95, 0.6, 0.3, 0.136, 0.135, 0.05}) {
    const Rebound r = rebound(linear_springs(timed_rule(true), e, 1), 4000);
    EXPECT_NEAR(r.restitution, e, 1e-3) << e;
    EXPECT_NEAR(r.duration, contact_time, 2e-3 * contact_time) << e;
  }
  const LinearDashpot none = exact_dashpot(1);
  EXPECT_EQ(none.damping_ratio, 0);
  EXPECT_NEAR(none.duration, pi, 1e-12);
  // b = cos t, computed with the arc cosine of the C library.
  for (const double e : {0.9, 0.5, 0.2}) {
    const LinearDashpot d = exact_dashpot(e);
    const double t = std::acos(d.damping_ratio);
    EXPECT_NEAR(std::exp(-2 * t / std::tan(t)), e, 1e-13);
    EXPECT_NEAR(d.duration, 2 * t / std::sin(t), 1e-12);
  }
}

// The tangential spring makes half an oscillation in the contact time, so without slip the surface velocity of a sphere
// on a wall is reversed by a factor -e_t (closed form). 2e-3 as in A14.
TEST(SpringDashpot, TangentialRestitution) {
  for (const double e : {1.0, 0.5, 0.2}) {
    MaterialPair pair;
    pair.friction = 1e6;
    pair.springs = linear_springs(timed_rule(false), 1, e);
    const Substance any{1e7, 0.3, density};
    Scene scene = empty_scene(LawKind::linear_spring_dashpot, any, any, pair, contact_time / 1000);
    add_sphere(scene, {0, 0, radius}, radius, {0.01, 0, -0.01});
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    const Reading after = collide(scene, floor_overlap).particle[0];
    EXPECT_NEAR((after.velocity[0] - radius * after.spin[1]) / 0.01, -e, 2e-3) << e;
  }
}

// All ways to state the stiffness give the same contact if their values agree.
TEST(SpringDashpot, SourcesOfStiffnessAgree) {
  using Law = LinearSpringDashpot<double>;
  constexpr double young = 2e6, ratio = 0.3, stiffness = young * radius;  // serial springs of equal spheres: E r
  const double b = 0.2, bt = 0.1, m = 0.01;
  const double damping = 2 * b, damping_shear = 2 * bt * std::sqrt(2.0 / 7);
  const double c = damping * std::sqrt(stiffness * m), ct = damping_shear * std::sqrt(ratio * stiffness * m);
  const auto params_with = [](const auto& set) {
    Law::Params params{};
    params.friction = 0.5;
    set(params);
    return params;
  };
  const Law::Params sources[] = {params_with([&](Law::Params& p) {
                                   p.young1 = p.young2 = 2 * young;
                                   p.shear1 = p.shear2 = 2 * ratio * young;
                                   p.damping = damping, p.damping_shear = damping_shear;
                                 }),
                                 params_with([&](Law::Params& p) {
                                   p.stiffness_per_mass = stiffness / m, p.shear_per_mass = ratio * stiffness / m;
                                   p.damping = damping, p.damping_shear = damping_shear;
                                 }),
                                 params_with([&](Law::Params& p) {
                                   p.stiffness = stiffness, p.shear_stiffness = ratio * stiffness;
                                   p.dashpot = c, p.shear_dashpot = ct;
                                 })};
  for (const auto& params : sources) {
    DrivenContact<Law> contact(params, 0.5 * radius, m);
    contact.move_to(1e-5);
    const auto response = contact.move_to(1.1e-5, 1e-7);
    EXPECT_NEAR(response.normal / (stiffness * 1.1e-5 + c * 1e-6), 1, 1e-12);
    EXPECT_NEAR(-response.tangential.x / (ratio * stiffness * 1e-7 + ct * 1e-7), 1, 1e-12);
    EXPECT_NEAR(-response.shear.x / (ratio * stiffness * 1e-7), 1, 1e-12);
    // Coulomb limits the total, and the spring alone. No attraction.
    const auto sliding = contact.move_to(1.1e-5, 0, 1e-3);
    EXPECT_NEAR(norm(sliding.tangential) / (0.5 * sliding.normal), 1, 1e-12);
    EXPECT_NEAR(norm(sliding.shear) / (0.5 * sliding.normal), 1, 1e-12);
    EXPECT_EQ(contact.move_to(1e-9).normal, 0);
  }
}

// cundall_strack with a stated stiffness gives the same forces as with moduli that lead to this stiffness.
TEST(SpringDashpot, CundallStrackWithGivenStiffness) {
  const auto after = [](bool given) {
    MaterialPair pair{0.3, 0};
    if (given) { pair.springs.from_moduli = false, pair.springs.stiffness = 1e5, pair.springs.shear_stiffness = 3e4; }
    const Substance sphere{1e7, 0.3, density};
    Scene scene = empty_scene(LawKind::cundall_strack, sphere, sphere, pair, 1e-6);
    add_sphere(scene, {0, 0, radius}, radius, {0.02, 0, -0.01}, {3, 0, 0});
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    return collide(scene, floor_overlap).particle[0];
  };
  const Reading moduli = after(false), given = after(true);
  EXPECT_NEAR(norm(moduli.velocity - given.velocity), 0, 1e-12);
  EXPECT_NEAR(norm(moduli.spin - given.spin), 0, 1e-9);
}

}  // namespace scree::physics::spring_dashpot_test
