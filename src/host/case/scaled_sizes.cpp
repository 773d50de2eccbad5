#include "host/case/scaled_sizes.hpp"

namespace scree {

SizeDistribution scaled(const SizeDistribution& sizes, double factor) {
  SizeDistribution result = sizes;
  if (auto* fixed = std::get_if<FixedSize>(&result)) { fixed->value *= factor; }
  if (auto* uniform = std::get_if<UniformSize>(&result)) { uniform->min *= factor, uniform->max *= factor; }
  if (auto* normal = std::get_if<NormalSize>(&result)) {
    normal->mean *= factor, normal->deviation *= factor, normal->min *= factor, normal->max *= factor;
  }
  if (auto* log = std::get_if<LogNormalSize>(&result)) {
    log->median *= factor, log->min *= factor, log->max *= factor;
  }
  if (auto* discrete = std::get_if<DiscreteSize>(&result)) {
    for (double& value : discrete->values) { value *= factor; }
  }
  if (auto* sieve = std::get_if<SieveSize>(&result)) {
    for (auto& point : sieve->passing) { point[0] *= factor; }
  }
  if (auto* rosin = std::get_if<RosinRammlerSize>(&result)) {
    rosin->characteristic *= factor, rosin->min *= factor, rosin->max *= factor;
  }
  return result;
}

}  // namespace scree
