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

/// The energy ledger of a step: kernels that follow the motion, only in runs that ask for it.
///
/// A force does work in two halves: with the velocity before the step that it makes, up to the moment at which it acts,
/// and with the velocity after it, from there on. The first halves are added right after the motion, the second when
/// the next step begins; in between all sums belong to the moment of the forces. Sums are exact, so they do not depend
/// on the order of bodies and contacts.
namespace scree::inline SCREE_BACKEND {

/// What is summed over all steps [J].
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

/// What the ledger knows of bodies beside their state.
template <class R>
struct LedgerBodies {
  BodyView<R> bodies;
  Span<Vec3<R>> velocity_before, spin_before;  ///< [n_bodies] before the motion of this step
  Span<R> inverse_mass_before;                 ///< -1: it had left already
  Span<KineticEnergy> kinetic;                 ///< [n_bodies]
};

/// Half of the work of a step: of the mean velocities, those before or those after. The first halves are those of this
/// step, the second those of the one before.
struct WorkHalf {
  bool after;
  double duration = 0;  ///< [s] half a step; 0 before the first

  template <class R>
  SCREE_INLINE const LedgerMoment& of(const StepMoment<R>& moment) const {
    return after ? moment.ledger_before : moment.ledger;
  }
  SCREE_INLINE WorkHalf at(const LedgerMoment& m) const { return {after, 0.5 * (after ? m.next : m.last)}; }
};

/// Times over which a velocity changes [s].
struct LedgerTimes {
  double kick = 0;
  double span = 0;     ///< over which the velocity changed: kick, but in the first step a whole step
  double uneven = 0;   ///< by how much the step after the forces is longer than the one before
  bool first = false;  ///< the first step of the run

  static SCREE_INLINE LedgerTimes of(const LedgerMoment& m) {
    const bool first = m.last == 0;
    return {m.kick, first ? m.next : m.kick, first ? 0.0 : m.next - m.last, first};
  }
};

/// The mean flow of a periodic cell. Contacts feel it, but the velocities of bodies do not contain it: what it does to
/// contacts is the work of the cell. Spins go with its rotation, so that only its strain counts between two bodies.
struct LedgerFlow {
  bool any = false;
  Mat3d gradient{};       ///< [1/s] of this half of the work
  Mat3d next_gradient{};  ///< [1/s] of the step after the forces, which turns the velocities of bodies
  Vec3d origin{0, 0, 0};  ///< [m]

  SCREE_INLINE LedgerFlow at(const LedgerMoment& m, bool after) const {
    return {any, after ? m.gradient_after : m.gradient_before, m.gradient_after, origin};
  }
  /// [m/s] by which it parts the ends of a branch [m].
  SCREE_HD Vec3d strain(const Vec3d& branch) const { return 0.5 * (gradient * branch + transpose(gradient) * branch); }
};

/// A kernel of the ledger with what its half of the work has of a step.
template <class Ledger, class R>
SCREE_INLINE Ledger in_half(const Ledger& ledger, const StepMoment<R>& moment) {
  const LedgerMoment& m = ledger.half.of(moment);
  Ledger now = ledger;
  now.half = ledger.half.at(m);
  now.flow = ledger.flow.at(m, ledger.half.after);
  return now;
}

/// Keeps the velocities that the motion is about to replace.
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

/// Mass of a body; that of one that does not yield to forces follows from its inertia.
template <class R>
SCREE_HD double ledger_mass(R inverse_mass, R inverse_inertia, R radius) {
  return inverse_mass != R(0) ? 1 / double(inverse_mass)
                              : 2.5 / (double(inverse_inertia) * double(radius) * double(radius));
}

/// Whose the components of a force are: calls take(led, lost, u) with the part of the group, or of what holds a fixed
/// component; with what damping took away; and with the velocity. `rest` is what neither contacts nor gravity tell,
/// `own` the group's.
template <class Take>
SCREE_HD void each_share(const Vec3d& rest, const Vec3d& own, const Vec3d& v, std::uint32_t fixed, Take&& take) {
  const auto component = [&](double f, double f_own, double u, bool held) {
    take(held ? f : f_own, held ? 0.0 : f - f_own, u);
  };
  component(rest.x, own.x, v.x, (fixed & 1u) != 0);
  component(rest.y, own.y, v.y, (fixed & 2u) != 0);
  component(rest.z, own.z, v.z, (fixed & 4u) != 0);
}

/// Kinetic energy, and the work of gravity, of groups and of damping. What changes a velocity and is neither a contact
/// nor gravity nor the force of a group is damping; where a component is fixed it is what holds it, the work of the
/// group. Kinetic energy is m v- v+ / 2: its change is the work of the mean forces, without any error.
template <class R>
struct LedgerMotion {
  LedgerBodies<R> of;
  WrenchGather<R> gather;
  GroupTable<R> groups;  ///< no rules: no groups
  Vec3d gravity;
  bool damped;
  LedgerFlow flow;
  WorkHalf half;
  Span<LedgerSums> lanes;
  std::size_t n;
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
    // clumps count for their members
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
    if (is_parked(of.bodies.position[i])) {  // it left in this step, with what it had at the moment of the forces
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
      // m v- v+ / 2, less the part of first order that steps of unequal length bring into it.
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

/// The entries of the ledger: the last components of the histories of contacts.
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

/// What contacts lost in a step. In the first step a contact has no past: what the law lost belongs to none.
template <class R>
SCREE_HD void add_losses(const LedgerEntry<R>& entry, const WorkHalf& half, LedgerSums& sums) {
  sums.of(LedgerTerm::gained).add(double(entry.gained));
  if (half.duration == 0) { return; }
  sums.of(LedgerTerm::friction).add(double(entry.friction));
  sums.of(LedgerTerm::breakage).add(double(entry.breakage));
}
/// The springs of a contact whose body was removed go with it.
template <class R>
SCREE_HD void remove_springs(const LedgerEntry<R>& entry, LedgerSums& sums) {
  sums.of(LedgerTerm::removed).add(double(entry.normal));
  sums.of(LedgerTerm::removed).add(double(entry.stored));
  sums.of(LedgerTerm::gained).add(-double(entry.stored));
}

/// Losses of the contacts of spheres.
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

/// Losses of the contacts with boundaries, and the work of boundaries that move.
template <class R>
struct LedgerBoundaries {
  LedgerBodies<R> of;
  LedgerPlace<R> place;
  BoundaryView boundaries;
  Span<Pose> pose;  ///< of the step
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  LedgerFlow flow;
  WorkHalf half;
  Span<LedgerSums> lanes;
  std::size_t n;  ///< rows
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
    Vec3d velocity = v - arm * cross(w, convert<double>(entry.n)) - surface;
    if (flow.any) {
      const Vec3d lever = arm * convert<double>(entry.n), centre = slot.point + lever;
      const Vec3d carried = flow.gradient * (centre - flow.origin) - cross(spin_of(flow.gradient), lever);
      sums.of(LedgerTerm::cell).add(-half.duration * dot(convert<double>(slot.force), carried));
      velocity += carried;
    }
    const double viscous =
        dot(convert<double>(entry.viscous), velocity) + dot(convert<double>(entry.viscous_couple), w - moving.spin);
    const double work = dot(convert<double>(slot.force), surface) + dot(convert<double>(entry.couple), moving.spin);
    sums.of(LedgerTerm::viscous).add(-half.duration * viscous);
    sums.of(LedgerTerm::boundaries).add(half.duration * work);
  }
};

}  // namespace scree::inline SCREE_BACKEND
