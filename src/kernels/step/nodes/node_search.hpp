#pragma once

#include "kernels/step/boundaries/boundary_views.hpp"
#include "kernels/step/nodes/free_edges.hpp"
#include "kernels/step/nodes/node_features.hpp"
#include "kernels/step/nodes/node_geometry.hpp"

/// Finds the nodes that touch, at the beginning of a step, before the step changes anything. If the pool has too few
/// pages for them, the step can be started again with more pages.
namespace scree::inline SCREE_BACKEND {

/// Empties the side of the pool that this step writes.
template <class R>
struct NodeBegin {
  std::uint64_t* taken;
  const Control* control;
  std::uint32_t side;

  SCREE_INLINE NodeBegin at(const StepMoment<R>& moment) const { return {taken, control, moment.contacts.node_side}; }
  SCREE_HD void operator()(std::size_t) const {
    if (control->halted == 0) { taken[side] = 0; }
  }
};

/// Finds the nodes of the two bodies of a listed pair that touch the other body; one thread per pair. `Field` gives the
/// fields of deformed grains: see RemappedField.
template <class R, class Field>
struct NodePairSearch {
  PairViews<R> of;
  SCREE_INLINE NodePairSearch at(const StepMoment<R>& moment) const { return {of.at(moment)}; }

  SCREE_HD void operator()(std::size_t slot) const {
    if (of.control->halted != 0) { return; }
    const NodeViews<R>& nodes = *of.nodes;
    NodeList list{0, 0, 0, of.node_side};
    nodes.pair_now[slot] = list;
    const BodyPair pair = of.pairs[slot];
    if (nodes.grains.grain_of(pair.first) == no_grain && nodes.grains.grain_of(pair.second) == no_grain) { return; }
    if (is_parked(of.bodies.position[pair.first]) || is_parked(of.bodies.position[pair.second])) { return; }
    const Vec3d branch = of.cell.branch(slot, of.bodies.position[pair.first], of.bodies.position[pair.second]);
    const double reach = double(of.bodies.radius[pair.first]) + double(of.bodies.radius[pair.second]);
    BondCursor<R> bonds(nodes.bonds, slot);
    if (!(dot(branch, branch) < reach * reach)) {
      append_bonded(bonds, bonds.none, list);
      nodes.pair_now[slot] = list;
      return;
    }
    const NodePasses<R> passes = NodePasses<R>::of(of, slot);
    const R motion =
        motion_in_step(pair) + of.time_step * static_cast<R>(passes.body[0].swelling + passes.body[1].swelling);
    for (std::uint32_t p = 0; p < passes.count; ++p) {
      const NodePass<R> pass = passes.pass(p, motion);
      const std::uint32_t s = passes.slave_of(p);
      NearNodes<R>& near = nodes.near_pair[slot * (1 + nodes.two_pass) + p];
      pass.template visit<Field>(nodes.grains, nodes.near_pool, near, [&](std::uint32_t k, const FieldSample<R>& at) {
        const Vec3<R> outwards = pass.normal_of(at);
        const std::uint32_t node = k | (s == 1 ? node_of_second : 0u);
        append_bonded(bonds, node, list);
        if (bonds.node() == node) { bonds.advance(); }
        nodes.pool.append(list,
                          {.shear = {},
                           .normal = s == 1 ? outwards : -outwards,
                           .overlap = -at.distance,
                           .extra = {},
                           .stored = R(0),
                           .node = node},
                          at.reference);
      });
    }
    append_bonded(bonds, bonds.none, list);
    nodes.pair_now[slot] = list;
  }

 private:
  /// Appends the rows of bonded nodes before `node`. A bonded node has a row even if it does not touch.
  SCREE_HD void append_bonded(BondCursor<R>& bonds, std::uint32_t node, NodeList& list) const {
    for (; bonds.node() < node; bonds.advance()) {
      of.nodes->pool.append(
          list, {.shear = {}, .normal = {}, .overlap = R(0), .extra = {}, .stored = R(0), .node = bonds.node()});
    }
  }

