#pragma once

#include "kernels/integrators/all.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/modes.hpp"
#include "kernels/step/motion/clump_lanes.hpp"
#include "kernels/step/motion/clump_ledger.hpp"
#include "kernels/step/motion/motion.hpp"

namespace scree::inline SCREE_BACKEND {

/// Moves clumps and their members by one step; one thread per clump. It runs when all members have their contact
/// forces.
///
/// Forces and torques are summed in the order of the members. Leapfrog moves the centre, and one of the integrators of
/// aspherical bodies turns the clump. Cundall's damping acts on the torque. The velocity of a member is its
/// displacement over the step divided by the step, so that contacts compute correctly where the member was one step
/// ago. A clump of one sphere moves like the sphere.
///
/// If the modes of a level-set grain couple to its rotation, this kernel moves the centre only, and CoupledModes turns
/// the grain.
///
/// In a periodic cell the velocity of a clump is relative to the mean flow, but its spin is not: when the spin of the
/// flow changes, the spin of the clump changes by the same amount.
template <class R, class Integrator, bool grouped, bool periodic = false>
struct ClumpMotion {
  static constexpr int block_size = 128;

  ClumpView clumps;
  ClumpMembers members;
  Span<MemberWrench<R>> wrench;               ///< [n_bodies]
  BodyMotion<R, grouped, true, periodic> of;  ///< the motion of single bodies, which places the members
  Leapfrog<double> scheme;
  Vec3d gravity;               ///< [m/s2]
  Span<ClumpStep> steps;       ///< [n_clumps] for the energy ledger; empty without one
  Span<std::uint8_t> holds{};  ///< [n_shapes] 1: CoupledModes turns the clump; empty if there are no such shapes
  Span<HeldTurn> held{};       ///< [n_clumps]

  /// The motion of one step.
  SCREE_INLINE ClumpMotion at(const StepMoment<R>& moment) const {
    ClumpMotion now = *this;
    now.of = of.at(moment);
    // The times are rounded to R, because bodies and contacts use rounded times, too.
    now.scheme.time_step = double(moment.motion.time_step);
    now.scheme.kick = double(moment.motion.kick);
    return now;
  }

#if !SCREE_ON_CUDA
  /// Moves the clumps [begin, end), by vectors where possible.
  void work_on(std::size_t begin, std::size_t end) const {
    if (of.control->halted != 0) { return; }
    std::size_t c = begin;
    if constexpr (!grouped && !periodic) {
      if (steps.size == 0 && holds.size == 0) {
        using Lanes = ClumpLanes<R, Integrator>;
        const Lanes lanes{clumps, members, wrench, of, scheme, gravity};
        for (; c + Lanes::n <= end; c += Lanes::n) {
          lanes.prefetch(c + 2 * Lanes::n);
          if (lanes.all_move(c)) {
            lanes(c);
          } else {
            for (std::size_t i = c; i < c + Lanes::n; ++i) { (*this)(i); }
          }
        }
      }
    }
    for (; c < end; ++c) { (*this)(c); }
  }
#endif

  SCREE_HD void operator()(std::size_t c) const {
    if (of.control->halted != 0) { return; }
    if (clumps.mass[c] == 0) {
      if (steps.size > 0) { steps[c].moves = 0; }
      return;
    }
    const index_t first = clumps.first[c];
    const Quaterniond orientation = clumps.orientation[c];
    const RotationMatrix<double> before = matrix_of(orientation);
    Vec3d force{0, 0, 0}, torque{0, 0, 0};
    sum_members(c, before, force, torque);
    Rotor<double> rotor{orientation, clumps.angular_velocity[c], clumps.angular_momentum[c]};
    const double carried = periodic ? turn_with_flow(c, rotor) : 0;
    const Vec3d acting = acting_torque(first, torque, spin_in_flow(rotor));
    const bool is_held = holds.size > 0 && holds[clumps.shape[c]] != 0;
    if (is_held) { hold(c, acting); }
    if (steps.size > 0) {
      note_before(c, first, force, torque, acting, rotor);
      steps[c].carried = carried;
      if constexpr (periodic) { note_flow(c, before); }
    }
    Vec3d velocity = advance(c, first, force, acting, rotor, is_held);
    const Vec3d from = clumps.position[c];
    const Vec3d position = moved(c, first, from, velocity);
    clumps.position[c] = position;
    clumps.velocity[c] = velocity;
    if (!is_held) {
      clumps.orientation[c] = rotor.orientation;
      clumps.angular_velocity[c] = rotor.angular_velocity;
      clumps.angular_momentum[c] = rotor.angular_momentum;
    }

    const std::uint32_t counter = of.outlets.any() ? of.outlets.remover(position, clumps.mass[c]) : Outlets::none;
    const bool leaves = counter != Outlets::none;
    if (leaves) {
      list_removed(c, counter, position, periodic ? (1 / scheme.time_step) * (position - from) : velocity);
    }
    if (steps.size > 0) { note_after(c, first, velocity, rotor, leaves); }
    if (leaves) { clumps.mass[c] = 0; }
    place_members(c, before, rotor, leaves);
  }

