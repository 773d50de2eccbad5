#include "host/output/series_writer.hpp"

#include <algorithm>

#include "host/output/finite.hpp"
#include "host/text/csv.hpp"
#include "host/text/text.hpp"

namespace scree {

std::string series_header(const Scene& scene, const std::vector<std::string>& probe_columns, bool has_kinds) {
  std::string header = headings_of(series_columns(scene, has_kinds));
  for (const auto& column : probe_columns) { header += "," + csv::quoted(column); }
  return header;
}

SeriesWriter::SeriesWriter(const std::filesystem::path& folder, const SeriesOutput& output, const Scene& scene,
                           const std::filesystem::path& case_folder, std::optional<std::uint64_t> resumed_at,
                           bool has_kinds)
    : scene_(scene),
      schedule_(output.every, scene),
      probes_(output, scene, case_folder),
      columns_(series_columns(scene, has_kinds)),
      rows_(scene),
      table_(folder / "series.csv", series_header(scene, probes_.columns(), has_kinds)) {
  const std::vector<std::string> columns = probes_.columns();
  for (const auto& [name, probe] : output.probes) {
    if (!std::holds_alternative<FlowProbe>(probe.kind)) { continue; }
    const auto found = std::find(columns.begin(), columns.end(), name + "_mass[kg]");
    flows_.push_back({name, static_cast<std::size_t>(found - columns.begin()), {}});
  }
  for (const auto& [probe, every] : probes_.sampled()) { samples_.push_back({probe, OutputSchedule(every, scene)}); }
  if (resumed_at) { table_.continue_before(*resumed_at, begins_off(scene, &StagedOutput::series)); }
}

std::vector<StateArray> SeriesWriter::probe_states() const {
  std::vector<StateArray> arrays = probes_.save();
  rows_.save(arrays);
  return arrays;
}

void SeriesWriter::restore_probes(const std::vector<StateArray>& arrays) {
  rows_.restore(arrays);
  const bool may_be_none = table_.kept().rows == 0 && begins_off(scene_, &StagedOutput::series);
  for (const std::string& name : probes_.restore(arrays)) {
    if (may_be_none) { continue; }
    table_.kept().notes.push_back("the checkpoint knows nothing of the probe \"" + name +
                                  "\": it counts from this step");
  }
}

std::vector<FlowReport> SeriesWriter::flows() const {
  std::vector<FlowReport> flows;
  for (const ProbeFlow& flow : flows_) {
    if (const auto found = flow.mass.result()) {
      flows.push_back({flow.name, true, found->rate, found->from, found->until, found->amount, found->is_steady});
    }
  }
  return flows;
}

void SeriesWriter::sample(Engine& engine) {
  if (!schedule_.on() || engine.step() == 0) { return; }
  std::vector<std::size_t> due;
  for (const ProbeSamples& samples : samples_) {
    if (samples.schedule.due(engine) && !probes_.has_sample_of(samples.probe, engine.step())) {
      due.push_back(samples.probe);
    }
  }
  if (due.empty()) { return; }
  probes_.sample(measured(engine, probes_.needs(due)), scene_, due);
}

/// What a row or a sample looks at, with finite numbers.
MeasuredState SeriesWriter::measured(Engine& engine, MeasureNeeds needs) const {
  MeasuredState state(engine, needs);
  expect_finite(state.spheres);
  if (state.cell) { expect_finite(*state.cell, engine.step()); }
  return state;
}

RunTarget SeriesWriter::next(const Engine& engine) const {
  RunTarget next = schedule_.next(engine);
  if (!schedule_.on()) { return next; }
  for (const ProbeSamples& samples : samples_) { next = sooner(next, samples.schedule.next(engine)); }
  return next;
}

void SeriesWriter::change_schedule(const StagedInterval& change, std::uint64_t step, double time) {
  schedule_.change(change, step, time);
  if (!schedule_.on()) { probes_.forget_samples(); }
}

void SeriesWriter::write(Engine& engine, std::size_t stage, const std::vector<InletReport>& inlets,
                         const BreakageReport& breakage, const BrokenKinds& broken) {
  if (last_step_ == engine.step()) { return table_.append(); }
  open();
  MeasureNeeds needs = probes_.needs();
  needs.loads = true;
  if (scene_.cell) { needs.forces = needs.contacts = true; }
  const MeasuredState state = measured(engine, needs);
  SeriesReadouts now(engine, state, scene_, stage, inlets);
  now.before = rows_.of(engine.step());
  now.breakage = breakage;
  now.broken = broken;
  std::string row = values_of(columns_, now);
  // The last row of an interrupted run is not due: a resumed run does not have it.
  if (schedule_.due(engine)) { rows_.add(engine.step(), engine.time(), state.loads, now.counts.removed_mass); }
  if (!probes_.empty()) {
    const std::vector<double> values = probes_.measure(state, scene_, schedule_.due(engine));
    for (const double value : values) { row += "," + number_text(value); }
    for (ProbeFlow& flow : flows_) { flow.mass.add(engine.time(), values[flow.column]); }
  }
  table_.add(row);
  last_step_ = engine.step();
  table_.append();
}

}  // namespace scree
