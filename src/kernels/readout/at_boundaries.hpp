#pragma once

#include "kernels/math/functions.hpp"
#include "kernels/readout/boundary_slots.hpp"
#include "kernels/readout/order.hpp"
#include "kernels/step/boundaries/boundary_views.hpp"
#include "kernels/step/nodes/touching_nodes.hpp"

/// Packs contacts with boundaries for the copy to the host.
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
  /// [N] force with which its facets press: the weight of each facet in the means of point and normal. Negative: a
  /// single slot
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
  BoundaryContactViews<R> of;
  Span<offset_t> start;
  Span<PackedAtBoundary<R>> packed;
  SCREE_HD void operator()(std::size_t i) const {
    const std::size_t rank = contacts.rank(i);
    if (rank == RankOfBody::none) { return; }
    const BoundarySlots<R>& slots = contacts.slots;
    contacts.visit_slots(i, [&](offset_t k, std::uint32_t contact, bool begins) {
      const BoundarySlot<R>& s = slots.slot[k];
      PackedAtBoundary<R> own{slots.feature[s.feature].boundary,
                              contacts.rank.id[i],
                              s.force,
                              s.normal,
                              s.point,
                              static_cast<index_t>(i),
                              s.shear,
                              {0, 0, 0}};
      if (slots.by_nodes(k)) {
        const Vec3d shift = to_pressure(k, own.body);
        own.point += shift;
        own.couple = convert<double>(of.couple[k]) - cross(shift, convert<double>(s.force));
      }
      PackedAtBoundary<R>& all = packed[start[rank] + contact];
      if (begins) {
        all = own;
      } else {
        all.join(own);
      }
    });
  }

 private:
  /// [m] From the point of a slot, which is the mean of its nodes by stiffness, to their mean by how they press. Both
  /// are taken at the present place of the body; it has turned a little since the forces.
  SCREE_HD Vec3d to_pressure(offset_t k, index_t body) const {
    Vec3d shift{0, 0, 0};
    const TouchingNodes<R> touching{*of.nodes, of.bodies};
    const auto each = [&](double sign, const auto& by) {
      touching.each_of_slot(
          of.boundaries, of.slots[k], k, body,
          [&](double share, const Vec3d&, const Vec3d& arm) { shift += (sign * share) * arm; }, by);
    };
    each(1, ByPressure<R>{of.classes.is_hertzian(of.classes_at(k, body))});
    each(-1, ByStiffness<R>{});
    return shift;
  }
};

}  // namespace scree::inline SCREE_BACKEND
