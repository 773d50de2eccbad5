#pragma once

#include <type_traits>
#include <utility>

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// What a launch runs: the functor itself or, where it has bound(), what that returns. A launch whose parameters are
/// the same in every step is handed where a functor finds the values of its step, and bound() fetches them: on the host
/// once for all items, on a GPU once in each thread.
template <class F>
SCREE_INLINE decltype(auto) bound(const F& functor) {
  if constexpr (requires { functor.bound(); }) {
    return functor.bound();
  } else {
    return (functor);
  }
}

template <class F>
using Bound = std::remove_cvref_t<decltype(bound(std::declval<const F&>()))>;

}  // namespace scree::inline SCREE_BACKEND
