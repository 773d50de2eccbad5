#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/four.hpp"
#include "kernels/math/vec3.hpp"
#include "kernels/state/contact_rows.hpp"

namespace scree::inline SCREE_BACKEND {

/// Two bodies by their place in memory. The one with the lower id is first, so that a force does not depend on how
/// the pair was found.
struct BodyPair {
  index_t first, second;
};

/// What one pair of spheres does to its bodies. The moment arm of a sphere is along the normal, so one vector serves
/// both: the torque on a body is (radius - half_overlap) * moment. Two rows of four, so that a record is summed in
/// whole vectors.
template <class R>
struct alignas(8 * sizeof(R)) PairForce {
  Four<R> force;   ///< [N] on the second body; fourth: half of the overlap [m]
  Four<R> moment;  ///< [N] normal x (-force); fourth: unused

  SCREE_INLINE R half_overlap() const { return force[3]; }
};

/// Listed pairs of bodies [n_pairs], and for each body the slots it takes part in. Slots stand in the order of the body
/// of the pair that comes first in memory.
template <class R>
struct Pairs {
  Buffer<BodyPair> bodies;
  Buffer<Vec3<R>> shear;            ///< [N] elastic tangential force on the second body: the history
  ContactRows<R> rows;              ///< [n_pairs] what the laws of the run remember beyond the shear, and couples
  Buffer<PairForce<R>> force;       ///< zero where the pair does not touch
  Buffer<std::uint8_t> image;       ///< of the second body, see code_of; only in periodic cells
  Buffer<std::uint8_t> touching;    ///< 1 where the pair touched in the last step
  Buffer<offset_t> incident_start;  ///< [n_bodies + 1]
  /// [2 n_pairs] slot * 2 + (1 if the body is the second); by ascending id of the other
  Buffer<std::uint32_t> incident;
  Buffer<std::uint32_t> lowest_slot;  ///< [n_bodies] among the slots of a body
  Buffer<offset_t> chunk_start;       ///< [n_chunks + 1] first slot of each chunk_bodies bodies

  [[nodiscard]] std::size_t size() const { return bodies.size(); }
};

/// Bodies whose pairs are worked through before the bodies themselves move: the stretch that stays in a host cache.
inline constexpr std::size_t chunk_bodies = 256;

inline constexpr std::uint64_t most_pairs = std::uint64_t(1) << 31;  ///< slot * 2 + side is 32 bits wide

}  // namespace scree::inline SCREE_BACKEND
