#pragma once

#include "kernels/contact/ledger_contacts.hpp"
#include "kernels/heat/heat_model.hpp"

namespace scree::inline SCREE_BACKEND {

/// Finds the heat that each body gets in a step from friction and dashpots at its contacts; one thread per body. It
/// runs after the motion, when the velocities before and after the forces are known: friction is what the law states,
/// and dashpots lose their power before the forces over half of the last step, and after them over half of this one, as
/// in the energy ledger.
template <class R>
struct DissipatedHeat {
  HeatModel model;
  BodyView<R> bodies;
  Span<BodySpeed<R>> before;  ///< [n_bodies] before the motion
  Span<HeatPair> of_pair;
  std::size_t n_materials;
  Span<BodyPair> pairs;
  Span<std::uint8_t> touching;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  LedgerPlace<R> pair_place, slot_place;
  Span<R> pair_loss, slot_loss;
  BoundaryView boundaries;
  Span<WallHeat> walls;
  Span<index_t> row_of_body;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  Span<double> gained;
  const Control* control;
  const StepMoment<R>* moment = nullptr;

  SCREE_INLINE DissipatedHeat at(const StepMoment<R>& now) const {
    DissipatedHeat bound = *this;
    bound.moment = &now;
    return bound;
  }
  SCREE_HD void operator()(std::size_t body) const {
    if (control->halted != 0) { return; }
    double sum = 0;
    const index_t row = row_of_body[body];
    if (row != no_index) {
      for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
        if (slots[k].touching != 0) { sum += at_boundary(body, k); }
      }
    }
    for (offset_t k = incident_start[body]; k < incident_start[body + 1]; ++k) {
      const std::uint32_t entry = incident[k];
      const std::size_t slot = entry >> 1;
      if (touching[slot] == 0) { continue; }
      const BodyPair pair = pairs[slot];
      const double of_first =
          of_pair[bodies.material[pair.first] * n_materials + bodies.material[pair.second]].share_of_first;
      sum += ((entry & 1u) != 0 ? 1 - of_first : of_first) * at_pair(slot, pair);
    }
    gained[body] = model.dissipation * sum;
  }

 private:
  SCREE_INLINE double friction(R loss) const { return moment->ledger.last == 0 ? 0 : double(loss); }

  SCREE_HD LedgerPair<R> pair_before(const BodyPair& pair) const {
    const BodySpeed<R>&first = before[pair.first], &second = before[pair.second];
    return {second.velocity - first.velocity, first.angular_velocity, second.angular_velocity,
            bodies.radius[pair.first], bodies.radius[pair.second]};
  }
  SCREE_HD double at_pair(std::size_t slot, const BodyPair& pair) const {
    const LedgerEntry<R> entry = pair_place.entry(slot);
    const auto power = [&](const LedgerPair<R>& of) {
      return double(entry.template power<true>(of.velocity_at(entry), of.spin2 - of.spin1));
    };
    double work = 0.5 * moment->ledger.last * power(pair_before(pair));
    if (!is_parked(bodies.position[pair.first]) && !is_parked(bodies.position[pair.second])) {
      work += 0.5 * moment->ledger.next * power(LedgerPair<R>::of(bodies, pair));
    }
    return friction(pair_loss[slot]) - work;
  }

  SCREE_HD double at_boundary(std::size_t body, offset_t k) const {
    const LedgerEntry<R> entry = slot_place.entry(k);
    const BoundarySlot<R>& slot = slots[k];
    const std::uint32_t boundary = boundaries.feature[slot.feature].boundary;
    const SurfaceMotion surface = SurfaceMotion::at(boundaries, boundaries.pose, slot, false);
    const Vec3d n = convert<double>(entry.n);
    const double arm = double(bodies.radius[body]) - 0.5 * double(entry.overlap);
    const auto power = [&](const Vec3<R>& velocity, const Vec3<R>& spin) {
      const Vec3d v = convert<double>(velocity), w = convert<double>(spin);
      return dot(convert<double>(entry.viscous), v - arm * cross(w, n) - surface.velocity) +
             dot(convert<double>(entry.viscous_couple), w - surface.spin);
    };
    double work = 0.5 * moment->ledger.last * power(before[body].velocity, before[body].angular_velocity);
    if (!is_parked(bodies.position[body])) {
      work += 0.5 * moment->ledger.next * power(bodies.velocity[body], bodies.angular_velocity[body]);
    }
    const double loss = friction(slot_loss[k]) - work;
    if (walls[boundary].kind != WallKind::temperature) { return loss; }
    // the rest goes into the boundary
    return of_pair[bodies.material[body] * n_materials + boundaries.info[boundary].material].share_of_first * loss;
  }
};

}  // namespace scree::inline SCREE_BACKEND
