#pragma once

#include "kernels/history/jaeger_segment.hpp"

namespace scree::inline SCREE_BACKEND {

/// Options for which a step is compiled. With values of 0 the step gives the same bits as without the options.
struct JaegerOptions {
  /// JaegerValues::merging: pieces of elastic loading in nearly the same direction are merged
  bool merges = false;
  bool caps = false;            ///< JaegerValues::most: limits the number of segments
  bool slides_exactly = false;  ///< the direction of sliding is integrated over the step
};

/// Changes the tangential force over mu [N] after two neighbouring segments, the lower of which begins at `low`, were
/// merged: the result belongs to the new sum of slope (N_i - N_(i-1)).
template <class R>
SCREE_INLINE void jaeger_exchange(Vec2<double>& force, const JaegerValues<R>& of, double low,
                                  const JaegerSegment<R>& lower, const JaegerSegment<R>& upper,
                                  const JaegerSegment<R>& merged) {
  const double n_low = of.normal_force(low), n_middle = of.normal_force(lower.end()),
               n_high = of.normal_force(upper.end());
  force += jaeger_share(n_low, n_high, merged.slope());
  force -= jaeger_share(n_middle, n_high, upper.slope()) + jaeger_share(n_low, n_middle, lower.slope());
}

/// Merges two neighbouring segments, weighted with the normal force, so that the tangential force changes only by
/// rounding. The lower segment begins at `low`.
template <class R>
SCREE_INLINE JaegerSegment<R> jaeger_joined(const JaegerSegment<R>& lower, const JaegerSegment<R>& upper, double low) {
  const double middle = lower.end(), high = upper.end();
  const double of_high = high * math::sqrt(high);
  // The bound protects lanes of a vector loop that have no two segments.
  const double weight = (of_high - middle * math::sqrt(middle)) / math::max(of_high - low * math::sqrt(low), 1e-300);
  return JaegerSegment<R>::make(high, lower.slope() + weight * (upper.slope() - lower.slope()), false);
}

/// After an elastic push: merges the top with the segment below it, as long as that does not slip and the slopes differ
/// by less than alpha / mu (Kuhn 2011, section 3.1). Returns the number of segments removed.
template <class R, class Stack>
SCREE_INLINE std::uint32_t jaeger_merge(Stack& stack, Vec2<double>& force, const JaegerValues<R>& of) {
  std::uint32_t gone = 0;
  while (stack.size() > 1) {
    const JaegerSegment<R> top = stack.top(), below = stack.below_top();
    const Vec2<double> apart = top.slope() - below.slope();
    if (below.slips() || !(dot(apart, apart) < math::square(double(of.merging)))) { break; }
    stack.pop();
    const double low = stack.below_end();
    const JaegerSegment<R> merged = jaeger_joined(below, top, low);
    stack.replace_top(merged);
    jaeger_exchange(force, of, low, below, top, merged);
    ++gone;
  }
  return gone;
}

/// If a stack has more than `most` segments: merges the two neighbours with the least
///   |slope_i - slope_(i-1)| (z_i - z_(i-1)) (z_(i-1) - z_(i-2)) sqrt(z_i).
/// Slopes are weighted with zeta. The displacement outside of the two segments does not change; the tangential force
/// changes a little.
template <class R, class Stack>
requires JaegerArray<Stack, R> SCREE_INLINE void jaeger_cap(Stack& stack, Vec2<double>& force,
                                                            const JaegerValues<R>& of) {
  const std::uint32_t n = stack.size();
  if (of.most == 0 || n <= of.most || n < 2) { return; }
  std::uint32_t best = 1;
  double least = -1, best_low = 0, low = 0;
  JaegerSegment<R> lower = stack.at(0);
  for (std::uint32_t i = 1; i < n; ++i) {
    const JaegerSegment<R> upper = stack.at(i);
    const double middle = lower.end(), high = upper.end();
    const double cost = norm(upper.slope() - lower.slope()) * (high - middle) * (middle - low) * math::sqrt(high);
    if (least < 0 || cost < least) { best = i, least = cost, best_low = low; }
    low = middle;
    lower = upper;
  }
  const JaegerSegment<R> upper = stack.at(best);
  lower = stack.at(best - 1);
  const double weight = (upper.end() - lower.end()) / (upper.end() - best_low);
  const auto merged =
      JaegerSegment<R>::make(upper.end(), lower.slope() + weight * (upper.slope() - lower.slope()), false);
  stack.replace(best, merged);
  stack.erase(best - 1);
  jaeger_exchange(force, of, best_low, lower, upper, merged);
}

namespace math {

/// exp(-x) for x >= 0, with a relative error of about 1e-14; 0 for x above 40.
SCREE_HD inline double exp_of_minus(double x) {
  if (!(x < 40.0)) { return 0.0; }
  const double y = -x / 64.0;
  double sum = 1.0;
  for (int n = 14; n >= 1; --n) { sum = 1.0 + sum * y / double(n); }
  for (int n = 0; n < 6; ++n) { sum = sum * sum; }
  return sum;
}

/// ln(b / a) / (b - a) for positive a and b; 1 / a if they are equal. Six square roots of b / a are taken, then the
/// series of the inverse hyperbolic tangent is summed.
SCREE_HD inline double mean_inverse(double a, double b) {
  double root_a = a, root_b = b, product = 1.0;  // (b - a) = (root_b - root_a) * product
  for (int n = 0; n < 6; ++n) {
    root_a = sqrt(root_a);
    root_b = sqrt(root_b);
    product = product * (root_a + root_b);
  }
  const double sum = root_a + root_b;
  const double z = (root_b - root_a) / sum;
  const double y = z * z;
  double series = 1.0 / 19.0;
  for (int n = 17; n >= 1; n -= 2) { series = series * y + 1.0 / double(n); }
  return 64.0 * 2.0 * series / (sum * product);
}

}  // namespace math

/// Slope of the segment of a contact that slides as a whole after a straight step of any length. During sliding, the
/// displacement turns towards the movement by d(angle) = -|d| sin(angle) / zeta. `held` is the displacement before the
/// step and d the movement, both over kappa mu.
SCREE_HD inline Vec2<double> jaeger_sliding_direction(const Vec2<double>& d, const Vec2<double>& held,
                                                      double zeta_before, double zeta) {
  const double grown = zeta - zeta_before;
  const double aa = dot(d, d) - grown * grown;
  const double bb = dot(held, d) - zeta_before * grown;
  const double cc = math::min(dot(held, held) - zeta_before * zeta_before, 0.0);
  const double root = math::sqrt(math::max(bb * bb - aa * cc, 0.0));
  double start = bb > 0 ? -cc / (bb + root) : (root - bb) / aa;  // part of the step before sliding starts
  start = start > 0 ? math::min(start, 1.0) : 0.0;
  const double zeta_start = zeta_before + start * grown;
  const Vec2<double> at_start = held + start * d;
  const double length = norm(d), held_length = norm(at_start);
  if (!(zeta_start > 0) || length == 0 || held_length == 0) {
    return length > 0 ? (1.0 / length) * d : (1.0 / math::max(held_length, 1e-300)) * at_start;
  }
  const Vec2<double> along = (1.0 / length) * d, direction = (1.0 / held_length) * at_start;
  const double factor = math::exp_of_minus(length * (1 - start) * math::mean_inverse(zeta_start, zeta));
  // Twice the cosine and sine of half the angle, times that cosine.
  const double c = 1 + dot(along, direction);
  const double s = factor * cross(along, direction);
  const double square = c * c + s * s;
  if (square == 0) { return direction; }  // against the movement: in this limit c falls faster than s
  const double cosine = (c * c - s * s) / square, sine = 2 * c * s / square;
  return {cosine * along.x - sine * along.y, cosine * along.y + sine * along.x};
}

}  // namespace scree::inline SCREE_BACKEND
