#include "kernels/neighbours/interval_tuner.hpp"

#include <functional>
#include <limits>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND::interval_tuner_runs_test {

/// A run in which a search takes `search` seconds and a step takes as long as its work: particles, contacts, and listed
/// pairs, whose number grows with the interval as in StepWork::growth().
struct SyntheticRun {
  double search;          ///< [s] per list
  double radii_per_step;  ///< [-] speed: the skins of T steps are T times as long
  double seconds_per_unit = 1e-3;
  double noise = 0;  ///< [-] relative scatter of the time of each search and of the steps of each list
  double longest = 16384;
  /// Factor on all times of a list, from other programs on the machine.
  std::function<double(Random&)> burden = [](Random&) { return 1.0; };
  IntervalTuner tuner{};
  Random random{71};
  double seconds = 0, steps = 0;

  [[nodiscard]] StepWork work(double t) const {
    const double skin = radii_per_step * t;
    // For one list alone. Its skins make up half of its reach, so the power is doubled.
    const double power = 2 * StepWork{0, 0, 1, 1}.growth();
    return {1.0, 2.0, 2.5 * std::pow(1 + skin, power), skin};
  }
  [[nodiscard]] double step_seconds(double t) const {
    const StepWork w = work(t);
    return seconds_per_unit * (w.listed + 1.2 * w.contacts + 2 * w.particles);
  }
  [[nodiscard]] double cost(double t) const { return search / t + step_seconds(t); }
  [[nodiscard]] double best() const {
    double best = 4;
    for (double t = 4; t < 16384; t *= 1.001) { best = cost(t) < cost(best) ? t : best; }
    return best;
  }
  void make_lists(int n) {
    for (int i = 0; i < n; ++i) {
      const double t = std::max(1.0, std::round(std::min(tuner.interval(), longest))), load = burden(random);
      const double searching = search * (1 + noise * random(-1, 1)) * load;
      const double stepping = t * step_seconds(t) * (1 + noise * random(-1, 1)) * load;
      tuner.add(searching, stepping, static_cast<std::uint64_t>(t), work(t), longest);
      seconds += (searching + stepping) / load;
      steps += t;
    }
  }
  /// Mean cost of a step over the next `lists` lists, in units of the least possible cost.
  double relative_cost(int lists) {
    seconds = steps = 0;
    make_lists(lists);
    return seconds / steps / cost(best());
  }
};

/// Searches that cost as much as 3 to 300 listed pairs, in slow and in fast flows.
const std::vector<SyntheticRun> runs{{0.01, 1e-3}, {0.3, 1e-3}, {0.03, 1e-2}, {0.003, 1e-4}, {0.3, 1e-4}, {0.03, 3e-6}};

using IntervalTunerRuns = BackendTest;

TEST_F(IntervalTunerRuns, ComeToTheBestIntervalFromBothSides) {
  double shortest = 1e9, longest = 0;
  for (SyntheticRun run : runs) {
    const double best = run.best();
    shortest = std::min(shortest, best);
    longest = std::max(longest, best);
    for (const double noise : {0.0, 0.03}) {
      SCOPED_TRACE("best " + std::to_string(best) + ", noise " + std::to_string(noise));
      run.noise = noise;
      run.tuner = {};
      run.make_lists(60);
      for (int i = 0; i < 1000; ++i) {
        run.make_lists(1);
        ASSERT_LT(run.tuner.interval(), 1.6 * best);
        ASSERT_GT(run.tuner.interval(), best / 1.6);
      }
      EXPECT_LT(run.relative_cost(1000), 1.03);
    }
  }
  EXPECT_LT(shortest, 45) << "it starts from 60: nothing comes from above";
  EXPECT_GT(longest, 1000);
}

TEST_F(IntervalTunerRuns, FollowAFlowThatChangesTenfold) {
  for (SyntheticRun run : runs) {
    for (const double factor : {10.0, 0.1}) {
      run.tuner = {};
      run.make_lists(300);
      run.search *= factor;
      const double best = run.best();
      int lists = 0;
      for (; lists < 1000 && (run.tuner.interval() > 1.6 * best || run.tuner.interval() < best / 1.6); ++lists) {
        run.make_lists(1);
      }
      EXPECT_LT(lists, 60) << "to " << best << " steps, after a change by " << factor;
      run.search /= factor;
    }
  }
}

TEST_F(IntervalTunerRuns, AreNotMisledByAMachineThatIsBusyNowAndThen) {
  // Now and then everything takes three times as long, during one list or many.
  for (SyntheticRun run : runs) {
    for (const double often : {0.02, 0.1, 0.5}) {
      run.tuner = {};
      run.noise = 0.03;
      run.burden = [often](Random& random) { return random(0, 1) < often ? 3.0 : 1.0; };
      run.make_lists(60);
      EXPECT_LT(run.relative_cost(2000), 1.05);
    }
  }
}

TEST_F(IntervalTunerRuns, RecoverFromALimit) {
  for (SyntheticRun run : runs) {
    const double best = run.best();
    for (const double limit : {1.0, 4.0, 7.0, 40.0, 300.0}) {
      run.tuner = {};
      run.longest = 16384;
      run.make_lists(100);
      run.longest = limit;
      for (int i = 0; i < 50; ++i) {
        run.make_lists(1);
        ASSERT_LE(run.tuner.interval(), std::max(4.0, limit));
      }
      run.longest = 16384;
      run.make_lists(60);
      EXPECT_GT(run.tuner.interval(), best / 1.6) << "it stays low after a limit of " << limit;
    }
  }
}

TEST_F(IntervalTunerRuns, BearWhatCannotBeMeasured) {
  // Measurements without time, steps, pairs or speeds.
  for (const double search : {0.0, 1e-9, 1e9}) {
    for (const double step : {0.0, 1e-9, 1e9}) {
      for (const StepWork& work : {StepWork{}, StepWork{1, 0, 0, 0.1}, StepWork{1, 2, 3, 0}, StepWork{1, 2, 3, 1e30}}) {
        IntervalTuner tuner;
        for (int i = 0; i < 300; ++i) {
          tuner.add(search, step, i % 3 == 0 ? 0 : 100, work, 16384);
          ASSERT_GE(tuner.interval(), 4);
          ASSERT_LE(tuner.interval(), 16384);
        }
      }
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::interval_tuner_runs_test
