#pragma once

#include <array>
#include <cstdint>

#include "scree/case.hpp"

namespace scree::packing {

/// Random numbers with the same bits everywhere: xoshiro256++ (Blackman, Vigna 2019), seeded by SplitMix64. Different
/// streams of one seed are independent, so that a change of one group of particles does not change the others.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream);

  [[nodiscard]] std::uint64_t bits();                      ///< 64 random bits
  [[nodiscard]] double uniform();                          ///< [0, 1), a multiple of 2^-53
  [[nodiscard]] double uniform(double low, double high);   ///< [low, high]
  [[nodiscard]] std::uint64_t below(std::uint64_t count);  ///< 0 .. count - 1, without bias; count > 0
  [[nodiscard]] double normal();                           ///< mean 0, deviation 1 (Marsaglia's polar method)
  [[nodiscard]] Real3 in_ball();                           ///< uniform in the unit ball

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace scree::packing
