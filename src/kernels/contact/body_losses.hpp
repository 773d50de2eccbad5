#pragma once

#include "kernels/contact/ledger_contacts.hpp"

namespace scree::inline SCREE_BACKEND {

/// The energy [J] that the contacts of a body lose in a step by slip, breaking and dashpots, as far as it belongs to
/// the body. To be asked after the motion, when the velocities before and after the forces are known: slip is what the
/// law states, and dashpots lose their power before the forces over half of the last step, and after them over half of
/// this one, as in the energy ledger.
///
/// `Share` tells what of a loss is the body's: `of_first(a, b)` for the first of two bodies with materials a and b, and
/// `at_boundary(material, boundary)`.
template <class R, class Share>
struct BodyLosses {
  BodyView<R> bodies;
  Span<BodySpeed<R>> before;  ///< [n_bodies] before the motion
  Share share;
  Span<BodyPair> pairs;
  Span<std::uint8_t> touching;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  LedgerPlace<R> pair_place, slot_place;
  Span<R> pair_slip, slot_slip;  ///< [n_contacts] [J] as noted by the ledger
  BoundaryView boundaries;
  Span<index_t> row_of_body;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;

  SCREE_HD double of(std::size_t body, const LedgerMoment& moment) const {
    double sum = 0;
    const index_t row = row_of_body[body];
    if (row != no_index) {
      for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
        if (slots[k].touching != 0) { sum += at_boundary(body, k, moment); }
      }
    }
    for (offset_t k = incident_start[body]; k < incident_start[body + 1]; ++k) {
      const std::uint32_t entry = incident[k];
      const std::size_t slot = entry >> 1;
      if (touching[slot] == 0) { continue; }
      const BodyPair pair = pairs[slot];
      const double of_first = share.of_first(bodies.material[pair.first], bodies.material[pair.second]);
      sum += ((entry & 1u) != 0 ? 1 - of_first : of_first) * at_pair(slot, pair, moment);
    }
    return sum;
  }

 private:
  /// In the first step of the run contacts have no past: see ContactLedger::add_loss().
  SCREE_INLINE static double slip(R loss, const LedgerMoment& moment) { return moment.last == 0 ? 0 : double(loss); }

  SCREE_HD LedgerPair<R> pair_before(const BodyPair& pair) const {
    const BodySpeed<R>&first = before[pair.first], &second = before[pair.second];
    return {second.velocity - first.velocity, first.angular_velocity, second.angular_velocity,
            bodies.radius[pair.first], bodies.radius[pair.second]};
  }
  SCREE_HD double at_pair(std::size_t slot, const BodyPair& pair, const LedgerMoment& moment) const {
    const LedgerEntry<R> entry = pair_place.entry(slot);
    const auto power = [&](const LedgerPair<R>& of, bool after) {
      Vec3<R> velocity = of.velocity_at(entry);
      if (moment.flows != 0) {
        const double length = double(of.radius1) + double(of.radius2) - double(entry.overlap);
        velocity += convert<R>(LedgerFlow::of(moment, after).strain(length * convert<double>(entry.n)));
      }
      return double(entry.template power<true>(velocity, of.spin2 - of.spin1));
    };
    double work = 0.5 * moment.last * power(pair_before(pair), false);
    if (!is_parked(bodies.position[pair.first]) && !is_parked(bodies.position[pair.second])) {
      work += 0.5 * moment.next * power(LedgerPair<R>::of(bodies, pair), true);
    }
    return slip(pair_slip[slot], moment) - work;
  }

  SCREE_HD double at_boundary(std::size_t body, offset_t k, const LedgerMoment& moment) const {
    const LedgerEntry<R> entry = slot_place.entry(k);
    const BoundarySlot<R>& slot = slots[k];
    const std::uint32_t boundary = boundaries.feature[slot.feature].boundary;
    const SurfaceMotion surface = SurfaceMotion::at(boundaries, boundaries.pose, slot, false);
    const Vec3d n = convert<double>(entry.n);
    const double arm = double(bodies.radius[body]) - 0.5 * double(entry.overlap);
    const auto power = [&](const BodySpeed<R>& speed, bool after) {
      const Vec3d w = convert<double>(speed.angular_velocity);
      Vec3d velocity = convert<double>(speed.velocity) - arm * cross(w, n) - surface.velocity, spin = w - surface.spin;
      if (moment.flows != 0) {
        const LedgerFlow flow = LedgerFlow::of(moment, after);
        velocity += flow.at_boundary(slot.point, arm * n);
        spin += spin_of(flow.gradient);
      }
      return dot(convert<double>(entry.viscous), velocity) + dot(convert<double>(entry.viscous_couple), spin);
    };
    double work = 0.5 * moment.last * power(before[body], false);
    if (!is_parked(bodies.position[body])) { work += 0.5 * moment.next * power(bodies.speed[body], true); }
    return share.at_boundary(bodies.material[body], boundary) * (slip(slot_slip[k], moment) - work);
  }
};

}  // namespace scree::inline SCREE_BACKEND
