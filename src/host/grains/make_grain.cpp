#include "host/grains/make_grain.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/grains/contour.hpp"
#include "host/grains/distance_grid.hpp"
#include "host/grains/trilinear.hpp"
#include "host/packing/exact_math.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

constexpr std::size_t margin = 2;     ///< layers of points outside the body
constexpr double thinnest = 1.5;      ///< [spacings] least depth of the deepest point of the grid
constexpr double worst_volume = 0.1;  ///< largest relative error of the volume on the grid

[[noreturn]] void refuse(const std::string& name, const std::string& why) { throw CaseError(name, why); }

/// The smallest grid in the body frame that has `margin` layers outside the body and one more for differences.
Grid grid_around(const Placed& body, double spacing, const std::string& name) {
  Grid grid;
  grid.spacing = spacing;
  double points = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Real3& along = body.frame.axes[axis];
    const double shift = geometry::dot(along, body.frame.center);
    const double high = body.solid.reach(along) - shift, low = -body.solid.reach(geometry::scaled(along, -1)) - shift;
    const double steps = std::ceil((high - low) / spacing - 1e-9) + 2.0 * (margin + 1);
    points *= steps + 1;
    if (!(points <= most_points)) {
      refuse(name, "the grid is too fine: a spacing of " + number_text(spacing) + " m makes more than " +
                       short_number_text(most_points, 3) + " points over a grain " + short_number_text(high - low) +
                       " m long");
    }
    grid.size[axis] = static_cast<std::uint32_t>(steps) + 1;
    grid.origin[axis] = 0.5 * (low + high) - 0.5 * spacing * steps;
  }
  return grid;
}

/// The moments of inertia about the axes of the body frame through the centre of mass.
Real3 inertia_of(const clumps::Moments& moments) {
  const clumps::Moments about = clumps::moved(moments, geometry::scaled(moments.first, 1 / moments.volume));
  const auto& s = about.second;
  return {s[1] + s[2], s[2] + s[0], s[0] + s[1]};
}

void check_resolution(const Grid& grid, const std::vector<double>& distances, GrainTemplate& grain) {
  const double h = grid.spacing, deepest = -*std::min_element(distances.begin(), distances.end());
  if (!(deepest >= thinnest * h)) {
    refuse(grain.shape.name, "the grid is too coarse: at a spacing of " + number_text(h) +
                                 " m no point of it lies deeper in the grain than " +
                                 short_number_text(std::max(0.0, deepest / h), 3) + " spacings, " +
                                 number_text(thinnest) + " are needed");
  }
  const clumps::Moments moments = moments_of_grid(grid, distances);
  grain.report.grid_volume = moments.volume;
  grain.report.grid_inertia = inertia_of(moments);
  const double error = moments.volume / grain.shape.volume - 1;
  if (!(std::fabs(error) <= worst_volume)) {
    refuse(grain.shape.name, "the grid is too coarse: the volume on it is off by " + short_number_text(100 * error, 3) +
                                 " %, at most " + number_text(100 * worst_volume) +
                                 " % are allowed; give a smaller spacing");
  }
}

/// Adds the nodes with their normals, areas and triangles.
void add_nodes(const Placed& body, double node_spacing, GrainTemplate& grain) {
  const Level level = [&](const Real3& at) { return body.solid.level(body.in_solid(at)); };
  const double cell = grain.shape.spacing * node_spacing;
  const Grid grid = grid_around(body, cell, grain.shape.name);
  constexpr double near_surface = 1.8;  // [cells] more than the diagonal of a cell
  Surface surface = contour(grid, sample_distance(body, grid, near_surface), level);
  spread_evenly(surface, level, cell);
  grain.shape.node_area = vertex_areas(surface, level, cell);
  grain.shape.node = std::move(surface.vertex);
  grain.shape.node_normal = std::move(surface.normal);
  grain.shape.triangle = std::move(surface.triangle);
}

