#include "host/output/series_writer.hpp"

#include <algorithm>

#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/measure/cell_meters.hpp"
#include "host/measure/state_measures.hpp"
#include "host/output/finite.hpp"
#include "host/scene/load_histories.hpp"
#include "host/text/csv.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr std::array axes{"x", "y", "z"};

bool is_free(const DrivenTranslation& drive, const char* axis) {
  return std::find(drive.free.begin(), drive.free.end(), axis) != drive.free.end();
}

void append_vector(std::string& row, const Real3& vector) {
  for (const double component : vector) { row += "," + number_text(component); }
}

void append_drive_columns(std::string& header, const SceneBoundary& boundary) {
  if (!boundary.drive) { return; }
  if (const auto& translation = boundary.drive->translation) {
    for (const char* quantity : {"shift_", "velocity_"}) {
      const std::string unit = quantity == std::string("shift_") ? "[m]" : "[m/s]";
      for (const char* axis : axes) {
        if (is_free(*translation, axis)) {
          header += "," + csv::quoted(quantity + std::string(axis) + "_" + boundary.name + unit);
        }
      }
    }
  }
  if (boundary.drive->rotation) {
    header +=
        "," + csv::quoted("angle_" + boundary.name + "[rad]") + "," + csv::quoted("rate_" + boundary.name + "[rad/s]");
  }
  if (!boundary.drive->body) { return; }
  const auto add = [&](const std::string& quantity, const auto& parts, const std::string& unit) {
    const std::string end = "_" + boundary.name + unit;
    for (const char* part : parts) {
      header.append(",").append(csv::quoted(std::string(quantity).append(part).append(end)));
    }
  };
  add("center_", axes, "[m]");
  add("velocity_", axes, "[m/s]");
  add("orientation_", std::array{"w", "x", "y", "z"}, "");
  add("spin_", axes, "[rad/s]");
}

/// Unit quaternion of the turn of a boundary since the start.
QuaternionWxyz orientation_of(const BoundaryLoad& load) {
  std::array<Real3, 3> frame{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t k = 0; k < 3; ++k) { frame[k][row] = load.rotation[row][k]; }
  }
  return clumps::orientation_of(frame);
}

void append_heat_columns(std::string& header, const Scene& scene) {
  header += ",temperature_mean[K],heat[J],heat_dissipated[J],heat_inserted[J],heat_removed[J]";
  for (const auto& boundary : scene.boundaries) {
    header += "," + csv::quoted("heat_flow_" + boundary.name + "[W]") + "," +
              csv::quoted("heat_supplied_" + boundary.name + "[J]");
  }
}

void append_heat(std::string& row, const HeatReport& heat) {
  for (const double value : {heat.mean_temperature, heat.heat, heat.dissipation, heat.inserted, heat.removed}) {
    row += "," + number_text(value);
  }
  for (std::size_t b = 0; b < heat.flow.size(); ++b) {
    row += "," + number_text(heat.flow[b]) + "," + number_text(heat.supplied[b]);
  }
}

void append_drive(std::string& row, const BoundaryLoad& load, const SceneBoundary& boundary) {
  if (!boundary.drive) { return; }
  if (const auto& translation = boundary.drive->translation) {
    for (const Real3* vector : {&load.shift, &load.velocity}) {
      for (std::size_t k = 0; k < 3; ++k) {
        if (is_free(*translation, axes[k])) { row += "," + number_text((*vector)[k]); }
      }
    }
  }
  if (boundary.drive->rotation) { row += "," + number_text(load.angle) + "," + number_text(load.rate); }
  if (!boundary.drive->body) { return; }
  append_vector(row, geometry::add(boundary.drive->body->center.value(), load.shift));
  append_vector(row, load.velocity);
  for (const double part : orientation_of(load)) { row += "," + number_text(part); }
  append_vector(row, load.spin);
}

/// The name of a measure of the cell in the header; empty: rows lack it. The column "stage" is that of the stages of
/// the run, if there are any.
std::string column_of_cell(const Scene& scene, const std::string& name) {
  if (scene.stages.empty() || name != "stage") { return name; }
  return scene.cell->stages.empty() ? "" : "control_stage";
}

}  // namespace

