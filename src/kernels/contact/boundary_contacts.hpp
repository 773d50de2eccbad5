#pragma once

#include "kernels/contact/gather.hpp"
#include "kernels/contact/joined_contacts.hpp"
#include "kernels/history/deep_stack.hpp"
#include "kernels/laws/concept.hpp"
#include "kernels/shapes/closest.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/control.hpp"

namespace scree::inline SCREE_BACKEND {

/// What the contacts of bodies with boundaries read and write, whatever their law.
template <class R>
struct BoundaryContactViews {
  BodyView<R> bodies;
  BoundaryView boundaries;
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  Span<R> extra;  ///< [n_slots * n_extra] history beyond the shear
  std::uint32_t n_extra;
  Span<Vec3<R>> couple;         ///< [n_slots] where some law has couples
  Span<Wrench<R>> wrench;       ///< [n_rows]
  Span<std::uint32_t> law_of;   ///< [n_materials^2] index of the law; empty when there is only one
  std::uint32_t holding_laws;   ///< one bit for each law whose contacts may last while the bodies are apart
  std::uint32_t hertzian_laws;  ///< one bit for each law on Hertz's force
  std::uint32_t n_materials;
  R time_step;
  Control* control;
  CellFlow<R> flow{};
  SegmentPool<R> pool{};      ///< where some law has a stack
  Span<StackEnd<R>> stack{};  ///< [n_slots] likewise
  R lean = R(0);              ///< [-] see leaning_sum

  SCREE_INLINE RowViews<R> rows() const { return {extra, n_extra, stack}; }
};

/// Contacts of one body with all boundaries near it under one law; one thread per row of BoundaryList.
///
/// A sphere touches a mesh at every local minimum of its distance to the surface, each counted once: a closest point
/// on an edge or vertex counts only if no other facet there is closer, and points that coincide count for the lowest
/// facet. Those on facets that continue each other become one (ContactJoin). The history of a contact that moves to a
/// neighbouring facet moves with it, so that a sphere rolls over the edges of a flat surface as over a plane.
/// Raises crossed_boundary when the centre passes to the other side of a surface.
template <class Law, class R>
struct BoundaryContacts {
  using History = HistoryOf<Law>;
  BoundaryContactViews<R> of;
  Span<typename Law::Params> params;
  std::uint32_t law;  ///< index of this one; the first also finds out what touches

  SCREE_HD void operator()(std::size_t row) const {
    if (of.control->halted != 0) { return; }
    const index_t body = of.body_of_row[row];
    const offset_t begin = of.row_start[row];
    const offset_t end = of.row_start[row + 1];
    const Vec3d x = of.bodies.position[body];
    const double radius = double(of.bodies.radius[body]);
    if (is_parked(x)) {  // removed since the list was made
      for (offset_t k = begin; k < end; ++k) { clear(k); }
      of.wrench[row] = {};
      return;
    }
    if (law == 0) { find_touching(begin, end, body, x, radius); }
    Wrench<R> sum{{R(0), R(0), R(0)}, {R(0), R(0), R(0)}};
    for (offset_t k = begin; k < end; ++k) {
      if (of.slots[k].accepted == 1 && law_at(k, body) == law) { touch(k, body, x, sum); }
    }
    if (law == 0) {
      of.wrench[row] = sum;
    } else {
      of.wrench[row].force += sum.force;
      of.wrench[row].torque += sum.torque;
    }
  }

  SCREE_HD std::uint32_t materials_at(offset_t k, index_t body) const {
    return of.boundaries.info[of.boundaries.feature[of.slots[k].feature].boundary].material * of.n_materials +
           of.bodies.material[body];
  }
  SCREE_HD std::uint32_t law_at(offset_t k, index_t body) const {
    return of.law_of.size == 0 ? 0u : of.law_of[materials_at(k, body)];
  }

