#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// A sentence for the log about the nodes of a membrane with this radius [m]. `path` is that of its entry.
[[nodiscard]] std::string membrane_text(const std::string& path, const MembraneLattice& lattice, const Membrane& source,
                                        double radius);

/// Names of the membranes of a case, in the order of Scene::membranes.
[[nodiscard]] std::vector<std::string> membrane_names(const Case& input);

/// Gives the scene membranes whose particles stand behind the first `n_before` particles, beside those of a start.
/// All are in the order of their entries then.
void add_membranes(std::vector<SceneMembrane> placed, std::size_t n_before, Scene& scene);

/// Complains about two membranes with one name, about a periodic cell, and about nodes that nothing bonds. Needs the
/// contact rules and the cell.
void check_membranes(const Case& input, const Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
