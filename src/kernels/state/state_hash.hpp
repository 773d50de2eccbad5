#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Sum of the hashes of all items, which does not depend on their order.
struct UnorderedHash {
  std::array<std::uint64_t, 2> words{};

  void add(std::initializer_list<std::uint64_t> item) {
    std::uint64_t a = 0x243f6a8885a308d3u, b = 0x13198a2e03707344u;
    for (const std::uint64_t word : item) {
      a = mix(a, word);
      b = mix(b, ~word);
    }
    words[0] += a;
    words[1] += b;
  }

 private:
  /// Mixes 64 bits into a hash by multiplying and folding, twice.
  static constexpr std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return h ^ (h >> 32);
  }
};

inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }
inline std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

}  // namespace scree::inline SCREE_BACKEND
