#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fake_runs.hpp"
#include "host/output/output_schedule.hpp"
#include "host/run/chunk.hpp"
#include "host/scene/time_step.hpp"
#include "scree/errors.hpp"

namespace scree::test::output_schedule_test {

using namespace fake_runs;

TEST(StepCount, IsTheCeilingWithinRounding) {
  EXPECT_EQ(steps_for(1, 0.1), 10U);
  EXPECT_EQ(steps_for(0.3, 0.1), 3U);  // 0.3 / 0.1 is just below 3
  EXPECT_EQ(steps_for(0.7, 0.1), 7U);  // 0.7 / 0.1 is just below 7
  EXPECT_EQ(steps_for(1.01, 0.1), 11U);
  EXPECT_EQ(steps_for(1e-9, 0.1), 1U);
  EXPECT_EQ(steps_for(1e-16, 0.1), 1U);  // whatever lasts, lasts for a step
  EXPECT_EQ(steps_for(0, 0.1), 0U);
  EXPECT_THROW(static_cast<void>(steps_for(1, 0)), ContractError);
}

TEST(StepCount, OfAMomentIsTheFirstStepThatBeginsThen) {
  constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(first_step_at(0, 0.1), 0U);
  EXPECT_EQ(first_step_at(1e-16, 0.1), 0U);  // rounding
  EXPECT_EQ(first_step_at(0.3, 0.1), 3U);
  EXPECT_EQ(first_step_at(0.31, 0.1), 4U);
  EXPECT_EQ(first_step_at(1e12, 1e-5), never);
  EXPECT_EQ(first_step_at(std::numeric_limits<double>::infinity(), 1e-5), never);
}

TEST(OutputSchedule, HasNoDrift) {
  const double every = 1e-3, step = 0.7e-5;
  const OutputSchedule schedule(every, step);
  std::uint64_t at = 0;
  for (std::uint64_t k = 1; k <= 100000; ++k) {
    at = schedule.next_after(at);
    ASSERT_EQ(at, static_cast<std::uint64_t>(std::ceil(static_cast<double>(k) * every / step - 1e-9))) << k;
  }
  EXPECT_EQ(schedule.count(0, at), 100001U);
  EXPECT_EQ(schedule.count(1, at - 1), 99999U);
}

// Twenty intervals of 0.02 s are the duration, although neither is a whole number of steps.
TEST(OutputSchedule, TheLastMomentIsTheLastStep) {
  for (const double step : {4.3e-5, 4.4e-5, 4.7e-5, 1.1e-4, 3e-6}) {
    const std::uint64_t last = steps_for(0.4, step);
    const OutputSchedule schedule(0.02, step);
    EXPECT_EQ(schedule.next_after(last - 1), last) << step;
    EXPECT_EQ(schedule.outputs(last, 0.4), 21U) << step;
  }
}

TEST(OutputSchedule, ShorterThanAStepMeansEveryStep) {
  const OutputSchedule schedule(1e-12, 1e-5);
  EXPECT_EQ(schedule.next_after(0), 1U);
  EXPECT_EQ(schedule.next_after(1000000), 1000001U);
  EXPECT_EQ(schedule.count(0, 10), 11U);
}

TEST(OutputSchedule, AnEndlessIntervalNeverComesAgain) {
  const OutputSchedule schedule(1e300, 1e-5);
  EXPECT_EQ(schedule.next_after(0), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(schedule.count(0, 1000), 1U);
}

TEST(OutputSchedule, WithAnAdaptiveStepWritesAtTheFirstStepThatReachesATime) {
  const Scene scene = adaptive_scene();
  FakeEngine engine(scene);
  const OutputSchedule schedule(2.75 * scene.time_step, scene);
  std::vector<std::uint64_t> due;
  for (; engine.step() < 12; engine.advance(1)) {
    if (schedule.due(engine)) { due.push_back(engine.step()); }
  }
  // Times in units of the step: 0 1 1.5 2.5 3 4 4.5 5.5 6 7 7.5 8.5. Outputs are due from 2.75, 5.5 and 8.25 on.
  EXPECT_EQ(due, (std::vector<std::uint64_t>{0, 4, 7, 11}));
  EXPECT_NEAR(schedule.next(engine).time, 11 * scene.time_step, 2e-8 * scene.time_step);  // it stands at 9
  EXPECT_EQ(schedule.outputs(0, 9 * scene.time_step), 5U);
  EXPECT_EQ(schedule.outputs(0, 8.25 * scene.time_step), 4U);
}

TEST(Chunk, ApproachesTheTargetTime) {
  EXPECT_EQ(next_chunk(100, 0.1, 0.2), 200U);
  EXPECT_EQ(next_chunk(100, 0.4, 0.2), 50U);
  EXPECT_EQ(next_chunk(100, 1e-9, 0.2), 800U);
  EXPECT_EQ(next_chunk(1, 100, 0.2), 1U);
  EXPECT_EQ(next_chunk(100, 0, 0.2), 800U);
}

}  // namespace scree::test::output_schedule_test
