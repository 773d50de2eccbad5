#pragma once

#include "kernels/step/boundaries/boundary_views.hpp"
#include "kernels/step/nodes/edge_points.hpp"
#include "kernels/step/nodes/mode_forces.hpp"
#include "kernels/step/nodes/node_laws.hpp"

namespace scree::inline SCREE_BACKEND {

/// Computes the contacts of the nodes of grains with boundaries, and of points on the edges of boundaries, by one law;
/// one thread per row. The first interaction of nodes also sets the sums of all grains to zero.
template <class R_, class Law>
struct NodesOnFeature {
  using R = R_;
  using Params = typename Law::Params;
  static constexpr int block_size = 64;

  BoundaryContactViews<R> of;
  Span<Params> params;
  std::uint32_t interaction;
  bool is_first;

  SCREE_INLINE NodesOnFeature at(const StepMoment<R>& moment) const {
    return {of.at(moment), params, interaction, is_first};
  }

  SCREE_HD void operator()(std::size_t row) const {
    if (of.control->halted != 0) { return; }
    const index_t body = of.body_of_row[row];
    if (!of.is_grain(body)) { return; }
    if (is_first) {
      if constexpr (keeps_ledger<Law>) { of.end_ledger_row(row); }
      of.wrench[row] = {};
    }
    const NodeViews<R>& nodes = *of.nodes;
    const NodeBody<R> grain = NodeBody<R>::of(nodes.grains, of.bodies, body);
    Wrench<R> sum = of.wrench[row];
    const offset_t begin = of.row_start[row], end = of.row_start[row + 1];
    for (offset_t k = begin; k < end;) {
      const offset_t next = end_of_surface(k, end);
      if (of.classes.interaction_of(of.classes_at(k, body)) != interaction) {
        k = next;
        continue;
      }
      const NodeSums<R> total = sums(body, grain, nodes.slot_now, k, next);
      for (offset_t slot = k; slot < next; ++slot) {
        const NodeList list = nodes.slot_now[slot];
        if (list.count > 0) { evaluate(slot, {k, next}, body, grain, list, total, sum); }
      }
      for (; k < next; ++k) {  // only now, since evaluate() reads the old lists of all these slots
        const NodeList list = nodes.slot_now[k];
        if (list.count == 0) {
          clear(k);
        } else {
          nodes.of_slot[k] = list;
        }
      }
    }
    of.wrench[row] = sum;
  }

  /// The end of the slots from `k` on that are one contact for the law: all facets of a mesh, or a single surface.
  SCREE_HD offset_t end_of_surface(offset_t k, offset_t end) const {
    const Feature first = of.feature_at(k);
    ++k;
    if (first.kind != FeatureKind::facet) { return k; }
    const auto continues = [&](const Feature& next) {
      return next.kind == FeatureKind::facet && next.boundary == first.boundary;
    };
    while (k < end && continues(of.feature_at(k))) { ++k; }
    return k;
  }

  /// The sums over the slots [begin, end).
  SCREE_HD NodeSums<R> sums(index_t body, const NodeBody<R>& grain, const Span<NodeList>& lists, offset_t begin,
                            offset_t end) const {
    NodeSums<R> total;
    for (offset_t k = begin; k < end; ++k) {
      if (lists[k].count == 0) { continue; }
      const NodeSums<R> own = sums(body, grain, k, lists[k]);
      total.weights += own.weights;
      total.overlap = math::max(total.overlap, own.overlap);
    }
    return total;
  }
  SCREE_HD NodeSums<R> sums(index_t body, const NodeBody<R>& grain, offset_t slot, const NodeList& list) const {
    const FeaturePoints<R> points = points_of(body, grain, slot);
    const bool by_area = of.nodes->by_area != 0;
    return sums_of(of.nodes->pool, list, [&](std::uint32_t node) { return points.weight_of(node, by_area); });
  }
  SCREE_HD FeaturePoints<R> points_of(index_t body, const NodeBody<R>& grain, offset_t slot) const {
    return {of.nodes->grains, grain, of.bodies.position[body], of.boundaries, of.slots[slot].feature};
  }

