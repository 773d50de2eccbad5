#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/vec3.hpp"
#include "kernels/state/stack_end.hpp"

namespace scree::inline SCREE_BACKEND {

/// What one row of ContactRows consists of; of the laws of a run.
struct RowShape {
  std::uint32_t width = 0;      ///< numbers of `extra`: the most that any law needs
  std::uint32_t own_width = 0;  ///< the same without those of the energy ledger, which stand last
  bool couples = false, stacks = false;
};

/// What contacts remember beyond the shear, as kernels see it: one row per contact. Whoever hands a history on does so
/// with these functions, so that nothing is forgotten.
template <class R>
struct RowViews {
  Span<R> extra;  ///< [n * width]
  std::uint32_t width;
  Span<StackEnd<R>> stack;  ///< [n], empty where no law has load histories

  /// Row i forgets everything. Pages that its stack may have are not given back.
  SCREE_INLINE void clear(std::size_t i) const {
    for (std::uint32_t c = 0; c < width; ++c) { extra[i * width + c] = R(0); }
    if (stack.size > 0) { stack[i] = {}; }
  }
  /// Row i becomes the row k of `from`, which keeps what it has.
  SCREE_INLINE void copy(std::size_t i, const RowViews& from, std::size_t k) const {
    for (std::uint32_t c = 0; c < width; ++c) { extra[i * width + c] = from.extra[k * width + c]; }
    if (stack.size > 0) { stack[i] = from.stack[k]; }
  }
  /// The same, but a stack leaves the row k of `from`: no two rows ever own the same pages.
  SCREE_INLINE void take(std::size_t i, const RowViews& from, std::size_t k) const {
    copy(i, from, k);
    if (stack.size > 0) { from.stack[k] = {}; }
  }
  SCREE_INLINE void swap(std::size_t i, std::size_t k) const {
    for (std::uint32_t c = 0; c < width; ++c) {
      const R value = extra[i * width + c];
      extra[i * width + c] = extra[k * width + c];
      extra[k * width + c] = value;
    }
    if (stack.size > 0) {
      const StackEnd<R> end = stack[i];
      stack[i] = stack[k];
      stack[k] = end;
    }
  }
};

/// What the contacts of a list remember beyond the shear, and the couples that they have made.
template <class R>
struct ContactRows {
  Buffer<R> extra;            ///< [n * width]
  Buffer<StackEnd<R>> stack;  ///< [n] load histories; empty where no law has them
  Buffer<Vec3<R>> couple;     ///< [n] [N m] on the second body, or the body; empty where no law has couples

  [[nodiscard]] RowViews<R> view(const RowShape& shape) { return {extra.view(), shape.width, stack.view()}; }

  /// Histories of `n` contacts, with undefined contents.
  void discard_and_resize_histories(std::size_t n, const RowShape& shape, const char* what) {
    extra.discard_and_resize(n * shape.width, what);
    stack.discard_and_resize(shape.stacks ? n : 0, what);
  }
  /// Couples of `n` contacts, all of them zero.
  void clear_couples(std::size_t n, const RowShape& shape, const char* what) {
    couple.discard_and_resize(shape.couples ? n : 0, what);
    couple.zero();
  }
  [[nodiscard]] std::uint64_t bytes() const { return extra.bytes() + stack.bytes() + couple.bytes(); }
};

}  // namespace scree::inline SCREE_BACKEND
