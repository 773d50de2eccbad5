#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "host/checkpoint/checkpoint_file.hpp"
#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// The state of a run that a checkpoint has, on the host, for commands that look at it.
struct RestoredRun {
  std::filesystem::path file;         ///< the checkpoint
  std::vector<std::string> warnings;  ///< about other versions of scree
  Case input;
  Scene scene;
  std::unique_ptr<Engine> engine;
};

/// Restores an engine of this case from a checkpoint. Returns what belongs to the simulation and not to the engine.
/// Throws StateError if the checkpoint does not fit the case or has impossible values.
[[nodiscard]] SimulationState restore_checked(Engine& engine, const Case& input, const Scene& scene,
                                              Checkpoint& checkpoint);

/// Restores a run from a checkpoint, or from the newest one in a folder of checkpoints or of a run. The case is that in
/// the checkpoint; the files that it names must still be there. Throws CaseError.
[[nodiscard]] RestoredRun restore_run(const std::filesystem::path& path);

}  // namespace scree
