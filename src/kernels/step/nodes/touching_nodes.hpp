#pragma once

#include "kernels/state/cell.hpp"
#include "kernels/step/nodes/edge_points.hpp"

/// The points at which the nodes of a contact touch, for the critical time step and for readouts. A contact of
/// level-set grains has many points, so that it also resists the rotation of the bodies, and its normals may have any
/// direction.
namespace scree::inline SCREE_BACKEND {

/// Weighs nodes by their stiffness. In the critical time step, and in bonds, all nodes of a contact have the same
/// stiffness per weight.
template <class R>
struct ByStiffness {
  SCREE_INLINE double operator()(const NodeRow<R>&) const { return 1; }
};

/// Weighs nodes by the force of their normal springs, up to a factor that all nodes of a contact share.
template <class R>
struct ByPressure {
  bool is_hertzian;

  SCREE_INLINE double operator()(const NodeRow<R>& row) const {
    const double overlap = math::max(double(row.overlap), 0.0);
    return is_hertzian ? overlap * math::sqrt(overlap) : overlap;
  }
};

template <class R>
struct TouchingNodes {
  const NodeViews<R>& nodes;
  const BodyView<R>& bodies;

  /// Calls take(share, normal, arm) for each node of a slot of a boundary. The share [-] is the weight of the node by
  /// `by` over the sum of these weights, and the arm [m] leads from the centre of the body.
  template <class Take, class By = ByStiffness<R>>
  SCREE_HD void each_of_slot(const BoundaryView& boundaries, const BoundarySlot<R>& slot, offset_t k, index_t body,
                             Take&& take, const By& by = {}) const {
    const NodeBody<R> grain = NodeBody<R>::of(nodes.grains, bodies, body);
    const FeaturePoints<R> points{nodes.grains, grain, bodies.position[body], boundaries, slot.feature};
    each_share(
        nodes.of_slot[k],
        [&](const NodeRow<R>& row) { return double(points.weight_of(row.node, nodes.by_area != 0)) * by(row); },
        [&](double share, const NodeRow<R>& row) {
          take(share, convert<double>(row.normal), convert<double>(points.arm_of(row)));
        });
  }

  /// The same for the nodes of a pair, with arms from the centre of its first body. `branch` [m] leads from this centre
  /// to that of the second body.
  template <class Take, class By = ByStiffness<R>>
  SCREE_HD void each_of_pair(std::size_t slot, const BodyPair& pair, const Vec3d& branch, Take&& take,
                             const By& by = {}) const {
    const NodeBody<R> body[2] = {NodeBody<R>::of(nodes.grains, bodies, pair.first),
                                 NodeBody<R>::of(nodes.grains, bodies, pair.second)};
    const auto slave_of = [&](std::uint32_t node) -> const NodeBody<R>& {
      return body[(node & node_of_second) != 0 ? 1 : 0];
    };
    const auto weight_of = [&](const NodeRow<R>& row) {
      if (nodes.by_area == 0) { return by(row); }
      const NodeBody<R>& slave = slave_of(row.node);
      return double(slave.area_of(nodes.grains.node[slave.form->first_node + (row.node & ~node_of_second)])) * by(row);
    };
    each_share(nodes.of_pair[slot], weight_of, [&](double share, const NodeRow<R>& row) {
      const bool second = (row.node & node_of_second) != 0;
      const Vec3d normal = convert<double>(row.normal);
      const Vec3d half = (0.5 * double(row.overlap)) * normal;
      const Vec3d arm = slave_of(row.node).arm_of(nodes.grains, row.node & ~node_of_second);
      take(share, normal, second ? branch + arm + half : arm - half);
    });
  }

 private:
  template <class WeightOf, class Take>
  SCREE_HD void each_share(const NodeList& list, const WeightOf& weight_of, Take&& take) const {
    double sum = 0;
    for (NodeCursor<R> at(nodes.pool, list); !at.at_end(); at.advance()) { sum += weight_of(at.row()); }
    const double alike = 1 / double(list.count);  // if no node presses
    for (NodeCursor<R> at(nodes.pool, list); !at.at_end(); at.advance()) {
      take(sum > 0 ? weight_of(at.row()) / sum : alike, at.row());
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
