#pragma once

#include "kernels/contact/gather.hpp"
#include "kernels/laws/energies.hpp"
#include "kernels/math/exact_sum.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/groups.hpp"
#include "kernels/state/pairs.hpp"
#include "kernels/state/step_moment.hpp"

/// The energy ledger of a step: kernels that run after its motion, only in runs that ask for the ledger.
///
/// The work of a force has two halves. Up to the moment of the force, a body moves with the velocity before the kick;
/// from this moment on, with the velocity after it. The first halves are added right after the motion, the second
/// halves when the next step begins. In between all sums belong to the moment of the forces. The sums are exact, so
/// they do not depend on the order of bodies and contacts.
namespace scree::inline SCREE_BACKEND {

/// The energies [J] that are summed over all steps.
enum class LedgerTerm { friction, breakage, viscous, gravity, damping, groups, boundaries, removed, gained, cell };
inline constexpr std::size_t n_ledger_terms = 10;

/// The sums of one lane of a kernel.
struct LedgerSums {
  ExactSum term[n_ledger_terms];
  SCREE_HD ExactSum& of(LedgerTerm which) { return term[static_cast<int>(which)]; }
  SCREE_HD void carry() {
    for (ExactSum& sum : term) { sum.carry(); }
  }
};

/// Kinetic energy of a body at the moment of its forces [J].
struct KineticEnergy {
  double translation, rotation;
};

/// The state of bodies, and what the ledger keeps of them beside it.
template <class R>
struct LedgerBodies {
  BodyView<R> bodies;
  Span<Vec3<R>> velocity_before, spin_before;  ///< [n_bodies] before the motion of this step
  Span<R> inverse_mass_before;                 ///< [n_bodies] likewise; -1: the body had left before this step
  Span<KineticEnergy> kinetic;                 ///< [n_bodies]
};

/// One half of the work of the forces: before or after their moment. A launch adds the first halves of the present
/// step, or the second halves of the step before it.
struct WorkHalf {
  bool after;
  double duration = 0;  ///< [s] half of the step; 0 for the first half in the first step of the run

  template <class R>
  SCREE_INLINE const LedgerMoment& of(const StepMoment<R>& moment) const {
    return after ? moment.ledger_before : moment.ledger;
  }
  SCREE_INLINE WorkHalf at(const LedgerMoment& m) const { return {after, 0.5 * (after ? m.next : m.last)}; }
};

/// Times [s] that the kinetic energy needs.
struct LedgerTimes {
  double kick = 0;     ///< from the velocity before to the velocity after
  double span = 0;     ///< the kick; in the first step of the run a whole step, as if velocities began half a step ago
  double uneven = 0;   ///< length of the step after the forces minus length of the step before
  bool first = false;  ///< whether this is the first step of the run

  static SCREE_INLINE LedgerTimes of(const LedgerMoment& m) {
    const bool first = m.last == 0;
    return {m.kick, first ? m.next : m.kick, first ? 0.0 : m.next - m.last, first};
  }
};

/// The mean flow of a periodic cell. Contacts feel it, but the velocities of bodies do not contain it. The work that
/// contact forces do in the flow counts as work of the cell. Spins are relative to the rotation of the flow, so between
/// two bodies only its strain counts.
struct LedgerFlow {
  bool any = false;
  Mat3d gradient{};       ///< [1/s] in the step of this half of the work
  Mat3d next_gradient{};  ///< [1/s] in the step after the forces: it changes the relative velocities of bodies
  Vec3d origin{0, 0, 0};  ///< [m]

  SCREE_INLINE LedgerFlow at(const LedgerMoment& m, bool after) const {
    return {any, after ? m.gradient_after : m.gradient_before, m.gradient_after, origin};
  }
  /// [m/s] Velocity at which the strain of the flow moves the ends of a branch [m] apart.
  SCREE_HD Vec3d strain(const Vec3d& branch) const { return 0.5 * (gradient * branch + transpose(gradient) * branch); }
};

/// A kernel of the ledger with the values that its half of the work takes from the moment of a step.
template <class Ledger, class R>
SCREE_INLINE Ledger in_half(const Ledger& ledger, const StepMoment<R>& moment) {
  const LedgerMoment& m = ledger.half.of(moment);
  Ledger now = ledger;
  now.half = ledger.half.at(m);
  now.flow = ledger.flow.at(m, ledger.half.after);
  return now;
}

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

/// Finds the LedgerEntry of a contact, which is the end of its history.
template <class R>
struct LedgerPlace {
  Span<R> extra;
  std::uint32_t n_extra;

  SCREE_HD LedgerEntry<R> entry(std::size_t contact) const {
    const std::size_t begin = (contact + 1) * n_extra - std::size_t(LedgerEntry<R>::n_components);
    LedgerEntry<R> result;
    result.each([&](int component, R& value) { value = extra[begin + std::size_t(component)]; });
    return result;
  }
};

/// Adds what a contact lost in a step. In the first step of the run contacts have no past, so the losses that the law
/// states are not counted.
template <class R>
SCREE_HD void add_losses(const LedgerEntry<R>& entry, const WorkHalf& half, LedgerSums& sums) {
  sums.of(LedgerTerm::gained).add(double(entry.gained));
  if (half.duration == 0) { return; }
  sums.of(LedgerTerm::friction).add(double(entry.friction));
  sums.of(LedgerTerm::breakage).add(double(entry.breakage));
}
/// Removes the energy of the springs of a contact, because its body was removed.
template <class R>
SCREE_HD void remove_springs(const LedgerEntry<R>& entry, LedgerSums& sums) {
  sums.of(LedgerTerm::removed).add(double(entry.normal));
  sums.of(LedgerTerm::removed).add(double(entry.stored));
  sums.of(LedgerTerm::gained).add(-double(entry.stored));
}

/// Losses in the contacts of two bodies, and the work of the cell on them; one thread per lane.
template <class R>
struct LedgerPairs {
  LedgerBodies<R> of;
  LedgerPlace<R> place;
  Span<BodyPair> pairs;
  Span<PairForce<R>> force;
  Span<std::uint8_t> touching;
  LedgerFlow flow;
  WorkHalf half;
  Span<LedgerSums> lanes;
  std::size_t n;
  const Control* control;

