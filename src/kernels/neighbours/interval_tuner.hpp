#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Finds for how many steps neighbour lists had best be made to last: short-lived lists cost searches, long-lived ones
/// are long. Tries the neighbouring values of the best one known in turn, by the wall time per step of searches and
/// steps together. Lists decide no result, so neither do the clocks that are read here.
class IntervalTuner {
 public:
  /// Steps for which the next list should last.
  [[nodiscard]] double interval() const { return shortest * std::pow(ratio, place_); }

  /// Values above are of no use at present.
  void limit(double steps) {
    const double place = std::log(std::max(steps, shortest) / shortest) / std::log(ratio);
    most_place_ = std::min(static_cast<int>(std::min(place, 1e6)) + 1, places);
  }

  /// One list: the time of its search and of the steps made with it [s].
  void add(double seconds, std::uint64_t steps) {
    seconds_ += seconds;
    steps_ += steps;
    if (++lists_ < lists_per_trial || seconds_ < shortest_trial || steps_ == 0) { return; }
    finish_trial(seconds_ / static_cast<double>(steps_));
    seconds_ = 0;
    steps_ = 0;
    lists_ = 0;
  }

 private:
  static constexpr double shortest = 8, ratio = 1.25;
  static constexpr int places = 28;  // up to some 4000 steps
  static constexpr int lists_per_trial = 3;
  static constexpr double shortest_trial = 0.02;  // [s] below that clocks and other programs disturb too much
  // Near the best interval the cost hardly changes. Of two that are as good the longer one is taken: less of its cost
  // hangs on the searches, which gain least from more threads.
  static constexpr double worth_shortening = 0.98, worth_lengthening = 1.01;
  static constexpr int longest_rest = 32;

  // A trial of a neighbour stands between two trials of the best value, so that a slow drift of the run cancels.
  void finish_trial(double cost) {
    switch (phase_) {
      case Phase::rest:
        if (--rest_ <= 0) { phase_ = Phase::before; }
        return;
      case Phase::before:
        before_ = cost;
        if (best_ + direction_ < 0 || best_ + direction_ > most_place_) {
          turn_round();
        } else {
          place_ = best_ + direction_;
          phase_ = Phase::beside;
        }
        return;
      case Phase::beside:
        beside_ = cost;
        place_ = best_;
        phase_ = Phase::after;
        return;
      case Phase::after:
        phase_ = Phase::before;
        if (beside_ < (direction_ > 0 ? worth_lengthening : worth_shortening) * 0.5 * (before_ + cost)) {
          best_ = place_ = std::min(best_ + direction_, most_place_);
          failures_ = 0;
          next_rest_ = 1;
        } else {
          turn_round();
        }
        return;
    }
  }

  void turn_round() {
    direction_ = -direction_;
    if (best_ > most_place_) { best_ = place_ = most_place_; }
    if (++failures_ < 2) { return; }
    failures_ = 0;
    phase_ = Phase::rest;
    rest_ = next_rest_;
    next_rest_ = std::min(2 * next_rest_, longest_rest);
  }

  enum class Phase { rest, before, beside, after };
  Phase phase_ = Phase::before;
  int place_ = 9, best_ = 9, most_place_ = places, direction_ = 1;  // from 60 steps
  int failures_ = 0, rest_ = 0, next_rest_ = 1, lists_ = 0;
  std::uint64_t steps_ = 0;
  double seconds_ = 0, before_ = 0, beside_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
