#pragma once

#include "kernels/backend/thread_rank.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/node_rows.hpp"
#include "kernels/state/pairs.hpp"
#include "kernels/step/ledger/ledger.hpp"
#include "kernels/step/ledger/ledger_place.hpp"
#include "kernels/step/ledger/surface_motion.hpp"

namespace scree::inline SCREE_BACKEND {

/// A contact of a pair, with the values of the bodies that the ledger needs.
template <class R>
struct LedgerPair {
  Vec3<R> velocity;      ///< [m/s] of the second body relative to the first
  Vec3<R> spin1, spin2;  ///< [rad/s]
  R radius1, radius2;    ///< [m]

  SCREE_HD static LedgerPair of(const BodyView<R>& bodies, const BodyPair& pair) {
    const auto [i, j] = pair;
    return {bodies.velocity[j] - bodies.velocity[i], bodies.angular_velocity[i], bodies.angular_velocity[j],
            bodies.radius[i], bodies.radius[j]};
  }
  /// The same contact with velocities of another moment.
  SCREE_HD static LedgerPair of(const BodyView<R>& bodies, const BodyPair& pair, Span<BodySpeed<R>> speeds) {
    const BodySpeed<R>&first = speeds[pair.first], &second = speeds[pair.second];
    return {second.velocity - first.velocity, first.angular_velocity, second.angular_velocity,
            bodies.radius[pair.first], bodies.radius[pair.second]};
  }

  /// [m/s] of the second body relative to the first at the contact.
  SCREE_INLINE Vec3<R> velocity_at(const LedgerEntry<R>& entry) const {
    const R half_overlap = R(0.5) * entry.overlap;
    const Vec3<R> rolling = (radius1 - half_overlap) * spin1 + (radius2 - half_overlap) * spin2;
    return velocity - cross(rolling, entry.n);
  }
  /// [m/s] The speed at which the flow of a cell separates the two bodies.
  SCREE_INLINE Vec3d parted_by(const LedgerFlow& flow, const LedgerEntry<R>& entry) const {
    const double length = double(radius1) + double(radius2) - double(entry.overlap);
    return flow.strain(length * convert<double>(entry.n));
  }
};

/// The motion of a body at its contact with a boundary, relative to the surface there.
struct LedgerAtBoundary {
  Vec3d velocity, spin;  ///< [m/s] [rad/s]
  Vec3d lever;           ///< [m] from the contact to the centre of the body

  template <class R>
  SCREE_HD static LedgerAtBoundary of(const Vec3<R>& velocity, const Vec3<R>& spin, R radius,
                                      const LedgerEntry<R>& entry, const SurfaceMotion& surface) {
    const Vec3d w = convert<double>(spin), n = convert<double>(entry.n);
    const double arm = double(radius) - 0.5 * double(entry.overlap);
    return {convert<double>(velocity) - arm * cross(w, n) - surface.velocity, w - surface.spin, arm * n};
  }
  /// [W] of the viscous forces of the contact.
  template <class R>
  SCREE_INLINE double viscous_power(const LedgerEntry<R>& entry) const {
    return dot(convert<double>(entry.viscous), velocity) + dot(convert<double>(entry.viscous_couple), spin);
  }
};

/// Adds the energies of contacts to the ledger: first the second half of the work of the last step, before a contact
/// changes, then the losses and the first half of the work of this step.
template <class R>
struct ContactLedger {
  Span<LedgerLane> lanes{};  ///< empty: no ledger
  Span<Pose> last_pose{};    ///< [n_boundaries] at the moment of the last forces; for contacts with boundaries
  const StepMoment<R>* moment = nullptr;  ///< set where a step is launched
  /// [n_contacts] [J] if not empty, the losses of each contact by slip and breaking are stored here
  Span<R> losses{};
  /// [n_pairs] [W] if not empty, the power of the viscous forces of each pair before the motion is stored here
  Span<R> powers{};
  EntryRest<R> rest{};  ///< of the contacts

