#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "scree/time_table.hpp"

/// Membranes, as an engine takes them.
namespace scree {

/// The triangular lattice of the nodes of a membrane: rings across the axis, of which every second is shifted by half
/// of the distance of neighbours. Node i of ring r is the node r * around + i. Seen from outside, with the axis upward,
/// i increases to the right.
struct MembraneLattice {
  std::uint32_t around = 0;  ///< nodes of a ring
  std::uint32_t rings = 0;

  [[nodiscard]] constexpr std::uint32_t nodes() const { return around * rings; }

  /// Neighbour `k` of a node. Seen from outside, neighbours count counter-clockwise from the right: right, upper right,
  /// upper left, left, lower left, lower right. Returns `none` above the last ring and below the first one.
  [[nodiscard]] constexpr std::uint32_t neighbour(std::uint32_t node, std::uint32_t k) const {
    const std::uint32_t ring = node / around, i = node % around;
    const std::uint32_t before = i > 0 ? i - 1 : around - 1, after = i + 1 < around ? i + 1 : 0;
    if (k == 0) { return ring * around + after; }
    if (k == 3) { return ring * around + before; }
    const bool up = k < 3;
    if (up ? ring + 1 >= rings : ring == 0) { return none; }
    const bool is_right = k == 1 || k == 5, is_shifted = ring % 2 != 0;
    const std::uint32_t column = is_right ? (is_shifted ? after : i) : (is_shifted ? i : before);
    return (up ? ring + 1 : ring - 1) * around + column;
  }
  static constexpr std::uint32_t none = 0xffffffffU;
  static constexpr std::uint32_t most_neighbours = 6;
};

/// A membrane. Its nodes are consecutive particles.
struct SceneMembrane {
  std::string name;
  std::size_t entry = 0;    ///< index in Case::particles
  std::uint32_t first = 0;  ///< id of its first node
  MembraneLattice lattice;
  TimeTable pressure;  ///< [Pa] from outside; times of the run

  [[nodiscard]] bool has_node(std::uint32_t id) const { return id >= first && id - first < lattice.nodes(); }
};

}  // namespace scree
