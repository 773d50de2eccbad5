#pragma once

#include "kernels/shapes/closest.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/control.hpp"

namespace scree::inline SCREE_BACKEND {

/// The path of the centre of a body over one step, seen from a boundary. In the world the body goes straight from
/// `start` by `way`. In the frame of the boundary the path consists of pose.size - 1 straight pieces.
struct WayPastBoundary {
  Span<Pose> pose;   ///< of the boundary, from the start of the step to its end
  Vec3d start, way;  ///< [m]

  /// [m] The beginning of piece k in the frame of the boundary.
  SCREE_HD Vec3d at(std::size_t k) const {
    return pose[k].place_back(start + (double(k) / double(pose.size - 1)) * way);
  }
  /// [m] The length of piece k. It includes the growth of the radius.
  SCREE_HD double piece(std::size_t k) const {
    return norm(at(k + 1) - at(k)) + math::abs(pose[k + 1].growth - pose[k].growth);
  }
  /// [m] The difference of the radius at the beginning of piece k from its value at the start of the step.
  SCREE_HD double grown(std::size_t k) const { return math::abs(pose[k].growth - pose[0].growth); }
  SCREE_HD double length() const {
    double sum = 0;
    for (std::size_t k = 0; k + 1 < pose.size; ++k) { sum += piece(k); }
    return sum;
  }
};

/// Finds bodies that a boundary met in the last step while it moved past them by more than their radius. Contacts
/// cannot be followed over such a step, and the boundary may have passed through a body without a contact. One thread
/// per body. Raises outran.
///
/// Along a piece of the path the distance to the boundary changes by no more than the length of the piece. So it is
/// enough to test the two ends of each piece, with half of the piece added to the radius.
template <class R>
struct BoundarySweep {
  BoundaryView boundaries;  ///< in the reference pose, but with the radius at the start of the step
  std::uint32_t boundary;
  double travel;    ///< [m] no point of the boundary moved farther in the step
  Span<Pose> pose;  ///< see WayPastBoundary
  BodyView<R> bodies;
  double time_step;  ///< [s] length of the step
  CellFlow<R> flow;
  Control* control;

  SCREE_HD void operator()(std::size_t i) const {
    const Vec3d now = bodies.position[i];
    if (is_parked(now)) { return; }
    const double radius = double(bodies.radius[i]);
    const Vec3<R> own = bodies.velocity[i];
    Vec3d velocity = convert<double>(own);
    if (flow.any) { velocity += flow.at(now, own, time_step); }
    const Vec3d way = time_step * velocity;
    const WayPastBoundary past{pose, now - way, way};
    if (!comes_within(past.at(0), radius + travel + norm(way))) { return; }
    if (!(past.length() > radius)) { return; }
    for (std::size_t k = 0; k + 1 < pose.size; ++k) {
      const double reach = radius + 0.5 * past.piece(k);
      if (comes_within(past.at(k), reach + past.grown(k)) || comes_within(past.at(k + 1), reach + past.grown(k + 1))) {
        raise_fault(control, FaultKind::outran, bodies.id[i]);
        return;
      }
    }
  }

 private:
  /// Whether the boundary in its reference pose is nearer to x than `reach`. All points behind a plane count as near.
  SCREE_HD bool comes_within(const Vec3d& x, double reach) const {
    const BoundaryInfo& info = boundaries.info[boundary];
    const double square = reach * reach;
    if (info.n_nodes == 0) {
      for (std::uint32_t f = info.first_feature; f < info.first_feature + info.n_features; ++f) {
        if (closest_point(boundaries, boundaries.feature[f], x).square_distance < square) { return true; }
      }
      return false;
    }
    std::uint32_t n = 0;
    while (n < info.n_nodes) {
      const BoxNode& node = boundaries.node[info.first_node + n];
      if (square_distance(x, node.min, node.max) > square) {
        n = node.skip;
        continue;
      }
      for (std::uint32_t k = 0; k < node.count; ++k) {
        const std::uint32_t f = boundaries.leaf_feature[node.first + k];
        if (closest_point(boundaries, boundaries.feature[f], x).square_distance < square) { return true; }
      }
      ++n;
    }
    return false;
  }
};

}  // namespace scree::inline SCREE_BACKEND