  SCREE_INLINE bool on() const { return lanes.size > 0; }
  /// Whether second halves are to be added.
  SCREE_INLINE bool is_due() const { return on() && moment->ledger_before.next != 0; }
  SCREE_INLINE const LedgerMoment& moment_of(bool after) const {
    return after ? moment->ledger_before : moment->ledger;
  }
  SCREE_INLINE bool flows(bool after) const { return moment_of(after).flows != 0; }
  /// The lane for a contact. On the host it is the lane of the thread.
  SCREE_INLINE LedgerLane& lane(std::size_t contact) const {
    return lanes[SCREE_ON_CUDA ? contact % lanes.size : thread_rank()];
  }

  /// Adds the second half of the work of the last step at a pair that touched then.
  SCREE_HD void add_second_half_of_pair(std::size_t slot, const BodyView<R>& bodies, const BodyPair& pair,
                                        const LedgerEntry<R>& entry, const PairForce<R>& force) const {
    if (!is_due()) { return; }
    if (is_parked(bodies.position[pair.first]) || is_parked(bodies.position[pair.second])) {
      return remove_springs(entry, lane(slot));
    }
    add_power(entry, LedgerPair<R>::of(bodies, pair), force, true, lane(slot));
  }
  /// Adds the losses and the first half of the work of this step at a pair that touches.
  SCREE_HD void add_first_half_of_pair(std::size_t slot, const BodyView<R>& bodies, const BodyPair& pair,
                                       const LedgerEntry<R>& entry, const LedgerLoss<R>& loss,
                                       const PairForce<R>& force) const {
    if (!on()) { return; }
    LedgerLane& to = lane(slot);
    add_loss(loss, to);
    note_loss(slot, loss.friction + loss.breakage);
    const R power = add_power(entry, LedgerPair<R>::of(bodies, pair), force, false, to);
    if (powers.size > 0) { powers[slot] = power; }
  }

  /// Adds the second half of the work of the last step at a contact with a boundary.
  SCREE_HD void add_second_half_of_boundary(offset_t k, const BodyView<R>& bodies, index_t body,
                                            const LedgerEntry<R>& entry, const BoundarySlot<R>& slot,
                                            const Vec3<R>& couple, const SurfaceMotion& surface) const {
    if (!is_due()) { return; }
    if (is_parked(bodies.position[body])) { return remove_springs(entry, lane(k)); }
    add_power(entry, bodies, body, slot, couple, surface, true, lane(k));
  }
  /// Adds the losses and the first half of the work of this step at a contact with a boundary.
  SCREE_HD void add_first_half_of_boundary(offset_t k, const BodyView<R>& bodies, index_t body,
                                           const LedgerEntry<R>& entry, const LedgerLoss<R>& loss,
                                           const BoundarySlot<R>& slot, const Vec3<R>& couple,
                                           const SurfaceMotion& surface) const {
    if (!on()) { return; }
    LedgerLane& to = lane(k);
    add_loss(loss, to);
    note_loss(k, loss.friction + loss.breakage);
    add_power(entry, bodies, body, slot, couple, surface, false, to);
  }

#if !SCREE_ON_CUDA
  /// Adds the values of touching pairs, from lanes of the stage. Only for runs without a mean flow.
  template <int n_in>
  SCREE_INLINE void add_lanes(const R (*addend)[n_in], std::size_t count) const {
    LedgerLane& to = lane(0);
    add_loss_lanes(addend, count);
    const double before = WorkHalf{false}.at(moment->ledger).duration;
    if (before != 0) { to.add(LedgerTerm::viscous, addend[3], count, -before); }
    if (is_due()) { to.add(LedgerTerm::viscous, addend[4], count, -WorkHalf{true}.at(moment->ledger_before).duration); }
  }
  /// Adds the losses of contacts in a step, from lanes of the stage: see add_loss().
  template <int n_in>
  SCREE_INLINE void add_loss_lanes(const R (*loss)[n_in], std::size_t count) const {
    LedgerLane& to = lane(0);
    to.add(LedgerTerm::gained, loss[0], count, 1);
    if (moment->ledger.last == 0) { return; }
    to.add(LedgerTerm::friction, loss[1], count, 1);
    to.add(LedgerTerm::breakage, loss[2], count, 1);
  }
  /// Adds half of the work at contacts with boundaries, from the powers [W] of their viscous forces and those of the
  /// boundaries on the bodies. Only for runs without a mean flow.
  SCREE_INLINE void add_boundary_lanes(const double* viscous, const double* driven, std::size_t count,
                                       bool after) const {
    const WorkHalf half = WorkHalf{after}.at(moment_of(after));
    if (half.duration == 0) { return; }
    lane(0).add(LedgerTerm::viscous, viscous, count, -half.duration);
    lane(0).add(LedgerTerm::boundaries, driven, count, half.duration);
  }
#endif

