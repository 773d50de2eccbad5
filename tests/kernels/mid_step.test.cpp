#include <cmath>

#include "kernels/math/real3.hpp"
#include "kernels/step/pairs/sphere_pair.hpp"
#include "support.hpp"

// The slip that sphere pairs hand to laws.
namespace scree::inline SCREE_BACKEND::mid_step_test {

/// [m/s] The tangential velocity of a pair as it stood half a step ago, turned to its present normal.
Vec3d slip_of_middle(const SpherePair<double>::Input& in, double time_step, double no_ratcheting) {
  const double half = 0.5 * time_step;
  const Vec3d branch = in.branch - half * in.velocity;
  const double length = norm(branch), reach = in.radius1 + in.radius2, overlap = reach - length;
  const Vec3d n = (1 / length) * branch;
  const double shortened = 0.5 * (1 - no_ratcheting) * overlap, stretch = 1 + no_ratcheting * overlap / length;
  const Vec3d rolling = (in.radius1 - shortened) * in.spin1 + (in.radius2 - shortened) * in.spin2;
  const Vec3d velocity = stretch * in.velocity - cross(rolling, n);
  const Vec3d now = (1 / norm(in.branch)) * in.branch;
  return turn_with_contact(velocity - dot(n, velocity) * n, now, branch, in.spin1 + in.spin2, half);
}

// SpherePair gathers the terms of first order. A hundredth of the step must therefore divide what is left by 1e4, up to
// rounding.
TEST(MidStepSlip, IsThatOfTheGeometryInTheMiddle) {
  Random random(3);
  for (int k = 0; k < 200; ++k) {
    const auto any = [&] { return random(0.1, 1) * vec(random.direction()); };
    SpherePair<double>::Input in{};
    in.branch = any(), in.velocity = any(), in.spin1 = any(), in.spin2 = any(), in.inverse_mass = 1;
    const double length = norm(in.branch);
    in.radius1 = 0.6 * length, in.radius2 = 0.5 * length;
    in.square_gap = (1.1 * 1.1 - 1) * length * length;
    PairViews<double> of{};
    of.no_ratcheting = k % 2;
    double difference[2] = {0, 0};
    for (const int fine : {0, 1}) {
      of.time_step = fine == 1 ? 1e-5 : 1e-3;
      ContactState<double> state{};
      SpherePair<double>::state_of(of, in, {0, 0, 0}, state);
      difference[fine] = norm(state.slip - slip_of_middle(in, of.time_step, of.no_ratcheting));
      EXPECT_NEAR(dot(state.n, state.slip), 0, 1e-14);
    }
    EXPECT_LT(difference[0], 1e-4);
    EXPECT_LT(difference[1], 2e-4 * difference[0] + 1e-14);
  }
}

}  // namespace scree::inline SCREE_BACKEND::mid_step_test
