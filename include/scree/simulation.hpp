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

/// The state of an inlet. Together with the state of the engine it is all that a continued run needs of the inlet.
struct InletState {
  std::uint64_t entry = 0;          ///< index in Case::particles
  std::uint64_t made = 0;           ///< particles inserted so far
  double mass = 0;                  ///< [kg] their mass
  bool warned = false;              ///< the warning that it cannot keep its rate was given
  std::vector<double> part_mass{};  ///< [kg] mass of each part of a mixture; empty without one
  bool operator==(const InletState&) const = default;
};

/// Summary of the particles of an inlet.
struct InletReport {
  std::uint64_t entry = 0;  ///< index in Case::particles
  std::string name;         ///< of the inlet; empty: it has none
  std::uint64_t made = 0;   ///< particles inserted so far
  double mass = 0;          ///< [kg] their mass
  bool by_mass = false;     ///< `due` is a mass [kg]; otherwise a number of particles
  double due = 0;           ///< amount due by its rate and its limits
};

/// The number of spheres that have broken so far, and what they became.
struct BreakageReport {
  std::uint64_t broken = 0;     ///< spheres
  std::uint64_t fragments = 0;  ///< spheres that took their place
  double fines = 0;             ///< [kg] mass between the fragments, which left the run
};

/// Flow through an outlet, into a region that removes particles, or through the plane of a probe.
struct FlowReport {
  std::string name;            ///< of the outlet, the region or the probe
  bool is_probe = false;       ///< sampled at the rows of the series; else every 200 steps
  double rate = 0;             ///< [kg/s]
  double from = 0, until = 0;  ///< [s] time over which the rate was taken
  double mass = 0;             ///< [kg] during this run; net mass along the normal of a probe's plane
  bool is_steady = false;      ///< slope while 10 to 60 % of the mass passed; else mean of the whole flow
};

/// Options of a Simulation.
struct RunOptions {
  std::filesystem::path folder;             ///< output folder; must exist. Empty: nothing is written
  std::optional<std::uint64_t> steps = {};  ///< number of steps, instead of Case::time.duration
  const std::atomic<bool>* stop = nullptr;  ///< the run ends after the step in which it becomes true; may be null
  std::function<void(const std::string&)> warn = {};  ///< gets warnings for the user during the run
  std::function<void(const std::string&)> note = {};  ///< gets lines for the log, such as a note that a stage begins
  bool resumed = false;                               ///< the engine was restored: continue the files in the folder
  std::string case_text = {};                         ///< stored in checkpoints; empty: the given case
};

/// The progress of a run, for a display.
struct RunProgress {
  std::uint64_t step = 0, first_step = 0, last_step = 0;  ///< last_step 0: the run ends by its time
  double time = 0, first_time = 0, end_time = 0;          ///< [s] simulated
  double wall_seconds = 0;                                ///< since run() began
  double particle_steps = 0;                              ///< number of particles, summed over the steps made
  double stepping_seconds = 0;                            ///< wall time within the engine
  std::uint64_t particles = 0;
  std::uint64_t contacts = 0;  ///< touching contacts between particles and with boundaries
};
using ProgressFunction = std::function<void(const RunProgress&)>;

/// The summary of a run.
struct RunSummary {
  bool interrupted = false;
  std::uint64_t steps = 0;      ///< steps made by this run
  double time = 0;              ///< [s] simulated, at the end
  double wall_seconds = 0;      ///< duration of run()
  double stepping_seconds = 0;  ///< time within the engine
  double output_seconds = 0;    ///< time for snapshots and files, as far as the run waited for them
  double particle_steps = 0;    ///< number of particles, summed over the steps
  double contact_steps = 0;     ///< number of contacts, summed over the steps; sampled about five times a second
  std::uint64_t files = 0;      ///< files written into the output folder
  double first_time = 0;        ///< [s] simulated, at the start of this run
  double last_step_length = 0;  ///< [s]
  double fixed_step = 0;        ///< [s] given length of the steps at the end; 0: the steps follow the contacts
  CriticalStep critical;        ///< at the end
  ContactWatch watch;           ///< at the end
  std::vector<InletReport> inlets;
  std::optional<BreakageReport> breakage;  ///< none: spheres do not break
  std::vector<FlowReport> flows;           ///< the flows that could be measured
  double kinetic_energy = 0;               ///< [J] at the end, as in the series
  /// [J] at the end; it is 0 for a particle at the origin. None without gravity, and in a periodic cell
  std::optional<double> potential_energy;
  /// the softer material of the contact with the largest overlap of the run, if that is above 1 %
  std::optional<std::uint32_t> soft_material;
  std::string overlap_partner;  ///< the other side of that contact, as "particle 7"; empty: not known
  /// step of the largest overlap that RunOptions::warn has reported; none: it has reported no overlap
  std::optional<double> told_overlap_step;
  std::string checkpoint;  ///< the last written checkpoint, relative to the folder; empty: none
};

class BoundaryTimes;
class ParticleBreakage;
class CheckpointWriter;
class Inlets;
class OutletFlows;
class RunOutputs;
class Servos;
class Stages;
struct RunTarget;

/// The state of the output of a run. Checkpoints contain it, so that a resumed run can continue its files.
struct OutputStates {
  std::vector<StateArray> probes;  ///< values that probes of the series remember
  std::vector<StateArray> fields;  ///< sums over the present windows of field outputs
  std::vector<StateArray> left;    ///< times at which particles came in, for left.csv and mean residence times
  std::vector<StateArray> bonds;   ///< bonds that were intact when broken_bonds.csv was last written
};

