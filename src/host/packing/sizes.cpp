#include "host/packing/sizes.hpp"

#include <algorithm>
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

}  // namespace

double smallest_size(const SizeDistribution& distribution) {
  return std::visit(
      Overload{[](const FixedSize& s) { return s.value; },
               [](const DiscreteSize& s) {
                 double smallest = std::numeric_limits<double>::max();
                 for (std::size_t i = 0; i < s.values.size(); ++i) {
                   if (s.weights[i] > 0) smallest = std::min(smallest, s.values[i]);
                 }
                 return smallest;
               },
               [](const SieveSize& s) { return s.passing.front()[0]; }, [](const auto& s) { return s.min; }},
      distribution);
}

double largest_size(const SizeDistribution& distribution) {
  return std::visit(
      Overload{[](const FixedSize& s) { return s.value; },
               [](const DiscreteSize& s) {
                 double largest = 0;
                 for (std::size_t i = 0; i < s.values.size(); ++i) {
                   if (s.weights[i] > 0) largest = std::max(largest, s.values[i]);
                 }
                 return largest;
               },
               [](const SieveSize& s) { return s.passing.back()[0]; }, [](const auto& s) { return s.max; }},
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
      // Mass is spread evenly over the radii between two points. A number share is that mass over r^3, and its
      // integral (1/a^2 - 1/b^2) / (2 (b - a)) is written without the difference that vanishes for a = b.
      const double a = points[i - 1][0], b = points[i][0], mass = points[i][1] - points[i - 1][1];
      const double scale = points.back()[0];  // keeps the powers near one
      const double p = a / scale, q = b / scale;
      shares_.push_back({a, b, mass * (p + q) / (2 * p * p * q * q)});
    }
  }
  double sum = 0;
  for (auto& share : shares_) share.cumulative = sum += share.cumulative;
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
                               const double a = share.low, b = share.high;
                               // Inverse of the number fraction below r, (1/a^2 - 1/r^2) / (1/a^2 - 1/b^2).
                               const double ratio = a / b, u = random.uniform();
                               return std::clamp(a / std::sqrt(1 - u * (1 - ratio * ratio)), a, b);
                             }},
                    distribution_);
}

}  // namespace scree::packing
