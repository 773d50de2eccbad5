#pragma once

#include <cstdint>
#include <vector>

#include "kernels/readout/boundary_slots.hpp"
#include "kernels/state/pairs.hpp"
#include "kernels/step/pairs/acting_pairs.hpp"

/// How many contacts a body has.
namespace scree::inline SCREE_BACKEND {

/// The number of contacts of a body, including those with boundaries.
template <class R>
struct CoordinationOfBody {
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  ActingPairs<R> acts;
  Span<index_t> row_of_body;
  BoundarySlots<R> at_boundaries;

  SCREE_HD std::uint32_t operator()(std::size_t i) const {
    std::uint32_t count = 0;
    for (offset_t k = incident_start[i]; k < incident_start[i + 1]; ++k) { count += acts(incident[k] >> 1) ? 1 : 0; }
    const index_t row = row_of_body[i];
    return row == no_index ? count : count + at_boundaries.count(row);
  }
};

template <class R>
[[nodiscard]] CoordinationOfBody<R> coordination_of_body(RunState<R>& run, const ActingPairs<R>& acts);

/// [n_bodies] The number of contacts of each body that a start has brought, in memory order. Before the first search
/// there are no lists of the pairs of a body.
template <class R>
[[nodiscard]] std::vector<std::uint32_t> contacts_of_start(RunState<R>& run);

}  // namespace scree::inline SCREE_BACKEND