 private:
  /// Sums the forces and torques of the members, in their order. `before` is the orientation of the clump.
  SCREE_HD void sum_members(std::size_t c, const RotationMatrix<double>& before, Vec3d& force, Vec3d& torque) const {
    const std::uint32_t begin = members.shape_start[clumps.shape[c]], end = members.shape_start[clumps.shape[c] + 1];
    const index_t first = clumps.first[c];
    const double size = clumps.size[c];
    for (std::uint32_t k = begin; k < end; ++k) {
      const MemberWrench<R>& own = wrench[members.body_of_id[first + (k - begin)]];
      const Vec3d f = convert<double>(own.force.read().vec3());
      force += f;
      torque += convert<double>(own.torque.read().vec3()) + cross(before * (size * members.place[k]), f);
    }
  }

  /// Changes the spin by what that of the mean flow of a cell has changed. Returns the energy [J] that this gives to
  /// the rotation, for the ledger.
  SCREE_HD double turn_with_flow([[maybe_unused]] std::size_t c, [[maybe_unused]] Rotor<double>& rotor) const {
    double carried = 0;
    if constexpr (periodic) {
      const Vec3d change = spin_of(of.cell.now->gradient) - spin_of(of.cell.now->gradient_before);
      if (steps.size > 0) { carried = -rotation_energy(rotor, clumps.inertia[c]); }
      rotor.angular_velocity += change;
      rotor.angular_momentum += momentum_of(rotor.orientation, clumps.inertia[c], change);
      if (steps.size > 0) { carried += rotation_energy(rotor, clumps.inertia[c]); }
    }
    return carried;
  }

  /// The place [m] of the centre after the step. Adds the effect of a mean flow to its new velocity.
  SCREE_HD Vec3d moved([[maybe_unused]] std::size_t c, [[maybe_unused]] index_t first, const Vec3d& from,
                       Vec3d& velocity) const {
    if constexpr (periodic) {
      velocity = deflected(c, first, velocity);
      const Vec3d position = of.cell.moved(from, scheme.time_step * velocity);
      if (of.cell.is_out(position)) { raise_flag(&of.control->out_of_cell); }
      return position;
    } else {
      return from + scheme.time_step * velocity;
    }
  }

  SCREE_HD void list_removed(std::size_t c, std::uint32_t counter, const Vec3d& position, const Vec3d& velocity) const {
    const index_t first = clumps.first[c], body = members.body_of_id[first];
    const std::uint32_t n = members.shape_start[clumps.shape[c] + 1] - members.shape_start[clumps.shape[c]];
    double liquid = 0;
    for (std::uint32_t k = 0; k < n; ++k) { liquid += of.outlets.film_of(members.body_of_id[first + k]); }
    of.outlets.list(counter, body, first, of.bodies.material[body], clumps.mass[c], position, velocity, liquid);
  }

  SCREE_HD void hold(std::size_t c, const Vec3d& acting) const {
    HeldTurn turn{acting, {0, 0, 0}, {0, 0, 0}, scheme.kick, 1};
    if constexpr (periodic) {
      turn.flow = spin_of(of.cell.now->gradient);
      turn.change = turn.flow - spin_of(of.cell.now->gradient_before);
    }
    if constexpr (grouped) {
      const GroupedLeapfrog<double> angular = integrators(c, of.groups.table.rule_of(clumps.first[c])).angular;
      turn.keep = angular.keep, turn.kick = angular.kick;
    }
    held[c] = turn;
  }

