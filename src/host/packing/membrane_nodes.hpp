#pragma once

#include "host/packing/fill.hpp"
#include "scree/case.hpp"
#include "scree/scene_membranes.hpp"

namespace scree::packing {

/// The nodes of a membrane, in the order of MembraneLattice.
struct MembraneNodes {
  MembraneLattice lattice;
  Spheres spheres;
};

/// The nodes of a membrane: spheres of one radius [m] around a cylinder. The number of nodes in a ring and the number
/// of rings are the smallest with which each node touches its neighbours. So neighbours overlap by up to 2/n of the
/// radius, where n is the smaller of the two numbers. Throws CaseError with paths below the membrane if it is too
/// small.
[[nodiscard]] MembraneNodes membrane_nodes(const Membrane& membrane, double radius);

}  // namespace scree::packing
