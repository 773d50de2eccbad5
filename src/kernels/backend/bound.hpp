#pragma once

#include <type_traits>
#include <utility>

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// The functor that a launch runs: the given one or, if that has a function bound(), the functor that bound() returns.
/// So the parameters of a launch can be the same in every step: they only say where the values of the step are. bound()
/// fetches these values: on the host once for all items, on a GPU once in each thread.
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
