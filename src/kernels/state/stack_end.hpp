#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// How many segments of a load history are held beside the contact, so that most steps need no page.
inline constexpr std::uint32_t segments_held = 7;
/// How many of the held segments, the lowest ones, go to a page together when all places are in use.
inline constexpr std::uint32_t segments_moved = 4;

/// Load history of one contact below the record of its law: the uppermost segments, and where the others are
/// (history/deep_stack.hpp). All bytes are zero if there is none.
template <class R>
struct alignas(64) StackEnd {
  struct Held {
    double end;  ///< [m] with a sign, see JaegerSegment::signed_end
    R slope[2];  ///< [-]
  };
  std::uint32_t count;  ///< segments held here and in pages, together
  std::uint32_t held;   ///< segments held here, the uppermost ones
  std::uint32_t page;   ///< uppermost page
  std::uint32_t unused;
  Held segment[segments_held];  ///< bottom to top
};
static_assert(sizeof(StackEnd<float>) == 128 && sizeof(StackEnd<double>) == 192);

}  // namespace scree::inline SCREE_BACKEND