 private:
  SCREE_HD void find_touching(offset_t begin, offset_t end, index_t body, const Vec3d& x, double radius) const {
    int joinable = 0;
    for (offset_t k = begin; k < end; ++k) {
      BoundarySlot<R>& slot = of.slots[k];
      slot.link = link_none;
      slot.weight = 0;
      slot.accepted = accept(begin, end, k, body, x, radius) ? 1 : 0;
      joinable += slot.accepted == 1 && slot.link == link_near ? 1 : 0;
    }
    if (joinable > 1) {
      ContactJoin<R>(of.boundaries, of.slots, begin, end, x, radius)(
          [&](offset_t k) { return (of.hertzian_laws >> law_at(k, body) & 1u) != 0; },
          [&](offset_t from, offset_t to) { move_history(from, to); });
    }
    for (offset_t k = begin; k < end; ++k) {
      if (of.slots[k].accepted == 1 && of.slots[k].touching == 0) { hand_over(begin, end, k); }
      if (of.slots[k].touching != 0 && k + 1 < end) { swap_sides(k, x); }
    }
    for (offset_t k = begin; k < end; ++k) {
      if (of.slots[k].accepted != 1) { clear(k); }
    }
  }

  /// Whether the contact lasts though the bodies may be apart.
  SCREE_HD bool holds(offset_t k, index_t body) const {
    return of.holding_laws != 0 && of.slots[k].touching != 0 && (of.holding_laws >> law_at(k, body) & 1u) != 0 &&
           of.extra[k * of.n_extra] != R(0);
  }

  SCREE_HD void clear(offset_t k) const {
    BoundarySlot<R>& slot = of.slots[k];
    if (of.pool.any()) { give_back(of.pool, of.stack[k]); }
    of.rows().clear(k);
    slot.touching = 0;
    slot.accepted = 0;
    slot.shear = {};
    slot.force = {};
    if (of.couple.size > 0) { of.couple[k] = {}; }
  }

  SCREE_HD bool accept(offset_t begin, offset_t end, offset_t k, index_t body, const Vec3d& x, double radius) const {
    const Feature feature = of.boundaries.feature[of.slots[k].feature];
    const ClosestPoint closest = closest_point(of.boundaries, feature, x);
    const bool overlaps = closest.square_distance < radius * radius;
    if (!overlaps && !holds(k, body)) { return false; }
    of.slots[k].point = closest.point;
    if (of.boundaries.info[feature.boundary].joined != 0 &&
        is_hidden(begin, end, k, feature, closest.point, x, radius)) {
      return false;
    }
    if (overlaps && may_join(k, feature)) { of.slots[k].link = link_near; }
    if (feature.kind == FeatureKind::cone && feature.b == 1) {
      return far_side_counts(x, placed_cone(of.boundaries, feature));
    }
    if (feature.kind != FeatureKind::facet) { return true; }
    if (closest.region != TriangleRegion::face && facet_is_closer(of.slots[k].feature, feature, closest, x, radius)) {
      return false;
    }
    for (offset_t other = begin; other < k; ++other) {
      if (of.slots[other].accepted == 0 ||
          of.boundaries.feature[of.slots[other].feature].boundary != feature.boundary) {
        continue;
      }
      const Vec3d apart = of.slots[other].point - closest.point;
      if (dot(apart, apart) < 1e-12 * radius * radius) { return false; }
    }
    return true;
  }

  SCREE_HD bool may_join(offset_t k, const Feature& feature) const {
    if (feature.kind == FeatureKind::facet) { return true; }
    const Span<std::uint32_t>& start = of.boundaries.joint_start;
    return start.size > 0 && start[of.slots[k].feature] < start[of.slots[k].feature + 1];
  }

  /// Whether another boundary that makes one surface with this one lies before its closest point, as a ramp lies before
  /// the plane that it stands on. Where both hold the point, the one with the higher feature counts.
  SCREE_HD bool is_hidden(offset_t begin, offset_t end, offset_t k, const Feature& feature, const Vec3d& point,
                          const Vec3d& x, double radius) const {
    constexpr double hair = 1e-6;
    const BoundaryView& all = of.boundaries;
    for (offset_t other = begin; other < end; ++other) {
      const Feature f = all.feature[of.slots[other].feature];
      if (f.kind != FeatureKind::facet || f.boundary == feature.boundary) { continue; }
      if (all.info[f.boundary].joined != all.info[feature.boundary].joined) { continue; }
      const Vec3d a = all.vertex[f.a], b = all.vertex[f.b], c = all.vertex[f.c];
      const Vec3d normal = cross(b - a, c - a), way = point - x;
      const double height = dot(normal, a - x), along = dot(normal, way);
      const double share = along != 0 ? height / along : 2;
      if (!(share > 0 && share < (other > k ? 1 + hair : 1 - hair))) { continue; }
      const Vec3d hit = x + share * way, off = hit - closest_on_triangle(hit, a, b, c).point;
      if (dot(off, off) < hair * hair * radius * radius) { return true; }
    }
    return false;
  }

