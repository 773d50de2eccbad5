#pragma once

#include "kernels/backend/thread_rank.hpp"
#include "kernels/step/motion/ledger_motion.hpp"

/// Stores the state of bodies before their motion for the ledger. Also adds the work of gravity, in runs where only
/// gravity and contacts act on single bodies.
namespace scree::inline SCREE_BACKEND {

/// Stores the velocities that the motion is about to replace; one thread per lane. With `falls`, only gravity and
/// contacts act on single bodies. Then this adds the work of gravity: the half after the last forces and the half
/// before the present ones, since both belong to the same velocity. On the host MotionInLedger does this for a few
/// bodies at a time.
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
    visit_items_of(lane, lanes.size, n, [&](std::size_t i) { keep(i, sums); });
    sums.carry();
  }

#if !SCREE_ON_CUDA
  /// Does the bodies [begin, end) in the calling thread.
  SCREE_INLINE void work_on(std::size_t begin, std::size_t end) const {
    if (control->halted != 0) { return; }
    LedgerLane& sums = lanes[thread_rank()];
    constexpr std::size_t most = 64;
    double power[most] = {};
    for (std::size_t first = begin; first < end; first += most) {
      const std::size_t some = end - first < most ? end - first : most, whole = some / 4 * 4;
      for (std::size_t k = 0; k < whole; k += 4) { keep_four(first + k, &power[k], sums); }
      for (std::size_t k = whole; k < some; ++k) { keep(first + k, sums); }
      if (falls) { add(power, whole, sums); }
    }
  }
#endif

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
  /// Stores four bodies. `power` gets falling() of each of them, or 0 for bodies whose work keep() has added.
  SCREE_INLINE void keep_four(std::size_t first, double* power, LedgerLane& sums) const {
    Four<R> v[4];
    bool usual = true;
    for (std::size_t k = 0; k < 4; ++k) {
      const BodySpeed<R>& speed = of.bodies.speed[first + k];
      v[k] = speed.linear();
      usual = usual && speed.inverse_mass != R(0) && !is_member(speed.inverse_inertia);
      of.before[first + k] = speed;
    }
    if (!usual) {
      for (std::size_t k = 0; k < 4; ++k) { keep(first + k, sums), power[k] = 0; }
      return;
    }
    if (!falls) { return; }
    transpose(v[0], v[1], v[2], v[3]);
    const auto mass = 1.0 / v[3].template as<double>().lane;
    const auto x = (mass * gravity.x) * v[0].template as<double>().lane,
               y = (mass * gravity.y) * v[1].template as<double>().lane,
               z = (mass * gravity.z) * v[2].template as<double>().lane;
    const auto sum = x + y + z;
    for (int k = 0; k < 4; ++k) { power[k] = sum[k]; }
  }
  SCREE_INLINE void add(double* power, std::size_t count, LedgerLane& sums) const {
    if (after != before && after != 0) { sums.add(LedgerTerm::gravity, power, count, after); }
    for (std::size_t k = 0; k < count; ++k) { power[k] *= before; }
    sums.add(LedgerTerm::gravity, power, count, after == before ? 2 : 1);  // both halves are the same double
  }
#endif
};

#if !SCREE_ON_CUDA
/// The motion of bodies in a run with a ledger, on the host. The values that the ledger needs are stored just before
/// the bodies move, so that the bodies are read from memory once.
template <class R, class Motion>
struct MotionInLedger {
  LedgerBefore<R> ledger;
  Motion motion;

  SCREE_INLINE MotionInLedger at(const StepMoment<R>& moment) const { return {ledger.at(moment), motion.at(moment)}; }
  void operator()(std::size_t i) const {
    ledger.work_on(i, i + 1);
    motion(i);
  }
  void work_on(std::size_t begin, std::size_t end) const {
    ledger.work_on(begin, end);
    motion.work_on(begin, end);
  }
};
#endif

/// Adds the second half of the work of gravity when the ledger is settled, in runs where only gravity works on single
/// bodies.
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

/// Adds the energies of bodies that an outlet removed in a step, if LedgerBefore has added the work of gravity in this
/// step; one thread per lane.
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
