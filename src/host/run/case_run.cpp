#include "host/run/case_run.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "host/case/case_files.hpp"
#include "host/case/io/json.hpp"
#include "host/checkpoint/checkpoint_writer.hpp"
#include "host/checkpoint/resume.hpp"
#include "host/checkpoint/unfinished_run.hpp"
#include "host/output/output_folder.hpp"
#include "host/run/device.hpp"
#include "host/run/earlier_run.hpp"
#include "host/run/exit_code.hpp"
#include "host/run/result_table.hpp"
#include "host/scene/time_step.hpp"
#include "host/start/start_from.hpp"
#include "host/storage/atomic_file.hpp"
#include "host/storage/state_columns.hpp"
#include "host/text/printable.hpp"
#include "host/text/text.hpp"
#include "scree/case_file.hpp"

namespace scree {
namespace {

constexpr std::uint64_t own_files = 2;  // run.log and case.json

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
  if (report.start) {
    input.start = report.start->file().string();  // a later run must not take a newer checkpoint
    report.start->place_boundaries(input);
    for (auto& [name, boundary] : input.boundaries) { boundary.from_start = false; }
  }
  if (scene.adaptive) {
    if (!input.time.adaptive) { input.time.step = scene.time_step; }  // stages may change it
    return input;
  }
  input.time.step = scene.time_step;
  if (steps > 0 && steps_for(input.time.duration, scene.time_step) != steps) {
    input.time.duration = static_cast<double>(steps) * scene.time_step;
  }
  return input;
}

/// Restores the engine from the newest checkpoint of the folder, `file`. Returns the line for the log that says so, and
/// warnings. Without `last_step` the duration ends the run.
std::vector<std::string> resume(Engine& engine, const Case& input, const Scene& scene, const std::string& case_text,
                                const std::filesystem::path& folder, std::optional<std::uint64_t> last_step,
                                std::string& file, SimulationState& beside) {
  Resumable found = find_resumable(folder, input, case_text, scene);
  Checkpoint& checkpoint = found.checkpoint;
  file = found.file.string();
  if (last_step && checkpoint.step > *last_step) {
    throw CaseError("--resume", file + " is of step " + std::to_string(checkpoint.step) +
                                    ", but the run ends at step " + std::to_string(*last_step));
  }
  try {
    beside = restore_checked(engine, input, scene, checkpoint);
  } catch (const StateError& error) { throw CaseError("--resume", file + ": " + error.what()); }
  // The last step of a run is the one that reaches its duration, and may go beyond.
  if (!last_step && engine.step() > 0 && engine.previous_time() >= input.time.duration) {
    throw CaseError("--resume", file + " is of t = " + short_number_text(checkpoint.time, 6) +
                                    " s, but the run ends at t = " + short_number_text(input.time.duration, 6) + " s");
  }
  std::vector<std::string> lines{"resumed     from " + file + ", step " + std::to_string(checkpoint.step) +
                                 ", t = " + short_number_text(checkpoint.time, 6) + " s"};
  for (const auto& warning : found.warnings) { lines.push_back("warning: " + warning); }
  if (scene.energies && checkpoint.state.find("ledger/sums") == nullptr) {
    lines.emplace_back("warning: the checkpoint has no energies: their sums begin at its step");
  }
  if (scene.sums_losses && checkpoint.state.find("bodies/dissipated_energy") == nullptr) {
    lines.emplace_back("warning: the checkpoint has no dissipated energies of particles: they begin at its step");
  }
  if (scene.collisions) {
    const StateArray* const limits = checkpoint.state.find("collisions/limits");
    if (limits == nullptr || rows_of<double>(*limits, ValueType::float64) != scene.collisions->limits) {
      lines.emplace_back("warning: the checkpoint has no collisions by these losses: their counts begin at its step");
    }
  }
  return lines;
}

/// Restores the state of the simulation that is not part of the engine. It comes from the checkpoint `file`.
void restore_beside(Simulation& simulation, const SimulationState& beside, const std::string& file) {
  try {
    simulation.restore(beside);
  } catch (const StateError& error) { throw CaseError("--resume", file + ": " + error.what()); }
}

/// The log of an earlier run is kept.
std::uint64_t log_length(const std::filesystem::path& log) {
  std::error_code error;
  const auto size = std::filesystem::file_size(log, error);
  return error ? 0 : size;
}

/// Prepares the folder of a resumed run for the continuation from step `step`.
void reopen_folder(const std::filesystem::path& folder, const Case& input, std::uint64_t step) {
  reopen_output_folder(folder);
  for (const auto& [later, file] : checkpoints_in(folder / "checkpoints")) {
    if (later > step) { remove_file(file); }  // it could not be read; a later resume would take it
  }
  // The run may have been killed before it removed old checkpoints. A run that writes no checkpoints removes none.
  const auto& wanted = input.output.checkpoints;
  if (!wanted || wanted->keep > 0) { prune_checkpoints(folder, kept_checkpoints(wanted)); }
}

/// A new run removes the checkpoints of the one before it.
void expect_nothing_to_resume(const std::filesystem::path& folder) {
  if (const auto step = unfinished_run(folder)) {
    throw CaseError("--out", folder.string() + " holds a run that was interrupted, with a checkpoint of step " +
                                 std::to_string(*step) +
                                 ": go on with it by --resume, or begin anew with --overwrite, which removes it");
  }
}

/// A folder that `start` names may hold newer checkpoints by now. A resumed run takes the one with which it began.
void keep_start(Case& input, const std::filesystem::path& folder) {
  if (!input.start) { return; }
  std::vector<InputProblem> ignored;
  Json ran;
  std::ifstream file(folder / "case.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!try_parse_json(text, ran, ignored) || !ran.is_object() || !ran.contains("start")) { return; }
  if (!ran["start"].is_string()) { return; }
  const std::filesystem::path given = std::filesystem::absolute(input.folder / *input.start).lexically_normal();
  const std::filesystem::path began(ran["start"].get<std::string>());
  std::error_code error;
  for (const auto& inner : {given, given / "checkpoints"}) {
    if (!std::filesystem::equivalent(began.parent_path(), inner, error) || error) { continue; }
    if (std::filesystem::exists(began, error)) { input.start = began.string(); }
    return;
  }
}

/// The case without its output, for a run without a folder.
Case without_output(Case input) {
  input.output = Output{};
  return input;
}

}  // namespace

CaseRun::CaseRun(Case input, CaseRunOptions options, RunLog& log)
    : input_(std::move(input)), options_(std::move(options)), log_(log) {
  const std::filesystem::path& folder = options_.folder;
  const bool writes = !folder.empty(), resumes = options_.resume;
  SCREE_EXPECT(writes || !resumes, "only a run with a folder is resumed");
  if (writes) { inspect_folder(); }
  if (resumes) { keep_start(input_, folder); }
  scene_ = build_scene(input_, report_);
  scene_.lists_removed = scene_.lists_removed && writes;  // otherwise they would pile up
  StartInfo info{options_.case_file, folder, {}, 0};
  engine_ = engine_for(scene_, options_.engine, info.backend_reason);
  if (options_.profile) { engine_->wait_for_launches(); }
  const bool by_time = scene_.adaptive && !options_.steps;
  info.steps = options_.steps.value_or(steps_for(input_.time.duration, scene_.time_step));
  info.ends_by_step = scene_.adaptive && options_.steps;

  case_text_ = write_case(resolved(input_, scene_, report_, info.steps));
  written_ = writes ? input_ : without_output(input_);
  SimulationState beside;
  auto first_lines = start_lines(written_, scene_, report_, *engine_, info);
  std::ranges::move(begin_state(by_time ? std::nullopt : std::optional(info.steps), beside),
                    std::back_inserter(first_lines));
  const auto note = [this](const std::string& text) {
    if (options_.before_warning) { options_.before_warning(); }
    log_.line(text);
  };
  const auto warn = [note](const std::string& text) { note("warning: " + text); };
  if (options_.when_ready) { options_.when_ready(); }
  std::optional<std::uint64_t> steps = info.steps - engine_->step();
  if (by_time) { steps.reset(); }
  // The folder is changed only after everything that a resumed run continues has been checked.
  as_wrong_argument([&] {
    simulation_.emplace(written_, scene_, *engine_,
                        RunOptions{folder, steps, options_.stop, warn, note, resumes, case_text_});
    if (resumes) { restore_beside(*simulation_, beside, resumed_from_); }
    if (writes) { open_folder(resumes ? std::optional(engine_->step()) : std::nullopt); }
  });
  if (lock_ && !lock_->warning().empty()) { first_lines.push_back("warning: " + lock_->warning()); }
  try {
    for (const auto& line : first_lines) { log_.line(line); }
    if (writes) { write_text_atomically(folder / "case.json", case_text_); }
  } catch (const std::exception& error) {
    note_failure(error);
    throw;
  }
}

/// Throws CaseError if the folder cannot belong to this run. Locks the folder of a resumed run.
void CaseRun::inspect_folder() {
  const std::filesystem::path& folder = options_.folder;
  if (options_.resume) {
    std::error_code ignored;
    if (std::filesystem::is_directory(folder, ignored)) {
      as_wrong_argument([&] { lock_.emplace(folder); });
    }
    return;
  }
  std::vector<std::filesystem::path> needed;  // such as the checkpoint of a start
  for (const CaseFile& file : files_of(input_)) { needed.push_back(input_.folder / file.name); }
  as_wrong_argument([&] { inspect_output_folder(folder, options_.case_file, needed); });
  if (!options_.overwrite) { expect_nothing_to_resume(folder); }
}

/// Gives the engine the state with which the run begins: the contacts of a start, or the checkpoint of a resumed run.
/// The run ends at `last_step` or, without it, by its duration. `beside` becomes the state that is not part of the
/// engine. Returns lines for the log about this.
std::vector<std::string> CaseRun::begin_state(std::optional<std::uint64_t> last_step, SimulationState& beside) {
  if (options_.resume) {
    report_.start.reset();
    return resume(*engine_, input_, scene_, case_text_, options_.folder, last_step, resumed_from_, beside);
  }
  std::vector<std::string> lines;
  if (!options_.folder.empty()) {
    if (const auto earlier = earlier_run_text(options_.folder)) { lines.push_back("replaces    " + *earlier); }
  }
  std::ranges::move(continue_contacts(report_, input_, scene_, *engine_), std::back_inserter(lines));
  report_.start.reset();
  return lines;
}

/// Takes over the folder for this run and opens its log. `resumed_at` is the step from which a resumed run continues.
void CaseRun::open_folder(std::optional<std::uint64_t> resumed_at) {
  const std::filesystem::path& folder = options_.folder;
  if (!resumed_at) { make_folder(folder); }
  if (!lock_) { lock_.emplace(folder); }
  if (resumed_at) {
    reopen_folder(folder, input_, *resumed_at);
  } else {
    claim_output_folder(folder);
  }
  log_.open(folder / "run.log", resumed_at ? log_length(folder / "run.log") : 0);
}

void CaseRun::expect_folder_still_there() const {
  if (options_.folder.empty()) { return; }
  scree::expect_folder_still_there(options_.folder);
  log_.expect_still_there();
}

void CaseRun::conclude(RunSummary summary, const std::string& stopped_by) {
  expect_folder_still_there();
  if (!options_.folder.empty()) { summary.files += own_files; }
  if (summary.interrupted) { log_.line("stopped by " + stopped_by); }
  note_duration(summary);
  const std::vector<std::string> lines = summary_lines(summary, scene_, *engine_);
  for (const auto& line : lines) { log_.file_line(line); }
  show_results(summary, lines);
  if (summary.interrupted && !summary.checkpoint.empty()) {
    log_.line("to go on: the same command with --resume, from " + summary.checkpoint);
  }
  log_.close();
  lock_.reset();
}

/// The duration of a given number of adaptive steps is known only at the end of the run. Writes a case.json with a
/// duration that is reached by the same last step.
void CaseRun::note_duration(const RunSummary& summary) {
  if (!options_.steps || !scene_.adaptive || summary.interrupted || !(summary.time > 0)) { return; }
  std::vector<InputProblem> none;
  Json ran = parse_json(case_text_, none);
  ran["time"]["duration"] = summary.time;
  case_text_ = print_json(ran) + "\n";
  if (!options_.folder.empty()) { write_text_atomically(options_.folder / "case.json", case_text_); }
}

/// Shows the results on the terminal: the first and the last line of the log, and between them a table for users. The
/// log itself has more lines, for programs and developers.
void CaseRun::show_results(const RunSummary& summary, const std::vector<std::string>& log_lines) {
  std::string text = printable(log_lines.front()) + "\n";
  const auto add = [&](const std::vector<std::string>& table) {
    for (const auto& line : table) { text += printable(line) + "\n"; }
  };
  add(result_table(summary, scene_, *engine_, options_.folder));
  if (options_.profile) { add(profile_table(summary, *engine_)); }
  log_.show(text + log_lines.back() + "\n");
}

void CaseRun::note_failure(const std::exception& error) {
  try {
    for (const auto& line : describe_failure(error).lines) { log_.file_line("error: " + line); }
    log_.close();
  } catch (const OutputError&) {}
  lock_.reset();
}

KernelFault with_frame(const KernelFault& fault, const std::filesystem::path& folder) {
  const auto frame = folder / "fault.vtkhdf";
  std::error_code ignored;
  const bool written = std::filesystem::exists(frame, ignored);
  return {fault.what() + (written ? "; the state was written to " + frame.string() : std::string()), fault.step(),
          fault.ids()};
}

}  // namespace scree