std::string series_header(const Scene& scene, const std::vector<std::string>& probe_columns) {
  std::string header =
      "time[s],step,particles,contacts,wall_contacts,kinetic_energy[J],overlap_max,overlap_max_so_far,critical_step[s]";
  if (scene.adaptive) { header += ",time_step[s]"; }
  if (!scene.stages.empty()) { header += ",stage"; }
  if (!scene.inlets.empty()) { header += ",inserted"; }
  if (scene.has_bonds()) { header += ",bonds,broken_bonds"; }
  if (has_load_histories(scene)) { header += ",history_length_mean,history_length_max"; }
  for (const auto& name : scene.outlet_names) {
    header += "," + csv::quoted("removed_" + name) + "," + csv::quoted("removed_mass_" + name + "[kg]");
  }
  for (const auto& boundary : scene.boundaries) {
    for (const char* axis : axes) {
      header += "," + csv::quoted(std::string("force_") + axis + "_" + boundary.name + "[N]");
    }
    for (const char* axis : axes) {
      header += "," + csv::quoted(std::string("torque_") + axis + "_" + boundary.name + "[N m]");
    }
    header += "," + csv::quoted("work_" + boundary.name + "[J]");
    append_drive_columns(header, boundary);
  }
  if (scene.energies) {
    header +=
        ",kinetic_translation[J],kinetic_rotation[J],elastic[J],work_gravity[J],work_boundaries[J],work_groups[J],lost_"
        "friction[J],lost_viscous[J],"
        "lost_damping[J],lost_breakage[J],lost_parting[J],lost_removed[J],energy_error[J]";
    if (scene.any_deforms()) { header += ",kinetic_modes[J],elastic_modes[J],lost_modes[J]"; }
  }
  if (scene.heat) { append_heat_columns(header, scene); }
  if (scene.has_films()) { header += ",liquid_films[m3],liquid_bridges[m3],bridges"; }
  if (scene.cell) {
    for (const auto& column : cell_columns()) {
      const std::string name = column_of_cell(scene, column);
      if (!name.empty()) { header += "," + name; }
    }
    if (scene.energies) { header += ",work_cell[J]"; }
  }
  for (const auto& column : probe_columns) { header += "," + csv::quoted(column); }
  return header;
}

SeriesWriter::SeriesWriter(const std::filesystem::path& folder, const SeriesOutput& output, const Scene& scene,
                           const std::filesystem::path& case_folder, std::optional<std::uint64_t> resumed_at)
    : scene_(scene),
      schedule_(output.every, scene),
      probes_(output, scene, case_folder),
      header_(series_header(scene, probes_.columns())),
      path_(folder / "series.csv") {
  const std::vector<std::string> columns = probes_.columns();
  for (const auto& [name, probe] : output.probes) {
    if (!std::holds_alternative<FlowProbe>(probe.kind)) { continue; }
    const auto found = std::find(columns.begin(), columns.end(), name + "_mass[kg]");
    flows_.push_back({name, static_cast<std::size_t>(found - columns.begin()), {}});
  }
  for (const auto& [probe, every] : probes_.sampled()) { samples_.push_back({probe, OutputSchedule(every, scene)}); }
  if (resumed_at) { kept_ = look_at_rows(path_, header_, *resumed_at, begins_off(scene, &StagedOutput::series)); }
}

void SeriesWriter::open() {
  if (file_) { return; }
  file_.emplace(path_, kept_.bytes);
  if (file_->size() == 0) { file_->append(header_); }
}

