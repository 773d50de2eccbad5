#include <gtest/gtest.h>

#include <cmath>

#include "kernels/integrators/leapfrog.hpp"
#include "kernels/laws/cundall_strack.hpp"
#include "kernels/laws/turning.hpp"
#include "kernels/math/real3.hpp"
#include "scenes.hpp"

// Single functors against closed forms, without an engine around them.
namespace scree::physics::laws_test {

ContactState<double> contact_of_pair(double radius1, double radius2, double overlap, const Vec3d& slip) {
  ContactState<double> contact{};
  contact.n = {0, 0, 1};
  contact.overlap = overlap;
  contact.slip = slip;
  contact.radius1 = radius1;
  contact.radius2 = radius2;
  contact.effective_radius = radius1 * radius2 / (radius1 + radius2);
  contact.effective_mass = 1;
  contact.time_step = 1e-4;
  return contact;
}

// A01, serial springs (closed form). The given friction is tan 0.3, the smaller of the two.
TEST(Laws, A01StiffnessOfUnlikeSpheres) {
  const CundallStrack<double>::Params params{1e7, 3e7, 0.3, 0.2, std::tan(0.3)};
  constexpr double overlap = 1e-3;
  constexpr double small = 1e-3;  // [m/s]: too slow to slide
  const auto sticking = CundallStrack<double>::evaluate(contact_of_pair(0.1, 0.2, overlap, {small, 0, 0}), params);
  EXPECT_NEAR(sticking.normal / overlap / 1714285.7142857, 1, 1e-12);
  EXPECT_NEAR(-sticking.tangential.x / (small * 1e-4) / 480000, 1, 1e-12);
  const auto sliding = CundallStrack<double>::evaluate(contact_of_pair(0.1, 0.2, overlap, {0, 100, 0}), params);
  EXPECT_NEAR(-sliding.tangential.y / sliding.normal / 0.3093362496, 1, 1e-10);  // the expected value has ten digits
  EXPECT_EQ(sliding.tangential.x, 0);
}

// A01: if one spring has no shear stiffness, the pair has none, and 0/0 does not occur.
TEST(Laws, A01NoShearStiffness) {
  const CundallStrack<double>::Params params{1e7, 3e7, 0, 0, 0.5};
  const auto response = CundallStrack<double>::evaluate(contact_of_pair(0.1, 0.2, 1e-3, {1, 0, 0}), params);
  EXPECT_EQ(response.tangential.x, 0);
}

struct Turned {
  double length_error, direction_error;
};

/// A tangential force of 1 N on a pair after one revolution as a rigid body in n steps.
Turned after_one_turn(int n, const Real3& normal, const Real3& axis) {
  const Real3 unit_axis = (1 / norm(axis)) * axis;
  const double angle = 2 * pi / n, dt = 1e-5;
  const Real3 start = (1 / norm(cross(normal, {0.2, 1, 0.4}))) * cross(normal, {0.2, 1, 0.4});
  const Vec3d both_spins = vec((2 * angle / dt) * unit_axis);
  constexpr double branch_length = 0.0199;
  Vec3d force = vec(start);
  for (int k = 1; k <= n; ++k) {
    const Vec3d old_branch = vec(branch_length * rotated(normal, axis, (k - 1) * angle));
    force = turn_with_contact(force, vec(rotated(normal, axis, k * angle)), old_branch, both_spins, dt);
  }
  const Real3 end = real3(force);
  return {std::abs(norm(end) - 1), norm((1 / norm(end)) * end - start)};
}

// A16: a rigid motion must carry the force along. Its length is right to the rounding of 1e4 steps; its direction has
// an error of second order (7.3e-6 and 7.3e-8, +-20 %, for an axis of (0.5, 0.3, 1)).
TEST(Laws, A16ShearTurnsWithThePair) {
  const Turned coarse = after_one_turn(1000, {1, 0, 0}, {0.5, 0.3, 1});
  EXPECT_LT(coarse.length_error, 1e-10);
  EXPECT_NEAR(coarse.direction_error / 7.3e-6, 1, 0.2);
  const Turned fine = after_one_turn(10000, {1, 0, 0}, {0.5, 0.3, 1});
  EXPECT_LT(fine.length_error, 1e-10);
  EXPECT_NEAR(fine.direction_error / 7.3e-8, 1, 0.2);
}

// A17: spin about the normal turns the force. The series for the angle is right to 8e-11 per turn of 1000 steps.
TEST(Laws, A17ShearTwistsWithThePair) {
  for (const int n : {1000, 10000}) {
    const Turned turned = after_one_turn(n, {0, 0, 1}, {0, 0, 1});
    EXPECT_LT(turned.length_error, 1e-10) << n;
    EXPECT_LT(turned.direction_error, 1e-10) << n;
  }
}

// A17 in mixed precision: rounding of 1000 rotations in float, each 6e-8 of the length.
TEST(Laws, A17ShearTwistsWithThePairInFloat) {
  Vec3<float> force{1, 0, 0};
  const Vec3<float> normal{0, 0, 1}, branch{0, 0, 0.02F};
  const float dt = 1e-5F;
  const Vec3<float> both_spins{0, 0, static_cast<float>(4 * pi / 1000 / 1e-5)};
  for (int k = 0; k < 1000; ++k) { force = turn_with_contact(force, normal, branch, both_spins, dt); }
  EXPECT_NEAR(double(force.x), 1, 5e-5);
  EXPECT_NEAR(double(force.y), 0, 5e-5);
}

// A16: a normal that is reversed in one step leaves no tangential force, and no value that is not finite.
TEST(Laws, A16ReversedNormalForgetsTheForce) {
  const Vec3d force = turn_with_contact(Vec3d{1, 0, 0}, Vec3d{0, 0, 1}, Vec3d{0, 0, -0.02}, Vec3d{0, 0, 0}, 1e-5);
  EXPECT_EQ(force.z, 0);
  EXPECT_TRUE(std::isfinite(force.x) && std::isfinite(force.y));
}

// A19, drag test: K_T = 3e4 N/m, 5 N, friction 0.4 (closed form). The energies add up to the work, to rounding.
TEST(Laws, A19DragTest) {
  const CundallStrack<double>::Params params{1e7, 1e7, 0.3, 0.3, 0.4};
  constexpr double radius = 0.01, shear_stiffness = 3e4, normal_force = 5, path = 1e-3;
  constexpr int steps = 15000;  // the elastic limit, path / 15, lies on a step
  ContactState<double> contact = contact_of_pair(radius, radius, normal_force / (1e7 * radius), {});
  contact.time_step = path / steps;  // at 1 m/s
  contact.slip = {1, 0, 0};
  double onset = 0, dissipated = 0, work = 0;
  for (int k = 1; k <= steps; ++k) {
    const double before = contact.shear.x;
    const double trial = before - shear_stiffness * contact.time_step;
    const auto response = CundallStrack<double>::evaluate(contact, params);
    const double now = response.shear.x;
    const double slipped = (trial - now) * now / shear_stiffness;
    if (onset == 0 && slipped > 1e-12) { onset = (k - 1) * contact.time_step; }
    dissipated += slipped;
    // Within a step the force first follows the spring, then slides.
    const double stuck = (before - now) / shear_stiffness;
    work += -0.5 * (before + now) * stuck - now * (contact.time_step - stuck);
    contact.shear = response.shear;
    EXPECT_EQ(response.tangential.x, now);
  }
  const double force = -contact.shear.x, stored = force * force / (2 * shear_stiffness);
  EXPECT_NEAR(onset / 6.66667e-5, 1, 1e-3);
  EXPECT_NEAR(force / 2, 1, 1e-3);
  EXPECT_NEAR(dissipated / 1.866667e-3, 1, 1e-3);
  EXPECT_NEAR(stored / 6.66667e-5, 1, 1e-3);
  EXPECT_NEAR((dissipated + stored) / work, 1, 1e-9);
}

// C06: the sign of the damping comes from the velocity at the time of the positions, and changes at v- = -a dt/2 =
// -5e-4 m/s (closed form).
TEST(Laws, C06DampingThreshold) {
  const Leapfrog<double> scheme{1e-3, 1e-3, 0.3};
  const Vec3d push{1, 1, 0};
  const Vec3d before{-4e-4, -6e-4, 2};
  const Vec3d after = scheme.advance(before, push);
  EXPECT_NEAR((after.x - before.x) / 1e-3, 0.7, 1e-12);
  EXPECT_NEAR((after.y - before.y) / 1e-3, 1.3, 1e-12);
  EXPECT_EQ(after.z, before.z);
}

// C06 in the first step, whose kick is half a step from the given velocity: the sign is that of v(0), and a particle at
// rest is not damped (closed form).
TEST(Laws, C06DampingOfTheFirstStep) {
  const Leapfrog<double> scheme{1e-3, 0.5e-3, 0.3};
  const Vec3d push{1, 1, 1};
  const Vec3d before{-1e-4, 1e-4, 0};
  const Vec3d after = scheme.advance(before, push);
  EXPECT_NEAR((after.x - before.x) / 0.5e-3, 1.3, 1e-12);
  EXPECT_NEAR((after.y - before.y) / 0.5e-3, 0.7, 1e-12);
  EXPECT_NEAR((after.z - before.z) / 0.5e-3, 1, 1e-12);
}

}  // namespace scree::physics::laws_test
