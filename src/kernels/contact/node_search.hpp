#pragma once

#include "kernels/contact/boundary_views.hpp"
#include "kernels/contact/node_features.hpp"
#include "kernels/contact/node_geometry.hpp"

/// Finds the nodes that touch, at the beginning of a step, before anything of the step is changed: if the pool has too
/// few pages for them, the step can be begun again with more.
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

/// Nodes of the two bodies of a listed pair that touch the other one; one thread per pair. `Field` says where the
/// fields of deformed grains are: see RemappedField.
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
  /// Bonded nodes have rows wherever they are. Appends those before `node` that do not touch.
  SCREE_HD void append_bonded(BondCursor<R>& bonds, std::uint32_t node, NodeList& list) const {
    for (; bonds.node() < node; bonds.advance()) {
      of.nodes->pool.append(
          list, {.shear = {}, .normal = {}, .overlap = R(0), .extra = {}, .stored = R(0), .node = bonds.node()});
    }
  }

  /// [m] About how far the two bodies move relative to each other in a step.
  SCREE_HD R motion_in_step(const BodyPair& pair) const {
    const auto [i, j] = pair;
    const R turn = norm(of.bodies.angular_velocity[i]) * of.bodies.radius[i] +
                   norm(of.bodies.angular_velocity[j]) * of.bodies.radius[j];
    return of.time_step * (norm(of.bodies.velocity[j] - of.bodies.velocity[i]) + turn);
  }
};

/// Nodes of a grain that are behind a feature of a boundary; one thread per row.
template <class R>
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
    const R motion = motion_in_step(body) + of.time_step * static_cast<R>(grain.swelling);
    for (offset_t k = begin; k < end; ++k) { visit_feature(begin, k, grain, centre, motion); }
  }

 private:
  /// [m] About how far the body moves in a step. Boundaries are slow as a rule.
  SCREE_HD R motion_in_step(index_t body) const {
    return of.time_step *
           (norm(of.bodies.velocity[body]) + norm(of.bodies.angular_velocity[body]) * of.bodies.radius[body]);
  }

  SCREE_HD void visit_feature(offset_t begin, offset_t slot, const NodeBody<R>& grain, const Vec3d& centre,
                              R motion) const {
    const NodeViews<R>& nodes = *of.nodes;
    const Feature feature = of.feature_at(slot);
    const FeaturePass<R> pass = FeaturePass<R>::of(of.boundaries, nodes.grains, feature, grain, centre, double(motion));
    const double deepest = grain.size * double(grain.form->depth);
    NodeList list = nodes.slot_now[slot];
    NearWalk<R, FeaturePass<R>>(nodes.grains, *grain.form, nodes.near_pool, pass)
        .visit(nodes.near_slot[slot], [&](std::uint32_t k) {
          const Vec3d x = centre + grain.arm_of(nodes.grains, k);
          Behind behind;
          if (!is_behind(of.boundaries, feature, centre, x, behind) || behind.depth > deepest) { return; }
          if (behind.on_edge && belongs_to_another(begin, slot, centre, x)) { return; }
          nodes.pool.append(list, {.shear = {},
                                   .normal = convert<R>(behind.normal),
                                   .overlap = static_cast<R>(behind.depth),
                                   .extra = {},
                                   .stored = R(0),
                                   .node = k});
        });
    nodes.slot_now[slot] = list;
  }

  /// Whether a node behind the edge of a facet was given to an earlier facet, of which this one is the continuation.
  SCREE_HD bool belongs_to_another(offset_t begin, offset_t slot, const Vec3d& centre, const Vec3d& x) const {
    const Feature feature = of.feature_at(slot);
    const Vec3d own = closest_point(of.boundaries, feature, x).point;
    for (offset_t k = begin; k < slot; ++k) {
      const Feature earlier = of.feature_at(k);
      Behind behind;
      if (earlier.boundary != feature.boundary || !is_behind(of.boundaries, earlier, centre, x, behind)) { continue; }
      const Vec3d apart = closest_point(of.boundaries, earlier, x).point - own;
      if (dot(apart, apart) <= 1e-16 * math::square(behind.depth)) { return true; }
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
