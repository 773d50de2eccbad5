#pragma once

#include "kernels/step/modes/mode_inertia.hpp"
#include "kernels/step/modes/mode_motion.hpp"
#include "kernels/step/motion/clump_ledger.hpp"

namespace scree::inline SCREE_BACKEND {

/// Turns the grains whose modes couple to their rotation, and moves these modes; one thread per clump. It runs after
/// ModeMotion, which sums the forces, and after ClumpMotion, which moves the centres.
///
/// The scheme is that of Stoermer and Verlet for the angular momentum in the world and the momenta of the modes (see
/// DeformedInertia), which belong to the middle of the last step, and for orientation and amplitudes. The first half of
/// the kick uses the velocities that belong to the momenta before it, the second half those that belong to the momenta
/// after it. In the same way the two halves of the motion use the velocities at its beginning and at its end. So the
/// step can be reversed in time, and the energy does not drift. Without forces the angular momentum is constant to the
/// bit. The equations are implicit and solved by fixed-point iteration: each round reduces the error by a factor of
/// about the turn per step [rad].
template <class R>
struct CoupledModes {
  static constexpr int block_size = 64;
  static constexpr int most_rounds = 40;
  static constexpr double converged = 1e-15;  ///< relative change of the last round
  /// Values per mode in `scratch`.
  static constexpr std::size_t scratch_per_mode = 5;

  BulgeWatch<R> watch;
  ClumpView clumps;
  ClumpMembers members;
  Span<HeldTurn> held;   ///< [n_clumps]
  Span<double> modulus;  ///< [n_materials] [Pa]
  Span<double> force;    ///< [n_clumps * stride] [N] of the contacts on the modes
  Span<double> scratch;  ///< [n_clumps * stride * scratch_per_mode]
  Span<Vec3d> lean;      ///< [n_clumps * stride]
  Span<ModeStep> steps;  ///< see ModeMotion
  Span<ModeEnergy> energies;
  Span<ClumpStep> clump_steps;  ///< [n_clumps] for the energy ledger; empty without one
  double time_step = 0, kick = 0;

  SCREE_INLINE CoupledModes at(const StepMoment<R>& moment) const {
    CoupledModes now = *this;
    now.time_step = double(moment.motion.time_step);
    now.kick = double(moment.motion.kick);
    return now;
  }

  SCREE_HD void operator()(std::size_t c) const {
    if (watch.control->halted != 0) { return; }
    const bool left = clumps.mass[c] == 0;
    if (left && !has_just_left(c)) { return; }
    const GrainViews<R>& grains = watch.nodes->grains;
    const ModeForm* const form = grains.modes_of_clump(c);
    if (form == nullptr || form->couples == 0) { return; }
    const index_t body = members.body_of_id[clumps.first[c]];
    const ModeViews<R>& modes = grains.modes;
    const auto resistance = ModeResistance<R>::of(modes, *form, clumps.size[c], modulus[watch.bodies.material[body]],
                                                  left ? clump_steps[c].mass : clumps.mass[c]);
    const Arrays at{&modes.amplitude[c * modes.stride],
                    &modes.rate[c * modes.stride],
                    &modes.momentum[c * modes.stride],
                    &force[c * modes.stride],
                    &scratch[c * modes.stride * scratch_per_mode],
                    modes.stride};
    DeformedInertia<R> inertia(resistance, clumps.inertia[c], &lean[c * modes.stride]);
    inertia.set(at.amplitude);
    const Vec3d spin = kicked(c, resistance, inertia, at);
    if (left) { return; }
    drift(c, spin, resistance, inertia, at);
    watch.bodies.angular_velocity[body] = convert<R>(clumps.angular_velocity[c] - held[c].flow);
    watch.look(c, body);
  }

 private:
  /// Whether a clump left in this step. The ledger asks for its energy at the moment of the forces.
  SCREE_HD bool has_just_left(std::size_t c) const {
    return clump_steps.size > 0 && clump_steps[c].moves != 0 && clump_steps[c].left != 0;
  }

