#pragma once

#include "kernels/laws/concept.hpp"
#include "kernels/laws/mid_step.hpp"
#include "kernels/shapes/closest.hpp"
#include "kernels/step/boundaries/boundary_views.hpp"

namespace scree::inline SCREE_BACKEND {

/// The geometry of a sphere that touches a feature of a boundary at one point. It describes the contact to a law, and
/// turns the answer into a wrench on the sphere. It knows no law. The normal points from the boundary to the sphere;
/// the contact point lies in the middle of the overlap. A contact that joins several (ContactJoin) has a weight: the
/// velocities that the law sees and the forces that it returns are multiplied by it.
template <class R>
struct SphereOnFeature {
  using Scalar = R;
  using Views = BoundaryContactViews<R>;

  /// The input of state_of(): the place of a contact, and the motion of sphere and surface.
  struct Input {
    Vec3<R> n;                 ///< [-]
    R overlap;                 ///< [m]
    Vec3<R> surface_velocity;  ///< [m/s] at the contact point, with that of a surface that slides
    R radius;                  ///< [m]
    R weight;                  ///< [-] 1: not joined
    R mass;                    ///< [kg] 0 if the body is fixed: dashpots then vanish
    Vec3<R> shear;             ///< [N] of the last step; 0 if the contact is new
    Vec3<R> normal_before;     ///< [-] of the last step; n if the contact is new
    Vec3<R> velocity, spin;    ///< [m/s, rad/s] of the sphere, with the mean flow
    Vec3<R> surface_spin;      ///< [rad/s]

    static constexpr int n_components = 25;
    static constexpr int overlap_component = 3, radius_component = 7, normal_before_component = 10;
    static constexpr int velocity_component = 16, spin_component = 19;
    template <class Visit>
    SCREE_INLINE void each_of_place(Visit&& visit) {
      visit(0, n.x), visit(1, n.y), visit(2, n.z), visit(3, overlap);
      visit(4, surface_velocity.x), visit(5, surface_velocity.y), visit(6, surface_velocity.z);
    }
    template <class Visit>
    SCREE_INLINE void each_of_motion(Visit&& visit) {
      visit(7, radius), visit(8, weight), visit(9, mass);
      visit(10, normal_before.x), visit(11, normal_before.y), visit(12, normal_before.z);
      visit(13, shear.x), visit(14, shear.y), visit(15, shear.z);
      visit(16, velocity.x), visit(17, velocity.y), visit(18, velocity.z);
      visit(19, spin.x), visit(20, spin.y), visit(21, spin.z);
      visit(22, surface_spin.x), visit(23, surface_spin.y), visit(24, surface_spin.z);
    }
    /// [m] From the contact point to the centre.
    [[nodiscard]] SCREE_INLINE R arm() const { return radius - R(0.5) * overlap; }
    /// The cosine of the angle by which the normal turned in the step.
    [[nodiscard]] SCREE_INLINE R turned() const { return dot(n, normal_before); }
  };
  /// A smaller cosine means that the sphere has passed to the other side.
  static constexpr R least_turned = R(-0.5);

  /// The effect of a contact on the sphere.
  struct Action {
    Vec3<R> force;   ///< [N]
    Vec3<R> torque;  ///< [N m] about the centre, without couples of the law

