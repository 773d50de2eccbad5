#pragma once

namespace scree {

/// [-] The fraction of the bias of trilinear interpolation that is corrected. At edges and corners a distance has a
/// kink, where the Laplacian is no measure of the bias, and grains with faces would repel each other before they touch.
/// So the bias counts in full where the surface is curved at most as a sphere with a radius of 2.7 spacings, not at all
/// where it is curved as a sphere with a radius of 2 spacings or more strongly, and in part between. For `around` and
/// `per_spacing` see interpolation_bias().
[[nodiscard]] constexpr double counted_bias(double around, double per_spacing) {
  const double kink = (around < 0 ? -around : around) * per_spacing;
  return kink <= 0.75 ? 1 : kink >= 1 ? 0 : 4 * (1 - kink);
}

/// [m] The mean error that trilinear interpolation adds to a distance near a point of a grid: spacing^2/12 times its
/// Laplacian. `around` [m] is the sum of the distances at the six neighbours of the point minus six times the distance
/// at the point, and `per_spacing` [1/m] is one over the spacing.
[[nodiscard]] constexpr double interpolation_bias(double around, double per_spacing) {
  return counted_bias(around, per_spacing) * around / 12;
}

}  // namespace scree
