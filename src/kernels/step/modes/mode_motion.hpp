#pragma once

#include "kernels/state/boundaries.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/step_moment.hpp"
#include "kernels/step/modes/mode_energy.hpp"
#include "kernels/step/nodes/node_geometry.hpp"

namespace scree::inline SCREE_BACKEND {

/// The contacts of a grain, as kernels of the modes read them.
template <class R>
struct ModeContacts {
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<std::uint8_t> touching;  ///< [n_pairs]
  Span<index_t> boundary_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
};

/// Checks whether a grain bulges out of the ball that the search uses. This ball holds the undeformed grain and some
/// room around it.
template <class R>
struct BulgeWatch {
  const NodeViews<R>* nodes;
  BodyView<R> bodies;
  Span<double> room;  ///< [n_clumps] [m] until `path` reaches this value, no node leaves the ball around the grain
  Control* control;

  SCREE_HD void look(std::size_t c, index_t body) const {
    const GrainViews<R>& grains = nodes->grains;
    const double path = grains.modes.path[c];
    if (path < room[c]) { return; }
    const NodeBody<R> grain = NodeBody<R>::of(grains, bodies, body);
    double most = 0;
    for (std::uint32_t k = 0; k < grain.form->n_nodes; ++k) {
      const Vec3d place = grain.place_of(grains, k);
      most = math::max(most, dot(place, place));
    }
    const double left = double(bodies.radius[body]) - grain.size * math::sqrt(most);
    if (!(left > 0)) { raise_fault(control, FaultKind::bulged, bodies.id[body]); }
    room[c] = path + math::max(left, 0.0);
  }
};

/// Moves the modes of all grains by one step; one thread per clump. Forces are summed in the order of WrenchGather. The
/// dashpots of the modes act on the mean of the rates before and after the kick, so they are stable for any strength.
/// If the modes of a grain couple to its rotation, this only sums the forces, and CoupledModes moves the modes.
template <class R>
struct ModeMotion {
  static constexpr int block_size = 64;

  BulgeWatch<R> watch;
  ClumpView clumps;
  ClumpMembers members;
  ModeContacts<R> contacts;
  Span<double> modulus;       ///< [n_materials] [Pa]
  Span<double> force;         ///< [n_clumps * stride] [N] on the modes, for this step
  Span<ModeStep> steps;       ///< [n_clumps * stride] for the energy ledger; empty without one
  Span<ModeEnergy> energies;  ///< [n_clumps] likewise
  double time_step = 0, kick = 0;

  SCREE_INLINE ModeMotion at(const StepMoment<R>& moment) const {
    ModeMotion now = *this;
    now.time_step = double(moment.motion.time_step);
    now.kick = double(moment.motion.kick);
    return now;
  }

  SCREE_HD void operator()(std::size_t c) const {
    if (watch.control->halted != 0 || clumps.mass[c] == 0) { return; }
    const GrainViews<R>& grains = watch.nodes->grains;
    const ModeForm* const form = grains.modes_of_clump(c);
    if (steps.size > 0) {
      for (std::uint32_t a = 0; a < grains.modes.stride; ++a) { steps[c * grains.modes.stride + a] = {}; }
      energies[c] = {};
    }
    if (form == nullptr) { return; }
    const index_t body = members.body_of_id[clumps.first[c]];
    const ModeViews<R>& modes = grains.modes;
    double* const push = &force[c * modes.stride];
    for (std::uint32_t a = 0; a < form->count; ++a) { push[a] = 0; }
    each_contact(body, [&](const Span<double>& forces, const Span<double>& viscous, std::size_t first) {
      for (std::uint32_t a = 0; a < form->count; ++a) { push[a] += forces[first + a]; }
      if (steps.size == 0) { return; }
      for (std::uint32_t a = 0; a < form->count; ++a) { steps[c * modes.stride + a].viscous += viscous[first + a]; }
    });
    if (form->couples != 0) { return; }
    advance(c, body, *form, push);
    watch.look(c, body);
  }

 private:
  /// Calls visit(forces, viscous, first) for each touching contact: from `first` on, both arrays have its forces on the
  /// modes of this body.
  template <class Visit>
  SCREE_HD void each_contact(index_t body, Visit&& visit) const {
    const ModeViews<R>& modes = watch.nodes->grains.modes;
    if (const index_t row = contacts.boundary_row[body]; row != no_index) {
      for (offset_t k = contacts.row_start[row]; k < contacts.row_start[row + 1]; ++k) {
        if (contacts.slots[k].touching == 0) { continue; }
        visit(modes.slot_force, modes.slot_viscous, std::size_t(k) * modes.stride);
      }
    }
    for (offset_t k = contacts.incident_start[body]; k < contacts.incident_start[body + 1]; ++k) {
      const std::uint32_t entry = contacts.incident[k];
      if (contacts.touching[entry >> 1] == 0) { continue; }
      visit(modes.pair_force, modes.pair_viscous, (std::size_t(entry >> 1) * 2 + (entry & 1u)) * modes.stride);
    }
  }

  SCREE_HD void advance(std::size_t c, index_t body, const ModeForm& form, double* push) const {
    const ModeViews<R>& modes = watch.nodes->grains.modes;
    const auto resistance =
        ModeResistance<R>::of(modes, form, clumps.size[c], modulus[watch.bodies.material[body]], clumps.mass[c]);
    double* const amplitude = &modes.amplitude[c * modes.stride];
    double* const rate = &modes.rate[c * modes.stride];
    for (std::uint32_t a = 0; a < form.count; ++a) { push[a] -= resistance.force(amplitude, a); }
    if (steps.size > 0) { energies[c] = {resistance.energy(amplitude), 0}; }
    double way = 0;
    for (std::uint32_t a = 0; a < form.count; ++a) {
      const double mass = resistance.mass(a), before = rate[a];
      const double loss = 0.5 * kick * resistance.damping(a) / mass;
      rate[a] = ((1 - loss) * before + kick * (push[a] / mass)) / (1 + loss);
      amplitude[a] += time_step * rate[a];
      way += math::abs(time_step * rate[a]) * resistance.numbers(a).reach;
      if (steps.size > 0) {
        ModeStep& step = steps[c * modes.stride + a];
        step.mass = mass;
        step.rate[0] = before;
        step.rate[1] = rate[a];
        step.damping = -0.5 * resistance.damping(a) * (before + rate[a]);
      }
    }
    modes.path[c] += 1.0001 * way;
    if (!(way - way == 0)) { raise_fault(watch.control, FaultKind::not_finite, watch.bodies.id[body]); }
  }
};

}  // namespace scree::inline SCREE_BACKEND
