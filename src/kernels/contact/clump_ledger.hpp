#pragma once

#include "kernels/contact/ledger_motion.hpp"
#include "kernels/state/clumps.hpp"

namespace scree::inline SCREE_BACKEND {

/// What one step did with a clump. ClumpMotion writes it for the energy ledger. Index 0 means before the step, index 1
/// after it.
struct ClumpStep {
  index_t first;               ///< id of the first member
  std::uint32_t moves;         ///< 0: the clump had left before this step
  std::uint32_t left;          ///< 1: the clump left in this step
  double mass;                 ///< [kg]
  Vec3d velocity[2], spin[2];  ///< [m/s], [rad/s]
  double turning[2];           ///< [J] energy of the rotation
  double dragged[2];           ///< [J] energy of rotation lost by viscous damping, over step times rate
  double carried;              ///< [J] gain of the rotation as the spin of the mean flow of a cell changed
  Vec3d force, torque;         ///< [N], [N m] of all contacts, about the centre of mass
  double flow[2];              ///< [W] power of the contact forces in the mean flow of a cell, relative to the centre
  Vec3d acting;                ///< [N m] torque of the contacts and of the group, after Cundall's damping
};

/// The part of LedgerMotion for clumps. The loss of rotational energy by viscous damping follows from its rate. A fixed
/// component of the spin is held by the opposite of the torque that acts about it.
template <class R>
struct LedgerClumps {
  Span<ClumpStep> steps;        ///< [n_clumps]
  Span<KineticEnergy> kinetic;  ///< [n_clumps]
  GroupTable<R> groups;         ///< no rules: no groups
  Vec3d gravity;
  double viscous_damping;  ///< [1/s]
  bool damped;             ///< whether any body is damped
  LedgerFlow flow;
  WorkHalf half;
  Span<LedgerLane> lanes;
  const Control* control;
  LedgerTimes times{};

  SCREE_INLINE LedgerClumps at(const StepMoment<R>& moment) const { return in_half(*this, moment); }

  SCREE_HD void operator()(std::size_t lane) const {
    if (control->halted != 0 || times.kick == 0) { return; }
    LedgerLane& sums = lanes[lane];
    visit_items_of(lane, lanes.size, steps.size, [&](std::size_t c) { add(c, sums); });
    sums.carry();
  }

 private:
  SCREE_HD void add(std::size_t c, LedgerLane& sums) const {
    const ClumpStep& s = steps[c];
    if (!half.after) { kinetic[c] = {}; }
    if (s.moves == 0 || (s.left != 0 && half.after)) { return; }
    const auto [pull, own_force, own_torque, fixed] = pull_on(s.first, s.mass, gravity, groups);
    const int k = half.after ? 1 : 0;
    const Vec3d v = s.velocity[k], w = s.spin[k];
    sums.add(LedgerTerm::gravity, half.duration * dot(pull, v));
    if (s.left != 0) {
      const double led = half.duration * (dot(own_force, v) + dot(own_torque, w));
      sums.add(LedgerTerm::groups, led);
      sums.add(LedgerTerm::removed, 0.5 * s.mass * dot(v, v) + s.turning[0] +
                                        (led + half.duration * (dot(pull + s.force, v) + dot(s.torque, w))));
      return;
    }
    const Vec3d push = (s.mass / times.kick) * (s.velocity[1] - s.velocity[0]);
    Vec3d rest = push - s.force - pull;
    if (flow.any) {
      const Vec3d turned = (-0.5 * s.mass) * (flow.next_gradient * (s.velocity[0] + s.velocity[1]));
      sums.add(LedgerTerm::cell, half.duration * (dot(turned, v) + s.flow[k]));
      rest -= turned;
    }
    const bool is_in_fluid = groups.fluid_on_clumps.size > 0;
    const bool held_or_lost = damped || groups.rules.size > 0;
    if (held_or_lost) {
      each_share(rest, own_force, v, fixed & 7u, [&](double f_led, double f_lost, double u) {
        sums.add(LedgerTerm::groups, half.duration * f_led * u);
        if (is_in_fluid) {
          sums.add(LedgerTerm::fluid, half.duration * f_lost * u);
        } else {
          sums.add(LedgerTerm::damping, -half.duration * f_lost * u);
        }
      });
    }
    // The torque has three parts that do not come from contacts. Cundall's damping took the first, the group gives the
    // second (own_torque), and the third holds fixed components.
    const Vec3d taken = s.acting - s.torque - own_torque, held{-s.acting.x, -s.acting.y, -s.acting.z};
    const auto turn = [&](double taken_by_damping, double own, double hold, double u, bool is_fixed) {
      sums.add(LedgerTerm::groups, half.duration * (own + (is_fixed ? hold : 0.0)) * u);
      sums.add(LedgerTerm::damping, -half.duration * taken_by_damping * u);
    };
    if (held_or_lost) {
      turn(taken.x, own_torque.x, held.x, w.x, (fixed & 8u) != 0);
      turn(taken.y, own_torque.y, held.y, w.y, (fixed & 16u) != 0);
      turn(taken.z, own_torque.z, held.z, w.z, (fixed & 32u) != 0);
    }
    if (viscous_damping != 0) { sums.add(LedgerTerm::damping, half.duration * viscous_damping * s.dragged[k]); }
    if (is_in_fluid) {
      sums.add(LedgerTerm::fluid, -half.duration * groups.fluid_on_clumps[c].angular_rate * s.dragged[k]);
    }
    if (!half.after && s.carried != 0) { sums.add(LedgerTerm::cell, s.carried); }
    if (!half.after) {
      kinetic[c] = {energy_at_forces(s.mass, s.velocity[1], push, times),
                    times.first ? s.turning[0] : 0.5 * (s.turning[0] + s.turning[1])};
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
