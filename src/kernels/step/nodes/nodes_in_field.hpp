#pragma once

#include "kernels/step/nodes/bonded_nodes.hpp"
#include "kernels/step/pairs/pair_views.hpp"

namespace scree::inline SCREE_BACKEND {

/// Computes the contacts of the nodes of listed pairs, by one law; one thread per pair.
template <class R_, class Law>
struct NodesInField {
  using R = R_;
  using Params = typename Law::Params;
  static constexpr int block_size = 64;

  PairViews<R> of;
  Span<Params> params;
  std::uint32_t interaction;

  SCREE_INLINE NodesInField at(const StepMoment<R>& moment) const { return {of.at(moment), params, interaction}; }

  SCREE_HD void operator()(std::size_t slot) const {
    if (of.control->halted != 0) { return; }
    const BodyPair pair = of.pairs[slot];
    const std::uint32_t classes = of.classes.pair_of(of.bodies, pair.first, pair.second);
    if (of.classes.interaction_of(classes) != interaction) { return; }
    if constexpr (keeps_ledger<Law>) {
      if (of.touching[slot] != 0) {
        of.ledger.add_second_half_of_pair(slot, of.bodies, pair, ledger_place().entry(slot), of.force[slot]);
      }
    }
    const NodeViews<R>& nodes = *of.nodes;
    const NodeList list = nodes.pair_now[slot];
    if (list.count == 0) {
      if (of.touching[slot] != 0) { reject(slot); }
      return;
    }
    evaluate(slot, pair, params[classes], list);
    nodes.of_pair[slot] = list;
  }

  SCREE_HD NodeSums<R> sums(const NodePasses<R>& passes, const NodeList& list) const {
    const R weight_of_area = passes.weight_of_area();
    return sums_of(of.nodes->pool, list, [&](std::uint32_t node) { return weight_of(passes, weight_of_area, node); });
  }

  /// The part of the state on which the stiffness of a contact depends.
  SCREE_HD ContactState<R> state_at_rest(const BodyPair& pair, const NodePasses<R>& passes,
                                         const NodeSums<R>& sums) const {
    ContactState<R> state{};
    state.overlap = sums.overlap;
    state.radius1 = passes.body[0].radius;
    state.radius2 = passes.body[1].radius;
    state.effective_radius = state.radius1 * state.radius2 / (state.radius1 + state.radius2);
    const R inverse_mass = of.bodies.inverse_mass[pair.first] + of.bodies.inverse_mass[pair.second];
    state.effective_mass = inverse_mass > R(0) ? R(1) / inverse_mass : R(0);
    state.effective_mass = state.effective_mass / math::max(sums.weights, R(1e-30));
    state.time_step = of.time_step;
    state.lean = of.lean;
    return state;
  }

  /// [-] The weight of a node in the law for two spheres, by NodePasses::weight_of_area().
  SCREE_HD R weight_of(const NodePasses<R>& passes, R weight_of_area, std::uint32_t node) const {
    const NodeViews<R>& nodes = *of.nodes;
    const R share = passes.count == 2 ? R(0.5) : R(1);
    if (nodes.by_area == 0) { return share; }
    const NodeBody<R>& slave = passes.body[(node & node_of_second) != 0 ? 1 : 0];
    const GrainNode<R>& of_form = nodes.grains.node[slave.form->first_node + (node & ~node_of_second)];
    return share * weight_of_area * slave.area_of(of_form);
  }

 private:
  SCREE_INLINE LedgerPlace<R> ledger_place() const { return {of.extra, of.n_extra, of.ledger.rest}; }

  SCREE_HD void reject(std::size_t slot) const {
    of.touching[slot] = 0;
    of.shear[slot] = {};
    of.force[slot] = PairForce<R>{};
    of.couple[slot] = {};
    of.nodes->of_pair[slot] = {};
  }

  /// Sums of the forces on the modes of both grains of a pair.
  struct ModeSums {
    double* first;
    double* second;

