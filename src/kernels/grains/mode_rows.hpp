#pragma once

#include <cstdint>
#include <vector>

#include "kernels/archive/state_io.hpp"
#include "kernels/run_state.hpp"

/// Values of the modes of all grains in checkpoints: rows of `stride` numbers, one row for each clump.
namespace scree::inline SCREE_BACKEND {

/// Writes the rows in the order of the ids of the clumps.
template <class R>
void save_mode_rows(const RunState<R>& run, StateWriter& out, const char* name, const char* unit,
                    const Buffer<double>& rows, std::uint32_t stride) {
  const std::vector<std::size_t> order = run.clumps.places_by_id();
  const std::vector<double> values = rows.to_vector();
  out.rows(
      name, unit, order.size(), [&](std::size_t i) -> const double& { return values[order[i] * stride]; }, stride);
}

/// Reads rows that save_mode_rows() wrote; the clumps are restored. Throws StateError.
template <class R>
void restore_mode_rows(const RunState<R>& run, StateReader& in, const char* name, Buffer<double>& rows,
                       std::uint32_t stride) {
  const std::size_t n = run.clumps.size();
  std::vector<double> values(n * stride);
  in.rows(
      name, "", n, [&](std::size_t i) -> double& { return values[i * stride]; }, stride);
  rows.assign(values, "modes of grains");
}

}  // namespace scree::inline SCREE_BACKEND
