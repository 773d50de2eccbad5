#pragma once

#include "kernels/shapes/closest.hpp"
#include "kernels/state/control.hpp"
#include "kernels/step/nodes/field_on_grid.hpp"

/// Updates the grids of deformed grains.
namespace scree::inline SCREE_BACKEND {

/// [spacings] Points nearer to the surface than this get their distance from the triangles.
inline constexpr double level_band = 3;
/// [spacings] an upper bound of half the diagonal of a cell
inline constexpr double half_cell = 0.8661;

/// The distance of a point from triangles, negative on their inner side.
struct TriangleDistance {
  double distance = 1e300;  ///< [m]
  double side = 1;          ///< sign of the distance

  /// Takes one more triangle into account. If several triangles are equally near, such as those at an edge, the one
  /// that the point faces most directly decides the side.
  SCREE_HD void take(const Vec3d& x, const Vec3d (&corner)[3], double tolerance) {
    const Vec3d apart = x - closest_on_triangle(x, corner[0], corner[1], corner[2]).point;
    const Vec3d normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
    const double length = norm(apart), area = math::max(norm(normal), 1e-300);
    const double height = dot(apart, normal) / area;
    const bool nearer = length < distance - tolerance, as_near = length <= distance + tolerance;
    if (nearer || (as_near && math::abs(height) > math::abs(side))) { side = height; }
    if (length < distance) { distance = length; }
  }
  SCREE_INLINE double signed_value() const { return side < 0 ? -distance : distance; }
};

/// A grain whose grid is computed. It is a shape with amplitudes; amplitudes times `scale` are lengths of the template.
template <class R>
struct DeformedShape {
  const GrainViews<R>& grains;
  const GrainForm<R>& form;
  const LevelGrid& grid;
  const double* amplitude;
  double scale;

  SCREE_HD Vec3d node_place(std::uint32_t k) const {
    Vec3d place = convert<double>(grains.node[form.first_node + k].place);
    const Vec3<R>* const modes = &grains.modes.at_node[form.modes.first_at_node + std::size_t(k) * form.modes.count];
    for (std::uint32_t a = 0; a < form.modes.count; ++a) {
      place += (scale * amplitude[a]) * convert<double>(modes[a]);
    }
    return place;
  }

  SCREE_HD Vec3d place_before(const Vec3d& x) const {
    DisplacementCell<R> cell(grains.modes, form, amplitude, scale);
    return undeformed_place(cell, x, grid.spacing, grains.modes.remap);
  }

  /// [m] The distance of a place from the undeformed grain, with the bias of interpolation, which the values on its
  /// grid do not have: interpolated, those are correct in the mean over all places, but at the points of the grid they
  /// are too small and between them too large. If the place is a spacings from a point, interpolation adds an amount
  /// proportional to a (1 - a) / 2 along each axis.
  SCREE_HD double distance_before(const Vec3d& place) const {
    const double value = double(value_anywhere(grains, form, place));
    const double u[3] = {(place.x - form.origin.x) * form.inverse_spacing,
                         (place.y - form.origin.y) * form.inverse_spacing,
                         (place.z - form.origin.z) * form.inverse_spacing};
    const std::uint64_t stride[3] = {1, form.size[0], std::uint64_t(form.size[0]) * form.size[1]};
    std::uint64_t here = form.first_value;
    for (int axis = 0; axis < 3; ++axis) {
      // No grain is near the faces of its grid.
      if (!(u[axis] >= 1 && u[axis] <= double(form.size[axis] - 2))) { return value; }
      here += static_cast<std::uint64_t>(u[axis] + 0.5) * stride[axis];
    }
    const auto value_at = [&](std::uint64_t point) { return double(grains.value[point][0]); };
    double around = 0, added = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double bend = value_at(here - stride[axis]) + value_at(here + stride[axis]) - 2 * value_at(here);
      const double a = math::abs(u[axis] - math::floor(u[axis] + 0.5));
      around += bend;
      added += 0.5 * a * (1 - a) * bend;
    }
    return value + counted_bias(around, form.inverse_spacing) * (around / 12 - added);
  }

