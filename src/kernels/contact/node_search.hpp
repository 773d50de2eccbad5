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

/// Nodes of the two bodies of a listed pair that touch the other one; one thread per pair.
template <class R>
struct NodePairSearch {
  PairViews<R> of;
  SCREE_INLINE NodePairSearch at(const StepMoment<R>& moment) const { return {of.at(moment.contacts)}; }

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
    if (!(dot(branch, branch) < reach * reach)) { return; }
    const NodePasses<R> passes = NodePasses<R>::of(of, slot);
    for (std::uint32_t p = 0; p < passes.count; ++p) {
      const NodePass<R> pass = passes.pass(p);
      const std::uint32_t s = passes.slave_of(p);
      pass.visit(nodes.grains, [&](std::uint32_t k, const FieldSample<R>& at) {
        const Vec3<R> outwards = pass.normal_of(at);
        nodes.pool.append(list, {.shear = {},
                                 .normal = s == 1 ? outwards : -outwards,
                                 .overlap = -at.distance,
                                 .extra = {},
                                 .node = k | (s == 1 ? node_of_second : 0u)});
      });
    }
    nodes.pair_now[slot] = list;
  }
};

/// Nodes of a grain that are behind a feature of a boundary; one thread per row.
template <class R>
struct NodeBoundarySearch {
  BoundaryContactViews<R> of;
  SCREE_INLINE NodeBoundarySearch at(const StepMoment<R>& moment) const { return {of.at(moment.contacts)}; }

  SCREE_HD void operator()(std::size_t row) const {
    if (of.control->halted != 0) { return; }
    const NodeViews<R>& nodes = *of.nodes;
    const offset_t begin = of.row_start[row], end = of.row_start[row + 1];
    for (offset_t k = begin; k < end; ++k) { nodes.slot_now[k] = {0, 0, 0, of.node_side}; }
    const index_t body = of.body_of_row[row];
    const Vec3d centre = of.bodies.position[body];
    if (!of.is_grain(body) || is_parked(centre)) { return; }
    const NodeBody<R> grain = NodeBody<R>::of(nodes.grains, of.bodies, body);
    const GrainForm<R>& form = *grain.form;
    const double deepest = grain.size * double(form.depth);
    std::uint32_t b = 0;
    while (b < form.n_balls) {
      const NodeBall<R>& ball = nodes.grains.ball[form.first_ball + b];
      const Vec3d middle = centre + grain.turn * (grain.size * convert<double>(ball.centre));
      const double reach = grain.size * double(ball.radius);
      bool any = false;
      for (offset_t k = begin; k < end; ++k) {
        const Feature feature = of.feature_at(k);
        if (surface_height(of.boundaries, feature, centre, middle) >= reach) { continue; }
        any = true;
        if (ball.count > 0) { visit_nodes(begin, k, ball, grain, centre, deepest); }
      }
      b = any ? b + 1 : ball.skip;
    }
  }

 private:
  SCREE_HD void visit_nodes(offset_t begin, offset_t slot, const NodeBall<R>& ball, const NodeBody<R>& grain,
                            const Vec3d& centre, double deepest) const {
    const NodeViews<R>& nodes = *of.nodes;
    const Feature feature = of.feature_at(slot);
    NodeList list = nodes.slot_now[slot];
    for (std::uint32_t k = ball.first; k < ball.first + ball.count; ++k) {
      const Vec3d x = centre + grain.arm_of(nodes.grains.node[grain.form->first_node + k]);
      Behind behind;
      if (!is_behind(of.boundaries, feature, centre, x, behind) || behind.depth > deepest) { continue; }
      if (behind.on_edge && belongs_to_another(begin, slot, centre, x)) { continue; }
      nodes.pool.append(list, {.shear = {},
                               .normal = convert<R>(behind.normal),
                               .overlap = static_cast<R>(behind.depth),
                               .extra = {},
                               .node = k});
    }
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