  SCREE_INLINE LedgerPairs at(const StepMoment<R>& moment) const { return in_half(*this, moment); }
  SCREE_HD void operator()(std::size_t lane) const {
    if (control->halted != 0) { return; }
    LedgerSums& sums = lanes[lane];
    for (std::size_t slot = lane; slot < n; slot += lanes.size) {
      if (touching[slot] != 0) { add(slot, sums); }
    }
    sums.carry();
  }

 private:
  SCREE_HD void add(std::size_t slot, LedgerSums& sums) const {
    const auto [i, j] = pairs[slot];
    const LedgerEntry<R> entry = place.entry(slot);
    if (!half.after) { add_losses(entry, half, sums); }
    if (half.after && (is_parked(of.bodies.position[i]) || is_parked(of.bodies.position[j]))) {
      remove_springs(entry, sums);
      return;
    }
    const Span<Vec3<R>>& v = half.after ? of.bodies.velocity : of.velocity_before;
    const Span<Vec3<R>>& w = half.after ? of.bodies.angular_velocity : of.spin_before;
    const R half_overlap = R(0.5) * entry.overlap;
    const Vec3<R> rolling = (of.bodies.radius[i] - half_overlap) * w[i] + (of.bodies.radius[j] - half_overlap) * w[j];
    Vec3<R> velocity = v[j] - v[i] - cross(rolling, entry.n);
    if (flow.any) {
      const double length = double(of.bodies.radius[i]) + double(of.bodies.radius[j]) - double(entry.overlap);
      const Vec3d parted = flow.strain(length * convert<double>(entry.n));
      const PairForce<R>& record = force[slot];
      const Vec3d f{double(record.force[0]), double(record.force[1]), double(record.force[2])};
      sums.of(LedgerTerm::cell).add(-half.duration * dot(f, parted));
      velocity += convert<R>(parted);
    }
    const R power = dot(entry.viscous, velocity) + dot(entry.viscous_couple, w[j] - w[i]);
    sums.of(LedgerTerm::viscous).add(-half.duration * double(power));
  }
};

/// Losses in the contacts with boundaries, and the work of moving boundaries and of the cell; one thread per lane.
template <class R>
struct LedgerBoundaries {
  LedgerBodies<R> of;
  LedgerPlace<R> place;
  BoundaryView boundaries;
  Span<Pose> pose;  ///< [n_boundaries] at the moment of the forces
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  LedgerFlow flow;
  WorkHalf half;
  Span<LedgerSums> lanes;
  std::size_t n;  ///< number of rows
  const Control* control;

  SCREE_INLINE LedgerBoundaries at(const StepMoment<R>& moment) const { return in_half(*this, moment); }
  SCREE_HD void operator()(std::size_t lane) const {
    if (control->halted != 0) { return; }
    LedgerSums& sums = lanes[lane];
    for (std::size_t row = lane; row < n; row += lanes.size) {
      for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
        if (slots[k].touching != 0) { add(k, body_of_row[row], sums); }
      }
    }
    sums.carry();
  }

 private:
  SCREE_HD void add(offset_t k, index_t body, LedgerSums& sums) const {
    const BoundarySlot<R>& slot = slots[k];
    const std::uint32_t boundary = boundaries.feature[slot.feature].boundary;
    const LedgerEntry<R> entry = place.entry(k);
    if (!half.after) { add_losses(entry, half, sums); }
    if (half.after && is_parked(of.bodies.position[body])) {
      remove_springs(entry, sums);
      return;
    }
    const Pose& moving = pose[boundary];
    const Vec3d surface = moving.velocity + cross(moving.spin, slot.point);
    const Vec3d v = convert<double>(half.after ? of.bodies.velocity[body] : of.velocity_before[body]);
    const Vec3d w = convert<double>(half.after ? of.bodies.angular_velocity[body] : of.spin_before[body]);
    const double arm = double(of.bodies.radius[body]) - 0.5 * double(entry.overlap);
    Vec3d velocity = v - arm * cross(w, convert<double>(entry.n)) - surface, spin = w - moving.spin;
    if (flow.any) {
      const Vec3d lever = arm * convert<double>(entry.n), centre = slot.point + lever, turning = spin_of(flow.gradient);
      const Vec3d carried = flow.gradient * (centre - flow.origin) - cross(turning, lever);
      const double power = dot(convert<double>(slot.force), carried) + dot(convert<double>(entry.couple), turning);
      sums.of(LedgerTerm::cell).add(-half.duration * power);
      velocity += carried;
      spin += turning;
    }
    const double viscous =
        dot(convert<double>(entry.viscous), velocity) + dot(convert<double>(entry.viscous_couple), spin);
    const double work = dot(convert<double>(slot.force), surface) + dot(convert<double>(entry.couple), moving.spin);
    sums.of(LedgerTerm::viscous).add(-half.duration * viscous);
    sums.of(LedgerTerm::boundaries).add(half.duration * work);
  }
};

}  // namespace scree::inline SCREE_BACKEND