  SCREE_INLINE void note_loss(std::size_t contact, R loss) const {
    if (losses.size > 0) { losses[contact] = loss; }
  }

  /// Adds what a contact lost in a step. In the first step of the run contacts have no past, so the losses that the law
  /// states are not counted.
  SCREE_HD void add_loss(const LedgerLoss<R>& loss, LedgerLane& to) const {
    to.add_beside_others(LedgerTerm::gained, double(loss.gained));
    if (moment->ledger.last == 0) { return; }
    to.add_beside_others(LedgerTerm::friction, double(loss.friction));
    to.add_beside_others(LedgerTerm::breakage, double(loss.breakage));
  }
  /// Removes the energy of the springs of a contact whose body was removed.
  SCREE_HD static void remove_springs(const LedgerEntry<R>& entry, LedgerLane& to) {
    to.add_beside_others(LedgerTerm::removed, double(entry.normal));
    to.add_beside_others(LedgerTerm::removed, double(entry.stored));
    to.add_beside_others(LedgerTerm::gained, -double(entry.stored));
  }

  /// Adds half of the work at the contact of a pair, and half of the work of the cell on it. Returns the power of the
  /// viscous forces.
  SCREE_HD R add_power(const LedgerEntry<R>& entry, const LedgerPair<R>& pair, const PairForce<R>& record, bool after,
                       LedgerLane& to) const {
    const WorkHalf half = WorkHalf{after}.at(moment_of(after));
    Vec3<R> velocity = pair.velocity_at(entry);
    if (flows(after)) {
      const Vec3d parted = pair.parted_by(LedgerFlow::of(moment_of(after), after), entry);
      const Vec3d f{double(record.force[0]), double(record.force[1]), double(record.force[2])};
      to.add_beside_others(LedgerTerm::cell, -half.duration * dot(f, parted));
      velocity += convert<R>(parted);
    }
    const R power = entry.template power<true>(velocity, pair.spin2 - pair.spin1);
    to.add_beside_others(LedgerTerm::viscous, -half.duration * double(power));
    return power;
  }

  /// Adds half of the work at a contact with a boundary, and half of the work of the boundary and of the cell on it.
  SCREE_HD void add_power(const LedgerEntry<R>& entry, const BodyView<R>& bodies, index_t body,
                          const BoundarySlot<R>& slot, const Vec3<R>& couple, const SurfaceMotion& surface, bool after,
                          LedgerLane& to) const {
    const WorkHalf half = WorkHalf{after}.at(moment_of(after));
    const Vec3<R> v = bodies.velocity[body], w = bodies.angular_velocity[body];
    auto motion = LedgerAtBoundary::of(v, w, R(bodies.radius[body]), entry, surface);
    if (flows(after)) {
      const LedgerFlow flow = LedgerFlow::of(moment_of(after), after);
      const Vec3d carried = flow.at_boundary(slot.point, motion.lever), turning = spin_of(flow.gradient);
      const double power = dot(convert<double>(slot.force), carried) + dot(convert<double>(couple), turning);
      to.add_beside_others(LedgerTerm::cell, -half.duration * power);
      motion.velocity += carried;
      motion.spin += turning;
    }
    const double work = surface.power(slot.force, couple);
    to.add_beside_others(LedgerTerm::viscous, -half.duration * motion.viscous_power(entry));
    to.add_beside_others(LedgerTerm::boundaries, half.duration * work);
  }
};

/// Second halves of the work at the contacts of pairs, where the ledger is settled; one thread per lane.
template <class R>
struct SettlePairs {
  ContactLedger<R> ledger;
  LedgerPlace<R> place;
  BodyView<R> bodies;
  Span<BodyPair> pairs;
  Span<PairForce<R>> force;
  Span<std::uint8_t> touching;

