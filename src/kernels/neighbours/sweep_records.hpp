#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/vec3.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/contact_ranges.hpp"

namespace scree::inline SCREE_BACKEND {

/// First index in [begin, end) whose key is not below `key`; `end` if there is none.
template <class Key>
SCREE_INLINE index_t lower_bound(const Key* keys, index_t begin, index_t end, Key key) {
  while (begin < end) {
    const index_t middle = begin + (end - begin) / 2;
    if (keys[middle] < key) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// What a sweep reads of the sorted bodies, 24 bytes each: the lower end on the sweep axis, the centre in float, and
/// two lengths below and above the enlarged radius. These differ from it by more than the rounding error of the
/// distance of two centres (the shorter one may be negative). They decide nearly all pairs; only for distances in
/// between the positions themselves are read.
struct SweepRecords {
  static constexpr std::size_t fields = 6, padding = 16;  ///< padding: how far past the end readers may look

  std::uint32_t* low;
  float *x, *y, *z, *longer, *shorter;

  /// Places the arrays in memory of fields * (n + padding) words.
  static SweepRecords in(std::uint32_t* words, std::size_t n) {
    auto* const reals = reinterpret_cast<float*>(words);
    const std::size_t stride = n + padding;
    return {words, reals + stride, reals + 2 * stride, reals + 3 * stride, reals + 4 * stride, reals + 5 * stride};
  }

  /// The record of one body, without its lower end.
  struct Own {
    float x, y, z, longer, shorter;
  };
  SCREE_INLINE Own of(index_t k) const { return {x[k], y[k], z[k], longer[k], shorter[k]}; }
  /// The record of a sphere at any place; `offset` [m] is its distance vector from the origin of the grid.
  static SCREE_INLINE Own of(const Vec3d& offset, double enlarged) {
    // The slack is four times the rounding of the offsets to float. The factors cover the rounding of the tests.
    const double slack = 0x1p-22 * (math::abs(offset.x) + math::abs(offset.y) + math::abs(offset.z));
    return {static_cast<float>(offset.x), static_cast<float>(offset.y), static_cast<float>(offset.z),
            static_cast<float>(1.000001 * (enlarged + slack)),
            static_cast<float>(enlarged > slack ? 0.999999 * (enlarged - slack) : 1.000001 * (enlarged - slack))};
  }

  /// Bit 0: the bodies may be neighbours. Bit 16: they certainly are.
  SCREE_INLINE std::uint32_t nearness(const Own& own, index_t other) const {
    const float dx = x[other] - own.x, dy = y[other] - own.y, dz = z[other] - own.z;
    const float most = longer[other] + own.longer, least = shorter[other] + own.shorter,
                square = dx * dx + dy * dy + dz * dz;
    return (square <= most * most ? 1u : 0u) | (square <= least * math::abs(least) ? 0x10000u : 0u);
  }

#if !SCREE_ON_CUDA
  /// nearness() of one body to the 16 bodies from `begin` on, each shifted by its index. Only bodies are counted that
  /// are among the first `n` and whose lower end is at most `high`.
  SCREE_INLINE std::uint32_t nearness_of_16(const Own& own, index_t begin, int n, std::uint32_t high) const {
    const std::uint32_t* const from_low = low + begin;
    const float *const from_x = x + begin, *const from_y = y + begin, *const from_z = z + begin;
    const float *const from_longer = longer + begin, *const from_shorter = shorter + begin;
    const float own_x = own.x, own_y = own.y, own_z = own.z, own_longer = own.longer, own_shorter = own.shorter;
    std::uint32_t bits = 0;
#pragma omp simd reduction(| : bits)
    for (int lane = 0; lane < 16; ++lane) {
      const float dx = from_x[lane] - own_x, dy = from_y[lane] - own_y, dz = from_z[lane] - own_z;
      const float most = from_longer[lane] + own_longer, least = from_shorter[lane] + own_shorter;
      const float square = dx * dx + dy * dy + dz * dz;
      const std::uint32_t near = square <= most * most ? 1u << lane : 0u;
      const std::uint32_t sure = square <= least * math::abs(least) ? 0x10000u << lane : 0u;
      bits |= ((lane < n) & (from_low[lane] <= high)) ? near | sure : 0u;
    }
    return bits;
  }
#endif
};

template <class R>
struct SweepPack {
  Vec3d origin;
  PositionColumn position;
  RadiusColumn<R> radius;
  TravelColumn<R, R> skin;
  RangeOfBody range;
  Span<std::uint64_t> key;
  SweepRecords to;
  SCREE_HD void operator()(std::size_t i) const {
    const SweepRecords::Own own =
        SweepRecords::of(position[i] - origin, range(i) * double(radius[i]) + double(skin[i]));
    to.low[i] = static_cast<std::uint32_t>(key[i]);
    to.x[i] = own.x;
    to.y[i] = own.y;
    to.z[i] = own.z;
    to.longer[i] = own.longer;
    to.shorter[i] = own.shorter;
  }
};

/// Finds where the sweep of a column begins, for visits in no particular order.
struct NoCursors {
  SCREE_INLINE index_t find(const std::uint32_t* low, std::uint32_t, index_t begin, index_t end,
                            std::uint32_t wanted) const {
    return lower_bound(low, begin, end, wanted);
  }
};

/// Finds where the sweep of a column begins. Successive bodies of a column ask for nearby places in the neighbouring
/// columns, so a thread that works through a range of bodies starts at its last result. On a GPU each thread has one
/// body and searches afresh.
class SweepCursors {
 public:
  SCREE_INLINE index_t find(const std::uint32_t* low, [[maybe_unused]] std::uint32_t column, index_t begin, index_t end,
                            std::uint32_t wanted) {
#if SCREE_ON_CUDA
    return lower_bound(low, begin, end, wanted);
#else
    Cursor& cursor = cursors_[column % n_cursors];
    if (cursor.column != column) {
      cursor = {column, lower_bound(low, begin, end, wanted)};
      return cursor.place;
    }
    while (cursor.place < end && low[cursor.place] < wanted) { ++cursor.place; }
    while (cursor.place > begin && low[cursor.place - 1] >= wanted) { --cursor.place; }
    return cursor.place;
#endif
  }

 private:
#if !SCREE_ON_CUDA
  struct Cursor {
    std::uint32_t column = ~0u;
    index_t place = 0;
  };
  static constexpr std::uint32_t n_cursors = 128;
  Cursor cursors_[n_cursors];
#endif
};

}  // namespace scree::inline SCREE_BACKEND
