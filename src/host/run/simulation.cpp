#include "scree/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "host/case/parcels.hpp"
#include "host/checkpoint/checkpoint_writer.hpp"
#include "host/measure/cell_meters.hpp"
#include "host/measure/state_measures.hpp"
#include "host/output/finite.hpp"
#include "host/output/insertions.hpp"
#include "host/output/output_queue.hpp"
#include "host/run/boundary_times.hpp"
#include "host/run/chunk.hpp"
#include "host/run/contact_warnings.hpp"
#include "host/run/deepest_contact.hpp"
#include "host/run/inlets.hpp"
#include "host/run/lost_particles.hpp"
#include "host/run/missed_goals.hpp"
#include "host/run/outlet_flows.hpp"
#include "host/run/particle_breakage.hpp"
#include "host/run/run_outputs.hpp"
#include "host/run/servos.hpp"
#include "host/run/stages.hpp"
#include "host/scene/time_step.hpp"
#include "host/text/text.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr std::uint64_t most_steps = (1ULL << 53U) - 1;
constexpr double chunk_seconds = 0.2;  // progress and interrupts stay lively, the calls cost nothing

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

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
      end_time_(scene.adaptive && !options_.steps ? moment_of_steps(input.time.duration)
                                                  : std::numeric_limits<double>::infinity()) {
  SCREE_EXPECT(last_step_ <= most_steps, "a countable number of steps");
  warned_ = engine.watch();
  servos_ = std::make_unique<Servos>(scene);
  stages_ = std::make_unique<Stages>(
      scene, servos_.get(),
      [this](const SceneStage& stage, const Stages::Moment& begun) { begin_stage(stage, begun.step, begun.time); });
  boundary_times_ = std::make_unique<BoundaryTimes>(scene);
  flows_ = std::make_unique<OutletFlows>(scene);
  if (!scene.inlets.empty()) { inlets_ = std::make_unique<Inlets>(case_, scene); }
  if (scene.breakage) { breakage_ = std::make_unique<ParticleBreakage>(scene); }
  outputs_ = std::make_unique<RunOutputs>(case_, scene, options_, engine);
  std::string text = options_.case_text.empty() ? write_case(input) : options_.case_text;
  checkpoints_ = std::make_unique<CheckpointWriter>(options_.folder, input, scene, std::move(text), outputs_->queue());
}

Simulation::~Simulation() = default;

RunSummary Simulation::run(const ProgressFunction& progress) {
  begin();
  advance(last_step_, progress);
  return finish();
}

/// Saves the state of a run that breaks down, as far as possible.
template <class Part>
void Simulation::guard(const Part& part) {
  try {
    part();
  } catch (const KernelFault&) {
    outputs_->write_fault_frame(engine_);
    throw;
  } catch (const OutputError& error) { throw OutputError(error.what() + rescue_state()); }
}

void Simulation::begin() {
  start_ = clock_seconds();
  if (options_.resumed) { warn_all(ended_before(engine_, *stages_)); }
  outputs_->open();
  guard([&] {
    switch_boundaries();
    if (!options_.resumed) {
      look_at_stages();
      servos_->set_forces(engine_);
    }
    write_due_output(!options_.resumed || over());
    wait_for_output();
  });
  flows_->sample(engine_);
  sample_counts(clock_seconds());
}

