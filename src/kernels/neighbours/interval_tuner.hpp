#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Work of a step, in units of one listed pair that does not touch. It was measured by growing the lists of a dense
/// bed, in which a step takes 7.8 units.
struct StepWork {
  double particles = 0, contacts = 0, listed = 0;
  double mean_skin = 0;  ///< [radii] mean skin, as far as it grows with the interval

  /// d ln(time of a step) / d ln(interval). In a dense bed the length of lists grows with the square of their reach,
  /// since there is a gap behind the touching neighbours. In a flow it grows less, since few bodies have long skins.
  [[nodiscard]] double growth() const {
    const double units = listed + 1.2 * contacts + 2 * particles;
    return units > 0 ? 1.1 * mean_skin / (1 + mean_skin) * listed / units : 0;
  }
};

/// Finds the number of steps for which neighbour lists should last. Short intervals cost searches, long ones cost
/// longer lists. The interval is best where a change saves as much on one side as it costs on the other; both follow
/// from the measured times of searches and of steps. Only the ratio of these times is used, so that other load on the
/// machine does not mislead. Lists do not affect results, so the clocks do not either.
class IntervalTuner {
 public:
  /// Steps for which the next list should last.
  [[nodiscard]] double interval() const { return interval_; }

  /// Adds the data of one list: the time of its search and the time of the steps made with it [s]. The next lists will
  /// last at most `longest` steps.
  void add(double search_seconds, double step_seconds, std::uint64_t steps, const StepWork& work, double longest) {
    if (steps == 0 || !(step_seconds > 0)) { return; }
    search_ = memory * search_ + search_seconds;
    stepping_ = memory * stepping_ + step_seconds;
    const double ratio = search_ / std::max(stepping_ * work.growth(), 1e-30);
    // The interval is wrong by about the square root of the ratio. It changes slowly, since the flow changes, too.
    interval_ *= std::clamp(std::pow(ratio, 0.2), 1 / most_change, most_change);
    interval_ = std::clamp(interval_, shortest, std::max(longest, shortest));
  }

 private:
  static constexpr double shortest = 4, most_change = 1.15;
  static constexpr double memory = 0.8;  // averages over some five lists

  double interval_ = 60;  // [steps]
  double search_ = 0, stepping_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
