#pragma once

#include "kernels/step/boundaries/feature_choice.hpp"
#include "kernels/step/boundaries/joined_contacts.hpp"

namespace scree::inline SCREE_BACKEND {

/// Finds out which slots of a row are contacts of this step, and moves the histories of contacts to their present
/// slots, whatever their laws.
///
/// FeatureChoice chooses the contacts, and ContactJoin joins contacts on facets that continue each other. If a contact
/// moves to a neighbouring facet, its history moves with it. Thus a sphere rolls over the edges of a flat surface as
/// over a plane. `plain`: see BoundaryContacts.
template <class R, bool plain>
class TouchingFeatures {
 public:
  SCREE_HD TouchingFeatures(const BoundaryContactViews<R>& of, offset_t begin, offset_t end)
      : of_(of), begin_(begin), end_(end) {}

  /// Whether the row has no contact and gets none: all slots were cleared in the last step, and none may overlap.
  template <class Near>
  SCREE_HD bool stay_clear(const Near& near) const {
    for (offset_t k = begin_; k < end_; ++k) {
      if (of_.slots[k].touching != 0 || of_.slots[k].accepted != 0 || near.may_overlap(k)) { return false; }
    }
    return true;
  }

  /// Ends all contacts of the row and clears their histories.
  SCREE_HD void clear() const {
    for (offset_t k = begin_; k < end_; ++k) { clear(k); }
  }

  /// Finds the contacts of a sphere with centre x [m] and sets `accepted` = 1 in their slots. Clears all other slots.
  /// `near` tells what is known about slots beforehand, see AnySlot.
  template <class Near>
  SCREE_HD void find(index_t body, const Vec3d& x, double radius, const Near& near) const {
    const FeatureChoice<R, plain> choice(of_, begin_, end_, body, x, radius);
    int joinable = 0;
    for (offset_t k = begin_; k < end_; ++k) {
      BoundarySlot<R>& slot = of_.slots[k];
      slot.link = link_none;
      slot.weight = 0;
      const Choice chosen = choice.of(k, near);
      slot.accepted = chosen == Choice::contact ? 1 : chosen == Choice::heir ? heir : 0;
      // This does not read slot.accepted: g++ would read both numbers at once, and wait until they have left the store
      // buffer.
      joinable += chosen == Choice::contact && slot.link == link_near ? 1 : 0;
    }
    if constexpr (!plain) {
      if (joinable > 1) {
        ContactJoin<R>(of_.boundaries, of_.slots, begin_, end_, x, radius)(
            [&](offset_t k) { return of_.classes.is_hertzian(of_.classes_at(k, body)); },
            [&](offset_t from, offset_t to) {
              move_history(from, to);
              of_.slots[from].accepted = handed_over;  // so that no other contact takes the same history
            });
      }
    }
    take_over(x);
    for (offset_t k = begin_; k < end_; ++k) {
      const std::uint32_t accepted = of_.slots[k].accepted;
      if (accepted == 1) { continue; }
      clear(k);
      if (accepted == anew) { of_.slots[k].accepted = 1; }
    }
  }

 private:
  /// Values of `accepted` while contacts are found. handed_over: the history was moved to another slot. anew: the slot
  /// is a contact, but its old history ends. heir: see Choice.
  static constexpr std::uint32_t handed_over = 2, anew = 3, heir = 4;

  /// Gives new contacts the histories of contacts that end beside them: first to new contacts that touch, then to
  /// heirs. An heir that gets no history is no contact.
  SCREE_HD void take_over(const Vec3d& x) const {
    const bool has_heirs = !plain && of_.classes.bits.holds_apart != 0;
    for (std::uint32_t wanted = 1; wanted != 0; wanted = wanted == 1 && has_heirs ? heir : 0) {
      for (offset_t k = begin_; k < end_; ++k) {
        BoundarySlot<R>& slot = of_.slots[k];
        if (slot.accepted == wanted && slot.touching == 0) { hand_over(k, x); }
        if (wanted == 1 && slot.touching != 0) { swap_sides(k, x); }
        if (wanted == heir && slot.accepted == heir) { slot.accepted = slot.touching != 0 ? 1 : 0; }
      }
    }
  }

