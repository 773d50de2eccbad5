#pragma once

#include "kernels/state/clumps.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/groups.hpp"
#include "kernels/step/ledger/ledger.hpp"
#include "kernels/step/motion/gather.hpp"

namespace scree::inline SCREE_BACKEND {

/// [kg] The mass of a body. A body with a fixed translation has an inverse mass of 0; its mass follows from its moment
/// of inertia as that of a sphere.
template <class R>
SCREE_HD double ledger_mass(R inverse_mass, R inverse_inertia, R radius) {
  return inverse_mass != R(0) ? 1 / double(inverse_mass)
                              : 2.5 / (double(inverse_inertia) * double(radius) * double(radius));
}

/// [J] The energy that a body takes with it when it is removed, at the moment of the forces. `before` is its velocity
/// before the step. `led` [J] is the work of gravity and of its group in the time `duration` [s] before this moment.
template <class R>
SCREE_HD double energy_at_exit(const BodySpeed<R>& before, R radius, const Wrench<R>& wrench, double duration,
                               double led) {
  const double mass = ledger_mass(before.inverse_mass, before.inverse_inertia, radius);
  const double inertia = 1 / double(before.inverse_inertia);
  const Vec3d v = convert<double>(before.velocity), w = convert<double>(before.angular_velocity);
  return 0.5 * (mass * dot(v, v) + inertia * dot(w, w)) +
         (led + duration * (dot(convert<double>(wrench.force), v) + dot(convert<double>(wrench.torque), w)));
}

/// Splits the part of a force that comes neither from contacts nor from gravity, component by component. Calls
/// take(led, lost, u): `led` is the force of the group, or the force that holds a fixed component; `lost` is the force
/// of damping; u is the velocity. `rest` is the whole part, and `own` is the force of the group.
template <class Take>
SCREE_INLINE void each_share(const Vec3d& rest, const Vec3d& own, const Vec3d& v, std::uint32_t fixed, Take&& take) {
  const auto component = [&](double f, double f_own, double u, bool held) {
    take(held ? f : f_own, held ? 0.0 : f - f_own, u);
  };
  component(rest.x, own.x, v.x, (fixed & 1u) != 0);
  component(rest.y, own.y, v.y, (fixed & 2u) != 0);
  component(rest.z, own.z, v.z, (fixed & 4u) != 0);
}

/// [J] Kinetic energy m v- v+ / 2 at the moment of the last forces, minus the term of first order that steps of unequal
/// length add to it. `after` is the velocity after the step, `push` the sum of all forces. A rotation has a moment of
/// inertia, a spin and a torque instead.
SCREE_HD inline double energy_at_forces(double mass, const Vec3d& after, const Vec3d& push, const LedgerTimes& times) {
  return 0.5 * dot(after, mass * after - times.span * push) - 0.25 * times.uneven * dot(after, push);
}

/// Adds up the work of gravity, groups and damping on single bodies; one thread per lane. The change of a velocity
/// gives the sum of all forces. Subtracting the forces of contacts, gravity and the group leaves one unknown force. In
/// a fixed component it is the force that holds the component, and its work counts as work of the group. In a free
/// component it is the force of the damping, or in a run with a fluid, where no other damping is allowed, the force of
/// the fluid.
template <class R>
struct LedgerMotion {
  LedgerBodies<R> of;
  WrenchGather<R> gather;
  GroupTable<R> groups;  ///< no rules: no groups
  Vec3d gravity;
  bool damped;  ///< whether any body is damped
  LedgerFlow flow;
  WorkHalf half;
  Span<LedgerLane> lanes;
  const Control* control;
  Span<MemberWrench<R>> wrench{};  ///< [n_bodies] as the motion has gathered them; empty: this kernel gathers them
  LedgerTimes times{};

  SCREE_INLINE LedgerMotion at(const StepMoment<R>& moment) const { return in_half(*this, moment); }

  SCREE_HD void operator()(std::size_t lane) const {
    if (control->halted != 0 || times.kick == 0) { return; }
    LedgerLane& sums = lanes[lane];
    Waiting waiting{};
    visit_items_of(lane, lanes.size, of.before.size, [&](std::size_t i) {
      Powers powers;
      if (find(i, powers, sums)) { add(powers, waiting, sums); }
    });
    add_waiting(waiting, sums);
    sums.carry();
  }

 private:
  /// [W] What acts on a body in this half of the work.
  struct Powers {
    double gravity = 0, cell = 0;
    double led[2] = {0, 0};   ///< by the group: on the translation, on the rotation
    double lost[2] = {0, 0};  ///< by damping or to the fluid, likewise
  };

