#pragma once

#include "host/modes/elastic_body.hpp"

namespace scree::modes {

/// Modes of a mesh as those of a template.
///
/// `modes` [unknowns x n]: displacements of the points of the mesh, without rigid motion. Each is scaled in place, such
/// that the largest displacement of a node is 1. Its values at nodes are those of the mesh. On the grid it has the
/// values of the mesh where there are any, which is one layer of points outside of the grain; behind these it is
/// constant along the normal of the surface, and farther away every point has the mean of its neighbours nearer to the
/// grain. Mass and stiffness are those of the mesh. Table, terms, `largest` and `source` are left empty. Throws
/// CaseError (path: the name of the grain) if a node lies in no cell.
[[nodiscard]] GrainModes modes_of_template(const GrainShape& shape, const ElasticBody& body, Matrix& modes,
                                           double poisson_ratio);

}  // namespace scree::modes
