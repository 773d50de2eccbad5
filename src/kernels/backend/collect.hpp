#pragma once

#include <algorithm>

#include "kernels/backend/exec.hpp"

namespace scree::inline SCREE_BACKEND {

/// Makes items [first, ...) and stores them; one thread per item.
template <class Make, class Packed>
struct PackItems {
  Make make;
  std::size_t first;
  Span<Packed> packed;
  SCREE_HD void operator()(std::size_t i) const { packed[i] = make(first + i); }
};

/// Makes an item and hands it on at once; for the host.
template <class Make, class Use>
struct MakeAndUse {
  Make make;
  Use use;
  void operator()(std::size_t i) const { use(i, make(i)); }
};

/// Calls use(i, make(i)) for i in [0, n): the backend makes items, and the host uses them, in any order. `make` is a
/// functor for kernels. `use` is called by several threads at once and is trivially copyable, so it captures pointers
/// or references. A GPU packs items in memory of bounded size, and copies nothing else.
template <class Make, class Use>
void collect(Exec& exec, const char* label, std::size_t n, const Make& make, const Use& use) {
#if SCREE_ON_CUDA
  using Packed = decltype(make(std::size_t(0)));
  constexpr std::size_t at_once = std::size_t(1) << 21;
  Buffer<Packed> packed;
  packed.discard_and_resize(std::min(n, at_once), "output");
  for (std::size_t first = 0; first < n; first += at_once) {
    const std::size_t count = std::min(n - first, at_once);
    exec.for_each(label, count, PackItems<Make, Packed>{make, first, packed.view()});
    const std::vector<Packed> items = packed.to_vector(count);
    for (std::size_t i = 0; i < count; ++i) { use(first + i, items[i]); }
  }
#else
  exec.for_each(label, n, MakeAndUse<Make, Use>{make, use});
#endif
}

}  // namespace scree::inline SCREE_BACKEND
