#pragma once

#include "kernels/state/node_bonds.hpp"
#include "kernels/step/nodes/mode_forces.hpp"
#include "kernels/step/nodes/node_laws.hpp"

/// Forces of bonded nodes. w is how far the node has moved away from the point of the master to which it is bonded. It
/// is measured in the axes of the master, so a motion of the pair as a whole does not change it. The energy of the bond
/// is (K_N w_n^2 + K_T w_t^2) / 2. Its derivatives are a force on the slave at the node and the opposite force on the
/// master at the same place. The force on each mode of the master follows from the displacement of the mode at the
/// bonded point.
namespace scree::inline SCREE_BACKEND {

/// [m] The displacement that the modes of a grain give to a point, in the template of the grain.
template <class R>
SCREE_HD Vec3d displacement_of(const GrainViews<R>& grains, const NodeBody<R>& body, const Vec3<R>& point) {
  Vec3d sum{0, 0, 0};
  if (!body.deforms()) { return sum; }
  const double scale = 1 / body.size;
  each_mode_at(
      grains.modes, *body.form, convert<double>(point), 0, body.form->modes.count,
      [&](std::uint32_t a, const Vec3<R>& mode) { sum += (scale * body.amplitude[a]) * convert<double>(mode); });
  return sum;
}

/// [m] The place of a node of the slave in the template of the master. `between` is the vector from the master's centre
/// to the slave's.
template <class R>
SCREE_HD Vec3d bonded_place(const GrainViews<R>& grains, const NodeBody<R>& slave, const NodeBody<R>& master,
                            const Vec3d& between, std::uint32_t node) {
  return (1 / master.size) * (transpose(master.turn) * (between + slave.arm_of(grains, node)));
}

/// The stretch of a bond in world axes. Signs are those of the first and the second body of the pair.
template <class R>
struct BondStretch {
  Vec3<R> normal;  ///< [-] from the first body to the second
  Vec3<R> apart;   ///< [m] displacement of the second body relative to the first at the node
  R opening;       ///< [m] component of `apart` along the normal
  R settled;       ///< [m] overlap of the two when the bond was made
  R strength;      ///< [-] of the bond

  /// `second`: the slave is the second body.
  SCREE_HD static BondStretch of(const GrainViews<R>& grains, const NodeBody<R>& slave, const NodeBody<R>& master,
                                 const Vec3d& between, const NodeBond<R>& bond, bool second) {
    const Vec3d place = bonded_place(grains, slave, master, between, bond.node & ~node_of_second);
    const Vec3d moved = place - (bond.place + displacement_of(grains, master, bond.point));
    const Vec3<R> apart = convert<R>(master.turn * (master.size * moved));
    const Vec3<R> normal = convert<R>(master.turn * convert<double>(bond.normal));
    return {second ? normal : -normal, second ? apart : -apart, dot(normal, apart),
            static_cast<R>(master.size) * bond.overlap, bond.strength};
  }
  SCREE_INLINE Vec3<R> tangential() const { return apart - opening * normal; }
};

/// One bonded node in a step. `state` has the values that all nodes of the contact share.
template <class R, class Law>
struct BondedNode {
  const ContactState<R>& state;
  const typename Law::Params& params;
  const ContactStiffness<R>& k;  ///< of the contact
  const BondStretch<R>& stretch;
  Vec3<R> velocity;  ///< [m/s] of the second body relative to the first, at the node
  R weight;          ///< [-] of the node

  SCREE_HD bool holds() const {
    const R per_area = R(1) / Law::area(state);
    const Vec3<R> shear = (per_area * k.shear) * stretch.tangential();
    return Law::holds(params, stretch.strength, per_area * k.normal * stretch.opening, dot(shear, shear));
  }

  /// Force [N] of the whole bond on the second body. Fills the row of the node. `arm` leads from the centre of the
  /// second body to the node.
  SCREE_HD Vec3<R> pull(const Vec3<R>& arm, const NodeRow<R>* before, NodeRow<R>& row,
                        NodeLedger<Law, R>& ledger) const {
    const Vec3<R>& n = stretch.normal;
    const R opening_rate = dot(n, velocity);
    const Vec3<R> spring = -(k.normal * stretch.opening) * n, shear = -k.shear * stretch.tangential();
    const Vec3<R> viscous = -(k.normal_dashpot * opening_rate) * n - k.shear_dashpot * (velocity - opening_rate * n);
    row.normal = n;
    row.shear = shear;
    if constexpr (keeps_ledger<Law>) {
      HistoryOf<Law> history{};
      history.entry.normal = R(0.5) * k.normal * stretch.opening * stretch.opening;
      history.entry.stored = stored_in(shear);
      history.loss.gained = history.entry.stored - (before != nullptr ? before->stored : R(0));
      history.entry.viscous = viscous;
      row.stored = history.entry.stored;
      ledger.add(history, weight, arm);
    }
    return weight * (spring + shear + viscous);
  }

  /// Breaks the bond. Returns the force [N] on the second body afterwards. If the node touches, it has an ordinary
  /// contact at once, which begins with the shear force of the bond, limited by friction.
  SCREE_HD Vec3<R> snap(ContactState<R>& own, const Vec3<R>& arm, const NodeRow<R>* before, NodeRow<R>& row,
                        NodeLedger<Law, R>& ledger) const {
    const bool touches = row.overlap > R(0);
    if constexpr (keeps_ledger<Law>) { lose(touches, before, row, ledger); }
    if (!touches) {
      row.normal = stretch.normal;
      return {R(0), R(0), R(0)};
    }
    NodeRow<R> start = row;
    if (before != nullptr) { start = *before; }
    start.extra[0] = stretch.settled;  // the history of BondedNodes
    return touch_node<R, Law>(own, velocity, arm, params, k, weight, &start, row, ledger);
  }

 private:
  SCREE_INLINE R stored_in(const Vec3<R>& shear) const {
    return R(0.5) * dot(shear, shear) / math::max(k.shear, R(1e-37));
  }

  /// Adds the loss. In the step, the springs have done work with the mean of the forces at both ends of the step; the
  /// force at the end is 0. They stored K w^2 / 2 before the step; K w w' / 2 is left and is lost, where w' is the
  /// present displacement. If an ordinary contact begins, the same part of the energy of its normal spring is
  /// subtracted from the loss, and touch_node() adds what its shear force loses.
  SCREE_HD void lose(bool touches, const NodeRow<R>* before, const NodeRow<R>& row, NodeLedger<Law, R>& ledger) const {
    const R opening_before = stretch.opening - state.time_step * dot(stretch.normal, velocity);
    R lost = R(0.5) * k.normal * opening_before * stretch.opening, gained = R(0);
    if (touches) {
      const R pressed = math::max(row.overlap - stretch.settled, R(0));
      const R pressed_before = row.overlap - stretch.settled + state.time_step * dot(row.normal, velocity);
      lost -= R(0.5) * k.normal * pressed_before * pressed;
    } else {
      const Vec3<R> tangential = stretch.tangential();
      const Vec3<R> slip = velocity - dot(stretch.normal, velocity) * stretch.normal;
      lost += R(0.5) * k.shear * dot(tangential - state.time_step * slip, tangential);
      gained = before != nullptr ? -before->stored : R(0);
    }
    ledger.lose_bond(weight, lost, gained, touches);
  }
};

}  // namespace scree::inline SCREE_BACKEND
