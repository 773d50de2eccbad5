#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "host/case/describe_regions.hpp"

/// Means over grids and time windows.
namespace scree {

inline auto describe(Of<FieldGrid>) {
  return object(
      "A grid of equal cells along the axes, or about the axis of a cylinder.",
      field("box", &FieldGrid::box, "m", "The lowest and the highest corner of a grid along the axes."),
      required("cells", &FieldGrid::cells, "",
               "Number of cells along x, y and z, or along radius, angle and axis of a cylinder.", at_least(1)),
      field("cylinder", &FieldGrid::cylinder, "m",
            "The cylinder that the cells fill, instead of a box; it may be hollow."),
      field("zero", &FieldGrid::zero, "",
            "For a cylinder: direction from the axis in which the angle is 0; left out: whichever of x, y and "
            "z is nearest to a right angle with the axis.",
            direction()));
}
inline void check(const FieldGrid& grid, Complaints& complaints) {
  if (grid.box.has_value() == grid.cylinder.has_value()) {
    complaints.add("", grid.box ? "must have a box or a cylinder, not both" : "must have a box or a cylinder");
    return;
  }
  if (grid.box) {
    if (grid.zero) { complaints.add("zero", "has no effect on a box"); }
    return;
  }
  const CylinderRegion& cylinder = *grid.cylinder;
  if (!grid.zero) { return; }
  const Real3 along{cylinder.to[0] - cylinder.from[0], cylinder.to[1] - cylinder.from[1],
                    cylinder.to[2] - cylinder.from[2]};
  const Real3& zero = *grid.zero;
  const double reach = std::hypot(along[0], along[1], along[2]) * std::hypot(zero[0], zero[1], zero[2]);
  const double across = std::hypot(along[1] * zero[2] - along[2] * zero[1], along[2] * zero[0] - along[0] * zero[2],
                                   along[0] * zero[1] - along[1] * zero[0]);
  if (!(across > 1e-6 * reach)) { complaints.add("zero", "must not lie along the axis of the cylinder"); }
}
inline auto describe(Of<FieldOutput>) {
  return object(
      "Means over the cells of a grid and over time windows: density, velocity, stress and more.",
      required("every", &FieldOutput::every, "s", "Length of a time window; each window makes one file.", above(0)),
      field("sample_every", &FieldOutput::sample_every, "s",
            "Simulated time between two samples in a window; left out: one sample per window.", above(0)),
      required("grid", &FieldOutput::grid, "", "The grid of cells."),
      required("width", &FieldOutput::width, "m",
               "Along each axis a particle is spread up to this distance from its centre.", above(0)),
      field("materials", &FieldOutput::materials, "", "Names of materials whose particles count; left out: all."),
      field("groups", &FieldOutput::groups, "", "Names of groups whose particles count; left out: all."));
}
/// [m] Extent of a grid along its three axes. For the angle of a cylinder it is the length of the circle through the
/// middle of the first cells.
inline std::array<double, 3> extent(const FieldGrid& grid) {
  if (grid.box) {
    const BoxRegion& box = *grid.box;
    return {box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]};
  }
  if (!grid.cylinder) { return {1, 1, 1}; }
  const CylinderRegion& of = *grid.cylinder;
  const double deep = of.radius - of.inner_radius;
  const double middle = of.inner_radius + 0.5 * deep / static_cast<double>(grid.cells[0]);
  return {deep, 2 * std::numbers::pi * middle,
          std::hypot(of.to[0] - of.from[0], of.to[1] - of.from[1], of.to[2] - of.from[2])};
}
inline void check(const FieldOutput& output, Complaints& complaints) {
  constexpr std::uint64_t most_cells = 10000000, most_reached = 100000;
  double all = 1, reached = 1;
  const std::array<double, 3> lengths = extent(output.grid);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto n = static_cast<double>(output.grid.cells[k]);
    all *= n;
    reached *= std::fmin(n, 2 * output.width * n / lengths[k] + 2);
  }
  if (!(all <= static_cast<double>(most_cells))) {
    complaints.add("grid.cells",
                   "must make at most " + count_text(most_cells) + " cells in all, got " + number_text(all));
  } else if (!(reached <= static_cast<double>(most_reached))) {
    complaints.add("width", "must spread a particle over at most " + count_text(most_reached) + " cells, got about " +
                                number_text(std::floor(reached)));
  }
  if (output.sample_every && *output.sample_every > output.every) {
    complaints.add("sample_every", "must not be longer than every, " + number_text(output.every) + " s, got " +
                                       number_text(*output.sample_every) + " s");
  }
}

static_assert(lists_every_member<FieldGrid> && lists_every_member<FieldOutput>);

}  // namespace scree
