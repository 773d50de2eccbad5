#pragma once

#include <string>
#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// Laws that `scree bench settle` can run its bed with: the words of the case file, and each with "+rolling" behind it.
[[nodiscard]] const std::vector<std::string>& bench_law_names();

/// Gives a scene of box_scene() one of these laws, with values that leave a bed at rest much as it is: linear springs
/// and bonds as stiff as Hertz's at its mean overlap, adhesion of a tenth of a particle's weight, bonds that hold.
void use_bench_law(Scene& scene, const std::string& name);

}  // namespace scree
