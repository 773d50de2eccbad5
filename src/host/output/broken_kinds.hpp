#pragma once

#include <cstdint>

namespace scree {

/// Numbers of rows of broken_bonds.csv so far, by their kind. Bonds of level-set grains have none.
struct BrokenKinds {
  std::uint64_t tension = 0, shear = 0, unclear = 0;
};

}  // namespace scree
