#pragma once

#include <vector>

#include "host/packing/random.hpp"
#include "scree/sizes.hpp"

namespace scree::packing {

// Distributions are sound: they obey the rules of the case (case/describe_particles.hpp).

/// Smallest and largest radius [m] that can be drawn.
[[nodiscard]] double smallest_size(const SizeDistribution& distribution);
[[nodiscard]] double largest_size(const SizeDistribution& distribution);

/// Number of the particles of a mass that is spread evenly over the radii from `a` to `b`, up to a factor. The number
/// has the density of the mass over r^3, whose integral (1/a^2 - 1/b^2) / (2 (b - a)) is written without the difference
/// that vanishes for a = b.
[[nodiscard]] inline double number_of_even_mass(double mass, double a, double b) {
  return mass * (a + b) / (2 * a * a * b * b);
}

/// Mean of the cube of the radius [m3], by number.
[[nodiscard]] double mean_cube(const SizeDistribution& distribution);

/// Draws radii [m] from a sound distribution. Truncated distributions are drawn again until the radius is in range.
class SizeSampler {
 public:
  explicit SizeSampler(const SizeDistribution& distribution);

  /// Throws CaseError (empty path) when a truncated distribution has practically nothing inside its limits.
  [[nodiscard]] double draw(Random& random) const;

 private:
  struct Share {
    double low, high;   ///< [m]
    double cumulative;  ///< [-] by number, up to and with this one; of Rosin-Rammler a bound of that
    double peak = 0;    ///< of Rosin-Rammler: largest mass density between low and high
  };
  void add_bands(const RosinRammlerSize& size);
  [[nodiscard]] const Share& pick(Random& random) const;
  [[nodiscard]] double draw_rosin_rammler(const RosinRammlerSize& size, Random& random) const;

  SizeDistribution distribution_;
  std::vector<Share> shares_;  ///< of discrete, sieve and Rosin-Rammler distributions
};

}  // namespace scree::packing
