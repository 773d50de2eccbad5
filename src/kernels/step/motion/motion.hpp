#pragma once

#include <type_traits>

#include "kernels/integrators/grouped_leapfrog.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/step_moment.hpp"
#include "kernels/step/motion/gather.hpp"
#include "kernels/step/motion/motion_watch.hpp"
#include "kernels/step/motion/outlets.hpp"

namespace scree::inline SCREE_BACKEND {

/// Stands for Grouped in the motion of a run without groups.
struct NoGroups {};

/// Rules and integrator of a run with groups.
template <class R>
struct Grouped {
  GroupTable<R> table;
  GroupedLeapfrog<R> scheme;
};

/// Gathers the contact forces of each body and moves it by one step; one thread per body. Asks for a new neighbour list
/// when the body has used up its share of the Verlet distance. Raises not_finite, and moved_too_far if a body moves
/// more than its radius in one step.
///
/// With `grouped`, bodies follow the rules of their groups; a body that is fixed in all directions has inverse mass 0.
/// With `clumps`, members of clumps only gather their forces, and ClumpMotion moves them.
/// With `periodic`, velocities are relative to the mean flow of a cell, and bodies move with their velocity and the
/// flow.
template <class R, bool grouped = false, bool clumps = false, bool periodic = false>
struct BodyMotion {
  static constexpr int block_size = 128;

  BodyView<R> bodies;
  WrenchGather<R> gather;
  Leapfrog<R> scheme;
  Vec3<R> gravity;
  Outlets outlets;
  Control* control;
  std::conditional_t<grouped, Grouped<R>, NoGroups> groups;
  Span<MemberWrench<R>> member_wrench;  ///< [n_bodies] with `clumps`
  std::conditional_t<periodic, CellMotion<R>, NoCell> cell{};
  double duration = 0;  ///< [s] length of the step in double precision
  /// [n_bodies] if not empty, all wrenches are stored here for the energy ledger; only on the host
  Span<MemberWrench<R>> noted{};

  /// The motion of one step.
  SCREE_INLINE BodyMotion at(const StepMoment<R>& moment) const {
    const MotionMoment<R>& m = moment.motion;
    BodyMotion now = *this;
    now.scheme.time_step = m.time_step, now.scheme.kick = m.kick;
    now.outlets.end = &m.end;
    now.duration = m.duration;
    if constexpr (grouped) { now.groups.scheme = {m.time_step, m.keep, m.loss, m.group_kick, m.lead}; }
    if constexpr (periodic) { now.cell = cell.in(m.cell); }
    return now;
  }

  SCREE_INLINE void operator()(std::size_t i) const {
    if constexpr (SCREE_IN_BATCHES) {
      if (control->halted != 0) { return; }
    }
    if (!moves(i)) { return; }
    Four<R> force, torque;
    gather.sum(i, bodies.radius[i], force, torque);
    if (!SCREE_ON_CUDA && noted.size > 0) { noted[i].store(force, torque); }
    if (is_single(i)) {
      watch().look(i, move(i, {force, torque}));
      if (outlets.any()) { remove_outside(i); }
    } else {
      member_wrench[i].store(force, torque);
    }
  }

#if !SCREE_ON_CUDA
  /// Moves the bodies [begin, end). First the forces on some bodies are summed, then these bodies move, four at a time.
  /// A processor predicts the lengths of the sums badly; separate loops keep this from delaying the long computations
  /// of the motion.
  void work_on(std::size_t begin, std::size_t end) const {
    if constexpr (SCREE_IN_BATCHES) {
      if (control->halted != 0) { return; }
    }
    constexpr std::size_t most = 16;
    Push push[most];
    gather.prefetch(begin, begin + most < end ? begin + most : end);
    for (std::size_t first = begin; first < end; first += most) {
      const std::size_t n = end - first < most ? end - first : most;
      gather.prefetch(first + n, first + n + most < end ? first + n + most : end);
      for (std::size_t k = 0; k < n; ++k) {
        gather.sum(first + k, bodies.radius[first + k], push[k].force, push[k].torque);
      }
      for (std::size_t k = 0; k < n && noted.size > 0; ++k) { noted[first + k].store(push[k].force, push[k].torque); }
      for (std::size_t k = 0; k < n; k += 4) { move_some(first + k, n - k < 4 ? n - k : 4, &push[k]); }
    }
  }
#endif

