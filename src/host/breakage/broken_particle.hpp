#pragma once

#include <cstdint>

#include "host/breakage/fragments.hpp"

namespace scree {

/// A sphere that has broken.
struct BrokenParticle {
  breakage::Parent parent;
  double stress = 0, strength = 0;  ///< [Pa]
  std::uint32_t fragments = 0;      ///< number of fragments
  std::uint64_t first = 0;          ///< id of the first fragment; the ids of the others follow
};

}  // namespace scree
