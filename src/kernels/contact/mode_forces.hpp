#pragma once

#include "kernels/contact/node_geometry.hpp"

/// How the modes of grains move a contact point, and what a force there does to them. The forces of one contact are
/// summed into ModeViews::pair_force and slot_force.
namespace scree::inline SCREE_BACKEND {

/// A point of a deforming grain: one of its nodes, or a point of its field.
template <class R>
struct ModePoint {
  const GrainViews<R>& grains;
  const NodeBody<R>& body;
  bool is_node;
  std::uint32_t node;
  Vec3<R> place;  ///< [m] of a point of the field, in the template before deformation

  /// Calls visit(mode, displacement [-] at amplitude 1 in the axes of the grain).
  template <class Visit>
  SCREE_HD void each_mode(Visit&& visit) const {
    if (is_node) {
      const Vec3<R>* const modes = body.modes_of(grains, node);
      for (std::uint32_t a = 0; a < body.form->modes.count; ++a) { visit(a, modes[a]); }
    } else {
      each_mode_at(grains.modes, *body.form, convert<double>(place), visit);
    }
  }

  /// [m/s] Velocity by deformation, in the world.
  SCREE_HD Vec3<R> velocity() const {
    Vec3<R> sum{R(0), R(0), R(0)};
    if (!body.deforms()) { return sum; }
    each_mode([&](std::uint32_t a, const Vec3<R>& mode) { sum += static_cast<R>(body.rate[a]) * mode; });
    return convert<R>(body.turn * convert<double>(sum));
  }

  /// Adds the force [N] that acts on the grain here, in the world, to the sums of its modes.
  SCREE_HD void push(const Vec3<R>& force, double* sums) const {
    if (!body.deforms()) { return; }
    const Vec3<R> own = convert<R>(transpose(body.turn) * convert<double>(force));
    each_mode([&](std::uint32_t a, const Vec3<R>& mode) { sums[a] += double(dot(own, mode)); });
  }
};

/// The sums of one body of a contact, set to zero. Null if no grain of the run deforms.
template <class R>
SCREE_HD double* cleared_sums(const Span<double>& all, std::uint32_t stride, std::size_t place) {
  if (stride == 0) { return nullptr; }
  double* const sums = &all[place * stride];
  for (std::uint32_t a = 0; a < stride; ++a) { sums[a] = 0; }
  return sums;
}

}  // namespace scree::inline SCREE_BACKEND
