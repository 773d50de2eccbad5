#pragma once

#include "kernels/history/deep_stack.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

/// History of one touching pair on its way from the old list to the new one. It is filed under the body with the lower
/// id.
template <class R>
struct CarriedShear {
  index_t other_id;
  Vec3<R> shear;
};

/// Counts, for each body, the touching pairs whose first body it is.
struct CarriedCount {
  Span<std::uint8_t> touching;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<offset_t> count;
  SCREE_HD void operator()(std::size_t body) const {
    offset_t n = 0;
    for (offset_t k = incident_start[body]; k < incident_start[body + 1]; ++k) {
      n += (incident[k] & 1u) == 0 && touching[incident[k] >> 1] != 0;
    }
    count[body] = n;
  }
};

template <class R>
struct CarriedFill {
  Span<BodyPair> pairs;
  Span<index_t> id;
  Span<std::uint8_t> touching;
  Span<Vec3<R>> shear;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<offset_t> start;
  Span<CarriedShear<R>> carried;
  RowViews<R> rows, carried_rows;  ///< history beyond the shear
  SCREE_HD void operator()(std::size_t body) const {
    offset_t to = start[body];
    for (offset_t k = incident_start[body]; k < incident_start[body + 1]; ++k) {
      const std::uint32_t slot = incident[k] >> 1;
      if ((incident[k] & 1u) != 0 || touching[slot] == 0) { continue; }
      carried_rows.copy(to, rows, slot);
      carried[to++] = {id[pairs[slot].second], shear[slot]};
    }
  }
};

/// Gives each new pair the history that it had in the old list; one thread per new pair.
template <class R>
struct CarriedReturn {
  Span<BodyPair> pairs;
  Span<index_t> id;
  Span<index_t> order;  ///< old position in memory of each body
  Span<offset_t> start;
  Span<CarriedShear<R>> carried;  ///< per body in ascending order of the other body's id
  Span<Vec3<R>> shear;
  Span<std::uint8_t> touching;
  /// history beyond the shear; stacks that are handed on are removed from carried_rows
  RowViews<R> carried_rows, rows;
  SCREE_HD void operator()(std::size_t slot) const {
    const BodyPair pair = pairs[slot];
    const index_t wanted = id[pair.second];
    const index_t old = order[pair.first];
    const offset_t begin = start[old], end = start[old + 1];
    offset_t place = end;
    if (end - begin <= 8) {
      // Nearly always there are few. This loop has no jump that depends on the data.
      for (offset_t k = begin; k < end; ++k) { place = carried[k].other_id == wanted ? k : place; }
    } else {
      offset_t low = begin, high = end;
      while (low < high) {
        const offset_t middle = low + (high - low) / 2;
        if (carried[middle].other_id < wanted) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      place = low < end && carried[low].other_id == wanted ? low : end;
    }
    const bool was_touching = place != end;
    touching[slot] = was_touching ? 1 : 0;
    shear[slot] = was_touching ? carried[place].shear : Vec3<R>{R(0), R(0), R(0)};
    if (was_touching) {
      rows.take(slot, carried_rows, place);
    } else {
      rows.clear(slot);
    }
  }
};

/// Gives back the pages of contacts that no new pair has taken over, because one of their bodies was removed.
template <class R>
struct GiveBackCarried {
  SegmentPool<R> pool;
  Span<StackEnd<R>> carried;
  SCREE_HD void operator()(std::size_t i) const { give_back(pool, carried[i]); }
};

}  // namespace scree::inline SCREE_BACKEND
