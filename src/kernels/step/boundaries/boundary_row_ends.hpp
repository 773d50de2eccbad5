#pragma once

#include "kernels/backend/host_sweep.hpp"
#include "kernels/step/boundaries/boundary_views.hpp"
#include "kernels/step/boundaries/eight_at_boundary.hpp"
#include "kernels/step/ledger/entry_lanes.hpp"

#if !SCREE_ON_CUDA

namespace scree::inline SCREE_BACKEND {

/// Adds the second halves of the work of the last step at the contacts of spheres with boundaries, on the host: eight
/// contacts at a time, and up to 64 at a time to the exact sums. It must be called before the contacts of a step are
/// found, since their slots still have the values of the last step.
template <class R>
class BoundaryRowEnds {
 public:
  explicit BoundaryRowEnds(const BoundaryContactViews<R>& of) : of_(of) {}

  /// Ends the last step in the rows [begin, end). Grains end their rows themselves.
  void end_rows(std::size_t begin, std::size_t end) {
    if (!of_.ledger.is_due()) { return; }
    const bool one_by_one = of_.boundaries.grows != 0 || of_.ledger.flows(true);
    for (std::size_t row = begin; row < end; ++row) {
      const index_t body = of_.body_of_row[row];
      if (of_.is_grain(body)) { continue; }
      if (one_by_one || is_parked(of_.bodies.position[body])) {
        of_.end_ledger_row(row);
      } else {
        take(row, body);
      }
    }
    if (count_ > 0) { add(); }
  }

 private:
  using Row = EntryRow<R>;
  using Wide = RowVector<double, 8>;

  SCREE_INLINE void take(std::size_t row, index_t body) {
    for (offset_t k = of_.row_start[row]; k < of_.row_start[row + 1]; ++k) {
      if (of_.slots[k].touching == 0) { continue; }
      slot_[count_] = k, body_[count_] = body;
      if (++count_ == stage_lanes<R>) { add(); }
    }
  }

  void add() {
    for (std::size_t i = count_; i % Eight::n != 0; ++i) { slot_[i] = slot_[count_ - 1], body_[i] = body_[count_ - 1]; }
    for (std::size_t lane = 0; lane < count_; lane += Eight::n) { compute(lane); }
    of_.ledger.add_boundary_lanes(viscous_, driven_, count_, true);
    count_ = 0;
  }

  /// Computes the powers at eight contacts.
  SCREE_INLINE void compute(std::size_t lane) {
    const offset_t* const slot = slot_ + lane;
    typename Row::Values entry[8], speed[8];
    EightAtBoundary at;
    const LedgerPlace<R> place{of_.extra, of_.n_extra, of_.ledger.rest};
    for (std::size_t k = 0; k < 8; ++k) {
      const index_t body = body_[lane + k];
      entry[k] = Row::load(place.row(slot[k]));
      speed[k] = Row::load(&of_.bodies.speed[body].velocity.x);
      at.radius.lane[k] = double(of_.bodies.radius[body]);
    }
    transpose<R, 8>(entry);
    transpose<R, 8>(speed);
    at.velocity = widened_three(speed), at.spin = widened_three(speed + 4);
    at.overlap = as_doubles(entry[3]), at.n = widened_three(entry + 4);
    Eight driven(0);
    at.surface = surfaces(slot, at.n, driven);
    Eight viscous = at.viscous_power(widened_three(entry));
    if (of_.ledger.rest.viscous_couple.size > 0) {
      viscous += at.couple_power(vectors(slot, [&](offset_t k) { return of_.ledger.rest.viscous_couple[k]; }));
    }
    viscous.store(&viscous_[lane]);
    driven.store(&driven_[lane]);
  }

  /// The motion of the surfaces in the last step. `driven` gets the power of the boundaries on the bodies.
  SCREE_INLINE EightSurfaces surfaces(const offset_t* slot, const Vec3<Eight>& n, Eight& driven) const {
    Wide::Values motion[8];
    Eight::Mask some{};
    for (std::size_t k = 0; k < 8; ++k) {
      motion[k] = Wide::load(&pose_of(slot[k]).velocity.x);
      some |= reinterpret_cast<Eight::Mask>(motion[k]);
    }
    const Eight zero(0);
    EightSurfaces surface{{zero, zero, zero}, {zero, zero, zero}};
    if (of_.boundaries.slides == 0 && !any(some)) { return surface; }
    transpose<double, 8>(motion);
    const Vec3<Eight> point = vectors(slot, [&](offset_t k) { return of_.slots[k].point; });
    surface = EightSurfaces::of(three(motion), three(motion + 3), point);
    if (of_.boundaries.slides != 0) {
      for (std::size_t k = 0; k < 8; ++k) { motion[k] = Wide::load(&pose_of(slot[k]).surface_velocity.x); }
      transpose<double, 8>(motion);
      surface.slide(three(motion), three(motion + 3), point, n);
    }
    driven = dot(vectors(slot, [&](offset_t k) { return of_.slots[k].force; }), surface.velocity);
    if (of_.couple.size > 0) {
      driven += dot(vectors(slot, [&](offset_t k) { return of_.couple[k]; }), surface.spin);
    }
    return surface;
  }

  SCREE_INLINE const Pose& pose_of(offset_t k) const { return of_.ledger.last_pose[of_.feature_at(k).boundary]; }

  /// of(k) for the slots k of eight contacts.
  template <class Of>
  SCREE_INLINE static Vec3<Eight> vectors(const offset_t* slot, const Of& of) {
    Vec3<Eight> eight;
    for (int i = 0; i < Eight::n; ++i) {
      const auto& v = of(slot[i]);
      eight.x.lane[i] = double(v.x), eight.y.lane[i] = double(v.y), eight.z.lane[i] = double(v.z);
    }
    return eight;
  }
  SCREE_INLINE static Vec3<Eight> three(const Wide::Values* v) { return {Eight(v[0]), Eight(v[1]), Eight(v[2])}; }
  SCREE_INLINE static Vec3<Eight> widened_three(const typename Row::Values* v) {
    return {as_doubles(v[0]), as_doubles(v[1]), as_doubles(v[2])};
  }
  SCREE_INLINE static bool any(const Eight::Mask& bits) {
    long long some = 0;
    for (int i = 0; i < Eight::n; ++i) { some |= bits[i]; }
    return some != 0;
  }

  const BoundaryContactViews<R>& of_;
  std::size_t count_ = 0;
  offset_t slot_[stage_lanes<R>];
  index_t body_[stage_lanes<R>];
  alignas(64) double viscous_[stage_lanes<R>], driven_[stage_lanes<R>];
};

}  // namespace scree::inline SCREE_BACKEND

#endif