  /// The values of the modes of one grain.
  struct Arrays {
    double *amplitude, *rate, *momentum, *push, *scratch;
    std::uint32_t stride;
    SCREE_INLINE double* early() const { return scratch; }                ///< [m/s] rates before the kick
    SCREE_INLINE double* late() const { return scratch + stride; }        ///< [m/s] rates after it
    SCREE_INLINE double* end() const { return scratch + 2 * stride; }     ///< [m/s] rates at the end of the motion
    SCREE_INLINE double* next() const { return scratch + 3 * stride; }    ///< [m] amplitudes there
    SCREE_INLINE double* kicked() const { return scratch + 4 * stride; }  ///< [kg m/s] momenta after the kick
  };

  /// Kicks all momenta. Returns the new spin in the body frame; the new rates are in at.late().
  SCREE_HD Vec3d kicked(std::size_t c, const ModeResistance<R>& resistance, const DeformedInertia<R>& inertia,
                        const Arrays& at) const {
    const std::uint32_t count = resistance.form.count;
    const Quaterniond q = clumps.orientation[c];
    const HeldTurn& turn = held[c];
    // When the spin of the mean flow changes, the spin of the grain changes by the same amount.
    const Vec3d change = rotate_back(q, turn.change);
    Vec3d momentum = clumps.angular_momentum[c] + rotate(q, inertia.tensor() * change);
    for (std::uint32_t a = 0; a < count; ++a) { at.momentum[a] += dot(inertia.lean(a), change); }
    const Vec3d before = rotate_back(q, momentum);
    const Vec3d early_spin = inertia.velocities(before, at.momentum, at.early());
    if (turn.keep != 1) {
      const Vec3d carried = rotate(q, inertia.tensor() * rotate_back(q, turn.flow));
      momentum = carried + turn.keep * (momentum - carried);
    }
    momentum += turn.kick * turn.torque;
    clumps.angular_momentum[c] = momentum;
    const Vec3d after = rotate_back(q, momentum);
    const double late = 0.5 * time_step, early = kick - late;
    for (std::uint32_t a = 0; a < count; ++a) {
      const double own = at.push[a] - resistance.force(at.amplitude, a);
      // the part that stays the same in all rounds
      at.push[a] = at.momentum[a] + kick * own +
                   early * inertia.inertial_force(a, at.amplitude, early_spin, at.early()) -
                   0.5 * kick * resistance.damping(a) * at.early()[a];
      at.kicked()[a] = at.momentum[a];
    }
    Vec3d spin = inertia.velocities(after, at.kicked(), at.late());
    for (int round = 0; round < most_rounds; ++round) {
      double moved = 0, most = 0;
      for (std::uint32_t a = 0; a < count; ++a) {
        const double loss = 0.5 * kick * resistance.damping(a) / resistance.mass(a);
        const double next = (at.push[a] + late * inertia.inertial_force(a, at.amplitude, spin, at.late()) +
                             loss * dot(inertia.lean(a), spin)) /
                            (1 + loss);
        moved = math::max(moved, math::abs(next - at.kicked()[a]));
        most = math::max(most, math::abs(next));
        at.kicked()[a] = next;
      }
      spin = inertia.velocities(after, at.kicked(), at.late());
      if (!(moved > converged * most)) { break; }
    }
    if (steps.size > 0) { note(c, before, after, early_spin, resistance, at); }
    return spin;
  }

