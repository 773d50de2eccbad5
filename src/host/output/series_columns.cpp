#include "host/output/series_columns.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "host/measure/load_histories.hpp"
#include "host/measure/state_measures.hpp"
#include "host/measure/unknown.hpp"
#include "host/output/finite.hpp"
#include "host/text/csv.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using Now = SeriesReadouts;
using Columns = std::vector<SeriesColumn>;

/// Reads a number of the readouts, or of one of their parts.
template <class Number>
auto reading(Number Now::*number) {
  return [number](const Now& now) -> SeriesValue { return now.*number; };
}
template <class Part, class Number>
auto reading(Part Now::*part, Number Part::*number) {
  return [part, number](const Now& now) -> SeriesValue { return now.*part.*number; };
}

bool allows(const SeriesColumn& column, double value, const SeriesReadouts& now) {
  if (column.allowed == AllowedValues::known_later && now.step == 0 && std::isnan(value)) { return true; }
  return std::isfinite(value) || column.allowed == AllowedValues::all ||
         (column.allowed == AllowedValues::finite_or_nan && std::isnan(value));
}

void append(Columns& columns, std::initializer_list<SeriesColumn> further) {
  columns.insert(columns.end(), further.begin(), further.end());
}

/// The path in the case of what counts the particles that are removed under this name; empty for "remove_outside",
/// whose name is always the same.
std::string path_of_outlet(const Scene& scene, std::size_t k) {
  const auto counts = [&](const auto& remover) { return remover.counter == k; };
  const std::string& name = scene.outlet_names[k];
  if (scene.counts_broken(k)) { return "breakage"; }
  if (std::any_of(scene.deletions.begin(), scene.deletions.end(), counts)) { return "domain.delete_in." + name; }
  const auto planes = std::count_if(scene.outlets.begin(), scene.outlets.end(), counts);
  return planes > 1 ? "" : "domain.outlets." + name;  // the faces of a box, or one plane
}

/// Number and mass of the particles that came through each inlet with a name.
void add_inlet_columns(const Scene& scene, Columns& columns) {
  std::size_t n_inlets = 0;
  for (const SceneInlet& inlet : scene.inlets) {
    if (inlet.part > 0) { continue; }
    const std::size_t k = n_inlets++;
    if (inlet.name.empty()) { continue; }
    const auto particles = [k](const Now& now) -> SeriesValue { return now.inlets[k].made; };
    const auto mass = [k](const Now& now) -> SeriesValue { return now.inlets[k].mass; };
    const std::string of = "particles." + std::to_string(inlet.entry) + ".inlet.name";
    append(columns, {{"inserted_" + inlet.name, "", particles, AllowedValues::finite, of},
                     {"inserted_mass_" + inlet.name, "kg", mass, AllowedValues::finite, of}});
  }
}

/// Number, mass and mass flow of the particles that each outlet has removed.
void add_outlet_columns(const Scene& scene, Columns& columns) {
  for (std::size_t k = 0; k < scene.outlet_names.size(); ++k) {
    const auto removed = [k](const Now& now) -> SeriesValue { return now.counts.removed[k]; };
    const auto mass = [k](const Now& now) -> SeriesValue { return now.counts.removed_mass[k]; };
    const std::string of = path_of_outlet(scene, k);
    append(columns, {{"removed_" + scene.outlet_names[k], "", removed, AllowedValues::finite, of},
                     {"removed_mass_" + scene.outlet_names[k], "kg", mass, AllowedValues::finite, of}});
    // The mass that left since the row before, over the time since then.
    const auto flow = [k](const Now& now) -> SeriesValue {
      if (now.before == nullptr || k >= now.before->removed_mass.size()) { return probe::unknown; }
      return (now.counts.removed_mass[k] - now.before->removed_mass[k]) / (now.time - now.before->time);
    };
    append(columns, {{"mass_flow_" + scene.outlet_names[k], "kg/s", flow, AllowedValues::finite_or_nan, of}});
  }
}

