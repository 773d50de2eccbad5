#include "host/output/stage_measures.hpp"

#include <algorithm>
#include <optional>
#include <variant>

#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr const char* probe_name = "measure";

/// Columns that depend on the history of the run or on the row before, and not on the state alone.
bool is_of_the_run(const std::string& name) {
  return name.starts_with("power_") || name.starts_with("mass_flow_") || name == "time" || name == "step" ||
         name == "stage" || name == "control_stage" || name.starts_with("inserted_") || name == "fragments" ||
         name == "mass_fines";
}

/// The place of a column among these names. Throws CaseError, with the path in the condition.
std::size_t place_of(const std::string& name, const std::vector<std::string>& names) {
  if (const auto place = place_of_name(name, names)) { return *place; }
  throw CaseError("column", unknown_name("column", name, names));
}

Probes probes_of(const ProbeOutput& probe, const Scene& scene) {
  const std::string path = std::string("output.series.probes.") + probe_name + ".";
  try {
    return {SeriesOutput{.every = 1, .probes = {{probe_name, probe}}}, scene, {}};
  } catch (const CaseError& error) {
    const InputProblem& first = error.problems().front();
    throw CaseError("probe." + (first.path.starts_with(path) ? first.path.substr(path.size()) : first.path),
                    first.message);
  }
}

}  // namespace

MeasuredColumn::MeasuredColumn(const MeasureCondition& condition, const Scene& scene) : scene_(scene) {
  condition.probe ? choose_of_probe(condition) : choose_of_series(condition.column.value_or(""));
}

void MeasuredColumn::choose_of_probe(const MeasureCondition& condition) {
  probes_ = std::make_unique<Probes>(probes_of(*condition.probe, scene_));
  if (condition.probe->sample_every || probes_->count()) {
    throw CaseError("probe",
                    "must measure the present state alone: neither \"sample_every\" nor a probe of type flow "
                    "or dissipation is possible");
  }
  std::vector<std::string> names, units;
  for (const ProbeColumn& column : probes_->columns_of_probes()) {
    names.push_back(column.name.substr(column.probe.size() + 1)), units.push_back(column.unit);
  }
  if (!condition.column && names.size() > 1) {
    throw CaseError("column", "is missing; the probe has several: " + quoted_list(names));
  }
  place_ = condition.column ? place_of(*condition.column, names) : 0;
  name_ = names.at(place_), unit_ = units.at(place_);
}

void MeasuredColumn::choose_of_series(const std::string& name) {
  std::vector<SeriesColumn> columns = series_columns(scene_);
  std::erase_if(columns, [&](const SeriesColumn& column) {
    return is_of_the_run(column.name) || (scene_.breakage && column.name == "inserted");
  });
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const SeriesColumn& column : columns) { names.push_back(column.name); }
  of_series_ = columns[place_of(name, names)];
  name_ = of_series_.name, unit_ = of_series_.unit;
}

MeasureNeeds MeasuredColumn::needs() const {
  if (probes_) { return probes_->needs(); }
  return {.forces = scene_.cell.has_value(), .contacts = scene_.cell.has_value(), .loads = true};
}

double MeasuredColumn::value(Engine& engine, const MeasuredState& state) {
  if (probes_) { return probes_->measure(state, scene_, false).at(place_); }
  const auto n_inlets =
      std::count_if(scene_.inlets.begin(), scene_.inlets.end(), [](const auto& inlet) { return inlet.part == 0; });
  const std::vector<InletReport> inlets(static_cast<std::size_t>(n_inlets));
  const SeriesValue value = of_series_.value(SeriesReadouts(engine, state, scene_, 0, inlets));
  return std::visit([](auto number) { return static_cast<double>(number); }, value);
}

std::string MeasuredColumn::text(double value) const {
  return name_ + " is " + short_number_text(value) + (unit_.empty() ? "" : " " + unit_);
}

StageMeasures::StageMeasures(const SceneStage& stage, const Scene& scene) {
  const auto waits = [](const auto& conditions) { return conditions.measure.has_value(); };
  if (!stage.until) { return; }
  const auto& list = stage.until->all_of;
  if (!waits(*stage.until) && std::none_of(list.begin(), list.end(), waits)) { return; }
  const auto add = [&](const std::optional<MeasureCondition>& condition, const std::string& path) {
    try {
      columns_.push_back(condition ? std::make_unique<MeasuredColumn>(*condition, scene) : nullptr);
    } catch (const CaseError& error) {
      const InputProblem& first = error.problems().front();
      throw CaseError(path + ".measure." + first.path, first.message);
    }
  };
  add(stage.until->measure, "until");
  for (std::size_t k = 0; k < list.size(); ++k) { add(list[k].measure, "until.all_of." + std::to_string(k)); }
}

MeasureNeeds StageMeasures::needs() const {
  MeasureNeeds all{.forces = false, .contacts = false};
  for (const auto& column : columns_) {
    if (column) { all = all | column->needs(); }
  }
  return all;
}

void check_stage_measures(const Scene& scene) {
  std::vector<InputProblem> problems;
  for (std::size_t k = 0; k < scene.stages.size(); ++k) {
    try {
      static_cast<void>(StageMeasures(scene.stages[k], scene));
    } catch (const CaseError& error) {
      const InputProblem& first = error.problems().front();
      problems.push_back({"stages." + std::to_string(k) + "." + first.path, first.message});
    }
  }
  if (!problems.empty()) { throw CaseError(std::move(problems)); }
}

}  // namespace scree
