#include "host/commands/run.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <system_error>
#include <variant>

#include "host/app/exit_code.hpp"
#include "host/app/interrupt.hpp"
#include "host/checkpoint/checkpoint_writer.hpp"
#include "host/checkpoint/restore_run.hpp"
#include "host/checkpoint/resume.hpp"
#include "host/commands/device.hpp"
#include "host/output/atomic_file.hpp"
#include "host/output/folder_lock.hpp"
#include "host/output/output_folder.hpp"
#include "host/output/run_log.hpp"
#include "host/run/progress.hpp"
#include "host/run/simulation.hpp"
#include "host/run/summary.hpp"
#include "host/start/start_from.hpp"
#include "host/text/text.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"
#include "scree/simulation.hpp"

namespace scree {
namespace {

constexpr std::uint64_t own_files = 2;  // run.log and case.json

/// Before the run starts a folder that cannot be used is a wrong argument.
template <class Function>
void as_wrong_argument(const Function& function) {
  try {
    function();
  } catch (const OutputError& error) { throw CaseError("output folder", error.what()); }
}

std::unique_ptr<Engine> engine_for(const Scene& scene, const EngineOptions& options, std::string& reason) {
  expect_device(options);
  try {
    return make_engine(scene, options, &reason);
  } catch (const BackendError& error) {
    if (options.backend == BackendChoice::automatic) { throw; }
    throw CaseError("--backend", error.what());
  }
}

/// The case as it ran: running it again gives the same bits.
Case resolved(Case input, const Scene& scene, const SceneReport& report, std::uint64_t steps) {
  if (report.start) { input.start = report.start->file().string(); }  // not what is the newest then
  if (scene.adaptive) { return input; }
  input.time.step = scene.time_step;
  if (steps > 0 && steps_for(input.time.duration, scene.time_step) != steps) {
    input.time.duration = static_cast<double>(steps) * scene.time_step;
  }
  return input;
}

/// Notes in the log why a run ended early; a log that cannot be written must not hide that reason.
void note_failure(RunLog& log, const std::exception& error) {
  try {
    for (const auto& line : describe_failure(error).lines) { log.file_line("error: " + line); }
    log.close();
  } catch (const OutputError&) {}
}

/// Adds where the state at the fault can be looked at.
KernelFault with_frame(const KernelFault& fault, const std::filesystem::path& folder) {
  const auto frame = folder / "fault.vtkhdf";
  std::error_code ignored;
  const bool written = std::filesystem::exists(frame, ignored);
  return {fault.what() + (written ? "; the state was written to " + frame.string() : std::string()), fault.step(),
          fault.ids()};
}

RunSummary simulate(Simulation& simulation, ProgressDisplay& display, const ProgressFunction& show,
                    const std::filesystem::path& folder) {
  try {
    const RunSummary summary = simulation.run(show);
    display.finish();
    return summary;
  } catch (const KernelFault& fault) {
    display.finish();
    throw with_frame(fault, folder);
  } catch (...) {
    display.finish();
    throw;
  }
}

/// Puts the engine where the newest checkpoint of the folder stands; the line that says so, and warnings.
std::vector<std::string> resume(Engine& engine, const Case& input, const Scene& scene, const std::string& case_text,
                                const std::filesystem::path& folder, std::uint64_t last_step, BesideState& beside) {
  Resumable found = find_resumable(folder, case_text, scene);
  Checkpoint& checkpoint = found.checkpoint;
  const std::string file = found.file.string();
  if (checkpoint.step > last_step) {
    throw CaseError("--resume", file + " is of step " + std::to_string(checkpoint.step) +
                                    ", but the run ends at step " + std::to_string(last_step));
  }
  try {
    beside = restore_checked(engine, input, scene, checkpoint);
  } catch (const StateError& error) { throw CaseError("--resume", file + ": " + error.what()); }
  std::vector<std::string> lines{"resumed     from " + file + ", step " + std::to_string(checkpoint.step) +
                                 ", t = " + short_number_text(checkpoint.time, 6) + " s"};
  for (const auto& warning : found.warnings) { lines.push_back("warning: " + warning); }
  if (scene.energies && checkpoint.state.find("ledger/sums") == nullptr) {
    lines.emplace_back("warning: the checkpoint has no energies: their sums begin at its step");
  }
  return lines;
}

/// What inlets and probes remember, beside the state of the engine.
void restore_beside(Simulation& simulation, const BesideState& beside) {
  try {
    simulation.restore_inlets(beside.inlets);
    simulation.restore_probes(beside.probes);
  } catch (const StateError& error) { throw CaseError("--resume", error.what()); }
}

/// The log of an earlier run is kept.
std::uint64_t log_length(const std::filesystem::path& log) {
  std::error_code error;
  const auto size = std::filesystem::file_size(log, error);
  return error ? 0 : size;
}

/// Makes the folder of a resumed run fit to go on in from step `step`.
void reopen_folder(const std::filesystem::path& folder, const Case& input, std::uint64_t step) {
  reopen_output_folder(folder);
  for (const auto& [later, file] : checkpoints_in(folder / "checkpoints")) {
    if (later > step) { remove_file(file); }  // it could not be read
  }
  // A kill may have come before that was done. A run that writes none removes none.
  const auto& wanted = input.output.checkpoints;
  if (!wanted || wanted->keep > 0) { prune_checkpoints(folder, kept_checkpoints(wanted)); }
}

/// Makes the folder of this run its own and opens its log. `resumed_at` is the step in which a resumed run goes on.
void open_folder(const std::filesystem::path& folder, const Case& input, std::optional<std::uint64_t> resumed_at,
                 std::optional<FolderLock>& lock, RunLog& log) {
  if (!resumed_at) { make_folder(folder); }
  if (!lock) { lock.emplace(folder); }
  if (resumed_at) {
    reopen_folder(folder, input, *resumed_at);
  } else {
    claim_output_folder(folder);
  }
  log.open(folder / "run.log", resumed_at ? log_length(folder / "run.log") : 0);
}

/// Runs to the end or to an interrupt, with all that the log says meanwhile and afterwards. Returns the exit code.
int run_and_report(Simulation& simulation, const Scene& scene, Engine& engine, const std::filesystem::path& folder,
                   ProgressDisplay& display, RunLog& log) {
  const auto show = [&](const RunProgress& progress) {
    expect_folder_still_there(folder);
    log.expect_still_there();
    display.show(progress);
  };
  RunSummary summary = simulate(simulation, display, show, folder);
  expect_folder_still_there(folder);
  summary.files += own_files;
  if (summary.interrupted) { log.line("stopped by " + signal_name(interrupt_signal())); }
  for (const auto& line : summary_lines(summary, scene, engine)) { log.line(line); }
  if (summary.interrupted) { log.line("to go on: the same command with --resume, from " + summary.checkpoint); }
  log.close();
  return summary.interrupted ? exit_by_signal + interrupt_signal() : int{exit_done};
}

}  // namespace

int run_case(const RunArguments& arguments, std::ostream& terminal) {
  const auto folder = arguments.folder.empty() ? default_output_folder(arguments.case_file) : arguments.folder;
  const Case input = read_case(arguments.case_file, arguments.settings);
  std::optional<FolderLock> lock;
  std::error_code ignored;
  if (arguments.resume && std::filesystem::is_directory(folder, ignored)) {
    as_wrong_argument([&] { lock.emplace(folder); });
  }
  if (!arguments.resume) {
    as_wrong_argument([&] { inspect_output_folder(folder, arguments.case_file); });
  }
  SceneReport report;
  const Scene scene = build_scene(input, report);
  StartInfo info{arguments.case_file, folder, {}, 0};
  const auto engine = engine_for(scene, arguments.engine, info.backend_reason);
  const bool by_time = scene.adaptive && !arguments.steps;
  info.steps = arguments.steps.value_or(steps_for(input.time.duration, scene.time_step));

  const std::string case_text = write_case(resolved(input, scene, report, info.steps));
  auto first_lines = start_lines(input, scene, report, *engine, info);
  BesideState beside;
  if (report.start && !arguments.resume) {
    for (auto& line : report.start->give_contacts(input, scene, *engine)) { first_lines.push_back(std::move(line)); }
  }
  report.start.reset();
  if (arguments.resume) {
    for (auto& line : resume(*engine, input, scene, case_text, folder,
                             by_time ? std::numeric_limits<std::uint64_t>::max() : info.steps, beside)) {
      first_lines.push_back(std::move(line));
    }
  }

  RunLog log(terminal, arguments.quiet);
  catch_interrupts();
  ProgressDisplay display(log, arguments.terminal_width);
  const auto warn = [&](const std::string& text) {
    display.finish();
    log.line("warning: " + text);
  };
  std::optional<std::uint64_t> steps = info.steps - engine->step();
  if (by_time) { steps.reset(); }
  // Nothing in the folder is touched before all that a resumed run continues was looked at.
  std::optional<Simulation> simulation;
  as_wrong_argument([&] {
    simulation.emplace(input, scene, *engine,
                       RunOptions{folder, steps, &interrupt_flag(), warn, arguments.resume, case_text});
    if (arguments.resume) { restore_beside(*simulation, beside); }
    open_folder(folder, input, arguments.resume ? std::optional(engine->step()) : std::nullopt, lock, log);
  });
  if (!lock->warning().empty()) { first_lines.push_back("warning: " + lock->warning()); }
  try {
    for (const auto& line : first_lines) { log.line(line); }
    write_text_atomically(folder / "case.json", case_text);
    return run_and_report(*simulation, scene, *engine, folder, display, log);
  } catch (const std::exception& error) {
    note_failure(log, error);
    throw;
  }
}

}  // namespace scree
