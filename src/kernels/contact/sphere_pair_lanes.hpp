#pragma once

#include <bit>

#if defined(__AVX512F__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#include "kernels/backend/host_sweep.hpp"
#include "kernels/contact/sphere_pair.hpp"

#if !SCREE_ON_CUDA

/// Pairs of spheres on the host: their records are moved to the stage and back by whole vectors. Each lane does the
/// same IEEE operations as SpherePair does for one pair.
namespace scree::inline SCREE_BACKEND {

/// Bit i stands for item i of a stretch.
using LaneBits = std::uint64_t;
static_assert(stage_lanes == 64);

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

/// Branches and radii of a stretch of pairs.
template <class R>
struct BranchLanes {
  alignas(64) double x[stage_lanes], y[stage_lanes], z[stage_lanes];
  alignas(64) R radius1[stage_lanes], radius2[stage_lanes];

  /// Takes the pairs [first, last).
  SCREE_INLINE void take(const PairViews<R>& of, std::size_t first, std::size_t last) {
    const std::size_t n = last - first;
    for (std::size_t k = 0; k < n; ++k) {
      prefetch(of, first + k + prefetch_distance);
      const BodyPair pair = of.pairs[first + k];
      const BodyPlace<R>&a = of.bodies.place[pair.first], &b = of.bodies.place[pair.second];
      const Vec3d branch = of.cell.branch(first + k, a.position, b.position);
      x[k] = branch.x, y[k] = branch.y, z[k] = branch.z;
      radius1[k] = a.radius, radius2[k] = b.radius;
    }
    for (std::size_t k = n; k % 8 != 0; ++k) { x[k] = y[k] = z[k] = 1, radius1[k] = radius2[k] = 0; }
  }

  /// Packs the looks of pairs that touch or have a bit in `held`, and a bit in `mine`. Returns their bits.
  template <int n_in>
  SCREE_INLINE LaneBits pack(std::size_t n, LaneBits held, LaneBits mine, std::uint32_t* item,
                             R (&in)[n_in][stage_lanes]) const {
    LaneBits chosen = 0;
    std::size_t count = 0;
    for (std::size_t k = 0; k < n; k += 8) {
      Eight eight(*this, k);
      const unsigned some = (eight.touches() | unsigned(held >> k & 255u)) & unsigned(mine >> k & 255u);
      eight.pack(some, static_cast<std::uint32_t>(k), count, item, in);
      chosen |= LaneBits(some) << k;
      count += unsigned(std::popcount(some));
    }
    return chosen;
  }

 private:
  static SCREE_INLINE void prefetch(const PairViews<R>& of, std::size_t slot) {
    // The prefetch of a wrong address does no harm, but reading a pair past the end does.
    SpherePair<R>::prefetch(of, of.pairs[slot < of.pairs.size ? slot : of.pairs.size - 1]);
  }

  /// Eight pairs. Their lanes are packed to where those before them end, in vectors of eight: no more than k items come
  /// before pair k, so that these never end past the stage.
  struct Eight {
    typedef double Doubles __attribute__((vector_size(64)));
    typedef R Numbers __attribute__((vector_size(8 * sizeof(R))));
    typedef double StoredDoubles __attribute__((vector_size(64), aligned(8), may_alias));
    typedef R StoredNumbers __attribute__((vector_size(8 * sizeof(R)), aligned(sizeof(R)), may_alias));

    Doubles x, y, z, square, reach_square;
    Numbers radius1, radius2;

    SCREE_INLINE Eight(const BranchLanes& of, std::size_t k) {
      x = *reinterpret_cast<const StoredDoubles*>(&of.x[k]);
      y = *reinterpret_cast<const StoredDoubles*>(&of.y[k]);
      z = *reinterpret_cast<const StoredDoubles*>(&of.z[k]);
      radius1 = *reinterpret_cast<const StoredNumbers*>(&of.radius1[k]);
      radius2 = *reinterpret_cast<const StoredNumbers*>(&of.radius2[k]);
      const Doubles reach = __builtin_convertvector(radius1, Doubles) + __builtin_convertvector(radius2, Doubles);
      reach_square = reach * reach;
      square = x * x + y * y + z * z;
    }

    /// Bits of those that touch.
    [[nodiscard]] SCREE_INLINE unsigned touches() const {
#if defined(__AVX512F__)
      return _mm512_cmp_pd_mask(square, reach_square, _CMP_LT_OQ);
#else
      unsigned bits = 0;
      for (int i = 0; i < 8; ++i) { bits |= (square[i] < reach_square[i] ? 1u : 0u) << i; }
      return bits;
#endif
    }

    /// Packs the looks of those with a bit in `some` behind `count` others.
    template <int n_in>
    SCREE_INLINE void pack(unsigned some, std::uint32_t first, std::size_t count, std::uint32_t* item,
                           R (&in)[n_in][stage_lanes]) const {
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
        // The choice is hard to predict, so `count` is advanced without a jump.
        item[count] = first + i;
        for (int c = 0; c < 6; ++c) { in[c][count] = component[c][i]; }
        count += some >> i & 1u;
      }
#endif
    }

   private:
    static SCREE_INLINE Numbers narrow(const Doubles& values) { return __builtin_convertvector(values, Numbers); }
  };
};

/// The motion of the bodies of four pairs, to the lanes from `lane` on.
template <class R, int n_in>
SCREE_INLINE void load_motion_lanes(const PairViews<R>& of, const BodyPair (&pair)[4], std::size_t lane,
                                    R (&in)[n_in][stage_lanes]) {
  Four<R> velocity[4], spin1[4], spin2[4];
  for (int k = 0; k < 4; ++k) {
    const BodySpeed<R>&first = of.bodies.speed[pair[k].first], &second = of.bodies.speed[pair[k].second];
    const Four<R> linear1 = first.linear(), linear2 = second.linear();
    velocity[k] = (linear2 - linear1).with_fourth_of(linear1 + linear2);  // the fourth is the inverse mass
    spin1[k] = first.angular();
    spin2[k] = second.angular();
  }
  transpose(velocity[0], velocity[1], velocity[2], velocity[3]);
  transpose(spin1[0], spin1[1], spin1[2], spin1[3]);
  transpose(spin2[0], spin2[1], spin2[2], spin2[3]);
  for (int c = 0; c < 3; ++c) {
    velocity[c].store(&in[6 + c][lane]);
    spin1[c].store(&in[9 + c][lane]);
    spin2[c].store(&in[12 + c][lane]);
  }
  velocity[3].store(&in[15][lane]);
}

/// Stores the records of four pairs from the lanes of their actions, by halves: a load of a whole record that was just
/// stored by halves would wait for the cache.
template <class R, int n_out>
SCREE_INLINE void store_action_lanes(const R (&out)[n_out][stage_lanes], std::size_t lane,
                                     PairForce<R>* const (&to)[4]) {
  Four<R> force[4], moment[4];
  for (int c = 0; c < 3; ++c) {
    force[c] = Four<R>::load(&out[c][lane]);
    moment[c] = Four<R>::load(&out[3 + c][lane]);
  }
  force[3] = Four<R>::load(&out[6][lane]);
  moment[3] = Four<R>::of(R(0), R(0), R(0), R(0));
  transpose(force[0], force[1], force[2], force[3]);
  transpose(moment[0], moment[1], moment[2], moment[3]);
  for (int k = 0; k < 4; ++k) { to[k]->force = force[k], to[k]->moment = moment[k]; }
}

}  // namespace scree::inline SCREE_BACKEND

#endif
