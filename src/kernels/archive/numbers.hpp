#pragma once

#include <array>
#include <cstddef>

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// The type of the numbers in a T, which has no gaps between them.
template <class T>
struct NumbersOf {
  using type = T;
};
template <class T, std::size_t n>
struct NumbersOf<T[n]> : NumbersOf<T> {};
template <class T, std::size_t n>
struct NumbersOf<std::array<T, n>> : NumbersOf<T> {};

}  // namespace scree::inline SCREE_BACKEND
