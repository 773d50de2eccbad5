#pragma once

#include <bit>

#if defined(__AVX512F__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#include "kernels/backend/host_sweep.hpp"
#include "kernels/step/pairs/sphere_pair.hpp"

#if !SCREE_ON_CUDA

/// Pairs of spheres on the host: whole vectors move their records to the stage and back. Each lane does the same IEEE
/// operations as SpherePair does for one pair.
namespace scree::inline SCREE_BACKEND {

/// Bit i belongs to item i of up to 64 items.
using LaneBits = std::uint64_t;
static_assert(stage_lanes<float> <= 64 && stage_lanes<double> <= stage_lanes<float>);

/// The bits of the first n items.
SCREE_INLINE LaneBits first_bits(std::size_t n) { return n < 64 ? (LaneBits(1) << n) - 1 : ~LaneBits(0); }

/// Bits of the bytes [0, n) that are not 0.
SCREE_INLINE LaneBits bits_of_bytes(const std::uint8_t* byte, std::size_t n) {
#if defined(__AVX512BW__)
  const __m512i bytes = _mm512_maskz_loadu_epi8(first_bits(n), byte);
  return _mm512_test_epi8_mask(bytes, bytes);
#else
  LaneBits bits = 0;
  for (std::size_t i = 0; i < n; ++i) { bits |= LaneBits(byte[i] != 0 ? 1 : 0) << i; }
  return bits;
#endif
}

/// Looks at a stretch of pairs, eight at a time.
template <class R>
struct PairLooks {
  /// Packs the looks of pairs in [first, first + n). It takes each pair that has a bit in `mine` and that either
  /// touches or has a bit in `held`. Returns the bits of these pairs.
  template <int n_in>
  static SCREE_INLINE LaneBits pack(const PairViews<R>& of, std::size_t first, std::size_t n, LaneBits held,
                                    LaneBits mine, std::uint32_t* item, R (&in)[n_in][stage_lanes<R>]) {
    __builtin_prefetch(of.touching.data + first + 2 * stage_lanes<R>, 1);
    LaneBits chosen = 0;
    std::size_t count = 0;
    for (std::size_t k = 0; k < n; k += 8) {
      hint(of, first + k);
      const Eight eight(of, first + k, n - k);
      const unsigned some = (eight.touches() | unsigned(held >> k & 255u)) & unsigned(mine >> k & 255u);
      eight.pack(some, static_cast<std::uint32_t>(k), count, item, in);
      chosen |= LaneBits(some) << k;
      count += unsigned(std::popcount(some));
    }
    return chosen;
  }

 private:
  /// Prefetches the data that the next stretch reads and writes, and the bodies of pairs that follow soon. Without
  /// this, steps wait for a third of their time: stores of records fill the store buffer while they wait for memory.
  static SCREE_INLINE void hint(const PairViews<R>& of, std::size_t slot) {
    // The prefetch of a wrong address does no harm, but reading a pair past the end does.
    const std::size_t next = slot + stage_lanes<R>, end = of.pairs.size;
    if (slot + prefetch_distance + 8 <= end) {
      for (std::size_t k = 0; k < 8; ++k) { SpherePair<R>::prefetch(of, of.pairs[slot + prefetch_distance + k]); }
    }
    for (std::size_t k = 0; k < 8; k += 64 / sizeof(PairForce<R>)) { __builtin_prefetch(of.force.data + next + k, 1); }
    const char* const shear = reinterpret_cast<const char*>(of.shear.data + next);
    for (std::size_t byte = 0; byte < 8 * sizeof(Vec3<R>); byte += 64) { __builtin_prefetch(shear + byte, 1); }
    __builtin_prefetch(of.pairs.data + next + stage_lanes<R>);
  }

  /// Eight pairs. They are packed behind the pairs before them, in vectors of eight. At most k items come before pair
  /// k, so these vectors never reach beyond the stage.
  struct Eight {
    typedef double Doubles __attribute__((vector_size(64)));
    typedef R Numbers __attribute__((vector_size(8 * sizeof(R))));
    typedef R StoredNumbers __attribute__((vector_size(8 * sizeof(R)), aligned(sizeof(R)), may_alias));

    Doubles x, y, z, square, reach_square;
    Numbers radius1, radius2;

    /// Reads the pairs from `slot` on. If there are fewer than eight, the last one is repeated.
    SCREE_INLINE Eight(const PairViews<R>& of, std::size_t slot, std::size_t n) {
      Four<double> row[8];
      for (std::size_t k = 0; k < 8; ++k) {
        const std::size_t own = slot + (k < n ? k : n - 1);
        const BodyPair pair = of.pairs[own];
        const BodyPlace<R>&a = of.bodies.place[pair.first], &b = of.bodies.place[pair.second];
        row[k] = Four<double>::load(&b.position.x) - Four<double>::load(&a.position.x);
        if (of.cell.any()) { row[k] = row[k] + Four<double>::of(of.cell.shift[of.cell.image[own]]); }
        radius1[k] = a.radius, radius2[k] = b.radius;
      }
      transpose(row[0], row[1], row[2], row[3]);
      transpose(row[4], row[5], row[6], row[7]);
      x = joined(row[0], row[4]), y = joined(row[1], row[5]), z = joined(row[2], row[6]);
      const Doubles reach = __builtin_convertvector(radius1, Doubles) + __builtin_convertvector(radius2, Doubles);
      reach_square = reach * reach;
      square = x * x + y * y + z * z;
    }

