#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// A sentence for the log about the nodes of a membrane. `radius` [m] is that of a node, `path` that of the entry.
[[nodiscard]] std::string membrane_text(const std::string& path, const MembraneLattice& lattice, const Membrane& source,
                                        double radius);

/// Names of the membranes of a case, in the order of Scene::membranes.
[[nodiscard]] std::vector<std::string> membrane_names(const Case& input);

/// Appends membranes to the scene, beside those of a start. The ids of their nodes count from the particle `n_before`
/// of the scene. Afterwards all membranes are in the order of their entries.
void add_membranes(std::vector<SceneMembrane> placed, std::size_t n_before, Scene& scene);

/// Complains about two membranes with the same name, about a membrane in a periodic cell, and about a law that does not
/// bond the nodes. Needs the contact rules and the cell.
void check_membranes(const Case& input, const Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
