#include "host/scene/build_scene/cell.hpp"

#include <algorithm>
#include <cmath>

#include "host/case/describe_domain.hpp"
#include "host/case/laws.hpp"
#include "host/geometry/cell_frame.hpp"
#include "host/geometry/real3.hpp"
#include "host/measure/clump_members.hpp"
#include "host/modes/linear_algebra.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

bool take_edges(const PeriodicDomain& source, PeriodicCell& cell, std::vector<InputProblem>& problems) {
  if (source.edges) cell.edges = *source.edges;
  for (std::size_t k = 0; source.size && k < 3; ++k) cell.edges[k][k] = (*source.size)[k];
  cell.origin = source.origin;
  cell.periodic = periodic_axes(source);
  constexpr double farthest = 1e9;  // [m] farther away double precision resolves no contact
  const auto near = [](const Real3& a) {
    return std::all_of(a.begin(), a.end(), [](double x) { return std::fabs(x) <= farthest; });
  };
  if (std::all_of(cell.edges.begin(), cell.edges.end(), near) && near(cell.origin)) return true;
  problems.push_back({"domain.periodic", "must lie within " + number_text(farthest) + " m of the origin"});
  return false;
}

CellGoal goal_of(const std::optional<ComponentControl>& source) {
  CellGoal goal;
  if (!source) return goal;
  const auto take = [&](const std::optional<GoalCourse>& course, CellGoal::Kind kind) {
    if (!course) return;
    goal.kind = kind;
    goal.table = rows_of(*course);
  };
  take(source->strain_rate, CellGoal::Kind::strain_rate);
  take(source->strain, CellGoal::Kind::strain);
  take(source->stress, CellGoal::Kind::stress);
  goal.reverse_at_stress = source->reverse_at_stress.value_or(0);
  const auto take_multiples = [](const auto& multiples, CellTensor& taken) {
    if (!multiples) return;
    const auto values = components_of(*multiples);
    for (std::size_t k = 0; k < n_cell_components; ++k) taken[k] = values[k].value_or(0);
  };
  take_multiples(source->plus, goal.plus);
  take_multiples(source->follows, goal.follows);
  if (source->follows) goal.kind = CellGoal::Kind::follows;
  return goal;
}

/// Takes the limits of the void ratio, and those of the solid fraction f as limits of the void ratio 1 / f - 1.
void take_volume_ends(const StageEnd& source, CellStage& stage) {
  if (source.void_ratio) {
    stage.void_ratio_above = source.void_ratio->above;
    stage.void_ratio_below = source.void_ratio->below;
  }
  if (!source.solid_fraction) return;
  const auto& [dense, loose] = *source.solid_fraction;
  if (dense) stage.void_ratio_below = std::max(1 / *dense - 1, stage.void_ratio_below.value_or(0));
  if (loose) stage.void_ratio_above = std::min(1 / *loose - 1, stage.void_ratio_above.value_or(1 / *loose - 1));
}

CellStage stage_of(const ControlStage& source, const std::string& name, const std::string& path) {
  CellStage stage;
  stage.name = name;
  stage.path = path;
  stage.inertial_number = source.inertial_number;
  const auto components = components_of(source);
  for (std::size_t k = 0; k < n_cell_components; ++k) stage.goals[k] = goal_of(*components[k]);
  if (!source.until) return stage;
  stage.duration = source.until->duration.value_or(stage.duration);
  stage.reversals = source.until->reversals.value_or(0);
  stage.stress_error = source.until->stress_error.value_or(0);
  stage.unbalanced_force = source.until->unbalanced_force.value_or(0);
  take_volume_ends(*source.until, stage);
  if (source.until->stress) stage.stress = components_of(*source.until->stress);
  if (!source.until->strain) return stage;
  const auto strains = components_of(*source.until->strain);
  for (std::size_t k = 0; k < n_cell_components; ++k) stage.strain[k] = strains[k].value_or(0);
  return stage;
}

std::string name_or_number(const std::string& name, std::size_t number) {
  return name.empty() ? "stage " + std::to_string(number) : name;
}

/// Appends the stages of all rounds of a repetition. `path` is the path of its list of stages, with a dot at the end.
void append_rounds(const StageRepeat& source, const std::string& path, std::vector<CellStage>& stages) {
  const std::size_t begin = stages.size(), n = source.stages.size();
  CellRound place{.times = source.times, .behind = begin + source.times * n};
  if (source.until && source.until->double_amplitude) {
    const auto amplitudes = components_of(*source.until->double_amplitude);
    for (std::size_t k = 0; k < n_cell_components; ++k) place.double_amplitude[k] = amplitudes[k].value_or(0);
  }
  for (; place.round < source.times; ++place.round) {
    place.first = stages.size();
    for (std::size_t k = 0; k < n; ++k) {
      const ControlStage one = whole(source.stages[k]);
      stages.push_back(stage_of(one, name_or_number(one.name, stages.size()), path + std::to_string(k)));
      stages.back().repeat = place;
    }
  }
}

}  // namespace

