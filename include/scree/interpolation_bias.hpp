#pragma once

namespace scree {

/// [m] What trilinear interpolation adds on average to a distance near a point of a grid: spacing^2/12 times its
/// Laplacian. `around` [m] is the sum of its six neighbours less six times the value, `per_spacing` [1/m] one over the
/// spacing. At edges and corners the distance has a kink, of which a Laplacian tells nothing, and grains with faces
/// would repel each other before they touch. So the bias counts in full where the surface of a sphere of 2.7 spacings
/// in radius is bent as much, and not at all where one of two spacings is.
[[nodiscard]] constexpr double interpolation_bias(double around, double per_spacing) {
  const double kink = (around < 0 ? -around : around) * per_spacing;
  const double smooth = kink <= 0.75 ? 1 : kink >= 1 ? 0 : 4 * (1 - kink);
  return smooth * around / 12;
}

}  // namespace scree
