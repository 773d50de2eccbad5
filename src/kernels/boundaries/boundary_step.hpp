#pragma once

#include "kernels/boundaries/boundary_drive.hpp"
#include "kernels/math/exact_sum.hpp"
#include "kernels/state/step_moment.hpp"

/// The motion of boundaries within a batch of steps. Prescribed poses are planned by the driver; a kernel moves driven
/// boundaries by the loads of the step, counts work, and finds out how far they have moved.
namespace scree::inline SCREE_BACKEND {

inline constexpr std::size_t load_components = 6;  ///< force and torque

struct Ball {
  Vec3d centre{0, 0, 0};  ///< [m]
  double radius = 0;      ///< [m]
};

/// The constants of a moving boundary.
struct MovingBoundary {
  BoundaryDrive drive;
  std::uint32_t boundary = 0;  ///< its index among all boundaries
  bool is_bounded = false;     ///< all shapes but planes are
  Ball around;                 ///< around a bounded shape in the reference pose

  /// A ball around the part of the boundary that can meet a particle, in the frame of the boundary. Particles are
  /// within `extent` [m] of the world's origin.
  [[nodiscard]] SCREE_HD Ball ball(const Pose& pose, double extent) const {
    if (!is_bounded) { return {pose.place_back({0, 0, 0}), extent}; }
    return {around.centre, around.radius + math::max(pose.growth, 0.0)};
  }
};

/// [-] The largest movement of a point at distance 1 from a fixed centre, from one orientation to another:
/// 2 sin(angle / 2). The root of the sum of squares of the changes of all nine matrix components is sqrt(2) times that.
[[nodiscard]] SCREE_HD inline double most_turn(const Pose& from, const Pose& to) {
  const Vec3d x = to.row_x - from.row_x, y = to.row_y - from.row_y, z = to.row_z - from.row_z;
  return math::sqrt(0.5 * (dot(x, x) + dot(y, y) + dot(z, z)));
}

/// How far a boundary moves in a step, from its poses now and after the step.
struct StepWay {
  double travel;  ///< [m] bound of the distance of any point of the ball from its old place
  double way;     ///< [m] bound of the length of the path of any point of the ball
  double angle;   ///< [rad] by which it turns

  SCREE_HD StepWay(const Ball& ball, const Pose& now, const Pose& after, double length)
      : travel(norm(after.place(ball.centre) - now.place(ball.centre)) + most_turn(now, after) * ball.radius +
               math::abs(after.growth - now.growth)),
        way(travel),
        angle(0) {
    // Poses alone do not tell the length of a path: after a full turn a boundary stands where it stood. Therefore this
    // also uses the velocities.
    for (const Pose* pose : {&now, &after}) {
      const double turn = length * norm(pose->spin);
      angle = math::max(angle, turn);
      const Vec3d velocity = pose->velocity + cross(pose->spin, pose->place(ball.centre));
      way = math::max(way, length * (norm(velocity) + math::abs(pose->growth_rate)) + turn * ball.radius);
    }
  }

  /// Whether the boundary may have passed over bodies: a point may have moved farther than an eighth of
  /// `smallest_radius` [m].
  [[nodiscard]] SCREE_HD bool is_fast(double smallest_radius) const { return way > 0.125 * smallest_radius; }
};

/// The moving boundaries of a run, for kernels.
struct MovingView {
  Span<MovingBoundary> all;
  Span<Pose> prescribed;  ///< [(n_steps + 2) * n_moving] before step 0 of the batch, before step 1, ... after the last
  Span<DrivenState> state, last_state;  ///< [n_moving] now, and before the last step
  Span<Pose> pose;                      ///< [n_boundaries] now, with the mean velocities of the last step
  Span<Pose> momentary_pose;  ///< [n_boundaries] now, with the velocities of this moment; empty: nothing slides
  Span<Pose> pose_of_forces;  ///< [n_boundaries] see BoundarySystem::pose_of_forces
  Span<double> travel;        ///< [n_moving] [m] of driven boundaries in the last step
  Control* control;

  /// The pose that the prescribed motions give at the start of step k. k may equal the number of steps.
  SCREE_INLINE const Pose& prescribed_at(std::int64_t k, std::size_t m) const {
    return prescribed[static_cast<std::size_t>(k + 1) * all.size + m];
  }
  /// The same pose, with the mean velocity over the last step, whose length [s] is given. Contacts use this velocity,
  /// because the velocities of bodies also belong to the middle of the last step.
  SCREE_INLINE Pose arrived_at(std::int64_t k, std::size_t m, double length) const {
    return with_mean_velocity(prescribed_at(k, m), prescribed_at(k - 1, m), prescribed_at(k, m), length);
  }
  /// The same with the mean velocity over step k.
  SCREE_INLINE Pose leaving_at(std::int64_t k, std::size_t m, double length) const {
    return with_mean_velocity(prescribed_at(k, m), prescribed_at(k, m), prescribed_at(k + 1, m), length);
  }
};

/// Places the moving boundaries for the first step of a batch; one thread per moving boundary. BoundaryStep places them
/// for the other steps. `bodies` tells whether there are free bodies.
template <bool bodies>
struct BoundaryPlacement {
  MovingView moving;
  BoundaryMoment moment{};