  /// [-] The part of a velocity that remains after viscous damping in a step.
  SCREE_HD double part_kept() const {
    const GroupedLeapfrog<R>& single = of.groups.scheme;
    return loses_increments<R> ? 1 - double(single.loss) : double(single.keep);
  }

  /// The integrators of a clump, and the acceleration on which no damping acts: those of its group, or in a fluid its
  /// own.
  struct Integrators {
    GroupedLeapfrog<double> linear, angular;
    Vec3d free;
  };
  SCREE_HD Integrators integrators(std::size_t c, const GroupRule<R>& rule) const {
    const GroupedLeapfrog<R>& single = of.groups.scheme;
    const GroupedLeapfrog<double> of_group{scheme.time_step, part_kept(), double(single.loss), double(single.kick),
                                           double(single.lead)};
    const Span<FluidPush<double>> fluid = of.groups.table.fluid_on_clumps;
    const Vec3d gravity_of_group = convert<double>(rule.free_gravity);
    if (fluid.size == 0) { return {of_group, of_group, gravity_of_group}; }
    return {of_group.dragged_by(fluid[c].linear), of_group.dragged_by(fluid[c].angular),
            gravity_of_group + fluid[c].pull};
  }

  /// Places the members at the present pose of the clump. `before` is the orientation of the clump before the step.
  SCREE_HD void place_members(std::size_t c, const RotationMatrix<double>& before, const Rotor<double>& rotor,
                              bool leaves) const {
    Vec3d member_spin = rotor.angular_velocity;
    if constexpr (periodic) { member_spin -= spin_of(of.cell.now->gradient); }
    const Four<R> spin = Four<R>::of(convert<R>(member_spin));
    const RotationMatrix<double> after = matrix_of(rotor.orientation);
    const Vec3d position = clumps.position[c], velocity = clumps.velocity[c];
    const double rate = 1 / scheme.time_step, size = clumps.size[c];
    const std::uint32_t begin = members.shape_start[clumps.shape[c]], end = members.shape_start[clumps.shape[c] + 1];
    for (std::uint32_t k = begin; k < end; ++k) {
      const index_t body = members.body_of_id[clumps.first[c] + (k - begin)];
      const Vec3d local = size * members.place[k];
      const Vec3d arm = after * local;
      Vec3d way = arm - before * local;
      if constexpr (periodic) {
        way -= of.cell.now->stretch * (before * local);
        of.place_member(body, Four<double>::of(of.cell.rounded(position + arm)),
                        Four<R>::of(convert<R>(velocity + rate * way)), spin);
      } else {
        of.place_member(body, Four<double>::of(position + arm), Four<R>::of(convert<R>(velocity + rate * way)), spin);
      }
      if (leaves) { of.park(body); }
    }
  }

  /// The velocity after the effect of the mean flow, computed as for single bodies. Fixed components keep `velocity`.
  SCREE_HD Vec3d deflected(std::size_t c, index_t first, const Vec3d& velocity) const {
    const Vec3d result = of.cell.deflected(velocity, clumps.velocity[c]);
    if constexpr (grouped) {
      const std::uint32_t fixed = of.groups.table.rule_of(first).fixed;
      return {(fixed & 1u) != 0 ? velocity.x : result.x, (fixed & 2u) != 0 ? velocity.y : result.y,
              (fixed & 4u) != 0 ? velocity.z : result.z};
    } else {
      static_cast<void>(first);
      return result;
    }
  }

  /// Notes the power of the contact forces in the mean flow relative to the centre, for the gradients before and after
  /// the step.
  SCREE_HD void note_flow(std::size_t c, const RotationMatrix<double>& before) const {
    const std::uint32_t begin = members.shape_start[clumps.shape[c]], end = members.shape_start[clumps.shape[c] + 1];
    ClumpStep& step = steps[c];
    step.flow[0] = step.flow[1] = 0;
    for (std::uint32_t k = begin; k < end; ++k) {
      const MemberWrench<R>& own = wrench[members.body_of_id[step.first + (k - begin)]];
      const Vec3d f = convert<double>(own.force.read().vec3()), t = convert<double>(own.torque.read().vec3()),
                  arm = before * (clumps.size[c] * members.place[k]);
      step.flow[0] += dot(f, of.cell.now->gradient_before * arm) + dot(t, spin_of(of.cell.now->gradient_before));
      step.flow[1] += dot(f, of.cell.now->gradient * arm) + dot(t, spin_of(of.cell.now->gradient));
    }
  }