    /// The bits of the pairs that touch.
    [[nodiscard]] SCREE_INLINE unsigned touches() const {
#if defined(__AVX512F__)
      return _mm512_cmp_pd_mask(square, reach_square, _CMP_LT_OQ);
#else
      unsigned bits = 0;
      for (int i = 0; i < 8; ++i) { bits |= (square[i] < reach_square[i] ? 1u : 0u) << i; }
      return bits;
#endif
    }

    /// Packs the looks of pairs with a bit in `some` behind `count` others.
    template <int n_in>
    SCREE_INLINE void pack(unsigned some, std::uint32_t first, std::size_t count, std::uint32_t* item,
                           R (&in)[n_in][stage_lanes<R>]) const {
      const Numbers component[] = {narrow(x), narrow(y), narrow(z), radius1, radius2, narrow(reach_square - square)};
#if defined(__AVX512VL__)
      const __m256i number = _mm256_add_epi32(_mm256_set1_epi32(int(first)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(&item[count]),
                          _mm256_maskz_compress_epi32(static_cast<__mmask8>(some), number));
      for (int c = 0; c < 6; ++c) {
        Numbers packed;
        if constexpr (sizeof(R) == 4) {
          packed = _mm256_maskz_compress_ps(static_cast<__mmask8>(some), component[c]);
        } else {
          packed = _mm512_maskz_compress_pd(static_cast<__mmask8>(some), component[c]);
        }
        *reinterpret_cast<StoredNumbers*>(&in[c][count]) = packed;
      }
#else
      for (std::uint32_t i = 0; i < 8; ++i) {
        // A branch would be hard to predict, so `count` is advanced without one.
        item[count] = first + i;
        for (int c = 0; c < 6; ++c) { in[c][count] = component[c][i]; }
        count += some >> i & 1u;
      }
#endif
    }

   private:
    static SCREE_INLINE Doubles joined(const Four<double>& low, const Four<double>& high) {
      return __builtin_shufflevector(low.lane, high.lane, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    static SCREE_INLINE Numbers narrow(const Doubles& values) { return __builtin_convertvector(values, Numbers); }
  };
};

/// Moves the motion of the bodies of four pairs to the lanes from `lane` on of ten components from `at` on: velocity of
/// the second body relative to the first, both spins, and the sum of the inverse masses.
template <int at, class R, int n_in>
SCREE_INLINE void load_motion_lanes(const BodyView<R>& bodies, const BodyPair (&pair)[4], std::size_t lane,
                                    R (&in)[n_in][stage_lanes<R>]) {
  Four<R> velocity[4], spin1[4], spin2[4];
  for (int k = 0; k < 4; ++k) {
    const BodySpeed<R>&first = bodies.speed[pair[k].first], &second = bodies.speed[pair[k].second];
    const Four<R> linear1 = first.linear(), linear2 = second.linear();
    velocity[k] = (linear2 - linear1).with_fourth_of(linear1 + linear2);  // the fourth is the inverse mass
    spin1[k] = first.angular();
    spin2[k] = second.angular();
  }
  transpose(velocity[0], velocity[1], velocity[2], velocity[3]);
  transpose(spin1[0], spin1[1], spin1[2], spin1[3]);
  transpose(spin2[0], spin2[1], spin2[2], spin2[3]);
  for (int c = 0; c < 3; ++c) {
    velocity[c].store(&in[at + c][lane]);
    spin1[c].store(&in[at + 3 + c][lane]);
    spin2[c].store(&in[at + 6 + c][lane]);
  }
  velocity[3].store(&in[at + 9][lane]);
}

/// Stores the records of four pairs from the lanes of their actions, half by half. A record that was put together from
/// halves in memory and then copied as a whole would wait for the cache. `last` is the component of the last number of
/// a record; -1: this number is 0.
template <int last, class R, int n_out>
SCREE_INLINE void store_action_lanes(const R (&out)[n_out][stage_lanes<R>], std::size_t lane,
                                     PairForce<R>* const (&to)[4]) {
  Four<R> force[4], moment[4];
  for (int c = 0; c < 3; ++c) {
    force[c] = Four<R>::load(&out[c][lane]);
    moment[c] = Four<R>::load(&out[3 + c][lane]);
  }
  force[3] = Four<R>::load(&out[6][lane]);
  if constexpr (last >= 0) {
    moment[3] = Four<R>::load(&out[last][lane]);
  } else {
    moment[3] = Four<R>::of(R(0), R(0), R(0), R(0));
  }
  transpose(force[0], force[1], force[2], force[3]);
  transpose(moment[0], moment[1], moment[2], moment[3]);
  for (int k = 0; k < 4; ++k) { to[k]->force = force[k], to[k]->moment = moment[k]; }
}

}  // namespace scree::inline SCREE_BACKEND

#endif
