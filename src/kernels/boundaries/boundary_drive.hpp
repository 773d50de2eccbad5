#pragma once

#include "kernels/integrators/leapfrog.hpp"
#include "kernels/integrators/spiral.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/step_times.hpp"

/// The motion of a boundary. The host and the kernels share this arithmetic: the host plans prescribed motions, and a
/// kernel adds the motion due to forces.
namespace scree::inline SCREE_BACKEND {

/// The force of the contacts on a boundary, and their torque about the origin of the world.
struct Load {
  Vec3d force{0, 0, 0};   ///< [N]
  Vec3d torque{0, 0, 0};  ///< [N m]
  double power = 0;       ///< [W] of the sliding surface on the bodies, by its motion relative to the boundary
  double radial = 0;      ///< [N] on a cylinder with a radius that changes: sum of the forces away from its axis
};

/// Gravity and damping of driven boundaries, which are the same for all of them.
struct DriveStep {
  Vec3d gravity;   ///< [m/s2]
  double damping;  ///< [-] Cundall
};

/// One motion at a moment. It moves a point from y to rotation (y - origin) + origin + shift. A point at x has the
/// velocity velocity + spin x (x - origin - shift).
struct MotionPart {
  Vec3d row_x{1, 0, 0}, row_y{0, 1, 0}, row_z{0, 0, 1};
  Vec3d origin{0, 0, 0}, shift{0, 0, 0}, velocity{0, 0, 0}, spin{0, 0, 0};

  [[nodiscard]] SCREE_HD Vec3d turn(const Vec3d& v) const { return {dot(row_x, v), dot(row_y, v), dot(row_z, v)}; }
};

/// Sets the rotation of a part: an angle [rad] about a unit axis.
SCREE_HD inline void turn_by(MotionPart& part, const Vec3d& axis, double angle) {
  const math::SineCosine a = math::sincos(angle);
  // Rodrigues: c 1 + s [axis]x + (1 - c) axis axis^T
  const double one = 1.0 - a.cosine;
  part.row_x = {a.cosine + one * axis.x * axis.x, one * axis.x * axis.y - a.sine * axis.z,
                one * axis.x * axis.z + a.sine * axis.y};
  part.row_y = {one * axis.y * axis.x + a.sine * axis.z, a.cosine + one * axis.y * axis.y,
                one * axis.y * axis.z - a.sine * axis.x};
  part.row_z = {one * axis.z * axis.x - a.sine * axis.y, one * axis.z * axis.y + a.sine * axis.x,
                a.cosine + one * axis.z * axis.z};
}

/// Applies a motion after the motions that a pose already contains.
SCREE_HD inline void append(Pose& pose, const MotionPart& part) {
  const Vec3d column_x{pose.row_x.x, pose.row_y.x, pose.row_z.x};
  const Vec3d column_y{pose.row_x.y, pose.row_y.y, pose.row_z.y};
  const Vec3d column_z{pose.row_x.z, pose.row_y.z, pose.row_z.z};
  const Vec3d new_x = part.turn(column_x), new_y = part.turn(column_y), new_z = part.turn(column_z);
  pose.row_x = {new_x.x, new_y.x, new_z.x};
  pose.row_y = {new_x.y, new_y.y, new_z.y};
  pose.row_z = {new_x.z, new_y.z, new_z.z};
  pose.shift = part.turn(pose.shift - part.origin) + part.origin + part.shift;

  // With x = T(y - o) + o + d: x' = T y' + w x (x - o - d) + v, and T y = x - o - d + T o.
  const Vec3d turned_spin = part.turn(pose.spin);
  const Vec3d turned_origin = part.turn(part.origin);
  const Vec3d centre = part.origin + part.shift;
  pose.velocity =
      part.turn(pose.velocity) + cross(turned_spin, turned_origin - centre) + part.velocity - cross(part.spin, centre);
  pose.spin = turned_spin + part.spin;
  pose.surface_spin = part.turn(pose.surface_spin);
  pose.surface_velocity = part.turn(pose.surface_velocity) + cross(pose.surface_spin, turned_origin - centre);
}

/// The motion of a boundary due to forces. It is applied after the prescribed motions. Without a drive it does nothing.
struct BoundaryDrive {
  bool any = false, translates = false, turns = false;
  bool free[3] = {false, false, false};              ///< axes along which it translates
  bool on_line = false;                              ///< it translates along `line` instead
  Vec3d line{0, 0, 0};                               ///< of length 1
  double most_speed = 0;                             ///< [m/s] upper bound along the line; there is none against it
  double from = 0;                                   ///< [s] it is released at this time
  double mass = 1, damping = 0;                      ///< [kg], [N s/m]
  Vec3d force{0, 0, 0};                              ///< [N]
  bool is_led = false;                               ///< it translates with `lead`, whatever forces act on it
  Vec3d lead{0, 0, 0};                               ///< [m/s]
  Vec3d axis{0, 0, 1}, origin{0, 0, 0};              ///< of the rotation; the axis has length 1
  double inertia = 1, turn_damping = 0, torque = 0;  ///< [kg m2], [N m s], [N m]