  /// Whether a facet that shares the edge or vertex holds a point closer to x. Ties pass: they are found as duplicates.
  SCREE_HD bool facet_is_closer(std::uint32_t facet, const Feature& f, const ClosestPoint& closest, const Vec3d& x,
                                double radius) const {
    const Vec3d away = x - closest.point;
    const double tolerance = 1e-9 * radius;
    const auto region = static_cast<std::uint32_t>(closest.region);
    const std::uint32_t corner[3] = {f.a, f.b, f.c};
    if (closest.region >= TriangleRegion::vertex_a) {
      const std::uint32_t vertex = corner[region - static_cast<std::uint32_t>(TriangleRegion::vertex_a)];
      for (std::uint32_t k = of.boundaries.ring_start[vertex]; k < of.boundaries.ring_start[vertex + 1]; ++k) {
        const Vec3d along = of.boundaries.vertex[of.boundaries.ring[k]] - of.boundaries.vertex[vertex];
        if (dot(away, along) > tolerance * norm(along)) { return true; }
      }
      return false;
    }
    const std::uint32_t edge = region - static_cast<std::uint32_t>(TriangleRegion::edge_ab);
    const Vec3d a = of.boundaries.vertex[corner[edge]];
    const Vec3d along = of.boundaries.vertex[corner[(edge + 1) % 3]] - a;
    const std::uint32_t e = 3 * (facet - of.boundaries.first_facet) + edge;
    for (std::uint32_t k = of.boundaries.edge_start[e]; k < of.boundaries.edge_start[e + 1]; ++k) {
      const Vec3d opposite = of.boundaries.vertex[of.boundaries.edge_opposite[k]] - a;
      const Vec3d inward = opposite - (dot(opposite, along) / dot(along, along)) * along;
      if (dot(away, inward) > tolerance * norm(inward)) { return true; }
    }
    return false;
  }

  SCREE_HD bool share_vertex(const Feature& p, const Feature& q) const {
    return p.a == q.a || p.a == q.b || p.a == q.c || p.b == q.a || p.b == q.b || p.b == q.c || p.c == q.a ||
           p.c == q.b || p.c == q.c;
  }

  /// Whether a contact can move from one to the other without parting.
  SCREE_HD bool are_neighbours(const Feature& p, const Feature& q) const {
    if (p.boundary == q.boundary) { return p.kind == FeatureKind::facet && share_vertex(p, q); }
    const std::uint32_t joined = of.boundaries.info[p.boundary].joined;
    return joined != 0 && joined == of.boundaries.info[q.boundary].joined;
  }

  /// A contact that is new on one facet while another ends on a neighbour is the same contact moved.
  SCREE_HD void hand_over(offset_t begin, offset_t end, offset_t k) const {
    const Feature feature = of.boundaries.feature[of.slots[k].feature];
    if (feature.kind != FeatureKind::facet && of.boundaries.info[feature.boundary].joined == 0) { return; }
    for (offset_t other = begin; other < end; ++other) {
      BoundarySlot<R>& from = of.slots[other];
      if (from.accepted != 0 || from.touching == 0) { continue; }
      if (!are_neighbours(feature, of.boundaries.feature[from.feature])) { continue; }
      move_history(other, k);
      from.accepted = 2;
      return;
    }
  }

  /// To a slot that does not touch.
  SCREE_HD void move_history(offset_t from, offset_t to) const {
    of.slots[to].shear = of.slots[from].shear;
    of.slots[to].normal = of.slots[from].normal;
    of.slots[to].touching = 1;
    of.rows().take(to, of.rows(), from);  // what it had is given back: a slot that does not touch is clear
  }

  /// The two sides of a shell are told apart by where the body is. When it crosses the axis they change places: the
  /// histories go to where the contacts are.
  SCREE_HD void swap_sides(offset_t k, const Vec3d& x) const {
    BoundarySlot<R>&one = of.slots[k], &two = of.slots[k + 1];
    if (two.feature != one.feature + 1) { return; }
    const Feature far_side = of.boundaries.feature[two.feature];
    if (far_side.kind != FeatureKind::cone || far_side.b != 1) { return; }
    const Vec3d normal = x - closest_point(of.boundaries, of.boundaries.feature[one.feature], x).point;
    const Vec3d opposite = x - closest_point(of.boundaries, far_side, x).point;
    const Vec3d before = convert<double>(one.normal);
    if (!(dot(before, opposite) * norm(normal) > dot(before, normal) * norm(opposite))) { return; }
    const BoundarySlot<R> kept = one;
    one.shear = two.shear, one.normal = two.normal, one.touching = two.touching;
    two.shear = kept.shear, two.normal = kept.normal, two.touching = kept.touching;
    of.rows().swap(k, k + 1);
  }

