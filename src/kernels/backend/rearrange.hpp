#pragma once

#include <vector>

#include "kernels/backend/buffer.hpp"

namespace scree::inline SCREE_BACKEND {

/// Appends `values` and keeps the elements before them.
template <class T>
void append(Buffer<T>& buffer, const std::vector<T>& values, const char* what = "state") {
  const std::size_t before = buffer.size();
  buffer.resize(before + values.size(), what);
  if (!values.empty()) { copy_to_backend(buffer.data() + before, values.data(), values.size() * sizeof(T)); }
}

/// Copies elements into another order: to[i] = from[order[i]].
template <class T>
struct Permute {
  Span<index_t> order;
  Span<T> from;
  T* to;
  SCREE_HD void operator()(std::size_t i) const { to[i] = from[order[i]]; }
};

}  // namespace scree::inline SCREE_BACKEND
