#pragma once

#include "kernels/math/functions.hpp"
#include "kernels/readout/boundary_slots.hpp"
#include "kernels/readout/order.hpp"

/// Contacts with boundaries on their way to the host.
namespace scree::inline SCREE_BACKEND {

/// Visits the contacts of a body with boundaries.
template <class R>
struct TouchingSlots {
  RankOfBody rank;
  Span<index_t> row_of_body;
  BoundarySlots<R> slots;

  /// Calls visit(k) for each contact of body i, where k is its first slot.
  template <class Visit>
  SCREE_INLINE void visit(std::size_t i, Visit&& visit) const {
    visit_slots(i, [&](offset_t k, std::uint32_t, bool begins) {
      if (begins) { visit(k); }
    });
  }
  /// Calls take() as BoundarySlots::visit does, for the row of body i.
  template <class Take>
  SCREE_INLINE void visit_slots(std::size_t i, Take&& take) const {
    const index_t row = row_of_body[i];
    if (row != no_index) { slots.visit(row, take); }
  }
};

/// A contact with a boundary.
template <class R>
struct PackedAtBoundary {
  std::uint32_t boundary, id;
  Vec3<R> force, normal;
  Vec3d point;
  index_t body;  ///< position in memory
  Vec3<R> shear;
  Vec3d couple;  ///< [N m] of a level-set grain, about the point
  /// [N] how hard its facets press together: their weights in the means of point and normal. Negative: a single slot
  double pressing = -1;

  /// Adds a contact of the same body with another facet.
  SCREE_HD void join(const PackedAtBoundary& other) {
    const double own = pressing >= 0 ? pressing : pressed(), more = other.pressed(), all = own + more;
    const double share = all > 0 ? more / all : 0.5;
    const Vec3d before = point;
    point += share * (other.point - point);
    couple += other.couple + cross(before - point, convert<double>(force)) +
              cross(other.point - point, convert<double>(other.force));
    normal = normal + static_cast<R>(share) * (other.normal - normal);
    force += other.force;
    shear += other.shear;
    pressing = all;
  }

 private:
  SCREE_HD double pressed() const { return math::abs(double(dot(force, normal))); }
};

template <class R>
struct PackAtBoundaries {
  TouchingSlots<R> contacts;
  Span<Vec3<R>> couple;
  Span<offset_t> start;
  Span<PackedAtBoundary<R>> packed;
  SCREE_HD void operator()(std::size_t i) const {
    const std::size_t rank = contacts.rank(i);
    if (rank == RankOfBody::none) { return; }
    const BoundarySlots<R>& slots = contacts.slots;
    contacts.visit_slots(i, [&](offset_t k, std::uint32_t contact, bool begins) {
      const BoundarySlot<R>& s = slots.slot[k];
      const PackedAtBoundary<R> own{slots.feature[s.feature].boundary,
                                    contacts.rank.id[i],
                                    s.force,
                                    s.normal,
                                    s.point,
                                    static_cast<index_t>(i),
                                    s.shear,
                                    slots.by_nodes(k) ? convert<double>(couple[k]) : Vec3d{0, 0, 0}};
      PackedAtBoundary<R>& all = packed[start[rank] + contact];
      if (begins) {
        all = own;
      } else {
        all.join(own);
      }
    });
  }
};

}  // namespace scree::inline SCREE_BACKEND
