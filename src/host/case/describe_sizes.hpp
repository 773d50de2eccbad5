#pragma once

#include <algorithm>
#include <cmath>

#include "host/case/describe.hpp"
#include "host/text/text.hpp"

/// Distributions of sizes.
namespace scree {

inline void check_size_limits(double min, double max, const std::string& max_key, Complaints& complaints) {
  if (max < min) {
    complaints.add(max_key, "must be at least the smallest radius " + number_text(min) + ", got " + number_text(max));
  }
}
inline void check_size_centre(double centre, double min, double max, const std::string& key, Complaints& complaints) {
  if (min <= max && (centre < min || centre > max)) {
    complaints.add(key, "must lie between min " + number_text(min) + " and max " + number_text(max) + ", got " +
                            number_text(centre));
  }
}

inline auto describe(Of<FixedSize>) {
  return single("The same radius for all particles.", required("value", &FixedSize::value, "m", "Radius.", above(0)));
}

inline auto describe(Of<UniformSize>) {
  return row("Uniform by number between a smallest and a largest radius.",
             required("min", &UniformSize::min, "m", "Smallest radius.", above(0)),
             required("max", &UniformSize::max, "m", "Largest radius.", above(0)));
}
inline void check(const UniformSize& size, Complaints& complaints) {
  check_size_limits(size.min, size.max, "1", complaints);
}

inline auto describe(Of<NormalSize>) {
  return object("Normal by number, cut off at a smallest and a largest radius.",
                required("mean", &NormalSize::mean, "m", "Mean radius before the cut.", above(0)),
                required("deviation", &NormalSize::deviation, "m", "Standard deviation before the cut.", at_least(0)),
                required("min", &NormalSize::min, "m", "Smallest radius.", above(0)),
                required("max", &NormalSize::max, "m", "Largest radius.", above(0)));
}
inline void check(const NormalSize& size, Complaints& complaints) {
  check_size_limits(size.min, size.max, "max", complaints);
  check_size_centre(size.mean, size.min, size.max, "mean", complaints);
}

inline auto describe(Of<LogNormalSize>) {
  return object("Log-normal by number, cut off at a smallest and a largest radius.",
                required("median", &LogNormalSize::median, "m", "Median radius before the cut.", above(0)),
                required("deviation", &LogNormalSize::deviation, "",
                         "Standard deviation of the natural logarithm of the radius before the cut.", at_least(0)),
                required("min", &LogNormalSize::min, "m", "Smallest radius.", above(0)),
                required("max", &LogNormalSize::max, "m", "Largest radius.", above(0)));
}
inline void check(const LogNormalSize& size, Complaints& complaints) {
  check_size_limits(size.min, size.max, "max", complaints);
  check_size_centre(size.median, size.min, size.max, "median", complaints);
}

inline auto describe(Of<DiscreteSize>) {
  return object(
      "A few radii, each with its share by number.",
      required("values", &DiscreteSize::values, "m", "Radii.", above(0).at_least_items(1)),
      required("weights", &DiscreteSize::weights, "", "Share of each radius; the sum need not be 1.", at_least(0)));
}
inline void check(const DiscreteSize& size, Complaints& complaints) {
  if (size.weights.size() != size.values.size()) {
    complaints.add("weights", "must have one weight per value: " + std::to_string(size.values.size()) + ", got " +
                                  std::to_string(size.weights.size()));
    return;
  }
  double sum = 0;
  for (const double weight : size.weights) sum += weight;
  if (!(sum > 0) || !std::isfinite(sum)) {
    complaints.add("weights", "must have a positive, finite sum, got " + number_text(sum));
  }
}

inline auto describe(Of<SieveSize>) {
  return object("Sieve curve, linear between its points.",
                required("passing", &SieveSize::passing, "m, -",
                         "Points [size, mass fraction of all finer particles], from fraction 0 to fraction 1.",
                         at_least(0).at_least_items(2)));
}
/// Whether a sieve curve runs from the largest size to the smallest one, as many sieve tables do.
inline bool runs_downwards(const SieveSize& size) {
  return size.passing.size() > 1 && std::is_sorted(size.passing.rbegin(), size.passing.rend());
}
inline void check(const SieveSize& size, Complaints& complaints) {
  const auto& points = size.passing;
  const std::string list = "passing.";
  if (runs_downwards(size) && points.front() != points.back()) {
    complaints.add("passing", "must begin with the smallest size, got the largest one first: turn the list round");
    return;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string row = list + std::to_string(i);
    if (i == 0 && !(points[0][0] > 0)) {
      complaints.add(row + ".0", "must be greater than 0, got " + number_text(points[0][0]));
    }
    if (i > 0 && points[i][0] < points[i - 1][0]) {
      complaints.add(row + ".0", "must be at least the size before it, " + number_text(points[i - 1][0]) + ", got " +
                                     number_text(points[i][0]));
    }
    if (i > 0 && points[i][1] < points[i - 1][1]) {
      complaints.add(row + ".1", "must be at least the fraction before it, " + number_text(points[i - 1][1]) +
                                     ", got " + number_text(points[i][1]));
    }
  }
  if (points.front()[1] != 0) {
    complaints.add(list + "0.1", "the first fraction must be 0, got " + number_text(points.front()[1]));
  }
  if (points.back()[1] != 1) {
    const double last = points.back()[1];
    complaints.add(list + std::to_string(points.size() - 1) + ".1",
                   "the last fraction must be 1, got " + number_text(last) +
                       (last == 100 ? "; fractions are from 0 to 1, not in percent" : ""));
  }
}

inline auto describe(Of<RosinRammlerSize>) {
  return object(
      "Rosin-Rammler (Weibull) by mass, cut off at a smallest and a largest radius.",
      required("characteristic", &RosinRammlerSize::characteristic, "m",
               "Radius above which 36.8 % of the mass lies, before the cut.", above(0)),
      required("exponent", &RosinRammlerSize::exponent, "",
               "Exponent n in the mass fraction exp(-(r / characteristic)^n) above a radius r; a larger exponent "
               "makes a narrower distribution.",
               above_up_to(0, 50)),
      required("min", &RosinRammlerSize::min, "m", "Smallest radius.", above(0)),
      required("max", &RosinRammlerSize::max, "m", "Largest radius.", above(0)));
}
inline void check(const RosinRammlerSize& size, Complaints& complaints) {
  check_size_limits(size.min, size.max, "max", complaints);
  check_size_centre(size.characteristic, size.min, size.max, "characteristic", complaints);
}

inline auto describe(Of<SizeDistribution>) {
  return keyed("Radius of the particles: one number for all, or a distribution.", alternative<FixedSize>(""),
               alternative<UniformSize>("uniform"), alternative<NormalSize>("normal"),
               alternative<LogNormalSize>("lognormal"), alternative<DiscreteSize>("discrete"),
               alternative<SieveSize>("sieve"), alternative<RosinRammlerSize>("rosin_rammler"));
}

static_assert(lists_every_member<FixedSize> && lists_every_member<UniformSize> && lists_every_member<NormalSize> &&
              lists_every_member<LogNormalSize> && lists_every_member<DiscreteSize> && lists_every_member<SieveSize> &&
              lists_every_member<RosinRammlerSize>);

}  // namespace scree
