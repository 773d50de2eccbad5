#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "host/measure/nearest_points.hpp"
#include "host/measure/region_probe.hpp"
#include "host/measure/selection.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using namespace probe;

/// How many particles of two kinds there are.
struct TwoKinds {
  double first = 0, all = 0;
  void add(bool is_first) {
    first += is_first ? 1 : 0;
    all += 1;
  }
};

/// How well two kinds of particles are mixed: see docs/output.md. All counts are by number.
class MixingMeter final : public RegionProbe {
 public:
  MixingMeter(ProbeRegion region, Selection first, double sample, const std::optional<ProbeAxis>& axis)
      : RegionProbe(std::move(region)), first_(std::move(first)), sample_(sample) {
    if (axis) { from_axis_.emplace(*axis); }
  }

  [[nodiscard]] MeasureNeeds needs() const override {
    return {.forces = false, .contacts = true, .groups = first_.needs_groups()};
  }
  [[nodiscard]] std::vector<std::string> columns() const override {
    std::vector<std::string> names{"share",         "lacey",         "unlike_contacts",  "segregation_x",
                                   "segregation_y", "segregation_z", "unlike_neighbours"};
    if (from_axis_) { names.emplace_back("segregation_radial"); }
    return names;
  }

  void measure(const ProbeView& view, std::vector<double>& values) override {
    const std::vector<Present> all = particles_inside(view);
    const std::vector<std::uint8_t> is_first = first_.in(view.now);
    TwoKinds kinds;
    for (const Present& particle : all) kinds.add(is_first[particle.index] != 0);
    values.push_back(kinds.all > 0 ? kinds.first / kinds.all : unknown);
    if (kinds.first == 0 || kinds.first == kinds.all) {
      values.insert(values.end(), columns().size() - 1, unknown);
      return;
    }
    values.push_back(lacey(all, is_first, kinds));
    values.push_back(unlike_contacts(view, all, is_first, kinds));
    for (std::size_t k = 0; k < 3; ++k) {
      // Across a periodic face nothing is above or below.
      const bool repeats = view.cell && view.cell->periodic[k];
      const auto coordinate = [&](const Present& particle) { return particle.position[k]; };
      values.push_back(repeats ? unknown : segregation(all, is_first, coordinate, kinds));
    }
    values.push_back(unlike_neighbours(all, is_first, kinds));
    if (!from_axis_) return;
    const bool repeats = view.cell && from_axis_->is_repeated_by(*view.cell);
    const auto distance = [&](const Present& particle) { return from_axis_->of(particle.position); };
    values.push_back(repeats ? unknown : segregation(all, is_first, distance, kinds));
  }

 private:
  /// (S0^2 - S^2) / (S0^2 - SR^2) of the shares of the first kind in cubes, each weighted with its number of particles
  /// (Lacey 1954). S0^2 = p (1 - p) when each cube holds one kind. SR^2 = p (1 - p) (K - 1) / (N - 1) is the mean over
  /// all ways to deal N particles to K cubes of given numbers: the variance of a hypergeometric distribution. With
  /// K = 1 or K = N all deals have the same S^2, so the index says nothing.
  [[nodiscard]] double lacey(const std::vector<Present>& all, const std::vector<std::uint8_t>& is_first,
                             const TwoKinds& kinds) const {
    using Place = std::array<double, 3>;
    std::vector<std::pair<Place, bool>> placed;
    placed.reserve(all.size());
    for (const Present& particle : all) {
      Place cube{};
      for (std::size_t k = 0; k < 3; ++k) cube[k] = std::floor(particle.position[k] / sample_);
      placed.emplace_back(cube, is_first[particle.index] != 0);
    }
    std::sort(placed.begin(), placed.end());
    const double share = kinds.first / kinds.all;
    double spread = 0, cubes = 0;
    for (std::size_t i = 0; i < placed.size();) {
      TwoKinds inside;
      const Place cube = placed[i].first;
      for (; i < placed.size() && placed[i].first == cube; ++i) inside.add(placed[i].second);
      const double excess = inside.first / inside.all - share;
      spread += inside.all * excess * excess;
      cubes += 1;
    }
    const double apart = share * (1 - share), at_random = apart * (cubes - 1) / (kinds.all - 1);
    // Numbers of cubes and particles are exact. The variances are rounded, and differ by that alone where K = N.
    return cubes > 1 && cubes < kinds.all ? (apart - spread / kinds.all) / (apart - at_random) : unknown;
  }