  template <class R>
  SCREE_INLINE BoundaryPlacement at(const StepMoment<R>& step) const {
    return {moving, step.boundaries};
  }
  SCREE_HD void operator()(std::size_t m) const {
    if (moving.control->halted != 0) { return; }
    const MovingBoundary& boundary = moving.all[m];
    const StepTimes& times = moment.times;
    const auto placed = [&](const Pose& prescribed) {
      return boundary.drive.template pose<bodies>(prescribed, times.now, moving.state[m]);
    };
    moving.pose[boundary.boundary] = placed(moving.arrived_at(moment.index, m, times.last));
    if (moving.momentary_pose.size == 0) { return; }
    moving.momentary_pose[boundary.boundary] = placed(moving.prescribed_at(moment.index, m));
  }
};

/// Ends a step of the moving boundaries: it moves the driven ones by the loads of the step, sums the work of all, and
/// places all for the next step. One thread per moving boundary. `bodies` tells whether there are free bodies.
template <bool bodies>
struct BoundaryStep {
  MovingView moving;
  /// First [n_moving * load_components] loads of the step, then [n_moving] powers of the surfaces if any surface slides
  /// or grows, then [n_moving] radial forces if any surface grows. Empty if no boundary has loads
  Span<ExactSum> loads;
  DriveStep scheme;
  double smallest_radius;  ///< [m]
  BoundaryMoment moment{};

  template <class R>
  SCREE_INLINE BoundaryStep at(const StepMoment<R>& step) const {
    BoundaryStep now = *this;
    now.moment = step.boundaries;
    return now;
  }
  SCREE_HD void operator()(std::size_t m) const {
    if (moving.control->halted != 0) { return; }
    const MovingBoundary& boundary = moving.all[m];
    const BoundaryDrive& drive = boundary.drive;
    const StepTimes& times = moment.times;
    const Pose& planned_now = moving.prescribed_at(moment.index, m);
    const DrivenState start = moving.state[m];
    const Load load = load_of(m);
    const Pose before = drive.template pose<bodies>(moving.prescribed_at(std::int64_t(moment.index) - 1, m),
                                                    times.before, drive.template before<bodies>(start, times));
    const Pose now = drive.template pose<bodies>(planned_now, times.now, start);
    DrivenState end = drive.template after<bodies>(start, times, planned_now, load, scheme);
    const Pose after = drive.template pose<bodies>(moving.prescribed_at(moment.index + 1, m), times.after, end);
    // The force acts between two steps. Its work counts half of the way in each of them, which is the trapezoidal rule.
    const double both = times.last + times.next;
    const Pose mean = mean_velocity(now, before, after, both);
    end.work = start.work - 0.5 * both * (dot(load.force, mean.velocity) + dot(load.torque, mean.spin));
    if (drive.is_radial) { end.work -= 0.5 * both * load.radial * mean.growth_rate; }
    if (load.power != 0) { end.work += 0.5 * (times.step == 0 ? times.next : both) * load.power; }
    if constexpr (bodies) {
      moving.last_state[m] = start;
      moving.state[m] = end;
    } else {
      static_cast<AxisMotion&>(moving.last_state[m]) = start;
      static_cast<AxisMotion&>(moving.state[m]) = end;
      moving.last_state[m].radial = start.radial;
      moving.state[m].radial = end.radial;
    }
    moving.pose[boundary.boundary] =
        drive.template pose<bodies>(moving.arrived_at(std::int64_t(moment.index) + 1, m, times.next), times.after, end);
    if (moving.momentary_pose.size > 0) { moving.momentary_pose[boundary.boundary] = after; }
    moving.pose_of_forces[boundary.boundary] =
        drive.template pose<bodies>(moving.leaving_at(moment.index, m, times.next), times.now, end);
    if (!drive.any) { return; }
    const StepWay way(boundary.ball(now, moment.extent), now, after, times.next);
    moving.travel[m] = way.travel;
    if (way.is_fast(smallest_radius)) { raise_flag(&moving.control->fast); }
  }

 private:
  [[nodiscard]] SCREE_HD Load load_of(std::size_t m) const {
    if (loads.size == 0) { return {}; }
    const std::size_t n = moving.all.size, n_loads = n * load_components;
    constexpr std::size_t power = load_components, radial = load_components + 1;
    double sum[load_components + 2];
    sum[power] = sum[radial] = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // value() copies the sum, and every thread of a GPU gets memory for all copies of a kernel
#endif
    for (std::size_t k = 0; k < load_components + 2; ++k) {
      const std::size_t at = k < load_components ? m * load_components + k : n_loads + (k - load_components) * n + m;
      if (at < loads.size) { sum[k] = loads[at].value(); }
    }
    return {{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}, sum[power], sum[radial]};
  }
};

/// Ends a step in a run with moving boundaries; one thread runs it. The list is spent when boundaries, and the mean
/// flow along them, have moved too far.
struct MovingStepEnd {
  StepEnd end;
  MovingView moving;
  BoundaryMoment moment{};

  template <class R>
  SCREE_INLINE MovingStepEnd at(const StepMoment<R>& step) const {
    return {end, moving, step.boundaries};
  }
  SCREE_HD void operator()(std::size_t) const {
    Control& control = *end.control;
    if (control.halted != 0) { return; }
    double most = moment.travel;
    for (std::size_t m = 0; m < moving.all.size; ++m) {
      if (moving.all[m].drive.any) { most = math::max(most, moving.travel[m]); }
    }
    control.boundary_travel += most + moment.flow;
    if (control.boundary_travel > moment.travel_limit) { control.list_spent = 1; }
    end(0);
  }
};

}  // namespace scree::inline SCREE_BACKEND
