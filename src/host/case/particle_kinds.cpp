#include "host/case/particle_kinds.hpp"

#include "host/case/scaled_sizes.hpp"

namespace scree {
namespace {

/// The radius of an entry or of a part of a mixture; half of the diameter if the diameter is given.
std::optional<SizeDistribution> radius_of(const auto& source) {
  return source.diameter ? scaled(*source.diameter, 0.5) : source.radius;
}

}  // namespace

std::vector<ParticleKind> kinds_of(const Case& input, const ParticleGroup& entry) {
  std::vector<ParticleKind> kinds;
  if (!entry.mixture.empty()) {
    double sum = 0;
    for (const MixturePart& part : entry.mixture) sum += part.mass_fraction;
    for (const MixturePart& part : entry.mixture) {
      kinds.push_back({part.mass_fraction / sum, part.material, part.shape, radius_of(part),
                       part.group ? part.group : entry.group});
    }
    return kinds;
  }
  if (entry.material) return {{1, *entry.material, entry.shape, radius_of(entry), entry.group}};
  if (!entry.file) return {};  // a problem that check() has named
  for (const auto& [name, material] : input.materials) kinds.push_back({1, name, entry.shape, {}, entry.group});
  return kinds;
}

}  // namespace scree
