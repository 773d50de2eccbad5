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

/// A run as a checkpoint has left it, on the host, to be looked at.
struct RestoredRun {
  std::filesystem::path file;         ///< the checkpoint
  std::vector<std::string> warnings;  ///< about other versions of scree
  Case input;
  Scene scene;
  std::unique_ptr<Engine> engine;
};

/// Puts an engine of this case where a checkpoint stands, and takes from the checkpoint what is not for the engine.
/// Throws StateError when it does not fit, or tells what cannot be.
[[nodiscard]] SimulationState restore_checked(Engine& engine, const Case& input, const Scene& scene,
                                              Checkpoint& checkpoint);

/// From a checkpoint, or the newest one in a folder of checkpoints or of a run. The case is that in the checkpoint; the
/// files that it names must still be there. Throws CaseError.
[[nodiscard]] RestoredRun restore_run(const std::filesystem::path& path);

}  // namespace scree
