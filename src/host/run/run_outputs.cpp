#include "host/run/run_outputs.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <utility>

#include "host/output/broken_bond_writer.hpp"
#include "host/output/broken_particle_writer.hpp"
#include "host/output/collision_writer.hpp"
#include "host/output/contact_writer.hpp"
#include "host/output/disk_room.hpp"
#include "host/output/field_outputs.hpp"
#include "host/output/frame_writer.hpp"
#include "host/output/insertions.hpp"
#include "host/output/left_writer.hpp"
#include "host/output/output_queue.hpp"
#include "host/output/particle_fields.hpp"
#include "host/output/series_writer.hpp"
#include "host/output/vtkhdf.hpp"
#include "host/storage/atomic_file.hpp"

namespace scree {
namespace {

// [bytes] The size of a frame of some 6000 spheres. If all cores work on the run, a thread that writes a smaller frame
// costs more than it saves, because it delays the threads that wait for one another in each step.
constexpr std::uint64_t worth_a_thread = 1U << 18U;

}  // namespace

RunOutputs::RunOutputs(const Case& input, const Scene& scene, const RunOptions& options, const Engine& engine)
    : scene_(scene), options_(options) {
  queue_ = std::make_unique<OutputQueue>();
  if (options.folder.empty()) { return; }
  const Output& output = input.output;
  const auto resumed_at = options.resumed ? std::optional(engine.step()) : std::nullopt;
  const auto resumed_time = options.resumed ? std::optional(engine.time()) : std::nullopt;
  if (output.frames) { frames_ = std::make_unique<FrameWriter>(options.folder, *output.frames, scene, resumed_time); }
  if (output.series) {
    series_ = std::make_unique<SeriesWriter>(options.folder, *output.series, scene, input.folder, resumed_at,
                                             output.broken_bonds.has_value());
  }
  if (output.contacts) {
    contacts_ = std::make_unique<ContactWriter>(options.folder, *output.contacts, scene, resumed_time);
  }
  if (!output.fields.empty()) {
    fields_ = std::make_unique<FieldOutputs>(options.folder, output.fields, scene, resumed_time);
  }
  if (output.left || fields_) { insertions_ = std::make_unique<Insertions>(scene); }
  if (output.left) { left_ = std::make_unique<LeftWriter>(options.folder, scene, *insertions_, resumed_at); }
  if (output.broken_bonds) {
    bonds_ = std::make_unique<BrokenBondWriter>(options.folder, *output.broken_bonds, scene,
                                                options.resumed ? &engine : nullptr);
  }
  if (output.broken_particles) { broken_ = std::make_unique<BrokenParticleWriter>(options.folder, scene, resumed_at); }
  if (output.collisions) {
    collisions_ = std::make_unique<CollisionWriter>(options.folder, *output.collisions, scene, resumed_at);
  }
  for (OutputFiles* const files :
       std::initializer_list<OutputFiles*>{frames_.get(), series_.get(), contacts_.get(), fields_.get(), left_.get(),
                                           bonds_.get(), broken_.get(), collisions_.get()}) {
    if (files != nullptr) { all_.push_back(files); }
  }
}

RunOutputs::~RunOutputs() = default;

void RunOutputs::warn(const std::vector<std::string>& notes) const {
  if (!options_.warn) { return; }
  for (const std::string& note : notes) { options_.warn(note); }
}

void RunOutputs::open() {
  for (OutputFiles* const files : all_) { warn(files->notes()), files->open(); }
}

RunTarget RunOutputs::next(const Engine& engine) const {
  RunTarget next;
  for (const OutputFiles* const files : all_) { next = sooner(next, files->next(engine)); }
  return next;
}

void RunOutputs::note_insertions(const Engine& engine, std::uint64_t inlet) {
  if (insertions_) { insertions_->note(engine, inlet); }
}

void RunOutputs::write_left(Engine& engine) {
  if (left_) { left_->write(engine); }
}

void RunOutputs::write_broken(const std::vector<BrokenParticle>& broken, const Engine& engine) {
  if (broken_) { broken_->write(broken, engine); }
}

void RunOutputs::write_due(Engine& engine, const RunNow& now, bool final_one) {
  const auto due = [&](const OutputSchedule& schedule) { return schedule.on() && (final_one || schedule.due(engine)); };
  if (bonds_) { bonds_->look(engine, final_one); }  // rows of the series count the kinds of its rows
  if (series_ && !series_->schedule().due(engine)) { series_->sample(engine); }  // else with the row
  if (series_ && due(series_->schedule())) {
    series_->write(engine, now.stage_number, now.inlets, now.breakage, bonds_ ? bonds_->kinds() : BrokenKinds{});
  }
  if (frames_) { frames_->set_stage(now.stage); }
  if (frames_ && due(frames_->schedule())) { write_copy(*frames_, engine); }
  if (contacts_ && due(contacts_->schedule())) { write_copy(*contacts_, engine); }
  if (fields_) {
    insertions_->note(engine);
    fields_->sample(engine, *insertions_, final_one);
    for (const auto& writer : fields_->writers()) {
      if (writer->due(engine, final_one)) { write_copy(*writer, engine); }
    }
  }
  if (collisions_) { collisions_->write(engine, final_one); }
  write_left(engine);
}

/// Whether a thread may write a copy of this size while the run goes on. If the thread fails to write it, everything
/// computed since then is lost, because the state from which the run could continue is gone. So the calling thread
/// writes if a failure is likely. It also writes the first file, whose size is not known.
bool RunOutputs::writes_by_thread(std::uint64_t bytes) const {
  if (bytes == 0) { return false; }
  const char* const asked = std::getenv("SCREE_OUTPUT_THREAD");  // 1 or 0, for tests and measurements
  if (asked != nullptr) { return asked == std::string_view("1"); }
  constexpr std::uint64_t enough = 16, reserve = std::uint64_t{64} << 20U;
  std::uint64_t all = 0;
  for (const OutputFiles* const files : all_) { all += files->frame_bytes(); }
  return bytes >= worth_a_thread && has_room(options_.folder, enough * all + reserve);
}

/// Writes a frame, or a file of contacts or fields.
template <class Writer>
void RunOutputs::write_copy(Writer& writer, Engine& engine) {
  if (!writes_by_thread(writer.frame_bytes())) {
    queue_->wait_for(last_copy_);
    writer.write(engine);
    return;
  }
  queue_->wait_for_room();
  auto copy = writer.collect(engine);
  if (!copy) { return; }
  using Copy = std::remove_reference_t<decltype(*copy)>;
  const auto shared = std::make_shared<const Copy>(std::move(*copy));
  last_copy_ = queue_->push([&writer, shared] { writer.write(*shared); }, true);
}

void RunOutputs::wait() { queue_->wait_for(last_copy_); }

void RunOutputs::sync(Engine& engine) {
  write_left(engine);
  for (OutputFiles* const files : all_) { files->sync(); }
}

/// The folders of all whole files, each once.
std::set<std::filesystem::path> RunOutputs::folders() const {
  std::set<std::filesystem::path> all;
  for (const OutputFiles* const files : all_) {
    for (auto& folder : files->folders()) { all.insert(std::move(folder)); }
  }
  return all;
}

void RunOutputs::sync_names() {
  std::set<std::filesystem::path> all = folders();
  if (all.empty()) { return; }
  queue_->push([all = std::move(all)] { std::for_each(all.begin(), all.end(), sync_folder); }, true);
}

void RunOutputs::close() {
  for (OutputFiles* const files : all_) { files->close(); }
  for (const std::filesystem::path& folder : folders()) { sync_folder(folder); }
}

/// The fault is reported even if its frame cannot be written.
void RunOutputs::write_fault_frame(Engine& engine) {
  if (options_.folder.empty()) { return; }
  try {
    queue_->drain();
  } catch (const std::exception&) {}
  try {
    write_left(engine);
  } catch (const std::exception&) {}
  try {
    const std::vector<std::string> fields = frame_fields_of(scene_);
    write_particle_frame(options_.folder / "fault.vtkhdf", engine.snapshot(snapshot_request(fields)), fields,
                         scene_.precision, engine.cell());
  } catch (const std::exception&) {}
}

void RunOutputs::change(const StagedOutput& output, std::uint64_t step, double time) {
  const auto change = [&](const auto& writer, const std::optional<StagedInterval>& interval) {
    if (writer && interval) { writer->change_schedule(*interval, step, time); }
  };
  change(frames_, output.frames);
  change(series_, output.series);
  change(contacts_, output.contacts);
  for (const auto& [name, interval] : output.fields) {
    if (!fields_) { continue; }
    for (const auto& writer : fields_->writers()) {
      if (writer->name() == name) { writer->change_schedule(interval, step, time); }
    }
  }
}

OutputStates RunOutputs::save(std::uint64_t step) const {
  OutputStates states;
  if (series_) { states.probes = series_->probe_states(); }
  if (fields_) { states.fields = fields_->save(step); }
  if (insertions_) { states.left = insertions_->save(); }
  if (bonds_) { states.bonds = bonds_->save(); }
  return states;
}

void RunOutputs::restore(const OutputStates& states, Engine& engine) {
  if (series_) { series_->restore_probes(states.probes); }
  if (fields_) { fields_->restore(states.fields); }
  if (bonds_) { bonds_->restore(states.bonds); }
  if (insertions_) { insertions_->restore(states.left, engine); }
  if (fields_ && insertions_->lacks_some()) {
    const std::string text =
        "fields: the checkpoint does not tell when the particles of inlets came in: residence times of those of before "
        "this step count from here";
    warn({text});
  }
  if (!left_) { return; }
  std::uint64_t removed = 0;
  const std::vector<std::uint64_t> by_name = engine.counts().removed;
  for (std::size_t k = 0; k < by_name.size(); ++k) {
    if (!scene_.counts_broken(k)) { removed += by_name[k]; }
  }
  left_->restore(removed);
}

std::uint64_t RunOutputs::files() const {
  std::uint64_t count = 0;
  for (const OutputFiles* const files : all_) { count += files->files(); }
  return count;
}

std::vector<FlowReport> RunOutputs::flows() const { return series_ ? series_->flows() : std::vector<FlowReport>{}; }

}  // namespace scree
