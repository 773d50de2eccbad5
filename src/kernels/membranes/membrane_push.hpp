#pragma once

#include "kernels/state/bodies.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/step_moment.hpp"
#include "scree/scene_membranes.hpp"

/// The forces of a pressure on the nodes of membranes.
namespace scree::inline SCREE_BACKEND {

/// A membrane, as kernels see it.
struct Sheet {
  MembraneLattice lattice;
  index_t first;                   ///< place of its first node in the arrays of nodes
  std::uint32_t row, end_of_rows;  ///< its rows of pressures
};

/// Presses each node of a membrane; one thread per node. A triangle has the force p S on it against its normal, where S
/// is its area vector, and its corners share this force equally:
///   F_a = -p/6 sum over the triangles (a, b, c) of (b - a) x (c - a).
/// So F_a is a function of the present places alone, and its sum over all nodes vanishes on a closed sheet. Triangles
/// that have lost a node press no more.
template <class R>
struct MembranePush {
  PositionColumn position;
  Span<index_t> place;  ///< [n_nodes] of all membranes
  Span<TimeRow> rows;   ///< [s], [Pa] pressures of all membranes
  Span<Vec3<R>> force;  ///< [n_nodes] [N] result
  Sheet sheet;
  const Control* control;
  double time = 0;  ///< [s] of the places

  SCREE_INLINE MembranePush at(const StepMoment<R>& moment) const {
    MembranePush now = *this;
    now.time = moment.begins;
    return now;
  }

  SCREE_HD void operator()(std::size_t k) const {
    if constexpr (SCREE_IN_BATCHES) {
      if (control->halted != 0) { return; }
    }
    const auto node = static_cast<std::uint32_t>(k);
    Vec3d a{}, sum{0, 0, 0};
    if (!find(node, a)) { return; }
    const double pressure = value_at(&rows[sheet.row], sheet.end_of_rows - sheet.row, time);
    Vec3d before{}, after{};
    const bool has_first = find(sheet.lattice.neighbour(node, 0), after);
    const Vec3d first = after;
    bool has_before = has_first;
    for (std::uint32_t n = 1; n <= MembraneLattice::most_neighbours; ++n) {
      before = after;
      const bool is_last = n == MembraneLattice::most_neighbours;
      const bool has_after = is_last ? has_first : find(sheet.lattice.neighbour(node, n), after);
      if (is_last) { after = first; }
      if (has_before && has_after) { sum += cross(before - a, after - a); }
      has_before = has_after;
    }
    force[sheet.first + node] = convert<R>((-pressure / 6) * sum);
  }

 private:
  /// The place of a node [m]; false if there is none, or if it has left the run.
  SCREE_HD bool find(std::uint32_t node, Vec3d& at) const {
    if (node == MembraneLattice::none) { return false; }
    const index_t body = place[sheet.first + node];
    if (body == no_index) { return false; }
    at = position[body];
    return !is_parked(at);
  }
};

/// Notes that no node is in the run; one thread per node.
struct ForgetNodes {
  Span<index_t> place;
  SCREE_HD void operator()(std::size_t k) const { place[k] = no_index; }
};

/// Notes where the nodes stand in memory; one thread per body.
struct FindNodes {
  Span<index_t> id;
  Span<index_t> place;  ///< [n_nodes] by id from `first` on
  index_t first;
  SCREE_HD void operator()(std::size_t i) const {
    const index_t node = id[i] - first;  // wraps around below the first one
    if (node < place.size) { place[node] = static_cast<index_t>(i); }
  }
};

}  // namespace scree::inline SCREE_BACKEND
