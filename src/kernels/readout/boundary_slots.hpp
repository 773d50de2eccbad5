#pragma once

#include <cstdint>

#include "kernels/state/boundaries.hpp"
#include "kernels/state/node_rows.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// The contacts of bodies with boundaries, as readouts count them. A slot is a contact, but the nodes of a level-set
/// grain touch many facets of a mesh, where a sphere touches one. Facets of one mesh, under one grain, whose normals
/// differ by less than 45 degrees are one contact; so the number of contacts does not depend on the triangles, and a
/// grain in a corner of a mesh has several.
template <class R>
struct BoundarySlots {
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slot;
  Span<Feature> feature;
  Span<NodeList> nodes;  ///< [n_slots] empty: there are no level-set grains

  SCREE_INLINE bool by_nodes(offset_t k) const { return nodes.size > 0 && nodes[k].count > 0; }

  /// Calls take(k, contact, begins) for each slot k of a row that touches: the number of its contact in this row, and
  /// whether it is the first slot of this contact. Returns the number of contacts.
  template <class Take>
  SCREE_HD std::uint32_t visit(std::size_t row, Take&& take) const {
    First first[most_joined];
    std::uint32_t n_first = 0, n = 0;
    for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
      if (slot[k].touching == 0) { continue; }
      if (!by_nodes(k) || feature_at(k).kind != FeatureKind::facet) {
        take(k, n++, true);
        continue;
      }
      std::uint32_t f = 0;
      while (f < n_first && !belongs(first[f].slot, k)) { ++f; }
      if (f < n_first) {
        take(k, first[f].contact, false);
        continue;
      }
      if (n_first < most_joined) { first[n_first++] = {k, n}; }
      take(k, n++, true);
    }
    return n;
  }
  SCREE_HD std::uint32_t count(std::size_t row) const {
    return visit(row, [](offset_t, std::uint32_t, bool) {});
  }

 private:
  /// At most this number of directions can be 45 degrees apart in practice. Further slots are contacts of their own.
  static constexpr std::uint32_t most_joined = 16;
  struct First {
    offset_t slot;
    std::uint32_t contact;
  };

  SCREE_INLINE const Feature& feature_at(offset_t k) const { return feature[slot[k].feature]; }
  SCREE_HD bool belongs(offset_t to, offset_t k) const {
    const R cosine = dot(slot[to].normal, slot[k].normal);
    return feature_at(to).boundary == feature_at(k).boundary && cosine > R(0.70710678);
  }
};

template <class R>
[[nodiscard]] BoundarySlots<R> boundary_slots(RunState<R>& run) {
  auto& near = run.contacts.near;
  return {near.row_start.view(), near.slot.view(), run.boundary.view().feature, near.rows.nodes.view()};
}

}  // namespace scree::inline SCREE_BACKEND
