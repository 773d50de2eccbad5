#pragma once

#include "kernels/contact/mode_energy.hpp"
#include "kernels/contact/node_geometry.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/step_moment.hpp"

namespace scree::inline SCREE_BACKEND {

/// What kernels of the modes read of the contacts of a grain.
template <class R>
struct ModeContacts {
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<std::uint8_t> touching;  ///< [n_pairs]
  Span<index_t> boundary_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
};

/// Moves the modes of all grains by one step; one thread per clump. Forces are summed in the order of WrenchGather.
/// The dashpots of the modes act with the mean of the rates before and after the kick, so that they are stable however
/// strong they are.
template <class R>
struct ModeMotion {
  static constexpr int block_size = 64;

  const NodeViews<R>* nodes;
  ClumpView clumps;
  ClumpMembers members;
  BodyView<R> bodies;
  ModeContacts<R> contacts;
  Span<double> modulus;  ///< [n_materials] [Pa]
  Span<double> force;    ///< [n_clumps * stride] [N] on the modes, for this step
  Span<double> room;     ///< [n_clumps] [m] up to this `path` no node gets out of the ball that holds the grain
  Control* control;
  double time_step = 0, kick = 0;

  SCREE_INLINE ModeMotion at(const StepMoment<R>& moment) const {
    ModeMotion now = *this;
    now.time_step = double(moment.motion.time_step);
    now.kick = double(moment.motion.kick);
    return now;
  }

  SCREE_HD void operator()(std::size_t c) const {
    if (control->halted != 0 || clumps.mass[c] == 0) { return; }
    const GrainViews<R>& grains = nodes->grains;
    const std::uint32_t grain = grains.grain_of_shape[clumps.shape[c]];
    if (grain == no_grain || grains.form[grain].modes.count == 0) { return; }
    const ModeForm& form = grains.form[grain].modes;
    const index_t body = members.body_of_id[clumps.first[c]];
    double* const push = &force[c * grains.modes.stride];
    for (std::uint32_t a = 0; a < form.count; ++a) { push[a] = 0; }
    add_boundaries(body, form.count, push);
    add_pairs(body, form.count, push);
    advance(c, body, form, push);
    look_for_bulge(c, body);
  }

 private:
  SCREE_HD void add_boundaries(index_t body, std::uint32_t count, double* sum) const {
    const index_t row = contacts.boundary_row[body];
    if (row == no_index) { return; }
    const ModeViews<R>& modes = nodes->grains.modes;
    for (offset_t k = contacts.row_start[row]; k < contacts.row_start[row + 1]; ++k) {
      if (contacts.slots[k].touching == 0) { continue; }
      for (std::uint32_t a = 0; a < count; ++a) { sum[a] += modes.slot_force[std::size_t(k) * modes.stride + a]; }
    }
  }

  SCREE_HD void add_pairs(index_t body, std::uint32_t count, double* sum) const {
    const ModeViews<R>& modes = nodes->grains.modes;
    for (offset_t k = contacts.incident_start[body]; k < contacts.incident_start[body + 1]; ++k) {
      const std::uint32_t entry = contacts.incident[k];
      if (contacts.touching[entry >> 1] == 0) { continue; }
      const std::size_t own = std::size_t(entry >> 1) * 2 + (entry & 1u);
      for (std::uint32_t a = 0; a < count; ++a) { sum[a] += modes.pair_force[own * modes.stride + a]; }
    }
  }

  SCREE_HD void advance(std::size_t c, index_t body, const ModeForm& form, double* push) const {
    const ModeViews<R>& modes = nodes->grains.modes;
    const auto resistance =
        ModeResistance<R>::of(modes, form, clumps.size[c], modulus[bodies.material[body]], clumps.mass[c]);
    double* const amplitude = &modes.amplitude[c * modes.stride];
    double* const rate = &modes.rate[c * modes.stride];
    for (std::uint32_t a = 0; a < form.count; ++a) { push[a] -= resistance.force(amplitude, a); }
    double way = 0;
    for (std::uint32_t a = 0; a < form.count; ++a) {
      const double mass = resistance.mass(a);
      const double loss = 0.5 * kick * resistance.damping(a) / mass;
      rate[a] = ((1 - loss) * rate[a] + kick * (push[a] / mass)) / (1 + loss);
      amplitude[a] += time_step * rate[a];
      way += math::abs(time_step * rate[a]) * resistance.numbers(a).reach;
    }
    modes.path[c] += 1.0001 * way;
    if (!(way - way == 0)) { raise_fault(control, FaultKind::not_finite, bodies.id[body]); }
  }

  /// The search knows the ball that holds the undeformed grain, and some room around it.
  SCREE_HD void look_for_bulge(std::size_t c, index_t body) const {
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

}  // namespace scree::inline SCREE_BACKEND
