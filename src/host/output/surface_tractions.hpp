#pragma once

#include <optional>
#include <vector>

#include "host/output/grain_surfaces.hpp"
#include "scree/engine.hpp"

namespace scree {

/// [n_vertices] [Pa] Contact forces per area on the surfaces of grains, at their vertices. The force of each node that
/// touches acts on the nearest vertex of each of the two grains, and a vertex represents a third of the triangles
/// around it. So the integral over a surface, linear in its triangles, is the contact force of the grain. `cell` is the
/// periodic cell, if there is one.
[[nodiscard]] std::vector<Real3> surface_tractions(const GrainSurfaces& surfaces,
                                                   const std::vector<TouchingNode>& nodes,
                                                   const std::optional<CellState>& cell);

}  // namespace scree
