#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// [m3] Volume of the room that the cell gives to its bodies. Along an axis on which the cell does not repeat, this is
/// the room between the nearest planes that face each other, at their present places; without two such planes it is the
/// length of the cell.
template <class R>
[[nodiscard]] double room_in_cell(RunState<R>& run);

}  // namespace scree::inline SCREE_BACKEND