  /// [m] An estimate of how far the two bodies move relative to each other in a step.
  SCREE_HD R motion_in_step(const BodyPair& pair) const {
    const auto [i, j] = pair;
    const R turn = norm(of.bodies.angular_velocity[i]) * of.bodies.radius[i] +
                   norm(of.bodies.angular_velocity[j]) * of.bodies.radius[j];
    return of.time_step * (norm(of.bodies.velocity[j] - of.bodies.velocity[i]) + turn);
  }
};

/// Finds the nodes of a grain that are behind a feature of a boundary, and the points of its edges that are inside the
/// grain; one thread per row. For `Field` see NodePairSearch.
template <class R, class Field>
struct NodeBoundarySearch {
  BoundaryContactViews<R> of;
  SCREE_INLINE NodeBoundarySearch at(const StepMoment<R>& moment) const { return {of.at(moment)}; }

  SCREE_HD void operator()(std::size_t row) const {
    if (of.control->halted != 0) { return; }
    const NodeViews<R>& nodes = *of.nodes;
    const offset_t begin = of.row_start[row], end = of.row_start[row + 1];
    for (offset_t k = begin; k < end; ++k) { nodes.slot_now[k] = {0, 0, 0, of.node_side}; }
    const index_t body = of.body_of_row[row];
    const Vec3d centre = of.bodies.position[body];
    if (!of.is_grain(body) || is_parked(centre)) { return; }
    const NodeBody<R> grain = NodeBody<R>::of(nodes.grains, of.bodies, body);
    const GrainField<R, Field> field{of.boundaries, nodes.grains, grain, centre, double(of.bodies.radius[body])};
    const R motion = motion_in_step(body) + of.time_step * static_cast<R>(grain.swelling);
    for (offset_t k = begin; k < end; ++k) {
      visit_feature({begin, end}, k, field, motion);
      visit_edges({begin, end}, k, field);
      if (passes_plane(k, body, centre)) { raise_fault(of.control, FaultKind::crossed_boundary, of.bodies.id[body]); }
    }
  }

 private:
  struct Slots {
    offset_t begin, end;  ///< of the row
  };

  /// [m] An estimate of how far the body moves relative to boundaries in a step. It neglects the motion of boundaries,
  /// which are usually slow.
  SCREE_HD R motion_in_step(index_t body) const {
    return of.time_step *
           (norm(of.bodies.velocity[body]) + norm(of.bodies.angular_velocity[body]) * of.bodies.radius[body]);
  }

  /// Whether the centre of a grain passed through a plane in this step.
  SCREE_HD bool passes_plane(offset_t slot, index_t body, const Vec3d& centre) const {
    const Feature feature = of.feature_at(slot);
    if (feature.kind != FeatureKind::plane) { return false; }
    const double height = surface_height(of.boundaries, feature, centre, centre);
    if (height > 0) { return false; }
    const Pose& pose = of.boundaries.pose[feature.boundary];
    const Vec3<R> own = of.bodies.velocity[body];
    const Vec3d relative = convert<double>(own) - pose.velocity - cross(pose.spin, centre);
    return height - double(of.time_step) * dot(relative, placed_surface(of.boundaries, feature).axis) > 0;
  }

  /// Whether the centre of a grain is in front of a plane that the grain touched in the last step. Then nodes count as
  /// behind the plane however deep they are, because no other surface can have put them there.
  SCREE_HD bool presses_on_plane(offset_t slot, const Vec3d& centre) const {
    const Feature feature = of.feature_at(slot);
    return feature.kind == FeatureKind::plane && of.slots[slot].touching != 0 &&
           surface_height(of.boundaries, feature, centre, centre) > 0;
  }

