#include "host/run/result_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <utility>

#include "host/case/parcels.hpp"
#include "host/measure/cell_meters.hpp"
#include "host/run/cell_text.hpp"
#include "host/run/contact_warnings.hpp"
#include "host/run/deepest_contact.hpp"
#include "host/run/progress.hpp"
#include "host/scene/build_scene/cell.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

std::string number(double value) { return short_number_text(value, 4); }

/// Rows in groups. The first row of a group has its name. Values are aligned to the right, all else to the left.
class Table {
 public:
  void group(std::string name) { group_ = std::move(name); }
  void row(std::string name, std::string value, std::string unit = {}, std::string remark = {}) {
    rows_.push_back({std::exchange(group_, {}), std::move(name), std::move(value), std::move(unit), std::move(remark)});
  }
  [[nodiscard]] std::vector<std::string> lines() const {
    std::array<std::size_t, 5> width{};
    for (const Row& row : rows_) {
      for (std::size_t k = 0; k < row.size(); ++k) { width[k] = std::max(width[k], row[k].size()); }
    }
    std::vector<std::string> lines;
    for (const Row& row : rows_) {
      std::string line;
      for (std::size_t k = 0; k < row.size(); ++k) {
        const std::string blank(width[k] - row[k].size(), ' ');
        line += (k == 3 ? " " : "  ") + (k == 2 ? blank + row[k] : row[k] + blank);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      lines.push_back(std::move(line));
    }
    return lines;
  }

 private:
  using Row = std::array<std::string, 5>;
  std::string group_;
  std::vector<Row> rows_;
};

std::uint64_t particles_at_start(const Scene& scene) {
  std::uint64_t count = scene.particles.size();
  for (const Clump& clump : scene.particles.clumps) {
    count -= scene.clump_shapes.at(clump.shape).radius.size() - 1;  // a clump is one particle
  }
  return count;
}

void add_particles(Table& table, const Scene& scene, const EngineCounts& counts, const RunSummary& summary) {
  table.group("particles");
  const auto row = [&](const std::string& name, std::uint64_t count) {
    table.row(
        name, count_text(count), {},
        scene.parcel_scale == 1 ? "" : "parcels for " + count_text(grains_of(count, scene.parcel_scale)) + " grains");
  };
  row("start", particles_at_start(scene));
  const BreakageReport broken = summary.breakage.value_or(BreakageReport{});
  if (!scene.inlets.empty()) { row("inserted", counts.inserted - broken.fragments); }
  if (summary.breakage) {
    row("broken", broken.broken);
    table.row("fragments", count_text(broken.fragments), {}, number(broken.fines) + " kg of fines between them");
  }
  for (std::size_t k = 0; k < counts.removed.size(); ++k) {
    if (scene.counts_broken(k)) { continue; }
    table.row("left", count_text(counts.removed[k]), {},
              scene.outlet_names[k] + ", " + number(counts.removed_mass[k]) + " kg");
  }
  table.row("in the run", count_text(counts.particles), {},
            count_text(counts.contacts) + " contacts among them, " + count_text(counts.boundary_contacts) +
                " with boundaries");
}

/// A resumed run counts only the flow since it was resumed.
void add_flows(Table& table, const std::vector<FlowReport>& flows, double resumed_at) {
  table.group("flow");
  const std::string since =
      resumed_at > 0 ? " kg since the run was resumed at t = " + number(resumed_at) + " s" : " kg in all";
  for (const FlowReport& flow : flows) {
    table.row(flow.name, number(flow.rate), "kg/s",
              (flow.is_steady ? "while 10 to 60 % passed, t = " : "mean from t = ") + number(flow.from) + " to " +
                  number(flow.until) + " s; " + number(flow.mass) + since + (flow.is_probe ? " (probe)" : ""));
  }
}

/// The parts of a sum that matter, largest first: "friction 0.62 J, dashpots 0.38 J".
std::string parts_text(std::vector<std::pair<std::string, double>> parts, double largest) {
  std::sort(parts.begin(), parts.end(),
            [](const auto& a, const auto& b) { return std::fabs(a.second) > std::fabs(b.second); });
  std::string text;
  for (const auto& [name, value] : parts) {
    if (!(std::fabs(value) > 0.005 * largest)) { continue; }
    text += (text.empty() ? "" : ", ") + name + " " + short_number_text(value, 3) + " J";
  }
  return text;
}

void add_ledger(Table& table, const EnergyLedger& e, bool any_deforms) {
  table.row("elastic", number(e.elastic), "J");
  if (any_deforms) { table.row("in modes", number(e.vibration + e.deformation), "J", "kinetic and elastic"); }
  const std::vector<std::pair<std::string, double>> losses{{"friction", e.friction}, {"dashpots", e.viscous},
                                                           {"damping", e.damping},   {"modes", e.modes},
                                                           {"breakage", e.breakage}, {"parting", e.parting}};
  double lost = 0, largest = 0;
  for (const auto& [name, value] : losses) { lost += value, largest = std::max(largest, std::fabs(value)); }
  table.row("dissipated", number(lost), "J", parts_text(losses, largest));
  for (const double term : {e.kinetic_translation, e.kinetic_rotation, e.elastic, e.vibration, e.deformation, e.gravity,
                            e.boundaries, e.groups, e.cell, e.fluid, e.removed}) {
    largest = std::max(largest, std::fabs(term));
  }
  table.row("error", number(e.error), "J",
            largest > 0 ? short_number_text(100 * std::fabs(e.error) / largest, 2) + " % of the largest term" : "");
}

void add_energies(Table& table, const RunSummary& summary, const Scene& scene, Engine& engine) {
  table.group("energy");
  const bool flows = scene.cell && deforms(*scene.cell);
  table.row("kinetic", number(summary.kinetic_energy), "J", flows ? "relative to the mean deformation" : "");
  if (summary.potential_energy) { table.row("potential", number(*summary.potential_energy), "J", "0 in the origin"); }
  if (scene.energies) { add_ledger(table, engine.energies(), scene.any_deforms()); }
}

void add_heat(Table& table, const Scene& scene, Engine& engine) {
  if (!scene.heat) { return; }
  const HeatReport heat = engine.heat();
  table.group("heat");
  if (heat.capacity > 0) {
    table.row("temperature", number(heat.mean_temperature), "K", "mean, weighted by heat capacities");
  }
  const double supplied = std::accumulate(heat.supplied.begin(), heat.supplied.end(), 0.0);
  if (supplied != 0) { table.row("from boundaries", number(supplied), "J"); }
  if (heat.dissipation != 0) { table.row("from losses", number(heat.dissipation), "J"); }
}

void add_liquid(Table& table, const Scene& scene, Engine& engine) {
  if (!scene.has_films()) { return; }
  const FilmReport liquid = engine.films();
  table.group("liquid");
  table.row("on particles", number(liquid.films), "m3");
  table.row("in bridges", number(liquid.bridges), "m3",
            counted(liquid.n_bridges, "bridge", "bridges") + " between particles");
}

void add_contacts(Table& table, const RunSummary& summary, const Scene& scene) {
  const ContactWatch& watch = summary.watch;
  if (!(watch.least_critical > 0)) { return; }  // nothing has touched
  table.group("overlap");
  std::string remark = "of the radius, in step " + count_text(static_cast<std::uint64_t>(watch.most_overlap_step) + 1);
  if (watch.most_overlap > far_too_large && watch.most_overlap_step > 0) {  // else no load has made it
    remark += ": too large; " + stiffer_key(scene, summary.soft_material);
  }
  table.row("largest", short_number_text(100 * watch.most_overlap, 2), "%", remark);
}

/// As in the last row of the series.
void add_cell_stress(Table& table, const Scene& scene, Engine& engine) {
  const CellMeasures measures = measure_cell(MeasuredState(engine), scene);
  const auto known = [](double value) { return std::isfinite(value); };
  if (std::all_of(measures.stress.begin(), measures.stress.end(), known)) {
    std::string text;
    for (std::size_t k = 0; k < n_cell_components; ++k) {
      text += (k == 0 ? "" : ", ") + std::string(cell_component_names[k]) + " " +
              number(measures.stress[k] + 0.0);  // no "-0"
    }
    table.row("stress", {}, {}, text + " Pa");
  }
  if (known(measures.void_ratio)) { table.row("void ratio", number(measures.void_ratio)); }
}

void add_packing(Table& table, const Scene& scene, Engine& engine, const EngineCounts& counts) {
  if (scene.has_bonds()) {
    table.group("bonds");
    table.row("whole", count_text(counts.bonds));
    table.row("broken", count_text(counts.broken_bonds));
  }
  if (const auto cell = engine.cell(); cell && scene.cell) {
    table.group("cell");
    table.row("at the end", {}, {}, cell_state_text(*cell, *scene.cell));
    if (deforms(*scene.cell)) { add_cell_stress(table, scene, engine); }
  }
}

void add_time_step(Table& table, const RunSummary& summary, const Scene& scene) {
  const bool watched = summary.watch.least_critical > 0;
  const double critical = watched ? summary.watch.least_critical : summary.critical.value;
  const double made = static_cast<double>(summary.steps);
  table.group("time step");
  const bool follows = summary.fixed_step == 0;
  if (scene.adaptive && summary.steps > 0) {
    table.row("mean", number((summary.time - summary.first_time) / made), "s");
  }
  if (!follows) { table.row(scene.adaptive ? "step at the end" : "step", number(summary.fixed_step), "s"); }
  if (!std::isfinite(critical)) { return; }
  if (follows) {
    table.row("critical", number(critical), "s", "the least of the run; the step adapts");
    return;
  }
  const double ratio = summary.fixed_step / critical;
  table.row("critical", number(critical), "s",
            std::string(watched ? "the least of the run; " : "") + "the step is " + short_number_text(ratio, 3) +
                " of it" + (ratio > 1 ? ": unstable; lower time.step, or set time.adaptive" : ""));
}

void add_speed(Table& table, const RunSummary& summary) {
  table.group("speed");
  if (summary.stepping_seconds > 0 && summary.particle_steps > 0) {
    table.row("particle-steps", rate_text(summary.particle_steps / summary.stepping_seconds), "1/s",
              number(1e9 * summary.stepping_seconds / summary.particle_steps) + " ns each");
  }
  table.row("wall time", duration_text(summary.wall_seconds), {},
            summary.output_seconds > 0.01 * summary.wall_seconds
                ? short_number_text(100 * summary.output_seconds / summary.wall_seconds, 2) + " % of it for output"
                : "");
}

void add_output(Table& table, const RunSummary& summary, const std::filesystem::path& folder) {
  if (folder.empty()) { return; }
  table.group("output");
  table.row("files", count_text(summary.files), {}, "in " + folder.string());
  if (!summary.checkpoint.empty()) { table.row("checkpoint", {}, {}, summary.checkpoint); }
}

std::string share_text(double part, double whole) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f", whole > 0 ? 100 * part / whole : 0.0);
  return text;
}

}  // namespace

