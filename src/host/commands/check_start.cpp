#include "host/commands/check_start.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "host/commands/touching_block.hpp"
#include "host/commands/work_clock.hpp"
#include "host/measure/probes.hpp"
#include "host/output/field_outputs.hpp"
#include "host/output/grain_surfaces.hpp"
#include "host/output/output_schedule.hpp"
#include "host/output/particle_fields.hpp"
#include "host/output/series_writer.hpp"
#include "host/run/boundary_times.hpp"
#include "host/run/contact_warnings.hpp"
#include "host/run/exit_code.hpp"
#include "host/run/memory_plan.hpp"
#include "host/run/progress.hpp"
#include "host/run/stages.hpp"
#include "host/run/summary.hpp"
#include "host/scene/time_step.hpp"
#include "host/text/text.hpp"
#include "scree/engine.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Makes an engine in the state in which a run makes its first step, with the changes of the first stage.
std::unique_ptr<Engine> started(const Case& input, const Scene& scene, const SceneReport& report, int threads) {
  EngineOptions options;
  options.threads = threads;
  auto engine = make_engine(scene, options);
  (void)continue_contacts(report, input, scene, *engine);
  (void)BoundaryTimes(scene).look(*engine);
  (void)Stages(scene).look(*engine);
  return engine;
}

/// The critical step of the contacts of the start. It is found by one step that is so short that nothing moves.
CriticalStep critical_step_of_start(const Case& input, const Scene& scene, const SceneReport& report, int threads) {
  Scene still = scene;
  still.adaptive.reset();
  for (SceneStage& stage : still.stages) { stage.time.reset(); }
  still.time_step *= 1e-9;
  const auto engine = started(input, still, report, threads);
  engine->advance(1);
  return engine->critical_step();
}

std::string start_limit_text(const CriticalStep& limit, const Scene& scene, double first_step) {
  if (!std::isfinite(limit.value)) { return "nothing touches at the start"; }
  return (limit.contacts > 0 ? "of the contacts of the start " : "at the start ") + critical_step_text(limit, scene) +
         "; the " + (scene.adaptive ? "first step, " + short_number_text(first_step, 3) + " s," : "time step") +
         " is " + short_number_text(first_step / limit.value, 3) + " of it";
}

/// A sentence about the run time if inlets bring most of the particles, as if all were there from the first step on.
std::string run_time_with_inlets(const Scene& scene, Engine& engine, double steps, std::size_t spheres, int threads) {
  const auto block = cost_of_touching_block(scene, threads);
  if (!block) { return "not known, since inlets bring most of the particles"; }
  const double each = block->seconds * static_cast<double>(spheres);
  return "up to about " + duration_text(each * steps) + " on " + engine.backend() + ", as if all " +
         counted(spheres, "sphere", "spheres") +
         " that inlets bring were there from the start: " + short_number_text(1e3 * each, 2) +
         " ms per step once they are, after " + count_text(block->spheres) +
         " touching ones in a trial; boundaries, fast particles and output take longer";
}

void add_run_time(const Scene& scene, Engine& engine, double steps, std::size_t most_spheres, int threads,
                  Lines& lines) {
  constexpr double enough_seconds = 0.7;
  std::uint64_t done = 0;
  const double begin = clock_seconds();
  const WorkClock work(engine);
  double seconds = 0;
  for (std::uint64_t chunk = 1; seconds < enough_seconds && static_cast<double>(engine.step()) < steps;
       chunk = seconds < 0.1 * enough_seconds ? 2 * chunk : chunk) {
    done += engine.advance(std::min(chunk, static_cast<std::uint64_t>(steps) - engine.step()));
    seconds = clock_seconds() - begin;
  }
  if (done == 0) { return; }
  const double each = work.seconds() / static_cast<double>(done);
  if (most_spheres > 2 * scene.particles.size()) {
    lines.emplace_back("run time", run_time_with_inlets(scene, engine, steps, most_spheres, threads) + "; " +
                                       short_number_text(1e3 * each, 2) + " ms per step with those of the start");
    return;
  }
  lines.emplace_back("run time", "about " + duration_text(each * steps) + " on " + engine.backend() + ": " +
                                     short_number_text(1e3 * each, 2) + " ms per step in " + count_text(done) +
                                     " of the first steps" +
                                     (scene.inlets.empty() ? "" : ", before inlets bring more") +
                                     "; more contacts take longer, and so does output");
}

