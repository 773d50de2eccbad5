#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/checkpoint/membrane_arrays.hpp"
#include "host/output/output_queue.hpp"
#include "host/output/output_schedule.hpp"
#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// How many of the newest checkpoints are kept. It is at least one, which an interrupted run needs.
[[nodiscard]] std::uint64_t kept_checkpoints(const std::optional<CheckpointOutput>& output);

/// Removes the oldest checkpoints of an output folder until `keep` are left. Throws OutputError.
void prune_checkpoints(const std::filesystem::path& folder, std::uint64_t keep);

/// Writes checkpoints/step_000001000.h5, and removes the oldest ones once a new one is on the disk. The state is copied
/// by write(). The thread of a queue writes it while the run continues, after all earlier jobs, and one checkpoint at a
/// time.
class CheckpointWriter {
 public:
  /// If the case says nothing about checkpoints, one is due at the end. If it keeps 0 of them, none is due. `input` and
  /// `scene` need not outlive the writer, but `queue` must.
  CheckpointWriter(std::filesystem::path folder, const Case& input, const Scene& scene, std::string case_text,
                   OutputQueue& queue);

  /// Whether the case asks for a checkpoint at this step. `final_one` tells that the run ends here.
  [[nodiscard]] bool due(const Engine& engine, bool final_one) const;
  [[nodiscard]] RunTarget next(const Engine& engine) const;
  /// Copies the present state, and adds that of the simulation. First it waits for the previous checkpoint.
  /// Throws OutputError, also for earlier jobs of the queue that failed; checkpoints on the disk stay.
  void write(Engine& engine, SimulationState beside);
  /// Waits for the newest one; it is then on the disk. Throws OutputError.
  void finish();

  [[nodiscard]] const std::string& last() const { return last_; }  ///< relative to the folder; empty: none yet
  [[nodiscard]] std::uint64_t files() const;                       ///< written and still there

 private:
  std::filesystem::path folder_;
  std::optional<OutputSchedule> schedule_;
  std::uint64_t keep_;
  bool wanted_;  ///< false: only what is asked for is written
  std::string precision_, scene_hash_, files_hash_, modes_hashes_, case_text_, last_;
  std::vector<SavedMembrane> membranes_;
  std::vector<std::uint64_t> written_;
  OutputQueue& queue_;
  std::optional<std::uint64_t> pending_;  ///< number of its job; none: nothing is being written
  std::uint64_t pending_step_ = 0;
};

}  // namespace scree
