#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/checkpoint/restore_run.hpp"
#include "host/output/folder_lock.hpp"
#include "host/output/run_log.hpp"
#include "host/run/summary.hpp"
#include "scree/build_scene.hpp"
#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/errors.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// Options for the run of a case.
struct CaseRunOptions {
  std::filesystem::path case_file;  ///< where the case comes from, for the log
  std::filesystem::path folder;     ///< output folder; empty: nothing is written
  EngineOptions engine;
  std::optional<std::uint64_t> steps;         ///< instead of the duration
  bool resume = false;                        ///< continue from the newest checkpoint in the folder
  bool overwrite = false;                     ///< begin anew although an interrupted run is in the folder
  bool profile = false;                       ///< the time per stage is shown at the end
  const std::atomic<bool>* stop = nullptr;    ///< ends the run when it becomes true; may be null
  std::function<void()> when_ready = {};      ///< called when all is read and checked, before the folder is touched
  std::function<void()> before_warning = {};  ///< called before a warning is shown during the run
};

/// A case in its output folder, from the reading of its files to the last line of its log. The command line and the
/// Python module share it. The constructor does everything before the first step. It changes the folder only after it
/// has checked everything that can be wrong. A run without a folder writes nothing.
class CaseRun {
 public:
  /// `log` must outlive it. Throws CaseError, BackendError, StateError and OutputError.
  CaseRun(Case input, CaseRunOptions options, RunLog& log);
  CaseRun(const CaseRun&) = delete;
  CaseRun& operator=(const CaseRun&) = delete;

  [[nodiscard]] Simulation& simulation() { return *simulation_; }
  [[nodiscard]] Engine& engine() { return *engine_; }
  [[nodiscard]] const Scene& scene() const { return scene_; }
  [[nodiscard]] const Case& input() const { return input_; }
  [[nodiscard]] const SceneReport& report() const { return report_; }
  /// The case with its time step and duration, as in case.json.
  [[nodiscard]] const std::string& case_text() const { return case_text_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return options_.folder; }

  /// Throws OutputError when the folder or its log has vanished.
  void expect_folder_still_there() const;
  /// Writes the last lines of the log, shows a table of results on the terminal, and unlocks the folder. `stopped_by`
  /// names the cause of an interruption; it is empty if there was none.
  void conclude(RunSummary summary, const std::string& stopped_by);
  /// Writes to the log why the run ended early, and unlocks the folder. Does not throw if the log cannot be written,
  /// since that would hide the reason.
  void note_failure(const std::exception& error);

 private:
  void inspect_folder();
  [[nodiscard]] std::vector<std::string> begin_state(std::optional<std::uint64_t> last_step, SimulationState& beside);
  void open_folder(std::optional<std::uint64_t> resumed_at);
  void note_duration(const RunSummary& summary);
  void show_results(const RunSummary& summary, const std::vector<std::string>& log_lines);

  Case input_;
  Case written_;  ///< the case with the output that is asked for
  CaseRunOptions options_;
  RunLog& log_;
  std::optional<FolderLock> lock_;
  SceneReport report_;
  Scene scene_;
  std::unique_ptr<Engine> engine_;
  std::string case_text_;
  std::string resumed_from_;  ///< checkpoint of a resumed run
  std::optional<Simulation> simulation_;
};

/// Calls a function whose OutputErrors are due to wrong arguments, since the run has not started.
template <class Function>
void as_wrong_argument(const Function& function) {
  try {
    function();
  } catch (const OutputError& error) { throw CaseError("output folder", error.what()); }
}

/// The fault, with a message that also names the file with the state at the fault.
[[nodiscard]] KernelFault with_frame(const KernelFault& fault, const std::filesystem::path& folder);

}  // namespace scree
