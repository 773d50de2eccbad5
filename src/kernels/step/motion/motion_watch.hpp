#pragma once

#include "kernels/backend/transpose.hpp"
#include "kernels/math/four.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/control.hpp"

namespace scree::inline SCREE_BACKEND {

/// The values that tell whether a body has moved too far.
template <class R>
struct Moved {
  Four<R> step;  ///< [m] in this step; the fourth number has no meaning
  Four<R> way;   ///< [m] travel; fourth number: skin
  Four<R> spin;  ///< [rad/s] the fourth number has no meaning
};

/// Asks for a new list or raises a fault if a body has moved too far, since the last search or in this step, or if its
/// motion is not finite.
template <class R, bool periodic>
struct MotionWatch {
  RadiusColumn<R> radius;
  Span<index_t> id;
  Control* control;
  R loss;  ///< [-] part of the share of the Verlet distance, per radius, that the deformation of a cell uses up

  SCREE_INLINE void look(std::size_t i, const Moved<R>& moved) const {
    const R radius_of = radius[i], step_square = moved.step.square3(), spin_square = moved.spin.square3();
    if (!are_well(step_square, moved.way.square3(), spin_square, R(moved.way[3]), radius_of)) {
      look_closer(i, step_square, spin_square, radius_of);
    }
  }

#if !SCREE_ON_CUDA
  /// Whether four bodies have neither faults nor spent lists, so that look() would find nothing.
  SCREE_INLINE bool all_are_well(const Moved<R> (&moved)[4], const R (&radius_of)[4]) const {
    Four<R> step[4], way[4], spin[4];
    for (int k = 0; k < 4; ++k) { step[k] = moved[k].step, way[k] = moved[k].way, spin[k] = moved[k].spin; }
    transpose(step[0], step[1], step[2], step[3]);
    transpose(way[0], way[1], way[2], way[3]);
    transpose(spin[0], spin[1], spin[2], spin[3]);
    const auto square = [](const Four<R>(&v)[4]) {
      return v[0].lane * v[0].lane + v[1].lane * v[1].lane + v[2].lane * v[2].lane;
    };
    const auto well = are_well(square(step), square(way), square(spin), way[3].lane,
                               Four<R>::of(radius_of[0], radius_of[1], radius_of[2], radius_of[3]).lane);
    return (well[0] & well[1] & well[2] & well[3]) != 0;
  }
#endif

 private:
  /// Whether one body, or each of four, has neither moved too far nor got an infinite spin. The arguments are the
  /// squares of the step [m2], of the travel [m2] and of the spin, the skin [m] and the radius [m]. One part in 500 of
  /// the skin covers the rounding of the travel. The deformation of the cell takes another part; if nothing is left,
  /// the list is spent.
  template <class V>
  SCREE_INLINE auto are_well(const V& step_square, const V& way_square, const V& spin_square, const V& skin,
                             const V& radius_of) const {
    V limit = R(0.998) * skin;
    auto well = (spin_square - spin_square == R(0)) & (step_square <= radius_of * radius_of);
    if constexpr (periodic) {
      limit = limit - loss * radius_of;
      well = well & (limit > R(0));
    }
    return well & (way_square <= limit * limit);
  }

  /// Raises the fault that a body has, if any, and asks for a new list.
  SCREE_HD void look_closer(std::size_t i, R step_square, R spin_square, R radius_of) const {
    const R both = step_square + spin_square;
    if (!(both - both == R(0))) {
      raise_fault(control, FaultKind::not_finite, id[i]);
    } else if (step_square > radius_of * radius_of) {
      raise_fault(control, FaultKind::moved_too_far, id[i]);
    }
    raise_flag(&control->list_spent);
  }
};

}  // namespace scree::inline SCREE_BACKEND