  SCREE_HD void touch(offset_t k, index_t body, const Vec3d& x, Wrench<R>& sum) const {
    BoundarySlot<R>& slot = of.slots[k];
    const Feature feature = of.boundaries.feature[slot.feature];
    const bool joined = slot.weight != 0;
    const R weight = joined ? static_cast<R>(slot.weight) : R(1);
    const Separation closest =
        joined ? separation_from_point(x, slot.point) : separation(of.boundaries, feature, x, slot.point);
    const Pose& pose = of.boundaries.pose[feature.boundary];
    const R radius = of.bodies.radius[body];
    const Vec3<R> n = convert<R>(closest.normal);
    const R overlap = static_cast<R>(double(radius) - closest.distance);
    const R arm = radius - R(0.5) * overlap;
    const bool crossed = closest.distance <= 0 || (slot.touching != 0 && dot(n, slot.normal) < R(-0.5));
    if (crossed) { raise_fault(of.control, FaultKind::crossed_boundary, of.bodies.id[body]); }

    const Vec3d contact_point = x - double(arm) * closest.normal;
    const Vec3<R> surface_velocity = convert<R>(pose.velocity + cross(pose.spin, contact_point));
    Vec3<R> own = of.bodies.velocity[body], spin = of.bodies.angular_velocity[body];
    if (of.flow.any) {
      own += convert<R>(of.flow.at(x, own, double(of.time_step)));
      spin += of.flow.spin;
    }
    const Vec3<R> velocity = own - arm * cross(spin, n) - surface_velocity;

    ContactState<R> contact;
    contact.n = n;
    contact.overlap = overlap;
    contact.normal_velocity = weight * dot(n, velocity);
    contact.retreat = of.time_step * contact.normal_velocity;
    contact.overlap_before = overlap + contact.retreat;
    contact.spin = spin - convert<R>(pose.spin);
    contact.slip = weight * (velocity - dot(n, velocity) * n);
    contact.velocity = weight * (own - surface_velocity);
    contact.rolling = (weight * arm) * spin;
    contact.branch_before = slot.touching == 0 ? n : slot.normal;
    contact.total_spin = spin + convert<R>(pose.spin);
    contact.time_step = of.time_step;
    contact.lean = of.lean;
    contact.take_shear(select(slot.touching == 0, Vec3<R>{R(0), R(0), R(0)}, slot.shear));
    contact.radius1 = contact.radius2 = contact.effective_radius = radius;
    const R inverse_mass = of.bodies.inverse_mass[body];
    contact.effective_mass = inverse_mass > R(0) ? R(1) / inverse_mass : R(0);  // both are fixed: no dashpot
    History history;
    history.each([&](int component, R& value) { value = of.extra[history_place<Law>(k, component, of.n_extra)]; });
    const LawResponse<R> response = answer(contact, params[materials_at(k, body)], history, k);
    if constexpr (0 < last_components<Law>) { history.entry.viscous = weight * history.entry.viscous; }
    history.each([&](int component, R& value) { of.extra[history_place<Law>(k, component, of.n_extra)] = value; });

    slot.touching = 1;
    slot.point = contact_point;
    slot.normal = n;
    slot.shear = response.shear;
    slot.force = weight * (response.normal * n + response.tangential);
    sum.force += slot.force;
    sum.torque += (weight * arm) * cross(response.tangential, n);
    if constexpr (has_couple<Law>) {
      sum.torque += response.couple;
      of.couple[k] = response.couple;
    }
  }

  SCREE_HD LawResponse<R> answer(const ContactState<R>& contact, const typename Law::Params& p, History& history,
                                 [[maybe_unused]] offset_t k) const {
    if constexpr (has_stack<Law>) {
      DeepStack<R> deep(of.pool, of.stack[k]);
      return Law::evaluate_whole(contact, p, history, deep);
    } else {
      return evaluate_law<Law>(contact, p, history);
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
