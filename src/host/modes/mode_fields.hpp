#pragma once

#include "host/modes/elastic_body.hpp"

namespace scree::modes {

/// Converts modes of a mesh to modes of a template.
///
/// `modes` [unknowns x n_modes] are displacements of the points of the mesh without rigid-body motion. Each mode is
/// scaled in place such that the largest displacement of a node is 1. Points of the grid that belong to the mesh, up to
/// one layer outside the grain, have the displacements of the mesh. Points near the surface have the displacement of
/// the nearest point of the surface. Farther points have the mean of their neighbours nearer to the grain. Mass and
/// stiffness are those of the mesh. Table, terms, `largest` and `source` stay empty. Throws CaseError (path: the name
/// of the grain) if a node lies in no cell.
[[nodiscard]] GrainModes modes_of_template(const GrainShape& shape, const ElasticBody& body, Matrix& modes,
                                           double poisson_ratio);

}  // namespace scree::modes
