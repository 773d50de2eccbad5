#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/engine_state.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Where an inlet stands: with the state of the engine, all that a continued run needs of it.
struct InletState {
  std::uint64_t entry = 0;  ///< index in Case::particles
  std::uint64_t made = 0;   ///< particles so far
  double mass = 0;          ///< [kg] of them
  bool warned = false;      ///< it was said that it cannot keep its rate
  bool operator==(const InletState&) const = default;
};

/// What an inlet has brought.
struct InletReport {
  std::uint64_t entry = 0;  ///< index in Case::particles
  std::uint64_t made = 0;
  double mass = 0;       ///< [kg]
  bool by_mass = false;  ///< `due` is a mass [kg]; else a number of particles
  double due = 0;        ///< by its rate and its limits
};

struct RunOptions {
  std::filesystem::path folder;             ///< where output goes; must exist
  std::optional<std::uint64_t> steps = {};  ///< run so many steps instead of Case::time.duration
  const std::atomic<bool>* stop = nullptr;  ///< the run ends after the step in which this becomes true; may be null
  std::function<void(const std::string&)> warn = {};  ///< told what the user should know while the run goes on
  bool resumed = false;                               ///< the engine was restored: files in the folder are continued
  std::string case_text = {};                         ///< kept in checkpoints; empty: the case as it was given
};

/// Where a run stands, for a progress display.
struct RunProgress {
  std::uint64_t step = 0, first_step = 0, last_step = 0;  ///< last_step 0: the run ends by its time
  double time = 0, first_time = 0, end_time = 0;          ///< [s] simulated
  double wall_seconds = 0;                                ///< since run() began
  double particle_steps = 0;                              ///< sum over the steps done of the particles in the run
  double stepping_seconds = 0;                            ///< wall time within the engine
  std::uint64_t particles = 0;
  std::uint64_t contacts = 0;  ///< between particles and with boundaries
};
using ProgressFunction = std::function<void(const RunProgress&)>;

/// What a run did.
struct RunSummary {
  bool interrupted = false;
  std::uint64_t steps = 0;      ///< done by this run
  double time = 0;              ///< [s] simulated, at the end
  double wall_seconds = 0;      ///< all of run()
  double stepping_seconds = 0;  ///< within the engine
  double output_seconds = 0;    ///< snapshots and files
  double particle_steps = 0;    ///< sum over the steps of the particles in the run
  double contact_steps = 0;     ///< sum over the steps of the contacts, sampled about five times a second
  std::uint64_t files = 0;      ///< written into the output folder
  double first_time = 0;        ///< [s] simulated, at the start of this run
  double last_step_length = 0;  ///< [s]
  CriticalStep critical;        ///< at the end
  ContactWatch watch;           ///< likewise
  std::vector<InletReport> inlets;
  std::string checkpoint;  ///< the last one that was written, relative to the folder; empty: none
};

class CheckpointWriter;
class FrameWriter;
class Inlets;
class SeriesWriter;
struct RunTarget;

/// A case while it runs: drives an engine to the end, or until the last stage of its cell is over, and writes frames
/// and series where the case asks for them, at the start, at each multiple of `every` (rounded to whole steps, without
/// drift) and at the end; checkpoints too, apart from the start, and always when the run is interrupted. Where the step
/// adapts: at the first step at or after a multiple.
class Simulation {
 public:
  /// All references must outlive the simulation. Changes nothing in the output folder yet, but looks at what a resumed
  /// run is to continue: throws OutputError when it cannot.
  Simulation(const Case& input, const Scene& scene, Engine& engine, RunOptions options);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Runs to the end, or to the stop flag. `progress` is called several times a second and never changes results.
  /// Throws OutputError; KernelFault after the state was written to fault.vtkhdf; BackendError.
  RunSummary run(const ProgressFunction& progress = {});

  [[nodiscard]] std::uint64_t last_step() const { return last_step_; }

  /// One per inlet of the case, in its order. To be restored before run(), with an engine in the same state.
  [[nodiscard]] std::vector<InletState> inlet_states() const;
  void restore_inlets(const std::vector<InletState>& states);
  /// What probes of the series remembered; likewise. Throws StateError.
  void restore_probes(const std::vector<StateArray>& arrays);

 private:
  void open_output();
  void run_to_end(const ProgressFunction& progress);
  void advance_to(const RunTarget& target, const ProgressFunction& progress);
  void look_at_contacts();
  [[nodiscard]] bool over() const;
  void feed_inlets();
  void write_due_output(bool final_one);
  void write_due_checkpoint(bool final_one);
  void save();
  std::string rescue_state();
  void write_fault_frame();
  void sample_counts(double now);
  [[nodiscard]] RunTarget next_output() const;
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] RunProgress progress_now(double now) const;

  const Scene& scene_;
  Engine& engine_;
  RunOptions options_;
  std::uint64_t first_step_;
  double first_time_;  ///< [s]
  std::uint64_t last_step_;
  double end_time_;  ///< [s] where the step adapts; else infinite
  std::optional<std::uint64_t> saved_step_,
      fed_step_;                          ///< of the last checkpoint; up to which inlets have brought particles
  ContactWatch warned_;                   ///< what the user was told of
  std::unique_ptr<Inlets> inlets_;        ///< null: there are none
  std::unique_ptr<FrameWriter> frames_;   ///< null: not asked for
  std::unique_ptr<SeriesWriter> series_;  ///< null: not asked for
  std::unique_ptr<CheckpointWriter> checkpoints_;
  RunSummary summary_;
  EngineCounts counts_;
  double counts_sampled_ = 0;  ///< [s] wall time of counts_
  double start_ = 0;           ///< [s] of the steady clock
  std::uint64_t chunk_ = 1;    ///< steps per call of the engine
};

}  // namespace scree
