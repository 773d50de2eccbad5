#pragma once

#include "kernels/math/window_sum.hpp"
#include "kernels/step/ledger/body_losses.hpp"

/// Collisions: what each contact loses from the step in which it begins to touch to the step in which it parts.
///
/// The sum of an open collision stands in the row of its contact, so searches, neighbouring facets and checkpoints
/// carry it like the history of a law. When the contact parts, the collision is counted in a bin by its class and its
/// loss. All counts are integers and exact sums: they depend neither on threads nor on lists.
namespace scree::inline SCREE_BACKEND {

/// The collision that a contact is part of.
template <class R>
struct OpenCollision {
  R of = R(0);                 ///< 1 + class of the collision, see CollisionClasses; 0: no collision
  R lost = R(0), rest = R(0);  ///< [J] the loss is their sum: one float would lose small losses
  R speed = R(0);              ///< [m/s] normal speed at which it began

  SCREE_INLINE bool any() const { return of != R(0); }
  SCREE_INLINE double loss() const { return double(lost) + double(rest); }
  SCREE_INLINE void add(double more) {
    const double sum = loss() + more;
    lost = static_cast<R>(sum);
    rest = static_cast<R>(sum - double(lost));
  }
  SCREE_INLINE bool equals(const OpenCollision& other) const {
    return of == other.of && lost == other.lost && rest == other.rest && speed == other.speed;
  }
};

/// Finds the numbers of a collision in the row of a contact. They stand before the numbers of the energy ledger.
template <class R>
struct CollisionPlace {
  Span<R> extra;
  std::uint32_t n_extra;

  SCREE_HD OpenCollision<R> at(std::size_t contact) const {
    const R* const row = &extra[begin(contact)];
    return {row[0], row[1], row[2], row[3]};
  }
  SCREE_HD void put(std::size_t contact, const OpenCollision<R>& collision) const {
    R* const row = &extra[begin(contact)];
    row[0] = collision.of, row[1] = collision.lost, row[2] = collision.rest, row[3] = collision.speed;
  }
  /// The index of the first of these numbers in a row of `width` numbers.
  static constexpr std::size_t first_column(std::size_t width) {
    return width - std::size_t(LedgerEntry<R>::n_components) - collision_width;
  }

 private:
  SCREE_INLINE std::size_t begin(std::size_t contact) const { return contact * n_extra + first_column(n_extra); }
};

/// Classes of collisions: pairs of materials, then each boundary with each material.
struct CollisionClasses {
  std::uint32_t n_materials, n_boundaries;

  [[nodiscard]] SCREE_HD std::uint32_t n_pairs() const { return n_materials * (n_materials + 1) / 2; }
  [[nodiscard]] SCREE_HD std::uint32_t size() const { return n_pairs() + n_boundaries * n_materials; }
  [[nodiscard]] SCREE_HD std::uint32_t of_materials(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t low = a < b ? a : b, high = a < b ? b : a;
    return high * (high + 1) / 2 + low;
  }
  [[nodiscard]] SCREE_HD std::uint32_t at_boundary(std::uint32_t boundary, std::uint32_t material) const {
    return n_pairs() + boundary * n_materials + material;
  }
};

/// The collisions of one bin.
struct CollisionSums {
  WindowSum lost;   ///< [J]
  WindowSum speed;  ///< [m/s]
  std::uint64_t count = 0;

  /// Adds a collision. Other threads may add at the same time. With a `sign` of -1 it takes back what was added.
  template <class R>
  SCREE_HD void add(const OpenCollision<R>& collision, int sign) {
    lost.add_atomic(sign * collision.loss());
    speed.add_atomic(sign * double(collision.speed));
    atomic_add(&count, sign > 0 ? std::uint64_t(1) : ~std::uint64_t(0));
  }
};

/// Counts collisions by class and loss.
struct CollisionBins {
  CollisionClasses classes;
  Span<double> limits;       ///< [n_limits] [J] ascending
  Span<CollisionSums> sums;  ///< [n_classes * (n_limits + 1)]

  template <class R>
  SCREE_HD void add(const OpenCollision<R>& collision, int sign) const {
    if (!collision.any()) { return; }
    const std::size_t of = static_cast<std::size_t>(collision.of) - 1;
    sums[of * (limits.size + 1) + bin_of(collision.loss())].add(collision, sign);
  }

