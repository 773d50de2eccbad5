#include "scree/build_scene.hpp"

#include <algorithm>

#include "host/case/check/problems.hpp"
#include "host/case/describe_domain.hpp"
#include "host/case/losses.hpp"
#include "host/case/parcels.hpp"
#include "host/geometry/real3.hpp"
#include "host/measure/probes.hpp"
#include "host/output/column_names.hpp"
#include "host/output/stage_measures.hpp"
#include "host/scene/adhesion_range.hpp"
#include "host/scene/build_scene/attraction.hpp"
#include "host/scene/build_scene/boundaries.hpp"
#include "host/scene/build_scene/breakage.hpp"
#include "host/scene/build_scene/cell.hpp"
#include "host/scene/build_scene/collisions.hpp"
#include "host/scene/build_scene/fluid.hpp"
#include "host/scene/build_scene/grain_bonds.hpp"
#include "host/scene/build_scene/grains.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "host/scene/build_scene/held_particles.hpp"
#include "host/scene/build_scene/inlets.hpp"
#include "host/scene/build_scene/membranes.hpp"
#include "host/scene/build_scene/particles.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/scene/build_scene/repeat_boundaries.hpp"
#include "host/scene/build_scene/representable.hpp"
#include "host/scene/build_scene/servos.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/scene/build_scene/solids.hpp"
#include "host/scene/build_scene/stages.hpp"
#include "host/scene/build_scene/unit_slips.hpp"
#include "host/scene/choose_step.hpp"
#include "host/scene/contact_rules.hpp"
#include "host/scene/heat.hpp"
#include "host/scene/meetings.hpp"
#include "host/scene/time_step.hpp"
#include "host/start/start_from.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

void choose_verlet_distance(const Case& input, Scene& scene, SceneReport& report) {
  constexpr double automatic_fraction = 0.1;
  const auto& [given, interval] = input.neighbours;
  const auto* fraction = given ? std::get_if<VerletFraction>(&*given) : nullptr;
  if (const auto* length = given ? std::get_if<VerletLength>(&*given) : nullptr) {
    scene.verlet_distance = length->value;
    report.verlet_reason = "given";
  } else {
    const double part = fraction != nullptr ? fraction->value : automatic_fraction;
    const RadiusRange radii = all_radii(scene);
    if (!radii.any()) return;
    const double smallest = radii.smallest;
    scene.verlet_distance = part * smallest;
    scene.verlet_auto = fraction == nullptr;
    report.verlet_reason = (scene.verlet_auto ? "auto: at least " : "given: ") + number_text(part) +
                           " of the smallest radius " + length_text(smallest);
  }
  if (scene.verlet_auto) report.verlet_reason += ", more for faster particles";
  if (!interval) {
    if (scene.verlet_auto) report.verlet_reason += ", by the measured times of steps and searches";
    return;
  }
  scene.target_interval = *interval;
  report.verlet_reason += (scene.verlet_auto ? ", for " : ", 10 to 100 % of it by speed, for ") +
                          number_text(*interval) + (*interval == 1 ? " step" : " steps");
}

/// Sets the steps in which regions delete particles.
void set_deletion_steps(const Case& input, Scene& scene) {
  const auto step_of = [&](double time) { return first_step_at(time, scene.time_step); };
  for (std::size_t i = 0; i < scene.deletions.size(); ++i) {
    const DeletionRegion& source = input.domain.delete_in[i].second;
    scene.deletions[i].first_step = step_of(source.from);
    scene.deletions[i].end_step = step_of(source.until);
    scene.deletions[i].from = source.from;
    scene.deletions[i].until = source.until;
  }
}

/// The cell of the checkpoint that a case starts from, with the deformation that the case gives it.
std::optional<PeriodicCell> started_cell(const Case& input, const StartPoint& start,
                                         std::vector<InputProblem>& problems) {
  std::optional<PeriodicCell> cell = start.cell();
  const Domain& domain = input.domain;
  if (cell) {
    check_deformation(domain, *cell, problems);
    if (problems.empty()) set_deformation(domain, *cell);
    return cell;
  }
  const std::string why = "needs a periodic cell, but " + start.file().string() + " has none";
  if (domain.velocity_gradient) problems.push_back({"domain.velocity_gradient", why});
  if (!domain.control.empty()) problems.push_back({"domain.control", why});
  for (const auto& path : uses_of_cell(input)) problems.push_back({path, why});
  return cell;
}

/// Copies the settings that the scene takes unchanged from the case. This is the first part of building a scene.
void take_settings(const Case& input, Scene& scene) {
  scene.precision = input.precision;
  scene.seed = input.seed;
  scene.gravity = input.gravity;
  scene.integration = input.integration;
  scene.no_ratcheting = input.no_ratcheting;
  scene.sums_losses = !uses_of_losses(input).empty();
  if (input.output.collisions) { scene.collisions = SceneCollisions{collision_limits(*input.output.collisions)}; }
  scene.energies = scene.sums_losses || scene.collisions || (input.output.series && input.output.series->energies);
  scene.lists_removed = input.output.left;
  scene.grain_contacts = input.grain_contacts;
  scene.keeps_node_forces = input.output.frames && input.output.frames->grain_nodes;
  for (const auto& [name, material] : input.materials) {
    scene.materials.push_back(material);
    scene.material_names.push_back(name);
  }
}

