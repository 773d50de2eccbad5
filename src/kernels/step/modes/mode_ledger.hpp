#pragma once

#include "kernels/integrators/rotation.hpp"
#include "kernels/state/grains.hpp"
#include "kernels/step/modes/mode_energy.hpp"
#include "kernels/step/motion/clump_ledger.hpp"

namespace scree::inline SCREE_BACKEND {

/// Adds the energies of the modes at their present amplitudes and rates; one thread per clump from `first` on. If the
/// modes of a grain couple to its rotation, `vibration` also contains the energy of rotation minus that of the
/// undeformed grain.
template <class R>
struct ModeEnergies {
  GrainViews<R> grains;
  ClumpMembers members;
  Span<std::uint32_t> material;  ///< [n_bodies]
  Span<double> modulus;          ///< [n_materials] [Pa]
  Span<ModeEnergy> result;
  std::size_t first;

  SCREE_HD void operator()(std::size_t k) const {
    const std::size_t c = first + k;
    result[k] = {0, 0};
    const ModeViews<R>& modes = grains.modes;
    const ClumpView& clumps = grains.clumps;
    const ModeForm* const form = grains.modes_of_clump(c);
    if (form == nullptr || clumps.mass[c] == 0) { return; }
    const index_t body = members.body_of_id[clumps.first[c]];
    const auto resistance =
        ModeResistance<R>::of(modes, *form, clumps.size[c], modulus[material[body]], clumps.mass[c]);
    const double* const rate = &modes.rate[c * modes.stride];
    result[k].elastic = resistance.energy(&modes.amplitude[c * modes.stride]);
    double sum = 0;
    if (form->couples == 0) {
      for (std::uint32_t a = 0; a < form->count; ++a) { sum += 0.5 * resistance.mass(a) * (rate[a] * rate[a]); }
    } else {
      // The kinetic energy T follows from 2 T = w . L + sum e' p.
      const Quaterniond q = clumps.orientation[c];
      const Vec3d spin = rotate_back(q, clumps.angular_velocity[c]);
      sum = 0.5 * (dot(clumps.angular_velocity[c], clumps.angular_momentum[c]) -
                   dot(spin, times_each(clumps.inertia[c], spin)));
      for (std::uint32_t a = 0; a < form->count; ++a) { sum += 0.5 * rate[a] * modes.momentum[c * modes.stride + a]; }
    }
    result[k].vibration = sum;
  }
};

/// The part of LedgerMotion for the modes of grains that deform; one thread per lane.
template <class R>
struct LedgerModes {
  Span<ModeStep> steps;         ///< [n_clumps * stride]
  Span<ModeEnergy> energies;    ///< [n_clumps]
  Span<ClumpStep> clump_steps;  ///< [n_clumps]
  std::uint32_t stride;
  WorkHalf half;
  LedgerFlow flow;
  Span<LedgerLane> lanes;
  const Control* control;
  LedgerTimes times{};

  SCREE_INLINE LedgerModes at(const StepMoment<R>& moment) const { return in_half(*this, moment); }

  SCREE_HD void operator()(std::size_t lane) const {
    add_items_of(*this, lane, clump_steps.size, [&](std::size_t c, LedgerLane& sums) { add(c, sums); });
  }

 private:
  SCREE_HD void add(std::size_t c, LedgerLane& sums) const {
    const ClumpStep& clump = clump_steps[c];
    const bool left = clump.left != 0;
    if (clump.moves == 0 || (left && half.after)) {
      if (!half.after) { energies[c] = {0, 0}; }
      return;
    }
    double vibration = energies[c].vibration;
    for (std::uint32_t a = 0; a < stride; ++a) {
      const ModeStep& s = steps[c * stride + a];
      const double rate = s.rate[half.after ? 1 : 0];
      sums.add(LedgerTerm::viscous, -half.duration * (s.viscous * rate));
      sums.add(LedgerTerm::modes, -half.duration * (s.damping * rate));
      const double push = (s.mass / times.kick) * (s.rate[1] - s.rate[0]);
      vibration += 0.5 * s.rate[1] * (s.mass * s.rate[1] - times.span * push) - 0.25 * times.uneven * s.rate[1] * push;
    }
    if (half.after) { return; }
    energies[c].vibration = vibration;
    if (left) {
      sums.add(LedgerTerm::removed, energies[c].elastic + vibration);
      energies[c] = {0, 0};
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