void add_state_columns(const Scene& scene, bool has_kinds, Columns& columns) {
  const auto count = [](auto number) { return reading(&Now::counts, number); };
  append(columns, {{"time", "s", reading(&Now::time)},
                   {"step", "", reading(&Now::step)},
                   {"particles", "", count(&EngineCounts::particles)},
                   {"contacts", "", count(&EngineCounts::contacts)},
                   {"wall_contacts", "", count(&EngineCounts::boundary_contacts)},
                   {"kinetic_energy", "J", reading(&Now::kinetic_energy)},
                   {"overlap_max", "", reading(&Now::watch, &ContactWatch::overlap)},
                   {"overlap_max_so_far", "", reading(&Now::watch, &ContactWatch::most_overlap)}});
  const auto critical = [](const Now& now) -> SeriesValue {
    return now.watch.critical > 0 ? now.watch.critical : probe::unknown;
  };
  append(columns, {{"critical_step", "s", critical, AllowedValues::finite_or_nan}});
  if (scene.adaptive) {
    const auto length = [](const Now& now) -> SeriesValue { return now.state.spheres.step_length; };
    append(columns, {{"time_step", "s", length}});
  }
  if (!scene.stages.empty()) { append(columns, {{"stage", "", reading(&Now::stage)}}); }
  if (!scene.inlets.empty()) {
    const auto inserted = [](const Now& now) -> SeriesValue { return now.counts.inserted - now.breakage.fragments; };
    append(columns, {{"inserted", "", inserted}});
  }
  add_inlet_columns(scene, columns);
  if (scene.breakage) {
    append(columns, {{"fragments", "", reading(&Now::breakage, &BreakageReport::fragments)},
                     {"mass_fines", "kg", reading(&Now::breakage, &BreakageReport::fines)}});
  }
  if (scene.has_bonds()) {
    append(columns,
           {{"bonds", "", count(&EngineCounts::bonds)}, {"broken_bonds", "", count(&EngineCounts::broken_bonds)}});
  }
  if (has_kinds) {
    append(columns, {{"broken_tension", "", reading(&Now::broken, &BrokenKinds::tension)},
                     {"broken_shear", "", reading(&Now::broken, &BrokenKinds::shear)},
                     {"broken_unclear", "", reading(&Now::broken, &BrokenKinds::unclear)}});
  }
  if (has_load_histories(scene)) {
    const auto mean = [](const Now& now) -> SeriesValue {
      return mean_history_length(now.counts.segments, now.counts.contacts + now.counts.boundary_contacts);
    };
    append(columns,
           {{"history_length_mean", "", mean}, {"history_length_max", "", count(&EngineCounts::longest_history)}});
  }
  add_outlet_columns(scene, columns);
}

void add_energy_columns(const Scene& scene, Columns& columns) {
  const auto energy = [](double EnergyLedger::*number) { return reading(&Now::energies, number); };
  const auto elastic = [](const Now& now) -> SeriesValue {
    return now.state.contacts_known && now.state.boundaries_known ? now.energies.elastic : probe::unknown;
  };
  append(columns, {{"kinetic_translation", "J", energy(&EnergyLedger::kinetic_translation)},
                   {"kinetic_rotation", "J", energy(&EnergyLedger::kinetic_rotation)},
                   {"elastic", "J", elastic, AllowedValues::known_later},
                   {"work_gravity", "J", energy(&EnergyLedger::gravity)},
                   {"work_boundaries", "J", energy(&EnergyLedger::boundaries)},
                   {"work_groups", "J", energy(&EnergyLedger::groups)},
                   {"lost_friction", "J", energy(&EnergyLedger::friction)},
                   {"lost_viscous", "J", energy(&EnergyLedger::viscous)},
                   {"lost_damping", "J", energy(&EnergyLedger::damping)},
                   {"lost_breakage", "J", energy(&EnergyLedger::breakage)},
                   {"lost_parting", "J", energy(&EnergyLedger::parting)},
                   {"lost_removed", "J", energy(&EnergyLedger::removed)},
                   {"energy_error", "J", energy(&EnergyLedger::error)}});
  if (scene.fluid) { append(columns, {{"work_fluid", "J", energy(&EnergyLedger::fluid)}}); }
  if (!scene.any_deforms()) { return; }
  append(columns, {{"kinetic_modes", "J", energy(&EnergyLedger::vibration)},
                   {"elastic_modes", "J", energy(&EnergyLedger::deformation)},
                   {"lost_modes", "J", energy(&EnergyLedger::modes)}});
}

void add_heat_columns(const Scene& scene, Columns& columns) {
  append(columns, {{"temperature_mean", "K", reading(&Now::heat, &HeatReport::mean_temperature)},
                   {"heat", "J", reading(&Now::heat, &HeatReport::heat)},
                   {"heat_dissipated", "J", reading(&Now::heat, &HeatReport::dissipation)},
                   {"heat_inserted", "J", reading(&Now::heat, &HeatReport::inserted)},
                   {"heat_removed", "J", reading(&Now::heat, &HeatReport::removed)}});
  add_boundary_heat_columns(scene, columns);
}

void add_film_columns(Columns& columns) {
  append(columns, {{"liquid_films", "m3", reading(&Now::films, &FilmReport::films)},
                   {"liquid_bridges", "m3", reading(&Now::films, &FilmReport::bridges)},
                   {"bridges", "", reading(&Now::films, &FilmReport::n_bridges)}});
}

void add_fluid_columns(Columns& columns) {
  const auto force = [](std::size_t axis) {
    return [axis](const Now& now) -> SeriesValue { return now.fluid_force[axis]; };
  };
  append(columns,
         {{"fluid_force_x", "N", force(0)}, {"fluid_force_y", "N", force(1)}, {"fluid_force_z", "N", force(2)}});
}