std::vector<std::string> result_table(const RunSummary& summary, const Scene& scene, Engine& engine,
                                      const std::filesystem::path& folder) {
  Table table;
  const EngineCounts counts = engine.counts();
  add_particles(table, scene, counts, summary);
  add_packing(table, scene, engine, counts);
  if (!summary.flows.empty()) { add_flows(table, summary.flows, summary.first_time); }
  add_energies(table, summary, scene, engine);
  add_heat(table, scene, engine);
  add_liquid(table, scene, engine);
  add_contacts(table, summary, scene);
  add_time_step(table, summary, scene);
  add_speed(table, summary);
  add_output(table, summary, folder);
  return table.lines();
}

std::string stage_of_launch(const std::string& launch) {
  static const std::map<std::string, std::string> stages{{"pair contacts", "contacts"},
                                                         {"node contacts", "contacts"},
                                                         {"find nodes", "contacts"},
                                                         {"level sets", "contacts"},
                                                         {"make bonds", "contacts"},
                                                         {"find bonds", "contacts"},
                                                         {"grow load histories", "contacts"},
                                                         {"boundary contacts", "boundaries"},
                                                         {"move boundaries", "boundaries"},
                                                         {"boundaries", "boundaries"},
                                                         {"fast boundaries", "boundaries"},
                                                         {"gather and move", "motion"},
                                                         {"gather large bodies", "motion"},
                                                         {"clumps", "motion"},
                                                         {"modes", "motion"},
                                                         {"end of step", "motion"},
                                                         {"steering", "motion"},
                                                         {"periodic cell", "periodic cell"},
                                                         {"boundary loads", "boundaries"},
                                                         {"measure cell", "periodic cell"},
                                                         {"energy ledger", "energy ledger"},
                                                         {"time step", "time step"},
                                                         {"inlets", "inlets"}};
  // Readouts; the host counts them in the time of the output.
  static const std::array readouts{"snapshot",       "order by id",    "hash",        "touching contacts",
                                   "count contacts", "count segments", "count pages", "count bonds",
                                   "count tests",    "read energies"};
  if (launch.starts_with("search")) { return "search"; }
  if (std::find(readouts.begin(), readouts.end(), launch) != readouts.end()) { return {}; }
  const auto found = stages.find(launch);
  return found == stages.end() ? launch : found->second;
}

std::vector<std::string> profile_table(const RunSummary& summary, Engine& engine) {
  std::map<std::string, double> seconds;
  for (const LaunchTime& launch : engine.launch_times()) {
    const std::string stage = stage_of_launch(launch.kind);
    if (launch.seconds > 0 && !stage.empty()) { seconds[stage] += launch.seconds; }
  }
  seconds["output"] += summary.output_seconds;
  double known = 0;
  for (const auto& [stage, time] : seconds) { known += time; }
  std::vector<std::pair<std::string, double>> rows(seconds.begin(), seconds.end());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (known < summary.wall_seconds) { rows.emplace_back("other", summary.wall_seconds - known); }
  // The host works on contacts and moves bodies in one sweep.
  const bool one_sweep = engine.backend().starts_with("host");
  Table table;
  table.group("time per stage");
  for (const auto& [stage, time] : rows) {
    table.row(
        stage, share_text(time, summary.wall_seconds), "%",
        (summary.particle_steps > 0 ? number(1e9 * time / summary.particle_steps) + " ns per particle-step, " : "") +
            short_number_text(time, 3) + " s" +
            (stage == "contacts" && one_sweep ? "; with the motion of spheres" : ""));
  }
  return table.lines();
}

}  // namespace scree
