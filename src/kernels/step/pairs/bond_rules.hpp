#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/logarithm.hpp"
#include "kernels/state/node_bonds.hpp"

/// When bonds are made, and how strong they are.
namespace scree::inline SCREE_BACKEND {

/// How bonds are made between an ordered pair of classes.
struct BondRule {
  double inverse_modulus;  ///< [-] 1 / Weibull's modulus of the strengths; 0: all are equal
  double until;  ///< [s] bonds of spheres are made after the start, too, until this time; 0: only at the start
  std::uint32_t at_start;  ///< 1: bonds are made at the start
};

/// The rules of all pairs, as kernels see them.
struct BondMaking {
  Span<BondRule> rules;  ///< by ordered pair of classes
  std::uint64_t seed;
  index_t n_start;  ///< number of bodies that were there at the start
};

/// Random strengths of bonds. The strength of a bond depends on the seed of the case and the ids of its bodies (and its
/// node) alone, so it is the same in any order, on any backend and after a restart. Its distribution is that of Weibull
/// with the scale 1: P(s > x) = exp(-x^m), drawn as s = (-ln u)^(1/m) with u uniform in (0, 1).
struct BondStrength {
  /// An upper bound of -ln u: the smallest u is 2^-53, so -ln u is at most 53 ln 2.
  static constexpr double most_logarithm = 37.1;

  /// A number that is uniform in (0, 1): an odd multiple of 2^-53. It mixes three words, each by the last step of
  /// SplitMix64.
  SCREE_HD static double uniform(std::uint64_t seed, std::uint64_t bodies, std::uint64_t node) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
    const std::uint64_t word = mixed(mixed(mixed(seed + golden) ^ (bodies + golden)) ^ (node + golden));
    return (double(word >> 12) + 0.5) * 0x1p-52;
  }
  /// The strength of a bond. `first` is the lower of the two ids. A pair of spheres has the node 0, and the bond of a
  /// node has the number of the node plus 1.
  SCREE_HD static double of(const BondRule& rule, std::uint64_t seed, index_t first, index_t second,
                            std::uint64_t node) {
    if (!(rule.inverse_modulus > 0)) { return 1; }
    const std::uint64_t bodies = (std::uint64_t(first) << 32) | std::uint64_t(second);
    return math::exponential(rule.inverse_modulus * math::logarithm(-math::logarithm(uniform(seed, bodies, node))));
  }

 private:
  SCREE_HD static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
};

/// [-] The strength of a bond of nodes.
template <class R>
SCREE_HD double strength_of(const NodeBond<R>& bond, const BondRule& rule, std::uint64_t seed) {
  return BondStrength::of(rule, seed, bond.first, bond.second, std::uint64_t(bond.node) + 1);
}

}  // namespace scree::inline SCREE_BACKEND