/// [bytes] Size of a file with the vertices and triangles of a surface, by measured factors: triangles are compressed.
double surface_file_bytes(const TriangleMesh& mesh) {
  return 9000 + 24.0 * static_cast<double>(mesh.vertices.size()) + 7.0 * static_cast<double>(mesh.triangles.size());
}

/// [bytes] Size of a frame of this number of particles, with the surfaces that have a file per frame.
double frame_with_surfaces(const FrameOutput& frames, const Scene& scene, const Snapshot& start,
                           std::size_t particles) {
  double size = static_cast<double>(frame_bytes(frames, particles, scene.precision));
  for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
    const SceneBoundary& boundary = scene.boundaries[b];
    const bool changes = boundary.moves() || scene.comes_or_goes(b) || boundary.facet_loads.has_value();
    if (changes && !boundary.mesh.triangles.empty()) { size += surface_file_bytes(boundary.mesh); }
  }
  if (!scene.grain_shapes.empty()) {
    const double growth =
        static_cast<double>(particles) / static_cast<double>(std::max<std::size_t>(1, start.position.size()));
    size += growth * surface_file_bytes(surfaces_of_grains(scene, start).mesh);
  }
  return size;
}

/// [bytes] Size of a row of the series.
double row_bytes(const SeriesOutput& series, const Scene& scene, const std::filesystem::path& folder) {
  constexpr double bytes_per_number = 14;  // a measured mean: most numbers have all digits, and many are 0
  const std::string header = series_header(scene, Probes(series, scene, folder).columns());
  return bytes_per_number * static_cast<double>(1 + std::count(header.begin(), header.end(), ','));
}

/// [bytes] Size of a file of contacts of this number of particles in a dense packing.
double contacts_in_packing(const Scene& scene, const EngineCounts& start, std::size_t particles) {
  const auto contacts = static_cast<std::uint64_t>(
      std::max(MemoryPlan::contacts_per_particle * static_cast<double>(particles),
               static_cast<double>(start.contacts + start.boundary_contacts)));  // most runs begin with few
  return static_cast<double>(
      contact_file_bytes(contacts, scene.precision, scene.cell.has_value(), !scene.grain_shapes.empty()));
}

/// [bytes] Size of a checkpoint of this number of particles, of which `here` are there at the start. Later particles
/// count as much as those at the start, or as spheres with some contacts if there are few at the start.
double checkpoint_bytes(const Case& input, Engine& engine, double here, double particles) {
  double state = 0;
  for (const StateArray& array : engine.save().arrays) { state += static_cast<double>(array.bytes.size()); }
  constexpr double of_sphere = 400;
  state += (particles - here) * (here < 100 ? of_sphere : state / here);
  return state + static_cast<double>(fields_in_checkpoint(input.output.fields));
}

