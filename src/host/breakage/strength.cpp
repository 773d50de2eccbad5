#include "host/breakage/strength.hpp"

#include "host/packing/exact_math.hpp"

namespace scree::breakage {

packing::Random random_of(std::uint64_t seed, std::uint32_t id, Chance chance) {
  // Streams of fills are numbered from 0, streams of inlets from 2^63. This stream is far from both.
  packing::Random of_breakage(seed, std::uint64_t{1} << 62U);
  return {of_breakage.bits(), 2 * std::uint64_t{id} + static_cast<std::uint64_t>(chance)};
}

double strength_of(const SceneBreakageRule& rule, std::uint64_t seed, std::uint32_t id, double radius) {
  double exponent = -rule.size_exponent * packing::exact_log(2 * radius / rule.at_diameter);
  if (rule.inverse_modulus > 0) {
    packing::Random random = random_of(seed, id, Chance::strength);
    const double u = (static_cast<double>(random.bits() >> 12U) + 0.5) * 0x1p-52;
    exponent += rule.inverse_modulus * packing::exact_log(-packing::exact_log(u));
  }
  return rule.stress * packing::exact_exp(exponent);
}

}  // namespace scree::breakage
