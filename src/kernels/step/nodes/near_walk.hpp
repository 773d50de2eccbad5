#pragma once

#include "kernels/state/grains.hpp"

/// Visits the nodes of a grain that may touch something.
namespace scree::inline SCREE_BACKEND {

/// The best skin for a grain that moves by `motion` in a step. A node counts as near if its clearance is at most the
/// skin. With a wide skin the near nodes stay valid for many steps, but each step looks at many nodes. Finding near
/// nodes costs about as much as looking at the nodes in a skin of four grid spacings.
template <class R>
SCREE_HD R best_skin(R spacing, R motion) {
  const R skin = math::sqrt(R(4) * spacing * motion);
  return math::max(R(0.05) * spacing, math::min(skin, spacing));
}

/// Walks over the nodes of a grain that may touch something else. `Surroundings` says for one contact how far the nodes
/// are from touching, as NodePass and FeaturePass do:
/// - Length: the type of lengths. All lengths belong to one frame, which may move with the touched body or boundary;
/// - map: NodeMap<Length> of the grain in the frame;
/// - clearance(centre, radius): a length that a ball of the template can move before anything in it touches, or less;
/// - clearance_of(place): the same for a node, as large as can be known;
/// - place_of(k): the place of a node in the template, where deformation has moved it; no node is farther than `swell`
///   from its place in the undeformed grain;
/// - path: [m] how far points have moved by deformation since some moment; multiplied by `per_path` it is a Length;
/// - limit: the clearances hold until the grain has moved this far; 0: they hold for no motion at all;
/// - skin: a node whose clearance is at most this counts as near.
template <class R, class Surroundings>
class NearWalk {
  using Length = typename Surroundings::Length;

 public:
  SCREE_INLINE NearWalk(const GrainViews<R>& grains, const GrainForm<R>& form, const NearPool& pool,
                        const Surroundings& around)
      : grains_(grains), form_(form), pool_(pool), around_(around) {}

  /// Calls look(node) for nodes in ascending order. All nodes that touch are among them, whatever `near` remembers.
  template <class Look>
  SCREE_HD void visit(NearNodes<Length>& near, Look&& look) const {
    const Length reach = Length(form_.reach) + Length(around_.swell);
    const Length deformed = around_.per_path * static_cast<Length>(around_.path - near.path);
    if (motion_between(near.then, around_.map, reach) + deformed < near.margin) {
      visit_near(near, look);
    } else {
      find_near(near, look);
    }
  }

 private:
  template <class Look>
  SCREE_HD void visit_near(const NearNodes<Length>& near, Look&& look) const {
    for (std::uint32_t n = 0; n < near.count; ++n) {
      const std::uint32_t leaf = pool_.leaf[near.first + n];
      const std::uint32_t first = grains_.ball[form_.first_ball + (leaf >> nodes_per_leaf)].first;
      for (std::uint32_t k = 0; k < nodes_per_leaf; ++k) {
        if (((leaf >> k) & 1u) != 0) { look(first + k); }
      }
    }
  }

  template <class Look>
  SCREE_HD void find_near(NearNodes<Length>& near, Look&& look) const {
    atomic_add(pool_.searches, std::uint64_t(1));
    near.count = 0;
    Length margin = around_.limit;
    std::uint32_t b = 0;
    while (b < form_.n_balls) {
      const NodeBall<R>& ball = grains_.ball[form_.first_ball + b];
      const Length above = around_.clearance(ball.centre, ball.radius + static_cast<R>(around_.swell));
      if (above > around_.skin) {
        margin = math::min(margin, above);
        b = ball.skip;
        continue;
      }
      if (ball.count > 0) { note(near, b, near_nodes_of(ball, look, margin)); }
      ++b;
    }
    near.then = around_.map;
    near.path = around_.path;
    near.margin = margin;
    if (!(margin > Length(0))) { near.count = 0; }
    if (near.count > near.capacity) { pool_.give_room(near); }
  }

  /// A bit for each node of a leaf that is near.
  template <class Look>
  SCREE_HD std::uint32_t near_nodes_of(const NodeBall<R>& leaf, Look&& look, Length& margin) const {
    std::uint32_t near = 0;
    for (std::uint32_t k = 0; k < leaf.count; ++k) {
      const Length above = around_.clearance_of(around_.place_of(leaf.first + k));
      if (above > around_.skin) {
        margin = math::min(margin, above);
      } else {
        near |= 1u << k;
        look(leaf.first + k);
      }
    }
    return near;
  }

  SCREE_HD void note(NearNodes<Length>& near, std::uint32_t ball, std::uint32_t which) const {
    if (which == 0) { return; }
    if (near.count < near.capacity) { pool_.leaf[near.first + near.count] = (ball << nodes_per_leaf) | which; }
    ++near.count;
  }

  const GrainViews<R>& grains_;
  const GrainForm<R>& form_;
  const NearPool& pool_;
  const Surroundings& around_;
};

}  // namespace scree::inline SCREE_BACKEND