  /// Updates a member of a clump after the clump has moved it. In a cell the velocity is relative to the mean flow. The
  /// fourth numbers have no meaning.
  SCREE_INLINE void place_member(std::size_t i, const Four<double>& position, const Four<R>& velocity,
                                 const Four<R>& spin) const {
    R* const speed = &bodies.speed[i].velocity.x;
    R* const way = &bodies.way[i].travel.x;
    double* const place = &bodies.place[i].position.x;
    const Four<double> from = Four<double>::load(place);
    const Four<R> travel_before = Four<R>::load(way);
    Four<R> move, travel;
    if constexpr (periodic) {
      move = scheme.time_step * velocity;
      travel = travel_before + Four<R>::of(cell.now->travel * velocity.vec3());
    } else {
      move = (position - from).template as<R>();
      travel = travel_before + move;
    }
    velocity.with_fourth_of(Four<R>::load(speed)).store(speed);
    spin.with_fourth_of(Four<R>::load(speed + 4)).store(speed + 4);
    position.with_fourth_of(from).store(place);
    travel.with_fourth_of(travel_before).store(way);
    watch().look(i, {move, travel.with_fourth_of(travel_before), spin});
  }

  /// Parks a removed body; the next search drops it.
  SCREE_HD void park(std::size_t i) const { park_body(bodies, i); }

 private:
  /// Sum of forces and torques on a body, or accelerations.
  struct Push {
    Four<R> force, torque;
  };

  SCREE_INLINE MotionWatch<R, periodic> watch() const {
    if constexpr (periodic) {
      return {bodies.radius, bodies.id, control, cell.now->loss};
    } else {
      return {bodies.radius, bodies.id, control, R(0)};
    }
  }

  /// Whether a body moves by itself or as a member of a clump. Fixed and removed bodies do not move.
  SCREE_INLINE bool moves(std::size_t i) const {
    return grouped ? !is_parked(bodies.position[i]) : bodies.inverse_mass[i] != R(0);
  }
  SCREE_INLINE bool is_single([[maybe_unused]] std::size_t i) const {
    if constexpr (clumps) {
      return !is_member(bodies.inverse_inertia[i]);
    } else {
      return true;
    }
  }

  /// Moves a body that is not a member of a clump by one step.
  SCREE_INLINE Moved<R> move(std::size_t i, const Push& push) const {
    // The fourth numbers of the records are kept; the fourth numbers of other values have no meaning.
    R* const speed = &bodies.speed[i].velocity.x;
    R* const way = &bodies.way[i].travel.x;
    double* const place = &bodies.place[i].position.x;
    const Four<R> old_velocity = bodies.speed[i].linear(), old_spin = bodies.speed[i].angular();
    Four<R> velocity = old_velocity, spin = old_spin, step;
    Four<double> own_way;
    if constexpr (loses_increments<R>) {
      const Four<R> rest = kick_with_rest(i, push, velocity, spin);
      step = scheme.time_step * velocity;
      own_way = duration * (velocity.template as<double>() + rest.template as<double>());
    } else {
      kick(i, push, velocity, spin);
      own_way = step = scheme.time_step * velocity;
    }
    const Four<double> from = Four<double>::load(place);
    const Four<R> travel_before = Four<R>::load(way);
    Four<double> position;
    Four<R> travel;
    if constexpr (periodic) {
      position = Four<double>::of(cell.moved(from.vec3(), own_way.vec3()));
      travel = travel_before + Four<R>::of(cell.now->travel * velocity.vec3());
    } else {
      position = from + own_way;
      // The step follows from the positions, not from own_way: far from the origin the rounding of the position is
      // noticeable.
      travel = travel_before + (position - from).template as<R>();
    }

    const Four<R> new_way = travel.with_fourth_of(travel_before);
    velocity.with_fourth_of(old_velocity).store(speed);
    spin.with_fourth_of(old_spin).store(speed + 4);
    position.with_fourth_of(from).store(place);
    new_way.store(way);
    if constexpr (periodic) {
      if (cell.is_out(position.vec3())) { raise_flag(&control->out_of_cell); }
    }
    return {step, new_way, spin};
  }

