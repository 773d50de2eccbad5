#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/build_scene.hpp"
#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"
#include "scree/simulation.hpp"

namespace scree {

struct StartInfo {
  std::filesystem::path case_file, folder;
  std::string backend_reason;  ///< why this backend was taken; may be empty
  std::uint64_t steps = 0;
  bool ends_by_step = false;  ///< the run ends after `steps` steps although the step adapts
};

/// The lines before the first step.
[[nodiscard]] std::vector<std::string> start_lines(const Case& input, const Scene& scene, const SceneReport& report,
                                                   Engine& engine, const StartInfo& info);

/// The particle that limits the time step: "3.2e-06 s of the rotation of particle 17 (glass, radius 2.5 mm, 6 contacts,
/// stiffest with ...)".
[[nodiscard]] std::string critical_step_text(const CriticalStep& limit, const Scene& scene);

/// The lines after the last step: speed, time per stage, memory, removed particles, files and the state hash.
[[nodiscard]] std::vector<std::string> summary_lines(const RunSummary& summary, const Scene& scene, Engine& engine);

}  // namespace scree
