#pragma once

#include "kernels/state/bodies.hpp"

namespace scree::inline SCREE_BACKEND {

/// Gives each body the farthest distance of its contacts, as a multiple of its radius: above 1 for laws that act across
/// gaps. It depends on the class of touch of the body (see TouchClasses).
struct RangeOfBody {
  double largest = 1;                 ///< [-] of all bodies
  Span<double> of_class{};            ///< [n_classes] [-]; empty: every body has `largest`
  Span<std::uint32_t> touch_class{};  ///< [n_bodies]

  SCREE_INLINE double operator()(std::size_t body) const {
    return of_class.size == 0 ? largest : of_class[touch_class[body]];
  }
};

/// Gives each pair of bodies the farthest distance of its contact, over the sum of the two radii. It is at most the
/// larger one of what `of_body` gives for the two.
struct RangeOfPair {
  RangeOfBody of_body{};
  Span<double> of_pair{};  ///< [n_classes^2] [-] by ordered pair of classes; empty: all pairs have the same

  /// Whether all pairs have the same range, so that the reach of each body decides by itself.
  SCREE_INLINE bool is_one() const { return of_pair.size == 0; }
  SCREE_INLINE double operator()(std::size_t first, std::size_t second) const {
    if (is_one()) { return of_body.largest; }
    return of_pair[of_body.touch_class[first] * of_body.of_class.size + of_body.touch_class[second]];
  }
};

}  // namespace scree::inline SCREE_BACKEND
