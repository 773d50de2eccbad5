#pragma once

#include <array>
#include <variant>
#include <vector>

/// Distributions of radii, as in a case file.
namespace scree {

/// The same radius [m] for all particles.
struct FixedSize {
  double value = 0;
};
/// Radii [m] that are uniform by number.
struct UniformSize {
  double min = 0, max = 0;
};
/// Radii [m] that are normal by number, cut off at min and max.
struct NormalSize {
  double mean = 0, deviation = 0, min = 0, max = 0;
};
/// Radii [m] that are log-normal by number, cut off at min and max; deviation [-] is that of the natural logarithm.
struct LogNormalSize {
  double median = 0, deviation = 0, min = 0, max = 0;
};
/// A few radii [m] with their weights [-] by number; both arrays are [n_values].
struct DiscreteSize {
  std::vector<double> values, weights;
};
/// A grading curve: [n_points] radius [m] and mass fraction [-] of all finer particles.
struct SieveSize {
  std::vector<std::array<double, 2>> passing;
};
/// The distribution of Rosin and Rammler by mass, cut off at min and max [m]: before the cut, the fraction
/// exp(-(r / characteristic)^exponent) of the mass has a radius above r.
struct RosinRammlerSize {
  double characteristic = 0;  ///< [m] 36.8 % of the mass has a larger radius
  double exponent = 0;        ///< [-]
  double min = 0, max = 0;    ///< [m]
};
using SizeDistribution =
    std::variant<FixedSize, UniformSize, NormalSize, LogNormalSize, DiscreteSize, SieveSize, RosinRammlerSize>;

}  // namespace scree