    SCREE_INLINE static ModeSums cleared(const Span<double>& all, std::uint32_t stride, std::size_t slot) {
      double* const first = cleared_sums<R>(all, stride, 2 * slot);
      return {first, cleared_sums<R>(all, stride, 2 * slot + 1)};
    }
  };
  /// Adds the effect of a force [N] on the second body, at a node, to the sums of the modes.
  SCREE_INLINE static void push_modes(const ModePoint<R>& of_slave, const ModePoint<R>& of_master, bool second,
                                      const Vec3<R>& force, const ModeSums& sums) {
    of_slave.push(second ? force : -force, second ? sums.second : sums.first);
    of_master.push(second ? -force : force, second ? sums.first : sums.second);
  }

  /// The motion of the two bodies of a pair, with the mean flow of a cell.
  struct Motion {
    Vec3<R> relative;      ///< [m/s] velocity of the second body relative to the first, between their centres
    Vec3<R> spin1, spin2;  ///< [rad/s]
  };
  SCREE_INLINE Motion motion_of(const BodyPair& pair, const Vec3<R>& branch) const {
    const Vec3<R> apart = of.bodies.velocity[pair.second] - of.bodies.velocity[pair.first];
    return {apart + of.cell.gradient * (branch - of.time_step * apart),
            of.bodies.angular_velocity[pair.first] + of.cell.spin,
            of.bodies.angular_velocity[pair.second] + of.cell.spin};
  }
  /// [m/s] The velocity of the second body relative to the first, without deformation: at a point with these arms [m]
  /// from the two centres, in the middle of the step. The point moves with the slave, which is the second body if
  /// `second`, so it was at another place of both bodies then.
  SCREE_INLINE Vec3<R> velocity_at(const Motion& motion, const Vec3<R>& arm1, const Vec3<R>& arm2, bool second) const {
    const Vec3<R> turning1 = cross(motion.spin1, arm1), turning2 = cross(motion.spin2, arm2);
    const Vec3<R> from1 = second ? motion.relative + turning2 : turning1, from2 = from1 - motion.relative;
    return motion.relative + turning2 - turning1 +
           (R(0.5) * of.time_step) * (cross(motion.spin1, from1) - cross(motion.spin2, from2));
  }

  /// [m] From the centre of the slave to the point where the force of a node acts. It lies in the middle of the
  /// overlap, but the force of a bond acts at the node itself.
  SCREE_INLINE Vec3<R> point_of(const NodeBody<R>& slave, const NodeRow<R>& row, bool second, bool is_bonded) const {
    const Vec3d node = slave.arm_of(of.nodes->grains, row.node & ~node_of_second);
    const R half = is_bonded ? R(0) : R(0.5) * row.overlap;
    return convert<R>(node) + (second ? half : -half) * row.normal;
  }

  SCREE_INLINE static bool is_too_deep(const NodeRow<R>& row, const NodeBody<R>& master) {
    return row.overlap > (master.is_grain() ? static_cast<R>(master.size) * master.form->depth : master.radius);
  }

  /// Sums over the nodes of a pair: the force on the second body, its torque about the centre of this body, and the
  /// tangential part of the force.
  struct Sums {
    Vec3d force{0, 0, 0}, torque2{0, 0, 0}, tangential{0, 0, 0};

    SCREE_INLINE void add(const Vec3<R>& f, const Vec3<R>& arm2, const Vec3<R>& normal) {
      force += convert<double>(f);
      torque2 += convert<double>(cross(arm2, f));
      tangential += convert<double>(f - dot(f, normal) * normal);
    }
  };