std::optional<PeriodicCell> make_cell(const Case& input, std::vector<InputProblem>& problems) {
  if (!input.domain.periodic) return std::nullopt;
  PeriodicCell cell;
  if (!take_edges(*input.domain.periodic, cell, problems)) return std::nullopt;
  set_deformation(input.domain, cell);
  return cell;
}

void check_deformation(const Domain& domain, const PeriodicCell& cell, std::vector<InputProblem>& problems) {
  Complaints complaints;
  check_deformation(domain, cell.periodic, complaints);
  for (const auto& [member, message] : complaints.list()) problems.push_back({"domain." + member, message});
}

void set_deformation(const Domain& domain, PeriodicCell& cell) {
  if (domain.velocity_gradient) cell.velocity_gradient = *domain.velocity_gradient;
  for (std::size_t s = 0; s < domain.control.size(); ++s) {
    const ControlStage& entry = domain.control[s];
    const std::string path = "domain.control." + std::to_string(s);
    if (entry.repeat) {
      append_rounds(*entry.repeat, path + ".repeat.stages.", cell.stages);
    } else {
      cell.stages.push_back(stage_of(entry, name_or_number(entry.name, cell.stages.size()), path));
    }
  }
}

std::vector<ControlEntry> entries_of_control(const Domain& domain) {
  std::vector<ControlEntry> entries;
  std::size_t n_stages = 0;
  for (const ControlStage& entry : domain.control) {
    const std::string name = name_or_number(entry.name, n_stages);
    n_stages += entry.repeat ? entry.repeat->times * entry.repeat->stages.size() : 1;
    entries.push_back({name, n_stages - 1});
  }
  return entries;
}

bool comes_again(const CellStage& stage) { return stage.repeat && stage.repeat->round > 0; }

double largest_reach(const Scene& scene) {
  double largest = 0;
  const std::vector<bool> member = members_of_clumps(scene.particles, scene.clump_shapes);
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    if (!member[i]) largest = std::max(largest, scene.particles.radius[i]);
  }
  for (const Clump& clump : scene.particles.clumps) {
    largest = std::max(largest, scene.clump_shapes[clump.shape].bounding_radius * clump.size);
  }
  return scene.interaction_range * largest;
}

bool deforms(const PeriodicCell& cell) { return !cell.stages.empty() || cell.velocity_gradient != Matrix3{}; }

bool is_wide_enough(const Case& input, const PeriodicCell& cell, double reach, std::vector<InputProblem>& problems) {
  const geometry::CellFrame frame(cell);
  const double needed = least_cell_width * reach;
  const std::size_t before = problems.size();
  for (std::size_t k = 0; k < 3; ++k) {
    const double width = frame.width(k);
    if (!cell.periodic[k] || width > needed) continue;
    const std::string names = input.domain.periodic && input.domain.periodic->edges ? "abc" : "xyz";
    problems.push_back({input.start ? "start" : "domain.periodic",
                        "the cell is too narrow along " + names.substr(k, 1) + ": its width is " +
                            short_number_text(width) + " m, but must be more than " + short_number_text(needed) +
                            " m, " + short_number_text(least_cell_width) +
                            " times the reach of the largest particle, so that no two particles touch twice"});
  }
  return problems.size() == before;
}

/// Goals of stress that depend on each other by "plus" must have a solution, and the control of each component must
/// lead to it. For this, the matrix of the equations stress - plus * stress = goal must have a positive determinant.
void check_goals(const PeriodicCell& cell, std::vector<InputProblem>& problems) {
  constexpr double least = 1e-3;  // below it, stresses may be a thousand times as large as the given goals
  for (std::size_t s = 0; s < cell.stages.size(); ++s) {
    if (comes_again(cell.stages[s])) continue;
    Eigen::Matrix<double, n_cell_components, n_cell_components> matrix;
    matrix.setIdentity();
    std::string names;
    for (std::size_t k = 0; k < n_cell_components; ++k) {
      const CellGoal& goal = cell.stages[s].goals[k];
      if (goal.kind != CellGoal::Kind::stress || goal.plus == CellTensor{}) continue;
      names += (names.empty() ? "\"" : ", \"") + std::string(cell_component_names[k]) + "\"";
      for (std::size_t j = 0; j < n_cell_components; ++j) {
        if (cell.stages[s].goals[j].kind != CellGoal::Kind::stress) continue;
        matrix(static_cast<int>(k), static_cast<int>(j)) -= goal.plus[j];
      }
    }
    if (matrix.determinant() > least) continue;
    problems.push_back(
        {cell.stages[s].path, "the \"plus\" of " + names + " make these stresses depend on one another without end"});
  }
}

