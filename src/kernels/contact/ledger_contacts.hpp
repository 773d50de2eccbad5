#pragma once

#include "kernels/contact/ledger.hpp"
#include "kernels/contact/ledger_place.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

/// Adds what a contact lost in a step. In the first step of the run contacts have no past, so the losses that the law
/// states are not counted.
template <class R>
SCREE_HD void add_losses(const LedgerEntry<R>& entry, const WorkHalf& half, LedgerSums& sums) {
  sums.of(LedgerTerm::gained).add(double(entry.gained));
  if (half.duration == 0) { return; }
  sums.of(LedgerTerm::friction).add(double(entry.friction));
  sums.of(LedgerTerm::breakage).add(double(entry.breakage));
}
/// Removes the energy of the springs of a contact, because its body was removed.
template <class R>
SCREE_HD void remove_springs(const LedgerEntry<R>& entry, LedgerSums& sums) {
  sums.of(LedgerTerm::removed).add(double(entry.normal));
  sums.of(LedgerTerm::removed).add(double(entry.stored));
  sums.of(LedgerTerm::gained).add(-double(entry.stored));
}

/// Losses in the contacts of two bodies, and the work of the cell on them; one thread per lane.
template <class R>
struct LedgerPairs {
  LedgerBodies<R> of;
  LedgerPlace<R> place;
  Span<BodyPair> pairs;
  Span<PairForce<R>> force;
  Span<std::uint8_t> touching;
  LedgerFlow flow;
  WorkHalf half;
  Span<LedgerSums> lanes;
  std::size_t n;
  const Control* control;

  SCREE_INLINE LedgerPairs at(const StepMoment<R>& moment) const { return in_half(*this, moment); }
  SCREE_HD void operator()(std::size_t lane) const {
    if (control->halted != 0) { return; }
    LedgerSums& sums = lanes[lane];
    for (std::size_t slot = lane; slot < n; slot += lanes.size) {
      if (touching[slot] != 0) { add(slot, sums); }
    }
    sums.carry();
  }

 private:
  SCREE_HD void add(std::size_t slot, LedgerSums& sums) const {
    const auto [i, j] = pairs[slot];
    const LedgerEntry<R> entry = place.entry(slot);
    if (!half.after) { add_losses(entry, half, sums); }
    if (half.after && (is_parked(of.bodies.position[i]) || is_parked(of.bodies.position[j]))) {
      remove_springs(entry, sums);
      return;
    }
    const auto velocity_of = [&](index_t body) {
      return half.after ? of.bodies.velocity[body] : of.velocity_before[body];
    };
    const Vec3<R> w1 = half.after ? of.bodies.angular_velocity[i] : of.spin_before[i];
    const Vec3<R> w2 = half.after ? of.bodies.angular_velocity[j] : of.spin_before[j];
    const R half_overlap = R(0.5) * entry.overlap;
    const Vec3<R> rolling = (of.bodies.radius[i] - half_overlap) * w1 + (of.bodies.radius[j] - half_overlap) * w2;
    Vec3<R> velocity = velocity_of(j) - velocity_of(i) - cross(rolling, entry.n);
    if (flow.any) {
      const double length = double(of.bodies.radius[i]) + double(of.bodies.radius[j]) - double(entry.overlap);
      const Vec3d parted = flow.strain(length * convert<double>(entry.n));
      const PairForce<R>& record = force[slot];
      const Vec3d f{double(record.force[0]), double(record.force[1]), double(record.force[2])};
      sums.of(LedgerTerm::cell).add(-half.duration * dot(f, parted));
      velocity += convert<R>(parted);
    }
    const R power = dot(entry.viscous, velocity) + dot(entry.viscous_couple, w2 - w1);
    sums.of(LedgerTerm::viscous).add(-half.duration * double(power));
  }
};

/// Losses in the contacts with boundaries, and the work of moving boundaries and of the cell; one thread per lane.
template <class R>
struct LedgerBoundaries {
  LedgerBodies<R> of;
  LedgerPlace<R> place;
  BoundaryView boundaries;
  Span<Pose> pose;  ///< [n_boundaries] at the moment of the forces
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  LedgerFlow flow;
  WorkHalf half;
  Span<LedgerSums> lanes;
  std::size_t n;  ///< number of rows
  const Control* control;

  SCREE_INLINE LedgerBoundaries at(const StepMoment<R>& moment) const { return in_half(*this, moment); }
  SCREE_HD void operator()(std::size_t lane) const {
    if (control->halted != 0) { return; }
    LedgerSums& sums = lanes[lane];
    for (std::size_t row = lane; row < n; row += lanes.size) {
      for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
        if (slots[k].touching != 0) { add(k, body_of_row[row], sums); }
      }
    }
    sums.carry();
  }

 private:
  SCREE_HD void add(offset_t k, index_t body, LedgerSums& sums) const {
    const BoundarySlot<R>& slot = slots[k];
    const std::uint32_t boundary = boundaries.feature[slot.feature].boundary;
    const LedgerEntry<R> entry = place.entry(k);
    if (!half.after) { add_losses(entry, half, sums); }
    if (half.after && is_parked(of.bodies.position[body])) {
      remove_springs(entry, sums);
      return;
    }
    const Pose& moving = pose[boundary];
    const Vec3d surface = moving.velocity + cross(moving.spin, slot.point);
    const Vec3d v = convert<double>(half.after ? of.bodies.velocity[body] : of.velocity_before[body]);
    const Vec3d w = convert<double>(half.after ? of.bodies.angular_velocity[body] : of.spin_before[body]);
    const double arm = double(of.bodies.radius[body]) - 0.5 * double(entry.overlap);
    Vec3d velocity = v - arm * cross(w, convert<double>(entry.n)) - surface, spin = w - moving.spin;
    if (flow.any) {
      const Vec3d lever = arm * convert<double>(entry.n), centre = slot.point + lever, turning = spin_of(flow.gradient);
      const Vec3d carried = flow.gradient * (centre - flow.origin) - cross(turning, lever);
      const double power = dot(convert<double>(slot.force), carried) + dot(convert<double>(entry.couple), turning);
      sums.of(LedgerTerm::cell).add(-half.duration * power);
      velocity += carried;
      spin += turning;
    }
    const double viscous =
        dot(convert<double>(entry.viscous), velocity) + dot(convert<double>(entry.viscous_couple), spin);
    const double work = dot(convert<double>(slot.force), surface) + dot(convert<double>(entry.couple), moving.spin);
    sums.of(LedgerTerm::viscous).add(-half.duration * viscous);
    sums.of(LedgerTerm::boundaries).add(half.duration * work);
  }
};

}  // namespace scree::inline SCREE_BACKEND
