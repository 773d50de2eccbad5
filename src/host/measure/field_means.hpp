#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/measure/field_sums.hpp"

namespace scree {

/// Means over the cells of a grid and over a time window, as they are written to a file.
struct FieldTable {
  std::uint64_t step = 0;              ///< steps made at the end of the window
  double time = 0;                     ///< [s] of that step
  std::uint64_t samples = 0;           ///< number of samples in the window
  std::array<double, 2> sampled{};     ///< [s] times of the first and of the last of them
  Real3 origin{}, spacing{};           ///< [m] lowest corner of the grid, edges of a cell; radius, angle and axis
  std::array<std::size_t, 3> cells{};  ///< along x, y and z; or along radius, angle and axis of
  std::optional<CylinderPlace> cylinder{};
  struct Field {
    std::string name, unit;
    std::size_t columns = 1;     ///< 1, 3 of a vector, or 9 of a tensor, row by row
    std::vector<double> values;  ///< [n_cells, columns] cells along x follow each other, then those along y
  };
  std::vector<Field> fields;

  [[nodiscard]] std::size_t size() const { return cells[0] * cells[1] * cells[2]; }
  /// Numbers in a file for each cell.
  static constexpr std::size_t numbers_per_cell(bool selects) { return 48 + (selects ? 3 : 0); }
};

/// Makes the fields from the sums over `samples` > 0 samples. `selects`: the sums see only some of the particles, so
/// there is also a field of the forces of the others on them.
[[nodiscard]] std::vector<FieldTable::Field> field_means(const FieldSums& sums, std::uint64_t samples, bool selects);

}  // namespace scree
