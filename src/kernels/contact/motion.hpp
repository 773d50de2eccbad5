#pragma once

#include <type_traits>

#include "kernels/backend/transpose.hpp"
#include "kernels/contact/gather.hpp"
#include "kernels/integrators/grouped_leapfrog.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/step_moment.hpp"

namespace scree::inline SCREE_BACKEND {

/// A plane that removes each body whose centre has passed it in the direction of the normal.
struct OutletPlane {
  Vec3d point, normal;    ///< [m], [-]
  std::uint32_t counter;  ///< index in Outlets::counts
};
/// A body or a clump that an outlet has removed.
struct RemovedBody {
  Vec3d position, velocity;  ///< [m] where it was removed, [m/s] mean of the step
  double mass;               ///< [kg]
  std::uint64_t step;        ///< number of steps made when it was gone
  std::uint64_t moment;      ///< see OutletRegion
  index_t id;                ///< of a clump: of its first member
  std::uint32_t counter;     ///< index in Outlets::counts
  std::uint32_t material;
};
/// What an outlet has removed. Masses are counted in integer quanta, so their sum has the same bits in whatever order
/// bodies leave.
struct OutletCount {
  std::uint64_t bodies, mass_quanta;
};

/// A box, a ball or a cylinder that removes each body whose centre is inside, from one moment to another. A moment is a
/// number of steps. If the step adapts, it is the bits of a time, which grow with the time.
struct OutletRegion {
  enum class Kind : std::uint32_t { box, cylinder, ball };
  Kind kind;
  std::uint32_t counter;     ///< index in Outlets::counts
  Vec3d a;                   ///< [m] box: lowest corner; cylinder: centre of one end; ball: centre
  Vec3d b;                   ///< box: highest corner [m]; cylinder: unit axis towards the other end [-]
  double length;             ///< [m] of a cylinder
  double radius;             ///< [m] of a cylinder or a ball
  std::uint64_t first, end;  ///< acts when moment k is reached, first <= k < end

  SCREE_HD bool holds(const Vec3d& x) const {
    const Vec3d d = x - a;
    if (kind == Kind::box) { return d.x >= 0 && d.y >= 0 && d.z >= 0 && x.x <= b.x && x.y <= b.y && x.z <= b.z; }
    if (kind == Kind::ball) { return dot(d, d) <= radius * radius; }
    const double height = dot(d, b);
    const Vec3d across = d - height * b;
    return height >= 0 && height <= length && dot(across, across) <= radius * radius;
  }
};

/// All outlets of a run, as the motion of bodies sees them.
struct Outlets {
  Span<OutletPlane> planes;
  Span<OutletRegion> regions;
  Span<OutletCount> counts;
  double quanta_per_mass;  ///< [1/kg] a power of two
  std::uint64_t moment;    ///< the moment that this motion reaches, see OutletRegion
  std::uint64_t step = 0;  ///< number of steps made then
  /// those removed since the driver has taken them, in any order; empty: they are not listed. There is room for all
  /// bodies in memory
  Span<RemovedBody> removed{};
  std::uint64_t* n_removed = nullptr;

  static constexpr std::uint32_t none = 0xffffffffu;

  SCREE_INLINE bool any() const { return planes.size + regions.size > 0; }

  /// What removes a body at this position [m] with this mass [kg], and counts it: a counter, or `none`.
  SCREE_INLINE std::uint32_t remover(const Vec3d& position, double mass) const {
    for (std::size_t i = 0; i < planes.size; ++i) {
      const OutletPlane& plane = planes[i];
      if (dot(position - plane.point, plane.normal) > 0) { return count(plane.counter, mass); }
    }
    for (std::size_t i = 0; i < regions.size; ++i) {
      const OutletRegion& region = regions[i];
      if (moment >= region.first && moment < region.end && region.holds(position)) {
        return count(region.counter, mass);
      }
    }
    return none;
  }

  /// Lists a body that was removed. The driver puts the list in order.
  SCREE_HD void list(std::uint32_t counter, index_t id, std::uint32_t material, double mass, const Vec3d& position,
                     const Vec3d& velocity) const {
    if (removed.size == 0) { return; }
    removed[atomic_add(n_removed, std::uint64_t(1))] = {position, velocity, mass, step, moment, id, counter, material};
  }

 private:
  SCREE_INLINE std::uint32_t count(std::uint32_t counter, double mass) const {
    atomic_add(&counts[counter].bodies, std::uint64_t(1));
    atomic_add(&counts[counter].mass_quanta, static_cast<std::uint64_t>(mass * quanta_per_mass));
    return counter;
  }
};

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

