#include "host/run/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

#include "host/case/parcels.hpp"
#include "host/measure/load_histories.hpp"
#include "host/output/output_schedule.hpp"
#include "host/run/cell_text.hpp"
#include "host/run/contact_warnings.hpp"
#include "host/run/deepest_contact.hpp"
#include "host/run/progress.hpp"
#include "host/scene/time_step.hpp"
#include "host/start/start_from.hpp"
#include "host/text/text.hpp"
#include "scree/version.hpp"

namespace scree {
namespace {

constexpr std::size_t label_width = 12;

std::string labelled(std::string label, const std::string& text) {
  label.resize(std::max(label.size() + 1, label_width), ' ');
  return label + text;
}

std::string percent(double part, double whole) {
  char text[16];
  std::snprintf(text, sizeof text, "%5.1f %%", whole > 0 ? 100 * part / whole : 0.0);
  return text;
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f s", seconds);
  return text;
}

std::uint64_t total_bytes(const std::vector<MemoryItem>& items) {
  return std::accumulate(items.begin(), items.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const MemoryItem& item) { return sum + item.bytes; });
}

/// The bytes that each of `count` particles takes, as text. Empty without particles.
std::string per_particle(std::uint64_t bytes, std::uint64_t count) {
  return count == 0 ? std::string() : count_text((bytes + count / 2) / count) + " bytes per particle";
}

/// Describes the checkpoints that the run leaves.
std::string checkpoints_text(const std::optional<CheckpointOutput>& output) {
  if (!output) { return "a checkpoint at the end"; }
  if (output->keep == 0) { return "no checkpoint, so that the run cannot be made longer"; }
  return "checkpoints every " + short_number_text(output->every, 4) + " s and at the end, of which " +
         (output->keep == 1 ? "the newest stays" : "the newest " + count_text(output->keep) + " stay");
}

std::string output_text(const Case& input, const Scene& scene, const StartInfo& info) {
  std::string text = info.folder.string();
  // The lengths of later steps are unknown. Those at the start give an estimate of the amount of output.
  const double duration = info.ends_by_step
                              ? std::min(input.time.duration, static_cast<double>(info.steps) * scene.time_step)
                              : input.time.duration;
  const auto lines = [&](double every) { return OutputSchedule(every, scene).outputs(info.steps, duration); };
  if (input.output.frames) { text += ", " + counted(lines(input.output.frames->every), "frame", "frames"); }
  if (input.output.series) { text += ", " + counted(lines(input.output.series->every), "series row", "series rows"); }
  if (input.output.contacts) {
    text += ", " + counted(lines(input.output.contacts->every), "file of contacts", "files of contacts");
  }
  std::uint64_t field_files = 0;
  for (const auto& [name, fields] : input.output.fields) { field_files += lines(fields.every) - 1; }  // none at 0 s
  if (!input.output.fields.empty()) { text += ", " + counted(field_files, "file of fields", "files of fields"); }
  if (!input.output.frames && !input.output.series) { text += ", neither frames nor series asked for"; }
  text += ", " + checkpoints_text(input.output.checkpoints);
  return text;
}

std::string rate(double count, double seconds) { return seconds > 0 ? rate_text(count / seconds) : "-"; }

/// Rows of a table: name, value, share; columns as wide as their widest entry.
void append_table(std::vector<std::string>& lines, const std::vector<std::array<std::string, 3>>& rows) {
  std::array<std::size_t, 2> width{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < width.size(); ++i) { width[i] = std::max(width[i], row[i].size()); }
  }
  for (const auto& [name, value, share] : rows) {
    std::string line = "  " + name;
    line.append(width[0] - name.size() + 2 + width[1] - value.size(), ' ').append(value).append("  ").append(share);
    lines.push_back(std::move(line));
  }
}

void append_stage_times(std::vector<std::string>& lines, const RunSummary& summary, Engine& engine) {
  std::vector<std::array<std::string, 3>> rows;
  double known = summary.output_seconds;
  const auto add = [&](const std::string& name, double seconds) {
    rows.push_back({name, seconds_text(seconds), percent(seconds, summary.wall_seconds)});
  };
  for (const LaunchTime& launch : engine.launch_times()) {
    if (launch.seconds == 0) { continue; }  // copies are in the times of other stages
    add(launch.kind, launch.seconds);
    known += launch.seconds;
  }
  add("output", summary.output_seconds);
  if (known < summary.wall_seconds) { add("other", summary.wall_seconds - known); }
  lines.emplace_back("time per stage");
  append_table(lines, rows);
}

