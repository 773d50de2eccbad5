#pragma once

#include "kernels/contact/gather.hpp"
#include "kernels/contact/kinematics.hpp"
#include "kernels/laws/concept.hpp"
#include "kernels/shapes/closest.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/control.hpp"

namespace scree::inline SCREE_BACKEND {

/// Contacts of one body with all boundaries near it; one thread per row of BoundaryList.
///
/// A sphere touches a mesh at every local minimum of its distance to the surface, each counted once: a closest point
/// on an edge or vertex counts only if no other facet there is closer, and points that coincide count for the lowest
/// facet. The history of a contact that moves to a neighbouring facet moves with it, so that a sphere rolls over the
/// edges of a flat surface as over a plane.
/// Raises crossed_boundary when the centre passes to the other side of a surface.
template <class Law, class R>
struct BoundaryContacts {
  BodyView<R> bodies;
  BoundaryView boundaries;
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  Span<Wrench<R>> wrench;  ///< [n_rows]
  Span<typename Law::Params> params;
  std::uint32_t n_materials;
  R time_step;
  Control* control;

  SCREE_HD void operator()(std::size_t row) const {
    if (control->halted != 0) { return; }
    const index_t body = body_of_row[row];
    const offset_t begin = row_start[row];
    const offset_t end = row_start[row + 1];
    const Vec3d x = bodies.position[body];
    const double radius = double(bodies.radius[body]);
    if (bodies.inverse_mass[body] == R(0)) {  // removed since the list was made
      for (offset_t k = begin; k < end; ++k) { clear(slots[k]); }
      wrench[row] = {};
      return;
    }
    for (offset_t k = begin; k < end; ++k) { slots[k].accepted = accept(begin, k, x, radius) ? 1 : 0; }
    for (offset_t k = begin; k < end; ++k) {
      if (slots[k].accepted == 1 && slots[k].touching == 0) { hand_over(begin, end, k); }
    }
    Wrench<R> sum{{R(0), R(0), R(0)}, {R(0), R(0), R(0)}};
    for (offset_t k = begin; k < end; ++k) {
      if (slots[k].accepted == 1) {
        touch(slots[k], body, x, sum);
      } else {
        clear(slots[k]);
      }
    }
    wrench[row] = sum;
  }

 private:
  SCREE_HD void clear(BoundarySlot<R>& slot) const {
    slot.touching = 0;
    slot.accepted = 0;
    slot.shear = {};
    slot.force = {};
  }

  SCREE_HD bool accept(offset_t begin, offset_t k, const Vec3d& x, double radius) const {
    const Feature feature = boundaries.feature[slots[k].feature];
    const ClosestPoint closest = closest_point(boundaries, feature, x);
    if (!(closest.square_distance < radius * radius)) { return false; }
    slots[k].point = closest.point;
    if (feature.kind != FeatureKind::facet) { return true; }
    if (closest.region != TriangleRegion::face && facet_is_closer(slots[k].feature, feature, closest, x, radius)) { return false; }
    for (offset_t other = begin; other < k; ++other) {
      if (slots[other].accepted == 0 || boundaries.feature[slots[other].feature].boundary != feature.boundary) { continue; }
      const Vec3d apart = slots[other].point - closest.point;
      if (dot(apart, apart) < 1e-12 * radius * radius) { return false; }
    }
    return true;
  }

