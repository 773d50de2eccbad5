#pragma once

#include "kernels/backend/buffer.hpp"

namespace scree::inline SCREE_BACKEND {

/// Room for twelve numbers of each body, from the counting of neighbours to their listing. The first eight lie in one
/// array, four more in another, so that they fit into the arrays of bodies that are idle after sorting.
struct KeptList {
  static constexpr std::size_t first_part = 8, second_part = 4, most = first_part + second_part;

  Span<std::uint32_t> first, second;  ///< [n_bodies * first_part], [n_bodies * second_part]

  SCREE_INLINE std::uint32_t& at(std::size_t body, std::size_t k) const {
    return k < first_part ? first[body * first_part + k] : second[body * second_part + (k - first_part)];
  }
};

}  // namespace scree::inline SCREE_BACKEND
