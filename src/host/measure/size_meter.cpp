#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "host/measure/region_probe.hpp"

namespace scree {
namespace {

using namespace probe;

/// Ranks from 1 to n; equal values share the mean of their ranks.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) { order[i] = i; }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first + 1;
    while (last < order.size() && values[order[last]] == values[order[first]]) { ++last; }
    const double shared = 0.5 * static_cast<double>(first + 1 + last);
    for (; first < last; ++first) { ranks[order[first]] = shared; }
  }
  return ranks;
}

/// Pearson's coefficient of correlation; unknown where one of the two does not vary.
double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean = 0.5 * static_cast<double>(a.size() + 1);  // of ranks
  double both = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean) * (b[i] - mean);
    first += (a[i] - mean) * (a[i] - mean);
    second += (b[i] - mean) * (b[i] - mean);
  }
  return first > 0 && second > 0 ? both / std::sqrt(first * second) : unknown;
}

/// Spearman's coefficient of correlation between the radius and each coordinate, or the distance from an axis: see
/// docs/output.md.
class SizeMeter final : public RegionProbe {
 public:
  SizeMeter(ProbeRegion region, const std::optional<ProbeAxis>& axis) : RegionProbe(std::move(region)) {
    if (axis) { from_axis_.emplace(*axis); }
  }
  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = false, .contacts = false}; }
  [[nodiscard]] std::vector<std::string> columns() const override {
    std::vector<std::string> names{"x", "y", "z"};
    if (from_axis_) { names.emplace_back("radial"); }
    return names;
  }

  void measure(const ProbeView& view, std::vector<double>& values) override {
    const std::vector<Present> all = particles_inside(view);
    const auto column = [&](const auto& value) {
      std::vector<double> result;
      result.reserve(all.size());
      for (const Present& particle : all) { result.push_back(value(particle)); }
      return ranks_of(result);
    };
    const std::vector<double> size = column([&](const Present& particle) { return view.now.radius[particle.index]; });
    for (std::size_t k = 0; k < 3; ++k) {
      // Across a periodic face nothing is above or below.
      const bool repeats = view.cell && view.cell->periodic[k];
      values.push_back(
          repeats ? unknown : correlation(size, column([&](const Present& particle) { return particle.position[k]; })));
    }
    if (!from_axis_) return;
    const bool repeats = view.cell && from_axis_->is_repeated_by(*view.cell);
    values.push_back(repeats ? unknown : correlation(size, column([&](const Present& particle) {
                                                       return from_axis_->of(particle.position);
                                                     })));
  }

 private:
  std::optional<DistanceFromAxis> from_axis_;
};

}  // namespace

std::unique_ptr<Probe> make_probe(const SizeSegregationProbe& keys, const ProbePlace& place) {
  return std::make_unique<SizeMeter>(keys.region ? place.region(*keys.region) : nullptr, keys.axis);
}

}  // namespace scree