/// The largest distance [m] from the centre of mass to a node or to a crossing of a line of the grid with the surface.
double bounding_radius(const Placed& body, const GrainShape& shape) {
  double farthest = body.solid.farthest(body.frame.center);
  for (const Real3& node : shape.node) farthest = std::max(farthest, geometry::length(node));
  const Grid grid = grid_of(shape);
  for_each_point(grid, 1, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
    if (!(shape.phi[at] < 0)) return;
    const Real3 from = grid.place(i, j, k);
    for (std::size_t way = 0; way < 6; ++way) {
      const std::size_t axis = way / 2, step = grid.stride()[axis];
      const double inside = static_cast<double>(shape.phi[at]);
      const double other = static_cast<double>(way % 2 == 0 ? shape.phi[at + step] : shape.phi[at - step]);
      if (other < 0) continue;
      Real3 crossing = from;
      crossing[axis] += (way % 2 == 0 ? 1 : -1) * grid.spacing * (inside / (inside - other));
      farthest = std::max(farthest, geometry::length(crossing));
    }
  });
  return farthest;
}

void measure(GrainTemplate& grain) {
  const GrainShape& shape = grain.shape;
  GrainReport& report = grain.report;
  double squares = 0;
  for (const Real3& node : shape.node) {
    const auto phi = trilinear<float>(grid_of(shape), shape.phi, node);
    const double off = phi ? std::fabs(phi->value) : shape.spacing;
    squares += off * off;
    report.surface_max = std::max(report.surface_max, off);
  }
  report.surface_rms = std::sqrt(squares / static_cast<double>(shape.node.size()));
  for (const double area : shape.node_area) report.node_area += area;
  report.node_distance = std::sqrt(report.node_area / static_cast<double>(shape.node.size()));
}

}  // namespace

Grid grid_of(const GrainShape& shape) { return {shape.origin, shape.size, shape.spacing}; }

GrainTemplate make_grain(const Solid& solid, const GrainChoice& choice, const std::string& name) {
  if (!(choice.spacing > 0) || !std::isfinite(choice.spacing)) {
    refuse(name, "the spacing must be > 0, got " + number_text(choice.spacing));
  }
  if (!(choice.node_spacing >= least_node_spacing && choice.node_spacing <= most_node_spacing)) {
    refuse(name, "the node spacing must be from " + number_text(least_node_spacing) + " to " +
                     number_text(most_node_spacing) + " spacings of the grid, got " + number_text(choice.node_spacing));
  }
  const clumps::Moments moments = solid.moments();
  if (!(moments.volume > 0) || !std::isnormal(moments.volume)) {
    refuse(name, "has no volume: it encloses " + number_text(moments.volume) + " m3");
  }
  const Placed body{solid, clumps::principal_frame(moments)};
  GrainTemplate grain;
  GrainShape& shape = grain.shape;
  shape.name = name;
  shape.spacing = choice.spacing;
  shape.volume = moments.volume;
  shape.inertia = body.frame.inertia;
  if (!(shape.inertia[0] > 0) || !std::isnormal(shape.inertia[0])) refuse(name, "has no moment of inertia");
  shape.equivalent_radius = packing::exact_cbrt(0.75 * shape.volume / std::numbers::pi);
  shape.center = body.frame.center;
  shape.to_source = clumps::orientation_of(body.frame.axes);
  grain.report.mass_method = solid.mass_method();
  grain.report.area = solid.area();

  const Grid wide = grid_around(body, choice.spacing, name);
  const std::vector<double> distances = sample_distance(body, wide);
  check_resolution(wide, distances, grain);
  UnbiasedGrid unbiased = without_bias(wide, distances);
  shape.origin = unbiased.grid.origin;
  shape.size = unbiased.grid.size;
  shape.phi = std::move(unbiased.values);
  add_nodes(body, choice.node_spacing, grain);
  shape.bounding_radius = bounding_radius(body, shape);
  measure(grain);
  shape.hash = hash_of(shape);
  if (const auto fault = fault_of(shape)) refuse(name, "makes no template: " + *fault);
  return grain;
}

}  // namespace scree::grains
