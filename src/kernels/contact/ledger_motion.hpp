#pragma once

#include "kernels/contact/gather.hpp"
#include "kernels/contact/ledger.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/groups.hpp"

namespace scree::inline SCREE_BACKEND {

/// Keeps the velocities that the motion is about to replace; one thread per body.
template <class R>
struct LedgerBefore {
  LedgerBodies<R> of;
  const Control* control;
  SCREE_HD void operator()(std::size_t i) const {
    if (control->halted != 0) { return; }
    of.velocity_before[i] = of.bodies.velocity[i];
    of.spin_before[i] = of.bodies.angular_velocity[i];
    of.inverse_mass_before[i] = is_parked(of.bodies.position[i]) ? R(-1) : of.bodies.inverse_mass[i];
  }
};

/// [kg] Mass of a body. If its inverse mass is 0, because its translation is fixed, the mass follows from its moment of
/// inertia as that of a sphere.
template <class R>
SCREE_HD double ledger_mass(R inverse_mass, R inverse_inertia, R radius) {
  return inverse_mass != R(0) ? 1 / double(inverse_mass)
                              : 2.5 / (double(inverse_inertia) * double(radius) * double(radius));
}

/// Shares out the part of a force that is neither of contacts nor of gravity, component by component. Calls take(led,
/// lost, u): `led` is the force of the group, or the force that holds a fixed component; `lost` is the force of
/// damping; u is the velocity. `rest` is the whole part, `own` the force of the group.
template <class Take>
SCREE_HD void each_share(const Vec3d& rest, const Vec3d& own, const Vec3d& v, std::uint32_t fixed, Take&& take) {
  const auto component = [&](double f, double f_own, double u, bool held) {
    take(held ? f : f_own, held ? 0.0 : f - f_own, u);
  };
  component(rest.x, own.x, v.x, (fixed & 1u) != 0);
  component(rest.y, own.y, v.y, (fixed & 2u) != 0);
  component(rest.z, own.z, v.z, (fixed & 4u) != 0);
}

/// Kinetic energy of bodies, and the work of gravity, groups and damping on them; one thread per lane. The change of a
/// velocity gives the sum of all forces. What is left without contacts, gravity and the force of the group is damping,
/// or, in a fixed component, the force that holds it, whose work counts for the group. The kinetic energy is
/// m v- v+ / 2: while the step is constant, its change is exactly the work of the forces.
template <class R>
struct LedgerMotion {
  LedgerBodies<R> of;
  WrenchGather<R> gather;
  GroupTable<R> groups;  ///< no rules: no groups
  Vec3d gravity;
  bool damped;  ///< whether any body is damped
  LedgerFlow flow;
  WorkHalf half;
  Span<LedgerSums> lanes;
  std::size_t n;  ///< number of bodies
  const Control* control;
  LedgerTimes times{};

  SCREE_INLINE LedgerMotion at(const StepMoment<R>& moment) const {
    LedgerMotion now = in_half(*this, moment);
    now.times = LedgerTimes::of(half.of(moment));
    return now;
  }

  SCREE_HD void operator()(std::size_t lane) const {
    if (control->halted != 0) { return; }
    LedgerSums& sums = lanes[lane];
    for (std::size_t i = lane; i < n; i += lanes.size) { add(i, sums); }
    sums.carry();
  }

 private:
  SCREE_HD void add(std::size_t i, LedgerSums& sums) const {
    if (!half.after) { of.kinetic[i] = {}; }
    // LedgerClumps counts the members of clumps.
    if (of.inverse_mass_before[i] < R(0) || is_member(of.bodies.inverse_inertia[i])) { return; }
    const double mass = ledger_mass(of.inverse_mass_before[i], of.bodies.inverse_inertia[i], of.bodies.radius[i]);
    const double inertia = 1 / double(of.bodies.inverse_inertia[i]);
    const Wrench<R> wrench = gather(i, of.bodies.radius[i]);
    const Vec3d force = convert<double>(wrench.force), torque = convert<double>(wrench.torque);
    Vec3d pull = mass * gravity, own_force{0, 0, 0}, own_torque{0, 0, 0};
    std::uint32_t fixed = 0;
    if (groups.rules.size > 0) {
      const GroupRule<R>& rule = groups.rule_of(of.bodies.id[i]);
      pull = mass * convert<double>(rule.damped_gravity + rule.free_gravity);
      own_force = convert<double>(rule.force);
      own_torque = convert<double>(rule.torque);
      fixed = rule.fixed;
    }
    const Vec3d v0 = convert<double>(of.velocity_before[i]), w0 = convert<double>(of.spin_before[i]);
    if (is_parked(of.bodies.position[i])) {  // the body left in this step, with its energy at the moment of the forces
      if (half.after) { return; }
      const double fallen = half.duration * dot(pull, v0),
                   led = half.duration * (dot(own_force, v0) + dot(own_torque, w0));
      sums.of(LedgerTerm::gravity).add(fallen);
      sums.of(LedgerTerm::groups).add(led);
      sums.of(LedgerTerm::removed)
          .add(0.5 * (mass * dot(v0, v0) + inertia * dot(w0, w0)) +
               (fallen + led + half.duration * (dot(force, v0) + dot(torque, w0))));
      return;
    }
    const Vec3d v1 = convert<double>(of.bodies.velocity[i]), w1 = convert<double>(of.bodies.angular_velocity[i]);
    const Vec3d push = (mass / times.kick) * (v1 - v0), turn = (inertia / times.kick) * (w1 - w0);
    const Vec3d v = half.after ? v1 : v0, w = half.after ? w1 : w0;
    sums.of(LedgerTerm::gravity).add(half.duration * dot(pull, v));
    Vec3d rest = push - force - pull;
    if (flow.any) {
      const Vec3d turned = (-0.5 * mass) * (flow.next_gradient * (v0 + v1));
      sums.of(LedgerTerm::cell).add(half.duration * dot(turned, v));
      rest -= turned;
    }
    share(rest, own_force, v, fixed & 7u, sums);
    share(turn - torque, own_torque, w, fixed >> 3, sums);
    if (!half.after) {
      // m v- v+ / 2, minus the term of first order that steps of unequal length add to it.
      const double part = 0.25 * times.uneven;
      of.kinetic[i] = {0.5 * dot(v1, mass * v1 - times.span * push) - part * dot(v1, push),
                       0.5 * dot(w1, inertia * w1 - times.span * turn) - part * dot(w1, turn)};
    }
  }

  SCREE_HD void share(const Vec3d& rest, const Vec3d& own, const Vec3d& v, std::uint32_t fixed,
                      LedgerSums& sums) const {
    if (!damped && groups.rules.size == 0) { return; }
    double led = 0, lost = 0;
    each_share(rest, own, v, fixed, [&](double f_led, double f_lost, double u) {
      led += f_led * u;
      lost -= f_lost * u;
    });
    if (groups.rules.size > 0) { sums.of(LedgerTerm::groups).add(half.duration * led); }
    if (damped) { sums.of(LedgerTerm::damping).add(half.duration * lost); }
  }
};

}  // namespace scree::inline SCREE_BACKEND
