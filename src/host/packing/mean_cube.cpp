#include <algorithm>

#include "host/packing/exact_math.hpp"
#include "host/packing/sizes.hpp"

// Means over distributions of sizes, with the same bits on every machine.
namespace scree::packing {
namespace {

constexpr double tails = 9;               // standard deviations beyond which a normal distribution is negligible
constexpr double largest_exponent = 700;  // exact_exp() accepts no larger one

double cube(double x) { return x * x * x; }
double bounded_exp(double x) { return exact_exp(std::clamp(x, -largest_exponent, largest_exponent)); }

/// Mean of `value(x)` with the weight `density(x)` between two limits, by Simpson's rule; `otherwise` if all weights
/// are 0.
template <class Density, class Value>
double mean_between(double low, double high, double otherwise, Density&& density, Value&& value) {
  constexpr int intervals = 4096;
  double all = 0, sum = 0;
  for (int k = 0; k <= intervals; ++k) {
    const double x = low + (high - low) * k / intervals;
    const double part = density(x) * (k == 0 || k == intervals ? 1 : k % 2 == 0 ? 2 : 4);
    all += part;
    sum += part * value(x);
  }
  return all > 0 ? sum / all : otherwise;
}

double mean_cube_of(const FixedSize& s) { return cube(s.value); }
double mean_cube_of(const UniformSize& s) { return (s.min * s.min + s.max * s.max) * (s.min + s.max) / 4; }
double mean_cube_of(const DiscreteSize& s) {
  double all = 0, sum = 0;
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    all += s.weights[i];
    sum += s.weights[i] * cube(s.values[i]);
  }
  return sum / all;
}
double mean_cube_of(const NormalSize& s) {
  if (s.deviation == 0) return cube(s.mean);
  const double low = std::max(s.min, s.mean - tails * s.deviation),
               high = std::min(s.max, s.mean + tails * s.deviation);
  const auto density = [&](double r) {
    const double x = (r - s.mean) / s.deviation;
    return bounded_exp(-0.5 * x * x);
  };
  return mean_between(low, high, cube(s.max), density, cube);
}
/// Integrates over y, the logarithm of the radius over the median. The density by mass has its maximum higher than the
/// density by number, by three times the squared deviation.
double mean_cube_of(const LogNormalSize& s) {
  if (s.deviation == 0) return cube(s.median);
  const double low = std::max(exact_log(s.min / s.median), -tails * s.deviation);
  const double high = std::min(exact_log(s.max / s.median), (tails + 3 * s.deviation) * s.deviation);
  const auto density = [&](double y) { return bounded_exp(-0.5 * (y / s.deviation) * (y / s.deviation)); };
  return cube(s.median) *
         mean_between(low, high, cube(s.max / s.median), density, [](double y) { return bounded_exp(3 * y); });
}
/// Mass is spread evenly over the radii between two points.
double mean_cube_of(const SieveSize& s) {
  double mass = 0, number = 0;
  for (std::size_t i = 1; i < s.passing.size(); ++i) {
    const double a = s.passing[i - 1][0], b = s.passing[i][0], share = s.passing[i][1] - s.passing[i - 1][1];
    const double scale = s.passing.back()[0], p = a / scale, q = b / scale;  // keeps the powers near one
    mass += share;
    number += number_of_even_mass(share, p, q);
  }
  return cube(s.passing.back()[0]) * mass / number;
}
/// Integrates over y, the logarithm of the radius over the characteristic radius. The density by mass is x^n exp(-x^n)
/// with x = exp(y).
double mean_cube_of(const RosinRammlerSize& s) {
  const auto mass = [&](double y) {
    const double power = bounded_exp(s.exponent * y);
    return power < largest_exponent ? power * exact_exp(-power) : 0;
  };
  const double low = exact_log(s.min / s.characteristic), high = exact_log(s.max / s.characteristic);
  const double inverse = mean_between(low, high, 0, mass, [&](double y) { return bounded_exp(-3 * (y - low)); });
  return inverse > 0 ? cube(s.min) / inverse : cube(s.max);
}

}  // namespace

double mean_cube(const SizeDistribution& distribution) {
  return std::visit([](const auto& size) { return mean_cube_of(size); }, distribution);
}

}  // namespace scree::packing
