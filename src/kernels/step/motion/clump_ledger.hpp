#pragma once

#include "kernels/state/clumps.hpp"
#include "kernels/step/motion/ledger_motion.hpp"

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
    add_items_of(*this, lane, steps.size, [&](std::size_t c, LedgerLane& sums) { add(c, sums); });
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
    share_force(rest, own_force, v, fixed & 7u, sums);
    share_torque(c, own_torque, w, fixed >> 3, sums);
    if (!half.after && s.carried != 0) { sums.add(LedgerTerm::cell, s.carried); }
    if (!half.after) {
      kinetic[c] = {energy_at_forces(s.mass, s.velocity[1], push, times),
                    times.first ? s.turning[0] : 0.5 * (s.turning[0] + s.turning[1])};
    }
  }

  SCREE_HD bool is_in_fluid() const { return groups.fluid_on_clumps.size > 0; }
  /// Whether anything but contacts and gravity may act on clumps.
  SCREE_HD bool held_or_lost() const { return damped || groups.rules.size > 0; }

  /// Adds the work of the part `rest` [N] of the force that comes neither from contacts nor from gravity.
  SCREE_HD void share_force(const Vec3d& rest, const Vec3d& own, const Vec3d& v, std::uint32_t fixed,
                            LedgerLane& sums) const {
    if (!held_or_lost()) { return; }
    each_share(rest, own, v, fixed, [&](double led, double lost, double u) {
      sums.add(LedgerTerm::groups, half.duration * led * u);
      if (is_in_fluid()) {
        sums.add(LedgerTerm::fluid, half.duration * lost * u);
      } else {
        sums.add(LedgerTerm::damping, -half.duration * lost * u);
      }
    });
  }

  /// Adds the work of the torques that do not come from contacts. They have three parts: Cundall's damping took the
  /// first, the group gives the second (`own` [N m]), and the third holds fixed components.
  SCREE_HD void share_torque(std::size_t c, const Vec3d& own, const Vec3d& w, std::uint32_t fixed,
                             LedgerLane& sums) const {
    const ClumpStep& s = steps[c];
    const Vec3d taken = s.acting - s.torque - own, held{-s.acting.x, -s.acting.y, -s.acting.z};
    const auto turn = [&](double taken_by_damping, double of_group, double hold, double u, bool is_fixed) {
      sums.add(LedgerTerm::groups, half.duration * (of_group + (is_fixed ? hold : 0.0)) * u);
      sums.add(LedgerTerm::damping, -half.duration * taken_by_damping * u);
    };
    if (held_or_lost()) {
      turn(taken.x, own.x, held.x, w.x, (fixed & 1u) != 0);
      turn(taken.y, own.y, held.y, w.y, (fixed & 2u) != 0);
      turn(taken.z, own.z, held.z, w.z, (fixed & 4u) != 0);
    }
    const double dragged = s.dragged[half.after ? 1 : 0];
    if (viscous_damping != 0) { sums.add(LedgerTerm::damping, half.duration * viscous_damping * dragged); }
    if (is_in_fluid()) {
      sums.add(LedgerTerm::fluid, -half.duration * groups.fluid_on_clumps[c].angular_rate * dragged);
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
