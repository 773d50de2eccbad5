#pragma once

#include "kernels/state/grains.hpp"

/// The level set of a deformed grain, evaluated at single points (semi-Lagrangian). The point x of the deformed grain
/// was at X = x - u(X) before deformation, where u is the displacement. The value at x is the value of the undeformed
/// grain at X. All lengths are those of the template.
namespace scree::inline SCREE_BACKEND {

/// A cell of the grid, and a place in the cell. A point outside of the grid counts as the nearest point of the grid.
template <class R>
struct GridPlace {
  std::uint32_t cell[3];
  R at[3];  ///< 0 to 1

  /// `grid` is a GrainForm or a LevelGrid.
  template <class Grid>
  SCREE_HD static GridPlace of(const Grid& grid, const Vec3d& x) {
    GridPlace p;
    p.set(0, (x.x - grid.origin.x) * grid.inverse_spacing, grid.size[0]);
    p.set(1, (x.y - grid.origin.y) * grid.inverse_spacing, grid.size[1]);
    p.set(2, (x.z - grid.origin.z) * grid.inverse_spacing, grid.size[2]);
    return p;
  }

  SCREE_INLINE bool same_cell(const GridPlace& other) const {
    return cell[0] == other.cell[0] && cell[1] == other.cell[1] && cell[2] == other.cell[2];
  }
  /// The modes of the grid point at the lowest corner of the cell. The modes of other points follow, `count` per point.
  SCREE_INLINE const Four<float>* modes(const ModeViews<R>& of, const GrainForm<R>& form) const {
    const std::size_t point = (std::size_t(cell[2]) * form.size[1] + cell[1]) * form.size[0] + cell[0];
    return &of.field[form.modes.first_field + point * form.modes.count];
  }
  /// Trilinear interpolation; corner(k) is the value at corner k, with x in the lowest bit of k and z in the highest.
  template <class Corner>
  SCREE_HD auto interpolated(Corner&& corner) const {
    const auto row = [&](int k) { return between(corner(k), corner(k + 1), at[0]); };
    return between(between(row(0), row(2), at[1]), between(row(4), row(6), at[1]), at[2]);
  }

  template <class T>
  SCREE_INLINE static T between(const T& a, const T& b, R t) {
    return a + t * (b - a);
  }

 private:
  SCREE_INLINE void set(int axis, double u, std::uint32_t n) {
    u = math::min(math::max(u, 0.0), double(n - 1));
    const auto i = static_cast<std::uint32_t>(u);
    cell[axis] = i < n - 2 ? i : n - 2;
    at[axis] = static_cast<R>(u - double(cell[axis]));
  }
};

/// [points] The distance in memory from the lowest corner of a cell to corner k.
template <class Grid>
SCREE_INLINE std::size_t corner_step(const Grid& grid, int k) {
  const std::size_t row = grid.size[0], layer = row * grid.size[1];
  return std::size_t(k & 1) + ((k & 2) != 0 ? row : 0) + ((k & 4) != 0 ? layer : 0);
}

/// Calls visit(mode, displacement [-] of that mode at amplitude 1) at x for the modes from `begin` up to `end`.
template <class R, class Visit>
SCREE_HD void each_mode_at(const ModeViews<R>& modes, const GrainForm<R>& form, const Vec3d& x, std::uint32_t begin,
                           std::uint32_t end, Visit&& visit) {
  const GridPlace<R> place = GridPlace<R>::of(form, x);
  const Four<float>* const from = place.modes(modes, form);
  const std::uint32_t count = form.modes.count;
  for (std::uint32_t a = begin; a < end; ++a) {
    const Four<R> mode =
        place.interpolated([&](int k) { return from[corner_step(form, k) * count + a].template as<R>(); });
    visit(a, mode.vec3());
  }
}

/// Computes the displacement of a grain near a point. It keeps the corners of one cell, which often serve the next
/// point, too.
template <class R>
class DisplacementCell {
 public:
  /// The amplitudes [count] times `scale` are lengths of the template.
  SCREE_HD DisplacementCell(const ModeViews<R>& modes, const GrainForm<R>& form, const double* amplitude, double scale)
      : modes_(modes), form_(form), amplitude_(amplitude), scale_(scale) {}