  // A cylinder may change its radius instead of moving. `mass` and `damping` are those of this motion, and `most_speed`
  // bounds the speed with which the radius gets smaller.
  bool is_radial = false;
  double push = 0;          ///< [N] sum of the forces away from the axis; the contacts add to it
  double radial_lead = 0;   ///< [m/s] rate of the radius if `is_led`
  double least_growth = 0;  ///< [m] lower bound of the growth of the radius

  // A free body also translates, as above, with its centre of mass at `origin` in the reference pose.
  bool is_body = false;
  Vec3d moments{1, 1, 1};        ///< [kg m2] principal moments of inertia
  Quaterniond axes{1, 0, 0, 0};  ///< principal axes -> reference pose
  Vec3d body_torque{0, 0, 0};    ///< [N m] about the centre of mass

  [[nodiscard]] SCREE_HD bool is_free(double time) const { return any && time >= from; }

  /// The components of v along the free axes, or along the line.
  [[nodiscard]] SCREE_HD Vec3d along_free_axes(const Vec3d& v) const {
    if (on_line) { return dot(v, line) * line; }
    return {free[0] ? v.x : 0, free[1] ? v.y : 0, free[2] ? v.z : 0};
  }

  /// The pose at a time [s] at which the prescribed motions alone would give `prescribed`. Kernels of runs without free
  /// bodies call this function and the following ones with `bodies` false.
  template <bool bodies = true>
  [[nodiscard]] SCREE_HD Pose pose(const Pose& prescribed, double time, const DrivenState& state) const {
    Pose pose = prescribed;
    if (!any) { return pose; }
    MotionPart part;
    part.shift = state.shift;
    const bool moves = is_free(time);
    if (moves) { part.velocity = state.velocity; }
    if (turns) {
      // The prescribed motions move the axis, too. If c' is the velocity of the origin of the axis, the velocity of the
      // part grows by c' - T c'.
      part.origin = pose.place(origin);
      const Vec3d carried = pose.velocity + cross(pose.spin, part.origin);
      if (state.angle != 0) { turn_by(part, axis, state.angle); }
      if (moves) { part.spin = state.rate * axis; }
      part.velocity += carried - part.turn(carried);
    }
    if constexpr (bodies) {
      if (is_body) {
        const RotationMatrix<double> turn = matrix_of(state.body.turn);
        part.row_x = turn.row_x, part.row_y = turn.row_y, part.row_z = turn.row_z;
        part.origin = pose.place(origin);
        if (moves) { part.spin = state.body.spin; }
      }
    }
    append(pose, part);
    if (is_radial) {
      pose.growth = state.radial.growth;
      if (moves) { pose.growth_rate = state.radial.rate; }
    }
    return pose;
  }

