#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/engine_state.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The content of a checkpoint, such as checkpoints/step_000001000.h5.
struct Checkpoint {
  std::uint64_t step = 0;
  double time = 0;              ///< [s]
  std::uint64_t particles = 0;  ///< number of particles in the run
  std::string precision;        ///< "mixed" or "double"
  std::string version;          ///< version of scree
  std::string state_hash;       ///< StateHash::text()
  std::string scene_hash;       ///< scene_hash()
  std::string files_hash = {};  ///< files_hash(); empty in checkpoints of older versions
  /// modes_hashes() of the scene; empty if no grain deforms, and in checkpoints of older versions
  std::string modes_hashes = {};
  std::string case_text;  ///< case.json of the run
  EngineState state;
};

/// The error for a checkpoint that is not damaged but has the format of another version of scree.
class FormatError : public StateError {
 public:
  using StateError::StateError;
};

/// A hash of the data of the scene that come from files and random numbers: particles of the start and meshes.
[[nodiscard]] std::string scene_hash(const Scene& scene);

/// Writes a checkpoint whole or not at all: an HDF5 file, followed by a line with its length and checksum. The memory
/// of each array is released once it is written. Uses no data of other threads. Throws OutputError if the file cannot
/// be written.
void write_checkpoint(const std::filesystem::path& file, Checkpoint checkpoint);

/// Reads a checkpoint. Throws StateError if the file is damaged or is not a checkpoint, and FormatError if it has the
/// format of another version. Engine::restore() checks the content.
[[nodiscard]] Checkpoint read_checkpoint(const std::filesystem::path& file);

/// Whether a file ends with the last line of a checkpoint.
[[nodiscard]] bool is_checkpoint(const std::filesystem::path& file);

/// The file name of the checkpoint of a step: "step_000001000.h5".
[[nodiscard]] std::string checkpoint_name(std::uint64_t step);

/// The steps and paths of the checkpoints in a folder, in ascending order of the steps, which come from the file names.
[[nodiscard]] std::vector<std::pair<std::uint64_t, std::filesystem::path>> checkpoints_in(
    const std::filesystem::path& folder);

/// The newest checkpoint in a folder of checkpoints or of a run, or `path` itself if it is a file. Throws StateError if
/// there is none.
[[nodiscard]] std::filesystem::path newest_checkpoint(const std::filesystem::path& path);

}  // namespace scree
