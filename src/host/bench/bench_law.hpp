#pragma once

#include <string>
#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// Names of the laws for `scree bench settle`: the words of the case file, and each of them followed by "+rolling" if
/// the law allows rolling resistance.
[[nodiscard]] const std::vector<std::string>& bench_law_names();

/// Gives a scene of box_scene() one of these laws, with values that hardly change a bed at rest: linear springs and
/// bonds as stiff as Hertz's force at the mean overlap, adhesion of a tenth of the weight of a particle, and bonds that
/// do not break. Throws ContractError for an unknown name.
void use_bench_law(Scene& scene, const std::string& name);

}  // namespace scree
