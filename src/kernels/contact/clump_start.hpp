#pragma once

#include "kernels/integrators/rotation.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/clumps.hpp"

namespace scree::inline SCREE_BACKEND {

/// Computes the angular momentum of a clump whose pose and velocities are given, and places its members.
template <class R>
SCREE_HD void start_clump(const ClumpView& clumps, const ClumpMembers& members, const BodyView<R>& bodies,
                          std::size_t c) {
  const Quaterniond q = clumps.orientation[c];
  clumps.angular_momentum[c] = rotate(q, times_each(clumps.inertia[c], rotate_back(q, clumps.angular_velocity[c])));
  const RotationMatrix<double> turn = matrix_of(q);
  const std::uint32_t begin = members.shape_start[clumps.shape[c]], end = members.shape_start[clumps.shape[c] + 1];
  for (std::uint32_t m = begin; m < end; ++m) {
    const index_t body = members.body_of_id[clumps.first[c] + (m - begin)];
    const Vec3d arm = turn * (clumps.size[c] * members.place[m]);
    bodies.position[body] = clumps.position[c] + arm;
    bodies.velocity[body] = convert<R>(clumps.velocity[c] + cross(clumps.angular_velocity[c], arm));
    bodies.angular_velocity[body] = convert<R>(clumps.angular_velocity[c]);
  }
}

/// Starts new clumps; one thread per clump.
template <class R>
struct ClumpStart {
  ClumpView clumps;
  ClumpMembers members;
  BodyView<R> bodies;
  std::size_t first;  ///< index of the first new clump

  SCREE_HD void operator()(std::size_t k) const { start_clump(clumps, members, bodies, first + k); }
};

/// Starts changed clumps again, from their new poses and velocities; one thread per change.
template <class R>
struct ClumpRestart {
  Span<index_t> clump;
  ClumpView clumps;
  ClumpMembers members;
  BodyView<R> bodies;

  SCREE_HD void operator()(std::size_t k) const { start_clump(clumps, members, bodies, clump[k]); }
};

}  // namespace scree::inline SCREE_BACKEND
