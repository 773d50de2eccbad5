#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Segments of a load history that stand beside the contact, so that most steps need no page.
inline constexpr std::uint32_t segments_held = 8;

/// The load history of one contact below what its law keeps in the record: the uppermost segments, and where the others are
/// (history/segment_pool.hpp). All zero: there is none.
template <class R>
struct StackEnd {
  std::uint32_t count;    ///< segments, here and in pages
  std::uint32_t held;     ///< of these here, the uppermost
  std::uint32_t page;     ///< that of the uppermost one in pages
  std::uint32_t unused;
  double end[segments_held];      ///< [m] with their sign, bottom to top
  R slope[segments_held][2];      ///< [-]
};

}  // namespace scree::inline SCREE_BACKEND
