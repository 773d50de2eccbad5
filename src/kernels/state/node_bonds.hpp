#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/vec3.hpp"
#include "kernels/state/bodies.hpp"

/// Bonds between level-set grains. Each joins a node of one grain, the slave, with a point on the surface of another,
/// the master. All bonds of a run exist before its first step. They lie in one list, sorted by the ids of the two
/// bodies and by node, so they need not move when bodies do.
namespace scree::inline SCREE_BACKEND {

/// All lengths are those of the template of the master.
template <class R>
struct NodeBond {
  Vec3d place;            ///< [m] of the node when the bond was made, less the displacement of `point` at that time
  Vec3<R> point;          ///< [m] of the master, before deformation
  Vec3<R> normal;         ///< [-] of the master there, outwards, in its axes
  R overlap;              ///< [m] of the node with the master when the bond was made, or 0
  R strength;             ///< [-] multiple of the strength of the law
  index_t first, second;  ///< ids of the bodies of the pair
  std::uint32_t node;     ///< as in NodeRow
  std::uint32_t whole;    ///< 1, or 0 once it is broken
};

/// The bonds of a pair.
struct BondRange {
  std::uint32_t begin, end;
};

template <class R>
struct NodeBondViews {
  Span<NodeBond<R>> bond;   ///< [n_bonds] empty in a run without such bonds
  Span<BondRange> of_pair;  ///< [n_pairs]
  double range = 1;         ///< [-] bonds break where two bodies are farther apart than this multiple of r1 + r2
};

/// The place where the bonds of pairs are stored while they are made.
template <class R>
struct FoundBonds {
  Span<std::uint32_t> count, start;  ///< [n_pairs] number of bonds, and place of the first
  Span<NodeBond<R>> bond;            ///< empty while they are counted
};

/// Walks through the whole bonds of a pair in ascending order of nodes.
template <class R>
class BondCursor {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  SCREE_HD BondCursor(const NodeBondViews<R>& of, std::size_t slot) : of_(of) {
    if (of.bond.size == 0) { return; }
    const BondRange range = of.of_pair[slot];
    at_ = range.begin;
    end_ = range.end;
    find_whole();
  }

  /// The bonded node; `none` at the end.
  SCREE_INLINE std::uint32_t node() const { return node_; }
  SCREE_INLINE NodeBond<R>& bond() const { return of_.bond[at_]; }
  SCREE_HD void advance() {
    ++at_;
    find_whole();
  }

 private:
  SCREE_HD void find_whole() {
    while (at_ < end_ && of_.bond[at_].whole == 0) { ++at_; }
    node_ = at_ < end_ ? of_.bond[at_].node : none;
  }

  const NodeBondViews<R>& of_;
  std::uint32_t at_ = 0, end_ = 0, node_ = none;
};

}  // namespace scree::inline SCREE_BACKEND
