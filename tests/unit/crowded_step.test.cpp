#include "host/scene/crowded_step.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/scene/time_step.hpp"
#include "scree/elasticity.hpp"

namespace scree::crowded_step_test {

constexpr double pi = std::numbers::pi;
const Material glass{2500, 1e7, 0.25, 0.4, 0.8};
const Material steel{7800, 1e9, 0.3, 0.2, 0.6};
const std::vector<std::string> names = {"glass", "steel"};

/// One sphere of material 0.
Scene scene_of(LawKind law, double radius) {
  Scene scene;
  scene.law = law;
  scene.materials = {glass, steel};
  scene.pairs.resize(4);
  scene.particles.position = {{}};
  scene.particles.velocity = scene.particles.angular_velocity = {{}};
  scene.particles.radius = {radius};
  scene.particles.material = {0};
  return scene;
}

double mass_of(double radius) { return 4.0 / 3.0 * pi * radius * radius * radius * glass.density; }

/// The step dt at which dt^2 k + 2 dt c = 4.
double stable(double k, double c) { return 4 / (c + std::sqrt(c * c + 4 * k)); }

// At the largest overlap the spring contains all kinetic energy: m* v^2 / 2 = 8/15 E* sqrt(R*) u^(5/2) (closed form).
TEST(ImpactOverlap, HoldsTheKineticEnergy) {
  const double r = 2e-3, mass = mass_of(r), young = effective_moduli(glass, glass, {}).young;
  for (const double speed : {0.1, 2.2, 30.0}) {
    const double u = r * impact_overlap(mass, r, young, speed);
    EXPECT_NEAR(8.0 / 15 * young * std::sqrt(r / 2) * std::pow(u, 2.5) / (0.25 * mass * speed * speed), 1, 1e-12);
    // If both spheres have the same density, radius and mass cancel: (5 pi sqrt(2) / 8 rho v^2/E*)^(2/5).
    EXPECT_NEAR(impact_overlap(mass, r, young, speed) /
                    std::pow(5 * pi * std::numbers::sqrt2 / 8 * glass.density * speed * speed / young, 0.4),
                1, 1e-12);
  }
  EXPECT_EQ(impact_overlap(mass, r, young, 0), 0);
  EXPECT_TRUE(std::isinf(impact_overlap(mass, r, young, 1e200)));
}

// 5.5 Hertzian contacts in all directions, between equal spheres that overlap by 5 % of the radius. Closed form:
// translation 2 5.5/3 (k_n + 2 k_t)/m, rotation 2 5.5/3 (2 k_t + 2 k_r + k_tw)/(2/5 m) with rolling stiffnesses over
// r^2, and the dashpots likewise.
TEST(CrowdedStep, OfHertzianContacts) {
  const double r = 2e-3, mass = mass_of(r), reduced = mass / 2;
  const double a = r * std::sqrt(0.025), young = 1e7 / (2 * (1 - 0.0625)), shear = 1e7 / 2.5 / (2 * 1.75);
  const double kn = 2 * young * a, kt = 8 * shear * a, third = 11.0 / 3 / mass;
  Scene scene = scene_of(LawKind::hertz_mindlin, r);
  const double undamped = std::min(stable(third * (kn + 2 * kt), 0), stable(third * 2 * kt / 0.4, 0));
  EXPECT_NEAR(crowded_step_limit(scene, names, 0).value / undamped, 1, 1e-12);
  MaterialPair& pair = scene.pairs[0];
  pair.damping_ratio = 0.3;
  const double cn = 0.6 * std::sqrt(reduced * kn), ct = 0.6 * std::sqrt(reduced * kt);
  EXPECT_NEAR(crowded_step_limit(scene, names, 0).value / std::min(stable(third * (kn + 2 * kt), third * (cn + 2 * ct)),
                                                                   stable(third * 2 * kt / 0.4, third * 2 * ct / 0.4)),
              1, 1e-12);
  pair.rolling = {
      .stiffness = 0.8, .friction = 0.1, .twisting_stiffness = 0.5, .twisting_friction = 0.1, .damping = 0.4};
  const double kr = 0.8 * kt, kw = 0.5 * kt, cr = 0.8 * std::sqrt(1.4 * reduced * kr),
               cw = 0.8 * std::sqrt(0.4 * reduced * kw);
  const auto limit = crowded_step_limit(scene, names, 0);
  EXPECT_NEAR(limit.value / stable(third * (2 * kt + 2 * kr + kw) / 0.4, third * (2 * ct + 2 * cr + cw) / 0.4), 1,
              1e-12);
  EXPECT_NE(limit.reason.find("glass spheres of radius 2 mm with 5.5 contacts that overlap by 5 % of the radius"),
            std::string::npos)
      << limit.reason;
}

// All stiffnesses are proportional to the root of the overlap, and so are the squares of all dashpots. So the step is
// proportional to its fourth root.
TEST(CrowdedStep, FollowsTheOverlapOfImpacts) {
  Scene scene = scene_of(LawKind::hertz_mindlin, 2e-3);
  scene.pairs[0].damping_ratio = 0.3;
  const double young = effective_moduli(glass, glass, {}).young;
  const auto overlap = [&](double speed) { return impact_overlap(mass_of(2e-3), 2e-3, young, speed); };
  const auto limit = [&](double speed) { return crowded_step_limit(scene, names, speed); };
  EXPECT_EQ(limit(0.3).value, limit(0).value);  // overlaps below 5 % do not count
  ASSERT_GT(overlap(2), 0.1);
  ASSERT_LT(overlap(3), 0.2);
  EXPECT_NEAR(limit(2).value / limit(3).value, std::pow(overlap(3) / overlap(2), 0.25), 1e-12);
  EXPECT_LT(limit(2).value, limit(0).value);
  EXPECT_GT(overlap(5), 0.2);  // overlaps beyond 20 % count as 20 %
  EXPECT_EQ(limit(5).value, limit(50).value);
  EXPECT_NE(limit(2).reason.find("with 5.5 contacts that overlap by 12 % of the radius on impact at 2 m/s"),
            std::string::npos)
      << limit(2).reason;
}

// An adhesive contact without load is as wide as z^3 = 9 pi gamma R^2 / E*, one of 5 % overlap without adhesion as wide
// as h, and both together as a^3 = h^3 + z^3/2 + sqrt(h^3 z^3 + z^6/4). The stiffness is proportional to the width, and
// to the number of contacts: 5.5 without adhesion, 10 with adhesion alone, and 5.5 + 4.5 z^2/a^2 between.
TEST(CrowdedStep, AdhesionMakesContactsStiffer) {
  const double r = 2e-3;
  const auto step = [&](double energy) {
    Scene scene = scene_of(LawKind::jkr, r);
    for (MaterialPair& pair : scene.pairs) { pair.surface_energy = energy; }
    return crowded_step_limit(scene, names, 0).value;
  };
  const double young = effective_moduli(glass, glass, {}).young, h3 = std::pow(r * std::sqrt(0.025), 3);
  for (const double z3 : {1e-4 * h3, h3, 64 * h3}) {
    const double a3 = h3 + 0.5 * z3 + std::sqrt(h3 * z3 + 0.25 * z3 * z3);
    const double contacts = 5.5 + 4.5 * std::pow(z3 / a3, 2.0 / 3);
    EXPECT_NEAR(step(z3 * young / (9 * pi * 0.25 * r * r)) / step(0),
                std::pow(h3 / a3, 1.0 / 6) * std::sqrt(5.5 / contacts), 1e-9)
        << z3 / h3;
  }
}

TEST(CrowdedStep, OfLinearSpringsKnowsNoSpeed) {
  const double r = 2e-3, mass = mass_of(r), kn = 1e7 * r, kt = 0.25 * kn;
  const Scene scene = scene_of(LawKind::cundall_strack, r);
  const double third = 16.0 / 3 / mass;
  EXPECT_NEAR(
      crowded_step_limit(scene, names, 0).value / std::min(stable(third * (kn + 2 * kt), 0), stable(third * 5 * kt, 0)),
      1, 1e-12);
  EXPECT_EQ(crowded_step_limit(scene, names, 10).value, crowded_step_limit(scene, names, 0).value);
}

// Three of 5.5 contacts are with steel. They count once, not twice, and have twice the effective radius, as the steel
// is flat.
TEST(CrowdedStep, StifferBoundariesLowerIt) {
  const double r = 2e-3;
  Scene scene = scene_of(LawKind::hertz_mindlin, r);
  const double without = crowded_step_limit(scene, names, 0).value;
  scene.boundaries.resize(1);
  scene.boundaries[0].name = "floor";
  scene.boundaries[0].material = 0;
  EXPECT_EQ(crowded_step_limit(scene, names, 0).value, without);
  scene.boundaries[0].material = 1;
  const EffectiveModuli soft = effective_moduli(glass, glass, {}), stiff = effective_moduli(glass, steel, {});
  const double shear_soft = 8 * soft.shear * r * std::sqrt(0.025), shear_stiff = 8 * stiff.shear * r * std::sqrt(0.05);
  const double normal_soft = 2 * soft.young * r * std::sqrt(0.025),
               normal_stiff = 2 * stiff.young * r * std::sqrt(0.05);
  const auto rate = [](double weight_soft, double weight_stiff, double soft_k, double stiff_k) {
    return weight_soft * soft_k + weight_stiff * stiff_k;
  };
  const double turning = rate(5, 3, 2 * shear_soft, 2 * shear_stiff) / 3 / 0.4;
  const double shifting = rate(5, 3, normal_soft + 2 * shear_soft, normal_stiff + 2 * shear_stiff) / 3;
  const TimeStepLimit with = crowded_step_limit(scene, names, 0);
  EXPECT_LT(with.value, without);
  EXPECT_NEAR(with.value / stable(std::max(turning, shifting) / mass_of(r), 0), 1, 1e-12);
  EXPECT_NE(with.reason.find("some with boundary \"floor\""), std::string::npos) << with.reason;
}

/// Spheres that do not overlap, on the first axis; the centre of mass is at 0.
ClumpShape row_of(const std::vector<double>& places, double radius) {
  ClumpShape shape;
  shape.name = "row";
  const double volume = 4.0 / 3.0 * pi * radius * radius * radius;
  for (const double x : places) {
    shape.position.push_back({x, 0, 0});
    shape.radius.push_back(radius);
    shape.volume += volume;
    const double own = 0.4 * volume * radius * radius;
    shape.inertia = {shape.inertia[0] + own, shape.inertia[1] + own + volume * x * x,
                     shape.inertia[2] + own + volume * x * x};
  }
  return shape;
}

const ContactSprings springs{3e4, 1.5e4, 2, 1.2, 0.02, 0.01, 1e-6, 5e-7};
constexpr double radius = 2e-3;

TEST(CrowdedClump, OfOneSphereIsThatOfTheSphere) {
  const ClumpShape shape = row_of({0}, 1);
  const std::vector<CrowdContact> contacts = {{springs, 10}, {{4e4, 1e4, 1, 2}, 3}};
  const double clump = crowded_clump_step(shape, clumps::surface_points(shape), radius, glass.density, {contacts});
  EXPECT_NEAR(clump / crowded_sphere_step(mass_of(radius), radius, contacts), 1, 1e-12);
}

// Rods of touching spheres. The means over all directions n of a contact at x e_x + r n were worked out by hand: K_t +
// (K_n - K_t)/3 for a shift, 2/3 r^2 K_t + (2 K_r + K_w)/3 for a turn, plus x^2 times the mean for a shift if the axis
// of the turn is across the rod. Shifts and turns are not coupled.
TEST(CrowdedClump, OfARod) {
  for (const std::vector<double>& places : {std::vector<double>{-1, 1}, std::vector<double>{-4, -2, 0, 2, 4}}) {
    const ClumpShape shape = row_of(places, 1);
    const double count = double(places.size()), weight = 12;
    double square = 0;
    for (const double x : places) square += x * x * radius * radius / count;
    const auto shift = [](double kn, double kt) { return (kn + 2 * kt) / 3; };
    const auto turn = [](double kt, double kr, double kw) {
      return 2.0 / 3 * radius * radius * kt + (2 * kr + kw) / 3;
    };
    const double k_shift = weight * shift(springs.normal, springs.shear),
                 c_shift = weight * shift(springs.normal_dashpot, springs.shear_dashpot);
    const double k_turn = weight * turn(springs.shear, springs.rolling, springs.twisting);
    const double c_turn = weight * turn(springs.shear_dashpot, springs.rolling_dashpot, springs.twisting_dashpot);
    const double mass = count * mass_of(radius), along = 0.4 * mass * radius * radius, across = along + mass * square;
    const double expected =
        std::min({stable(k_shift / mass, c_shift / mass), stable(k_turn / along, c_turn / along),
                  stable((k_turn + square * k_shift) / across, (c_turn + square * c_shift) / across)});
    const std::vector<std::vector<CrowdContact>> contacts(places.size(), {{springs, weight}});
    EXPECT_NEAR(crowded_clump_step(shape, clumps::surface_points(shape), radius, glass.density, contacts) / expected, 1,
                1e-12)
        << places.size();
  }
}

// The centres of two spheres are one radius apart. Each sphere loses a cap of height r/2, a quarter of its surface.
// With 600 points per sphere, some of the 30 points near the rim may be counted wrongly.
TEST(CrowdedClump, SurfaceIsThatOfTheUnion) {
  const auto area_of = [](const ClumpShape& shape) {
    double area = 0;
    for (const auto& point : clumps::surface_points(shape)) area += point.area;
    return area / (4 * pi);
  };
  EXPECT_NEAR(area_of(row_of({-0.5, 0.5}, 1)), 1.5, 0.02);
  EXPECT_NEAR(area_of(row_of({-1, 1}, 1)), 2, 1e-12);
  EXPECT_NEAR(area_of(row_of({0, 0}, 1)), 1, 1e-12);  // two equal spheres in one place
}

// A scene of rods counts the rods as bodies: eight contacts over each surface of a sphere of equal volume.
TEST(CrowdedClump, OfAScene) {
  Scene scene = scene_of(LawKind::hertz_mindlin, radius);
  scene.clump_shapes = {row_of({-1, 1}, 1)};
  Clump clump;
  clump.size = radius;
  scene.particles.clumps = {clump};
  scene.particles.position.resize(2);
  scene.particles.velocity.resize(2);
  scene.particles.angular_velocity.resize(2);
  scene.particles.radius = {radius, radius};
  scene.particles.material = {0, 0};
  const EffectiveModuli moduli = effective_moduli(glass, glass, {});
  const double a = radius * std::sqrt(0.025), surface = std::cbrt(2);  // 2 (1/2)^(2/3)
  const ContactSprings k{2 * moduli.young * a, 8 * moduli.shear * a};
  const double expected = crowded_clump_step(scene.clump_shapes[0], clumps::surface_points(scene.clump_shapes[0]),
                                             radius, glass.density, {{{k, 2 * 8 * surface}}, {{k, 2 * 8 * surface}}});
  const TimeStepLimit limit = crowded_step_limit(scene, names, 0);
  EXPECT_NEAR(limit.value / expected, 1, 1e-12);
  EXPECT_NE(limit.reason.find("glass clumps \"row\" of radius 2.52 mm with 10 contacts"), std::string::npos)
      << limit.reason;
}

}  // namespace scree::crowded_step_test
