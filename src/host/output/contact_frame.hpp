#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "scree/cell.hpp"
#include "scree/engine.hpp"

namespace scree {

/// All touching contacts at one moment, as a file has them; first those between particles, in ascending order of ids,
/// then those with boundaries. Arrays have the length [n_contacts] unless they say something else.
struct ContactTable {
  std::uint64_t step = 0;
  double time = 0;  ///< [s] of the step; places and forces are those of one step before
  /// [2 n_contacts] [m] ends of a line for each contact: the centres of both particles, or the contact point and the
  /// centre of the particle at a boundary
  std::vector<Real3> ends;
  std::vector<std::uint32_t> first, second;         ///< ids; at a boundary the first is its index
  std::vector<std::uint8_t> with_boundary, bonded;  ///< 0 or 1
  std::vector<Real3> point, normal;                 ///< [m], [-] from the first to the second
  std::vector<double> normal_force;                 ///< [N] positive if it presses both apart
  std::vector<Real3> shear_force, spring;           ///< [N] on the second; `spring` is the part the contact remembers
  std::vector<double> overlap;                      ///< [m] NaN at level-set grains
  /// [N m] on the second, about the point; none in a case without level-set grains. A table without contacts has it,
  /// too
  std::optional<std::vector<Real3>> couple;
  std::optional<CellState> cell;
  /// edges between the second particle and the image of it that is touched; empty without a cell
  std::vector<std::array<std::int32_t, 3>> cell_offset;

  [[nodiscard]] std::size_t size() const { return first.size(); }
  /// [bytes] of one contact in memory.
  [[nodiscard]] static constexpr std::size_t bytes_each(bool in_cell, bool of_grains) {
    constexpr std::size_t numbers = 2, ids = 2, flags = 2;
    const std::size_t vectors = of_grains ? 7 : 6;  // ends are two vectors
    return vectors * sizeof(Real3) + numbers * sizeof(double) + ids * sizeof(std::uint32_t) + flags +
           (in_cell ? sizeof(std::array<std::int32_t, 3>) : 0);
  }
};

/// Reads the contacts of the present state. Throws KernelFault when a force or a place is not finite; ContractError as
/// Engine::touching_contacts(). `of_grains`: the table has couples, since there may be level-set grains.
[[nodiscard]] ContactTable collect_contacts(Engine& engine, bool of_grains = false);

}  // namespace scree
