#pragma once

#include "kernels/contact/gather.hpp"
#include "kernels/history/deep_stack.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/control.hpp"

namespace scree::inline SCREE_BACKEND {

/// What the contacts of bodies with boundaries read and write, whatever their geometry and their law.
template <class R>
struct BoundaryContactViews {
  BodyView<R> bodies;
  BoundaryView boundaries;
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  Span<R> extra;  ///< [n_slots * n_extra] history beyond the shear
  std::uint32_t n_extra;
  Span<Vec3<R>> couple;         ///< [n_slots] where some law has couples
  Span<Wrench<R>> wrench;       ///< [n_rows]
  Span<std::uint32_t> law_of;   ///< [n_materials^2] index of the law; empty when there is only one
  std::uint32_t holding_laws;   ///< one bit for each law whose contacts may last while the bodies are apart
  std::uint32_t hertzian_laws;  ///< one bit for each law on Hertz's force
  std::uint32_t n_materials;
  R time_step;
  Control* control;
  CellFlow<R> flow{};
  SegmentPool<R> pool{};      ///< where some law has a stack
  Span<StackEnd<R>> stack{};  ///< [n_slots] likewise
  R lean = R(0);              ///< [-] see leaning_sum

  SCREE_INLINE RowViews<R> rows() const { return {extra, n_extra, stack}; }
  SCREE_INLINE Feature feature_at(offset_t k) const { return boundaries.feature[slots[k].feature]; }

  SCREE_HD std::uint32_t materials_at(offset_t k, index_t body) const {
    return boundaries.info[feature_at(k).boundary].material * n_materials + bodies.material[body];
  }
  SCREE_HD std::uint32_t law_at(offset_t k, index_t body) const {
    return law_of.size == 0 ? 0u : law_of[materials_at(k, body)];
  }
};

}  // namespace scree::inline SCREE_BACKEND