  SCREE_INLINE SettlePairs at(const StepMoment<R>& now) const {
    SettlePairs bound = *this;
    bound.ledger.moment = &now;
    return bound;
  }
  SCREE_HD void operator()(std::size_t lane) const {
    visit_items_of(lane, ledger.lanes.size, touching.size, [&](std::size_t slot) {
      if (touching[slot] != 0) {
        ledger.add_second_half_of_pair(slot, bodies, pairs[slot], place.entry(slot), force[slot]);
      }
    });
  }
};

/// The same for contacts with boundaries.
template <class R>
struct SettleBoundaries {
  ContactLedger<R> ledger;
  LedgerPlace<R> place;
  BodyView<R> bodies;
  BoundaryView boundaries;
  Span<Pose> pose;  ///< [n_boundaries] at the moment of the forces
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  Span<Vec3<R>> couple;  ///< [n_slots] empty if no law has couples
  Span<NodeList> nodes;  ///< [n_slots] of the last step; empty if there are no level-set grains

  SCREE_INLINE SettleBoundaries at(const StepMoment<R>& now) const {
    SettleBoundaries bound = *this;
    bound.ledger.moment = &now;
    return bound;
  }
  SCREE_HD void operator()(std::size_t lane) const {
    visit_items_of(lane, ledger.lanes.size, body_of_row.size, [&](std::size_t row) { add_second_half_of_row(row); });
  }

  /// Ends the last step of all contacts in a row.
  SCREE_HD void add_second_half_of_row(std::size_t row) const {
    for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
      const BoundarySlot<R>& slot = slots[k];
      if (slot.touching == 0) { continue; }
      ledger.add_second_half_of_boundary(
          k, bodies, body_of_row[row], place.entry(k), slot, couple.size > 0 ? couple[k] : Vec3<R>{R(0), R(0), R(0)},
          SurfaceMotion::at(boundaries, pose, slot, nodes.size > 0 && nodes[k].count > 0));
    }
  }
};

/// The bodies that are about to be removed between two steps.
template <class R>
struct LeavingBodies {
  BodyView<R> bodies;
  Span<std::uint8_t> leaves;  ///< [n_bodies]
  SCREE_INLINE bool is_parked_already(index_t body) const { return is_parked(bodies.position[body]); }
};

/// Removes the energies of the springs between bodies that leave and others, or among bodies that leave. The ledger has
/// already settled the energies of bodies that left before. One thread per lane.
template <class R>
struct RemovePairSprings {
  LeavingBodies<R> of;
  LedgerPlace<R> place;
  Span<BodyPair> pairs;
  Span<std::uint8_t> touching;
  Span<LedgerLane> lanes;
  SCREE_HD void operator()(std::size_t lane) const {
    visit_items_of(lane, lanes.size, touching.size, [&](std::size_t slot) {
      const BodyPair& pair = pairs[slot];
      if (touching[slot] == 0 || (of.leaves[pair.first] | of.leaves[pair.second]) == 0) { return; }
      if (of.is_parked_already(pair.first) || of.is_parked_already(pair.second)) { return; }
      ContactLedger<R>::remove_springs(place.entry(slot), lanes[lane]);
    });
  }
};

/// The same for contacts with boundaries.
template <class R>
struct RemoveBoundarySprings {
  LeavingBodies<R> of;
  LedgerPlace<R> place;
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  Span<LedgerLane> lanes;
  SCREE_HD void operator()(std::size_t lane) const {
    visit_items_of(lane, lanes.size, body_of_row.size, [&](std::size_t row) {
      if (of.leaves[body_of_row[row]] == 0) { return; }
      for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
        if (slots[k].touching != 0) { ContactLedger<R>::remove_springs(place.entry(k), lanes[lane]); }
      }
    });
  }
};

}  // namespace scree::inline SCREE_BACKEND
