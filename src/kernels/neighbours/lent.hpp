#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/neighbours/carried_history.hpp"

/// Memory that the search borrows from arrays that are idle.
namespace scree::inline SCREE_BACKEND {

/// Part of an idle buffer as an array of another type, from element `offset` on.
template <class T, class U>
Span<T> lent(Buffer<U>& buffer, std::size_t offset, std::size_t size) {
  return {reinterpret_cast<T*>(buffer.data()) + offset, size};
}

/// Where histories stand on their way from the old list to the new one.
template <class R>
Span<CarriedShear<R>> carried_history(Buffer<PairForce<R>>& force) {
  // The forces of the last step are no longer needed, and a history is not larger than a force record.
  static_assert(sizeof(CarriedShear<R>) <= sizeof(PairForce<R>));
  return {reinterpret_cast<CarriedShear<R>*>(force.data()), force.size()};
}

}  // namespace scree::inline SCREE_BACKEND
