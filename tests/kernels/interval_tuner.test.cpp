#include "kernels/neighbours/interval_tuner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace scree::inline SCREE_BACKEND::interval_tuner_test {

/// A flow whose searches and steps cost exactly what the model of the tuner says: lists grow with the power 1.5 of 1 +
/// skin.
struct Flow {
  double search = 5e-4, bare_step = 1e-4;  ///< [s]
  double skin_per_step = 1e-3;             ///< [radii]
  double disturbance = 0;                  ///< [-] another program slows searches and steps by up to this share
  std::uint64_t lists = 0;

  [[nodiscard]] StepWork work(double interval) const {
    const double skin = skin_per_step * interval;
    return {1, 2, 3 * std::pow(1 + skin, 1.5), skin};
  }
  [[nodiscard]] double step(double interval) const {
    const StepWork w = work(interval);
    return bare_step * (w.listed + 1.2 * w.contacts + 2 * w.particles) / 7.4;
  }
  [[nodiscard]] double cost(double interval) const { return search / interval + step(interval); }
  [[nodiscard]] double best_cost() const {
    double best = cost(4);
    for (double interval = 4; interval < 1e5; interval *= 1.01) { best = std::min(best, cost(interval)); }
    return best;
  }

  void run(IntervalTuner& tuner, int n, double longest = 16384) {
    for (int i = 0; i < n; ++i, ++lists) {
      const double slow = 1 + disturbance * std::abs(std::sin(12.9898 * double(lists)));
      const auto steps = static_cast<std::uint64_t>(std::max(1.0, tuner.interval()));
      tuner.add(slow * search, slow * step(double(steps)) * double(steps), steps, work(double(steps)), longest);
    }
  }
};

TEST(IntervalTunerTest, FindsTheCheapestInterval) {
  for (const double search : {2e-5, 5e-4, 2e-2}) {
    for (const double speed : {1e-4, 1e-3, 2e-2}) {
      for (const double disturbance : {0.0, 1.0}) {
        Flow flow{search, 1e-4, speed, disturbance};
        IntervalTuner tuner;
        flow.run(tuner, 100);
        // The cost is flat near its minimum, and intervals are whole and at least four steps.
        EXPECT_LT(flow.cost(tuner.interval()), 1.03 * flow.best_cost())
            << "search " << search << " s, " << speed << " radii per step, interval " << tuner.interval();
      }
    }
  }
}

TEST(IntervalTunerTest, FollowsAChangeOfTheFlow) {
  Flow flow;
  IntervalTuner tuner;
  flow.run(tuner, 100);
  const double before = tuner.interval();
  for (const double speed : {1e-2, 1e-4}) {
    flow.skin_per_step = speed;
    flow.run(tuner, 100);
    EXPECT_LT(flow.cost(tuner.interval()), 1.03 * flow.best_cost()) << speed << " radii per step";
  }
  EXPECT_GT(tuner.interval(), before);
}

TEST(IntervalTunerTest, StaysWithinItsLimits) {
  IntervalTuner at_rest;
  Flow{5e-4, 1e-4, 0}.run(at_rest, 200, 700);  // at rest, longer lists cost nothing
  EXPECT_DOUBLE_EQ(at_rest.interval(), 700);
  IntervalTuner fast;
  Flow{1e-9, 1e-4, 0.2}.run(fast, 200);
  EXPECT_GE(fast.interval(), 4);
  IntervalTuner idle;
  idle.add(1, 0, 0, {}, 100);  // a list that was never used says nothing
  EXPECT_DOUBLE_EQ(idle.interval(), 60);
}

}  // namespace scree::inline SCREE_BACKEND::interval_tuner_test
