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

/// A run that is restored from a checkpoint on the host, for commands that inspect it.
struct RestoredRun {
  std::filesystem::path file;         ///< the checkpoint
  std::vector<std::string> warnings;  ///< about checkpoints of other versions of scree
  Case input;
  Scene scene;
  std::unique_ptr<Engine> engine;
};

/// Restores an engine of this case from a checkpoint. Returns the parts of the state that belong to the simulation.
/// Throws StateError if the checkpoint does not fit the case or has impossible values.
[[nodiscard]] SimulationState restore_checked(Engine& engine, const Case& input, const Scene& scene,
                                              Checkpoint& checkpoint);

/// Restores a run from a checkpoint, or from the newest one in a folder of checkpoints or of a run. It uses the case in
/// the checkpoint, whose files must still exist. Throws CaseError if this is not possible.
[[nodiscard]] RestoredRun restore_run(const std::filesystem::path& path);

}  // namespace scree
