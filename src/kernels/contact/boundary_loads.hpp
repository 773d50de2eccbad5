#pragma once

#include "kernels/contact/boundary_step.hpp"

namespace scree::inline SCREE_BACKEND {

/// Adds the force and torque of one slot in the last step to the sums of its boundary. The sums are exact, so they
/// depend neither on lanes nor on the order in memory.
template <class R>
struct BoundaryLoadSum {
  Span<BoundarySlot<R>> slot;
  Span<Vec3<R>> couple;  ///< [N m] on the bodies; empty if no law has couples
  Span<Feature> feature;
  /// [n_boundaries] place of each boundary among the sums; no_index: it has none. Empty: all have, in their order
  Span<std::uint32_t> place;

  /// Calls add(k, value) for each sum k of [n_places * load_components] that the slot adds to: [N], [N m] about the
  /// world's origin.
  template <class Add>
  SCREE_HD void visit(std::size_t k, const Add& add) const {
    if (slot[k].touching == 0) { return; }
    const std::uint32_t boundary = feature[slot[k].feature].boundary;
    const std::uint32_t at = place.size > 0 ? place[boundary] : boundary;
    if (at == no_index) { return; }
    const Vec3d force = -convert<double>(slot[k].force);
    Vec3d torque = cross(slot[k].point, force);
    if (couple.size > 0) { torque = torque - convert<double>(couple[k]); }
    const std::size_t first = at * load_components;
    add(first, force.x), add(first + 1, force.y), add(first + 2, force.z);
    add(first + 3, torque.x), add(first + 4, torque.y), add(first + 5, torque.z);
  }
};

}  // namespace scree::inline SCREE_BACKEND
