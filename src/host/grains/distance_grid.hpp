#pragma once

#include <vector>

#include "host/grains/grid.hpp"
#include "host/grains/solid.hpp"

namespace scree::grains {

/// The number of layers of points on both sides of the surface with exact distances, for bodies with costly distances.
inline constexpr double exact_layers = 5;

/// [n_points] Signed distances [m] from the surface of a body at the points of a grid in the body frame. If the body
/// has triangles, distances are exact only within `layers` spacings of them; first-order fast sweeping (Zhao 2005)
/// continues them. Otherwise all distances are exact.
[[nodiscard]] std::vector<double> sample_distance(const Placed& body, const Grid& grid, double layers = exact_layers);

struct UnbiasedGrid {
  Grid grid;
  std::vector<float> values;
};
/// Subtracts the bias of trilinear interpolation (interpolation_bias) from values on a grid. The result has no
/// outermost layer of points.
[[nodiscard]] UnbiasedGrid without_bias(const Grid& grid, const std::vector<double>& values);

/// [n_points] Weights [m3] of the points of a grid for integrals over the body with negative distances. A weight is the
/// volume of a cell times a smoothed step, extrapolated from two widths. `grid` must reach two spacings beyond the
/// surface.
[[nodiscard]] std::vector<double> volume_weights(const Grid& grid, const std::vector<double>& distances);

/// Volume, first and second moments [m3, m4, m5] of the body with negative distances, by volume_weights(). For smooth
/// bodies of ten spacings the relative error is about 1e-5 in volume and 1e-4 in inertia; it is larger with edges.
[[nodiscard]] clumps::Moments moments_of_grid(const Grid& grid, const std::vector<double>& distances);

}  // namespace scree::grains
