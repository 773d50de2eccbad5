#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/four.hpp"
#include "kernels/math/vec3.hpp"
#include "kernels/state/contact_rows.hpp"

namespace scree::inline SCREE_BACKEND {

/// Positions of two bodies in memory. The body with the lower id is the first, so that a force does not depend on how
/// the pair was found.
struct BodyPair {
  index_t first, second;
};

/// The record of a pair: the effect of the contact on its bodies. The lever arm of a sphere is along the normal, so one
/// vector serves both bodies: the torque on a body is (radius - half_overlap) * moment. A record is two rows of four
/// numbers, so that it is summed in whole vectors.
template <class R>
struct alignas(8 * sizeof(R)) PairForce {
  Four<R> force;   ///< [N] on the second body; fourth number: half of the overlap [m]
  Four<R> moment;  ///< [N] normal x (-force); fourth number: with a ledger EntryRest::normal, otherwise 0

  /// A copy, which a GPU reads by loads of 16 bytes.
  SCREE_INLINE PairForce read() const { return {force.read(), moment.read()}; }
  SCREE_INLINE R half_overlap() const { return force[3]; }
};

/// The last number of each record.
template <class R>
[[nodiscard]] ContactNumbers<R> last_of_records(Buffer<PairForce<R>>& force) {
  constexpr std::size_t numbers = sizeof(PairForce<R>) / sizeof(R);
  if (force.size() == 0) { return {}; }
  return {reinterpret_cast<R*>(force.data()) + (numbers - 1), numbers};
}

/// Listed pairs [n_pairs], and for each body the slots in which it takes part. Slots are sorted by the body of the pair
/// that comes first in memory.
template <class R>
struct Pairs {
  Buffer<BodyPair> bodies;
  Buffer<Vec3<R>> shear;            ///< [N] elastic tangential force on the second body: the history
  ContactRows<R> rows;              ///< [n_pairs] what the laws of the run remember beyond the shear; couples
  Buffer<PairForce<R>> force;       ///< records; zero if the pair does not touch
  Buffer<std::uint8_t> image;       ///< code of the second body's image, see code_of; only in periodic cells
  Buffer<std::uint8_t> touching;    ///< 1 if the pair touched in the last step
  Buffer<offset_t> incident_start;  ///< [n_bodies + 1]
  /// [2 n_pairs] slot * 2 + (1 if the body is the second one), by ascending id of the other body
  Buffer<std::uint32_t> incident;
  Buffer<std::uint32_t> lowest_slot;  ///< [n_bodies] lowest slot of each body
  Buffer<offset_t> chunk_start;       ///< [n_chunks + 1] first slot of each chunk of chunk_bodies bodies

  [[nodiscard]] std::size_t size() const { return bodies.size(); }
  /// The values of the energy ledger beside the rows. One of them is a part of the records.
  [[nodiscard]] EntryRest<R> entry_rest() {
    EntryRest<R> rest = rows.entry_rest();
    rest.normal = last_of_records(force);
    return rest;
  }
};

/// Number of bodies in a chunk: the pairs of a chunk are worked through, then its bodies move, while the data are still
/// in a cache of the host.
inline constexpr std::size_t chunk_bodies = 256;

inline constexpr std::uint64_t most_pairs = std::uint64_t(1) << 31;  ///< slot * 2 + side is 32 bits wide

}  // namespace scree::inline SCREE_BACKEND