  /// What all nodes of a pair share, and the sums over them.
  struct OfPair {
    ContactState<R>& state;
    const Params& params;
    const OfContactOf<Law>& shared;  ///< see of_contact()
    NodeLedger<Law, R>& ledger;
    const NodePasses<R>& passes;
    const Motion& motion;
    NodeMemory<R>& memory;
    BondCursor<R>& bonds;
    ModeSums modes, viscous;  ///< forces on the modes, and the viscous part of them for the ledger
    R weight_of_area;         ///< see NodePasses
    bool in_range;            ///< whether the bodies are so near that bonds may hold
    const BodyPair& bodies;
    std::uint32_t broken = 0;  ///< number of bonds that broke in this step
    Sums total{};
  };
  /// A node that touches or is bonded.
  struct AtNode {
    NodeRow<R>& row;
    const NodeRow<R>* before;  ///< null: it did not touch
    NodeBond<R>* bond;         ///< null: it is not bonded
    const NodeBody<R>& slave;
    const NodeBody<R>& master;
    bool second;              ///< the slave is the second body
    const Vec3<R>& arm;       ///< [m] from the centre of the second body
    const Vec3<R>& velocity;  ///< [m/s] of the second body relative to the first
    R weight;                 ///< [-]
  };

  /// [N] The force of a node on the second body. Fills the row of the node. If the node is bonded, moves on to the next
  /// bond.
  SCREE_INLINE Vec3<R> force_at_node(const AtNode& node, OfPair& pair) const {
    if constexpr (bonds_nodes<Law>) {
      if (node.bond != nullptr) {
        const auto stretch =
            BondStretch<R>::of(of.nodes->grains, node.slave, node.master,
                               node.second ? pair.passes.branch : -pair.passes.branch, *node.bond, node.second);
        const BondedNode<R, Law> bonded{pair.state, pair.params, pair.shared, stretch, node.velocity, node.weight};
        Vec3<R> force;
        if (pair.in_range && bonded.holds()) {
          force = bonded.pull(node.arm, node.before, node.row, pair.ledger);
        } else {
          force = bonded.snap(pair.state, node.arm, node.before, node.row, pair.ledger);
          node.bond->whole = 0;
          ++pair.broken;
        }
        pair.bonds.advance();
        return force;
      }
    }
    return touch_node<R, Law>(pair.state, node.velocity, node.arm, pair.params, pair.shared, node.weight, node.before,
                              node.row, pair.ledger);
  }

  /// Computes the contact of the node that `at` has come to, and adds it to the sums of the pair.
  SCREE_INLINE void add_node(const NodeCursor<R>& at, OfPair& pair) const {
    const GrainViews<R>& grains = of.nodes->grains;
    NodeRow<R>& row = at.row();
    const bool second = (row.node & node_of_second) != 0;
    const NodeBody<R>& slave = pair.passes.body[second ? 1 : 0];
    const NodeBody<R>& master = pair.passes.body[second ? 0 : 1];
    NodeBond<R>* bond = nullptr;
    if constexpr (bonds_nodes<Law>) { bond = pair.bonds.node() == row.node ? &pair.bonds.bond() : nullptr; }
    const Vec3<R> branch = convert<R>(pair.passes.branch), point = point_of(slave, row, second, bond != nullptr);
    const Vec3<R> arm1 = second ? branch + point : point, arm2 = second ? point : point - branch;
    Vec3<R> velocity = velocity_at(pair.motion, arm1, arm2, second);
    const auto of_slave = ModePoint<R>::of_node(grains, slave, row.node & ~node_of_second);
    const Vec3<R> place = bond != nullptr ? bond->point : (master.deforms() ? at.reference() : Vec3<R>{});
    const auto of_master = ModePoint<R>::of_field(grains, master, place);
    const bool any_modes = grains.modes.stride > 0;
    if (any_modes) {
      const Vec3<R> deforming = of_slave.velocity() - of_master.velocity();
      velocity += second ? deforming : -deforming;
    }
    const NodeRow<R>* const before = pair.memory.find(row.node);
    const R weight = weight_of(pair.passes, pair.weight_of_area, row.node);
    const Vec3<R> f = force_at_node({row, before, bond, slave, master, second, arm2, velocity, weight}, pair);
    at.keep({f, arm2});
    if (any_modes) {
      push_modes(of_slave, of_master, second, f, pair.modes);
      if constexpr (keeps_ledger<Law>) {
        push_modes(of_slave, of_master, second, pair.ledger.last_viscous(), pair.viscous);
      }
    }
    pair.total.add(f, arm2, row.normal);
    if (is_too_deep(row, master)) { raise_fault(of.control, FaultKind::deep_overlap, of.bodies.id[pair.bodies.first]); }
  }