/// The state of a simulation in addition to the state of its engine.
struct SimulationState {
  std::vector<InletState> inlets;  ///< [n_inlets] in the order of the case
  /// times at which the stages so far began, forces of walls that hold a stress, and counts of breakage; empty in a run
  /// without these
  std::vector<StateArray> stages;
  OutputStates outputs;
};

/// Drives an engine through a whole run and writes its output. The run ends at its last step, at its end time, when its
/// last stage or the last stage of the cell is over, or by the stop flag.
///
/// Times of output: if the case asks for them, frames and series are written at the start, at the first step at or
/// after each multiple of `every`, without drift, and at the end. Checkpoints are written likewise except at the start,
/// and always when the run is interrupted.
///
/// Threads: at most one thread may use a simulation and its engine at a time; another thread may set the stop flag. For
/// frames, files of contacts and of fields, and checkpoints the simulation copies the state, and a thread of its own
/// writes the copy while the run continues. The run waits while three copies are not written yet. When begin() and
/// advance() return, all files but checkpoints are written; when finish() returns, all files are. Frames and files of
/// contacts are written without that thread if they are small, or while the disk has little room.
class Simulation {
 public:
  /// `scene` was resolved from `input`, and `engine` was made from `scene`; all three must outlive the simulation.
  /// Changes nothing in the output folder yet. Throws OutputError if a resumed run cannot continue its files.
  Simulation(const Case& input, const Scene& scene, Engine& engine, RunOptions options);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Runs to the end or to the stop flag. `progress` is called several times a second and cannot change results. Call
  /// it once. Throws KernelFault after the state was written to fault.vtkhdf, OutputError after an attempt to write a
  /// checkpoint, and BackendError.
  RunSummary run(const ProgressFunction& progress = {});

  // run() in parts, for a program that looks at the run or steers it in between: call begin() once, advance() any
  // number of times, and finish() once. The results do not depend on the parts.
  void begin();
  /// Runs up to the step `target`, the end or the stop flag, and writes the output that is due. When `progress` throws,
  /// the run stands between two steps, and advance() can be called again.
  void advance(std::uint64_t target, const ProgressFunction& progress = {});
  /// Ends the run at the present step. If the run has not come to its end, it counts as interrupted: the present state
  /// is written as a checkpoint, from which the run can be resumed.
  RunSummary finish();
  /// Whether the run has come to its end.
  [[nodiscard]] bool over() const;
  /// Changes a group as Engine::set_group() does, and also for the particles that inlets insert from now on.
  void set_group(std::size_t index, const GroupChange& change);
  /// Writes a checkpoint of the present step and waits for it; returns its name, relative to the folder.
  std::string write_checkpoint();

  [[nodiscard]] std::uint64_t last_step() const { return last_step_; }  ///< step at which the run ends at the latest

  /// The state that a continued run needs in addition to that of the engine.
  [[nodiscard]] SimulationState state() const;
  /// Restores a state. The engine must be in the state of the same moment. Repeats the changes of all stages so far in
  /// the engine. A run that continues its files must be restored before run(). Throws ContractError unless there is one
  /// state for each inlet, and StateError if the arrays do not fit.
  void restore(const SimulationState& state);

 private:
  template <class Part>
  void guard(const Part& part);
  void advance_to(const RunTarget& target, const ProgressFunction& progress);
  void look_at_contacts();
  void break_particles();
  void feed_inlets();
  bool look_at_stages();
  void switch_boundaries();
  void complete_moment();
  void begin_stage(const SceneStage& stage, std::uint64_t step, double time);
  void write_due_output(bool final_one);
  void wait_for_output();
  void write_due_checkpoint(bool final_one);
  void save();
  std::string rescue_state();
  void sample_counts(double now);
  void look_at_histories();
  void warn_all(const std::vector<std::string>& warnings) const;
  void look_at_end();
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] RunProgress progress_now(double now) const;

  const Case case_;  ///< the case of the parcels, if there are parcels
  const Scene& scene_;
  Engine& engine_;
  RunOptions options_;
  std::uint64_t first_step_;
  double first_time_;  ///< [s]
  std::uint64_t last_step_;
  double end_time_;                             ///< [s] with an adaptive step; otherwise infinite
  std::optional<std::uint64_t> saved_step_;     ///< step of the last checkpoint
  std::optional<std::uint64_t> final_step_;     ///< step whose output was written as the last output
  std::optional<std::uint64_t> fed_step_;       ///< step of the last feeding of inlets
  ContactWatch warned_;                         ///< the values about which the user was warned so far
  double warned_step_ = 0;                      ///< [s] fixed_step at these warnings
  double named_overlap_ = 0;                    ///< [-] the largest overlap whose partner was looked for
  bool looked_for_bonds_ = false;               ///< whether the check for missing bonds was made
  std::unique_ptr<Inlets> inlets_;              ///< null: the case has none
  std::unique_ptr<ParticleBreakage> breakage_;  ///< null: spheres do not break
  std::unique_ptr<Stages> stages_;
  std::unique_ptr<Servos> servos_;
  std::unique_ptr<BoundaryTimes> boundary_times_;
  std::unique_ptr<OutletFlows> flows_;
  std::unique_ptr<RunOutputs> outputs_;
  std::unique_ptr<CheckpointWriter> checkpoints_;
  RunSummary summary_;
  EngineCounts counts_;
  bool histories_told_ = false;
  double counts_sampled_ = 0;  ///< [s] wall time at which counts_ was read
  double start_ = 0;           ///< [s] start of run(), by the steady clock
  std::uint64_t chunk_ = 1;    ///< steps per call of the engine
  bool closing_ = false;       ///< finish() was called
};

}  // namespace scree