void add_disk_space(const Case& input, const Scene& scene, Engine& engine, std::uint64_t steps,
                    std::size_t most_spheres, Lines& lines) {
  double bytes = 0;
  std::string text;
  const auto add = [&](double size, std::uint64_t count, const std::string& what) {
    bytes += size * static_cast<double>(count);
    text += (text.empty() ? "" : ", ") + count_text(count) + " " + what + " of " +
            bytes_text(static_cast<std::uint64_t>(size));
  };
  const auto outputs = [&](double every) { return OutputSchedule(every, scene).outputs(steps, input.time.duration); };
  const Snapshot snapshot = engine.snapshot();
  const std::size_t particles = std::max(snapshot.position.size(), most_spheres);
  if (const auto& frames = input.output.frames) {
    add(frame_with_surfaces(*frames, scene, snapshot, particles), outputs(frames->every), "frames");
  }
  if (const auto& series = input.output.series) {
    add(row_bytes(*series, scene, input.folder), outputs(series->every), "rows");
  }
  if (const auto& contacts = input.output.contacts) {
    add(contacts_in_packing(scene, engine.counts(), particles), outputs(contacts->every),
        "files of contacts in a dense packing");
  }
  for (const auto& [name, fields] : input.output.fields) {
    add(static_cast<double>(field_file_bytes(fields, scene.precision)), outputs(fields.every) - 1, "files of fields");
  }
  if (const auto& checkpoints = input.output.checkpoints) {
    const double here = static_cast<double>(snapshot.position.size());
    add(checkpoint_bytes(input, engine, here, static_cast<double>(particles)),
        std::min<std::uint64_t>(outputs(checkpoints->every), checkpoints->keep + 1), "checkpoints at a time");
  }
  if (text.empty()) { return; }
  lines.emplace_back(
      "disk space",
      "about " + bytes_text(static_cast<std::uint64_t>(bytes)) + ": " + text +
          (scene.inlets.empty() ? "" : ", with all particles that inlets bring") +
          (input.output.frames && input.output.frames->grain_nodes ? ", without the nodes of grains" : ""));
  std::error_code error;
  const auto room = std::filesystem::space(std::filesystem::current_path(error), error);
  if (!error && bytes > static_cast<double>(room.available)) {
    lines.emplace_back("warning", "the disk of this folder has room for " + bytes_text(room.available) +
                                      ", less than the output needs");
  }
}

}  // namespace

std::uint64_t contact_file_bytes(std::size_t contacts, Precision precision, bool in_cell, bool of_grains) {
  const std::uint64_t real = precision == Precision::double_ ? 8 : 4;
  // Two ends and the contact point; two ids; normal, two forces, spring and overlap; compressed lists of cells and
  // flags.
  const std::uint64_t each = 3 * 24 + 2 * 4 + 11 * real + 1 + (in_cell ? 12 : 0) + (of_grains ? 3 * real : 0);
  constexpr std::uint64_t file_itself = 8000;
  return file_itself + each * contacts;
}

std::uint64_t frame_bytes(const FrameOutput& output, std::size_t particles, Precision precision) {
  std::uint64_t each = 24 + 1;  // position; compressed lists of cells
  for (const std::string& field : output.fields) { each += bytes_per_particle(field, precision); }
  constexpr std::uint64_t file_itself = 6000;
  return file_itself + each * particles;
}

StartCheck check_start(const Case& input, const Scene& scene, const SceneReport& report, std::size_t most_spheres,
                       int threads) {
  StartCheck check;
  Lines& lines = check.lines;
  constexpr std::size_t most_particles = 2000000;  // with more, the check would take too long
  if (scene.particles.size() > most_particles) {
    lines.emplace_back("critical step", "not computed above " + count_text(most_particles) +
                                            " particles, nor are run time and disk space");
    return check;
  }
  try {
    const CriticalStep limit = critical_step_of_start(input, scene, report, threads);
    const auto engine = started(input, scene, report, threads);
    engine->advance(1);
    const double first_step = engine->time() - engine->previous_time();
    lines.emplace_back("critical step", start_limit_text(limit, scene, first_step));
    const double steps = scene.adaptive ? input.time.duration / first_step
                                        : static_cast<double>(steps_for(input.time.duration, scene.time_step));
    if (scene.adaptive) {
      lines.emplace_back(
          "steps", "about " + count_text(static_cast<std::uint64_t>(steps)) + " if all were as long as the first");
    }
    add_run_time(scene, *engine, std::min(steps, 0x1p52), most_spheres, threads, lines);
    add_disk_space(input, scene, *engine, static_cast<std::uint64_t>(std::min(steps, 0x1p52)), most_spheres, lines);
    for (const std::string& text : contact_warnings({}, {engine->watch(), given_step(scene, 1)})) {
      lines.emplace_back("warning", "in the trial steps " + text);
    }
  } catch (const KernelFault& fault) { check.failure = describe_failure(fault).lines.front(); }
  return check;
}

}  // namespace scree
