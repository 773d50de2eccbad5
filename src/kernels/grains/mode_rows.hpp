#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/archive/state_io.hpp"
#include "kernels/backend/buffer.hpp"

/// Values of the modes of all grains in checkpoints: rows of `stride` numbers, one row for each clump.
namespace scree::inline SCREE_BACKEND {

/// Writes the rows in an order: that of the clumps by their ids.
inline void save_mode_rows(const std::vector<std::size_t>& order, StateWriter& out, const char* name, const char* unit,
                           const Buffer<double>& rows, std::uint32_t stride) {
  const std::vector<double> values = rows.to_vector();
  out.rows(
      name, unit, order.size(), [&](std::size_t i) -> const double& { return values[order[i] * stride]; }, stride);
}

/// Reads the rows of `n` clumps that save_mode_rows() wrote. Throws StateError.
inline void restore_mode_rows(std::size_t n, StateReader& in, const char* name, Buffer<double>& rows,
                              std::uint32_t stride) {
  std::vector<double> values(n * stride);
  in.rows(
      name, "", n, [&](std::size_t i) -> double& { return values[i * stride]; }, stride);
  rows.assign(values, "modes of grains");
}

}  // namespace scree::inline SCREE_BACKEND