  SCREE_HD Vec3<R> displacement(const Vec3d& x) {
    const GridPlace<R> place = GridPlace<R>::of(form_, x);
    if (!known_ || !place.same_cell(place_)) { load(place); }
    place_ = place;
    known_ = true;
    return place_.interpolated([&](int k) { return corner_[k]; }).vec3();
  }

  /// [-] The gradient of the displacement at the point of the last call: row i has the derivatives of component i. It
  /// jumps between cells.
  SCREE_HD Mat3<R> gradient() const {
    const auto between = [](const Four<R>& a, const Four<R>& b, R t) { return GridPlace<R>::between(a, b, t); };
    const R s = place_.at[0], t = place_.at[1], u = place_.at[2];
    const auto along = [&](int k) { return corner_[k + 1] - corner_[k]; };
    const auto on = [&](int k) { return between(corner_[k], corner_[k + 1], s); };
    const Four<R> dx = between(between(along(0), along(2), t), between(along(4), along(6), t), u);
    const Four<R> dy = between(on(2) - on(0), on(6) - on(4), u);
    const Four<R> dz = between(on(4), on(6), t) - between(on(0), on(2), t);
    return static_cast<R>(form_.inverse_spacing) * transpose(Mat3<R>{dx.vec3(), dy.vec3(), dz.vec3()});
  }

 private:
  SCREE_HD void load(const GridPlace<R>& place) {
    const Four<float>* const from = place.modes(modes_, form_);
    const std::uint32_t count = form_.modes.count;
    for (int k = 0; k < 8; ++k) {
      const Four<float>* const corner = from + corner_step(form_, k) * count;
      Four<R> sum = Four<R>::of(R(0), R(0), R(0), R(0));
      for (std::uint32_t a = 0; a < count; ++a) {
        sum.add_scaled(static_cast<R>(scale_ * amplitude_[a]), corner[a].template as<R>());
      }
      corner_[k] = sum;
    }
  }

  const ModeViews<R>& modes_;
  const GrainForm<R>& form_;
  const double* amplitude_;
  double scale_;
  GridPlace<R> place_{};
  bool known_ = false;
  Four<R> corner_[8];
};

/// The place X in the undeformed grain of the point that is now at x, by fixed-point iterations. They converge if the
/// gradient of the displacement is below 1.
template <class R>
SCREE_HD Vec3d undeformed_place(DisplacementCell<R>& cell, const Vec3d& x, double spacing, const Remap& remap) {
  Vec3d place = x - convert<double>(cell.displacement(x));
  const double limit = remap.tolerance * spacing;
  for (std::uint32_t k = 0; k < remap.iterations; ++k) {
    const Vec3d next = x - convert<double>(cell.displacement(place));
    const Vec3d change = next - place;
    place = next;
    if (dot(change, change) < limit * limit) { break; }
  }
  return place;
}

/// The field of a deformed grain at x. The distance of a point inside the grain is exact to first order; for other
/// points only its sign is right. Returns false outside of the grid.
template <class R>
SCREE_HD bool sample_deformed(const GrainViews<R>& grains, const GrainForm<R>& form, DisplacementCell<R>& cell,
                              const Vec3d& x, FieldSample<R>& result) {
  const Vec3d place = undeformed_place(cell, x, form.spacing, grains.modes.remap);
  if (!grains.sample(form, place, result)) { return false; }
  result.reference = convert<R>(place);
  if (!(result.distance < R(0))) { return true; }
  // With F = 1 + du/dX, the gradient is the transposed inverse of F times the gradient of the undeformed grain.
  static_cast<void>(cell.displacement(place));
  const Mat3<R> f = identity<R>() + cell.gradient();
  const Mat3<R> cofactors{cross(f.y, f.z), cross(f.z, f.x), cross(f.x, f.y)};
  const R volume = math::max(dot(f.x, cofactors.x), R(0.01));
  const R steepness = norm(result.gradient);
  result.gradient = (R(1) / volume) * (cofactors * result.gradient);
  result.distance = result.distance * (steepness / math::max(norm(result.gradient), R(1e-30)));
  return true;
}

}  // namespace scree::inline SCREE_BACKEND
