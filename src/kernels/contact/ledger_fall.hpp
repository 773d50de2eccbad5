#pragma once

#include "kernels/contact/ledger_motion.hpp"

/// What the ledger keeps of bodies before their motion, and the work of gravity where it alone acts beside contacts.
namespace scree::inline SCREE_BACKEND {

/// Keeps the velocities that the motion is about to replace; one thread per lane. With `falls` the work of gravity is
/// all that is added for single bodies, and its halves before and after the forces are added here: both are known.
template <class R>
struct LedgerBefore {
  LedgerBodies<R> of;
  bool falls;
  Vec3d gravity;
  Span<LedgerLane> lanes;
  std::size_t n;  ///< number of bodies
  const Control* control;
  double before = 0;  ///< [s] half of the step before the forces
  double after = 0;   ///< [s] half of the step after the last forces; 0 if that was added

  SCREE_INLINE LedgerBefore at(const StepMoment<R>& moment) const {
    LedgerBefore now = *this;
    now.before = 0.5 * moment.ledger.last;
    now.after = 0.5 * moment.ledger_before.next;
    return now;
  }

  SCREE_HD void operator()(std::size_t lane) const {
    if (control->halted != 0) { return; }
    LedgerLane& sums = lanes[lane];
#if SCREE_ON_CUDA
    visit_items_of(lane, lanes.size, n, [&](std::size_t i) { keep(i, sums); });
#else
    const std::size_t begin = n * lane / lanes.size, end = n * (lane + 1) / lanes.size, whole = (end - begin) / 8 * 8;
    for (std::size_t i = begin; i < begin + whole; i += 8) { keep_eight(i, sums); }
    for (std::size_t i = begin + whole; i < end; ++i) { keep(i, sums); }
#endif
    sums.carry();
  }

  /// [J/s] Power of gravity on a body that is neither parked nor a member.
  SCREE_HD static double falling(const BodySpeed<R>& speed, R radius, const Vec3d& gravity) {
    const double mass = ledger_mass(speed.inverse_mass, speed.inverse_inertia, radius);
    return dot(mass * gravity, convert<double>(speed.velocity));
  }

 private:
  SCREE_HD void keep(std::size_t i, LedgerLane& sums) const {
    BodySpeed<R> speed = of.bodies.speed[i];
    const bool parked = is_parked(of.bodies.position[i]);
    if (falls && !parked && !is_member(speed.inverse_inertia)) {
      const double power = falling(speed, of.bodies.radius[i], gravity);
      if (after != 0) { sums.add(LedgerTerm::gravity, after * power); }
      sums.add(LedgerTerm::gravity, before * power);
    }
    if (parked) { speed.inverse_mass = R(-1); }
    of.before[i] = speed;
  }

#if !SCREE_ON_CUDA
  SCREE_HD void keep_eight(std::size_t i, LedgerLane& sums) const {
    double power[8] = {};
    for (std::size_t quad = 0; quad < 8; quad += 4) {
      Four<R> v[4];
      bool usual = true;
      for (std::size_t k = 0; k < 4; ++k) {
        const BodySpeed<R>& speed = of.bodies.speed[i + quad + k];
        v[k] = speed.linear();
        usual = usual && speed.inverse_mass != R(0) && !is_member(speed.inverse_inertia);
        of.before[i + quad + k] = speed;
      }
      if (!usual) {
        for (std::size_t k = quad; k < 8; ++k) { keep(i + k, sums); }
        if (quad > 0 && falls) { add(power, quad, sums); }
        return;
      }
      // The operations are those of falling().
      transpose(v[0], v[1], v[2], v[3]);
      const auto mass = 1.0 / v[3].template as<double>().lane;
      const auto x = (mass * gravity.x) * v[0].template as<double>().lane,
                 y = (mass * gravity.y) * v[1].template as<double>().lane,
                 z = (mass * gravity.z) * v[2].template as<double>().lane;
      const auto sum = x + y + z;
      for (int k = 0; k < 4; ++k) { power[quad + std::size_t(k)] = sum[k]; }
    }
    if (falls) { add(power, 8, sums); }
  }
  SCREE_INLINE void add(const double (&power)[8], std::size_t count, LedgerLane& sums) const {
    double work[8];
    for (int k = 0; k < 8; ++k) { work[k] = before * power[k]; }
    sums.add(LedgerTerm::gravity, work, count, after == before ? 2 : 1);  // both halves are the same double
    if (after != before && after != 0) { sums.add(LedgerTerm::gravity, power, count, after); }
  }
#endif
};

/// The second half of the work of gravity, where the ledger is settled and this is all that is added for single bodies.
template <class R>
struct SettleFall {
  LedgerBodies<R> of;
  Vec3d gravity;
  Span<LedgerLane> lanes;
  double after = 0;  ///< [s] half of the step

  SCREE_INLINE SettleFall at(const StepMoment<R>& moment) const {
    return {of, gravity, lanes, 0.5 * moment.ledger_before.next};
  }
  SCREE_HD void operator()(std::size_t lane) const {
    LedgerLane& sums = lanes[lane];
    visit_items_of(lane, lanes.size, of.before.size, [&](std::size_t i) {
      const BodySpeed<R>& speed = of.bodies.speed[i];
      if (is_parked(of.bodies.position[i]) || is_member(speed.inverse_inertia)) { return; }
      sums.add(LedgerTerm::gravity, after * LedgerBefore<R>::falling(speed, of.bodies.radius[i], gravity));
    });
    sums.carry();
  }
};

/// Energies of the bodies that an outlet has removed in a step whose gravity LedgerBefore has added; one thread per
/// lane.
template <class R>
struct LedgerLeft {
  LedgerBodies<R> of;
  WrenchGather<R> gather;
  Vec3d gravity;
  Span<LedgerLane> lanes;
  const Control* control;
  double before = 0;  ///< [s] half of the step before the forces

  SCREE_INLINE LedgerLeft at(const StepMoment<R>& moment) const {
    return {of, gather, gravity, lanes, control, 0.5 * moment.ledger.last};
  }
  SCREE_HD void operator()(std::size_t lane) const {
    if (control->halted != 0) { return; }
    LedgerLane& sums = lanes[lane];
    visit_items_of(lane, lanes.size, of.before.size, [&](std::size_t i) {
      const BodySpeed<R>& speed = of.before[i];
      if (!is_parked(of.bodies.position[i]) || speed.inverse_mass < R(0) || is_member(speed.inverse_inertia)) {
        return;
      }
      const R radius = of.bodies.radius[i];
      sums.add(LedgerTerm::removed, energy_at_exit(speed, radius, gather(i, radius), before,
                                                   before * LedgerBefore<R>::falling(speed, radius, gravity)));
    });
    sums.carry();
  }
};

}  // namespace scree::inline SCREE_BACKEND