  SCREE_HD void visit_feature(const Slots& row, offset_t slot, const GrainField<R, Field>& field, R motion) const {
    const NodeViews<R>& nodes = *of.nodes;
    const NodeBody<R>& grain = field.grain;
    const Vec3d& centre = field.centre;
    const Feature feature = of.feature_at(slot);
    const FeaturePass<R> pass = FeaturePass<R>::of(of.boundaries, nodes.grains, feature, grain, centre, double(motion));
    const double deepest = grain.size * double(grain.form->depth);
    NodeList list = nodes.slot_now[slot];
    NearWalk<R, FeaturePass<R>>(nodes.grains, *grain.form, nodes.near_pool, pass)
        .visit(nodes.near_slot[slot], [&](std::uint32_t k) {
          const Vec3d x = centre + grain.arm_of(nodes.grains, k);
          Behind behind;
          if (!is_behind(of.boundaries, feature, centre, x, behind)) { return; }
          if (behind.depth > deepest && !presses_on_plane(slot, centre)) { return; }
          Vec3d through = x;
          if (feature.kind == FeatureKind::facet && !touches_facet(row, slot, centre, x, behind, through)) { return; }
          if (feature.kind != FeatureKind::plane) {
            behind.depth = RowEdges<R>{of, row.begin, row.end}.depth_of(slot, field, x, behind, through);
            if (!(behind.depth > 0)) { return; }
          }
          nodes.pool.append(list, {.shear = {},
                                   .normal = convert<R>(behind.normal),
                                   .overlap = static_cast<R>(behind.depth),
                                   .extra = {},
                                   .stored = R(0),
                                   .node = k});
        });
    nodes.slot_now[slot] = list;
  }

  /// Appends rows for points of edges inside the grain. They have the normal of the surface of the grain, which is
  /// smooth there while the boundary is not.
  SCREE_HD void visit_edges(const Slots& row, offset_t slot, const GrainField<R, Field>& field) const {
    const NodeViews<R>& nodes = *of.nodes;
    NodeList list = nodes.slot_now[slot];
    field.visit_edges(of.slots[slot].feature, [&](std::uint32_t number, const Vec3d& arm, const FieldSample<R>& at) {
      if (RowEdges<R>{of, row.begin, row.end}.is_seam(slot, number, field.centre, field.centre + arm)) { return; }
      const Vec3<R> world = convert<R>(field.grain.turn * convert<double>(at.gradient));
      nodes.pool.append(list,
                        {.shear = {},
                         .normal = (R(-1) / math::max(norm(world), R(1e-30))) * world,
                         .overlap = -at.distance,
                         .extra = {},
                         .stored = R(0),
                         .node = number},
                        at.reference);
    });
    nodes.slot_now[slot] = list;
  }

  /// Whether a node behind the plane of a facet touches this facet. Two conditions must hold. The line from the centre
  /// of the grain to the node goes through the mesh an odd number of times; otherwise the node is beside the mesh, as
  /// where a grain hangs over an edge. And the facet is the nearest one, or of equally near ones the first, that the
  /// node is behind. `through` becomes the place where the line goes through the mesh.
  ///
  /// A mesh of several parts is the union of what is behind each of them, so the line need go through one of them only
  /// an odd number of times. A facet inside the union, such as a wall between two bodies side by side, touches nothing.
  SCREE_HD bool touches_facet(const Slots& row, offset_t slot, const Vec3d& centre, const Vec3d& x,
                              const Behind& behind, Vec3d& through) const {
    const std::uint32_t boundary = of.feature_at(slot).boundary;
    // The line starts a little beside the centre, so that it hardly ever meets a vertex or an edge exactly.
    const double aside = 1e-6 * norm(x - centre);
    const Vec3d from = centre + Vec3d{0.37 * aside, 0.61 * aside, 0.71 * aside};
    if (of.boundaries.info[boundary].n_parts > 1) {
      return touches_union(row, slot, {centre, from, x, boundary}, behind, through);
    }
    bool inside = false;
    for (offset_t k = row.begin; k < row.end; ++k) {
      const Feature facet = of.feature_at(k);
      if (facet.boundary != boundary || facet.kind != FeatureKind::facet) { continue; }
      inside = inside != goes_through_facet(of.boundaries, facet, from, x, through);
      Behind other;
      if (k == slot || !is_behind(of.boundaries, facet, centre, x, other)) { continue; }
      if (is_nearer(k, other, slot, behind)) { return false; }
    }
    return inside;
  }

