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

/// Spheres of one radius [m] around a cylinder. As few nodes stand in a ring, and as few rings on the cylinder, as
/// reach so far that each node touches its neighbours. So neighbours overlap a little, by up to 2/n of the radius,
/// where n is the number of nodes in a ring or that of rings, whichever is smaller. Throws CaseError with paths below
/// the membrane.
[[nodiscard]] MembraneNodes membrane_nodes(const Membrane& membrane, double radius);

}  // namespace scree::packing
