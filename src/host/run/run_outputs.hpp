#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "host/output/output_schedule.hpp"
#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/engine_state.hpp"
#include "scree/simulation.hpp"

namespace scree {

struct BrokenParticle;
class BrokenBondWriter;
class BrokenParticleWriter;
class CollisionWriter;
class ContactWriter;
class FieldOutputs;
class FrameWriter;
class Insertions;
class LeftWriter;
class OutputFiles;
class OutputQueue;
class SeriesWriter;

/// The state of a run outside of its engine, for the files.
struct RunNow {
  std::string stage;  ///< empty: the run has none
  std::size_t stage_number = 0;
  std::vector<InletReport> inlets;  ///< [n_inlets] in the order of the case
  BreakageReport breakage{};        ///< nothing if spheres do not break
};

/// The files of a run except its checkpoints: frames, series, files of contacts and of fields, left.csv,
/// broken_bonds.csv, broken_particles.csv and collisions.csv, as far as the case asks for them. Files that are copies
/// of the state are written by a thread of the queue, if that is safe. All calls may throw OutputError, also for files
/// that the thread failed to write.
class RunOutputs {
 public:
  /// All arguments must outlive it. Changes nothing in the folder yet. Throws OutputError if a resumed run cannot
  /// continue its files.
  RunOutputs(const Case& input, const Scene& scene, const RunOptions& options, const Engine& engine);
  ~RunOutputs();
  RunOutputs(const RunOutputs&) = delete;
  RunOutputs& operator=(const RunOutputs&) = delete;

  /// Creates the files, or continues them. Warns if a file could not be continued as it was.
  void open();
  [[nodiscard]] RunTarget next(const Engine& engine) const;
  /// Records the particles that came in since the last call.
  void note_insertions(const Engine& engine, std::uint64_t inlet);
  /// Writes the particles that have left since the last call, so that the engine has to remember few of them even if
  /// other output is rare.
  void write_left(Engine& engine);
  /// Writes the spheres that have just broken.
  void write_broken(const std::vector<BrokenParticle>& broken, const Engine& engine);
  /// Writes the output that is due now; all of it if `final_one`.
  void write_due(Engine& engine, const RunNow& now, bool final_one);
  /// Waits until all files but checkpoints are written, so that the caller of the simulation may read them.
  void wait();
  /// Writes the particles that have left, and syncs the tables to the disk, because a run that is resumed from a
  /// checkpoint of this step does not write their earlier rows again.
  void sync(Engine& engine);
  /// Syncs the names of all files that are written by now, before the next job of the queue. To be called before a
  /// checkpoint, since a resumed run does not write earlier files again.
  void sync_names();
  void close();
  /// Writes fault.vtkhdf if that is possible. Does not throw.
  void write_fault_frame(Engine& engine);

  /// Changes intervals at the start of a stage, at this step and time [s].
  void change(const StagedOutput& output, std::uint64_t step, double time);

  /// For a checkpoint of this step.
  [[nodiscard]] OutputStates save(std::uint64_t step) const;
  void restore(const OutputStates& states, Engine& engine);

  [[nodiscard]] std::uint64_t files() const;            ///< written so far
  [[nodiscard]] std::vector<FlowReport> flows() const;  ///< through the planes of probes
  [[nodiscard]] OutputQueue& queue() { return *queue_; }

 private:
  void warn(const std::vector<std::string>& notes) const;
  [[nodiscard]] std::set<std::filesystem::path> folders() const;
  [[nodiscard]] bool writes_by_thread(std::uint64_t bytes) const;
  template <class Writer>
  void write_copy(Writer& writer, Engine& engine);

  const Scene& scene_;
  const RunOptions& options_;
  std::unique_ptr<Insertions> insertions_;  ///< null: not needed
  std::unique_ptr<FrameWriter> frames_;     ///< null: not requested; likewise the writers below
  std::unique_ptr<ContactWriter> contacts_;
  std::unique_ptr<FieldOutputs> fields_;
  std::unique_ptr<SeriesWriter> series_;
  std::unique_ptr<LeftWriter> left_;
  std::unique_ptr<BrokenBondWriter> bonds_;
  std::unique_ptr<BrokenParticleWriter> broken_;
  std::unique_ptr<CollisionWriter> collisions_;
  std::vector<OutputFiles*> all_;       ///< the writers that were requested
  std::uint64_t last_copy_ = 0;         ///< number of the last job that writes a frame, contacts or fields
  std::unique_ptr<OutputQueue> queue_;  ///< its jobs use the writers above and that of checkpoints
};

}  // namespace scree