  SCREE_HD void evaluate(std::size_t slot, const BodyPair& pair, const Params& p, const NodeList& list) const {
    const NodeViews<R>& nodes = *of.nodes;
    const auto [i, j] = pair;
    const NodePasses<R> passes = NodePasses<R>::of(of, slot);
    const Motion motion = motion_of(pair, convert<R>(passes.branch));
    ContactState<R> state = state_at_rest(pair, passes, sums(passes, list));
    state.total_spin = motion.spin1 + motion.spin2;
    state.spin = motion.spin2 - motion.spin1;
    const OfContactOf<Law> shared = of_contact<Law>(state, p);
    const double reach = nodes.bonds.range * (double(of.bodies.radius[i]) + double(of.bodies.radius[j]));
    NodeLedger<Law, R> ledger;
    NodeMemory<R> memory(nodes.pool, nodes.of_pair[slot]);
    BondCursor<R> bonds(nodes.bonds, slot);
    const ModeViews<R>& modes = nodes.grains.modes;
    ModeSums viscous{nullptr, nullptr};
    const ModeSums of_modes = ModeSums::cleared(modes.pair_force, modes.stride, slot);
    if constexpr (keeps_ledger<Law>) { viscous = ModeSums::cleared(modes.pair_viscous, modes.stride, slot); }
    OfPair sum{.state = state,
               .params = p,
               .shared = shared,
               .ledger = ledger,
               .passes = passes,
               .motion = motion,
               .memory = memory,
               .bonds = bonds,
               .modes = of_modes,
               .viscous = viscous,
               .weight_of_area = passes.weight_of_area(),
               .in_range = norm(passes.branch) < reach,
               .bodies = pair};
    for (NodeCursor<R> at(nodes.pool, list); !at.at_end(); at.advance()) { add_node(at, sum); }
    if constexpr (bonds_nodes<Law>) { count_broken(pair, sum.broken); }
    [[maybe_unused]] const Vec3<R> lever = store(slot, pair, passes.branch, sum.total);
    if constexpr (keeps_ledger<Law>) {
      ledger.store(ledger_place(), slot, lever, of.bodies.radius[j]);
      of.ledger.add_first_half_of_pair(slot, of.bodies, pair, ledger_place().entry(slot), ledger.loss(),
                                       of.force[slot]);
    }
  }

  SCREE_HD void count_broken(const BodyPair& pair, std::uint32_t broken) const {
    if (broken == 0) { return; }
    atomic_add(&of.broken[of.bodies.id[pair.first]], broken);
    atomic_add(&of.broken[of.bodies.id[pair.second]], broken);
  }

  /// Stores the wrench of all nodes as the record of a pair: a force through a point on the line of centres, and a
  /// couple. Returns the arm from the centre of the second body to this point.
  SCREE_HD Vec3<R> store(std::size_t slot, const BodyPair& pair, const Vec3d& branch, const Sums& total) const {
    const Vec3<R> force = convert<R>(total.force), torque2 = convert<R>(total.torque2);
    const R radius1 = of.bodies.radius[pair.first], radius2 = of.bodies.radius[pair.second];
    const double length = norm(branch);
    const Vec3<R> n = convert<R>((1 / math::max(length, 1e-30)) * branch);
    const R half_overlap = static_cast<R>(0.5 * (double(radius1) + double(radius2) - length));
    const Vec3<R> moment = cross(force, n);
    of.touching[slot] = 1;
    of.shear[slot] = convert<R>(total.tangential);
    of.force[slot] = {Four<R>::of(force.x, force.y, force.z, half_overlap),
                      Four<R>::of(moment.x, moment.y, moment.z, R(0))};
    of.couple[slot] = torque2 - (radius2 - half_overlap) * moment;
    return (half_overlap - radius2) * n;
  }
};

}  // namespace scree::inline SCREE_BACKEND