/// Rejects output about features that the case does not have. Needs outlets and pairs without problems.
void check_what_output_needs(const Case& input, const Scene& scene, std::vector<InputProblem>& problems) {
  if (input.output.left && scene.outlets.empty() && scene.deletions.empty() && problems.empty()) {
    problems.push_back(
        {"output.left", "needs something that removes particles: domain.outlets, delete_in or remove_outside"});
  }
  if (input.output.broken_bonds && !scene.has_bonds() && problems.empty()) {
    problems.push_back({"output.broken_bonds", "needs a law that makes bonds, such as \"bonded\""});
  }
  check_collisions(scene, problems);
}

/// Makes everything that precedes particles: materials, boundaries, the cell, outlets, groups, stages and shapes. Needs
/// the settings. If one of them is wrong, the others are still made and checked.
void make_surroundings(const Case& input, double loss, Scene& scene, SceneReport& report,
                       std::vector<InputProblem>& problems) {
  ResolvedContacts contacts = resolve_contacts(input, problems, loss);
  scene.law = contacts.law;
  scene.pairs = std::move(contacts.pairs);
  scene.boundaries = make_boundaries(input, report.warnings, problems);
  scene.cell = report.start ? started_cell(input, *report.start, problems) : make_cell(input, problems);
  make_servos(input, scene, problems);
  make_outlets(input, scene, problems);
  name_breakage(input, scene, problems);
  check_what_output_needs(input, scene, problems);
  scene.groups = make_groups(input, report.warnings, problems);
  check_membranes(input, scene, problems);
  if (report.start) { report.start->check_membranes(input, scene, problems); }
  make_fluid(input, scene, problems);
  make_stages(input, scene, problems);
  if (scene.cell) { scene.cell->returns_at_stages = !scene.stages.empty(); }
  scene.clump_shapes = make_shapes(input, scene.grain_shapes, report.notes, report.warnings, problems);
}

/// Makes particles and inlets. Needs the surroundings. It places particles even if the surroundings have problems, so
/// that one run reports more problems. Only with a start and problems it places nothing, because the particles of the
/// start may then be wrong.
void make_particles(const Case& input, Scene& scene, SceneReport& report, std::vector<InputProblem>& problems) {
  if (report.start) {
    scene.particles = report.start->particles();
    if (problems.empty()) report.start->check_shapes(scene.clump_shapes, problems);
    if (problems.empty()) fit_deformation(scene, report.warnings, problems);
    if (problems.empty()) report.start->check_modes(scene, problems);
  }
  if (!report.start || problems.empty()) {
    if (report.start) { scene.membranes = report.start->membranes(input, report.notes); }
    PlacedParticles placed = place_particles(input, scene, report, problems);
    add_membranes(std::move(placed.membranes), scene.particles.size(), scene);
    append_particles(input, placed.particles, scene.particles, problems);
  }
  check_solids_of_inlets(input, scene, problems);
  scene.inlets = make_inlets(input, scene, report.warnings, problems);
}

/// Checks contacts, heat and the numbers of the particles. Needs all particles, and the materials of grains.
void check_particles(const Case& input, Scene& scene, SceneReport& report, std::vector<InputProblem>& problems) {
  impose_motion(scene.groups, scene.particles);
  make_breakage(input, scene, problems);
  resolve_heat(input, scene);
  check_derived_numbers(scene, problems);
  check_cohesion(scene, problems);
  check_liquid(scene, report.warnings, problems);
  check_held_particles(scene, problems);
}

/// Chooses the time step and the Verlet distance. Needs particles without problems; each choice needs the results of
/// the choices before it.
void choose_steps(const Case& input, Scene& scene, SceneReport& report, std::vector<InputProblem>& problems) {
  choose_time_step(input, scene, report, problems);
  if (problems.empty()) let_stages_change_step(input, scene, report, problems);
  if (problems.empty()) set_servo_drives(input, scene, problems);
  choose_verlet_distance(input, scene, report);
  if (problems.empty()) check_steps(input, scene, problems);
}

