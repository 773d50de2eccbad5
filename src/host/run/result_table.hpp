#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/engine.hpp"
#include "scree/scene.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// The results that users need first after a run, as an aligned table for the terminal: particles, flows, energies, the
/// largest overlap, the step compared to the critical one, speed, and the output folder. A value that was not measured
/// has no row. `folder` is empty if nothing was written.
[[nodiscard]] std::vector<std::string> result_table(const RunSummary& summary, const Scene& scene, Engine& engine,
                                                    const std::filesystem::path& folder);

/// The time of each stage of a run: search, contacts, boundaries, motion, output..., as a share of the wall time and
/// per particle-step.
[[nodiscard]] std::vector<std::string> profile_table(const RunSummary& summary, Engine& engine);

/// The stage of that table to which a kind of launch of the engine belongs (LaunchTime::kind): "search" for "search:
/// sort". Empty for readouts, whose time is part of the time of the output.
[[nodiscard]] std::string stage_of_launch(const std::string& launch);

}  // namespace scree