void SeriesWriter::restore_probes(const std::vector<StateArray>& arrays) {
  const bool may_be_none = kept_.rows == 0 && begins_off(scene_, &StagedOutput::series);
  for (const std::string& name : probes_.restore(arrays)) {
    if (may_be_none) { continue; }
    kept_.notes.push_back("the checkpoint knows nothing of the probe \"" + name + "\": it counts from this step");
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
  const MeasuredState state(engine, probes_.needs(due));
  expect_finite(state.spheres);
  if (state.cell) { expect_finite(*state.cell, engine.step()); }
  probes_.sample(state, scene_, due);
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

void SeriesWriter::write(Engine& engine, std::size_t stage) {
  if (last_step_ == engine.step()) { return; }
  open();
  MeasureNeeds needs = probes_.needs();
  needs.loads = true;
  if (scene_.cell) { needs.forces = needs.contacts = true; }
  const MeasuredState state(engine, needs);
  const Snapshot& particles = state.spheres;
  expect_finite(particles);
  const std::optional<CellState>& cell = state.cell;
  if (cell) { expect_finite(*cell, engine.step()); }
  const EngineCounts counts = engine.counts();
  const std::vector<BoundaryLoad>& loads = state.loads;
  SCREE_EXPECT(
      counts.removed.size() == scene_.outlet_names.size() && counts.removed_mass.size() == counts.removed.size(),
      "one count and one mass per outlet name");
  SCREE_EXPECT(loads.size() == scene_.boundaries.size(), "one load per boundary");
  std::string row = number_text(engine.time()) + "," + std::to_string(engine.step()) + "," +
                    std::to_string(counts.particles) + "," + std::to_string(counts.contacts) + "," +
                    std::to_string(counts.wall_contacts) + "," +
                    number_text(kinetic_energy(cell ? fluctuating(particles, scene_, *cell) : particles, scene_));
  const ContactWatch watch = engine.watch();
  row += "," + number_text(watch.overlap) + "," + number_text(watch.most_overlap) + "," +
         (watch.critical > 0 ? number_text(watch.critical) : std::string("nan"));
  if (scene_.adaptive) { row += "," + number_text(particles.step_length); }
  if (!scene_.stages.empty()) { row += "," + std::to_string(stage); }
  if (!scene_.inlets.empty()) { row += "," + std::to_string(counts.inserted); }
  if (scene_.has_bonds()) { row += "," + std::to_string(counts.bonds) + "," + std::to_string(counts.broken_bonds); }
  if (has_load_histories(scene_)) {
    row += "," + number_text(mean_history_length(counts.segments, counts.contacts + counts.wall_contacts)) + "," +
           std::to_string(counts.longest_history);
  }
  for (std::size_t i = 0; i < counts.removed.size(); ++i) {
    row += "," + std::to_string(counts.removed[i]) + "," + number_text(counts.removed_mass[i]);
  }
  for (std::size_t b = 0; b < loads.size(); ++b) {
    const BoundaryLoad& load = loads[b];
    append_vector(row, load.force);
    append_vector(row, load.torque);
    row += "," + number_text(load.work);
    append_drive(row, load, scene_.boundaries[b]);
  }
  if (scene_.energies) {
    const EnergyLedger e = engine.energies();
    for (const double energy : {e.kinetic_translation, e.kinetic_rotation, e.elastic, e.gravity, e.boundaries, e.groups,
                                e.friction, e.viscous, e.damping, e.breakage, e.parting, e.removed, e.error}) {
      row += "," + number_text(energy);
    }
    if (scene_.any_deforms()) {
      for (const double energy : {e.vibration, e.deformation, e.modes}) { row += "," + number_text(energy); }
    }
  }
  if (scene_.heat) { append_heat(row, engine.heat()); }
  if (scene_.has_films()) {
    const FilmReport films = engine.films();
    row += "," + number_text(films.films) + "," + number_text(films.bridges) + "," + std::to_string(films.n_bridges);
  }
  expect_finite_row(row, header_, engine.step());  // behind, "nan" stands where there is nothing to measure
  if (scene_.cell) {
    const std::vector<std::string> columns = cell_columns();
    const std::vector<double> values = measure_cell(state, scene_);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (!column_of_cell(scene_, columns[k]).empty()) { row += "," + number_text(values[k]); }
    }
    if (scene_.energies) { row += "," + number_text(engine.energies().cell); }
  }
  if (!probes_.empty()) {
    const std::vector<double> values = probes_.measure(state, scene_, schedule_.due(engine));
    for (const double value : values) { row += "," + number_text(value); }
    for (ProbeFlow& flow : flows_) { flow.mass.add(engine.time(), values[flow.column]); }
  }
  file_->append(row);
  last_step_ = engine.step();
}

}  // namespace scree