  /// The motion of one step.
  SCREE_INLINE BodyMotion at(const StepMoment<R>& moment) const {
    const MotionMoment<R>& m = moment.motion;
    BodyMotion now = *this;
    now.scheme.time_step = m.time_step, now.scheme.kick = m.kick;
    now.outlets.moment = m.reached, now.outlets.step = m.step;
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
    if (is_single(i)) {
      watch(i, move(i, {force, torque}));
    } else {
      member_wrench[i].store(force, torque);
    }
  }

#if !SCREE_ON_CUDA
  /// Moves the bodies [begin, end). First the forces on some bodies are summed, then these bodies move, four at a time:
  /// the lengths of sums, which a processor guesses wrong, do not hold up the long computations of the motion.
  void work_on(std::size_t begin, std::size_t end) const {
    if constexpr (SCREE_IN_BATCHES) {
      if (control->halted != 0) { return; }
    }
    constexpr std::size_t most = 32;
    Push push[most];
    gather.prefetch(begin, begin + most < end ? begin + most : end);
    for (std::size_t first = begin; first < end; first += most) {
      const std::size_t n = end - first < most ? end - first : most;
      gather.prefetch(first + n, first + n + most < end ? first + n + most : end);
      for (std::size_t k = 0; k < n; ++k) {
        gather.sum(first + k, bodies.radius[first + k], push[k].force, push[k].torque);
      }
      for (std::size_t k = 0; k < n; k += 4) { move_some(first + k, n - k < 4 ? n - k : 4, &push[k]); }
    }
  }
#endif

  /// Puts a member of a clump where the clump has moved it. In a cell the velocity is relative to the mean flow. The
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
    watch(i, {move, travel.with_fourth_of(travel_before), spin});
  }

  /// Parks a removed body; the next search drops it.
  SCREE_HD void park(std::size_t i) const {
    bodies.position[i] = parked_position(bodies.id[i]);
    bodies.velocity[i] = {};
    bodies.angular_velocity[i] = {};
    if constexpr (loses_increments<R>) { bodies.rest[i] = {}; }
    bodies.inverse_mass[i] = R(0);
  }

 private:
  /// Sum of forces and torques on a body, or accelerations.
  struct Push {
    Four<R> force, torque;
  };

  /// What tells whether a body has moved too far.
  struct Moved {
    Four<R> step;  ///< [m] in this step; the fourth number has no meaning
    Four<R> way;   ///< [m] travel; fourth number: skin
    Four<R> spin;  ///< [rad/s] the fourth number has no meaning
  };

  /// Whether a body moves or is a member of a clump. Fixed and removed ones do not.
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
  SCREE_INLINE Moved move(std::size_t i, const Push& push) const {
    // The fourth numbers of the records stay as they are; the same lanes of other values have no meaning.
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
      // Not own_way: far from the origin the sum is rounded noticeably.
      travel = travel_before + (position - from).template as<R>();
    }

    const Four<R> new_way = travel.with_fourth_of(travel_before);
    const R inverse_mass = old_velocity[3];
    velocity.with_fourth_of(old_velocity).store(speed);
    spin.with_fourth_of(old_spin).store(speed + 4);
    position.with_fourth_of(from).store(place);
    new_way.store(way);
    if constexpr (periodic) {
      if (cell.is_out(position.vec3())) { raise_flag(&control->out_of_cell); }
    }
    if (outlets.any()) { remove_outside(i, from.vec3(), position.vec3(), inverse_mass); }
    return {step, new_way, spin};
  }

  /// Removes a body that has come from one point to another, if an outlet does.
  SCREE_INLINE void remove_outside(std::size_t i, const Vec3d& from, const Vec3d& position, R inverse_mass) const {
    const double mass = mass_of(i, inverse_mass, bodies.radius[i]);
    const std::uint32_t counter = outlets.remover(position, mass);
    if (counter == Outlets::none) { return; }
    outlets.list(counter, bodies.id[i], bodies.material[i], mass, position, (1 / duration) * (position - from));
    park(i);
  }