  /// Removes a body that has just moved past an outlet. It reads the body again, so that no register of a GPU is held
  /// for the few bodies that leave.
  SCREE_INLINE void remove_outside(std::size_t i) const {
    const Vec3d position = bodies.position[i];
    const double mass = mass_of(i, bodies.inverse_mass[i], bodies.radius[i]);
    const std::uint32_t counter = outlets.remover(position, mass);
    if (counter == Outlets::none) { return; }
    Vec3d velocity = convert<double>(Vec3<R>(bodies.velocity[i]));
    if constexpr (periodic) { velocity += cell.now->gradient * (position - cell.origin); }
    outlets.list(counter, i, bodies.id[i], bodies.material[i], mass, position, velocity, outlets.film_of(i));
    park(i);
  }

#if !SCREE_ON_CUDA
  /// Moves up to four bodies from `first` on.
  SCREE_INLINE void move_some(std::size_t first, std::size_t n, const Push* push) const {
    const Four<R> zero = Four<R>::of(R(0), R(0), R(0), R(0));
    Moved<R> moved[4] = {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
    R radius[4] = {R(0), R(0), R(0), R(0)};
    unsigned singles = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = first + k;
      if (!moves(i)) { continue; }
      if (is_single(i)) {
        singles |= 1u << k;
        radius[k] = bodies.radius[i];
        moved[k] = move(i, push[k]);
      } else {
        member_wrench[i].store(push[k].force, push[k].torque);
      }
    }
    if (!watch().all_are_well(moved, radius)) {
      for (std::size_t k = 0; k < n; ++k) {
        if ((singles >> k & 1u) != 0) { watch().look(first + k, moved[k]); }
      }
    }
    if (outlets.any()) {
      for (std::size_t k = 0; k < n; ++k) {
        if ((singles >> k & 1u) != 0) { remove_outside(first + k); }
      }
    }
  }
#endif

  /// Updates velocity and spin to those of this step.
  SCREE_INLINE void kick(std::size_t i, const Push& push, Four<R>& velocity, Four<R>& spin) const {
    const Vec3<R> before = velocity.vec3();
    if constexpr (grouped) {
      Vec3<R> v = before, w = spin.vec3();
      advance_grouped(i, push, v, w);
      velocity = Four<R>::of(v), spin = Four<R>::of(w);
    } else {
      velocity = velocity + scheme.gained(velocity, bodies.inverse_mass[i] * push.force + Four<R>::of(gravity));
      spin = spin + scheme.gained(spin, bodies.inverse_inertia[i] * push.torque);
    }
    if constexpr (periodic) {
      const Vec3<R> v = velocity.vec3();
      velocity = Four<R>::of(unless_fixed(i, cell.deflected(v, before), v));
    }
  }

  /// The same in single precision. It adds the gains to the velocities together with the part that rounding has left
  /// out so far (Bodies::rest). Returns the part that rounding leaves out now.
  SCREE_INLINE Four<R> kick_with_rest(std::size_t i, const Push& push, Four<R>& velocity, Four<R>& spin) const {
    Four<R> gain, spin_gain;
    if constexpr (grouped) {
      const GroupRule<R>& rule = groups.table.rule_of(bodies.id[i]);
      if (rule.turns != 0) {
        velocity = Four<R>::of(convert<R>(rule.turn.velocity(bodies.position[i])));
        bodies.rest[i] = {};
        return Four<R>::of(R(0), R(0), R(0), R(0));
      }
      const Push by_mass = per_mass(i, rule, push);
      const Dragged along = dragged(i, rule);
      gain = Four<R>::of(
          along.linear.gained(velocity.vec3(), by_mass.force.vec3(), along.free, rule.damping, rule.fixed & 7u));
      spin_gain = Four<R>::of(
          along.angular.gained(spin.vec3(), by_mass.torque.vec3(), {R(0), R(0), R(0)}, rule.damping, rule.fixed >> 3));
    } else {
      gain = scheme.gained(velocity, bodies.inverse_mass[i] * push.force + Four<R>::of(gravity));
      spin_gain = scheme.gained(spin, bodies.inverse_inertia[i] * push.torque);
    }
    if constexpr (periodic) {
      gain = Four<R>::of(unless_fixed(i, cell.gained(gain.vec3(), velocity.vec3()), gain.vec3()));
    }
    VelocityRest<R>& rest = bodies.rest[i];
    Four<R> rest_before, spin_rest_before;
    rest.load(rest_before, spin_rest_before);
    gain = gain + rest_before;
    spin_gain = spin_gain + spin_rest_before;
    const Four<R> faster = velocity + gain, spinning = spin + spin_gain;
    const Four<R> left_out = lost_by_sum(velocity, gain, faster);
    rest.store(left_out, lost_by_sum(spin, spin_gain, spinning));
    velocity = faster, spin = spinning;
    return left_out;
  }