  /// The part of the state on which the stiffness of a contact depends.
  SCREE_HD ContactState<R> state_at_rest(index_t body, const NodeBody<R>& grain, const NodeSums<R>& sums) const {
    ContactState<R> state{};
    state.radius1 = state.radius2 = state.effective_radius = grain.radius;
    state.overlap = sums.overlap;
    const R inverse_mass = of.bodies.inverse_mass[body];
    state.effective_mass = inverse_mass > R(0) ? R(1) / (inverse_mass * math::max(sums.weights, R(1e-30))) : R(0);
    state.time_step = of.time_step;
    state.lean = of.lean;
    return state;
  }

 private:
  SCREE_HD void clear(offset_t k) const {
    BoundarySlot<R>& slot = of.slots[k];
    slot.touching = 0;
    slot.accepted = 0;
    slot.weight = 0;
    slot.shear = {};
    slot.force = {};
    of.couple[k] = {};
    of.nodes->of_slot[k] = {};
  }

  struct Slots {
    offset_t begin, end;
  };

  /// The row of a node that touched another facet of the mesh in the last step, or null. Points of edges never change
  /// their facet.
  SCREE_HD const NodeRow<R>* find_at_others(const Slots& mesh, offset_t k, std::uint32_t node) const {
    if ((node & node_on_edge) != 0) { return nullptr; }
    for (offset_t other = mesh.begin; other < mesh.end; ++other) {
      if (other == k || of.nodes->of_slot[other].count == 0) { continue; }
      if (const NodeRow<R>* row = NodeMemory<R>(of.nodes->pool, of.nodes->of_slot[other]).find(node)) { return row; }
    }
    return nullptr;
  }

  /// The motion of a grain and of the surface that it touches.
  struct Motion {
    const Pose& pose;        ///< of the boundary
    bool slides;             ///< whether surfaces move relative to their boundaries in this run
    Vec3d centre;            ///< [m] of the grain
    Vec3<R> velocity, spin;  ///< [m/s], [rad/s] of the grain, with the mean flow of a cell
    Vec3<R> surface_spin;    ///< [rad/s]
  };
  SCREE_INLINE Motion motion_at(offset_t k, index_t body) const {
    const Pose& pose = of.boundaries.pose[of.feature_at(k).boundary];
    const bool slides = of.boundaries.slides != 0;
    Motion motion{pose,
                  slides,
                  of.bodies.position[body],
                  of.bodies.velocity[body],
                  of.bodies.angular_velocity[body],
                  convert<R>(slides ? pose.spin + pose.surface_spin : pose.spin)};
    if (of.flow.any) {
      const CellFlow<R> flow = of.flow_now();
      motion.velocity += convert<R>(flow.at(motion.centre, motion.velocity, double(of.time_step)));
      motion.spin += flow.spin;
    }
    return motion;
  }
  /// [m/s] The velocity of the grain relative to the surface at slot k, without deformation: at the end of an arm [m]
  /// from the centre of the grain, in the middle of the step. The point moves with the grain, so it was at another
  /// place of both bodies then.
  SCREE_INLINE Vec3<R> velocity_at(const Motion& motion, offset_t k, const Vec3<R>& arm, const Vec3<R>& normal) const {
    const Vec3d point = motion.centre + convert<double>(arm);
    Vec3d surface = motion.pose.velocity + cross(motion.pose.spin, point);
    if (motion.slides) {
      surface +=
          SurfaceMotion::below_node(of.boundaries, of.feature_at(k), motion.pose, point, convert<double>(normal));
    }
    const Vec3<R> turning = cross(motion.spin, arm);
    return motion.velocity + turning - convert<R>(surface) +
           (R(0.5) * of.time_step) *
               (cross(motion.surface_spin, motion.velocity + turning) - cross(motion.spin, turning));
  }

  /// Sums over the nodes at one slot. Arms and normals are weighted by the weights of the nodes.
  struct SlotSums {
    Vec3d force{0, 0, 0}, torque{0, 0, 0}, tangential{0, 0, 0}, arms{0, 0, 0}, normals{0, 0, 0};
    R weights = R(0);

    SCREE_INLINE void add(const Vec3<R>& f, const Vec3<R>& arm, const Vec3<R>& normal, R weight) {
      force += convert<double>(f);
      torque += convert<double>(cross(arm, f));
      tangential += convert<double>(f - dot(f, normal) * normal);
      weights += weight;
      arms += double(weight) * convert<double>(arm);
      normals += double(weight) * convert<double>(normal);
    }
  };

