#pragma once

#include "kernels/step/ledger/ledger_contacts.hpp"

namespace scree::inline SCREE_BACKEND {

/// [J] The noted loss of a contact by slip and breaking. In the first step of the run contacts have no past: see
/// ContactLedger::add_loss().
template <class R>
SCREE_INLINE double counted_slip(R loss, const LedgerMoment& moment) {
  return moment.last == 0 ? 0 : double(loss);
}

/// The energy [J] that a contact loses in a step by slip, breaking and dashpots. Call it after the motion: it needs the
/// velocities before and after the forces. The law states the loss by slip. Dashpots lose their power before the forces
/// over half of the last step, and their power after the forces over half of this step, as in the energy ledger.
/// PairLosses computes the same for pairs.
template <class R>
struct ContactLoss {
  BodyView<R> bodies;
  Span<BodySpeed<R>> before;  ///< [n_bodies] before the motion
  LedgerPlace<R> pair_place, slot_place;
  Span<R> slot_slip;  ///< [n_slots] [J] as noted by the ledger
  BoundaryView boundaries;

  /// [J] The loss of a body at the boundary that it touches in slot k.
  SCREE_HD double at_boundary(std::size_t body, offset_t k, const BoundarySlot<R>& slot,
                              const LedgerMoment& moment) const {
    const LedgerEntry<R> entry = slot_place.entry(k);
    const SurfaceMotion surface = SurfaceMotion::at(boundaries, boundaries.pose, slot, false);
    const auto power = [&](const BodySpeed<R>& speed, bool after) {
      auto motion =
          LedgerAtBoundary::of(speed.velocity, speed.angular_velocity, R(bodies.radius[body]), entry, surface);
      if (moment.flows != 0) {
        const LedgerFlow flow = LedgerFlow::of(moment, after);
        motion.velocity += flow.at_boundary(slot.point, motion.lever);
        motion.spin += spin_of(flow.gradient);
      }
      return motion.viscous_power(entry);
    };
    double work = 0.5 * moment.last * power(before[body], false);
    if (!is_parked(bodies.position[body])) { work += 0.5 * moment.next * power(bodies.speed[body], true); }
    return counted_slip(slot_slip[k], moment) - work;
  }

  /// [m/s] The speed at which the bodies of a touching pair approached along the normal, before the forces of the step.
  SCREE_HD double approach_of_pair(std::size_t slot, const BodyPair& pair, const LedgerMoment& moment) const {
    const LedgerEntry<R> entry = pair_place.entry(slot);
    const LedgerPair<R> of = LedgerPair<R>::of(bodies, pair, before);
    Vec3d velocity = convert<double>(of.velocity);
    if (moment.flows != 0) { velocity += of.parted_by(LedgerFlow::of(moment, false), entry); }
    return -dot(velocity, convert<double>(entry.n));
  }
  /// [m/s] The same for a body at the boundary that it touches in slot k.
  SCREE_HD double approach_at_boundary(std::size_t body, offset_t k, const BoundarySlot<R>& slot,
                                       const LedgerMoment& moment) const {
    const LedgerEntry<R> entry = slot_place.entry(k);
    const SurfaceMotion surface = SurfaceMotion::at(boundaries, boundaries.pose, slot, false);
    const BodySpeed<R>& speed = before[body];
    auto motion = LedgerAtBoundary::of(speed.velocity, speed.angular_velocity, R(bodies.radius[body]), entry, surface);
    if (moment.flows != 0) { motion.velocity += LedgerFlow::of(moment, false).at_boundary(slot.point, motion.lever); }
    return -dot(motion.velocity, convert<double>(entry.n));
  }
};

/// The losses in a step that belong to a body. `Share` tells which part [-] of the loss of a contact belongs to the
/// body: `of_first(material, pair)` is the part of the first body of a pair, and `at_boundary(material, boundary)` is
/// the part of a body of this material at a boundary. In the first, `material` [n_bodies] has the materials of all
/// bodies.
template <class R, class Share>
struct BodyLosses {
  ContactLoss<R> loss;
  Share share;
  Span<BodyPair> pairs;
  Span<double> of_pair;  ///< see PairLosses
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<index_t> row_of_body;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;

#if !SCREE_ON_CUDA
  /// A hint to the processor: the losses of the bodies [begin, end) will soon be summed.
  SCREE_INLINE void prefetch(std::size_t begin, std::size_t end) const {
    const offset_t last = incident_start[end];
    for (offset_t k = incident_start[begin]; k < last; ++k) { __builtin_prefetch(&of_pair[incident[k] >> 1]); }
  }
#endif

  /// Pairs that do not touch add zeros. A jump around them would be hard to predict.
  SCREE_HD double of(std::size_t body, const LedgerMoment& moment) const {
    const Span<std::uint32_t> material = loss.bodies.material;
    double sum = 0;
    const index_t row = row_of_body[body];
    if (row != no_index) {
      for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
        const BoundarySlot<R>& slot = slots[k];
        if (slot.touching == 0) { continue; }
        const std::uint32_t boundary = loss.boundaries.feature[slot.feature].boundary;
        sum += share.at_boundary(material[body], boundary) * loss.at_boundary(body, k, slot, moment);
      }
    }
    for (offset_t k = incident_start[body]; k < incident_start[body + 1]; ++k) {
      const std::uint32_t entry = incident[k];
      const std::size_t slot = entry >> 1;
      const double of_first = share.of_first(material, pairs[slot]);
      sum += ((entry & 1u) != 0 ? 1 - of_first : of_first) * of_pair[slot];
    }
    return sum;
  }
};

}  // namespace scree::inline SCREE_BACKEND
