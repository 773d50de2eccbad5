#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/vec3.hpp"

/// Contacts of the nodes of level-set grains. A pair of bodies, or a body and a feature of a boundary, touches at any
/// number of nodes. Each of these node contacts has a row. The rows of one slot form a list of pages in ascending order
/// of nodes.
///
/// Every step writes all rows anew, into one of two sides of the pool, and reads what nodes remember from the other
/// side. Pages are therefore taken one after the other and never given back. No result depends on where pages lie.
namespace scree::inline SCREE_BACKEND {

inline constexpr std::uint32_t nodes_per_page = 8;
/// Components of the history of a law, beyond the shear, that a row has room for.
inline constexpr int node_history = 3;
/// Set in the number of a node if it belongs to the second body of a pair.
inline constexpr std::uint32_t node_of_second = 0x80000000u;
/// Set in the number of a node if it is not a node of the grain but a point of an edge of the boundary: see EdgeLine.
inline constexpr std::uint32_t node_on_edge = 0x40000000u;

/// One node that touches.
template <class R>
struct NodeRow {
  Vec3<R> shear;          ///< [N] elastic tangential force on the second body, or on the body at a boundary
  Vec3<R> normal;         ///< [-] as in ContactState
  R overlap;              ///< [m]
  R extra[node_history];  ///< of the law
  R stored;               ///< [J] in the springs of the law; only with an energy ledger
  std::uint32_t node;     ///< index among the nodes of the shape, and perhaps node_of_second; or see node_on_edge
};

/// The load at a node. It is stored only if a reader needs it.
template <class R>
struct NodeLoad {
  Vec3<R> force;  ///< [N] on the second body, or on the body at a boundary
  Vec3<R> arm;    ///< [m] contact point relative to the centre of that body
};

/// The list of one slot.
struct NodeList {
  std::uint32_t count = 0;
  std::uint32_t first = 0, last = 0;  ///< its pages; without meaning if there are no rows
  std::uint32_t side = 0;             ///< of the pool
};

/// View of the pool.
template <class R>
struct NodePool {
  Span<NodeRow<R>> row[2];      ///< [pages * nodes_per_page] of each side
  Span<std::uint32_t> next[2];  ///< [pages] next page of the same list
  Span<NodeLoad<R>> load;       ///< [pages * nodes_per_page] of the present step; empty if no reader needs it
  /// [pages * nodes_per_page] [m] for the present step: the place of the contact point before deformation, in the
  /// template of the body whose field was sampled; empty if no grain deforms
  Span<Vec3<R>> reference;
  std::uint64_t* taken = nullptr;  ///< [2] pages that a step has asked for, also beyond those there are
  SCREE_INLINE std::size_t pages() const { return next[0].size; }

  /// Whether a list has points of edges. They have the highest numbers, so they are its last rows.
  SCREE_INLINE bool has_edges(const NodeList& list) const {
    if (list.count == 0) { return false; }
    const std::size_t last = std::size_t(list.last) * nodes_per_page + (list.count - 1) % nodes_per_page;
    return (row[list.side][last].node & node_on_edge) != 0;
  }

  /// Appends a row to a list, unless there are no pages left. The caller must check `taken` afterwards.
  SCREE_HD void append(NodeList& list, const NodeRow<R>& value, const Vec3<R>& from = {}) const {
    const std::uint32_t place = list.count % nodes_per_page;
    if (place == 0) {
      const std::uint64_t fresh = atomic_add(&taken[list.side], std::uint64_t(1));
      if (fresh >= pages()) { return; }
      const auto page = static_cast<std::uint32_t>(fresh);
      if (list.count == 0) {
        list.first = page;
      } else {
        next[list.side][list.last] = page;
      }
      list.last = page;
    }
    row[list.side][std::size_t(list.last) * nodes_per_page + place] = value;
    if (reference.size > 0) { reference[std::size_t(list.last) * nodes_per_page + place] = from; }
    ++list.count;
  }
};

/// Walks through a list.
template <class R>
class NodeCursor {
 public:
  SCREE_INLINE NodeCursor(const NodePool<R>& pool, const NodeList& list)
      : pool_(pool), side_(list.side), left_(list.count), page_(list.first) {}

  SCREE_INLINE bool at_end() const { return left_ == 0; }
  SCREE_INLINE NodeRow<R>& row() const { return pool_.row[side_][place()]; }
  SCREE_INLINE const Vec3<R>& reference() const { return pool_.reference[place()]; }
  SCREE_INLINE void keep(const NodeLoad<R>& load) const {
    if (pool_.load.size > 0) { pool_.load[place()] = load; }
  }
  SCREE_INLINE void advance() {
    --left_;
    if (++place_ == nodes_per_page && left_ > 0) {
      page_ = pool_.next[side_][page_];
      place_ = 0;
    }
  }

 private:
  SCREE_INLINE std::size_t place() const { return std::size_t(page_) * nodes_per_page + place_; }

  const NodePool<R>& pool_;
  std::uint32_t side_, left_, page_, place_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
