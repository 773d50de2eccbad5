#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// A run as a checkpoint has left it, on the host, to be looked at.
struct RestoredRun {
  std::filesystem::path file;         ///< the checkpoint
  std::vector<std::string> warnings;  ///< about other versions of scree
  Case input;
  Scene scene;
  std::unique_ptr<Engine> engine;
};

/// From a checkpoint, or the newest one in a folder of checkpoints or of a run. The case is that in the checkpoint; the files that it names must still
/// be there. Throws CaseError.
[[nodiscard]] RestoredRun restore_run(const std::filesystem::path& path);

}  // namespace scree
