#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// How the time of a step splits, in units of one listed pair that does not touch: 7.8 such units make a step of a
/// dense bed, measured by growing its lists.
struct StepWork {
  double particles = 0, contacts = 0, listed = 0;
  double mean_skin = 0;  ///< [radii] the part of it that grows with the interval

  /// d ln(time of a step) / d ln(interval). Lists of a dense bed grow with the square of their reach, behind the
  /// touching neighbours there is a gap; those of a flow less, since few bodies have long skins.
  [[nodiscard]] double growth() const {
    const double units = listed + 1.2 * contacts + 2 * particles;
    return units > 0 ? 1.1 * mean_skin / (1 + mean_skin) * listed / units : 0;
  }
};

/// Finds for how many steps neighbour lists had best be made to last: short-lived ones cost searches, long-lived ones
/// are long. It is best where a change saves as much on the one side as it costs on the other; both follow from the
/// measured times of searches and of steps. Only their ratio counts, so that a machine that is busy with something else
/// does not mislead. Lists decide no result, so neither do the clocks.
class IntervalTuner {
 public:
  /// Steps for which the next list should last.
  [[nodiscard]] double interval() const { return interval_; }

  /// One list: the time of its search, and of the steps made with it [s]. The next lists shall last at most `longest`
  /// steps.
  void add(double search_seconds, double step_seconds, std::uint64_t steps, const StepWork& work, double longest) {
    if (steps == 0 || !(step_seconds > 0)) { return; }
    search_ = memory * search_ + search_seconds;
    stepping_ = memory * stepping_ + step_seconds;
    const double ratio = search_ / std::max(stepping_ * work.growth(), 1e-30);
    // The interval is wrong by about the root of the ratio. Small moves: lists follow the flow, and it changes.
    interval_ *= std::clamp(std::pow(ratio, 0.2), 1 / most_change, most_change);
    interval_ = std::clamp(interval_, shortest, std::max(longest, shortest));
  }

 private:
  static constexpr double shortest = 4, most_change = 1.15;
  static constexpr double memory = 0.8;  // of some five lists

  double interval_ = 60;  // [steps]
  double search_ = 0, stepping_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
