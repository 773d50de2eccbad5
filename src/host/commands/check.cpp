#include "host/commands/check.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <ostream>

#include "host/case/laws.hpp"
#include "host/case/names.hpp"
#include "host/case/parcels.hpp"
#include "host/case/particle_kinds.hpp"
#include "host/case/shape_word.hpp"
#include "host/commands/check_fluid.hpp"
#include "host/commands/check_places.hpp"
#include "host/commands/check_start.hpp"
#include "host/commands/inlet_totals.hpp"
#include "host/geometry/fragment_pattern.hpp"
#include "host/measure/clump_members.hpp"
#include "host/measure/load_histories.hpp"
#include "host/output/field_outputs.hpp"
#include "host/output/output_schedule.hpp"
#include "host/run/cell_text.hpp"
#include "host/run/exit_code.hpp"
#include "host/run/memory_plan.hpp"
#include "host/run/particle_breakage.hpp"
#include "host/run/servo_text.hpp"
#include "host/run/stage_text.hpp"
#include "host/run/stages.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/scene/contact_rules.hpp"
#include "host/scene/contact_springs.hpp"
#include "host/scene/meetings.hpp"
#include "host/scene/time_step.hpp"
#include "host/start/start_from.hpp"
#include "host/text/text.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/machine.hpp"

