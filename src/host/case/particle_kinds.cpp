#include "host/case/particle_kinds.hpp"

namespace scree {

std::vector<ParticleKind> kinds_of(const Case& input, const ParticleGroup& entry) {
  std::vector<ParticleKind> kinds;
  if (!entry.mixture.empty()) {
    double sum = 0;
    for (const MixturePart& part : entry.mixture) sum += part.mass_fraction;
    for (const MixturePart& part : entry.mixture) {
      kinds.push_back(
          {part.mass_fraction / sum, part.material, part.shape, part.radius, part.group ? part.group : entry.group});
    }
    return kinds;
  }
  if (entry.material) return {{1, *entry.material, entry.shape, entry.radius, entry.group}};
  if (!entry.file) return {};  // a problem that check() has named
  for (const auto& [name, material] : input.materials) kinds.push_back({1, name, entry.shape, {}, entry.group});
  return kinds;
}

}  // namespace scree
