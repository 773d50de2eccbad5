#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/laws/cundall_strack.hpp"
#include "kernels/laws/hertz_mindlin.hpp"
#include "kernels/laws/with_rolling.hpp"
#include "kernels/math/real3.hpp"
#include "scenes.hpp"

// Rolling and twisting resistance, as functors and in runs.
namespace scree::physics::rolling_test {

using Linear = WithRolling<CundallStrack<double>, double>;
using Hertz = WithRolling<HertzMindlin<double>, double>;

ContactState<double> pressed(double radius1, double radius2, double overlap, const Vec3d& spin) {
  ContactState<double> c{};
  c.n = {0, 0, 1};
  c.overlap = overlap;
  c.spin = spin;
  c.radius1 = radius1;
  c.radius2 = radius2;
  c.effective_radius = radius1 * radius2 / (radius1 + radius2);
  c.effective_mass = 0.01;
  c.time_step = 1e-5;
  c.branch_before = {0, 0, radius1 + radius2 - overlap};
  return c;
}

// K_r = alpha_r r1 r2 K_T and K_t = alpha_t r1 r2 K_T with K_T = 480000 N/m of A01, over one step (closed form).
TEST(Rolling, StiffnessAgainstRollingAndTwisting) {
  const Linear::Params params{{1e7, 3e7, 0.3, 0.2, 0.5}, 0.25, 0.5, 1e6, 1e6, 0};
  Linear::History history{};
  const auto response = Linear::evaluate(pressed(0.1, 0.2, 1e-3, {3, -4, 2}), params, history);
  constexpr double k = 0.1 * 0.2 * 480000;
  EXPECT_NEAR(response.couple.x / (-0.25 * k * 1e-5 * 3), 1, 1e-12);
  EXPECT_NEAR(response.couple.y / (0.25 * k * 1e-5 * 4), 1, 1e-12);
  EXPECT_NEAR(response.couple.z / (-0.5 * k * 1e-5 * 2), 1, 1e-12);
  EXPECT_EQ(history.bending.z, 0);
  // The force must be the force of the law without resistance.
  const auto alone = CundallStrack<double>::evaluate(pressed(0.1, 0.2, 1e-3, {3, -4, 2}), params.law);
  EXPECT_EQ(response.normal, alone.normal);
  EXPECT_EQ(response.tangential.x, alone.tangential.x);
}

// The same stiffnesses for a Hertz contact, whose K_T = 8 G* sqrt(R* u) depends on the overlap.
TEST(Rolling, StiffnessOfAHertzContact) {
  const Hertz::Params params{{1e7, 8e6, 0, 0, 0.5}, 0.3, 0, 1e6, 0, 0};
  Hertz::History history{};
  const auto response = Hertz::evaluate(pressed(0.01, 0.01, 1e-5, {2, 0, 7}), params, history);
  EXPECT_NEAR(response.couple.x / (-0.3 * 1e-4 * 8e6 * std::sqrt(0.005 * 1e-5) * 1e-5 * 2), 1, 1e-12);
  EXPECT_EQ(response.couple.z, 0);
}

// Limits (closed form): |M_b| = eta_r r F_N in the direction of rolling, |M_t| = eta_t r F_N; r is the smaller radius.
TEST(Rolling, LimitsFollowTheNormalForce) {
  const Linear::Params params{{1e7, 3e7, 0.3, 0.2, 0.5}, 1, 1, 0.1, 0.02, 0.5};
  Linear::History history{};
  LawResponse<double> response{};
  for (int k = 0; k < 1000; ++k) {
    response = Linear::evaluate(pressed(0.1, 0.2, 1e-3, {30, -40, 20}), params, history);
  }
  const double lever = 0.1 * 1714285.7142857 * 1e-3;
  EXPECT_NEAR(response.couple.x / (-0.6 * 0.1 * lever), 1, 1e-10);
  EXPECT_NEAR(response.couple.y / (0.8 * 0.1 * lever), 1, 1e-10);
  EXPECT_NEAR(response.couple.z / (-0.02 * lever), 1, 1e-10);
  EXPECT_EQ(history.bending.x, response.couple.x);  // at the limit, the history keeps the limit only
  EXPECT_EQ(history.twisting, response.couple.z);
  response = Linear::evaluate(pressed(0.1, 0.2, -1e-9, {30, 0, 0}), params, history);
  EXPECT_EQ(response.couple.x, 0);
}

struct Turned {
  double length_error, direction_error, twisting;
};
/// Moments of 1 N m across and 2 N m along the normal of a pair, after one revolution as a rigid body in n steps.
Turned after_one_turn(int n, const Real3& normal, const Real3& axis) {
  const double angle = 2 * pi / n, dt = 1e-5;
  const Real3 start = (1 / norm(cross(normal, {0.2, 1, 0.4}))) * cross(normal, {0.2, 1, 0.4});
  const Linear::Params params{{1e7, 1e7, 0.3, 0.3, 0.5}, 1, 1, 1e9, 1e9, 0};
  Linear::History history{};
  history.bending = vec(start);
  history.twisting = 2;
  for (int k = 1; k <= n; ++k) {
    ContactState<double> c = pressed(0.01, 0.01, 1e-5, {0, 0, 0});
    c.n = vec(rotated(normal, axis, k * angle));
    c.branch_before = vec(0.02 * rotated(normal, axis, (k - 1) * angle));
    c.total_spin = vec((2 * angle / (dt * norm(axis))) * axis);
    static_cast<void>(Linear::evaluate(c, params, history));
  }
  const Real3 end{history.bending.x, history.bending.y, history.bending.z};
  return {std::abs(norm(end) - 1), norm((1 / norm(end)) * end - start), history.twisting};
}

// A16: a rigid motion carries the rolling moment along like the shear (same numbers: length to rounding, direction
// 7.3e-6 and 7.3e-8, +-20 %) and does not change the twisting moment.
TEST(Rolling, A16MomentsTurnWithThePair) {
  for (const auto& [n, error] : {std::pair{1000, 7.3e-6}, std::pair{10000, 7.3e-8}}) {
    const Turned turned = after_one_turn(n, {1, 0, 0}, {0.5, 0.3, 1});
    EXPECT_LT(turned.length_error, 1e-10);
    EXPECT_NEAR(turned.direction_error / error, 1, 0.2);
    EXPECT_EQ(turned.twisting, 2);
  }
}

// A17: spin about the normal does the same.
TEST(Rolling, A17MomentsTwistWithThePair) {
  const Turned turned = after_one_turn(1000, {0, 0, 1}, {0, 0, 1});
  EXPECT_LT(turned.length_error, 1e-10);
  EXPECT_LT(turned.direction_error, 1e-10);
  EXPECT_EQ(turned.twisting, 2);
}

// --- a sphere on a plane ------------------------------------------------------------------------------------------

constexpr double radius = 0.05, young = 1e7, density = 2500, ratio = 0.3;

/// A sphere in equilibrium on the plane z = 0 under gravity that is tilted by `angle` [rad] towards +x; it rolls at
/// `speed`.
Scene on_slope(double angle, double speed, const RollingResistance& rolling) {
  Scene scene = linear_scene({young, ratio, density}, 0.5, 1e-4);
  scene.gravity = {standard_gravity * std::sin(angle), 0, -standard_gravity * std::cos(angle)};
  for (MaterialPair& pair : scene.pairs) { pair.rolling = rolling; }
  const double overlap = sphere_mass(radius, density) * standard_gravity * std::cos(angle) / (young * radius);
  add_sphere(scene, {0, 0, radius - overlap}, radius, {speed, 0, 0}, {0, speed / radius, 0});
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  return scene;
}

// A23: torsion oscillator of two spheres, pressed together by 1 N. K_t = alpha_t r^2 K_T = 0.05 N m, period 2 pi sqrt(I
// / (2 K_t)) = 1.2859502672e-2 s (closed form); 1e-3 as in the catalogue.
TEST(Rolling, A23TorsionOscillatorOfPressedSpheres) {
  constexpr double r = 0.01, press = 1;
  Scene scene = linear_scene({young, ratio, density}, 0.5, 1e-5);
  const double alpha = 0.05 / (r * r * ratio * young * r);
  for (MaterialPair& pair : scene.pairs) { pair.rolling = {.twisting_stiffness = alpha, .twisting_friction = 1}; }
  scene.groups.resize(3);
  for (const std::uint32_t k : {1u, 2u}) {
    const double side = k == 1 ? -1 : 1;
    add_sphere(scene, {0, 0, side * (r - 0.5 * press / (young * r))}, r, {}, {0, 0, 0.1 * side});
    scene.groups[k].force = {0, 0, -side * press};
    scene.particles.group.push_back(k);
  }
  const auto engine = start(scene);
  const auto zeros = zero_crossings(*engine, 5, 0.1, [](Engine& e) { return read(e).spin[2]; });
  ASSERT_EQ(zeros.size(), 5u);
  EXPECT_NEAR((zeros[4] - zeros[0]) / 2 / 1.2859502672e-2, 1, 1e-3);
}

// A22: a rolling sphere is slowed by eta g / 1.4 and stops after 1.427115 m (closed form); 1 %.
TEST(Rolling, A22RollsToAStop) {
  const auto engine = start(on_slope(0, 1, {.stiffness = 1, .friction = 0.05, .damping = 0.3}));
  engine->advance(5000);
  const double before = read(*engine).velocity[0];
  engine->advance(10000);
  EXPECT_NEAR((before - read(*engine).velocity[0]) / 1.0 / 0.3503571429, 1, 0.01);
  engine->advance(20000);
  EXPECT_NEAR(read(*engine).position[0] / 1.427115, 1, 0.01);
  EXPECT_NEAR(read(*engine).velocity[0], 0, 1e-4);
}

// A22: at 2 degrees (below atan(eta) = 2.862) the sphere stays, except for the deflection of its spring, of the order
// of 1e-4 rad. At 10 degrees it rolls with g (sin - eta cos) / 1.4 (closed form); 1 %.
TEST(Rolling, A22RestsOrRolls) {
  const RollingResistance rolling{.stiffness = 1, .friction = 0.05, .damping = 0.3};
  const auto resting = start(on_slope(pi * 2 / 180, 0, rolling));
  resting->advance(10000);
  EXPECT_LT(std::abs(read(*resting).velocity[0]), 1e-6);
  EXPECT_LT(read(*resting).position[0], 2e-4 * radius);
  const auto going = start(on_slope(pi * 10 / 180, 0, rolling));
  going->advance(10000);
  EXPECT_NEAR(read(*going).velocity[0] / 0.8717431572, 1, 0.01);
  const auto free = start(on_slope(pi * 2 / 180, 0, {}));
  free->advance(10000);
  EXPECT_GT(read(*free).velocity[0], 0.2);
}

// The dashpot: a sphere that rocks on a plane against K_r oscillates with I = 7/5 m r^2 and decays by exp(-pi zeta /
// sqrt(1 - zeta^2)) in half a period (closed form). 2 %, as K_T is not rigid: K_r = 0.004 K_T r^2.
TEST(Rolling, RockingDecaysAsItsDampingRatioSays) {
  constexpr double alpha = 0.004, zeta = 0.1;
  Scene scene = on_slope(0, 1e-6, {.stiffness = alpha, .friction = 100, .damping = zeta});
  scene.time_step = 2e-5;
  const auto engine = start(scene);
  const double mass = sphere_mass(radius, density);
  const double frequency = std::sqrt(alpha * ratio * young * radius / (1.4 * mass)) * std::sqrt(1 - zeta * zeta);
  double before = 1e-6, low = 0, zero = 0;
  for (int step = 1; low == 0 || read(*engine).velocity[0] < 0; ++step) {
    engine->advance(1);
    const double now = read(*engine).velocity[0];
    if (zero == 0 && now < 0) { zero = (step - 1 + before / (before - now)) * scene.time_step; }
    low = std::min(low, now);
    before = now;
    ASSERT_LT(step, 100000);
  }
  // v = v0 exp(-d t) (cos wt - d/w sin wt), d = zeta w / sqrt(1 - zeta^2).
  const double root = std::sqrt(1 - zeta * zeta);
  EXPECT_NEAR(zero * frequency / std::atan2(root, zeta), 1, 0.02);
  const double decay = zeta / root, at = 2 * std::atan2(root, zeta);  // wt of the least velocity: dv/dt = 0
  const double least = std::exp(-decay * at) * (std::cos(at) - decay * std::sin(at));
  EXPECT_NEAR(low / (1e-6 * least), 1, 0.02);
}

// Moments of particles of a tenth of a micrometre have squares below the range of single precision: mixed precision
// must agree with double precision up to the rounding of a thousand sums.
TEST(Rolling, WorksForTheSmallestParticlesInMixedPrecision) {
  using Single = WithRolling<HertzMindlin<float>, float>;
  constexpr double radius = 1e-7, overlap = 1e-12, density = 2500;
  ContactState<double> fine = pressed(radius, radius, overlap, {200, -100, 50});
  fine.effective_mass = density * radius * radius * radius;
  fine.time_step = 1e-10;
  ContactState<float> coarse{};
  coarse.n = {0, 0, 1};
  coarse.overlap = float(overlap);
  coarse.spin = {200, -100, 50};
  coarse.radius1 = coarse.radius2 = float(radius), coarse.effective_radius = float(radius / 2);
  coarse.effective_mass = float(fine.effective_mass);
  coarse.time_step = 1e-10F;
  coarse.branch_before = {0, 0, float(2 * radius - overlap)};
  const Hertz::Params params{{1e9, 8e8, 0, 0, 0.5}, 0.3, 0.3, 0.1, 0.1, 0.3};
  const Single::Params same{{1e9F, 8e8F, 0, 0, 0.5F}, 0.3F, 0.3F, 0.1F, 0.1F, 0.3F};
  Hertz::History history{};
  Single::History single{};
  for (int k = 0; k < 3000; ++k) {
    const auto expected = Hertz::evaluate(fine, params, history);
    const auto response = Single::evaluate(coarse, same, single);
    ASSERT_NEAR(response.couple.x / expected.couple.x, 1, 1e-3) << k;
    ASSERT_NEAR(response.couple.y / expected.couple.y, 1, 1e-3) << k;
  }
  const double limit = 0.1 * radius * 4.0 / 3.0 * 1e9 * std::sqrt(radius / 2) * std::pow(overlap, 1.5);
  const Vec3<float> couple{float(history.bending.x), float(history.bending.y), 0};
  EXPECT_NEAR(norm(convert<double>(couple)) / limit, 1, 0.5) << "the limit was reached, or nearly so";
}

}  // namespace scree::physics::rolling_test