namespace scree {
namespace {

void line(std::ostream& out, const std::string& label, const std::string& text) {
  constexpr std::size_t width = 17;
  out << label << std::string(label.size() < width ? width - label.size() : 1, ' ') << text << "\n";
}

void print_particles(const Scene& scene, std::ostream& out) {
  const ParticleSet& particles = scene.particles;
  const std::vector<bool> member = members_of_clumps(particles, scene.clump_shapes);
  const auto members = static_cast<std::size_t>(std::count(member.begin(), member.end(), true));
  const std::uint64_t bodies = particles.size() - members + particles.clumps.size();
  const auto grains =
      static_cast<std::size_t>(std::count_if(particles.clumps.begin(), particles.clumps.end(), [&](const Clump& clump) {
        return scene.clump_shapes[clump.shape].grain.has_value();
      }));
  std::string text;  // the kinds of particles; "0 spheres" if there are none at all
  if (particles.size() == 0 || particles.size() > members) {
    text = counted(particles.size() - members, "sphere", "spheres");
  }
  const auto add = [&](const std::string& kind) { text += (text.empty() ? "" : " and ") + kind; };
  if (members > grains) {
    add(counted(particles.clumps.size() - grains, "clump", "clumps") + " of " +
        counted(members - grains, "sphere", "spheres"));
  }
  if (grains > 0) add(counted(grains, "level-set grain", "level-set grains"));
  if (scene.parcel_scale != 1) text = particle_count_text(bodies, scene.parcel_scale) + ": " + text;
  if (particles.size() > 0) {
    double mass = 0, least = std::numeric_limits<double>::infinity(), most = 0;
    const auto see = [&](double radius) { least = std::min(least, radius), most = std::max(most, radius); };
    for (const Clump& clump : particles.clumps) {
      const ClumpShape& shape = scene.clump_shapes[clump.shape];
      mass += shape.volume * std::pow(clump.size, 3) * scene.materials[particles.material[clump.first]].density;
      see(clump.size * equivalent_radius(shape));
    }
    for (std::size_t i = 0; i < particles.size(); ++i) {
      if (member[i]) continue;
      mass += sphere_mass(scene.materials[particles.material[i]], particles.radius[i]);
      see(particles.radius[i]);
    }
    text += ", radius " + short_number_text(least) + " m";
    if (most > least * (1 + 1e-9)) text += " to " + short_number_text(most) + " m";
    text += ", total mass " + short_number_text(mass) + " kg";
  }
  line(out, "particles", text);
}

void print_inlets(const Case& input, const Scene& scene, const std::vector<InletTotal>& totals, std::ostream& out) {
  for (const SceneInlet& inlet : scene.inlets) {
    const Inlet& source = *input.particles[inlet.entry].inlet;
    std::string text = inlet_text(input, inlet.entry);
    const auto kinds = kinds_of(input, input.particles[inlet.entry]);
    if (kinds.size() > 1) {
      text += ", " + short_number_text(100 * kinds[inlet.part].mass_fraction, 4) + " % " + kinds[inlet.part].material;
    }
    const std::string all = kinds.size() > 1 ? " of all" : "";
    text += ": ";
    text += source.rate
                ? short_number_text(*source.rate) + (scene.parcel_scale != 1 ? " parcels/s" : " particles/s") + all
                : short_number_text(*source.mass_flow) + " kg/s" + all;
    if (inlet.shape) text += ", shape \"" + scene.clump_shapes[*inlet.shape].name + "\"";
    const double smallest = inlet.smallest_particle(), largest = inlet.largest_particle();
    text += ", radius " + short_number_text(smallest) + " m";
    if (largest > smallest) text += " to " + short_number_text(largest) + " m";
    if (inlet.part > 0) {
      line(out, "inlet", text);
      continue;
    }
    for (const InletTotal& total : totals) {
      if (total.entry == inlet.entry) {
        text += "; about " + count_text(static_cast<std::uint64_t>(total.particles)) + " in the whole run";
      }
    }
    line(out, "inlet", text);
  }
}

void print_boundaries(const Scene& scene, std::ostream& out) {
  std::string text = scene.boundaries.empty() ? "none" : "";
  for (const SceneBoundary& boundary : scene.boundaries) {
    text += (text.empty() ? "" : ", ") + boundary.name + " (";
    text += boundary.is_mesh() ? counted(boundary.mesh.triangles.size(), "triangle", "triangles")
                               : shape_word(boundary.shape);
    text += boundary.motion.empty() ? "" : ", moving";
    text += boundary.slides() ? ", its surface moving" : "";
    text += boundary.drive ? ", driven)" : ")";
  }
  line(out, "boundaries", text);
}

/// Prints time step, Verlet distance, number of steps and outputs. `given` is the `time.duration` [s] of the case. The
/// duration in `input` is shorter if stages end the run sooner.
void print_time(const Case& input, double given, const Scene& scene, const SceneReport& report, std::ostream& out) {
  const std::uint64_t steps = steps_for(input.time.duration, scene.time_step);
  line(out, "time step", short_number_text(scene.time_step) + " s; " + report.time_step_reason);
  line(out, "Verlet distance", short_number_text(scene.verlet_distance) + " m; " + report.verlet_reason);
  line(out, "steps",
       (scene.adaptive ? "as many as it takes" : count_text(steps)) + " for " + number_text(input.time.duration) +
           " s" + (input.time.duration < given ? ", when the last stage ends at the latest" : ""));
  const auto output = [&](const std::string& label, const auto& kind) {
    if (!kind) return line(out, label, "none");
    line(out, label,
         count_text(OutputSchedule(kind->every, scene).outputs(steps, input.time.duration)) + ", every " +
             number_text(kind->every) + " s from the start");
  };
  output("frames", input.output.frames);
  output("series rows", input.output.series);
  if (input.output.contacts) { output("contact files", input.output.contacts); }
  for (const auto& [name, fields] : input.output.fields) {
    const auto& n = fields.grid.cells;
    line(out, "fields",
         "\"" + name + "\": " + count_text(n[0]) + " x " + count_text(n[1]) + " x " + count_text(n[2]) + " cells, " +
             count_text(OutputSchedule(fields.every, scene).outputs(steps, input.time.duration) - 1) +
             " files, one every " + number_text(fields.every) + " s, of samples every " +
             number_text(fields.sample_every.value_or(fields.every)) + " s");
  }
}

void print_breakage(const Scene& scene, std::ostream& out) {
  if (!scene.breakage) { return; }
  for (const SceneBreakageRule& rule : scene.breakage->rules) {
    const geometry::FragmentPattern pattern = geometry::fragment_pattern(rule.fragments);
    std::string text = scene.material_names.at(rule.material) + ": spheres of a radius from " +
                       short_number_text(rule.smallest_radius / pattern.smallest(), 4) + " m on break into " +
                       std::to_string(rule.fragments) + " fragments with " +
                       short_number_text(100 * pattern.volume, 3) +
                       " % of their volume, the rest becomes fines; 37 % of those of diameter " +
                       short_number_text(rule.at_diameter, 4) + " m survive " + short_number_text(rule.stress, 4) +
                       " Pa, strengths go with diameter^-" + short_number_text(rule.size_exponent, 4);
    if (rule.most_particles > scene.particles.size()) {
      text += "; at most " + count_text(rule.most_particles) + " spheres from those of the start, then with about " +
              bytes_text(MemoryPlan(scene, rule.most_particles).bytes()) + " of memory";
    }
    line(out, "breakage", text);
  }
  line(out, "breakage",
       "looked for every " +
           (scene.breakage->every ? number_text(*scene.breakage->every) + " s"
                                  : std::to_string(ParticleBreakage::interval) + " steps") +
           "; the run ends before there are more than " + count_text(scene.breakage->most_particles) + " particles");
}

/// The number of spheres at the start and from inlets, as if none ever left the run.
std::size_t most_spheres(const Scene& scene, const std::vector<InletTotal>& totals) {
  double spheres = static_cast<double>(scene.particles.size());
  for (const InletTotal& total : totals) { spheres += total.spheres; }
  return static_cast<std::size_t>(std::min(spheres, 0x1p31));
}

void print_memory(const Case& input, const Scene& scene, std::size_t spheres, std::ostream& out) {
  const MemoryPlan plan(scene, spheres);
  std::string items;
  for (const MemoryItem& item : plan.items()) {
    if (item.bytes > 0) items += (items.empty() ? "" : ", ") + item.name + " " + bytes_text(item.bytes);
  }
  line(out, "memory",
       "about " + bytes_text(plan.bytes()) + " in " + (scene.precision == Precision::mixed ? "mixed" : "double") +
           " precision with all lists (estimated for a dense packing with " +
           short_number_text(plan.pairs_per_particle(), 3) + " listed pairs per particle" +
           (scene.verlet_auto ? "; fast particles have more" : "") +
           (spheres > scene.particles.size() ? "; with all particles that inlets bring)" : ")") +
           (items.empty() ? "" : ": " + items));
  if (const std::uint64_t free = granted_memory().free; plan.bytes() > free) {
    line(out, "warning",
         "a run on the processor needs more memory than the " + bytes_text(free) + " that are free here");
  }
  if (input.output.frames) {
    line(out, "frames held",
         "at most " + bytes_text(frames_in_memory(scene, *input.output.frames, spheres)) +
             ": two that wait while a third one is written");
  }
  if (input.output.contacts) {
    line(out, "contacts held",
         "at most " + bytes_text(contacts_in_memory(scene, spheres)) +
             " in a dense packing, where files of contacts wait to be written");
  }
  if (!input.output.fields.empty()) {
    line(out, "fields held",
         "at most " + bytes_text(fields_in_memory(input.output.fields)) + ": sums over windows, and files that wait");
  }
  if (!has_load_histories(scene)) return;
  constexpr std::size_t million = 1000000;
  const MemoryPlan large(scene, million);
  std::string text;
  for (const double length : plan.usual_lengths()) {
    text += (text.empty() ? "" : "; ") + bytes_text(plan.load_histories(length)) + " with " + number_text(length) +
            " segments per contact in the mean, " + bytes_text(large.load_histories(length)) + " of " +
            count_text(million) + " particles";
  }
  line(out, "load histories",
       text + ", beside " + bytes_text(large.bytes()) + "; at " + number_text(MemoryPlan::contacts_per_particle) +
           " contacts per particle");
}

/// The law of all pairs that can touch, or the laws by pairs.
std::string law_text(const Scene& scene) {
  std::map<std::pair<LawKind, bool>, std::string> pairs;  // pairs of materials by law and rolling resistance
  const auto name = [](const std::pair<LawKind, bool>& law) {
    return law_name(law.first) + (law.second ? " with rolling" : "");
  };
  const MeetingMaterials meeting = meeting_materials(scene);
  for (std::size_t a = 0; a < scene.materials.size(); ++a) {
    for (std::size_t b = a; b < scene.materials.size(); ++b) {
      if (!meeting.can_touch(a, b)) continue;
      std::string& text = pairs[{scene.law_of(a, b), scene.pair(a, b).rolling.acts()}];
      text += (text.empty() ? "" : ", ") + scene.material_names[a] + "-" + scene.material_names[b];
    }
  }
  if (pairs.empty()) return law_name(scene.law);
  if (pairs.size() == 1) return name(pairs.begin()->first);
  std::string all;
  for (const auto& [law, text] : pairs) all += (all.empty() ? "" : "; ") + name(law) + " (" + text + ")";
  return all;
}

/// A warning if rolling resistance of type A acts under gravity: heaps then never come to rest completely.
std::vector<std::string> rolling_warnings(const Scene& scene) {
  if (scene.gravity == Real3{}) { return {}; }
  const bool creeps = std::any_of(scene.pairs.begin(), scene.pairs.end(), [](const MaterialPair& pair) {
    return pair.rolling.type == RollingType::directional && pair.rolling.acts();
  });
  if (!creeps) { return {}; }
  return {
      "rolling resistance of type \"A\" has no springs: a heap creeps and settles under gravity, the more the longer "
      "the step; type \"C\" with a \"stiffness\" and the same \"friction\" holds it (docs/theory.md)"};
}

}  // namespace

int run_check(const std::filesystem::path& file, const std::vector<std::string>& settings, std::ostream& out,
              int threads) {
  Case input = read_case(file, settings);
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const double given = input.time.duration;
  input.time.duration = longest_duration(scene, given);  // all lines below are about this duration
  if (!input.title.empty()) line(out, "title", input.title);
  print_particles(scene, out);
  const Case parcels = as_parcels(input);
  const std::vector<InletTotal> totals = inlet_totals(parcels, scene);
  const std::size_t spheres = most_spheres(scene, totals);
  print_inlets(parcels, scene, totals, out);
  print_breakage(scene, out);
  print_boundaries(scene, out);
  for (const auto& [label, text] : place_lines(input, scene)) line(out, label, text);
  if (report.start) line(out, "start", report.start->text());
  for (const auto& [label, text] : cell_lines(scene)) line(out, label, text);
  for (const auto& [label, text] : servo_lines(scene)) line(out, label, text);
  for (const auto& [label, text] : run_stage_lines(scene)) line(out, label, text);
  line(out, "contact law", law_text(scene));
  if (scene.fluid) { line(out, "fluid", fluid_text(scene)); }
  print_time(input, given, scene, report, out);
  print_memory(input, scene, spheres, out);
  for (const std::string& note : report.notes) line(out, "note", note);
  const StartCheck start = check_start(input, scene, report, spheres, threads);
  for (const auto& [label, text] : start.lines) line(out, label, text);
  for (const auto& warnings : {report.warnings, rolling_warnings(scene), size_warnings(input, scene),
                               inlet_warnings(parcels, scene), empty_inlet_warnings(totals)}) {
    for (const std::string& warning : warnings) line(out, "warning", warning);
  }
  if (start.failure.empty()) return exit_done;
  line(out, "failure", "the first steps fail: " + start.failure);
  return exit_run_failed;
}

}  // namespace scree
