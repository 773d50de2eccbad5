#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/engine_state.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// What checkpoints/step_000001000.h5 holds.
struct Checkpoint {
  std::uint64_t step = 0;
  double time = 0;              ///< [s]
  std::uint64_t particles = 0;  ///< in the run
  std::string precision;        ///< "mixed" or "double"
  std::string version;          ///< of scree
  std::string state_hash;       ///< StateHash::text()
  std::string scene_hash;       ///< scene_hash()
  std::string files_hash = {};  ///< files_hash(); empty: that of an older version, which does not tell it
  /// modes_hashes() of the scene; empty: no grain deforms, or that of an older version, which does not tell it
  std::string modes_hashes = {};
  std::string case_text;  ///< case.json of the run
  EngineState state;
};

/// The checkpoint belongs to another version of scree, but is not damaged.
class FormatError : public StateError {
 public:
  using StateError::StateError;
};

/// Hash of what the scene takes from files and random numbers: particles of the start and meshes.
[[nodiscard]] std::string scene_hash(const Scene& scene);

/// Writes the file whole or not at all: an HDF5 file, followed by a line with its length and checksum. Arrays are
/// written one after the other, and the memory of each is released. Data that other threads use are not touched. Throws
/// OutputError.
void write_checkpoint(const std::filesystem::path& file, Checkpoint checkpoint);

/// Throws StateError, with one sentence, if the file is damaged or is no checkpoint; FormatError. Engine::restore()
/// decides whether the content is possible.
[[nodiscard]] Checkpoint read_checkpoint(const std::filesystem::path& file);

/// Whether the file ends as a checkpoint does.
[[nodiscard]] bool is_checkpoint(const std::filesystem::path& file);

/// "step_000001000.h5".
[[nodiscard]] std::string checkpoint_name(std::uint64_t step);

/// Checkpoints in a folder with the step that their name says, in ascending order.
[[nodiscard]] std::vector<std::pair<std::uint64_t, std::filesystem::path>> checkpoints_in(
    const std::filesystem::path& folder);

/// The file itself, or the newest checkpoint of a folder of checkpoints or of a run. Throws StateError.
[[nodiscard]] std::filesystem::path newest_checkpoint(const std::filesystem::path& path);

}  // namespace scree
