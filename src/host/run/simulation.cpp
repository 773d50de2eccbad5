#include "host/run/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "host/case/parcels.hpp"
#include "host/checkpoint/checkpoint_writer.hpp"
#include "host/measure/cell_meters.hpp"
#include "host/measure/state_measures.hpp"
#include "host/output/contact_writer.hpp"
#include "host/output/disk_room.hpp"
#include "host/output/field_outputs.hpp"
#include "host/output/finite.hpp"
#include "host/output/frame_writer.hpp"
#include "host/output/left_writer.hpp"
#include "host/output/output_queue.hpp"
#include "host/output/series_writer.hpp"
#include "host/output/vtkhdf.hpp"
#include "host/run/boundary_times.hpp"
#include "host/run/contact_warnings.hpp"
#include "host/run/inlets.hpp"
#include "host/run/insertion_times.hpp"
#include "host/run/outlet_flows.hpp"
#include "host/run/servos.hpp"
#include "host/run/stages.hpp"
#include "host/text/text.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"
#include "scree/simulation.hpp"

namespace scree {
namespace {

constexpr std::uint64_t most_steps = (1ULL << 53U) - 1;
// [bytes] size of a frame, of some 6000 spheres. Where all cores work on the run, smaller ones cost more by a thread:
// they hold up the threads that wait for one another in each step.
constexpr std::uint64_t worth_a_thread = 1U << 18U;
constexpr double chunk_seconds = 0.2;  // progress and interrupts stay lively, the calls cost nothing

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

RunTarget sooner(const RunTarget& a, const RunTarget& b) {
  return {std::min(a.step, b.step), std::min(a.time, b.time)};
}

OutputSchedule::OutputSchedule(double every, double time_step, bool adaptive)
    : every_(every), time_step_(time_step), adaptive_(adaptive) {
  SCREE_EXPECT(every > 0 && time_step > 0, "the interval and the time step are positive");
}

std::uint64_t OutputSchedule::step_of(std::uint64_t k) const {
  const double step = static_cast<double>(k) * every_ / time_step_;
  // Beyond any run: an interval of "never" must not overflow.
  return step < 0x1p62 ? static_cast<std::uint64_t>(std::llround(step)) : std::numeric_limits<std::uint64_t>::max();
}

std::uint64_t OutputSchedule::index_after(std::uint64_t step) const {
  auto k = static_cast<std::uint64_t>(std::max(0.0, static_cast<double>(step) * time_step_ / every_ - 1.0));
  while (k > 0 && step_of(k) > step) { --k; }
  while (step_of(k) <= step) { ++k; }
  return k;
}

std::uint64_t OutputSchedule::next_after(std::uint64_t step) const {
  if (step < origin_step_) { return origin_step_; }
  const std::uint64_t since = step - origin_step_;
  const std::uint64_t next = every_ <= time_step_ ? since + 1 : step_of(index_after(since));
  return next > std::numeric_limits<std::uint64_t>::max() - origin_step_ ? next : next + origin_step_;
}

void OutputSchedule::change(const StagedInterval& change, std::uint64_t step, double time) {
  on_ = change.on.value_or(on_);
  if (!change.every) { return; }
  on_ = change.on.value_or(true);
  every_ = *change.every;
  origin_step_ = step;
  origin_time_ = time;
}

std::uint64_t OutputSchedule::count(std::uint64_t first, std::uint64_t last) const {
  if (first > last) { return 0; }
  if (every_ <= time_step_) { return last - first + 1; }
  return index_after(last) - (first == 0 ? 0 : index_after(first - 1));
}

double OutputSchedule::intervals(double time) const {
  double k = std::floor((time - origin_time_) / every_);
  if (moment(k + 1) <= time) { ++k; }  // where the quotient was rounded
  return moment(k) > time ? k - 1 : k;
}

bool OutputSchedule::due(const Engine& engine) const {
  if (!on_) { return false; }
  if (engine.step() == 0) { return true; }
  if (!adaptive_) { return next_after(engine.step() - 1) == engine.step(); }
  return intervals(engine.time()) > intervals(engine.previous_time());
}

RunTarget OutputSchedule::next(const Engine& engine) const {
  if (!on_) { return {}; }
  if (!adaptive_) { return {next_after(engine.step())}; }
  RunTarget target;
  target.time = moment(intervals(engine.time()) + 1);
  // an interval below the rounding of the time: every step
  if (!(target.time > engine.time())) { return {engine.step() + 1}; }
  return target;
}

std::uint64_t OutputSchedule::outputs(std::uint64_t steps, double duration) const {
  if (!adaptive_) {
    const bool ends_between = steps > 0 && next_after(steps - 1) != steps;
    return count(0, steps) + (ends_between ? 1 : 0);
  }
  const double whole = intervals(duration);
  return static_cast<std::uint64_t>(whole) + (whole * every_ < duration ? 2 : 1);
}

std::uint64_t next_chunk(std::uint64_t chunk, double seconds, double target_seconds) {
  const double factor = seconds > 0 ? std::clamp(target_seconds / seconds, 0.0, 8.0) : 8.0;
  const double steps = std::clamp(static_cast<double>(chunk) * factor, 1.0, 0x1p31);
  return static_cast<std::uint64_t>(steps);
}

Simulation::Simulation(const Case& input, const Scene& scene, Engine& engine, RunOptions options)
    : case_(as_parcels(input)),
      scene_(scene),
      engine_(engine),
      options_(std::move(options)),
      first_step_(engine.step()),
      first_time_(engine.time()),
      last_step_(options_.steps   ? first_step_ + *options_.steps
                 : scene.adaptive ? most_steps
                                  : steps_for(input.time.duration, scene.time_step)),
      end_time_(scene.adaptive && !options_.steps ? input.time.duration : std::numeric_limits<double>::infinity()) {
  SCREE_EXPECT(last_step_ <= most_steps, "a countable number of steps");
  warned_ = engine.watch();
  stages_ = std::make_unique<Stages>(scene, [this](const SceneStage& stage, const Stages::Moment& begun) {
    begin_stage(stage, begun.step, begun.time);
  });
  servos_ = std::make_unique<Servos>(scene);
  boundary_times_ = std::make_unique<BoundaryTimes>(scene);
  flows_ = std::make_unique<OutletFlows>(scene);
  if (!scene.inlets.empty()) { inlets_ = std::make_unique<Inlets>(case_, scene); }
  const auto resumed_at = options_.resumed ? std::optional(first_step_) : std::nullopt;
  const auto resumed_time = options_.resumed ? std::optional(engine.time()) : std::nullopt;
  if (input.output.frames) {
    frames_ = std::make_unique<FrameWriter>(options_.folder, *input.output.frames, scene, resumed_time);
  }
  if (input.output.series) {
    series_ = std::make_unique<SeriesWriter>(options_.folder, *case_.output.series, scene, input.folder, resumed_at);
  }
  if (input.output.contacts) {
    contacts_ = std::make_unique<ContactWriter>(options_.folder, *input.output.contacts, scene, resumed_time);
  }
  if (!input.output.fields.empty()) {
    fields_ = std::make_unique<FieldOutputs>(options_.folder, input.output.fields, scene, resumed_time);
  }
  if (input.output.left || !input.output.fields.empty()) { insertions_ = std::make_unique<InsertionTimes>(scene); }
  if (input.output.left) { left_ = std::make_unique<LeftWriter>(options_.folder, scene, *insertions_, resumed_at); }
  std::string text = options_.case_text.empty() ? write_case(input) : options_.case_text;
  queue_ = std::make_unique<OutputQueue>();
  checkpoints_ =
      std::make_unique<CheckpointWriter>(options_.folder, input.output.checkpoints, scene, std::move(text), *queue_);
}

Simulation::~Simulation() = default;

RunSummary Simulation::run(const ProgressFunction& progress) {
  begin();
  advance(last_step_, progress);
  return finish();
}

/// Saves what can be saved of a run that breaks down.
template <class Part>
void Simulation::guard(const Part& part) {
  try {
    part();
  } catch (const KernelFault&) {
    write_fault_frame();
    throw;
  } catch (const OutputError& error) { throw OutputError(error.what() + rescue_state()); }
}

void Simulation::begin() {
  start_ = clock_seconds();
  open_output();
  guard([&] {
    switch_boundaries();
    if (!options_.resumed) {
      look_at_stages();
      servos_->set_forces(engine_, stages_->gravity());
    }
    write_due_output(!options_.resumed || over());
    wait_for_output();
  });
  flows_->sample(engine_);
  sample_counts(clock_seconds());
}

/// `progress` is called after a moment is complete, with its inlets and its output, since it may throw.
void Simulation::advance(std::uint64_t target, const ProgressFunction& progress) {
  if (insertions_) { insertions_->note(engine_); }  // what the caller has inserted
  guard([&] {
    while (!over() && !stopped() && engine_.step() < target) {
      const std::uint64_t inlet_step = inlets_ ? inlets_->next_after(engine_.step(), engine_.time()) : last_step_;
      RunTarget due = sooner(sooner(next_output(), stages_->next(engine_)), servos_->next(engine_));
      due = sooner(sooner(due, flows_->next(engine_)), boundary_times_->next(engine_));
      advance_to(sooner(due, {std::min({last_step_, inlet_step, target}), end_time_}), progress);
      complete_moment();
      if (flows_->due(engine_)) { flows_->sample(engine_); }
      write_due_output(over() || stopped());
      if (progress) { progress(progress_now(clock_seconds())); }
    }
    wait_for_output();
  });
}

RunSummary Simulation::finish() {
  closing_ = true;
  guard([&] {
    // A signal may have come after the last look at it.
    if (!over() && saved_step_ != engine_.step()) { write_due_output(true); }
    wait_for_output();
    const double closing = clock_seconds();
    if (series_) { series_->close(); }
    if (left_) { left_->close(); }
    checkpoints_->finish();
    summary_.output_seconds += clock_seconds() - closing;
    look_at_end();
  });
  summary_.interrupted = !over();
  if (over() && stages_->cut_short() && options_.warn) {
    options_.warn("the run ended before stage \"" + scene_.stages[stages_->present()].name +
                  "\" did; what should end it did not come about within time.duration");
  }
  summary_.steps = engine_.step() - first_step_;
  summary_.time = engine_.time();
  summary_.first_time = first_time_;
  summary_.last_step_length = engine_.time() - engine_.previous_time();
  summary_.critical = engine_.critical_step();
  summary_.watch = engine_.watch();
  flows_->sample(engine_);
  summary_.flows = flows_->report();
  if (series_) {
    for (FlowReport& flow : series_->flows()) { summary_.flows.push_back(std::move(flow)); }
  }
  if (inlets_) { summary_.inlets = inlets_->report(engine_.time()); }
  summary_.files = (frames_ ? frames_->files() : 0) + (series_ ? 1 : 0) + (contacts_ ? contacts_->files() : 0) +
                   (fields_ ? fields_->files() : 0) + (left_ ? 1 : 0) + checkpoints_->files();
  summary_.checkpoint = checkpoints_->last();
  summary_.wall_seconds = clock_seconds() - start_;
  return summary_;
}

/// What the hash at the end is of is finite; its energies.
void Simulation::look_at_end() {
  const Snapshot particles = engine_.snapshot({.force = true});
  expect_finite(particles);
  const auto cell = engine_.cell();
  if (cell) { expect_finite(*cell, engine_.step()); }
  summary_.kinetic_energy = kinetic_energy(cell ? fluctuating(particles, scene_, *cell) : particles, scene_);
  const Real3 gravity = stages_->gravity();
  if (!cell && gravity != Real3{}) { summary_.potential_energy = potential_energy(particles, scene_, gravity); }
  const ContactWatch watch = engine_.watch();
  const auto soft =
      std::find(particles.id.begin(), particles.id.end(), static_cast<std::uint32_t>(watch.most_overlap_particle));
  if (watch.most_overlap > 0.01 && soft != particles.id.end()) {
    summary_.soft_material = particles.material[static_cast<std::size_t>(soft - particles.id.begin())];
  }
}

std::string Simulation::write_checkpoint() {
  SCREE_EXPECT(!options_.folder.empty(), "a checkpoint needs an output folder");
  sync_tables();
  save();
  checkpoints_->finish();
  return checkpoints_->last();
}

/// What a checkpoint of this step does not keep, since tables have it.
void Simulation::sync_tables() {
  if (series_) { series_->sync(); }
  if (!left_) { return; }
  left_->write(engine_);
  left_->sync();
}

void Simulation::open_output() {
  const auto say = [&](const std::vector<std::string>& notes) {
    for (const std::string& note : notes) {
      if (options_.warn) { options_.warn(note); }
    }
  };
  if (frames_) { say(frames_->notes()), frames_->open(); }
  if (series_) { say(series_->notes()), series_->open(); }
  if (contacts_) { say(contacts_->notes()), contacts_->open(); }
  if (fields_) { say(fields_->notes()), fields_->open(); }
  if (left_) { say(left_->notes()), left_->open(); }
}

bool Simulation::over() const {
  return engine_.step() >= last_step_ || engine_.time() >= end_time_ || engine_.finished() || stages_->finished();
}

void Simulation::advance_to(const RunTarget& target, const ProgressFunction& progress) {
  while (engine_.step() < target.step && engine_.time() < target.time && !stopped() && !engine_.finished()) {
    const std::uint64_t steps = std::min(chunk_, target.step - engine_.step());
    const double before = clock_seconds();
    const std::uint64_t done = engine_.advance(steps, options_.stop, target.time);
    const double now = clock_seconds();
    SCREE_EXPECT(done > 0 || stopped() || engine_.finished(), "the engine makes at least one step");
    sample_counts(now);
    queue_->look();
    if (left_) { left_->write(engine_); }  // so that the engine keeps few, however rare other output is
    look_at_contacts();
    summary_.stepping_seconds += now - before;
    summary_.particle_steps += static_cast<double>(done) * static_cast<double>(counts_.particles);
    summary_.contact_steps += static_cast<double>(done) * static_cast<double>(counts_.contacts + counts_.wall_contacts);
    // A chunk cut short by the next output says little about the longer one it stands for.
    if (steps == chunk_ || now - before > chunk_seconds) { chunk_ = next_chunk(steps, now - before, chunk_seconds); }
    if (progress && engine_.step() < target.step && engine_.time() < target.time) { progress(progress_now(now)); }
  }
}

/// What is wrong with the contacts is said when it is first seen.
void Simulation::look_at_contacts() {
  const ContactWatch now = engine_.watch();
  for (const std::string& text : contact_warnings(warned_, now, scene_)) {
    if (options_.warn) { options_.warn(text); }
  }
  warned_ = now;
}

/// The state at a step is the one after its inlets: what is written of it, and what is continued from it.
void Simulation::feed_inlets() {
  fed_step_ = engine_.step();
  if (!inlets_) { return; }
  for (const std::string& note : inlets_->feed(engine_)) {
    if (options_.warn) { options_.warn(note); }
  }
  if (insertions_) { insertions_->note(engine_); }
}

/// Whether a stage began or ended.
/// What comes after the steps to a moment, and before it is written.
void Simulation::complete_moment() {
  switch_boundaries();
  feed_inlets();
  if (look_at_stages() || servos_->due(engine_)) { servos_->set_forces(engine_, stages_->gravity()); }
}

/// Before inlets are fed: what they bring keeps clear of boundaries that appear.
void Simulation::switch_boundaries() {
  for (const std::string& line : boundary_times_->look(engine_)) {
    if (options_.note) { options_.note(line); }
  }
}

bool Simulation::look_at_stages() {
  const auto line = stages_->look(engine_);
  if (line && options_.note) { options_.note(*line); }
  return line.has_value();
}

/// What a stage changes beside the engine. A stage begins after inlets were fed, and before anything is written.
void Simulation::begin_stage(const SceneStage& stage, std::uint64_t step, double time) {
  for (const SceneStagedInlet& inlet : stage.inlets) {
    SCREE_EXPECT(inlets_ != nullptr, "a stage that changes an inlet needs one");
    inlets_->change(inlet.entry, inlet.change, time);
  }
  servos_->change(stage);
  if (!stage.output) { return; }
  const auto change = [&](const auto& writer, const std::optional<StagedInterval>& interval) {
    if (writer && interval) { writer->change_schedule(*interval, step, time); }
  };
  change(frames_, stage.output->frames);
  change(series_, stage.output->series);
  change(contacts_, stage.output->contacts);
  for (const auto& [name, interval] : stage.output->fields) {
    if (!fields_) { continue; }
    for (const auto& writer : fields_->writers()) {
      if (writer->name() == name) { writer->change_schedule(interval, step, time); }
    }
  }
}

std::vector<StateArray> Simulation::stage_states() const {
  std::vector<StateArray> arrays = stages_->save();
  servos_->save(arrays);
  return arrays;
}

void Simulation::restore_stages(const std::vector<StateArray>& arrays) {
  stages_->restore(arrays, engine_);
  servos_->restore(arrays, engine_);
  switch_boundaries();
}

std::vector<InletState> Simulation::inlet_states() const {
  return inlets_ ? inlets_->states() : std::vector<InletState>{};
}

void Simulation::restore_inlets(const std::vector<InletState>& states) {
  if (inlets_) {
    inlets_->restore(states);
  } else {
    SCREE_EXPECT(states.empty(), "a state of an inlet that the case has not");
  }
}

void Simulation::restore_probes(const std::vector<StateArray>& arrays) {
  if (series_) { series_->restore_probes(arrays); }
}

void Simulation::restore_fields(const std::vector<StateArray>& arrays) {
  if (fields_) { fields_->restore(arrays); }
}

void Simulation::restore_left(const std::vector<StateArray>& arrays) {
  if (insertions_) { insertions_->restore(arrays, engine_); }
  if (fields_ && insertions_->lacks_some() && options_.warn) {
    options_.warn(
        "fields: the checkpoint does not tell when the particles of inlets came in: residence times of those of before "
        "this step count from here");
  }
  if (!left_) { return; }
  std::uint64_t removed = 0;
  for (const std::uint64_t count : engine_.counts().removed) { removed += count; }
  left_->restore(removed);
}

void Simulation::write_due_output(bool final_one) {
  const double before = clock_seconds();
  const auto due = [&](const OutputSchedule& schedule) {
    return schedule.on() && (final_one || schedule.due(engine_));
  };
  if (series_ && !series_->schedule().due(engine_)) { series_->sample(engine_); }  // else with the row
  if (series_ && due(series_->schedule())) { series_->write(engine_, stages_->present()); }
  if (frames_) { frames_->set_stage(stages_->name()); }
  if (frames_ && due(frames_->schedule())) { write_copy(*frames_); }
  if (contacts_ && due(contacts_->schedule())) { write_copy(*contacts_); }
  if (fields_) {
    insertions_->note(engine_);
    fields_->sample(engine_, *insertions_);
    for (const auto& writer : fields_->writers()) {
      if (writer->due(engine_, final_one)) { write_copy(*writer); }
    }
  }
  if (left_) { left_->write(engine_); }
  write_due_checkpoint(final_one);
  summary_.output_seconds += clock_seconds() - before;
}

/// Writes a frame, or a file of contacts or fields. One that a thread writes while the run goes on is lost if that
/// fails, and so would be all that was computed since then: the state is gone, from which the run could continue. So
/// this thread writes it where that is to be feared. The first one is written here as well, as its size is not known.
template <class Writer>
void Simulation::write_copy(Writer& writer) {
  const std::uint64_t bytes = writer.frame_bytes();
  const std::uint64_t all = (frames_ ? frames_->frame_bytes() : 0) + (contacts_ ? contacts_->frame_bytes() : 0) +
                            (fields_ ? fields_->frame_bytes() : 0);
  constexpr std::uint64_t enough = 16, reserve = std::uint64_t{64} << 20U;
  const char* const asked = std::getenv("SCREE_OUTPUT_THREAD");  // 1 or 0, for tests and measurements
  const bool by_thread =
      bytes > 0 && (asked != nullptr ? asked == std::string_view("1")
                                     : bytes >= worth_a_thread && has_room(options_.folder, enough * all + reserve));
  if (!by_thread) {
    queue_->wait_for(last_frame_);
    writer.write(engine_);
    return;
  }
  queue_->wait_for_room();
  auto copy = writer.collect(engine_);
  if (!copy) { return; }
  using Copy = std::remove_reference_t<decltype(*copy)>;
  const auto shared = std::make_shared<const Copy>(std::move(*copy));
  last_frame_ = queue_->push([&writer, shared] { writer.write(*shared); }, true);
}

/// Who calls the simulation may look at its files.
void Simulation::wait_for_output() {
  const double before = clock_seconds();
  queue_->wait_for(last_frame_);
  summary_.output_seconds += clock_seconds() - before;
}

/// Rows and frames of earlier steps are on the disk before it: a resumed run does not write them again.
void Simulation::write_due_checkpoint(bool final_one) {
  if (options_.folder.empty()) { return; }
  const bool interrupted = stopped() && !over();
  const bool new_state = engine_.step() > first_step_ || (interrupted && !options_.resumed);
  if (!new_state || !(interrupted || checkpoints_->due(engine_, final_one))) { return; }
  sync_tables();
  save();
}

void Simulation::save() {
  std::vector<StateArray> beside = stage_states();
  if (series_) {
    for (StateArray& array : series_->probe_states()) { beside.push_back(std::move(array)); }
  }
  if (fields_) {
    for (StateArray& array : fields_->save()) { beside.push_back(std::move(array)); }
  }
  if (insertions_) {
    for (StateArray& array : insertions_->save()) { beside.push_back(std::move(array)); }
  }
  checkpoints_->write(engine_, inlet_states(), beside);
  saved_step_ = engine_.step();
}

/// The fault is what matters: when even its frame cannot be written, the fault is still what is reported.
void Simulation::write_fault_frame() {
  if (options_.folder.empty()) { return; }
  try {
    queue_->drain();
  } catch (const std::exception&) {}
  try {
    if (left_) { left_->write(engine_); }
  } catch (const std::exception&) {}
  try {
    std::vector<std::string> fields = frame_field_names();
    if (!scene_.cell) { std::erase_if(fields, needs_cell); }
    if (!scene_.heat) { std::erase(fields, "temperature"); }
    write_particle_frame(options_.folder / "fault.vtkhdf", engine_.snapshot(snapshot_request(fields)), fields,
                         scene_.precision, engine_.cell());
  } catch (const std::exception&) {}
}

/// Output has failed: what was computed is kept where there is room for it, unless frames are missing that a resumed
/// run would not write. The end of the sentence that tells of it.
std::string Simulation::rescue_state() {
  try {
    if (!queue_->retry() || options_.folder.empty() || engine_.step() == first_step_ || saved_step_ == engine_.step()) {
      return {};
    }
    if (fed_step_ != engine_.step()) { complete_moment(); }
    if (left_) { left_->write(engine_); }  // else a resumed run would lack them
    save();
    checkpoints_->finish();
    return "; the state at step " + std::to_string(engine_.step()) + " was saved to " + checkpoints_->last();
  } catch (const std::exception&) { return {}; }
}

void Simulation::sample_counts(double now) {
  // Counting may have to wait for the device: not more often than progress is looked at.
  if (counts_sampled_ != 0 && now - counts_sampled_ < 0.5 * chunk_seconds) { return; }
  counts_ = engine_.counts();
  counts_sampled_ = now;
}

RunTarget Simulation::next_output() const {
  RunTarget next = checkpoints_->next(engine_);
  if (frames_) { next = sooner(next, frames_->schedule().next(engine_)); }
  if (series_) { next = sooner(next, series_->next(engine_)); }
  if (contacts_) { next = sooner(next, contacts_->schedule().next(engine_)); }
  if (fields_) { next = sooner(next, fields_->next(engine_)); }
  return next;
}

bool Simulation::stopped() const { return closing_ || (options_.stop != nullptr && options_.stop->load()); }

RunProgress Simulation::progress_now(double now) const {
  RunProgress progress;
  progress.step = engine_.step();
  progress.first_step = first_step_;
  progress.time = engine_.time();
  progress.first_time = first_time_;
  if (last_step_ < most_steps) { progress.last_step = last_step_; }
  progress.end_time = std::min(end_time_, static_cast<double>(last_step_) * scene_.time_step);
  progress.wall_seconds = now - start_;
  progress.particle_steps = summary_.particle_steps;
  progress.stepping_seconds = summary_.stepping_seconds;
  progress.particles = counts_.particles;
  progress.contacts = counts_.contacts + counts_.wall_contacts;
  return progress;
}

}  // namespace scree