/// Sets how far contacts of each pair of materials reach. Heat, bridges of the start and bonds of grains may need
/// longer ranges for all pairs. Pairs with level-set grains get no range of their own: the engine breaks bonds of nodes
/// at one range that holds for all grains.
void set_ranges(Scene& scene, const SceneReport& report) {
  const double of_all =
      std::max({bond_range(scene), heat_range(scene), report.start ? report.start->bridge_range(scene) : 1});
  const MeetingMaterials meeting = meeting_materials(scene);
  const std::vector<double> adhesion = adhesion_ranges(scene);
  const std::size_t n = scene.materials.size();
  scene.interaction_range = of_all;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      std::optional<double>& range = scene.pairs[a * n + b].range;
      if (!meeting.can_touch(a, b)) {
        range = 1;
        continue;
      }
      range = std::max({range.value_or(1), adhesion[a * n + b], of_all});
      scene.interaction_range = std::max(scene.interaction_range, *range);
    }
  }
  for (std::size_t k = 0; k < scene.pairs.size(); ++k) {
    if (scene.is_of_grains(k / n) || scene.is_of_grains(k % n)) { scene.pairs[k].range.reset(); }
  }
}

/// Sets the ranges of contacts, checks that the cell is large enough for these ranges, and repeats boundaries in the
/// cell. Needs particles without problems. It also runs if no time step could be chosen, so that one run reports more
/// problems.
void fit_cell(const Case& input, Scene& scene, SceneReport& report, std::vector<InputProblem>& problems) {
  set_ranges(scene, report);
  check_cell(input, scene, problems);
  look_at_goals_of_stress(scene, report.warnings, problems);
  warn_of_reached_void_ratio(scene, report.warnings);
  check_heat_step(scene, report.warnings);
  warn_of_hot_clumps(scene, report.warnings);
  warn_of_small_spheres(scene, report.warnings);
  warn_of_endless_fall(scene, report.warnings);
  repeat_boundaries(scene, report.warnings, problems);
}

/// Checks what can only be checked once the scene is complete. Throws CaseError.
void look_at_whole_scene(const Case& input, const Scene& scene, SceneReport& report) {
  if (input.output.series) {
    check_column_names(scene, Probes(*input.output.series, scene, input.folder), input.output.broken_bonds.has_value());
  }
  check_stage_measures(scene);
  if (report.start) {
    refuse_buried_starts(scene, report.start->particles().size(), [&](std::size_t b) {
      const auto& [name, boundary] = input.boundaries[b];
      return report.start->had_moved(name) && !boundary.from_start;
    });
  }
  warn_of_bad_starts(scene, report.warnings, report.start ? report.start->particles().size() : 0);
  warn_of_idle_grain_contacts(scene, report.warnings);
  warn_of_fills_through_walls(input, scene, report.warnings);
  warn_of_fast_boundaries(scene, report.warnings);
  warn_of_turned_servos(scene, report.warnings);
  warn_of_idle_motions(scene, input.time.duration, report.warnings);
  warn_of_long_steps(scene, report.warnings);
  warn_of_short_control(scene, input.time.duration, report.warnings);
}

/// Builds the scene of a case whose start and parcels are resolved: a case with a start has got entries of `particles`
/// that name the materials and groups of the checkpoint, and a case of parcels has the values of parcels. Only
/// restitutions are still those of the grains; see resolve_contacts() about `loss`.
Scene resolved_scene(const Case& input, double loss, SceneReport& report) {
  std::vector<InputProblem> problems;
  const auto expect_no_problems = [&] {
    if (!problems.empty()) throw CaseError(std::move(problems));
  };
  Scene scene;
  take_settings(input, scene);
  make_surroundings(input, loss, scene, report, problems);
  make_particles(input, scene, report, problems);
  expect_no_problems();
  separate_grains(scene, problems);
  expect_no_problems();
  set_staged_friction(input, scene, report.warnings, problems);
  expect_no_problems();
  check_bonds(scene, problems);
  expect_no_problems();
  check_particles(input, scene, report, problems);
  expect_no_problems();
  if (scene.particles.size() == 0 && scene.inlets.empty()) report.warnings.push_back("particles: there are none");
  choose_steps(input, scene, report, problems);
  fit_cell(input, scene, report, problems);
  expect_no_problems();
  set_deletion_steps(input, scene);
  look_at_whole_scene(input, scene, report);
  return scene;
}

}  // namespace

Scene build_scene(const Case& given, SceneReport& report) {
  report = {};
  std::vector<InputProblem> list;
  Problems problems(list);
  check_values(given, problems);
  check_case(given, problems);
  if (!list.empty()) throw CaseError(std::move(list));
  Case input = as_parcels(given);
  if (given.start) {
    report.start = std::make_shared<const StartPoint>(given);
    report.warnings = report.start->warnings();
    input = report.start->with_entries(std::move(input));
    check_contacts(input, problems);
    if (!list.empty()) throw CaseError(std::move(list));
  }
  warn_of_unit_slips(given, report.warnings);
  Scene scene = resolved_scene(input, loss_of_impacts(given), report);
  scene.parcel_scale = given.parcels ? given.parcels->scale : 1;
  if (scene.fluid) scene.fluid->grain_scale = scene.parcel_scale;
  choose_hindrance_width(input, scene);
  return scene;
}

}  // namespace scree