void append_memory(std::vector<std::string>& lines, std::uint64_t particles, Engine& engine) {
  const auto items = engine.memory();
  if (items.empty()) { return; }
  std::vector<std::array<std::string, 3>> rows;
  rows.reserve(items.size() + 1);
  for (const auto& item : items) {
    rows.push_back({item.name, bytes_text(item.bytes), per_particle(item.bytes, particles)});
  }
  const auto total = total_bytes(items);
  rows.push_back({"total", bytes_text(total), per_particle(total, particles)});
  lines.emplace_back("memory");
  append_table(lines, rows);
}

std::string time_step_text(const RunSummary& summary, const Scene& scene) {
  const double mean = summary.steps > 0 ? (summary.time - summary.first_time) / static_cast<double>(summary.steps) : 0;
  const double last = scene.adaptive ? summary.last_step_length : scene.time_step;
  return (scene.adaptive ? short_number_text(mean, 3) + " s in the mean, " : "") +
         short_number_text(last / summary.critical.value, 3) + " of the critical step at the end, " +
         critical_step_text(summary.critical, scene);
}

/// Appends the results of the regular checks of the contacts. An overlap of which the run has warned is left out.
/// `has_step` tells that the line before is also about the time step.
void append_watch(std::vector<std::string>& lines, const RunSummary& summary, const Scene& scene, bool has_step) {
  const WatchedStep watched{summary.watch, summary.fixed_step};
  const ContactWatch& watch = watched.watch;
  if (!(watch.least_critical > 0)) { return; }  // nothing has touched
  const auto step_of = [](double step) { return " in step " + count_text(static_cast<std::uint64_t>(step) + 1); };
  const std::string least =
      short_number_text(watch.least_critical, 3) + " s, the least critical step," + step_of(watch.least_critical_step);
  lines.push_back(labelled(has_step ? "" : "time step",
                           watched.fixed_step == 0
                               ? least
                               : short_number_text(watched.fixed_step / watch.least_critical, 3) + " of " + least));
  lines.push_back(labelled("overlap", "at most " + overlap_text(watch.most_overlap) + " of the radius," +
                                          step_of(watch.most_overlap_step) + "; " + overlap_text(watch.overlap) +
                                          " at the last look"));
  WatchedStep told;
  if (summary.told_overlap_step == watch.most_overlap_step) { told.watch.most_overlap = watch.most_overlap; }
  const std::string stiffer = summary.soft_material ? stiffer_key(scene, summary.soft_material) : "";
  for (const std::string& text : contact_warnings(told, watched, summary.overlap_partner, stiffer)) {
    lines.push_back("warning: " + text);
  }
}

}  // namespace

std::string critical_step_text(const CriticalStep& limit, const Scene& scene) {
  if (limit.contacts == 0) {  // a grain that deforms vibrates without any
    return short_number_text(limit.value, 3) + " s of the modes of particle " + std::to_string(limit.particle) + " (" +
           scene.material_names[limit.material] + ", radius " + length_text(limit.radius) + ", without contacts)";
  }
  return short_number_text(limit.value, 3) + " s of the " + (limit.rotation ? "rotation" : "translation") +
         " of particle " + std::to_string(limit.particle) + " (" + scene.material_names[limit.material] + ", radius " +
         length_text(limit.radius) + ", " + counted(limit.contacts, "contact", "contacts") + ", stiffest with " +
         (limit.with_boundary ? "boundary \"" + scene.boundaries[limit.partner].name + "\""
                              : "particle " + std::to_string(limit.partner)) +
         " of " + scene.material_names[limit.partner_material] + ")";
}

std::vector<std::string> start_lines(const Case& input, const Scene& scene, const SceneReport& report, Engine& engine,
                                     const StartInfo& info) {
  std::vector<std::string> lines;
  lines.push_back(std::string("scree ") + SCREE_VERSION);  // run.log begins with this word: see run_log_mark
  lines.push_back(labelled("case", info.case_file.string() + (input.title.empty() ? "" : ": " + input.title)));
  lines.push_back(labelled("particles", particle_count_text(engine.counts().particles, scene.parcel_scale) + "; " +
                                            counted(input.materials.size(), "material", "materials") + ", " +
                                            counted(scene.boundaries.size(), "boundary", "boundaries")));
  const double duration = static_cast<double>(info.steps) * scene.time_step;
  const std::string span = info.ends_by_step ? counted(info.steps, "step", "steps") + ", the first"
                           : scene.adaptive
                               ? short_number_text(input.time.duration, 6) + " s in steps, the first"
                               : short_number_text(duration, 6) + " s in " + counted(info.steps, "step", "steps");
  lines.push_back(labelled("time", span + " of " + short_number_text(scene.time_step, 4) + " s" +
                                       (report.time_step_reason.empty() ? "" : " (" + report.time_step_reason + ")")));
  lines.push_back(labelled("verlet", short_number_text(scene.verlet_distance, 4) + " m" +
                                         (report.verlet_reason.empty() ? "" : " (" + report.verlet_reason + ")")));
  if (report.start) { lines.push_back(labelled("start", report.start->text())); }
  for (const auto& [label, text] : cell_lines(scene)) { lines.push_back(labelled(label, text)); }
  lines.push_back(labelled("precision", scene.precision == Precision::mixed ? "mixed" : "double"));
  lines.push_back(
      labelled("backend", engine.backend() + (info.backend_reason.empty() ? "" : " (" + info.backend_reason + ")")));
  const auto bytes = total_bytes(engine.memory());
  const auto share = per_particle(bytes, engine.counts().particles);
  lines.push_back(labelled("memory", bytes_text(bytes) + (share.empty() ? "" : ", " + share) +
                                         ", before the first step and its lists of neighbours"));
  lines.push_back(labelled("output", output_text(input, scene, info)));
  for (const auto& note : report.notes) { lines.push_back(note); }
  for (const auto& warning : report.warnings) { lines.push_back("warning: " + warning); }
  return lines;
}

