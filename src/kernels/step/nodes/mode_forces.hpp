#pragma once

#include "kernels/step/nodes/node_geometry.hpp"

/// The velocity that the modes of grains give to a contact point, and the effect of a force there on the modes. The
/// forces of one contact are summed into ModeViews::pair_force and slot_force.
namespace scree::inline SCREE_BACKEND {

/// A point of a deforming grain: one of its nodes, or a point of its field.
template <class R>
class ModePoint {
 public:
  SCREE_HD static ModePoint of_node(const GrainViews<R>& grains, const NodeBody<R>& body, std::uint32_t node) {
    return {body, body.deforms() ? body.modes_of(grains, node) : nullptr, grains.modes, {}};
  }
  /// `place` [m] is in the template, before deformation.
  SCREE_HD static ModePoint of_field(const GrainViews<R>& grains, const NodeBody<R>& body, const Vec3<R>& place) {
    ModePoint point{body, nullptr, grains.modes, convert<double>(place)};
    if (body.deforms()) { point.keep_first(); }
    return point;
  }

  /// [m/s] Velocity by deformation, in the world.
  SCREE_HD Vec3<R> velocity() const {
    Vec3<R> sum{R(0), R(0), R(0)};
    if (!body_.deforms()) { return sum; }
    each_mode([&](std::uint32_t a, const Vec3<R>& mode) { sum += static_cast<R>(body_.rate[a]) * mode; });
    return convert<R>(body_.turn * convert<double>(sum));
  }

  /// Adds the effect of a force [N] on the grain at this point, in the world, to the sums of its modes.
  SCREE_HD void push(const Vec3<R>& force, double* sums) const {
    if (!body_.deforms()) { return; }
    const Vec3<R> own = convert<R>(transpose(body_.turn) * convert<double>(force));
    each_mode([&](std::uint32_t a, const Vec3<R>& mode) { sums[a] += double(dot(own, mode)); });
  }

 private:
  /// How many modes of a point of the field are kept after the first look-up. Further modes are looked up each time.
  static constexpr std::uint32_t n_kept = 8;

  SCREE_HD ModePoint(const NodeBody<R>& body, const Vec3<R>* at_node, const ModeViews<R>& modes, const Vec3d& place)
      : body_(body), at_node_(at_node), modes_(modes), place_(place) {}

  SCREE_HD void keep_first() {
    const std::uint32_t end = math::min(body_.form->modes.count, n_kept);
    each_mode_at(modes_, *body_.form, place_, 0, end, [&](std::uint32_t a, const Vec3<R>& mode) { kept_[a] = mode; });
  }

  /// Calls visit(mode, displacement [-] at amplitude 1 in the axes of the grain).
  template <class Visit>
  SCREE_HD void each_mode(Visit&& visit) const {
    const std::uint32_t count = body_.form->modes.count;
    if (at_node_ != nullptr) {
      for (std::uint32_t a = 0; a < count; ++a) { visit(a, at_node_[a]); }
      return;
    }
    for (std::uint32_t a = 0; a < math::min(count, n_kept); ++a) { visit(a, kept_[a]); }
    if (count > n_kept) { each_mode_at(modes_, *body_.form, place_, n_kept, count, visit); }
  }

  const NodeBody<R>& body_;
  const Vec3<R>* at_node_;  ///< null: a point of the field
  const ModeViews<R>& modes_;
  Vec3d place_;
  Vec3<R> kept_[n_kept];
};

/// Sets the sums of one body of a contact to zero and returns them. Null if no grain of the run deforms.
template <class R>
SCREE_HD double* cleared_sums(const Span<double>& all, std::uint32_t stride, std::size_t place) {
  if (stride == 0) { return nullptr; }
  double* const sums = &all[place * stride];
  for (std::uint32_t a = 0; a < stride; ++a) { sums[a] = 0; }
  return sums;
}

}  // namespace scree::inline SCREE_BACKEND