  /// The positions of one step earlier, with the velocities of `state`.
  template <bool bodies = true>
  [[nodiscard]] SCREE_HD DrivenState before(const DrivenState& state, const StepTimes& times) const {
    DrivenState earlier = state;
    if (times.step == 0 || !is_free(times.before)) { return earlier; }
    earlier.shift = state.shift - times.last * state.velocity;
    earlier.angle = state.angle - times.last * state.rate;
    earlier.radial.growth = state.radial.growth - times.last * state.radial.rate;
    if constexpr (bodies) {
      if (is_body) { earlier.body.turn = turned_on(state.body, -times.last); }
    }
    return earlier;
  }

  /// The orientation after a time [s] with constant spin.
  [[nodiscard]] SCREE_HD static Quaterniond turned_on(const BodyRotation& body, double time) {
    return turned(body.turn, turn_minus_one(0.5 * time * rotate_back(body.turn, body.spin)));
  }

  /// The state after the next step. Forces act as on a particle (leapfrog); the caller counts their work. `prescribed`
  /// is the present pose of the prescribed motions.
  template <bool bodies = true>
  [[nodiscard]] SCREE_HD DrivenState after(const DrivenState& state, const StepTimes& times, const Pose& prescribed,
                                           const Load& contacts, const DriveStep& scheme) const {
    const double dt = times.next;
    if (!is_free(times.now)) { return state; }
    // In the first step of a free boundary the given velocity belongs to the start of the step: the kick is half a
    // step.
    const bool first = times.step == 0 || !is_free(times.before);
    const Leapfrog<double> leapfrog{dt, first ? 0.5 * dt : times.kick(), scheme.damping};
    DrivenState next = state;
    if (translates) {
      // The resistance acts on the mean of the velocities before and after the step. This is stable for any damping.
      const double resistance = damping / mass;
      const Vec3d push = (1 / mass) * (contacts.force + force) + scheme.gravity - resistance * state.velocity;
      next.velocity = leapfrog.advance(state.velocity, along_free_axes((1 / (1 + 0.5 * dt * resistance)) * push));
      if (on_line && dot(next.velocity, line) > most_speed) { next.velocity = most_speed * line; }
      if (is_led) { next.velocity = along_free_axes(lead); }
      next.shift = state.shift + dt * next.velocity;
    }
    if (is_radial) { next.radial = resized(state.radial, leapfrog, contacts.radial); }
    if (turns) {
      const Vec3d point = prescribed.place(origin) + state.shift;
      const double whole = dot(axis, contacts.torque - cross(point, contacts.force)) + torque;
      const double resistance = turn_damping / inertia;
      const double push = (whole / inertia - resistance * state.rate) / (1 + 0.5 * dt * resistance);
      next.rate = leapfrog.advance(Vec3d{state.rate, 0, 0}, Vec3d{push, 0, 0}).x;
      next.angle = state.angle + dt * next.rate;
    }
    if constexpr (bodies) {
      if (is_body) {
        next.body = rotated(state, {leapfrog.kick, dt}, prescribed.place(origin) + state.shift, contacts, scheme);
      }
    }
    return next;
  }

 private:
  /// The radius after the next step. Gravity does not act on it.
  [[nodiscard]] SCREE_HD RadialMotion resized(const RadialMotion& now, const Leapfrog<double>& leapfrog,
                                              double contacts) const {
    const double dt = leapfrog.time_step;
    const double resistance = damping / mass;
    const double outward = ((contacts + push) / mass - resistance * now.rate) / (1 + 0.5 * dt * resistance);
    RadialMotion next;
    next.rate = math::max(leapfrog.advance(Vec3d{now.rate, 0, 0}, Vec3d{outward, 0, 0}).x, -most_speed);
    if (is_led) { next.rate = radial_lead; }
    next.growth = now.growth + dt * next.rate;
    if (next.growth < least_growth) {
      next.growth = least_growth;
      next.rate = (least_growth - now.growth) / dt;
    }
    return next;
  }