  /// `result`, but `kept` in the components that are fixed. Fixed components do not feel the mean flow.
  SCREE_INLINE Vec3<R> unless_fixed([[maybe_unused]] std::size_t i, const Vec3<R>& result,
                                    [[maybe_unused]] const Vec3<R>& kept) const {
    if constexpr (grouped) {
      const std::uint32_t fixed = groups.table.rule_of(bodies.id[i]).fixed;
      return {(fixed & 1u) != 0 ? kept.x : result.x, (fixed & 2u) != 0 ? kept.y : result.y,
              (fixed & 4u) != 0 ? kept.z : result.z};
    } else {
      return result;
    }
  }

  /// The accelerations on which Cundall's damping acts.
  SCREE_INLINE Push per_mass(std::size_t i, const GroupRule<R>& rule, const Push& push) const {
    const Vec3<R> force = bodies.inverse_mass[i] * (push.force.vec3() + groups.table.force_on(bodies.id[i], rule));
    return {Four<R>::of(force + rule.damped_gravity),
            Four<R>::of(bodies.inverse_inertia[i] * (push.torque.vec3() + rule.torque))};
  }

  /// The integrators of a body, and the acceleration on which no damping acts: those of its group, or in a fluid its
  /// own.
  struct Dragged {
    GroupedLeapfrog<R> linear, angular;
    Vec3<R> free;
  };
  SCREE_INLINE Dragged dragged(std::size_t i, const GroupRule<R>& rule) const {
    const Span<FluidPush<R>> fluid = groups.table.fluid_on_bodies;
    if (fluid.size == 0) { return {groups.scheme, groups.scheme, rule.free_gravity}; }
    return {groups.scheme.dragged_by(fluid[i].linear), groups.scheme.dragged_by(fluid[i].angular),
            rule.free_gravity + fluid[i].pull};
  }

  SCREE_INLINE void advance_grouped(std::size_t i, const Push& push, Vec3<R>& velocity, Vec3<R>& spin) const {
    const GroupRule<R>& rule = groups.table.rule_of(bodies.id[i]);
    if (rule.turns != 0) {
      velocity = convert<R>(rule.turn.velocity(bodies.position[i]));
      return;
    }
    const Push by_mass = per_mass(i, rule, push);
    const Dragged along = dragged(i, rule);
    velocity = along.linear.advance(velocity, by_mass.force.vec3(), along.free, rule.damping, rule.fixed & 7u);
    spin = along.angular.advance(spin, by_mass.torque.vec3(), {R(0), R(0), R(0)}, rule.damping, rule.fixed >> 3);
  }

  /// [kg] The inverse mass of a fixed body is 0, but its moment of inertia still tells the mass.
  SCREE_INLINE double mass_of(std::size_t i, R inverse_mass, R radius) const {
    if (grouped && inverse_mass == R(0)) {
      return 2.5 / (double(bodies.inverse_inertia[i]) * double(radius) * double(radius));
    }
    return 1.0 / double(inverse_mass);
  }
};

/// The motion of the bodies at positions in memory from `first` on. `Motion` is BodyMotion, or contains one.
template <class Motion>
struct LaterMotion {
  static constexpr int block_size = 128;
  Motion motion;
  std::size_t first;
  template <class R>
  SCREE_INLINE LaterMotion at(const StepMoment<R>& moment) const {
    return {motion.at(moment), first};
  }
  SCREE_HD void operator()(std::size_t k) const { motion(first + k); }
#if !SCREE_ON_CUDA
  void work_on(std::size_t begin, std::size_t end) const { motion.work_on(first + begin, first + end); }
#endif
};

}  // namespace scree::inline SCREE_BACKEND
