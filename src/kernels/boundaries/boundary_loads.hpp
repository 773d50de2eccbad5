#pragma once

#include "kernels/boundaries/boundary_step.hpp"
#include "kernels/state/node_rows.hpp"
#include "kernels/step/ledger/surface_motion.hpp"

namespace scree::inline SCREE_BACKEND {

/// Adds the force and torque of one slot in the last step to the sums of its boundary. The sums are exact, so they
/// depend neither on lanes nor on the order in memory.
template <class R>
struct BoundaryLoadSum {
  Span<BoundarySlot<R>> slot;
  Span<Vec3<R>> couple;  ///< [N m] on the bodies; empty if no law has couples
  Span<Feature> feature;
  /// [n_boundaries] index of each boundary among the sums; no_index: it has no sums. If empty, every boundary has sums,
  /// in the order of the scene
  Span<std::uint32_t> place;
  BoundaryView boundaries{};     ///< used where surfaces slide or grow
  Span<NodeList> nodes{};        ///< [n_slots] contacts of nodes; empty if there are no level-set grains
  std::size_t first_power = 0;   ///< index of the first sum of the power of sliding surfaces; see visit()
  std::size_t first_radial = 0;  ///< index of the first sum of radial forces; see visit()

  /// Calls add(k, value) for each of the [n_places * load_components] sums that the slot adds to: forces [N], and
  /// torques [N m] about the origin of the world. If surfaces slide, the sum first_power + place is the power [W] on
  /// bodies of the motion of the surface relative to the boundary. If surfaces grow, the sum first_radial + place is
  /// the force [N] on a cylinder away from its axis.
  template <class Add>
  SCREE_HD void visit(std::size_t k, const Add& add) const {
    if (slot[k].touching == 0) { return; }
    const Feature of = feature[slot[k].feature];
    const std::uint32_t boundary = of.boundary;
    const std::uint32_t at = place.size > 0 ? place[boundary] : boundary;
    if (at == no_index) { return; }
    const Vec3d force = -convert<double>(slot[k].force);
    Vec3d torque = cross(slot[k].point, force);
    if (couple.size > 0) { torque = torque - convert<double>(couple[k]); }
    const std::size_t first = at * load_components;
    add(first, force.x), add(first + 1, force.y), add(first + 2, force.z);
    add(first + 3, torque.x), add(first + 4, torque.y), add(first + 5, torque.z);
    if (boundaries.grows != 0 && of.grows()) {
      const Pose& pose = boundaries.pose[boundary];
      add(first_radial + at, dot(force, away_from_axis(boundaries.surface[of.a], pose, slot[k].point)));
    }
    if (boundaries.slides == 0) { return; }
    const bool of_nodes = nodes.size > 0 && nodes[k].count > 0;
    const SurfaceMotion surface = SurfaceMotion::sliding(boundaries, boundaries.pose[boundary], slot[k], of_nodes);
    add(first_power + at, surface.power(slot[k].force, couple.size > 0 ? couple[k] : Vec3<R>{R(0), R(0), R(0)}));
  }
};

}  // namespace scree::inline SCREE_BACKEND