  SCREE_HD void clear(offset_t k) const {
    BoundarySlot<R>& slot = of_.slots[k];
    if (of_.pool.any()) { give_back(of_.pool, of_.stack[k]); }
    of_.rows().clear(k);
    slot.touching = 0;
    slot.accepted = 0;
    slot.shear = {};
    slot.force = {};
    if (of_.couple.size > 0) { of_.couple[k] = {}; }
  }

  /// The cosine of the largest angle by which a contact can turn when it moves to a neighbouring feature: the angle of
  /// a seam, or the angle by which a sphere rolls on an edge in a step. In a narrow corner a sphere may leave one side
  /// and meet the other in the same step; this is no such move.
  static constexpr double least_alike = 0.9;

  /// If a contact begins in slot k while another ends on a neighbour of its feature, in nearly the same direction, both
  /// are the same contact: moves the history to slot k. The list has all contacts of the last step: see FeatureSearch.
  SCREE_HD void hand_over(offset_t k, const Vec3d& x) const {
    const Feature feature = of_.feature_at(k);
    if (feature.kind != FeatureKind::facet && of_.boundaries.info[feature.boundary].joined == 0) { return; }
    const Vec3d away = x - of_.slots[k].point;
    const double distance = norm(away);
    for (offset_t other = begin_; other < end_; ++other) {
      BoundarySlot<R>& from = of_.slots[other];
      if (from.accepted != 0 || from.touching == 0) { continue; }
      if (!are_neighbours(of_.boundaries, feature, of_.feature_at(other))) { continue; }
      if (!(dot(away, convert<double>(from.normal)) > least_alike * distance)) { continue; }
      move_history(other, k);
      from.accepted = handed_over;
      return;
    }
  }

  /// Moves a history to a slot that does not touch.
  SCREE_HD void move_history(offset_t from, offset_t to) const {
    of_.slots[to].shear = of_.slots[from].shear;
    of_.slots[to].normal = of_.slots[from].normal;
    of_.slots[to].touching = 1;
    of_.rows().take(to, of_.rows(), from);  // slot `to` owns no pages, because a slot that does not touch is clear
  }

  /// The near and the far side of a shell depend on the place of the body. When the body crosses the axis, the sides
  /// exchange their slots. Then this exchanges the histories, so that each stays with its contact. A far side that is
  /// not listed is out of reach, so the contact there has ended. Where both sides lie in one direction, as outside of a
  /// cylinder, rounding must not exchange them.
  SCREE_HD void swap_sides(offset_t k, const Vec3d& x) const {
    BoundarySlot<R>& one = of_.slots[k];
    const FeatureKind kind = of_.feature_at(k).kind;
    const bool has_sides = kind == FeatureKind::cylinder || kind == FeatureKind::cone;
    if (!has_sides || one.feature + 1 >= of_.boundaries.feature.size) { return; }
    const Feature far_side = of_.boundaries.feature[one.feature + 1];
    if (!far_side.is_far_side()) { return; }
    const Vec3d normal = x - closest_on_surface(of_.boundaries, of_.boundaries.feature[one.feature], x).point;
    const Vec3d opposite = x - closest_on_surface(of_.boundaries, far_side, x).point;
    const Vec3d before = convert<double>(one.normal);
    const double distance = norm(normal), across = norm(opposite);
    constexpr double least = 1e-9;  // above all rounding
    if (!(dot(before, opposite) * distance - dot(before, normal) * across > least * distance * across)) { return; }
    if (k + 1 == end_ || of_.slots[k + 1].feature != one.feature + 1) {
      if (one.accepted == 1) { one.accepted = anew; }
      return;
    }
    BoundarySlot<R>& two = of_.slots[k + 1];
    const BoundarySlot<R> kept = one;
    one.shear = two.shear, one.normal = two.normal, one.touching = two.touching;
    two.shear = kept.shear, two.normal = kept.normal, two.touching = kept.touching;
    of_.rows().swap(k, k + 1);
  }

  const BoundaryContactViews<R>& of_;
  offset_t begin_, end_;
};

}  // namespace scree::inline SCREE_BACKEND
