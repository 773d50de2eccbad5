#pragma once

#include <array>
#include <variant>
#include <vector>

/// Distributions of radii, as in a case file.
namespace scree {

/// [m] the same radius for all
struct FixedSize {
  double value = 0;
};
/// [m] uniform by number
struct UniformSize {
  double min = 0, max = 0;
};
/// [m] normal by number, cut off at min and max
struct NormalSize {
  double mean = 0, deviation = 0, min = 0, max = 0;
};
/// [m] log-normal by number, cut off at min and max; deviation [-] of the natural logarithm
struct LogNormalSize {
  double median = 0, deviation = 0, min = 0, max = 0;
};
/// [m] radii with their weights [-] by number; both [n_values]
struct DiscreteSize {
  std::vector<double> values, weights;
};
/// [n_points] radius [m] and mass fraction [-] of all finer particles
struct SieveSize {
  std::vector<std::array<double, 2>> passing;
};
/// Rosin-Rammler by mass, cut off at min and max [m]: before the cut, exp(-(r / characteristic)^exponent) of the mass
/// has a radius above r.
struct RosinRammlerSize {
  double characteristic = 0;  ///< [m] 36.8 % of the mass has a larger radius
  double exponent = 0;        ///< [-]
  double min = 0, max = 0;    ///< [m]
};
using SizeDistribution =
    std::variant<FixedSize, UniformSize, NormalSize, LogNormalSize, DiscreteSize, SieveSize, RosinRammlerSize>;

}  // namespace scree