void add_cell_columns(const Scene& scene, Columns& columns) {
  const auto add = [&](const std::string& name, const std::string& unit, const auto& value) {
    columns.push_back({name, unit, value, AllowedValues::all});
  };
  const auto add_number = [&](const char* name, const char* unit, double CellMeasures::*number) {
    add(name, unit, reading(&Now::cell, number));
  };
  const auto add_tensor = [&](const std::string& name, const char* unit, CellTensor CellMeasures::*tensor) {
    for (std::size_t k = 0; k < n_cell_components; ++k) {
      add((name + "_").append(cell_component_names[k]), unit,
          [tensor, k](const Now& now) -> SeriesValue { return (now.cell.*tensor)[k]; });
    }
  };
  add_number("volume", "m3", &CellMeasures::volume);
  add_number("void_ratio", "", &CellMeasures::void_ratio);
  add_tensor("strain", "", &CellMeasures::strain);
  add_tensor("stress", "Pa", &CellMeasures::stress);
  add_tensor("stress_kinetic", "Pa", &CellMeasures::kinetic_stress);
  add_tensor("fabric", "", &CellMeasures::fabric);
  add_number("coordination", "", &CellMeasures::coordination);
  add_number("coordination_mechanical", "", &CellMeasures::mechanical_coordination);
  add_number("unbalanced_force", "", &CellMeasures::unbalanced_force);
  // The column "stage" is that of the stages of the run, if there are any.
  if (scene.stages.empty() || !scene.cell->stages.empty()) {
    add_number(scene.stages.empty() ? "stage" : "control_stage", "", &CellMeasures::stage);
  }
  if (scene.energies) { add("work_cell", "J", reading(&Now::energies, &EnergyLedger::cell)); }
}

}  // namespace

SeriesReadouts::SeriesReadouts(Engine& engine, const MeasuredState& of, const Scene& to, std::size_t stage_number,
                               const std::vector<InletReport>& by_inlet)
    : state(of),
      scene(to),
      time(engine.time()),
      kinetic_energy(scree::kinetic_energy(of.cell ? fluctuating(of.spheres, to, *of.cell) : of.spheres, to)),
      step(engine.step()),
      stage(stage_number),
      counts(engine.counts()),
      watch(engine.watch()),
      inlets(by_inlet) {
  SCREE_EXPECT(
      counts.removed.size() == scene.outlet_names.size() && counts.removed_mass.size() == counts.removed.size(),
      "one count and one mass per outlet name");
  SCREE_EXPECT(state.loads.size() == scene.boundaries.size(), "one load per boundary");
  const auto n_inlets =
      std::count_if(scene.inlets.begin(), scene.inlets.end(), [](const auto& i) { return i.part == 0; });
  SCREE_EXPECT(inlets.size() == static_cast<std::size_t>(n_inlets), "one report per inlet");
  const auto sums_facets = [](const SceneBoundary& boundary) { return boundary.facet_loads.has_value(); };
  const auto n_worn = std::count_if(scene.boundaries.begin(), scene.boundaries.end(), sums_facets);
  if (n_worn > 0) { facets = engine.facet_loads(false); }
  SCREE_EXPECT(facets.size() == static_cast<std::size_t>(n_worn), "sums for each mesh whose facets are summed");
  if (scene.energies) { energies = engine.energies(); }
  if (scene.heat) {
    heat = engine.heat();
    SCREE_EXPECT(heat.flow.size() == scene.boundaries.size() && heat.supplied.size() == heat.flow.size(),
                 "one flow and one heat per boundary");
  }
  if (scene.has_films()) { films = engine.films(); }
  if (scene.fluid) { fluid_force = engine.fluid_force(); }
  if (scene.cell) { cell = measure_cell(state, scene); }
  for (std::size_t k = 0; k < scene.membranes.size(); ++k) { pressures.push_back(engine.membrane_pressure(k)); }
}

std::string SeriesColumn::heading() const {
  return csv::quoted(unit.empty() ? name : std::string(name).append("[").append(unit).append("]"));
}

std::vector<SeriesColumn> series_columns(const Scene& scene, bool has_kinds) {
  std::vector<SeriesColumn> columns;
  add_state_columns(scene, has_kinds, columns);
  add_load_columns(scene, columns);
  if (scene.energies) { add_energy_columns(scene, columns); }
  if (scene.heat) { add_heat_columns(scene, columns); }
  if (scene.has_films()) { add_film_columns(columns); }
  if (scene.fluid) { add_fluid_columns(columns); }
  if (scene.cell) { add_cell_columns(scene, columns); }
  add_membrane_columns(scene, columns);
  return columns;
}

std::string headings_of(const std::vector<SeriesColumn>& columns) {
  std::string headings;
  for (const SeriesColumn& column : columns) { headings.append(headings.empty() ? "" : ",").append(column.heading()); }
  return headings;
}

std::string values_of(const std::vector<SeriesColumn>& columns, const SeriesReadouts& now) {
  std::string values;
  for (const SeriesColumn& column : columns) {
    if (!values.empty()) { values += ','; }
    const SeriesValue value = column.value(now);
    if (const double* real = std::get_if<double>(&value)) {
      if (!allows(column, *real, now)) { expect_finite(*real, column.heading(), now.step); }
      values += number_text(*real);
    } else {
      values += std::to_string(std::get<std::uint64_t>(value));
    }
  }
  return values;
}

}  // namespace scree
