#include "host/packing/mixture.hpp"

#include "host/geometry/sphere_volume.hpp"
#include "host/packing/fill.hpp"

namespace scree::packing {

MassShares::MassShares(std::vector<double> share, std::vector<double> mass)
    : share_(std::move(share)), mass_(std::move(mass)) {
  mass_.resize(share_.size());
  for (const double m : mass_) total_ += m;
}

std::size_t MassShares::next() const {
  std::size_t best = 0;
  double most = share_[0] * total_ - mass_[0];
  for (std::size_t k = 1; k < share_.size(); ++k) {
    const double behind = share_[k] * total_ - mass_[k];
    if (behind > most) most = behind, best = k;
  }
  return best;
}

void MassShares::add(std::size_t kind, double mass) {
  mass_[kind] += mass;
  total_ += mass;
}

std::vector<DrawnParticle> draw_mixture(const Fill& fill, const std::vector<FillKind>& kinds, double volume,
                                        std::uint64_t seed, std::uint64_t entry) {
  Random random(seed, 2 * entry);
  std::vector<SizeSampler> samplers;
  std::vector<double> share;
  double number = 0, space = 0;  // mean number [1/kg] and volume [m3/kg] of the particles of the mixture
  for (const FillKind& kind : kinds) {
    samplers.emplace_back(kind.sizes);
    share.push_back(kind.share);
    space += kind.share / kind.density;
    number += kind.share / kind.density / (geometry::sphere_volume(1) * mean_cube(kind.sizes));
  }
  const double target = fill.solid_fraction.value_or(0) * volume;
  if (fill.count.value_or(0) > most_particles) refuse_too_many();
  expect_few_enough(target / space * number);
  MassShares shares(std::move(share));
  std::vector<DrawnParticle> drawn;
  for (double sum = 0; !fill.count || drawn.size() < *fill.count;) {
    const std::size_t kind = shares.next();
    const double radius = samplers[kind].draw(random), with_it = sum + geometry::sphere_volume(radius);
    if (!fill.count && with_it > target && with_it - target > target - sum) break;
    if (drawn.size() == most_particles) refuse_too_many();
    drawn.push_back({kind, radius});
    shares.add(kind, kinds[kind].density * geometry::sphere_volume(radius));
    sum = with_it;
  }
  return drawn;
}

}  // namespace scree::packing
