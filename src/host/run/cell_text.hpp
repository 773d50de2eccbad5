#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// Label and text of each line about the periodic cell of a scene: its size, how far it may shrink, and how it is
/// controlled. Stages have the number that the series has, from 0. Empty without a cell.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> cell_lines(const Scene& scene);

/// The stage and the strain that the cell has reached.
[[nodiscard]] std::string cell_state_text(const CellState& state, const PeriodicCell& cell);

/// I = rate d sqrt(density / pressure) [-] of the fastest strain rate that a stage prescribes, under the mean of its
/// normal goals of stress, for the mean diameter and density of the particles; 0 where it prescribes no rate or no
/// pressure.
[[nodiscard]] double prescribed_inertial_number(const CellStage& stage, const Scene& scene);

}  // namespace scree