/// `progress` is called when a moment is complete, with its inlets and its output, since it may throw.
void Simulation::advance(std::uint64_t target, const ProgressFunction& progress) {
  outputs_->note_insertions(engine_, Insertions::no_inlet);  // what the caller has inserted
  guard([&] {
    while (!over() && !stopped() && engine_.step() < target) {
      const std::uint64_t inlet_step = inlets_ ? inlets_->next_after(engine_.step(), engine_.time()) : last_step_;
      RunTarget due = sooner(sooner(outputs_->next(engine_), checkpoints_->next(engine_)), stages_->next(engine_));
      due = sooner(sooner(due, servos_->next(engine_)), sooner(flows_->next(engine_), boundary_times_->next(engine_)));
      if (breakage_) { due = sooner(due, breakage_->next(engine_)); }
      const std::uint64_t before = engine_.step();
      advance_to(sooner(due, {std::min({last_step_, inlet_step, target}), end_time_}), progress);
      // Stopped before the first step: the moment is complete, its inlets are fed, and finish() writes it.
      if (engine_.step() == before && stopped()) { break; }
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
    // A signal may have come after the last check.
    if (!over() && final_step_ != engine_.step()) { write_due_output(true); }
    wait_for_output();
    const double closing = clock_seconds();
    outputs_->close();
    checkpoints_->finish();
    summary_.output_seconds += clock_seconds() - closing;
    look_at_end();
  });
  summary_.interrupted = !over();
  if (over()) {
    const std::string where = breakage_ && breakage_->too_many() ? "before spheres that break made too many particles"
                              : options_.steps
                                  ? "up to step " + count_text(engine_.step()) + ", at which the run was to end"
                                  : "within time.duration";
    warn_all(missed_goals(scene_, engine_, *stages_, *servos_, where));
  }
  if (const auto lost = lost_particles(scene_, engine_)) { warn_all({*lost}); }
  summary_.steps = engine_.step() - first_step_;
  summary_.time = engine_.time();
  summary_.first_time = first_time_;
  summary_.last_step_length = engine_.time() - engine_.previous_time();
  summary_.fixed_step = stages_->fixed_step();
  summary_.critical = engine_.critical_step();
  summary_.watch = engine_.watch();
  flows_->sample(engine_);
  summary_.flows = flows_->report();
  for (FlowReport& flow : outputs_->flows()) { summary_.flows.push_back(std::move(flow)); }
  if (inlets_) { summary_.inlets = inlets_->report(engine_.time()); }
  if (breakage_) { summary_.breakage = breakage_->totals(); }
  summary_.files = outputs_->files() + checkpoints_->files();
  summary_.checkpoint = checkpoints_->last();
  summary_.wall_seconds = clock_seconds() - start_;
  return summary_;
}

/// Checks that the state whose hash the run reports is finite, and records its energies.
void Simulation::look_at_end() {
  const Snapshot particles = engine_.snapshot({.force = true});
  expect_finite(particles);
  const auto cell = engine_.cell();
  if (cell) { expect_finite(*cell, engine_.step()); }
  summary_.kinetic_energy = kinetic_energy(cell ? fluctuating(particles, scene_, *cell) : particles, scene_);
  const Real3 gravity = engine_.gravity();
  if (!cell && gravity != Real3{}) { summary_.potential_energy = potential_energy(particles, scene_, gravity); }
  const ContactWatch watch = engine_.watch();
  const auto soft =
      std::find(particles.id.begin(), particles.id.end(), static_cast<std::uint32_t>(watch.most_overlap_particle));
  constexpr double told = 0.01;  // of the radius: from there on ContactWatch tells the particles; warnings begin later
  if (watch.most_overlap > told && !summary_.soft_material && soft != particles.id.end()) {
    summary_.soft_material = particles.material[static_cast<std::size_t>(soft - particles.id.begin())];
  }
}

bool Simulation::over() const {
  return engine_.step() >= last_step_ || engine_.time() >= end_time_ || engine_.finished() || stages_->finished() ||
         (breakage_ && breakage_->too_many());
}

void Simulation::advance_to(const RunTarget& target, const ProgressFunction& progress) {
  const bool is_ahead = engine_.step() < target.step && engine_.time() < target.time;
  SCREE_EXPECT(is_ahead || stopped() || engine_.finished(), "what is due next lies ahead");
  while (engine_.step() < target.step && engine_.time() < target.time && !stopped() && !engine_.finished()) {
    const std::uint64_t steps = std::min(chunk_, target.step - engine_.step());
    const double before = clock_seconds();
    const std::uint64_t done = engine_.advance(steps, options_.stop, target.time);
    const double now = clock_seconds();
    SCREE_EXPECT(done > 0 || stopped() || engine_.finished(), "the engine makes at least one step");
    sample_counts(now);
    outputs_->queue().look();
    outputs_->write_left(engine_);
    look_at_contacts();
    summary_.stepping_seconds += now - before;
    summary_.particle_steps += static_cast<double>(done) * static_cast<double>(counts_.particles);
    summary_.contact_steps +=
        static_cast<double>(done) * static_cast<double>(counts_.contacts + counts_.boundary_contacts);
    // A chunk that the next output cut short is no measure of a whole one.
    if (steps == chunk_ || now - before > chunk_seconds) { chunk_ = next_chunk(steps, now - before, chunk_seconds); }
    if (progress && engine_.step() < target.step && engine_.time() < target.time) { progress(progress_now(now)); }
    if (done < steps) { return; }  // stopped, or a stage of the cell has begun
  }
}

/// Warns of problems of the contacts when they first appear.
void Simulation::look_at_contacts() {
  if (!std::exchange(looked_for_bonds_, true)) {
    const EngineCounts counts = engine_.counts();
    if (const auto none = missing_bonds(scene_, counts, false)) { warn_all({*none}); }
    if (const auto line = bonds_at_start(scene_, counts); line && first_step_ == 0 && options_.note) {
      options_.note(*line);
    }
  }
  const ContactWatch now = engine_.watch();
  const double step = stages_->fixed_step();
  // The contact exists only now, and the end of the run names it, too. Finding it takes a list of all contacts, so it
  // is searched again only if the overlap has grown by this factor.
  constexpr double grown = 1.02;
  std::string stiffer;
  const bool tells = tells_of_overlap(warned_, now);
  if (now.most_overlap > warned_.most_overlap) { summary_.overlap_partner.clear(); }
  if (tells || (now.most_overlap > std::max({large_overlap, warned_.most_overlap, grown * named_overlap_}))) {
    named_overlap_ = now.most_overlap;
    const auto particle = static_cast<std::uint32_t>(now.most_overlap_particle);
    if (const auto contact = deepest_contact(engine_, scene_, particle)) {
      summary_.overlap_partner = contact->partner, summary_.soft_material = contact->soft_material;
      stiffer = stiffer_key(scene_, contact->soft_material);
    }
  }
  for (const std::string& text :
       contact_warnings({warned_, warned_step_}, {now, step}, summary_.overlap_partner, stiffer)) {
    if (options_.warn) { options_.warn(text); }
  }
  if (tells && options_.warn) { summary_.told_overlap_step = now.most_overlap_step; }
  warned_ = now;
  warned_step_ = step;
}

/// The breakage in a step belongs to its state, as the particles of its inlets do. Inlets then keep clear of fragments.
void Simulation::break_particles() {
  if (!breakage_ || !breakage_->due(engine_)) { return; }
  const std::vector<BrokenParticle> broken = breakage_->look(engine_);
  if (const auto end = breakage_->too_many()) { warn_all({*end}); }
  if (broken.empty()) { return; }
  outputs_->note_insertions(engine_, Insertions::no_inlet);
  outputs_->write_broken(broken, engine_);
}

/// The inlets of a step belong to its state: output and checkpoints show the state after them.
void Simulation::feed_inlets() {
  fed_step_ = engine_.step();
  if (!inlets_) { return; }
  const auto note_fed = [this](std::uint64_t entry) { outputs_->note_insertions(engine_, entry); };
  for (const std::string& note : inlets_->feed(engine_, note_fed)) {
    if (options_.warn) { options_.warn(note); }
  }
}

/// Makes all changes that belong to the moment after some steps, before it is written.
void Simulation::complete_moment() {
  switch_boundaries();
  break_particles();
  feed_inlets();
  if (look_at_stages() || servos_->due(engine_)) { servos_->set_forces(engine_); }
}

void Simulation::warn_all(const std::vector<std::string>& warnings) const {
  for (const std::string& warning : warnings) {
    if (options_.warn) { options_.warn(warning); }
  }
}

/// This comes before the inlets, so that new particles keep clear of boundaries that appear.
void Simulation::switch_boundaries() {
  for (const std::string& line : boundary_times_->look(engine_)) {
    if (options_.note) { options_.note(line); }
  }
  warn_all(boundary_times_->take_warnings());
}

/// Returns whether a stage began or ended.
bool Simulation::look_at_stages() {
  const auto line = stages_->look(engine_);
  if (line && options_.note) { options_.note(*line); }
  warn_all(stages_->take_warnings());
  return line.has_value();
}

/// Makes the changes of a stage outside of the engine. A stage begins after inlets were fed, and before any output.
void Simulation::begin_stage(const SceneStage& stage, std::uint64_t step, double time) {
  for (const SceneStagedInlet& inlet : stage.inlets) {
    SCREE_EXPECT(inlets_ != nullptr, "a stage that changes an inlet needs one");
    inlets_->change(inlet.entry, inlet.change, time);
  }
  for (const SceneStagedGroup& staged : stage.groups) {
    if (inlets_) { inlets_->change_group(staged.group, staged.change); }
    if (breakage_) { breakage_->change_group(staged.group, staged.change); }
  }
  servos_->change(stage, time);
  if (stage.output) { outputs_->change(*stage.output, step, time); }
}

void Simulation::set_group(std::size_t index, const GroupChange& change) {
  engine_.set_group(index, change);
  if (inlets_) { inlets_->change_group(index, change); }
  if (breakage_) { breakage_->change_group(index, change); }
}

void Simulation::write_due_output(bool final_one) {
  const double before = clock_seconds();
  if (final_one) { final_step_ = engine_.step(); }
  const auto inlets = inlets_ ? inlets_->report(engine_.time()) : std::vector<InletReport>{};
  outputs_->write_due(engine_,
                      {stages_->name(), stages_->present(), inlets, breakage_ ? breakage_->totals() : BreakageReport{}},
                      final_one);
  write_due_checkpoint(final_one);
  summary_.output_seconds += clock_seconds() - before;
}

void Simulation::wait_for_output() {
  const double before = clock_seconds();
  outputs_->wait();
  summary_.output_seconds += clock_seconds() - before;
}

void Simulation::sample_counts(double now) {
  // Counting may have to wait for the device, so it is done no more often than progress is shown.
  if (counts_sampled_ != 0 && now - counts_sampled_ < 0.5 * chunk_seconds) { return; }
  counts_ = engine_.counts();
  counts_sampled_ = now;
  look_at_histories();
}

/// Warns once if load histories have become so long that they limit the speed of the run: the law works at their ends,
/// but the energies of its springs follow from all segments.
void Simulation::look_at_histories() {
  constexpr std::uint64_t long_history = 100;  // segments of a contact, in the mean
  const std::uint64_t contacts = counts_.contacts + counts_.boundary_contacts;
  if (histories_told_ || !scene_.energies || contacts == 0 || counts_.segments < long_history * contacts) { return; }
  histories_told_ = true;
  if (!options_.warn) { return; }
  options_.warn("contacts of the law jaeger remember " + count_text(counts_.segments / contacts) +
                " segments in the mean, the longest " + count_text(counts_.longest_history) +
                ", and the energy ledger goes through all of them in each step; \"load_history\": {\"merging\": 0.1} "
                "or {\"most_segments\": 16} in \"contacts\" keeps them short");
}

bool Simulation::stopped() const { return closing_ || (options_.stop != nullptr && options_.stop->load()); }

RunProgress Simulation::progress_now(double now) const {
  RunProgress progress;
  progress.step = engine_.step();
  progress.first_step = first_step_;
  progress.time = engine_.time();
  progress.first_time = first_time_;
  // The remaining time contains the rest of the present stage and all later ones, if these have durations.
  const RunTarget end = stages_->latest_end();
  const std::uint64_t last_step = std::min(last_step_, end.step);
  if (last_step < most_steps) { progress.last_step = last_step; }
  const bool by_time = end_time_ < std::numeric_limits<double>::infinity();
  progress.end_time =
      by_time ? std::min(case_.time.duration, end.time) : static_cast<double>(last_step) * scene_.time_step;
  progress.wall_seconds = now - start_;
  progress.particle_steps = summary_.particle_steps;
  progress.stepping_seconds = summary_.stepping_seconds;
  progress.particles = counts_.particles;
  progress.contacts = counts_.contacts + counts_.boundary_contacts;
  return progress;
}

}  // namespace scree
