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

/// The number of newest checkpoints that are kept. It is at least one, because an interrupted run needs one.
[[nodiscard]] std::uint64_t kept_checkpoints(const std::optional<CheckpointOutput>& output);

/// Removes the oldest checkpoints of an output folder until `keep` are left. Throws OutputError if one cannot be
/// removed.
void prune_checkpoints(const std::filesystem::path& folder, std::uint64_t keep);

/// Writes checkpoints (checkpoints/step_000001000.h5), and removes the oldest once a new one is on the disk. write()
/// copies the state. Then the thread of a queue writes the file while the run continues, after all earlier jobs and one
/// checkpoint at a time.
class CheckpointWriter {
 public:
  /// If the case says nothing about checkpoints, one is due at the end. If it keeps 0 of them, none is due. `input` and
  /// `scene` need not outlive the writer, but `queue` must.
  CheckpointWriter(std::filesystem::path folder, const Case& input, const Scene& scene, std::string case_text,
                   OutputQueue& queue);

  /// Whether a checkpoint is due at this step. `final_one` is true if the run ends here.
  [[nodiscard]] bool due(const Engine& engine, bool final_one) const;
  /// The step or time at which the next checkpoint is due.
  [[nodiscard]] RunTarget next(const Engine& engine) const;
  /// Waits for the previous checkpoint, copies the present state, and adds the state of the simulation. Throws
  /// OutputError if this or an earlier job of the queue fails; checkpoints on the disk stay.
  void write(Engine& engine, SimulationState beside);
  /// Waits until the newest checkpoint is on the disk. Throws OutputError if it cannot be written.
  void finish();

  /// The path of the last checkpoint relative to the folder; empty if there is none yet.
  [[nodiscard]] const std::string& last() const { return last_; }
  /// The number of checkpoints that this writer has written and that still exist.
  [[nodiscard]] std::uint64_t files() const;

 private:
  std::filesystem::path folder_;
  std::optional<OutputSchedule> schedule_;
  std::uint64_t keep_;
  bool wanted_;  ///< false: no checkpoint is due by itself
  std::string precision_, scene_hash_, files_hash_, modes_hashes_, case_text_, last_;
  std::vector<SavedMembrane> membranes_;
  std::vector<std::uint64_t> written_;
  OutputQueue& queue_;
  std::optional<std::uint64_t> pending_;  ///< number of the job that writes a checkpoint; none: no such job
  std::uint64_t pending_step_ = 0;
};

}  // namespace scree
