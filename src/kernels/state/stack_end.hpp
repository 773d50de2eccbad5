#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Segments of a load history that stand beside the contact, so that most steps need no page.
inline constexpr std::uint32_t segments_held = 7;
/// So many of them, the lowest, go to a page together when no more can be held.
inline constexpr std::uint32_t segments_moved = 4;

/// The load history of one contact below what its law keeps in the record: the uppermost segments, and where the others
/// are (history/deep_stack.hpp). All zero: there is none.
template <class R>
struct alignas(64) StackEnd {
  struct Held {
    double end;  ///< [m] with its sign
    R slope[2];  ///< [-]
  };
  std::uint32_t count;  ///< segments, here and in pages
  std::uint32_t held;   ///< of these here, the uppermost
  std::uint32_t page;   ///< that of the uppermost one in pages
  std::uint32_t unused;
  Held segment[segments_held];  ///< bottom to top
};
static_assert(sizeof(StackEnd<float>) == 128 && sizeof(StackEnd<double>) == 192);

}  // namespace scree::inline SCREE_BACKEND
