#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "impacts.hpp"

namespace scree::physics::normal_impact_test {

// --- A04: linear spring ------------------------------------------------------------------------------------------

constexpr double linear_contact_time = 8.312623071e-4;

Scene unequal_pair(double time_step) {
  Scene scene = linear_scene({1e7, 0.3, 2600}, 0.5, time_step);
  add_sphere(scene, {0, 0, 0}, 0.010, {1, 0, 0});
  add_sphere(scene, {0.025, 0, 0}, 0.015);
  return scene;
}

// A04: half sine of a linear oscillator (closed form); tolerances of the catalogue for a step of t_c/200.
TEST(NormalImpact, A04LinearUnequalSpheres) {
  const Impact impact = collide(unequal_pair(linear_contact_time / 200), pair_overlap);
  EXPECT_NEAR(impact.particle[0].velocity[0], -0.5428571429, 1e-5);
  EXPECT_NEAR(impact.particle[1].velocity[0], 0.4571428571, 1e-5);
  EXPECT_NEAR(impact.most_overlap / 2.645990104e-4, 1, 1e-3);
  EXPECT_NEAR(impact.duration / linear_contact_time, 1, 1e-3);
  EXPECT_NEAR(impact.most_force / 31.75188124, 1, 1e-3);
}

// A04, order of leapfrog: half the step divides the error of the overlap at half the contact time by 4.
TEST(NormalImpact, A04ErrorIsOfSecondOrder) {
  const auto error = [](std::uint64_t steps) {
    const auto engine = start(unequal_pair(linear_contact_time / double(steps)));
    engine->advance(steps / 2);
    return pair_overlap(engine->snapshot()) - 2.645990104e-4;
  };
  for (const std::uint64_t steps : {20U, 40U, 80U}) { EXPECT_NEAR(error(steps) / error(2 * steps), 4, 0.1) << steps; }
}

// --- A06, A07: Hertz ---------------------------------------------------------------------------------------------

struct HertzCase {
  const char* name;
  Substance substance;
  double overlap, force, duration;
};

Scene equal_pair(const Substance& substance, double radius, double speed, int steps) {
  const HertzImpact expected = hertz_impact(0.5 * plane_strain_modulus(substance), 0.5 * radius,
                                            0.5 * sphere_mass(radius, substance.density), 2 * speed);
  Scene scene = hertz_scene(substance, {0.35, 0}, expected.duration / steps);
  add_sphere(scene, {-radius, 0, 0}, radius, {speed, 0, 0});
  add_sphere(scene, {radius, 0, 0}, radius, {-speed, 0, 0});
  return scene;
}

const HertzCase chung_ooi_1[] = {{"glass", {4.8e10, 0.2, 2800}, 2.741127e-4, 10696.89, 4.033946e-5},
                                 {"limestone", {2e10, 0.25, 2500}, 3.683040e-4, 7108.241, 5.420101e-5}};

// A06 = Chung & Ooi (2011) test 1, closed form of Hertz; tolerances of the catalogue for a step of t_c/1000.
TEST(NormalImpact, A06ElasticSpheres) {
  for (const HertzCase& c : chung_ooi_1) {
    const Impact impact = collide(equal_pair(c.substance, 0.01, 10, 1000), pair_overlap);
    EXPECT_NEAR(impact.most_overlap / c.overlap, 1, 1e-3) << c.name;
    EXPECT_NEAR(impact.most_force / c.force, 1, 1e-3) << c.name;
    EXPECT_NEAR(impact.duration / c.duration, 1, 1e-3) << c.name;
    EXPECT_NEAR(impact.particle[0].velocity[0], -10, 10e-6) << c.name;
    EXPECT_NEAR(impact.particle[1].velocity[0], 10, 10e-6) << c.name;
  }
}

// A06 in mixed precision: 1000 additions to a float velocity, each rounded to 6e-8, give 1e-5 of the speed.
TEST(NormalImpact, A06ElasticSpheresMixedPrecision) {
  for (const HertzCase& c : chung_ooi_1) {
    Scene scene = equal_pair(c.substance, 0.01, 10, 1000);
    scene.precision = Precision::mixed;
    const Impact impact = collide(scene, pair_overlap);
    EXPECT_NEAR(impact.most_overlap / c.overlap, 1, 1e-3) << c.name;
    EXPECT_NEAR(impact.most_force / c.force, 1, 1e-3) << c.name;
    EXPECT_NEAR(impact.duration / c.duration, 1, 1e-3) << c.name;
    EXPECT_NEAR(impact.particle[0].velocity[0], -10, 10e-5) << c.name;
    EXPECT_NEAR(impact.particle[1].velocity[0], 10, 10e-5) << c.name;
  }
}

void expect_chung_ooi_2(bool facet) {
  const HertzCase cases[] = {{"aluminium", {7e10, 0.3, 2699}, 4.971718e-5, 11369.86, 7.316567e-4},
                             {"magnesium", {4e10, 0.35, 1800}, 5.212329e-5, 7232.681, 7.670660e-4}};
  for (const HertzCase& c : cases) {
    Scene scene = floor_impact(c.substance, 0.1, {0.35, 0}, 0.2, 0, 0, 1000);
    if (facet) {
      scene.boundaries.clear();
      add_mesh(scene, {{{-0.3, -0.2, 0}, {0.4, -0.1, 0}, {-0.1, 0.5, 0}}, {{{0, 1, 2}}}});
    }
    const Impact impact = collide(scene, floor_overlap);
    EXPECT_NEAR(impact.most_overlap / c.overlap, 1, 1e-3) << c.name;
    EXPECT_NEAR(impact.most_force / c.force, 1, 1e-3) << c.name;
    EXPECT_NEAR(impact.duration / c.duration, 1, 1e-3) << c.name;
    EXPECT_NEAR(impact.particle[0].velocity[2], 0.2, 0.2e-6) << c.name;
  }
}

// A07 = Chung & Ooi (2011) test 2, closed form of Hertz with R* = r and a rigid wall; tolerances of the catalogue.
TEST(NormalImpact, A07SphereOnPlane) { expect_chung_ooi_2(false); }
TEST(NormalImpact, A07SphereOnFacet) { expect_chung_ooi_2(true); }

// --- A08: damping ------------------------------------------------------------------------------------------------

// A08 = Chung & Ooi (2011) test 3 with the exact damping ratios; tolerance of the catalogue for a step of t_c/2000.
TEST(NormalImpact, A08Restitution) {
  constexpr double speed = 3.9;
  const struct {
    double restitution, damping_ratio;
  } points[] = {{0.2, 0.667534}, {0.4, 0.323620},  {0.6, 0.165100}, {0.8, 0.067877},
                {0.9, 0.031280}, {0.98, 0.005895}, {1, 0}};
  for (const Substance& substance : {Substance{3.8e11, 0.23, 4000}, Substance{1e11, 0.25, 7000}}) {
    for (const auto& point : points) {
      const Impact impact =
          collide(floor_impact(substance, 0.0025, {0, point.damping_ratio}, speed, 0, 0, 2000), floor_overlap);
      EXPECT_NEAR(impact.particle[0].velocity[2] / speed, point.restitution, 2e-3) << substance.young;
    }
  }
}

// A08: largest overlap at e = 1, closed form.
TEST(NormalImpact, A08OverlapWithoutDamping) {
  const Impact impact = collide(floor_impact({3.8e11, 0.23, 4000}, 0.0025, {0, 0}, 3.9, 0, 0, 2000), floor_overlap);
  EXPECT_NEAR(impact.most_overlap / 8.08881e-6, 1, 1e-3);
}

/// Damping ratio for a restitution by the polynomial of Thornton, Cummins & Cleary (2013), which is inaccurate near 1.
double thorntons_damping_ratio(double e) {
  const double h[] = {-6.918798, -16.41105, 146.8049,  -796.4559, 2928.711,
                      -7206.864, 11494.29,  -11342.18, 6276.757,  -1489.915};
  double alpha = 0;
  for (int k = 9; k >= 0; --k) { alpha = e * (h[k] + alpha); }
  return std::sqrt(std::max(0.0, 1 / (1 - (1 + e) * (1 + e) * std::exp(alpha)) - 1));
}

// A08: largest overlap and restitution with given damping ratios (by Thornton's polynomial), against an independent
// solution of the contact ODE. 1e-3 of the overlap and 5e-4 of the restitution, for the error of first order of
// t_c/2000.
TEST(NormalImpact, A08OverlapAndRestitutionOfGivenDampingRatios) {
  const struct {
    double asked, restitution, overlap;
  } cases[] = {{.2, .20025, 4.25109e-6}, {.4, .39987, 5.60590e-6}, {.6, .59998, 6.59381e-6},
               {.8, .79993, 7.39784e-6}, {.9, .89992, 7.75471e-6}, {.98, .97236, 7.99864e-6}};
  for (const auto& c : cases) {
    const Scene scene =
        floor_impact({3.8e11, 0.23, 4000}, 0.0025, {0, thorntons_damping_ratio(c.asked)}, 3.9, 0, 0, 2000);
    const Impact impact = collide(scene, floor_overlap);
    EXPECT_NEAR(impact.most_overlap / c.overlap, 1, 1e-3) << c.asked;
    EXPECT_NEAR(impact.particle[0].velocity[2] / 3.9, c.restitution, 5e-4) << c.asked;
  }
}

}  // namespace scree::physics::normal_impact_test