  /// Part of the contacts that join unlike particles, over 2 N1 N2 / (N (N - 1)), the part of all pairs that do.
  [[nodiscard]] static double unlike_contacts(const ProbeView& view, const std::vector<Present>& all,
                                              const std::vector<std::uint8_t>& is_first, const TwoKinds& kinds) {
    std::vector<std::uint8_t> inside(view.position.size());
    for (const Present& particle : all) inside[particle.index] = 1;
    double unlike = 0, contacts = 0;
    for (const auto& [a, b] : view.ends) {
      if (a == ProbeView::none || b == ProbeView::none || a == b || inside[a] == 0 || inside[b] == 0) continue;
      contacts += 1;
      unlike += is_first[a] != is_first[b] ? 1 : 0;
    }
    const double second = kinds.all - kinds.first;
    return contacts > 0 ? unlike / contacts / (2 * kinds.first * second / (kinds.all * (kinds.all - 1))) : unknown;
  }

  /// Pairs each particle with its 12 nearest ones (or with all, if there are fewer). Returns the fraction of unlike
  /// pairs among these over the fraction among all pairs.
  [[nodiscard]] static double unlike_neighbours(const std::vector<Present>& all,
                                                const std::vector<std::uint8_t>& is_first, const TwoKinds& kinds) {
    constexpr std::size_t most = 12;
    std::vector<Real3> points;
    points.reserve(all.size());
    for (const Present& particle : all) points.push_back(particle.position);
    const NearestPoints nearest(points);
    const std::size_t count = std::min(most, all.size() - 1);
    std::uint64_t unlike = 0;
#pragma omp parallel reduction(+ : unlike)
    {
      std::vector<std::size_t> near;
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < points.size(); ++i) {
        nearest.of(i, count, near);
        for (const std::size_t j : near) unlike += is_first[all[i].index] != is_first[all[j].index] ? 1 : 0;
      }
    }
    const double pairs = kinds.all * static_cast<double>(count), second = kinds.all - kinds.first;
    return static_cast<double>(unlike) / pairs / (2 * kinds.first * second / (kinds.all * (kinds.all - 1)));
  }

  /// In a random pair of unlike particles, the probability that the particle of the first kind has the larger
  /// coordinate, minus the probability that it has the smaller one. This is Mann and Whitney's U, scaled to [-1, 1].
  template <class Coordinate>
  [[nodiscard]] static double segregation(const std::vector<Present>& all, const std::vector<std::uint8_t>& is_first,
                                          const Coordinate& coordinate, const TwoKinds& kinds) {
    std::vector<std::pair<double, bool>> order;
    order.reserve(all.size());
    for (const Present& particle : all) { order.emplace_back(coordinate(particle), is_first[particle.index] != 0); }
    std::sort(order.begin(), order.end());
    const double second_in_all = kinds.all - kinds.first;
    double below = 0, sum = 0;  // particles of the second kind that are lower; pairs in order minus pairs against it
    for (std::size_t i = 0; i < order.size();) {
      const double level = order[i].first;
      TwoKinds same;
      for (; i < order.size() && order[i].first == level; ++i) same.add(order[i].second);
      const double second = same.all - same.first;
      sum += same.first * (below - (second_in_all - below - second));
      below += second;
    }
    return sum / (kinds.first * second_in_all);
  }

  Selection first_;
  double sample_;
  std::optional<DistanceFromAxis> from_axis_;
};

}  // namespace

std::unique_ptr<Probe> make_probe(const MixingProbe& keys, const ProbePlace& place) {
  const auto first = [&] {
    try {
      return Selection(place.scene(), keys.of.materials, keys.of.groups, keys.of.larger_than);
    } catch (const CaseError& error) {
      throw CaseError("of." + error.problems().front().path, error.problems().front().message);
    }
  };
  return std::make_unique<MixingMeter>(keys.region ? place.region(*keys.region) : nullptr, first(), keys.sample,
                                       keys.axis);
}

}  // namespace scree