  SCREE_HD void note_before(std::size_t c, index_t first, const Vec3d& force, const Vec3d& torque, const Vec3d& acting,
                            const Rotor<double>& rotor) const {
    ClumpStep& step = steps[c];
    step.first = first;
    step.moves = 1;
    step.mass = clumps.mass[c];
    step.velocity[0] = clumps.velocity[c];
    step.spin[0] = rotor.angular_velocity;
    step.turning[0] = rotation_energy(rotor, clumps.inertia[c]);
    step.dragged[0] = dragged(c, first, rotor);
    step.force = force;
    step.torque = torque;
    step.acting = acting;
  }
  SCREE_HD void note_after(std::size_t c, index_t first, const Vec3d& velocity, const Rotor<double>& rotor,
                           bool leaves) const {
    ClumpStep& step = steps[c];
    step.velocity[1] = velocity;
    step.spin[1] = rotor.angular_velocity;
    step.turning[1] = rotation_energy(rotor, clumps.inertia[c]);
    step.dragged[1] = dragged(c, first, rotor);
    step.left = leaves ? 1 : 0;
  }

  /// [J] The energy of rotation that viscous damping takes in a step, divided by the step and by the rate of damping.
  /// The damping torque is proportional to the spin relative to the mean flow; only free axes count.
  SCREE_HD double dragged([[maybe_unused]] std::size_t c, [[maybe_unused]] index_t first,
                          [[maybe_unused]] const Rotor<double>& rotor) const {
    if constexpr (grouped) {
      const GroupRule<R>& rule = of.groups.table.rule_of(first);
      const Vec3d w = rotor.angular_velocity, relative = spin_in_flow(rotor);
      const std::uint32_t fixed = rule.fixed >> 3;
      if (rule.turns != 0) { return 0; }
      if (fixed == 0) { return dot(w, momentum_of(rotor.orientation, clumps.inertia[c], relative)); }
      const Vec3d inertia = inertia_about_axes(rotor.orientation, clumps.inertia[c]);
      return ((fixed & 1u) != 0 ? 0 : inertia.x * w.x * relative.x) +
             ((fixed & 2u) != 0 ? 0 : inertia.y * w.y * relative.y) +
             ((fixed & 4u) != 0 ? 0 : inertia.z * w.z * relative.z);
    } else {
      return 0;  // only groups have viscous damping
    }
  }

  /// [rad/s] Spin relative to the mean flow of a cell.
  SCREE_INLINE Vec3d spin_in_flow(const Rotor<double>& rotor) const {
    if constexpr (periodic) {
      return rotor.angular_velocity - spin_of(of.cell.now->gradient);
    } else {
      return rotor.angular_velocity;
    }
  }
  /// Applies viscous damping to the spin relative to the mean flow.
  SCREE_HD void drag(std::size_t c, double keep, Rotor<double>& rotor) const {
    if constexpr (periodic) {
      const Vec3d flow = spin_of(of.cell.now->gradient),
                  carried = momentum_of(rotor.orientation, clumps.inertia[c], flow);
      rotor.angular_velocity = flow + keep * (rotor.angular_velocity - flow);
      rotor.angular_momentum = carried + keep * (rotor.angular_momentum - carried);
    } else {
      rotor.angular_velocity = keep * rotor.angular_velocity;
      rotor.angular_momentum = keep * rotor.angular_momentum;
    }
  }

  /// Torque of the contacts and of the group, after Cundall's damping.
  SCREE_HD Vec3d acting_torque(index_t first, const Vec3d& torque, const Vec3d& spin) const {
    if constexpr (grouped) {
      const GroupRule<R>& rule = of.groups.table.rule_of(first);
      return damped(torque + convert<double>(rule.torque), spin, double(rule.damping));
    } else {
      static_cast<void>(first);
      return damped(torque, spin, scheme.damping);
    }
  }