#if !SCREE_ON_CUDA
  /// Moves up to four bodies from `first` on.
  SCREE_INLINE void move_some(std::size_t first, std::size_t n, const Push* push) const {
    const Four<R> zero = Four<R>::of(R(0), R(0), R(0), R(0));
    Moved moved[4] = {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
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
    if (all_are_well(moved, radius)) { return; }
    for (std::size_t k = 0; k < n; ++k) {
      if ((singles >> k & 1u) != 0) { watch(first + k, moved[k]); }
    }
  }

  /// Whether none of four bodies needs what watch() does.
  SCREE_INLINE bool all_are_well(Moved (&moved)[4], const R (&radius_of)[4]) const {
    const Four<R> radius = Four<R>::of(radius_of[0], radius_of[1], radius_of[2], radius_of[3]);
    Four<R> step[4], way[4], spin[4];
    for (int k = 0; k < 4; ++k) { step[k] = moved[k].step, way[k] = moved[k].way, spin[k] = moved[k].spin; }
    transpose(step[0], step[1], step[2], step[3]);
    transpose(way[0], way[1], way[2], way[3]);
    transpose(spin[0], spin[1], spin[2], spin[3]);
    const auto square = [](const Four<R>(&v)[4]) {
      return v[0].lane * v[0].lane + v[1].lane * v[1].lane + v[2].lane * v[2].lane;
    };
    const auto spin_square = square(spin);
    auto limit = R(0.998) * way[3].lane;
    auto well = (spin_square - spin_square == R(0)) & (square(step) <= radius.lane * radius.lane);
    if constexpr (periodic) {
      limit = limit - cell.now->loss * radius.lane;
      well = well & (limit > R(0));
    }
    well = well & (square(way) <= limit * limit);
    return (well[0] & well[1] & well[2] & well[3]) != 0;
  }
#endif

  /// Asks for a new list or raises a fault if a body has moved too far, since the last search or in this step, or if
  /// its motion is not finite.
  SCREE_INLINE void watch(std::size_t i, const Moved& moved) const {
    const R radius = bodies.radius[i];
    const R spin_square = moved.spin.square3();
    R travel_limit = R(0.998) * moved.way[3];  // the rest covers the rounding of the travel
    // The deformation of the cell takes a part of the share. If nothing is left, the list is spent.
    if constexpr (periodic) {
      const R left = travel_limit - cell.now->loss * radius;
      travel_limit = math::max(left, R(0));
      if (!(left > R(0))) { look_closer(i, moved.step, spin_square, radius); }
    }
    if (!(moved.way.square3() <= travel_limit * travel_limit) || !(spin_square - spin_square == R(0)) ||
        moved.step.square3() > radius * radius) {
      look_closer(i, moved.step, spin_square, radius);
    }
  }

  /// Changes velocity and spin from those of the last step to those of this one.
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

  /// The same in single precision. It adds the gains to the velocities together with what rounding has left out of them
  /// so far (Bodies::rest). Returns what rounding leaves out of the velocity now.
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
      const GroupedLeapfrog<R>& scheme_of_group = groups.scheme;
      gain = Four<R>::of(scheme_of_group.gained(velocity.vec3(), by_mass.force.vec3(), rule.free_gravity, rule.damping,
                                                rule.fixed & 7u));
      spin_gain = Four<R>::of(scheme_of_group.gained(spin.vec3(), by_mass.torque.vec3(), {R(0), R(0), R(0)},
                                                     rule.damping, rule.fixed >> 3));
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
    const Vec3<R> force = bodies.inverse_mass[i] * (push.force.vec3() + rule.force);
    return {Four<R>::of(force + rule.damped_gravity),
            Four<R>::of(bodies.inverse_inertia[i] * (push.torque.vec3() + rule.torque))};
  }

  SCREE_INLINE void advance_grouped(std::size_t i, const Push& push, Vec3<R>& velocity, Vec3<R>& spin) const {
    const GroupRule<R>& rule = groups.table.rule_of(bodies.id[i]);
    if (rule.turns != 0) {
      velocity = convert<R>(rule.turn.velocity(bodies.position[i]));
      return;
    }
    const Push by_mass = per_mass(i, rule, push);
    velocity = groups.scheme.advance(velocity, by_mass.force.vec3(), rule.free_gravity, rule.damping, rule.fixed & 7u);
    spin = groups.scheme.advance(spin, by_mass.torque.vec3(), {R(0), R(0), R(0)}, rule.damping, rule.fixed >> 3);
  }

  /// [kg] The inverse mass of a fixed body is 0, but its moment of inertia still tells the mass.
  SCREE_INLINE double mass_of(std::size_t i, R inverse_mass, R radius) const {
    if (grouped && inverse_mass == R(0)) {
      return 2.5 / (double(bodies.inverse_inertia[i]) * double(radius) * double(radius));
    }
    return 1.0 / double(inverse_mass);
  }

  /// Raises the fault that a body has, if any, and asks for a new list.
  SCREE_HD void look_closer(std::size_t i, const Four<R>& move, R spin_square, R radius) const {
    const R step_square = move.square3();
    const R both = step_square + spin_square;
    if (!(both - both == R(0))) {
      raise_fault(control, FaultKind::not_finite, bodies.id[i]);
    } else if (step_square > radius * radius) {
      raise_fault(control, FaultKind::moved_too_far, bodies.id[i]);
    }
    raise_flag(&control->list_spent);
  }
};

/// The motion of the bodies from position `first` in memory on.
template <class R, bool grouped = false, bool clumps = false, bool periodic = false>
struct LaterMotion {
  static constexpr int block_size = 128;
  BodyMotion<R, grouped, clumps, periodic> motion;
  std::size_t first;
  SCREE_INLINE LaterMotion at(const StepMoment<R>& moment) const { return {motion.at(moment), first}; }
  SCREE_HD void operator()(std::size_t k) const { motion(first + k); }
#if !SCREE_ON_CUDA
  void work_on(std::size_t begin, std::size_t end) const { motion.work_on(first + begin, first + end); }
#endif
};

/// Contact force on each body without moving it, for output; one thread per body.
template <class R>
struct ContactForce {
  WrenchGather<R> gather;
  RadiusColumn<R> radius;
  Span<Vec3<R>> force;  ///< [n_bodies] [N]
  SCREE_HD void operator()(std::size_t i) const { force[i] = gather(i, radius[i]).force; }
};

}  // namespace scree::inline SCREE_BACKEND