  /// [m] The distance from the deformed surface. The distance from the triangles is not used directly, because flat
  /// triangles lie inside of a round surface. The result is the value at the place before deformation plus the change
  /// of the distance from the triangles by the deformation.
  SCREE_HD double recomputed(const Vec3d& x) const {
    const Vec3d place = place_before(x);
    const double before = distance_before(place);
    if (math::abs(before) > level_band * grid.spacing) { return before; }
    const LevelViews& levels = grains.modes.levels;
    const GridPlace<double> at = GridPlace<double>::of(grid, place);
    const std::uint64_t cell =
        grid.first_near + (std::uint64_t(at.cell[2]) * grid.size[1] + at.cell[1]) * grid.size[0] + at.cell[0];
    double steepest = 0;
    for (std::uint32_t a = 0; a < form.modes.count; ++a) {
      steepest += math::abs(scale * amplitude[a]) * grains.modes.numbers[form.modes.first + a].slope;
    }
    const double shrunk = math::max(1 - steepest, 0.5), tolerance = 1e-9 * grid.spacing;
    TriangleDistance old, now;
    for (std::uint64_t k = levels.near_start[cell]; k < levels.near_start[cell + 1]; ++k) {
      const NearTriangle near = levels.near[k];
      const double least = double(near.distance) - half_cell * grid.spacing;
      if (least > old.distance && shrunk * least > now.distance) { break; }
      const LevelTriangle& triangle = levels.triangle[grid.first_triangle + near.triangle];
      Vec3d was[3], is[3];
      for (int v = 0; v < 3; ++v) {
        was[v] = convert<double>(grains.node[form.first_node + triangle.node[v]].place);
        is[v] = node_place(triangle.node[v]);
      }
      old.take(place, was, tolerance);
      now.take(x, is, tolerance);
    }
    if (!(now.distance < 1e299)) { return before; }
    return before + (now.signed_value() - old.signed_value());
  }
};

/// The grids of all grains by recomputation or advection; one thread per point of each grain. Advection is a
/// first-order upwind scheme. It blurs the surface, so a grid is made again by remapping when its surface has moved by
/// `longest_path` in sum.
template <class R>
struct LevelChange {
  static constexpr double longest_path = 2;  ///< [spacings]

  GrainViews<R> grains;
  const Control* control;

  SCREE_HD void operator()(std::size_t i) const {
    if (control->halted != 0) { return; }
    const ModeViews<R>& modes = grains.modes;
    const LevelViews& levels = modes.levels;
    const std::size_t c = i / levels.stride, point = i % levels.stride;
    const ModeForm* const of = grains.clumps.mass[c] == 0 ? nullptr : grains.modes_of_clump(c);
    if (of == nullptr || !changed(c, *of)) { return; }
    const GrainForm<R>& form = grains.form[grains.grain_of_shape[grains.clumps.shape[c]]];
    const LevelGrid& grid = levels.grid[of->first];
    if (point >= grid.points()) { return; }
    const DeformedShape<R> shape{grains, form, grid, &modes.amplitude[c * modes.stride], 1 / grains.clumps.size[c]};
    const Vec3d x = grid.place_of(point);
    if (levels.kind == FieldKind::recomputed) {
      levels.change[i] = shape.recomputed(x);
    } else if (begins_anew(c, grid)) {
      levels.change[i] = shape.distance_before(shape.place_before(x));
    } else {
      levels.change[i] = advected(shape, c, point, x);
    }
  }

  /// Whether the amplitudes have changed since the grid was made.
  SCREE_HD bool changed(std::size_t c, const ModeForm& of) const {
    const std::size_t first = c * grains.modes.stride;
    if (grains.modes.levels.moved[c] < 0) { return true; }
    for (std::uint32_t a = 0; a < of.count; ++a) {
      if (grains.modes.levels.known[first + a] != grains.modes.amplitude[first + a]) { return true; }
    }
    return false;
  }
  SCREE_HD bool begins_anew(std::size_t c, const LevelGrid& grid) const {
    const double moved = grains.modes.levels.moved[c];
    return moved < 0 || moved > longest_path * grid.spacing;
  }

