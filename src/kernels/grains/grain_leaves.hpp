#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "kernels/state/grains.hpp"
#include "scree/grain_shape.hpp"

namespace scree::inline SCREE_BACKEND {

/// A ball of the tree: its nodes, and the index at which the walk continues if the ball is missed.
struct NodeSet {
  std::size_t begin, end;
  std::size_t skip;
  bool leaf;
};

/// Nodes of a shape in an order in which those of a ball follow one another, and the balls in depth-first order.
struct NodeOrder {
  std::vector<std::size_t> node;  ///< [n_nodes] index in the shape
  std::vector<NodeSet> ball;
};

/// Splits the set of nodes along the longest edge of its box until each part fits into a leaf. The order depends on the
/// places of the nodes only, as long as no two nodes have the same place.
class NodeTree {
 public:
  explicit NodeTree(const std::vector<Real3>& place) : place_(place) {
    order_.node.resize(place.size());
    std::iota(order_.node.begin(), order_.node.end(), std::size_t(0));
    if (!place.empty()) { split(0, place.size()); }
  }
  [[nodiscard]] const NodeOrder& order() const { return order_; }

 private:
  void split(std::size_t begin, std::size_t end) {
    const std::size_t own = order_.ball.size();
    order_.ball.push_back({begin, end, 0, end - begin <= nodes_per_leaf});
    const std::size_t axis = longest_axis(begin, end);
    std::sort(order_.node.begin() + std::ptrdiff_t(begin), order_.node.begin() + std::ptrdiff_t(end),
              [&](std::size_t a, std::size_t b) {
                return place_[a][axis] != place_[b][axis] ? place_[a][axis] < place_[b][axis] : place_[a] < place_[b];
              });
    if (!order_.ball[own].leaf) {
      // The left part consists of whole leaves, so that few leaves are only partly filled.
      const std::size_t leaves = (end - begin + nodes_per_leaf - 1) / nodes_per_leaf;
      const std::size_t middle = begin + (leaves / 2) * nodes_per_leaf;
      split(begin, middle);
      split(middle, end);
    }
    order_.ball[own].skip = order_.ball.size();
  }

  [[nodiscard]] std::size_t longest_axis(std::size_t begin, std::size_t end) const {
    Real3 low = place_[order_.node[begin]], high = low;
    for (std::size_t k = begin; k < end; ++k) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], place_[order_.node[k]][axis]);
        high[axis] = std::max(high[axis], place_[order_.node[k]][axis]);
      }
    }
    std::size_t longest = 0;
    for (std::size_t axis = 1; axis < 3; ++axis) {
      if (high[axis] - low[axis] > high[longest] - low[longest]) { longest = axis; }
    }
    return longest;
  }

  const std::vector<Real3>& place_;
  NodeOrder order_;
};

}  // namespace scree::inline SCREE_BACKEND
