#pragma once

#include "kernels/step/nodes/deformed_field.hpp"
#include "scree/interpolation_bias.hpp"

/// The field of a deformed grain, for the variants of FieldUpdate that interpolate between the points of a grid.
/// NodePass asks a Field for it: RemappedField or GriddedField.
namespace scree::inline SCREE_BACKEND {

/// [m] The field of an undeformed grain, continued beyond its grid.
template <class R>
SCREE_HD R value_anywhere(const GrainViews<R>& grains, const GrainForm<R>& form, const Vec3d& x) {
  const auto held = [&](double v, double origin, std::uint32_t n) {
    return math::min(math::max(v, origin), origin + double(n - 1) * form.spacing * (1 - 1e-15));
  };
  const Vec3d inside{held(x.x, form.origin.x, form.size[0]), held(x.y, form.origin.y, form.size[1]),
                     held(x.z, form.origin.z, form.size[2])};
  FieldSample<R> at{};
  static_cast<void>(grains.sample(form, inside, at));
  return at.distance + static_cast<R>(norm(x - inside));
}

/// Moves the corners of the cell of x back to the undeformed grain, and interpolates the values there.
template <class R>
SCREE_HD bool field_of_corners(const GrainViews<R>& grains, const GrainForm<R>& form, DisplacementCell<R>& cell,
                               const Vec3d& x, FieldSample<R>& result) {
  const Vec3d u = form.inverse_spacing * (x - form.origin);
  const Vec3d low{math::floor(u.x), math::floor(u.y), math::floor(u.z)};
  const R a = static_cast<R>(u.x - low.x), b = static_cast<R>(u.y - low.y), c = static_cast<R>(u.z - low.z);
  R value[8];
  for (int k = 0; k < 8; ++k) {
    const Vec3d corner = low + Vec3d{double(k & 1), double(k >> 1 & 1), double(k >> 2)};
    const Vec3d place = form.origin + form.spacing * corner;
    value[k] = value_anywhere(grains, form, undeformed_place(cell, place, form.spacing, grains.modes.remap));
  }
  const auto between = [](R from, R to, R t) { return GridPlace<R>::between(from, to, t); };
  const auto row = [&](int k) { return between(value[k], value[k + 1], a); };
  const auto along = [&](int k) { return value[k + 1] - value[k]; };
  const R layer[2] = {between(row(0), row(2), b), between(row(4), row(6), b)};
  result.distance = between(layer[0], layer[1], c);
  result.gradient = static_cast<R>(form.inverse_spacing) *
                    Vec3<R>{between(between(along(0), along(2), b), between(along(4), along(6), b), c),
                            between(row(2) - row(0), row(6) - row(4), c), layer[1] - layer[0]};
  return true;
}

/// The gradient of the values at point (i, j, k) of a grid: central differences, and one-sided differences on the faces
/// of the grid.
SCREE_HD inline Vec3d slope_on_grid(const LevelGrid& grid, const double* value, const std::uint32_t (&at)[3]) {
  const std::uint64_t stride[3] = {1, grid.size[0], std::uint64_t(grid.size[0]) * grid.size[1]};
  const std::uint64_t here = at[2] * stride[2] + at[1] * stride[1] + at[0];
  double slope[3];
  for (int axis = 0; axis < 3; ++axis) {
    const bool first = at[axis] == 0, last = at[axis] + 1 == grid.size[axis];
    const double low = value[first ? here : here - stride[axis]], high = value[last ? here : here + stride[axis]];
    slope[axis] = (high - low) * (first || last ? grid.inverse_spacing : 0.5 * grid.inverse_spacing);
  }
  return {slope[0], slope[1], slope[2]};
}

/// The value at a point of the grid minus the bias of its trilinear interpolation, as in GrainShape::phi. Values on the
/// faces of the grid, far from the surface, stay as they are.
SCREE_HD inline double without_bias(const LevelGrid& grid, const double* value, const std::uint32_t (&at)[3]) {
  const std::uint64_t stride[3] = {1, grid.size[0], std::uint64_t(grid.size[0]) * grid.size[1]};
  const std::uint64_t here = at[2] * stride[2] + at[1] * stride[1] + at[0];
  double around = -6 * value[here];
  for (int axis = 0; axis < 3; ++axis) {
    if (at[axis] == 0 || at[axis] + 1 == grid.size[axis]) { return value[here]; }
    around += value[here - stride[axis]] + value[here + stride[axis]];
  }
  return value[here] - interpolation_bias(around, grid.inverse_spacing);
}

/// Interpolates the field on the own grid of a grain.
template <class R>
SCREE_HD bool field_of_own_grid(const LevelGrid& grid, const double* phi, const Vec3d& x, FieldSample<R>& result) {
  if (!grid.holds(x)) { return false; }
  const auto place = GridPlace<R>::of(grid, x);
  const std::size_t lowest = (std::size_t(place.cell[2]) * grid.size[1] + place.cell[1]) * grid.size[0] + place.cell[0];
  result.distance = place.interpolated([&](int k) { return static_cast<R>(phi[lowest + corner_step(grid, k)]); });
  if (!(result.distance < R(0))) { return true; }
  result.gradient = place.interpolated([&](int k) {
    const auto bit = [k](int n) { return static_cast<std::uint32_t>(k >> n & 1); };
    const std::uint32_t corner[3] = {place.cell[0] + bit(0), place.cell[1] + bit(1), place.cell[2] + bit(2)};
    return convert<R>(slope_on_grid(grid, phi, corner));
  });
  return true;
}

/// Grids of a shape for some amplitudes of each mode, on both sides of zero. The field is p0 + sum_a (p_a - p0). Here
/// p0 is the field of the undeformed grain. p_a is the field of a grain that only mode a deforms, interpolated linearly
/// between the grids of this mode. The sum leaves out how the deformations by several modes affect each other.
template <class R>
struct PrecomputedField {
  const LevelViews& levels;
  const LevelGrid& grid;
  const GridPlace<R> place;
  std::size_t lowest;