  /// Calls visit(term, factor, power) for each power that this run has.
  template <class Visit>
  SCREE_INLINE void each_power(const Powers& of_body, Visit&& visit) const {
    visit(LedgerTerm::gravity, half.duration, of_body.gravity);
    if (flow.any) { visit(LedgerTerm::cell, half.duration, of_body.cell); }
    for (const double led : of_body.led) {
      if (groups.rules.size > 0) { visit(LedgerTerm::groups, half.duration, led); }
    }
    for (const double lost : of_body.lost) {
      if (groups.fluid_on_bodies.size > 0) {
        visit(LedgerTerm::fluid, -half.duration, lost);
      } else if (damped) {
        visit(LedgerTerm::damping, half.duration, lost);
      }
    }
  }

#if SCREE_ON_CUDA
  struct Waiting {};
  SCREE_HD void add(const Powers& powers, Waiting& /*waiting*/, LedgerLane& sums) const {
    each_power(powers, [&](LedgerTerm term, double factor, double power) { sums.add(term, factor * power); });
  }
  SCREE_HD void add_waiting(Waiting& /*waiting*/, LedgerLane& /*sums*/) const {}
#else
  /// The powers of some bodies, which are added together.
  struct Waiting {
    static constexpr std::size_t most = 64, n_powers = 6;
    std::size_t n;
    double power[n_powers][most + ExactQueue::vector];
  };
  void add(const Powers& powers, Waiting& waiting, LedgerLane& sums) const {
    std::size_t p = 0;
    each_power(powers, [&](LedgerTerm, double, double power) { waiting.power[p++][waiting.n] = power; });
    if (++waiting.n == Waiting::most) { add_waiting(waiting, sums); }
  }
  void add_waiting(Waiting& waiting, LedgerLane& sums) const {
    std::size_t p = 0;
    each_power(Powers{},
               [&](LedgerTerm term, double factor, double) { sums.add(term, waiting.power[p++], waiting.n, factor); });
    waiting.n = 0;
  }
#endif

  SCREE_INLINE Wrench<R> wrench_on(std::size_t i, R radius) const {
    if (wrench.size == 0) { return gather(i, radius); }
    return {wrench[i].force.vec3(), wrench[i].torque.vec3()};
  }

  /// Finds the powers on a body. Returns false for a body that has none: LedgerClumps counts the members of clumps.
  SCREE_INLINE bool find(std::size_t i, Powers& powers, LedgerLane& sums) const {
    const BodySpeed<R>& before = of.before[i];
    if (before.inverse_mass < R(0) || is_member(before.inverse_inertia)) { return false; }
    const R radius = of.bodies.radius[i];
    const double mass = ledger_mass(before.inverse_mass, before.inverse_inertia, radius);
    const double inertia = 1 / double(before.inverse_inertia);
    const auto [pull, own_force, own_torque, fixed] = pull_on(of.bodies.id[i], mass, gravity, groups);
    const Vec3d v0 = convert<double>(before.velocity), w0 = convert<double>(before.angular_velocity);
    if (is_parked(of.bodies.position[i])) {  // the body left in this step, with its energy at the moment of the forces
      if (half.after) { return false; }
      const double fallen = half.duration * dot(pull, v0),
                   led = half.duration * (dot(own_force, v0) + dot(own_torque, w0));
      sums.add(LedgerTerm::gravity, fallen);
      sums.add(LedgerTerm::groups, led);
      sums.add(LedgerTerm::removed, energy_at_exit(before, radius, wrench_on(i, radius), half.duration, fallen + led));
      return false;
    }
    const Vec3d v1 = convert<double>(of.bodies.velocity[i]), w1 = convert<double>(of.bodies.angular_velocity[i]);
    const Vec3d push = (mass / times.kick) * (v1 - v0), turn = (inertia / times.kick) * (w1 - w0);
    const Vec3d v = half.after ? v1 : v0, w = half.after ? w1 : w0;
    powers.gravity = dot(pull, v);
    Vec3d turned{0, 0, 0};
    if (flow.any) {
      turned = (-0.5 * mass) * (flow.next_gradient * (v0 + v1));
      powers.cell = dot(turned, v);
    }
    if (!damped && groups.rules.size == 0) { return true; }
    const Wrench<R> contacts = wrench_on(i, radius);
    Vec3d rest = push - convert<double>(contacts.force) - pull;
    if (flow.any) { rest -= turned; }
    share(rest, own_force, v, fixed & 7u, powers.led[0], powers.lost[0]);
    share(turn - convert<double>(contacts.torque), own_torque, w, fixed >> 3, powers.led[1], powers.lost[1]);
    return true;
  }

  SCREE_INLINE static void share(const Vec3d& rest, const Vec3d& own, const Vec3d& v, std::uint32_t fixed, double& led,
                                 double& lost) {
    each_share(rest, own, v, fixed, [&](double f_led, double f_lost, double u) {
      led += f_led * u;
      lost -= f_lost * u;
    });
  }
};

/// Kinetic energy of single bodies at the moment of the last forces: m v- v+ / 2. While the step is constant, its
/// change is exactly the work of the forces. One thread per lane.
template <class R>
struct LedgerKinetic {
  LedgerBodies<R> of;
  LedgerTimes times;
  Span<StateLane> lanes;

  SCREE_HD void operator()(std::size_t lane) const {
    visit_items_of(lane, lanes.size, of.before.size, [&](std::size_t i) { add(i, lanes[lane]); });
  }

 private:
  SCREE_HD void add(std::size_t i, StateLane& sums) const {
    const BodySpeed<R>& before = of.before[i];
    if (before.inverse_mass < R(0) || is_member(before.inverse_inertia) || is_parked(of.bodies.position[i])) { return; }
    const double mass = ledger_mass(before.inverse_mass, before.inverse_inertia, of.bodies.radius[i]);
    const double inertia = 1 / double(before.inverse_inertia);
    const Vec3d v0 = convert<double>(before.velocity), w0 = convert<double>(before.angular_velocity);
    const Vec3d v1 = convert<double>(of.bodies.velocity[i]), w1 = convert<double>(of.bodies.angular_velocity[i]);
    const Vec3d push = (mass / times.kick) * (v1 - v0), turn = (inertia / times.kick) * (w1 - w0);
    sums.add(LedgerState::translation, energy_at_forces(mass, v1, push, times));
    sums.add(LedgerState::rotation, energy_at_forces(inertia, w1, turn, times));
  }
};

}  // namespace scree::inline SCREE_BACKEND