namespace {

void append_inserted(std::vector<std::string>& lines, const RunSummary& summary) {
  for (const InletReport& inlet : summary.inlets) {
    const std::string due =
        inlet.by_mass ? short_number_text(inlet.due, 6) + " kg" : count_text(static_cast<std::uint64_t>(inlet.due));
    const std::string name = inlet.name.empty() ? "particles." + std::to_string(inlet.entry) : inlet.name;
    lines.push_back(labelled("inserted", name + ": " + counted(inlet.made, "particle", "particles") + ", " +
                                             short_number_text(inlet.mass, 6) + " kg; " + due + " were due"));
  }
}

void append_load_histories(std::vector<std::string>& lines, const EngineCounts& counts) {
  const double mean = mean_history_length(counts.segments, counts.contacts + counts.boundary_contacts);
  lines.push_back(labelled("histories", counted(counts.segments, "segment", "segments") + ", " +
                                            short_number_text(mean, 4) + " per contact in the mean, the longest of " +
                                            count_text(counts.longest_history)));
  lines.push_back(labelled("", bytes_text(counts.history_bytes) + " in pages, " +
                                   bytes_text(counts.most_history_bytes) + " at most; " +
                                   count_text(counts.contacts_in_part_slipping) + " contacts slip in part, " +
                                   count_text(counts.contacts_sliding) + " slide"));
}

}  // namespace

std::vector<std::string> summary_lines(const RunSummary& summary, const Scene& scene, Engine& engine) {
  std::vector<std::string> lines;
  lines.push_back(labelled(summary.interrupted ? "interrupted" : "done",
                           counted(summary.steps, "step", "steps") + ", t = " + short_number_text(summary.time, 6) +
                               " s, wall time " + duration_text(summary.wall_seconds)));
  lines.push_back(labelled("speed", rate(summary.particle_steps, summary.stepping_seconds) + " particle-steps/s, " +
                                        rate(summary.contact_steps, summary.stepping_seconds) + " contact-steps/s"));
  const bool touching = std::isfinite(summary.critical.value);
  if (touching) { lines.push_back(labelled("time step", time_step_text(summary, scene))); }
  append_watch(lines, summary, scene, touching);
  append_stage_times(lines, summary, engine);
  const EngineCounts counts = engine.counts();
  append_memory(lines, counts.particles, engine);
  lines.push_back(labelled("particles", particle_count_text(counts.particles, scene.parcel_scale) + " in the run, " +
                                            count_text(counts.contacts) + " contacts among them, " +
                                            count_text(counts.boundary_contacts) + " with boundaries; " +
                                            counted(counts.searches, "rebuild", "rebuilds")));
  append_inserted(lines, summary);
  if (summary.breakage) {
    lines.push_back(labelled("broken", counted(summary.breakage->broken, "sphere", "spheres") + " into " +
                                           counted(summary.breakage->fragments, "fragment", "fragments") + ", and " +
                                           short_number_text(summary.breakage->fines, 6) + " kg of fines"));
  }
  if (const auto cell = engine.cell(); cell && scene.cell) {
    lines.push_back(labelled("cell", cell_state_text(*cell, *scene.cell)));
  }
  if (scene.has_bonds()) {
    lines.push_back(
        labelled("bonds", count_text(counts.bonds) + " whole, " + count_text(counts.broken_bonds) + " broken"));
  }
  if (has_load_histories(scene)) { append_load_histories(lines, counts); }
  for (std::size_t i = 0; i < counts.removed.size(); ++i) {
    if (scene.counts_broken(i)) { continue; }
    lines.push_back(labelled("removed", scene.outlet_names[i] + ": " +
                                            counted(counts.removed[i], "particle", "particles") + ", " +
                                            short_number_text(counts.removed_mass[i], 6) + " kg"));
  }
  lines.push_back(labelled("files", count_text(summary.files)));
  lines.push_back("state hash " + engine.hash().text());
  return lines;
}

}  // namespace scree