  /// Turns the grain and moves its amplitudes. `spin` is the spin at the start of the motion, in the body frame.
  SCREE_HD void drift(std::size_t c, const Vec3d& spin, const ModeResistance<R>& resistance,
                      DeformedInertia<R>& inertia, const Arrays& at) const {
    const ModeViews<R>& modes = watch.nodes->grains.modes;
    const std::uint32_t count = resistance.form.count;
    const Quaterniond q = clumps.orientation[c];
    Vec3d mean = spin;
    for (std::uint32_t a = 0; a < count; ++a) { at.next()[a] = at.amplitude[a] + time_step * at.late()[a]; }
    for (int round = 0; round < most_rounds; ++round) {
      const Quaterniond turned_to = turned(q, turn_minus_one((0.5 * time_step) * mean));
      inertia.set(at.next());
      const Vec3d end = inertia.velocities(rotate_back(turned_to, clumps.angular_momentum[c]), at.kicked(), at.end());
      const Vec3d mean_now = 0.5 * (spin + end), other = mean_now - mean;
      double moved = 0, most = 0;
      for (std::uint32_t a = 0; a < count; ++a) {
        const double next = at.amplitude[a] + 0.5 * time_step * (at.late()[a] + at.end()[a]);
        moved = math::max(moved, math::abs(next - at.next()[a]));
        most = math::max(most, math::abs(next));
        at.next()[a] = next;
      }
      mean = mean_now;
      if (!(moved > converged * most) && !(dot(other, other) > converged * converged * dot(mean, mean))) { break; }
    }
    double way = 0;
    for (std::uint32_t a = 0; a < count; ++a) {
      at.rate[a] = 0.5 * (at.late()[a] + at.end()[a]);
      way += math::abs(at.next()[a] - at.amplitude[a]) * resistance.numbers(a).reach;
      at.amplitude[a] = at.next()[a];
      at.momentum[a] = at.kicked()[a];
    }
    modes.path[c] += 1.0001 * way;
    clumps.orientation[c] = turned(q, turn_minus_one((0.5 * time_step) * mean));
    clumps.angular_velocity[c] = rotate(clumps.orientation[c], mean);
    if (clump_steps.size > 0) { clump_steps[c].spin[1] = clumps.angular_velocity[c]; }
    const index_t body = members.body_of_id[clumps.first[c]];
    if (!(way - way == 0) || !(dot(mean, mean) - dot(mean, mean) == 0)) {
      raise_fault(watch.control, FaultKind::not_finite, watch.bodies.id[body]);
    }
  }

  /// Records the energies at the moment of the forces: half of the product of the momenta after the kick and the
  /// velocities before it. The change of this product is the work of the forces. `lead` corrects the product if the
  /// forces do not act in the middle of the kick.
  SCREE_HD void note(std::size_t c, const Vec3d& before, const Vec3d& after, const Vec3d& early_spin,
                     const ModeResistance<R>& resistance, const Arrays& at) const {
    const double lead = time_step / kick - 1;
    double vibration = 0;
    for (std::uint32_t a = 0; a < resistance.form.count; ++a) {
      const double p = at.kicked()[a];
      vibration += 0.5 * at.early()[a] * (p - lead * (p - at.momentum[a]));
      ModeStep& step = steps[c * at.stride + a];
      step.mass = 0;
      step.rate[0] = at.early()[a];
      step.rate[1] = at.late()[a];
      step.damping = -0.5 * resistance.damping(a) * (at.early()[a] + at.late()[a]);
    }
    energies[c] = {resistance.energy(at.amplitude), vibration};
    ClumpStep& step = clump_steps[c];
    step.turning[0] = step.turning[1] = 0.5 * dot(after - lead * (after - before), early_spin);
    step.dragged[0] = step.dragged[1] = 2 * step.turning[0];
  }
};

/// Computes the momenta of grains with coupled modes from their spins and rates; one thread per clump.
template <class R>
struct CoupledStart {
  GrainViews<R> grains;
  Span<Vec3d> lean;        ///< [n_clumps * stride]
  std::size_t first;       ///< index of the first clump, where they follow one another
  Span<index_t> chosen{};  ///< indices of the clumps instead of a range; empty: the range is used

  SCREE_HD void operator()(std::size_t k) const {
    const std::size_t c = chosen.size > 0 ? chosen[k] : first + k;
    const ModeForm* const form = grains.modes_of_clump(c);
    if (form == nullptr || form->couples == 0) { return; }
    const ModeViews<R>& modes = grains.modes;
    const ClumpView& clumps = grains.clumps;
    // This uses only the masses, which do not depend on Young's modulus.
    const auto resistance = ModeResistance<R>::of(modes, *form, clumps.size[c], 0, clumps.mass[c]);
    DeformedInertia<R> inertia(resistance, clumps.inertia[c], &lean[c * modes.stride]);
    inertia.set(&modes.amplitude[c * modes.stride]);
    const Quaterniond q = clumps.orientation[c];
    const Vec3d spin = rotate_back(q, clumps.angular_velocity[c]);
    const double* const rate = &modes.rate[c * modes.stride];
    clumps.angular_momentum[c] = rotate(q, inertia.angular_momentum(spin, rate));
    for (std::uint32_t a = 0; a < form->count; ++a) {
      modes.momentum[c * modes.stride + a] = inertia.momentum(a, spin, rate);
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