  /// Whether a facet that shares the edge or vertex holds a point closer to x. Ties pass: they are found as duplicates.
  SCREE_HD bool facet_is_closer(std::uint32_t facet, const Feature& f, const ClosestPoint& closest, const Vec3d& x, double radius) const {
    const Vec3d away = x - closest.point;
    const double tolerance = 1e-9 * radius;
    const auto region = static_cast<std::uint32_t>(closest.region);
    const std::uint32_t corner[3] = {f.a, f.b, f.c};
    if (closest.region >= TriangleRegion::vertex_a) {
      const std::uint32_t vertex = corner[region - static_cast<std::uint32_t>(TriangleRegion::vertex_a)];
      for (std::uint32_t k = boundaries.ring_start[vertex]; k < boundaries.ring_start[vertex + 1]; ++k) {
        const Vec3d along = boundaries.vertex[boundaries.ring[k]] - boundaries.vertex[vertex];
        if (dot(away, along) > tolerance * norm(along)) { return true; }
      }
      return false;
    }
    const std::uint32_t edge = region - static_cast<std::uint32_t>(TriangleRegion::edge_ab);
    const Vec3d a = boundaries.vertex[corner[edge]];
    const Vec3d along = boundaries.vertex[corner[(edge + 1) % 3]] - a;
    const std::uint32_t e = 3 * (facet - boundaries.first_facet) + edge;
    for (std::uint32_t k = boundaries.edge_start[e]; k < boundaries.edge_start[e + 1]; ++k) {
      const Vec3d opposite = boundaries.vertex[boundaries.edge_opposite[k]] - a;
      const Vec3d inward = opposite - (dot(opposite, along) / dot(along, along)) * along;
      if (dot(away, inward) > tolerance * norm(inward)) { return true; }
    }
    return false;
  }

  SCREE_HD bool share_vertex(const Feature& p, const Feature& q) const {
    return p.a == q.a || p.a == q.b || p.a == q.c || p.b == q.a || p.b == q.b || p.b == q.c || p.c == q.a || p.c == q.b ||
           p.c == q.c;
  }

  /// A contact that is new on one facet while another of the same mesh ends on a neighbour is the same contact moved.
  SCREE_HD void hand_over(offset_t begin, offset_t end, offset_t k) const {
    const Feature feature = boundaries.feature[slots[k].feature];
    if (feature.kind != FeatureKind::facet) { return; }
    for (offset_t other = begin; other < end; ++other) {
      BoundarySlot<R>& from = slots[other];
      if (from.accepted != 0 || from.touching == 0) { continue; }
      const Feature neighbour = boundaries.feature[from.feature];
      if (neighbour.boundary != feature.boundary || !share_vertex(feature, neighbour)) { continue; }
      slots[k].shear = from.shear;
      slots[k].normal = from.normal;
      slots[k].touching = 1;
      from.accepted = 2;
      return;
    }
  }

  SCREE_HD void touch(BoundarySlot<R>& slot, index_t body, const Vec3d& x, Wrench<R>& sum) const {
    const Feature feature = boundaries.feature[slot.feature];
    const Separation closest = separation(boundaries, feature, x, slot.point);
    const Pose& pose = boundaries.pose[feature.boundary];
    const R radius = bodies.radius[body];
    const Vec3<R> n = convert<R>(closest.normal);
    const R overlap = static_cast<R>(double(radius) - closest.distance);
    const R arm = radius - R(0.5) * overlap;
    const bool crossed = closest.distance <= 0 || (slot.touching != 0 && dot(n, slot.normal) < R(-0.5));
    if (crossed) { raise_fault(control, FaultKind::crossed_boundary, bodies.id[body]); }

    const Vec3d contact_point = x - double(arm) * closest.normal;
    const Vec3<R> surface_velocity = convert<R>(pose.velocity + cross(pose.spin, contact_point));
    const Vec3<R> spin = bodies.angular_velocity[body];
    const Vec3<R> velocity = bodies.velocity[body] - arm * cross(spin, n) - surface_velocity;

    ContactState<R> contact;
    contact.n = n;
    contact.overlap = overlap;
    contact.normal_velocity = dot(n, velocity);
    contact.slip = velocity - contact.normal_velocity * n;
    contact.shear = slot.touching == 0 ? Vec3<R>{R(0), R(0), R(0)}
                                       : turn_with_contact(slot.shear, n, slot.normal, spin + convert<R>(pose.spin), time_step);
    contact.radius1 = contact.radius2 = contact.effective_radius = radius;
    contact.effective_mass = R(1) / bodies.inverse_mass[body];
    contact.time_step = time_step;
    const std::uint32_t material = boundaries.info[feature.boundary].material;
    const LawResponse<R> response = Law::evaluate(contact, params[material * n_materials + bodies.material[body]]);

    slot.touching = 1;
    slot.normal = n;
    slot.shear = response.shear;
    slot.force = response.normal * n + response.tangential;
    sum.force += slot.force;
    sum.torque += arm * cross(response.tangential, n);
  }
};

}  // namespace scree::inline SCREE_BACKEND