  /// Turns the rotor by one step, unless CoupledModes does so (`is_held`). Returns the new velocity [m/s] of the
  /// centre.
  SCREE_HD Vec3d advance(std::size_t c, index_t first, const Vec3d& force, const Vec3d& acting, Rotor<double>& rotor,
                         bool is_held) const {
    const double mass = clumps.mass[c];
    const RotationTimes<double> times{scheme.kick, scheme.time_step};
    if constexpr (grouped) {
      return advance_grouped(c, of.groups.table.rule_of(first), force, acting, rotor, is_held);
    } else {
      static_cast<void>(first);
      if (!is_held) { Integrator::step(rotor, clumps.inertia[c], acting, times); }
      return scheme.advance(clumps.velocity[c], (1 / mass) * force + gravity);
    }
  }

  SCREE_HD Vec3d advance_grouped(std::size_t c, const GroupRule<R>& rule, const Vec3d& force, const Vec3d& acting,
                                 Rotor<double>& rotor, bool is_held) const {
    const double mass = clumps.mass[c], damping = double(rule.damping);
    const auto [linear, angular, free] = integrators(c, rule);
    const RotationTimes<double> times{angular.kick, scheme.time_step};
    if (rule.turns != 0) {
      // The centre circles about the axis of the group, and the clump turns at the same rate.
      rotor.angular_velocity = rule.turn.rate * rule.turn.axis;
      turn_at_constant_spin(rotor, scheme.time_step);
      return rule.turn.velocity(clumps.position[c]);
    }
    const std::uint32_t fixed = rule.fixed >> 3;
    if (fixed == 0 && !is_held) {
      drag(c, angular.keep, rotor);
      if constexpr (Integrator::keeps_momentum) {
        Integrator::step(rotor, clumps.inertia[c], acting, times);
      } else {
        // The gyroscopic torque is quadratic in the spin, which drag() has made smaller by `keep` all at once. In the
        // mean of the step it is smaller by this factor only once.
        const double keep = angular.keep > 0 ? angular.keep : 1;
        Integrator::step(rotor, clumps.inertia[c], keep * acting, {times.kick / keep, times.move});
      }
    } else if (!is_held) {
      turn_about_free_axes(rotor, clumps.inertia[c], acting, fixed, angular);
    }
    return linear.advance(clumps.velocity[c],
                          (1 / mass) * (force + convert<double>(rule.force)) + convert<double>(rule.damped_gravity),
                          free, damping, rule.fixed & 7u);
  }

  /// Turns a clump of which some components of the angular velocity are fixed. Each free component follows from the
  /// moment of inertia about its axis of the world. This is exact if no component is free, or only one whose axis is a
  /// principal axis.
  SCREE_HD void turn_about_free_axes(Rotor<double>& rotor, const Vec3d& inertia, const Vec3d& torque,
                                     std::uint32_t fixed, const GroupedLeapfrog<double>& group_scheme) const {
    const Vec3d about = inertia_about_axes(rotor.orientation, inertia);
    const Vec3d acceleration{torque.x / about.x, torque.y / about.y, torque.z / about.z};
    const Vec3d spin = group_scheme.advance(spin_in_flow(rotor), acceleration, {0, 0, 0}, 0, fixed);
    rotor.angular_velocity = spin;
    if constexpr (periodic) { rotor.angular_velocity += spin_of(of.cell.now->gradient); }
    turn_at_constant_spin(rotor, scheme.time_step);
  }

  /// Cundall's damping of a torque, with the sign of its power at the spin of the last step (the first-order form). The
  /// spin at the time of the torque is not known here, because the three components depend on each other.
  SCREE_INLINE static Vec3d damped(const Vec3d& torque, const Vec3d& spin, double damping) {
    if (damping == 0) { return torque; }
    const auto component = [&](double t, double w) {
      const double power = t * w;
      return t * (1 - damping * (power > 0 ? 1.0 : (power < 0 ? -1.0 : 0.0)));
    };
    return {component(torque.x, spin.x), component(torque.y, spin.y), component(torque.z, spin.z)};
  }
};

}  // namespace scree::inline SCREE_BACKEND