  SCREE_HD PrecomputedField(const LevelViews& views, const LevelGrid& of, const Vec3d& x)
      : levels(views), grid(of), place(GridPlace<R>::of(of, x)) {
    lowest = (std::size_t(place.cell[2]) * grid.size[1] + place.cell[1]) * grid.size[0] + place.cell[0];
  }

  /// The index of the grid of mode a at `level` steps. The grid of the undeformed grain is the first.
  SCREE_INLINE static std::uint64_t index_of(const LevelGrid& grid, std::uint32_t a, int level) {
    const int n = static_cast<int>(grid.n_levels);
    return level == 0 ? 0
                      : 1 + std::uint64_t(a) * 2 * grid.n_levels + std::uint64_t(level < 0 ? level + n : level + n - 1);
  }

  SCREE_HD Four<R> of_grid(std::uint64_t index) const {
    const Four<float>* const at = &levels.value[grid.first_value + index * grid.points() + lowest];
    return place.interpolated([&](int k) { return at[corner_step(grid, k)].template as<R>(); });
  }

  /// `first_mode` is ModeForm::first. Amplitudes times `scale` are lengths of the template.
  SCREE_HD Four<R> sum(std::uint32_t first_mode, std::uint32_t count, const double* amplitude, double scale) const {
    const Four<R> undeformed = of_grid(0);
    Four<R> sum = undeformed;
    const int n = static_cast<int>(grid.n_levels);
    for (std::uint32_t a = 0; a < count; ++a) {
      const double steps = scale * amplitude[a] / levels.step[first_mode + a];
      const int level = static_cast<int>(math::max(math::min(math::floor(steps), double(n - 1)), double(-n)));
      const R share = static_cast<R>(steps - double(level));
      const Four<R> low = of_grid(index_of(grid, a, level)), high = of_grid(index_of(grid, a, level + 1));
      sum = sum + (low + share * (high - low) - undeformed);
    }
    return sum;
  }
};

/// The field for FieldUpdate::remap: the point itself is moved back to the undeformed grain.
struct RemappedField {
  /// The field at x of a grain with these amplitudes. Amplitudes times `scale` are lengths of the template. `cell` must
  /// have the same amplitudes.
  template <class R>
  SCREE_HD static bool sample(const GrainViews<R>& grains, const GrainForm<R>& form, const double*, double,
                              DisplacementCell<R>& cell, const Vec3d& x, FieldSample<R>& result) {
    return sample_deformed(grains, form, cell, x, result);
  }
};

/// The field for all other variants of FieldUpdate. The distance is exact to first order. Forces on the modes act at
/// the place before deformation.
struct GriddedField {
  template <class R>
  SCREE_HD static bool sample(const GrainViews<R>& grains, const GrainForm<R>& form, const double* amplitude,
                              double scale, DisplacementCell<R>& cell, const Vec3d& x, FieldSample<R>& result) {
    if (!sample_grids(grains, form, amplitude, scale, cell, x, result)) { return false; }
    if (!(result.distance < R(0))) { return true; }
    result.distance = result.distance / math::max(norm(result.gradient), R(1e-30));
    result.reference = convert<R>(undeformed_place(cell, x, form.spacing, grains.modes.remap));
    return true;
  }

 private:
  template <class R>
  SCREE_HD static bool sample_grids(const GrainViews<R>& grains, const GrainForm<R>& form, const double* amplitude,
                                    double scale, DisplacementCell<R>& cell, const Vec3d& x, FieldSample<R>& result) {
    const LevelViews& levels = grains.modes.levels;
    if (levels.kind == FieldKind::remapped_corners) { return field_of_corners(grains, form, cell, x, result); }
    const LevelGrid& grid = levels.grid[form.modes.first];
    if (levels.stride > 0) {
      // The grids of grains lie in the order of their amplitudes.
      const auto grain = static_cast<std::size_t>(amplitude - grains.modes.amplitude.data) / grains.modes.stride;
      return field_of_own_grid(grid, &levels.phi[grain * levels.stride], x, result);
    }
    if (!grid.holds(x)) { return false; }
    const Four<R> all = PrecomputedField<R>(levels, grid, x).sum(form.modes.first, form.modes.count, amplitude, scale);
    result.distance = all[0];
    result.gradient = {all[1], all[2], all[3]};
    return true;
  }
};

}  // namespace scree::inline SCREE_BACKEND