 private:
  /// [m] The change of the value at x by the displacement since the last update of the grid. The gradient is taken on
  /// the side from which the surface comes (upwind).
  SCREE_HD double advected(const DeformedShape<R>& shape, std::size_t c, std::size_t point, const Vec3d& x) const {
    const ModeViews<R>& modes = grains.modes;
    const double* const known = &modes.levels.known[c * modes.stride];
    Vec3d way{0, 0, 0};
    each_mode_at(modes, shape.form, shape.place_before(x), 0, shape.form.modes.count,
                 [&](std::uint32_t a, const Vec3<R>& mode) {
                   way += (shape.scale * (shape.amplitude[a] - known[a])) * convert<double>(mode);
                 });
    const double* const phi = &modes.levels.phi[c * modes.levels.stride];
    const LevelGrid& grid = shape.grid;
    std::uint32_t at[3];
    grid.indices_of(point, at);
    const std::uint64_t stride[3] = {1, grid.size[0], std::uint64_t(grid.size[0]) * grid.size[1]};
    const double along[3] = {way.x, way.y, way.z};
    double change = 0;
    for (int axis = 0; axis < 3; ++axis) {
      // On a face of the grid there is only one slope.
      const bool backward = at[axis] > 0 && (along[axis] > 0 || at[axis] + 1 == grid.size[axis]);
      const double difference =
          backward ? phi[point] - phi[point - stride[axis]] : phi[point + stride[axis]] - phi[point];
      change -= along[axis] * grid.inverse_spacing * difference;
    }
    return change;
  }
};

/// Stores the results of LevelChange; one thread per point of each grain.
template <class R>
struct LevelWrite {
  LevelChange<R> of;

  SCREE_HD void operator()(std::size_t i) const {
    if (of.control->halted != 0) { return; }
    const LevelViews& levels = of.grains.modes.levels;
    const std::size_t c = i / levels.stride;
    const ModeForm* const form = of.grains.clumps.mass[c] == 0 ? nullptr : of.grains.modes_of_clump(c);
    if (form == nullptr || !of.changed(c, *form)) { return; }
    const LevelGrid& grid = levels.grid[form->first];
    if (i % levels.stride >= grid.points()) { return; }
    if (levels.kind == FieldKind::advected && !of.begins_anew(c, grid)) {
      levels.phi[i] += levels.change[i];
    } else {
      std::uint32_t at[3];
      grid.indices_of(i % levels.stride, at);
      levels.phi[i] = without_bias(grid, &levels.change[c * levels.stride], at);
    }
  }
};

/// Stores the amplitudes that the grids now represent; one thread per clump.
template <class R>
struct LevelNote {
  LevelChange<R> of;

  SCREE_HD void operator()(std::size_t c) const {
    if (of.control->halted != 0) { return; }
    const ModeViews<R>& modes = of.grains.modes;
    const ModeForm* const form = of.grains.clumps.mass[c] == 0 ? nullptr : of.grains.modes_of_clump(c);
    if (form == nullptr) { return; }
    const LevelGrid& grid = modes.levels.grid[form->first];
    const bool anew = of.begins_anew(c, grid) && of.changed(c, *form);
    double way = 0;
    for (std::uint32_t a = 0; a < form->count; ++a) {
      double& known = modes.levels.known[c * modes.stride + a];
      const double amplitude = modes.amplitude[c * modes.stride + a];
      way += math::abs(amplitude - known) * modes.numbers[form->first + a].reach;
      known = amplitude;
    }
    modes.levels.moved[c] = anew ? 0.0 : modes.levels.moved[c] + way / of.grains.clumps.size[c];
  }
};

/// Computes the precomputed grids of a shape; one thread per point of each grid.
template <class R>
struct LevelPrecompute {
  GrainViews<R> grains;
  std::uint32_t form;
  Span<double> amplitude;  ///< [n_grids * modes] [m] of each grid
  Span<double> distance;   ///< [n_grids * points] [m]

  SCREE_HD void operator()(std::size_t i) const {
    const GrainForm<R>& of = grains.form[form];
    const LevelGrid& grid = grains.modes.levels.grid[of.modes.first];
    const std::size_t index = i / grid.points();
    const DeformedShape<R> shape{grains, of, grid, &amplitude[index * of.modes.count], 1};
    distance[i] = shape.recomputed(grid.place_of(i % grid.points()));
  }
};

/// Turns the distances of precomputed grids into values and slopes for interpolation; one thread per point of each
/// grid.
template <class R>
struct LevelSlopes {
  GrainViews<R> grains;
  std::uint32_t form;
  Span<double> distance;
  Span<Four<float>> value;  ///< of all shapes

  SCREE_HD void operator()(std::size_t i) const {
    const LevelGrid& grid = grains.modes.levels.grid[grains.form[form].modes.first];
    std::uint32_t at[3];
    grid.indices_of(i % grid.points(), at);
    const double* const own = &distance[i / grid.points() * grid.points()];
    const Vec3d slope = slope_on_grid(grid, own, at);
    value[grid.first_value + i] =
        Four<float>::of(float(without_bias(grid, own, at)), float(slope.x), float(slope.y), float(slope.z));
  }
};

}  // namespace scree::inline SCREE_BACKEND
