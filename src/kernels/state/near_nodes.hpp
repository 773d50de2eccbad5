#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/mat3.hpp"

/// The nodes of a grain that are near to something they may touch. They are found from time to time, and only these
/// nodes are looked at until the grain has moved so far that others could touch. No result depends on them: they only
/// exclude nodes that cannot touch.
namespace scree::inline SCREE_BACKEND {

inline constexpr std::uint32_t nodes_per_leaf = 8;  ///< at most

/// The placement of a grain in a frame: its template is turned, scaled and shifted. The frame is the template of
/// another grain, the centre of a sphere, or a boundary as the scene describes it.
template <class R>
struct NodeMap {
  Mat3<R> turn;  ///< also scales
  Vec3<R> offset;

  SCREE_INLINE Vec3<R> operator()(const Vec3<R>& place) const { return offset + turn * place; }
};

/// A bound of the distance that a point within `reach` of the origin of the template has moved between two maps, in
/// lengths of the frame. The maps are those rounded to R.
template <class R>
SCREE_HD R motion_between(const NodeMap<R>& then, const NodeMap<R>& now, R reach) {
  const Mat3<R> turned = now.turn - then.turn;
  const R turn = math::sqrt(dot(turned.x, turned.x) + dot(turned.y, turned.y) + dot(turned.z, turned.z));
  return R(1.0001) * (norm(now.offset - then.offset) + reach * turn);
}

/// The near nodes of one contact. Where `leaf` of the pool names a ball of the tree, its lowest bits say which nodes of
/// the ball are near.
template <class R>
struct NearNodes {
  NodeMap<R> then;  ///< when they were found
  double path;      ///< [m] value of the path of the two bodies by deformation at that time
  R margin;         ///< no other node touches until something has moved this far since then; 0: nothing is known
  std::uint32_t first, capacity, count;  ///< in the pool
};

/// Room for near nodes. A contact without room finds its near nodes anew in each step until the pool has grown.
struct NearPool {
  static constexpr std::uint32_t asked = 0xffffffffu;  ///< `first` of a contact that got no room
  Span<std::uint32_t> leaf;
  std::uint64_t* taken = nullptr;     ///< [1] room asked for, also beyond the room there is
  std::uint64_t* searches = nullptr;  ///< [1] how often near nodes were found

  /// Gives a contact twice the room that it needs. Its near nodes are forgotten.
  template <class R>
  SCREE_HD void give_room(NearNodes<R>& near) const {
    const std::uint64_t wanted = std::uint64_t(2) * near.count;
    near.count = near.capacity = 0;
    near.margin = R(0);
    if (near.first == asked) { return; }
    const std::uint64_t first = atomic_add(taken, wanted);
    const bool fits = first + wanted <= leaf.size;
    near.first = fits ? static_cast<std::uint32_t>(first) : asked;
    near.capacity = fits ? static_cast<std::uint32_t>(wanted) : 0;
  }
};

}  // namespace scree::inline SCREE_BACKEND