 private:
  /// The bin of a loss: the number of limits that do not exceed it.
  SCREE_HD std::size_t bin_of(double loss) const {
    std::size_t low = 0, high = limits.size;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (limits[middle] <= loss) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

/// Counts all open collisions, whatever their class and loss.
struct OpenCollisions {
  Span<CollisionSums> sum;  ///< [1]

  template <class R>
  SCREE_HD void add(const OpenCollision<R>& collision, int sign) const {
    if (collision.any()) { sum[0].add(collision, sign); }
  }
};

/// Adds the open collisions of a list of contacts, or takes them back; one thread per contact.
template <class R, class Bins>
struct CountOpen {
  CollisionPlace<R> place;
  Bins bins;
  int sign;
  SCREE_HD void operator()(std::size_t contact) const { bins.add(place.at(contact), sign); }
};

/// Updates the collisions of pairs in a step, after the motion and PairLosses; one thread per pair.
template <class R>
struct PairCollisions {
  ContactLoss<R> loss;
  CollisionPlace<R> place;
  CollisionBins bins;
  Span<BodyPair> pairs;
  Span<std::uint8_t> touching;
  Span<double> of_pair;  ///< [n_pairs] [J] see PairLosses
  bool bodies_leave;     ///< whether a step can remove a body
  const Control* control;
  const StepMoment<R>* moment = nullptr;
  SCREE_HD void operator()(std::size_t slot) const {
    if (control->halted != 0) { return; }
    OpenCollision<R> collision = place.at(slot);
    bool ends = touching[slot] == 0;
    if (ends && !collision.any()) { return; }
    if (!ends) {
      const BodyPair pair = pairs[slot];
      if (!collision.any()) {
        const Span<std::uint32_t> material = loss.bodies.material;
        collision.of = static_cast<R>(1 + bins.classes.of_materials(material[pair.first], material[pair.second]));
        collision.speed = static_cast<R>(math::max(loss.approach_of_pair(slot, pair, moment->ledger), 0.0));
      }
      collision.add(of_pair[slot]);
      // A removed body touches nothing any more, and the next search drops it.
      ends =
          bodies_leave && (is_parked(loss.bodies.position[pair.first]) || is_parked(loss.bodies.position[pair.second]));
    }
    if (ends) { bins.add(collision, 1); }
    place.put(slot, ends ? OpenCollision<R>{} : collision);
  }
};

/// Updates the collisions of the contacts of a row of slots at boundaries; one thread per row.
///
/// Within a row, contacts move from slot to slot (TouchingFeatures), and the rows of slots that part are cleared.
/// Therefore this kernel compares with a copy of all collisions: a collision that is in no slot of its row any more has
/// ended.
template <class R>
struct SlotCollisions {
  ContactLoss<R> loss;
  CollisionPlace<R> place;
  CollisionBins bins;
  Span<OpenCollision<R>> before;  ///< [n_slots] as the last step or the last search left them
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  const Control* control;
  const StepMoment<R>* moment = nullptr;
  SCREE_HD void operator()(std::size_t row) const {
    if (control->halted != 0) { return; }
    const offset_t begin = row_start[row], end = row_start[row + 1];
    if (have_moved(begin, end)) { end_missing(begin, end); }
    const index_t body = body_of_row[row];
    const bool removed = is_parked(loss.bodies.position[body]);
    for (offset_t k = begin; k < end; ++k) {
      if (slots[k].touching == 0) {
        before[k] = {};
        continue;
      }
      OpenCollision<R> collision = place.at(k);
      go_on(collision, body, k);
      if (removed) {
        bins.add(collision, 1);
        collision = {};
      }
      place.put(k, collision);
      before[k] = collision;
    }
  }

 private:
  SCREE_HD void go_on(OpenCollision<R>& collision, index_t body, offset_t k) const {
    if (!collision.any()) {
      const std::uint32_t boundary = loss.boundaries.feature[slots[k].feature].boundary;
      collision.of = static_cast<R>(1 + bins.classes.at_boundary(boundary, loss.bodies.material[body]));
      collision.speed = static_cast<R>(math::max(loss.approach_at_boundary(body, k, slots[k], moment->ledger), 0.0));
    }
    collision.add(loss.at_boundary(body, k, slots[k], moment->ledger));
  }

  SCREE_HD bool have_moved(offset_t begin, offset_t end) const {
    for (offset_t k = begin; k < end; ++k) {
      if (!place.at(k).equals(before[k])) { return true; }
    }
    return false;
  }
  /// How many slots in [begin, end) had this collision, or have it now. Two collisions may be equal number by number;
  /// it makes no difference which of them ends.
  SCREE_HD std::size_t count_before(const OpenCollision<R>& collision, offset_t begin, offset_t end) const {
    std::size_t n = 0;
    for (offset_t k = begin; k < end; ++k) { n += before[k].equals(collision) ? 1 : 0; }
    return n;
  }
  SCREE_HD std::size_t count_now(const OpenCollision<R>& collision, offset_t begin, offset_t end) const {
    std::size_t n = 0;
    for (offset_t k = begin; k < end; ++k) { n += place.at(k).equals(collision) ? 1 : 0; }
    return n;
  }
  SCREE_HD void end_missing(offset_t begin, offset_t end) const {
    for (offset_t k = begin; k < end; ++k) {
      const OpenCollision<R> old = before[k];
      if (old.any() && count_before(old, begin, k) >= count_now(old, begin, end)) { bins.add(old, 1); }
    }
  }
};

/// Copies the collisions of slots after a search has made new lists.
template <class R>
struct NoteCollisions {
  CollisionPlace<R> place;
  Span<OpenCollision<R>> before;
  SCREE_HD void operator()(std::size_t k) const { before[k] = place.at(k); }
};

/// Carries the digits of the sums of a bin.
struct CarryCollisions {
  Span<CollisionSums> sums;
  SCREE_HD void operator()(std::size_t k) const {
    sums[k].lost.carry();
    sums[k].speed.carry();
  }
};

}  // namespace scree::inline SCREE_BACKEND
