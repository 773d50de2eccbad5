#pragma once

#include "kernels/state/bodies.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct Wrench {
  Vec3<R> force;   ///< [N]
  Vec3<R> torque;  ///< [N m] about the centre of mass
};

/// Sum of all contact forces on a body: first its boundary contacts, then its pairs in ascending order of the other
/// body's id. Listed pairs that do not touch add zeros, so that nothing depends on what is listed.
template <class R>
struct WrenchGather {
  Span<PairForce<R>> force;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<index_t> boundary_row;         ///< [n_bodies] no_index where no boundary is near
  Span<Wrench<R>> boundary_wrench;    ///< [n_rows]

#if !SCREE_ON_CUDA
  SCREE_INLINE void prefetch(std::size_t body) const {
    const offset_t end = incident_start[body + 1];
    for (offset_t k = incident_start[body]; k < end; ++k) { __builtin_prefetch(&force[incident[k] >> 1]); }
  }
#endif

  SCREE_INLINE Wrench<R> operator()(std::size_t body, R radius) const {
    Four<R> f = Four<R>::of(R(0), R(0), R(0), R(0));
    Four<R> t = f;
    const index_t row = boundary_row[body];
    if (row != no_index) {
      const Wrench<R>& wrench = boundary_wrench[row];
      f = Four<R>::of(wrench.force.x, wrench.force.y, wrench.force.z, R(0));
      t = Four<R>::of(wrench.torque.x, wrench.torque.y, wrench.torque.z, R(0));
    }
    const offset_t end = incident_start[body + 1];
    for (offset_t k = incident_start[body]; k < end; ++k) {
      const std::uint32_t entry = incident[k];
      const PairForce<R>& pair = force[entry >> 1];
      const R sign = (entry & 1u) != 0 ? R(1) : R(-1);
      const R arm = radius - pair.half_overlap();
      f.add_scaled(sign, pair.force);
      t.add_scaled(arm, pair.moment);
    }
    return {{f[0], f[1], f[2]}, {t[0], t[1], t[2]}};
  }
};

}  // namespace scree::inline SCREE_BACKEND
