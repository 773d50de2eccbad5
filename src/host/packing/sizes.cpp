#include "host/packing/sizes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "host/packing/exact_math.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

/// Mass per radius of a Rosin-Rammler distribution at a radius, up to a constant factor: x^(n-1) exp(-x^n).
double mass_density(const RosinRammlerSize& size, double radius) {
  constexpr double largest_exponent = 700;
  const double x = radius / size.characteristic;
  const double power = exact_exp(std::clamp(size.exponent * exact_log(x), -largest_exponent, largest_exponent));
  return power < largest_exponent ? power / x * exact_exp(-power) : 0;
}

/// The largest mass density between two radii. The density rises up to the mode and then falls.
double peak_density(const RosinRammlerSize& size, double low, double high) {
  const double n = size.exponent;
  const double mode = n > 1 ? size.characteristic * exact_exp(exact_log((n - 1) / n) / n) : low;
  return mass_density(size, std::clamp(mode, low, high));
}

/// Draws a radius between a and b whose number density is proportional to 1/r^3. Inverts the number fraction below r,
/// (1/a^2 - 1/r^2) / (1/a^2 - 1/b^2).
double draw_even_mass(double a, double b, Random& random) {
  const double ratio = a / b, u = random.uniform();
  return std::clamp(a / std::sqrt(1 - u * (1 - ratio * ratio)), a, b);
}

/// The smallest and the largest size of a sieve curve, without flat parts at its ends, where it has no mass.
std::array<double, 2> range_of(const SieveSize& size) {
  const auto& points = size.passing;
  std::size_t first = 1, last = points.size() - 1;
  while (first < last && points[first][1] == points[first - 1][1]) ++first;
  while (first < last && points[last][1] == points[last - 1][1]) --last;
  return {points[first - 1][0], points[last][0]};
}

}  // namespace

double smallest_size(const SizeDistribution& distribution) {
  return std::visit(Overload{[](const FixedSize& s) { return s.value; },
                             [](const DiscreteSize& s) {
                               double smallest = std::numeric_limits<double>::max();
                               for (std::size_t i = 0; i < s.values.size(); ++i) {
                                 if (s.weights[i] > 0) smallest = std::min(smallest, s.values[i]);
                               }
                               return smallest;
                             },
                             [](const SieveSize& s) { return range_of(s)[0]; }, [](const auto& s) { return s.min; }},
                    distribution);
}

double largest_size(const SizeDistribution& distribution) {
  return std::visit(Overload{[](const FixedSize& s) { return s.value; },
                             [](const DiscreteSize& s) {
                               double largest = 0;
                               for (std::size_t i = 0; i < s.values.size(); ++i) {
                                 if (s.weights[i] > 0) largest = std::max(largest, s.values[i]);
                               }
                               return largest;
                             },
                             [](const SieveSize& s) { return range_of(s)[1]; }, [](const auto& s) { return s.max; }},
                    distribution);
}

SizeSampler::SizeSampler(const SizeDistribution& distribution) : distribution_(distribution) {
  if (const auto* discrete = std::get_if<DiscreteSize>(&distribution_)) {
    for (std::size_t i = 0; i < discrete->values.size(); ++i) {
      shares_.push_back({discrete->values[i], discrete->values[i], discrete->weights[i]});
    }
  }
  if (const auto* sieve = std::get_if<SieveSize>(&distribution_)) {
    const auto& points = sieve->passing;
    for (std::size_t i = 1; i < points.size(); ++i) {
      // Mass is spread evenly over the radii between two points.
      const double a = points[i - 1][0], b = points[i][0], mass = points[i][1] - points[i - 1][1];
      if (mass == 0) continue;
      const double scale = points.back()[0];  // keeps the powers near one
      const double p = a / scale, q = b / scale;
      shares_.push_back({a, b, number_of_even_mass(mass, p, q)});
    }
  }
  if (const auto* rosin = std::get_if<RosinRammlerSize>(&distribution_)) add_bands(*rosin);
  double sum = 0;
  for (auto& share : shares_) share.cumulative = sum += share.cumulative;
}

/// Adds bands of radii for rejection sampling. The number density is the mass density over r^3. In each band its bound
/// is the largest mass density of the band over r^3, whose integral is known.
void SizeSampler::add_bands(const RosinRammlerSize& size) {
  if (size.min == size.max) return shares_.push_back({size.min, size.max, 1, 1});
  constexpr int bands = 256;
  const double width = exact_log(size.max / size.min) / bands;
  const auto edge = [&](int k) { return k == bands ? size.max : std::min(size.min * exact_exp(k * width), size.max); };
  for (int k = 0; k < bands; ++k) {
    const double a = edge(k), b = edge(k + 1), p = a / size.min, q = b / size.min;
    const double peak = peak_density(size, a, b);
    shares_.push_back({a, b, number_of_even_mass(peak * (q - p), p, q), peak});
  }
}

/// Rejection sampling: accepts a radius drawn from the bound with the probability density over bound.
double SizeSampler::draw_rosin_rammler(const RosinRammlerSize& size, Random& random) const {
  while (true) {
    const Share& band = pick(random);
    const double radius = draw_even_mass(band.low, band.high, random);
    if (size.min == size.max || random.uniform() * band.peak < mass_density(size, radius)) return radius;
  }
}

const SizeSampler::Share& SizeSampler::pick(Random& random) const {
  const double target = random.uniform() * shares_.back().cumulative;
  const auto found = std::upper_bound(shares_.begin(), shares_.end(), target,
                                      [](double value, const Share& share) { return value < share.cumulative; });
  return found == shares_.end() ? shares_.back() : *found;
}

double SizeSampler::draw(Random& random) const {
  constexpr int most_tries = 10000;
  const auto within = [](double min, double max, auto&& next) {
    for (int k = 0; k < most_tries; ++k) {
      const double radius = next();
      if (radius >= min && radius <= max) return radius;
    }
    throw CaseError(
        "", "practically nothing of the distribution lies between " + number_text(min) + " and " + number_text(max));
  };
  return std::visit(Overload{[](const FixedSize& s) { return s.value; },
                             [&](const UniformSize& s) { return random.uniform(s.min, s.max); },
                             [&](const NormalSize& s) {
                               return within(s.min, s.max, [&] { return s.mean + s.deviation * random.normal(); });
                             },
                             [&](const LogNormalSize& s) {
                               return within(s.min, s.max, [&] {
                                 const double exponent = std::clamp(s.deviation * random.normal(), -700.0, 700.0);
                                 return s.median * exact_exp(exponent);
                               });
                             },
                             [&](const DiscreteSize&) { return pick(random).low; },
                             [&](const SieveSize&) {
                               const Share& share = pick(random);
                               return draw_even_mass(share.low, share.high, random);
                             },
                             [&](const RosinRammlerSize& s) { return draw_rosin_rammler(s, random); }},
                    distribution_);
}

}  // namespace scree::packing