    static constexpr int n_components = 6;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, force.x), visit(1, force.y), visit(2, force.z);
      visit(3, torque.x), visit(4, torque.y), visit(5, torque.z);
    }
  };

  struct Touch {
    Input in;
    ContactState<R> state;
    Vec3d point;  ///< [m] contact point
  };

  /// The part of the state on which the stiffness of a contact depends, after the contact was evaluated. The rest is
  /// zero.
  SCREE_HD static ContactState<R> state_at_rest(const Views& of, offset_t k, index_t body) {
    const R radius = of.bodies.radius[body], inverse_mass = of.bodies.inverse_mass[body];
    ContactState<R> state{};
    // slots[k].point is the contact point in the middle of the overlap.
    state.overlap = static_cast<R>(2 * (double(radius) - norm(of.bodies.position[body] - of.slots[k].point)));
    state.radius1 = state.radius2 = state.effective_radius = radius;
    state.effective_mass = inverse_mass > R(0) ? R(1) / inverse_mass : R(0);
    return state;
  }

  /// Whether the contact of a slot joins several contacts.
  template <bool plain = false>
  SCREE_INLINE static bool is_joined(const BoundarySlot<R>& slot) {
    return !plain && slot.weight != 0;
  }

  /// Fills the values that depend on the place of a contact.
  template <bool plain = false>
  SCREE_INLINE static void load_size(const Views& of, const BoundarySlot<R>& slot, index_t body, Input& in) {
    in.weight = is_joined<plain>(slot) ? static_cast<R>(slot.weight) : R(1);
    in.radius = of.bodies.radius[body];
  }
  /// Fills the other values from the slot, the pose of its boundary, and the body, whose centre is at x. For a new
  /// contact the normal must be known, or set later.
  template <bool plain = false>
  SCREE_INLINE static void load_motion(const Views& of, const BoundarySlot<R>& slot, const Pose& pose, index_t body,
                                       const Vec3d& x, Input& in) {
    in.velocity = of.bodies.velocity[body];
    in.spin = of.bodies.angular_velocity[body];
    if (!plain && of.flow.any) {
      const CellFlow<R> flow = of.flow_now();
      in.velocity += convert<R>(flow.at(x, in.velocity, double(of.time_step)));
      in.spin += flow.spin;
    }
    in.surface_spin = convert<R>(pose.spin);
    if (!plain && of.boundaries.slides != 0) { in.surface_spin = convert<R>(pose.spin + pose.surface_spin); }
    in.normal_before = slot.touching == 0 ? in.n : slot.normal;
    in.shear = select(slot.touching == 0, Vec3<R>{R(0), R(0), R(0)}, slot.shear);
    const R inverse_mass = of.bodies.inverse_mass[body];
    in.mass = inverse_mass > R(0) ? R(1) / inverse_mass : R(0);
  }

  /// The contact of slot k with a body whose centre is at x. Raises crossed_boundary if the centre has passed to the
  /// other side of a surface. For `plain` see BoundaryContacts.
  template <bool plain>
  SCREE_HD static Touch touch(const Views& of, offset_t k, index_t body, const Vec3d& x) {
    const BoundarySlot<R>& slot = of.slots[k];
    const Feature feature = of.feature_at(k);
    Touch touch;
    Input& in = touch.in;
    load_size<plain>(of, slot, body, in);
    const Separation closest = is_joined<plain>(slot) ? separation_from_point(x, slot.point)
                                                      : separation(of.boundaries, feature, x, slot.point);
    in.n = convert<R>(closest.normal);
    in.overlap = static_cast<R>(double(in.radius) - closest.distance);
    const bool turned = slot.touching != 0 && dot(in.n, slot.normal) < least_turned;
    if (closest.distance <= 0 || turned) { cross_over(of, body); }

    const Pose& pose = of.boundaries.pose[feature.boundary];
    touch.point = x - double(in.arm()) * closest.normal;
    Vec3d velocity = pose.velocity;
    if (!plain && of.boundaries.grows != 0) { velocity += growth_velocity(of.boundaries, feature, pose, slot.point); }
    Vec3d surface = velocity + cross(pose.spin, touch.point);
    if (!plain && of.boundaries.slides != 0) { surface += pose.sliding(touch.point, closest.normal); }
    in.surface_velocity = convert<R>(surface);
    // This comes as late as possible, because the loaded values fill registers of a GPU thread.
    load_motion<plain>(of, slot, pose, body, x, in);
    state_of(of, in, touch.state);
    return touch;
  }

  SCREE_HD static void cross_over(const Views& of, index_t body) {
    raise_fault(of.control, FaultKind::crossed_boundary, of.bodies.id[body]);
  }

  /// Fills the state that the law sees. The state is an argument for the same reason as in SpherePair.
  SCREE_INLINE static void state_of(const Views& of, const Input& in, ContactState<R>& contact) {
    const R arm = in.arm();
    const Vec3<R> n{in.n.x, in.n.y, in.n.z};
    const Vec3<R> velocity = in.velocity - arm * cross(in.spin, n) - in.surface_velocity;
    const R half_step = R(0.5) * of.time_step, parting = dot(n, velocity);
    const Vec3<R> total_spin = in.spin + in.surface_spin;
    const auto middle = MidStep<R>::between(in.normal_before, n, total_spin, of.time_step);
    // In the middle of the step the arm had another direction and length, and the contact point was at another place of
    // the boundary.
    const R longer = R(0.5) * half_step * parting;
    const Vec3<R> way = half_step * in.velocity - arm * middle.tilt + longer * n;  // path of that point since then
    const Vec3<R> at_middle =
        velocity + cross(arm * in.spin, middle.tilt) + longer * cross(in.spin, n) + cross(in.surface_spin, way);
    contact.n = n;
    contact.overlap = in.overlap;
    contact.normal_velocity = in.weight * parting;
    contact.retreat = of.time_step * contact.normal_velocity;
    contact.overlap_before = in.overlap + contact.retreat;
    contact.spin = middle.turned(in.spin - in.surface_spin);
    contact.slip = in.weight * middle.slip_of(at_middle);
    contact.velocity = in.weight * (in.velocity - in.surface_velocity);
    contact.rolling = (in.weight * arm) * in.spin;
    contact.branch_before = in.normal_before;
    contact.total_spin = total_spin;
    contact.time_step = of.time_step;
    contact.lean = of.lean;
    contact.take_shear(in.shear);
    contact.radius1 = contact.radius2 = contact.effective_radius = in.radius;
    contact.effective_mass = in.mass;
    contact.weight = in.weight;
  }

  SCREE_INLINE static Action action_of(const Input& in, const LawResponse<R>& response) {
    const Vec3<R> n{in.n.x, in.n.y, in.n.z};
    return {in.weight * (response.normal * n + response.tangential),
            (in.weight * in.arm()) * cross(response.tangential, n)};
  }

  /// Writes the place of a contact and its shear into its slot.
  SCREE_INLINE static void keep(const Vec3<R>& n, const Vec3d& point, const Vec3<R>& shear, BoundarySlot<R>& slot) {
    slot.touching = 1;
    slot.point = point;
    slot.normal = n;
    slot.shear = shear;
  }
  /// Writes the force of a contact into its slot, and adds its effect to the wrench on the sphere.
  SCREE_INLINE static void act(const Action& action, BoundarySlot<R>& slot, Wrench<R>& sum) {
    slot.force = action.force;
    sum.force += action.force;
    sum.torque += action.torque;
  }
};

}  // namespace scree::inline SCREE_BACKEND
