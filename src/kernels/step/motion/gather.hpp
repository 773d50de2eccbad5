#pragma once

#include "kernels/state/bodies.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

/// The sum of the forces and torques of contacts on a body.
template <class R>
struct Wrench {
  Vec3<R> force;   ///< [N]
  Vec3<R> torque;  ///< [N m] about the centre of mass
};

/// The wrench on a member of a clump, about the centre of the member. The fourth numbers have no meaning.
template <class R>
struct alignas(8 * sizeof(R)) MemberWrench {
  Four<R> force, torque;

  SCREE_INLINE void store(const Four<R>& f, const Four<R>& t) {
#if SCREE_ON_CUDA
    f.store(force.lane), t.store(torque.lane);
#else
    force = f, torque = t;
#endif
  }
};

/// A body is large if its radius exceeds this many median radii. It can touch hundreds of others, so many threads sum
/// its contacts in parts. Only the size decides, because the order of additions decides the bits of a sum.
inline constexpr double large_in_median_radii = 16;
inline constexpr std::size_t parts_of_large = 64;

/// Sums all contact forces on a body: first its boundary contacts, then its pairs in ascending order of the other
/// body's id, or the parts of a large body. Listed pairs that do not touch add zeros, so the sum does not depend on
/// which pairs are listed.
template <class R>
struct WrenchGather {
  Span<PairForce<R>> force;
  Span<Vec3<R>> couple;  ///< [n_pairs] [N m] on the second body; empty if no law has couples
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<index_t> boundary_row;       ///< [n_bodies] no_index if no boundary is near
  Span<Wrench<R>> boundary_wrench;  ///< [n_rows]
  R large_radius;                   ///< [m] bodies with a larger radius are large
  index_t first_large;   ///< all large bodies have positions in memory from this one on; small bodies may be among them
  Span<Wrench<R>> part;  ///< [(n_bodies - first_large) * parts_of_large]

#if !SCREE_ON_CUDA
  /// A hint to the processor: the pairs of the bodies [begin, end) will soon be summed.
  SCREE_INLINE void prefetch(std::size_t begin, std::size_t end) const {
    const offset_t last = incident_start[end];
    for (offset_t k = incident_start[begin]; k < last; ++k) { __builtin_prefetch(&force[incident[k] >> 1]); }
    if (couple.size == 0) { return; }
    for (offset_t k = incident_start[begin]; k < last; ++k) { __builtin_prefetch(&couple[incident[k] >> 1]); }
  }
#endif

  SCREE_INLINE Wrench<R> operator()(std::size_t body, R radius) const {
    Four<R> f, t;
    sum(body, radius, f, t);
    return {f.vec3(), t.vec3()};
  }

  /// Writes force and torque into the first three lanes of f and t. The fourth lanes are sums of the fourth numbers of
  /// PairForce, half overlaps and energies of the ledger, and have no meaning.
  SCREE_INLINE void sum(std::size_t body, R radius, Four<R>& f, Four<R>& t) const {
    f = Four<R>::of(R(0), R(0), R(0), R(0));
    t = f;
    const index_t row = boundary_row[body];
    if (row != no_index) {
      const Wrench<R>& wrench = boundary_wrench[row];
      f = Four<R>::of(wrench.force.x, wrench.force.y, wrench.force.z, R(0));
      t = Four<R>::of(wrench.torque.x, wrench.torque.y, wrench.torque.z, R(0));
    }
    if (radius > large_radius) {
      const std::size_t first = (body - first_large) * parts_of_large;
      for (std::size_t p = first; p < first + parts_of_large; ++p) {
        const Wrench<R>& wrench = part[p];
        f.add_scaled(R(1), Four<R>::of(wrench.force.x, wrench.force.y, wrench.force.z, R(0)));
        t.add_scaled(R(1), Four<R>::of(wrench.torque.x, wrench.torque.y, wrench.torque.z, R(0)));
      }
    } else {
      add_pairs(incident_start[body], incident_start[body + 1], radius, f, t);
    }
  }

  /// Adds the pairs of the entries [begin, end) of `incident` to f and t.
  SCREE_INLINE void add_pairs(offset_t begin, offset_t end, R radius, Four<R>& f, Four<R>& t) const {
    for (offset_t k = begin; k < end; ++k) {
      const std::uint32_t entry = incident[k];
      const PairForce<R> pair = force[entry >> 1].read();
      f.add_scaled(sign_of(entry), pair.force);
      t.add_scaled(radius - pair.half_overlap(), pair.moment);
    }
    if (couple.size == 0) { return; }
    for (offset_t k = begin; k < end; ++k) {
      const std::uint32_t entry = incident[k];
      const Vec3<R>& c = couple[entry >> 1];
      t.add_scaled(sign_of(entry), Four<R>::of(c.x, c.y, c.z, R(0)));
    }
  }

 private:
  /// 1 for the second body of a pair, -1 for the first. Computed without a jump, because a processor would predict the
  /// jump wrongly every other time.
  SCREE_INLINE static R sign_of(std::uint32_t entry) {
#if SCREE_ON_CUDA
    return static_cast<R>(static_cast<std::int32_t>((entry & 1u) << 1) - 1);
#else
    static constexpr R signs[] = {R(-1), R(1)};
    return signs[entry & 1u];
#endif
  }
};

/// Sums the pairs of each large body in parts_of_large parts, by the id of the other body; one thread per part.
template <class R>
struct LargeGather {
  WrenchGather<R> gather;
  Span<BodyPair> pairs;
  Span<index_t> id;
  RadiusColumn<R> radius;
  index_t ids_per_part;
  const Control* control;

  SCREE_HD void operator()(std::size_t item) const {
    if (control->halted != 0) { return; }
    const std::size_t body = gather.first_large + item / parts_of_large;
    if (!(radius[body] > gather.large_radius)) { return; }
    const auto number = static_cast<std::uint64_t>(item % parts_of_large);
    const offset_t begin = first_from(body, number * ids_per_part);
    const offset_t end = first_from(body, (number + 1) * ids_per_part);
    Four<R> f = Four<R>::of(R(0), R(0), R(0), R(0));
    Four<R> t = f;
    gather.add_pairs(begin, end, radius[body], f, t);
    gather.part[item] = {{f[0], f[1], f[2]}, {t[0], t[1], t[2]}};
  }

 private:
  /// The first entry of a body whose other body has an id of at least `wanted`.
  SCREE_HD offset_t first_from(std::size_t body, std::uint64_t wanted) const {
    offset_t low = gather.incident_start[body];
    offset_t high = gather.incident_start[body + 1];
    while (low < high) {
      const offset_t middle = low + (high - low) / 2;
      const std::uint32_t entry = gather.incident[middle];
      const BodyPair pair = pairs[entry >> 1];
      if (id[(entry & 1u) != 0 ? pair.first : pair.second] < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

}  // namespace scree::inline SCREE_BACKEND
