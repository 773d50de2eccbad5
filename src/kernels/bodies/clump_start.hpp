#pragma once

#include "kernels/integrators/rotation.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/clumps.hpp"

namespace scree::inline SCREE_BACKEND {

/// Places the members of a clump with given pose and velocities. With `turns_anew` it also computes the angular
/// momentum.
template <class R>
SCREE_HD void start_clump(const ClumpView& clumps, const ClumpMembers& members, const BodyView<R>& bodies,
                          std::size_t c, bool turns_anew) {
  const Quaterniond q = clumps.orientation[c];
  if (turns_anew) { clumps.angular_momentum[c] = momentum_of(q, clumps.inertia[c], clumps.angular_velocity[c]); }
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

  SCREE_HD void operator()(std::size_t k) const { start_clump(clumps, members, bodies, first + k, true); }
};

/// Updates clumps whose poses or velocities were changed; one thread per change. A clump whose orientation and spin
/// have not changed keeps its angular momentum, which belongs to the middle of the last step.
template <class R>
struct ClumpRestart {
  Span<index_t> clump;
  ClumpView clumps;
  ClumpMembers members;
  BodyView<R> bodies;
  std::uint32_t turns_anew;  ///< 1: the orientation or the spin has changed

  SCREE_HD void operator()(std::size_t k) const { start_clump(clumps, members, bodies, clump[k], turns_anew != 0); }
};

}  // namespace scree::inline SCREE_BACKEND
