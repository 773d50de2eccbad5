#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "impacts.hpp"
#include "kernels/interactions/attraction_params.hpp"
#include "kernels/laws/hertz_mindlin.hpp"
#include "kernels/laws/linear_spring_dashpot.hpp"
#include "law_states.hpp"

// Linear cohesion beside Hertz-Mindlin and beside linear springs.
namespace scree::physics::cohesion_test {

constexpr double young = 5e6, density = 3e5, r1 = 2e-3, r2 = 3e-3, friction = 0.4;  // E* [Pa], k [J/m3]

using Hertz = HertzMindlin<double>;
using Linear = LinearSpringDashpot<double>;

MaterialPair with(CohesionArea area, bool reduces = false) {
  MaterialPair pair{friction, 0};
  pair.cohesion = LinearCohesion{density, area, reduces};
  return pair;
}

auto on_hertz(CohesionArea area, bool reduces = false) {
  return cohesive<Hertz, double>({young, 4e6, 0, 0, friction}, with(area, reduces));
}
auto on_springs(CohesionArea area) {
  Linear::Params springs{};
  springs.stiffness = 3e4, springs.shear_stiffness = 1e4, springs.friction = friction;
  return cohesive<Linear, double>(springs, with(area));
}

/// [m2] of the circle in which two spheres intersect, by its distance from the first centre.
double circle(double overlap, double a, double b) {
  const double d = a + b - overlap, x = (d * d + a * a - b * b) / (2 * d);
  return pi * (a * a - x * x);
}

// Each area against its own formula, for spheres and for a wall, where the circle is that of a cap.
TEST(Cohesion, PullIsTheDensityTimesTheArea) {
  for (const double overlap : {1e-9, 1e-6, 2e-5, 3e-4}) {
    const auto spheres = contact_at(overlap, r1, r2), wall = contact_at(overlap, r1, 0);
    for (const auto& c : {spheres, wall}) {
      const double reduced = c.effective_radius, hertz = 4.0 / 3 * young * std::sqrt(reduced) * std::pow(overlap, 1.5);
      const bool is_wall = reduced == r1;
      const double lens = is_wall ? pi * overlap * (2 * r1 - overlap) : circle(overlap, r1, r2);
      const auto pull = [&](CohesionArea area) {
        const double force = WithCohesion<Hertz, double>::evaluate(c, on_hertz(area)).normal;
        const double spring = WithCohesion<Linear, double>::evaluate(c, on_springs(area)).normal;
        EXPECT_NEAR(3e4 * overlap - spring, hertz - force, 1e-12 * (hertz + 3e4 * overlap)) << "the same on any law";
        return hertz - force;
      };
      const double rounding = 1e-12 * hertz;
      EXPECT_NEAR(pull(CohesionArea::hertz), density * pi * reduced * overlap, rounding);
      EXPECT_NEAR(pull(CohesionArea::sjkr2), density * 4 * pi * reduced * overlap, rounding);
      // the difference of two squares of radii loses 1e-16 r^2
      EXPECT_NEAR(pull(CohesionArea::intersection), density * lens, density * 1e-14 * r1 * r1 + rounding);
    }
  }
  EXPECT_EQ((WithCohesion<Hertz, double>::evaluate(contact_at(0, r1, r2), on_hertz(CohesionArea::sjkr2)).normal), 0);
}

// The potential of the ledger: its slope is the force, by central differences with an error of (h/u)^2.
TEST(Cohesion, PotentialGivesTheForce) {
  for (const CohesionArea area : {CohesionArea::hertz, CohesionArea::intersection, CohesionArea::sjkr2}) {
    for (const double second : {r2, 0.0}) {
      const auto potential = [&](double overlap) {
        const auto c = contact_at(overlap, r1, second);
        using Law = WithCohesion<Hertz, double>;
        return Law::energies(c, on_hertz(area), Law::evaluate(c, on_hertz(area)), 0).normal;
      };
      const double u = 4e-5, h = 1e-8;
      const auto at = contact_at(u, r1, second);
      const double force = WithCohesion<Hertz, double>::evaluate(at, on_hertz(area)).normal;
      const double scale = WithCohesion<Hertz, double>::pull(at, on_hertz(area));
      EXPECT_NEAR((potential(u + h) - potential(u - h)) / (2 * h), force, 1e-6 * scale);
    }
  }
}

// Coulomb's limit: by default that of the law's own force, else that of the whole force while it is positive.
TEST(Cohesion, FrictionOfTheLawOrOfTheWholeForce) {
  auto c = contact_at(1e-4, r1, r2);
  c.slip = {1, 0, 0};
  const double own = Hertz::evaluate(c, {young, 4e6, 0, 0, friction}).normal;
  using Law = WithCohesion<Hertz, double>;
  const double pull = density * pi * c.effective_radius * c.overlap;
  EXPECT_NEAR(Law::evaluate(c, on_hertz(CohesionArea::hertz)).tangential.x, -friction * own, 1e-12 * own);
  const auto reduced = Law::evaluate(c, on_hertz(CohesionArea::hertz, true));
  EXPECT_NEAR(reduced.tangential.x, -friction * (own - pull), 1e-12 * own);
  EXPECT_EQ(reduced.shear.x, reduced.tangential.x) << "the spring keeps no more than it may bear";
  c.overlap = 1e-7;  // the pull is larger than Hertz's force
  EXPECT_LT(Law::evaluate(c, on_hertz(CohesionArea::hertz, true)).normal, 0);
  EXPECT_EQ(Law::evaluate(c, on_hertz(CohesionArea::hertz, true)).tangential.x, 0);
}

Scene head_on(LawKind law, double speed, double damping, CohesionArea area) {
  MaterialPair pair = with(area);
  pair.damping_ratio = damping;
  pair.springs.damping_ratio = damping;
  const double time = hertz_impact(young, 0.5 * r1, 0.5 * sphere_mass(r1, 2000), speed).duration;
  Scene scene = empty_scene(law, {young * 2 * (1 - 0.09), 0.3, 2000}, {rigid, 0, 1}, pair, time / 2000);
  scene.energies = true;
  add_sphere(scene, {-r1, 0, 0}, r1, {0.5 * speed, 0, 0});
  add_sphere(scene, {r1, 0, 0}, r1, {-0.5 * speed, 0, 0});
  return scene;
}

// Closed form: 4/3 E* sqrt(R*) u^(3/2) = k pi R* u, so two spheres at rest overlap by u = (3 pi k / (4 E*))^2 R*.
TEST(Cohesion, RestsWhereBothForcesAreEqual) {
  const auto engine = start(head_on(LawKind::hertz_mindlin, 0.02, 0.2, CohesionArea::hertz));
  engine->advance(400000);
  const double root = 0.75 * pi * density / young;
  EXPECT_NEAR(pair_overlap(engine->snapshot()), root * root * 0.5 * r1, 1e-6 * root * root * r1);
}

// The pull has a potential and vanishes with the overlap: an elastic impact costs nothing, and the ledger says so. The
// contact begins and ends between two steps of 1/2000 of the impact: an error of the order of 1e-6.
TEST(Cohesion, ACycleCostsNothing) {
  for (const LawKind law : {LawKind::hertz_mindlin, LawKind::linear_spring_dashpot}) {
    for (const CohesionArea area : {CohesionArea::hertz, CohesionArea::intersection, CohesionArea::sjkr2}) {
      const double speed = 0.5;
      const auto engine = start(head_on(law, speed, 0, area));
      engine->advance(20000);
      EXPECT_EQ(engine->counts().contacts, 0U);
      EXPECT_NEAR(2 * read(*engine, 1).velocity[0] / speed, 1, 1e-5);
      const EnergyLedger e = engine->energies();
      EXPECT_LT(std::fabs(e.error), 1e-5 * e.kinetic_translation);
    }
  }
}

}  // namespace scree::physics::cohesion_test