void check_cell(const Case& input, const Scene& scene, std::vector<InputProblem>& problems) {
  if (!scene.cell) return;
  const PeriodicCell& cell = *scene.cell;
  (void)is_wide_enough(input, cell, largest_reach(scene), problems);
  check_goals(cell, problems);
  if (!deforms(cell)) return;
  for (const SceneGroup& group : scene.groups) {
    if (!group.rotation) continue;
    problems.push_back({"groups." + group.name + ".rotation", "is not possible in a cell that deforms"});
  }
  for (std::size_t k = 0; k < scene.stages.size(); ++k) {
    for (const SceneStagedGroup& staged : scene.stages[k].groups) {
      const GroupChange& change = staged.change;
      if (!change.velocity && !change.angular_velocity && !change.rotation) continue;
      const std::string key = change.rotation ? "rotation" : change.velocity ? "velocity" : "angular_velocity";
      problems.push_back({"stages." + std::to_string(k) + ".groups." + scene.groups[staged.group].name + "." + key,
                          "is not possible in a cell that deforms, where velocities count from its flow"});
    }
  }
}

namespace {

/// Warns of a normal stress that should end a stage but is never reached: nothing holds a tension, and without contacts
/// the stress is 0 or just below.
void warn_of_endless_wait(const CellStage& stage, const std::string& path, std::vector<std::string>& warnings) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (!stage.stress[k] || *stage.stress[k] < 0) continue;
    warnings.push_back(path + ".until.stress." + std::string(cell_component_names[k]) + ": never comes, since " +
                       short_number_text(*stage.stress[k]) +
                       " Pa is no pressure, and particles without bonds and adhesion hold no tension; pressures are "
                       "negative, and a small one stands for none");
  }
}

/// Whether the contacts of some pair of materials hold a tension.
bool holds_tension(const Scene& scene) {
  return std::any_of(scene.pairs.begin(), scene.pairs.end(), [&](const MaterialPair& pair) {
    const LawNeeds& law = needs_of(pair.law.value_or(scene.law));
    return law.makes_bonds() || law.holds_apart || pair.surface_energy > 0 || pair.attraction() != Attraction::none;
  });
}

/// `component` is a key of the stage with its path.
std::string endless_reversal_text(const std::string& component, double stress, std::size_t k) {
  return component + ".reverse_at_stress: the whole stress is compared with " + short_number_text(-stress) + " and " +
         short_number_text(stress) + " Pa, but " + short_number_text(stress) +
         " Pa is a tension, which particles without bonds and adhesion cannot hold, so the second reversal never "
         "comes. With \"plus\" a deviator is compared, for example \"plus\": { \"" +
         std::string(cell_component_names[k == 0 ? 1 : 0]) + "\": -1 }";
}

}  // namespace

void look_at_goals_of_stress(const Scene& scene, std::vector<std::string>& warnings,
                             std::vector<InputProblem>& problems) {
  if (!scene.cell) return;
  const bool is_held_together = holds_tension(scene);
  for (std::size_t s = 0; s < scene.cell->stages.size(); ++s) {
    const CellStage& stage = scene.cell->stages[s];
    if (comes_again(stage)) continue;
    const std::string& path = stage.path;
    if (!is_held_together) warn_of_endless_wait(stage, path, warnings);
    double largest = 0;  // goal of stress, by its magnitude
    bool follows_others = false;
    for (std::size_t k = 0; k < n_cell_components; ++k) {
      const CellGoal& goal = stage.goals[k];
      const std::string component = path + "." + std::string(cell_component_names[k]);
      if (k < 3 && goal.reverse_at_stress != 0 && goal.plus == CellTensor{} && !is_held_together) {
        warnings.push_back(endless_reversal_text(component, std::fabs(goal.reverse_at_stress), k));
      }
      if (goal.kind != CellGoal::Kind::stress) continue;
      if (goal.plus != CellTensor{}) {
        follows_others = true;
        continue;
      }
      double most = 0;
      for (const auto& row : goal.table) {
        largest = std::max(largest, std::fabs(row[1]));
        most = std::max(most, row[1]);
      }
      if (k >= 3 || !(most > 0) || is_held_together) continue;
      warnings.push_back(component + ".stress: " + short_number_text(most) +
                         " Pa is a tension, which particles without bonds and adhesion cannot hold; pressures are "
                         "negative");
    }
    if (stage.stress_error > 0 && largest == 0 && !follows_others) {
      problems.push_back({path + ".until.stress_error",
                          "is a fraction of the largest goal of stress, and all goals of this stage are 0; give "
                          "another condition"});
    }
  }
}

void warn_of_endless_fall(const Scene& scene, std::vector<std::string>& warnings) {
  if (!scene.cell || !geometry::repeats_everywhere(scene.cell->periodic)) return;
  const bool is_braked = scene.integration.viscous_damping > 0 || scene.fluid;
  if (scene.gravity == Real3{} || is_braked || !scene.boundaries.empty()) return;
  for (const SceneGroup& group : scene.groups) {
    if (group.fixed != 0 || group.rotation) return;
  }
  warnings.push_back(
      "gravity: nothing carries the particles in a cell that repeats on all sides, they fall faster and faster; "
      "without it: \"gravity\": [0, 0, 0]");
}

}  // namespace scree
