#pragma once

#include <cstdint>
#include <initializer_list>

#include "kernels/backend/portability.hpp"
#include "kernels/math/double_bits.hpp"

namespace scree::inline SCREE_BACKEND {

/// Sum of the hashes of all items, which does not depend on their order. It can be a lane of SumLanes.
struct UnorderedHash {
  static constexpr std::size_t n_largest = 0;
  std::uint64_t words[2] = {0, 0};

  SCREE_HD void add(std::initializer_list<std::uint64_t> item) {
    std::uint64_t a = 0x243f6a8885a308d3u, b = 0x13198a2e03707344u;
    for (const std::uint64_t word : item) {
      a = mix(a, word);
      b = mix(b, ~word);
    }
    words[0] += a;
    words[1] += b;
  }
  SCREE_HD void add(const UnorderedHash& other) {
    words[0] += other.words[0];
    words[1] += other.words[1];
  }

 private:
  /// Mixes 64 bits into a hash by multiplying and folding, twice.
  SCREE_HD static std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return h ^ (h >> 32);
  }
};

SCREE_HD inline std::uint64_t bits(double value) { return bits_of(value); }
SCREE_HD inline std::uint64_t bits(float value) {
#if defined(__CUDA_ARCH__)
  return __float_as_uint(value);
#else
  return __builtin_bit_cast(std::uint32_t, value);
#endif
}

}  // namespace scree::inline SCREE_BACKEND
