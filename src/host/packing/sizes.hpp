#pragma once

#include <vector>

#include "host/packing/random.hpp"
#include "scree/sizes.hpp"

namespace scree::packing {

// All distributions here must obey the rules of the case (case/describe_particles.hpp).

/// Smallest and largest radius [m] that can be drawn.
[[nodiscard]] double smallest_size(const SizeDistribution& distribution);
[[nodiscard]] double largest_size(const SizeDistribution& distribution);

/// The number, up to a constant factor, of particles whose mass is spread evenly over the radii from `a` to `b`. The
/// number density is the mass density over r^3, with the integral (1/a^2 - 1/b^2) / (2 (b - a)). The formula here
/// avoids the differences, which vanish for a = b.
[[nodiscard]] inline double number_of_even_mass(double mass, double a, double b) {
  return mass * (a + b) / (2 * a * a * b * b);
}

/// Mean of the cube of the radius [m3], by number.
[[nodiscard]] double mean_cube(const SizeDistribution& distribution);

/// Draws radii [m] from a distribution. For a truncated distribution it draws again until the radius is in range.
class SizeSampler {
 public:
  explicit SizeSampler(const SizeDistribution& distribution);

  /// Throws CaseError (path: empty) if practically nothing of a truncated distribution lies between its limits.
  [[nodiscard]] double draw(Random& random) const;

 private:
  struct Share {
    double low, high;   ///< [m]
    double cumulative;  ///< [-] cumulative number up to `high`; for Rosin-Rammler an upper bound of it
    double peak = 0;    ///< largest mass density between low and high; only for Rosin-Rammler
  };
  void add_bands(const RosinRammlerSize& size);
  [[nodiscard]] const Share& pick(Random& random) const;
  [[nodiscard]] double draw_rosin_rammler(const RosinRammlerSize& size, Random& random) const;

  SizeDistribution distribution_;
  std::vector<Share> shares_;  ///< empty except for discrete, sieve and Rosin-Rammler distributions
};

}  // namespace scree::packing
