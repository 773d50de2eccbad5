#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Decay of a velocity under a damping force over a time, where x is the rate times the time.
struct Decay {
  double left, mean;  ///< [-] at the end and on average, over the value at the start: exp(-x) and (1 - exp(-x)) / x
};

/// Takes the decay for x / 2^n from `series`, which gets a number of at most 0.25, and squares the result n times. x
/// must not be negative.
template <class Series>
SCREE_HD Decay decay_by(double x, const Series& series) {
  if (x > 700) { return {0, 1 / x}; }
  int halvings = 0;
  double part = x;
  for (; part > 0.25; part *= 0.5) { ++halvings; }
  auto [left, mean] = series(part);
  for (int k = 0; k < halvings; ++k) {
    mean *= 0.5 * (1 + left);  // the second half of the time starts from the velocity after the first half
    left *= left;
  }
  return {left, mean};
}

/// Uses only + * /, so that the bits are the same everywhere.
struct DecaySeries {
  SCREE_HD Decay operator()(double part) const {
    double left = 1, mean = 1;  // by Horner's rule; the terms after part^15 / 15! are below rounding
    for (int n = 15; n >= 1; --n) {
      mean = 1 - mean * part / double(n + 1);
      left = 1 - left * part / double(n);
    }
    return {left, mean};
  }
};
SCREE_HD inline Decay decay(double x) { return decay_by(x, DecaySeries{}); }

/// The same for kernels, with other last digits: without divisions, each of which takes as long as several products.
/// The factors 1/n are constants, and short steps need half of the terms.
struct QuickDecaySeries {
  SCREE_HD Decay operator()(double part) const {
    constexpr double short_step = 1.0 / 64;
    double left = 1, mean = 1;  // the terms after part^13 / 13!, or part^7 / 7! in short steps, are below rounding
    const auto add_term = [&](int n) {
      mean = 1 - mean * (part * (1.0 / double(n + 1)));
      left = 1 - left * (part * (1.0 / double(n)));
    };
    if (part > short_step) {
      for (int n = 13; n > 7; --n) { add_term(n); }
    }
    for (int n = 7; n > 0; --n) { add_term(n); }
    return {left, mean};
  }
};
SCREE_HD inline Decay quick_decay(double x) { return decay_by(x, QuickDecaySeries{}); }

}  // namespace scree::inline SCREE_BACKEND