  /// The rotation of a free body after the next step, by the integrator of clumps. `centre` [m] is the present centre
  /// of mass. As for velocities, the resistance acts on the mean of the spins before and after the step.
  [[nodiscard]] SCREE_HD BodyRotation rotated(const DrivenState& state, const RotationTimes<double>& times,
                                              const Vec3d& centre, const Load& contacts,
                                              const DriveStep& scheme) const {
    const BodyRotation& now = state.body;
    Rotor<double> rotor{now.turn * axes, now.spin, {0, 0, 0}};
    Vec3d acting = contacts.torque - cross(centre, contacts.force) + body_torque;
    if (turn_damping > 0) {
      const Vec3d in_axes = rotate_back(rotor.orientation, acting - turn_damping * now.spin);
      const double half = 0.5 * times.kick * turn_damping;
      acting = rotate(rotor.orientation, Vec3d{in_axes.x / (1 + half / moments.x), in_axes.y / (1 + half / moments.y),
                                               in_axes.z / (1 + half / moments.z)});
    }
    if (scheme.damping > 0) {  // as on clumps
      const auto damped = [&](double t, double w) {
        const double power = t * w;
        return t * (1 - scheme.damping * (power > 0 ? 1.0 : (power < 0 ? -1.0 : 0.0)));
      };
      acting = {damped(acting.x, now.spin.x), damped(acting.y, now.spin.y), damped(acting.z, now.spin.z)};
    }
    Spiral<double>::step(rotor, moments, acting, times);
    return {normalised(rotor.orientation * conjugate(axes)), rotor.angular_velocity};
  }
};

/// The pose `at` with the velocity and spin of the screw motion that leads from one pose to another within a time [s].
/// They belong to the axis of this screw, so that they are the same wherever the origin of the world lies.
[[nodiscard]] SCREE_HD inline Pose mean_velocity(const Pose& at, const Pose& before, const Pose& after, double time) {
  // A turn R by an angle about the unit axis a leads from the orientation before to that after. Each point moves by
  // x+ - x- = 2 tan(angle / 2) a x (x- + x+) / 2 + s, with the same s for all (Cayley). The antisymmetric part of R is
  // sin(angle) [a]x, and its trace is 1 + 2 cos(angle).
  const Vec3d turn{dot(after.row_z, before.row_y) - dot(after.row_y, before.row_z),
                   dot(after.row_x, before.row_z) - dot(after.row_z, before.row_x),
                   dot(after.row_y, before.row_x) - dot(after.row_x, before.row_y)};
  const double trace = dot(after.row_x, before.row_x) + dot(after.row_y, before.row_y) + dot(after.row_z, before.row_z);
  Pose mean = at;
  mean.spin = (2 / (time * math::max(1 + trace, 1e-3))) * turn;  // the bound is for half a turn within a step
  mean.velocity = (1 / time) * (after.shift - before.shift) - 0.5 * cross(mean.spin, before.shift + after.shift);
  mean.growth_rate = (after.growth - before.growth) / time;
  return mean;
}

/// The pose `at`, which is `before` or `after`, with the mean velocity of the boundary on its way from `before` to
/// `after` in a time [s]. If both poses have the same velocity, the result has exactly this velocity.
[[nodiscard]] SCREE_HD inline Pose with_mean_velocity(const Pose& at, const Pose& before, const Pose& after,
                                                      double time) {
  const Vec3d faster = after.velocity - before.velocity, turns_faster = after.spin - before.spin;
  const bool is_steady = dot(faster, faster) + dot(turns_faster, turns_faster) == 0;
  Pose pose = is_steady ? at : mean_velocity(at, before, after, time);
  pose.surface_velocity = 0.5 * (before.surface_velocity + after.surface_velocity);
  pose.surface_spin = 0.5 * (before.surface_spin + after.surface_spin);
  return pose;
}

}  // namespace scree::inline SCREE_BACKEND
