#pragma once

#include "kernels/contact/edge_points.hpp"
#include "kernels/state/cell.hpp"

/// Where the nodes of a contact touch, for the critical time step. A contact of level-set grains has many points, so
/// that it also holds the bodies against turning, and its normals may point anywhere. Whatever the law is, all nodes of
/// a contact have the same stiffness per weight.
namespace scree::inline SCREE_BACKEND {

template <class R>
struct TouchingNodes {
  const NodeViews<R>& nodes;
  const BodyView<R>& bodies;

  /// Calls take(share, normal, arm) for each node of a slot of a boundary: the share [-] of the stiffness of the slot,
  /// and the arm [m] from the centre of the body.
  template <class Take>
  SCREE_HD void each_of_slot(const BoundaryView& boundaries, const BoundarySlot<R>& slot, offset_t k, index_t body,
                             Take&& take) const {
    const NodeBody<R> grain = NodeBody<R>::of(nodes.grains, bodies, body);
    const FeaturePoints<R> points{nodes.grains, grain, bodies.position[body], boundaries, slot.feature};
    each_share(
        nodes.of_slot[k], [&](std::uint32_t node) { return points.weight_of(node, nodes.by_area != 0); },
        [&](double share, const NodeRow<R>& row) {
          take(share, convert<double>(row.normal), convert<double>(points.arm_of(row)));
        });
  }

  /// The same for the nodes of a pair, with arms from the centre of its first body. `branch` [m] leads from there to
  /// that of the second.
  template <class Take>
  SCREE_HD void each_of_pair(std::size_t slot, const BodyPair& pair, const Vec3d& branch, Take&& take) const {
    const NodeBody<R> body[2] = {NodeBody<R>::of(nodes.grains, bodies, pair.first),
                                 NodeBody<R>::of(nodes.grains, bodies, pair.second)};
    const auto slave_of = [&](std::uint32_t node) -> const NodeBody<R>& {
      return body[(node & node_of_second) != 0 ? 1 : 0];
    };
    const auto weight_of = [&](std::uint32_t node) {
      if (nodes.by_area == 0) { return R(1); }
      const NodeBody<R>& slave = slave_of(node);
      return slave.area_of(nodes.grains.node[slave.form->first_node + (node & ~node_of_second)]);
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
    for (NodeCursor<R> at(nodes.pool, list); !at.at_end(); at.advance()) { sum += double(weight_of(at.row().node)); }
    for (NodeCursor<R> at(nodes.pool, list); !at.at_end(); at.advance()) {
      take(double(weight_of(at.row().node)) / sum, at.row());
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
