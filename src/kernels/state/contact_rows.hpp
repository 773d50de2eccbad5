#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/vec3.hpp"
#include "kernels/state/node_rows.hpp"
#include "kernels/state/stack_end.hpp"

namespace scree::inline SCREE_BACKEND {

/// The number of values in the row of a contact that describe its collision: see OpenCollision.
inline constexpr std::uint32_t collision_width = 4;

/// Size and content of one row of ContactRows, from the laws of the run.
struct RowShape {
  std::uint32_t width = 0;      ///< numbers in `extra`: as many as any law needs
  std::uint32_t own_width = 0;  ///< of the laws alone; collisions and then the energy ledger stand behind them
  bool couples = false, stacks = false;
  bool nodes = false;       ///< some bodies touch at nodes
  bool collisions = false;  ///< the row has the numbers of a collision

  [[nodiscard]] bool ledger() const { return width > own_width; }
};

/// The histories of contacts beyond the shear, as kernels see them: one row per contact. Every function that passes a
/// history on uses these functions, so that no part of it is forgotten.
template <class R>
struct RowViews {
  Span<R> extra;  ///< [n * width]
  std::uint32_t width;
  Span<StackEnd<R>> stack;  ///< [n]; empty if no law has load histories
  Span<NodeList> nodes{};   ///< [n] contacts of nodes in the last step; empty if there are no level-set grains

  /// Clears row i. Pages of its stack are not given back.
  SCREE_INLINE void clear(std::size_t i) const {
    for (std::uint32_t c = 0; c < width; ++c) { extra[i * width + c] = R(0); }
    if (stack.size > 0) { stack[i] = {}; }
    if (nodes.size > 0) { nodes[i] = {}; }
  }
  /// Copies row k of `from` to row i. Row k stays unchanged.
  SCREE_INLINE void copy(std::size_t i, const RowViews& from, std::size_t k) const {
    for (std::uint32_t c = 0; c < width; ++c) { extra[i * width + c] = from.extra[k * width + c]; }
    if (stack.size > 0) { stack[i] = from.stack[k]; }
    if (nodes.size > 0) { nodes[i] = from.nodes[k]; }
  }
  /// Like copy(), but the stack is moved out of row k of `from`: no two rows ever own the same pages.
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
    if (nodes.size > 0) {
      const NodeList list = nodes[i];
      nodes[i] = nodes[k];
      nodes[k] = list;
    }
  }
};

/// One number of each contact, at equal distances in memory.
template <class R>
struct ContactNumbers {
  R* first = nullptr;
  std::size_t apart = 1;
  SCREE_INLINE R& operator[](std::size_t contact) const { return first[contact * apart]; }
};

/// The values of the last step of contacts that the energy ledger needs only from time to time. They lie beside the
/// rows of the contacts.
template <class R>
struct EntryRest {
  ContactNumbers<R> normal;      ///< [n] [J] potential of the normal spring; must not be used without a ledger
  Span<Vec3<R>> viscous_couple;  ///< [n] [N m] on the second body; empty if no law has couples
};

/// The histories of the contacts of a list beyond the shear, and the couples that act at them.
template <class R>
struct ContactRows {
  Buffer<R> extra;            ///< [n * width]
  Buffer<StackEnd<R>> stack;  ///< [n] load histories; empty if no law has them
  Buffer<NodeList> nodes;     ///< [n] contacts of nodes in the last step; empty if there are no level-set grains
  /// [n] [N m] on the second body of a pair, or on the body at a boundary; empty if no law has couples
  Buffer<Vec3<R>> couple;
  Buffer<R> normal_energy;         ///< see EntryRest; empty for pairs, whose records have it
  Buffer<Vec3<R>> viscous_couple;  ///< likewise

  [[nodiscard]] EntryRest<R> entry_rest() { return {{normal_energy.data()}, viscous_couple.view()}; }
  [[nodiscard]] RowViews<R> view(const RowShape& shape) {
    return {extra.view(), shape.width, stack.view(), nodes.view()};
  }

  /// Resizes the histories to `n` contacts; the contents become undefined.
  void discard_and_resize_histories(std::size_t n, const RowShape& shape, const char* what) {
    extra.discard_and_resize(n * shape.width, what);
    stack.discard_and_resize(shape.stacks ? n : 0, what);
    nodes.discard_and_resize(shape.nodes ? n : 0, what);
  }
  /// Resizes the values that belong to one step to `n` contacts, and sets all couples to zero. `have_records` tells
  /// that the contacts have records.
  void clear_step(std::size_t n, const RowShape& shape, bool have_records, const char* what) {
    couple.discard_and_resize(shape.couples ? n : 0, what);
    couple.zero();
    normal_energy.discard_and_resize(shape.ledger() && !have_records ? n : 0, what);
    viscous_couple.discard_and_resize(shape.ledger() && shape.couples ? n : 0, what);
    viscous_couple.zero();
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return extra.bytes() + stack.bytes() + nodes.bytes() + couple.bytes() + normal_energy.bytes() +
           viscous_couple.bytes();
  }
};

}  // namespace scree::inline SCREE_BACKEND