  /// Whether a node is nearer to the facet of slot k than to the facet of `slot`. If both are equally near, the first
  /// counts as nearer.
  SCREE_HD static bool is_nearer(offset_t k, const Behind& of_k, offset_t slot, const Behind& of_slot) {
    return of_k.depth < (k < slot ? 1 + 1e-9 : 1 - 1e-9) * of_slot.depth;
  }

  /// A node behind the plane of a facet of a mesh with several parts.
  struct NodeBehind {
    Vec3d centre, from, x;  ///< [m] of the grain, a little beside it, and of the node
    std::uint32_t boundary;
  };

  SCREE_HD bool touches_union(const Slots& row, offset_t slot, const NodeBehind& node, const Behind& behind,
                              Vec3d& through) const {
    if (!is_behind_some_part(row, node.boundary, node.from, node.x, through)) { return false; }
    if (!is_outermost(row, node, behind)) { return false; }
    for (offset_t k = row.begin; k < row.end; ++k) {
      const Feature facet = of.feature_at(k);
      if (k == slot || facet.boundary != node.boundary || facet.kind != FeatureKind::facet) { continue; }
      Behind other;
      if (!is_behind(of.boundaries, facet, node.centre, node.x, other)) { continue; }
      if (is_nearer(k, other, slot, behind) && is_outermost(row, node, other)) { return false; }
    }
    return true;
  }

  /// Whether the space just in front of the foot of a node on a facet is behind no part of the mesh.
  SCREE_HD bool is_outermost(const Slots& row, const NodeBehind& node, const Behind& behind) const {
    const double reach = norm(node.x - node.centre), gap = gap_at(norm(node.x), reach);
    Vec3d ignored;
    return !is_behind_some_part(row, node.boundary, node.from, node.x + (behind.depth + 2 * gap) * behind.normal,
                                ignored);
  }

  /// Whether the line from p to q goes through some part of a mesh an odd number of times. If so, `through` becomes a
  /// point where it does.
  SCREE_HD bool is_behind_some_part(const Slots& row, std::uint32_t boundary, const Vec3d& p, const Vec3d& q,
                                    Vec3d& through) const {
    const auto crosses = [&](offset_t k, Vec3d& place) {
      const Feature facet = of.feature_at(k);
      return facet.boundary == boundary && facet.kind == FeatureKind::facet &&
             goes_through_facet(of.boundaries, facet, p, q, place);
    };
    const auto part_of = [&](offset_t k) {
      return of.boundaries.part[of.slots[k].feature - of.boundaries.first_facet];
    };
    for (offset_t k = row.begin; k < row.end; ++k) {
      Vec3d place;
      if (!crosses(k, place)) { continue; }
      bool odd = true, first = true;
      for (offset_t other = row.begin; other < row.end; ++other) {
        Vec3d ignored;
        if (other == k || !crosses(other, ignored) || part_of(other) != part_of(k)) { continue; }
        first = first && other > k;
        odd = !odd;
      }
      if (!first || !odd) { continue; }
      through = place;
      return true;
    }
    return false;
  }
};

/// Halts the step if the pool has too few pages.
template <class R>
struct NodeCheck {
  const std::uint64_t* taken;
  std::uint64_t pages;
  Control* control;
  std::uint32_t side;

  SCREE_INLINE NodeCheck at(const StepMoment<R>& moment) const {
    return {taken, pages, control, moment.contacts.node_side};
  }
  SCREE_HD void operator()(std::size_t) const {
    if (control->halted == 0 && taken[side] > pages) { control->halted = 1; }
  }
};

}  // namespace scree::inline SCREE_BACKEND
