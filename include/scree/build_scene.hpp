#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

class Engine;
class StartPoint;

/// The choices that were made while a case was resolved, for `scree check`, the run's log and case.json.
struct SceneReport {
  double time_step_limit = 0;               ///< [s] Rayleigh time or critical step of the limiting particle
  std::string time_step_reason;             ///< "0.2 of the Rayleigh time 2.6e-4 s of glass spheres of radius 2.5 mm"
  std::string verlet_reason;                ///< "auto: at least 0.1 of the smallest radius 1.9 mm, ..."
  std::vector<std::string> notes;           ///< remarks for the user that are not warnings
  std::vector<std::string> warnings;        ///< a step above the limit, a fill that is nearly full, ...
  std::shared_ptr<const StartPoint> start;  ///< null: the case starts from no checkpoint
};

/// Resolves a case: reads its files, fills its regions, applies its contact rules, and chooses the time step and the
/// Verlet distance. If the case has parcels, the particles of the scene are the parcels. Throws CaseError with every
/// problem found. Equal cases give equal scenes, bit for bit, on every machine.
[[nodiscard]] Scene build_scene(const Case& input, SceneReport& report);

/// Gives an engine of this scene the contacts of the checkpoint from which the case starts, with their histories and
/// bonds. Call it before the first step, with the arguments and results of one call of build_scene(). Returns sentences
/// for the user about contacts that continue and contacts that begin anew; without a checkpoint it returns none. Throws
/// CaseError if the checkpoint does not fit.
[[nodiscard]] std::vector<std::string> continue_contacts(const SceneReport& report, const Case& input,
                                                         const Scene& scene, Engine& engine);

}  // namespace scree
