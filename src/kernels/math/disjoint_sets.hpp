#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Sets of numbers that grow together, on the host. The lowest member stands for a set, so the order in which sets are
/// united does not matter.
class DisjointSets {
 public:
  /// The numbers from 0 to n - 1, each alone.
  explicit DisjointSets(std::size_t n) : above_(n), count_(n) {
    std::iota(above_.begin(), above_.end(), std::uint32_t{0});
  }

  /// The lowest member of the set of i.
  [[nodiscard]] std::uint32_t lowest(std::uint32_t i) {
    while (above_[i] != i) { i = above_[i] = above_[above_[i]]; }
    return i;
  }
  void unite(std::uint32_t i, std::uint32_t j) {
    const std::uint32_t a = lowest(i), b = lowest(j);
    if (a != b) { --count_; }
    above_[std::max(a, b)] = std::min(a, b);
  }
  [[nodiscard]] std::size_t count() const { return count_; }  ///< number of sets

 private:
  std::vector<std::uint32_t> above_;  ///< [n] a lower member of the same set; the lowest one has itself
  std::size_t count_;
};

}  // namespace scree::inline SCREE_BACKEND