  /// Computes the nodes at slot k. `mesh` has all slots of its surface, and `of_all` the sums over them.
  SCREE_HD void evaluate(offset_t k, const Slots& mesh, index_t body, const NodeBody<R>& grain, const NodeList& list,
                         const NodeSums<R>& of_all, Wrench<R>& sum) const {
    const NodeViews<R>& nodes = *of.nodes;
    const Params& p = params[of.classes_at(k, body)];
    const Motion motion = motion_at(k, body);
    ContactState<R> state = state_at_rest(body, grain, of_all);
    state.total_spin = motion.spin + motion.surface_spin;
    state.spin = motion.spin - motion.surface_spin;
    const OfContactOf<Law> shared = of_contact<Law>(state, p);
    SlotSums total;
    NodeLedger<Law, R> ledger;
    NodeMemory<R> memory(nodes.pool, nodes.of_slot[k]);
    const FeaturePoints<R> points = points_of(body, grain, k);
    const ModeViews<R>& modes = nodes.grains.modes;
    double* const sums_of_modes = cleared_sums<R>(modes.slot_force, modes.stride, std::size_t(k));
    double* const viscous_of_modes =
        keeps_ledger<Law> ? cleared_sums<R>(modes.slot_viscous, modes.stride, std::size_t(k)) : nullptr;
    for (NodeCursor<R> at(nodes.pool, list); !at.at_end(); at.advance()) {
      NodeRow<R>& row = at.row();
      const R weight = points.weight_of(row.node, nodes.by_area != 0);
      const Vec3<R> arm = points.arm_of(row);
      Vec3<R> velocity = velocity_at(motion, k, arm, row.normal);
      const auto of_node =
          (row.node & node_on_edge) != 0
              ? ModePoint<R>::of_field(nodes.grains, grain, grain.deforms() ? at.reference() : Vec3<R>{})
              : ModePoint<R>::of_node(nodes.grains, grain, row.node);
      if (modes.stride > 0) { velocity += of_node.velocity(); }
      const NodeRow<R>* before = memory.find(row.node);
      if (before == nullptr) { before = find_at_others(mesh, k, row.node); }
      const Vec3<R> f = touch_node<R, Law>(state, velocity, arm, p, shared, weight, before, row, ledger);
      at.keep({f, arm});
      if (modes.stride > 0) {
        of_node.push(f, sums_of_modes);
        if constexpr (keeps_ledger<Law>) { of_node.push(ledger.last_viscous(), viscous_of_modes); }
      }
      total.add(f, arm, row.normal, weight);
    }
    const bool has_edges = nodes.pool.has_edges(list) || nodes.pool.has_edges(nodes.of_slot[k]);
    store(k, body, motion.centre, total, has_edges, ledger);
    sum.force += of.slots[k].force;
    sum.torque += convert<R>(total.torque);
  }

  /// Stores the contact of slot k from the sums over its nodes. Raises crossed_boundary if the normal has reversed.
  /// `has_edges` tells that the contact has points of edges, or had some in the last step: these have the normals of
  /// the grain, which may have any direction in the next step.
  SCREE_INLINE void store(offset_t k, index_t body, const Vec3d& centre, const SlotSums& total, bool has_edges,
                          const NodeLedger<Law, R>& ledger) const {
    BoundarySlot<R>& slot = of.slots[k];
    const Vec3<R> normal = convert<R>((1 / math::max(norm(total.normals), 1e-300)) * total.normals);
    if (slot.touching != 0 && !has_edges && dot(normal, slot.normal) < R(-0.5)) {
      raise_fault(of.control, FaultKind::crossed_boundary, of.bodies.id[body]);
    }
    const Vec3d mean_arm = (1 / double(total.weights)) * total.arms;
    slot.touching = 1;
    slot.accepted = 1;
    slot.weight = 0;
    slot.point = centre + mean_arm;
    slot.normal = normal;
    slot.shear = convert<R>(total.tangential);
    slot.force = convert<R>(total.force);
    of.couple[k] = convert<R>(total.torque - cross(mean_arm, total.force));
    if constexpr (keeps_ledger<Law>) {
      const LedgerPlace<R> place{of.extra, of.n_extra, of.ledger.rest};
      ledger.store(place, std::size_t(k), convert<R>(mean_arm), of.bodies.radius[body]);
      of.ledger.add_first_half_of_boundary(k, of.bodies, body, place.entry(k), ledger.loss(), slot, of.couple[k],
                                           SurfaceMotion::at(of.boundaries, of.boundaries.pose, slot, true));
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
