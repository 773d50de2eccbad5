#pragma once

namespace scree {

/// [-] How much of the bias of trilinear interpolation counts. At edges and corners a distance has a kink, of which a
/// Laplacian tells nothing, and grains with faces would repel each other before they touch. So it counts in full where
/// the surface of a sphere of 2.7 spacings in radius is bent as much, and not at all where one of two spacings is.
/// `around` and `per_spacing` as below.
[[nodiscard]] constexpr double counted_bias(double around, double per_spacing) {
  const double kink = (around < 0 ? -around : around) * per_spacing;
  return kink <= 0.75 ? 1 : kink >= 1 ? 0 : 4 * (1 - kink);
}

/// [m] What trilinear interpolation adds on average to a distance near a point of a grid: spacing^2/12 times its
/// Laplacian. `around` [m] is the sum of its six neighbours less six times the value, `per_spacing` [1/m] one over the
/// spacing.
[[nodiscard]] constexpr double interpolation_bias(double around, double per_spacing) {
  return counted_bias(around, per_spacing) * around / 12;
}

}  // namespace scree
