#pragma once

#include "kernels/contact/boundary_views.hpp"
#include "kernels/laws/concept.hpp"
#include "kernels/shapes/closest.hpp"

namespace scree::inline SCREE_BACKEND {

/// Geometry of a sphere that touches a feature of a boundary at one point. It tells a law about the contact, and turns
/// the answer into a wrench on the sphere. It knows no law. The normal points from the boundary to the sphere; the
/// contact point lies in the middle of the overlap. A contact that joins several (ContactJoin) has a weight: the
/// velocities that the law sees and the forces that it returns are multiplied by it.
template <class R>
struct SphereOnFeature {
  using Scalar = R;
  using Views = BoundaryContactViews<R>;

  struct Touch {
    ContactState<R> state;
    Vec3d point;  ///< [m] contact point
    R arm;        ///< [m] from the contact point to the centre
    R weight;     ///< [-] 1: not joined
  };

  /// The part of the state on which the stiffness of a contact depends, after the contact was evaluated. The rest is
  /// zero.
  SCREE_HD static ContactState<R> state_at_rest(const Views& of, offset_t k, index_t body) {
    const R radius = of.bodies.radius[body], inverse_mass = of.bodies.inverse_mass[body];
    ContactState<R> state{};
    // slots[k].point is the contact point, in the middle of the overlap.
    state.overlap = static_cast<R>(2 * (double(radius) - norm(of.bodies.position[body] - of.slots[k].point)));
    state.radius1 = state.radius2 = state.effective_radius = radius;
    state.effective_mass = inverse_mass > R(0) ? R(1) / inverse_mass : R(0);
    return state;
  }

  /// The contact of slot k with a body whose centre is at x. Raises crossed_boundary if the centre has passed to the
  /// other side of a surface. `plain`: see BoundaryContacts.
  template <bool plain>
  SCREE_HD static Touch touch(const Views& of, offset_t k, index_t body, const Vec3d& x) {
    const BoundarySlot<R>& slot = of.slots[k];
    const Feature feature = of.feature_at(k);
    const bool joined = !plain && slot.weight != 0;
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
    if (!plain && of.flow.any) {
      const CellFlow<R> flow = of.flow_now();
      own += convert<R>(flow.at(x, own, double(of.time_step)));
      spin += flow.spin;
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
    // If the body is fixed, too, the mass 0 makes the dashpots vanish.
    contact.effective_mass = inverse_mass > R(0) ? R(1) / inverse_mass : R(0);
    return {contact, contact_point, arm, weight};
  }

  /// Writes the result of a contact into its slot and adds it to the wrench on the sphere. A couple is not included.
  SCREE_HD static void act(const Touch& touch, const LawResponse<R>& response, BoundarySlot<R>& slot, Wrench<R>& sum) {
    const Vec3<R>& n = touch.state.n;
    slot.touching = 1;
    slot.point = touch.point;
    slot.normal = n;
    slot.shear = response.shear;
    slot.force = touch.weight * (response.normal * n + response.tangential);
    sum.force += slot.force;
    sum.torque += (touch.weight * touch.arm) * cross(response.tangential, n);
  }
};

}  // namespace scree::inline SCREE_BACKEND
