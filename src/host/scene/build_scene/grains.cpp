#include "host/scene/build_scene/grains.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "host/case/particle_kinds.hpp"
#include "host/grains/grain_file.hpp"
#include "host/grains/grain_source.hpp"
#include "host/grains/modes.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "host/text/printable.hpp"
#include "host/text/text.hpp"
#include "scree/meeting_materials.hpp"

namespace scree {
namespace {

constexpr double default_node_spacing = 0.9;

grains::GrainSource source_of(const LevelSetTemplate& source, const std::filesystem::path& folder) {
  grains::GrainSource result;
  result.scale = source.scale;
  result.is_one = true;
  if (source.label) { result.label = static_cast<std::uint32_t>(*source.label); }
  if (source.file) { result.name = (folder / *source.file).string(); }
  if (source.sphere) { result.name = "sphere", result.radius = source.sphere->radius; }
  if (source.box) { result.name = "box", result.half_edges = source.box->half_edges; }
  if (source.capsule) {
    result.name = "capsule", result.radius = source.capsule->radius, result.half_length = source.capsule->half_length;
  }
  if (source.cylinder) {
    result.name = "cylinder", result.radius = source.cylinder->radius;
    result.half_height = source.cylinder->half_height;
  }
  if (source.torus) {
    result.name = "torus", result.major_radius = source.torus->major_radius;
    result.minor_radius = source.torus->minor_radius;
  }
  if (source.superellipsoid) {
    result.name = "superellipsoid", result.half_axes = source.superellipsoid->half_axes;
    result.exponents = source.superellipsoid->exponents;
  }
  return result;
}

/// Warnings of the time when the template was made tell of the grain, too.
GrainShape read_template(const LevelSetTemplate& source, const std::string& name, const std::filesystem::path& folder,
                         std::vector<std::string>& warnings) {
  for (const auto& [given, key] :
       {std::pair{source.grid_spacing.has_value(), "grid_spacing"},
        std::pair{source.node_spacing.has_value(), "node_spacing"}, std::pair{source.label.has_value(), "label"},
        std::pair{source.scale != 1, "scale"}}) {
    if (given) { throw CaseError(key, "is not for a template, which has its grid and its nodes already"); }
  }
  try {
    grains::GrainTemplate grain = grains::read_grain(folder / *source.file);
    for (const std::string& warning : grain.report.warnings) {
      warnings.push_back("shapes." + name + ": " + *source.file + " was made with this warning: " + printable(warning));
    }
    return std::move(grain.shape);
  } catch (const StateError& error) { throw CaseError("file", error.what()); }
}

/// Names of the laws that can act at nodes: "hertz_mindlin, cundall_strack and bonded".
std::string names_of_node_laws() {
  std::vector<std::string> names;
  for (const LawNeeds& law : laws::all) {
    if (!law.load_history && !law.holds_apart && !law.plastic) { names.emplace_back(law.name); }
  }
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
  }
  return text;
}

/// Why the law of two materials cannot act at nodes; empty if it can.
std::string fault_of_law(const Scene& scene, std::size_t a, std::size_t b) {
  const LawNeeds& law = needs_of(scene.law_of(a, b));
  const std::string pair = scene.material_names[a] + " and " + scene.material_names[b];
  if (law.load_history || law.holds_apart) {
    return "the law " + std::string(law.name) + " of " + pair + " cannot act at the nodes of level-set grains; " +
           names_of_node_laws() + " can";
  }
  if (law.plastic) {
    return "the law " + std::string(law.name) + " of " + pair + " is for spheres, not for level-set grains";
  }
  if (const Attraction attraction = scene.pair(a, b).attraction(); attraction != Attraction::none) {
    return std::string(attraction == Attraction::cohesion ? "cohesion" : "liquid") + " of " + pair +
           " is for spheres, not for level-set grains";
  }
  if (!scene.pair(a, b).rolling.acts()) { return ""; }
  return "rolling resistance of " + pair + " is not for level-set grains: their shape resists rolling";
}

}  // namespace

GrainShape make_grain_shape(const LevelSetTemplate& source, const std::string& name,
                            const std::filesystem::path& folder, std::vector<std::string>& warnings) {
  GrainShape shape;
  if (source.is_template()) {
    shape = read_template(source, name, folder, warnings);
  } else {
    if (!source.file && source.scale != 1) {
      throw CaseError("scale", "is for a file; the lengths of a form are in metres");
    }
    if (!source.file && source.label) { throw CaseError("label", "is for an image, of which it names a grain"); }
    if (!source.grid_spacing) { throw CaseError("grid_spacing", "is missing: the distance of the points of the grid"); }
    const auto take = [&](const grains::MadeGrain& made) {
      for (const auto& warning : made.grain.report.warnings) {
        warnings.push_back(std::string("shapes.").append(name).append(": ").append(warning));
      }
      shape = made.grain.shape;
    };
    const auto left_out = [&](const std::string& what) {
      warnings.push_back(std::string("shapes.").append(name).append(": left out of the image: ").append(what));
    };
    const grains::GrainSource from = source_of(source, folder);
    try {
      grains::make_grains(from, {*source.grid_spacing, source.node_spacing.value_or(default_node_spacing)},
                          grains::cache_folder(), take, left_out);
    } catch (const CaseError& error) {  // its paths are those of the command line
      const InputProblem& problem = error.problems().front();
      const bool is_label = problem.path == "--label";
      throw CaseError(is_label ? "label" : (source.file ? "file" : from.name), problem.message);
    }
  }
  shape.name = name;
  return shape;
}

namespace {

/// Poisson's ratio of the particles of a shape; none if there are no particles. Throws CaseError if they differ.
std::optional<double> poisson_ratio_of(const Case& input, const std::string& shape) {
  std::optional<double> ratio;
  const auto note = [&](const ParticleKind& kind) {
    if (kind.shape != shape) { return; }
    for (const auto& [name, material] : input.materials) {
      if (name != kind.material) { continue; }
      if (ratio && *ratio != material.poisson_ratio) {
        throw CaseError("deformation", "needs materials with one Poisson's ratio, this shape has particles of several");
      }
      ratio = material.poisson_ratio;
    }
  };
  for (const auto& entry : input.particles) {
    for (const ParticleKind& kind : kinds_of(input, entry)) { note(kind); }
  }
  return ratio;
}

void keep_first_modes(GrainModes& modes, std::size_t count, std::size_t points, std::size_t nodes) {
  const std::size_t before = modes.count;
  const auto first = [&](const std::vector<double>& matrix) {
    std::vector<double> kept;
    kept.reserve(count * count);
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) { kept.push_back(matrix[a * before + b]); }
    }
    return kept;
  };
  modes.mass = first(modes.mass);
  modes.stiffness = first(modes.stiffness);
  modes.count = count;
  modes.field.resize(count * points);
  modes.at_node.resize(count * nodes);
  modes.largest.resize(count);
  std::erase_if(modes.terms, [count](const ModeTerm& term) {
    return std::any_of(term.mode.begin(), term.mode.end(), [count](std::uint32_t a) { return a >= count; });
  });
  if (count != 1) { modes.table.clear(); }
}

/// Warns of a number of modes that takes only a part of a group of equal frequencies. Any combination of such modes is
/// a mode, too. So with a part of them the grain is softer along directions that its discretisation has chosen, though
/// its shape makes all directions of the group alike.
void warn_of_split_group(const GrainModes& modes, std::size_t count, const std::string& name,
                         std::vector<std::string>& warnings) {
  constexpr double same_square = 1.04;            // of frequencies that differ by 2 %, as whole_groups() has it
  const auto is_one_group = [&](std::size_t a) {  // with the mode before
    const auto square = [&](std::size_t m) {
      return modes.stiffness[m * modes.count + m] / modes.mass[m * modes.count + m];
    };
    const double before = square(a - 1), after = square(a);
    return before > 0 && after > 0 && std::max(before, after) < same_square * std::min(before, after);
  };
  if (count == 0 || count >= modes.count || !is_one_group(count)) { return; }
  std::size_t begin = count - 1, end = count + 1;
  while (begin > 0 && is_one_group(begin)) { --begin; }
  while (end < modes.count && is_one_group(end)) { ++end; }
  warnings.push_back(
      "shapes." + name + ".deformation.count: the first " + std::to_string(count) +
      " modes have only some of the modes " + std::to_string(begin) + " to " + std::to_string(end - 1) +
      " (counted from 0), which have equal frequencies: the grain is stiffer along some of the directions "
      "that are alike by its symmetry; take " +
      (begin > 0 ? std::to_string(begin) + " or " : std::string()) + std::to_string(end));
}

/// Sets masses, stiffnesses and the table that the case gives as absolute values for each grain.
void set_absolute(GrainModes& modes, const Deformation& given) {
  const std::size_t n = modes.count;
  const auto expect_one_for_each = [n](const char* key, std::size_t have) {
    if (have != n) {
      throw CaseError(std::string("deformation.") + key,
                      "must have a value for each of the " + std::to_string(n) + " modes, has " + std::to_string(have));
    }
  };
  expect_one_for_each("mass", given.mass.size());
  if (given.table.empty() || !given.stiffness.empty()) { expect_one_for_each("stiffness", given.stiffness.size()); }
  if (!given.table.empty() && n != 1) { throw CaseError("deformation.table", "is for a single mode"); }
  modes.absolute = true;
  modes.mass.assign(n * n, 0);
  modes.stiffness.assign(n * n, 0);
  modes.terms.clear();
  modes.table.clear();
  for (std::size_t a = 0; a < n; ++a) {
    modes.mass[a * n + a] = given.mass[a];
    if (!given.stiffness.empty()) { modes.stiffness[a * n + a] = given.stiffness[a]; }
  }
  double amplitude = 0, force = 0;
  for (const auto& [next, next_force] : given.table) {
    if (!(next > amplitude) || !(next_force >= force)) {
      throw CaseError("deformation.table", "must have amplitudes above 0 that ascend, and forces that do not descend");
    }
    modes.table.push_back({next, next_force});
    amplitude = next;
    force = next_force;
  }
  if (!modes.table.empty() && given.stiffness.empty()) { modes.stiffness[0] = force / amplitude; }
}

}  // namespace

void give_modes(GrainShape& shape, const LevelSetTemplate& source, const Case& input, std::vector<std::string>& notes,
                std::vector<std::string>& warnings) {
  const Deformation given = source.deformation.value_or(Deformation{});
  GrainModes& modes = shape.modes;
  const std::optional<double> poisson_ratio = poisson_ratio_of(input, shape.name);
  const bool is_absolute = !given.mass.empty() || !given.stiffness.empty() || !given.table.empty();
  if (!given.forms.empty()) {
    if (given.count) { throw CaseError("deformation.count", "is for the modes of a template, not for `forms`"); }
    try {
      const auto formulas = grains::closed_modes(shape, given.forms, given.beam_theory);
      if (formulas.size() > most_modes) {
        throw CaseError("forms", "make " + std::to_string(formulas.size()) + " modes, at most 32 are possible");
      }
      grains::set_modes(shape, formulas, poisson_ratio.value_or(0.25));
    } catch (const CaseError& error) {
      throw CaseError("deformation." + error.problems().front().path, error.problems().front().message);
    }
    grains::remove_rigid_motion(shape);
  } else if (source.deformation && modes.count == 0) {
    throw CaseError("deformation.forms", "is missing: the template has no modes of its own");
  } else if (given.count) {
    if (*given.count > modes.count) {
      throw CaseError("deformation.count",
                      "is more than the " + std::to_string(modes.count) + " modes of the template");
    }
    warn_of_split_group(modes, *given.count, shape.name, warnings);
    keep_first_modes(modes, *given.count, shape.points(), shape.node.size());
  }
  if (modes.count == 0) { return; }
  if (is_absolute) {
    set_absolute(modes, given);
  } else {
    try {
      static_cast<void>(grains::make_orthogonal(shape));
    } catch (const CaseError& error) {
      throw CaseError(source.deformation ? "deformation" : "file", error.problems().front().message);
    }
    if (poisson_ratio && std::fabs(*poisson_ratio - modes.poisson_ratio) > 0.005) {
      warnings.push_back("shapes." + shape.name + ": its modes were made for Poisson's ratio " +
                         short_number_text(modes.poisson_ratio, 3) + ", its particles have " +
                         short_number_text(*poisson_ratio, 3));
    }
  }
  if (given.deforming_inertia) {
    if (is_absolute) {
      throw CaseError("deformation.deforming_inertia",
                      "is for modes whose masses follow from the density: leave out `mass` and `stiffness`");
    }
    grains::add_inertia(shape);
  }
  modes.damping = {given.damping_ratio, given.damping_coefficient, given.damping_by_stiffness};
  notes.push_back("shape " + shape.name + ": deforms by " + counted(modes.count, "mode (", "modes (") + modes.source +
                  ")");
}

ClumpShape shape_of(const GrainShape& grain, std::uint32_t index) {
  const double radius = grain.modes.count > 0 ? room_for_bulges * grain.bounding_radius : grain.bounding_radius;
  ClumpShape shape;
  shape.name = grain.name;
  shape.position = {Real3{}};
  // A grid ends two layers of points outside of the grain, and nodes lie on the surface to a part of the spacing.
  shape.radius = {radius};
  shape.volume = grain.volume;
  shape.inertia = grain.inertia;
  shape.bounding_radius = radius;
  shape.to_template = grain.to_source;
  shape.grain = index;
  return shape;
}

void fit_deformation(Scene& scene, std::vector<std::string>& warnings, std::vector<InputProblem>& problems) {
  std::set<std::uint32_t> were_rigid;
  for (Clump& clump : scene.particles.clumps) {
    const ClumpShape& shape = scene.clump_shapes.at(clump.shape);
    const std::size_t n = shape.grain ? scene.grain_shapes.at(*shape.grain).modes.count : 0;
    for (std::size_t a = n; a < clump.amplitude.size(); ++a) {
      if (clump.amplitude[a] == 0 && clump.amplitude_rate.at(a) == 0) { continue; }
      problems.push_back({"start", "grains of the shape \"" + shape.name + "\" have more modes there than the " +
                                       std::to_string(n) + " that the shape has here"});
      return;
    }
    clump.amplitude.resize(n);
    clump.amplitude_rate.resize(n);
    if (n == 0) { continue; }
    double& radius = scene.particles.radius[clump.first];
    const double with_room = clump.size * shape.radius[0];
    if (radius >= 0.99 * with_room) { continue; }  // else keep all its bits
    radius = with_room;
    were_rigid.insert(clump.shape);
  }
  for (const std::uint32_t shape : were_rigid) {
    warnings.push_back(
        "start: grains of the shape \"" + scene.clump_shapes[shape].name +
        "\" were rigid and deform from now on: their contact forces act on undeformed grains at first, so "
        "they vibrate until damping has ended it");
  }
}

namespace {

/// Modes that couple to the rotation need it free.
void refuse_held_turns(const Scene& scene, std::vector<InputProblem>& problems) {
  const std::vector<bool> holds = groups_that_ever(
      scene, [](const SceneGroup& group) { return group.rotation || (group.fixed & fixed_rotation) != 0; });
  const auto couples = [&](std::uint32_t shape) {
    const auto& grain = scene.clump_shapes.at(shape).grain;
    return grain && scene.grain_shapes.at(*grain).modes.inertia;
  };
  std::set<std::uint32_t> said;
  const auto look = [&](std::uint32_t group, std::uint32_t shape) {
    if (group >= holds.size() || !holds[group] || !couples(shape) || !said.insert(group).second) { return; }
    problems.push_back({"groups." + scene.groups[group].name,
                        "fixes a rotation of grains of the shape \"" + scene.clump_shapes[shape].name +
                            "\", whose `deforming_inertia` needs free rotations"});
  };
  for (const Clump& clump : scene.particles.clumps) {
    if (!scene.particles.group.empty()) { look(scene.particles.group.at(clump.first), clump.shape); }
  }
  for (const SceneInlet& inlet : scene.inlets) {
    if (inlet.shape) { look(inlet.group, *inlet.shape); }
  }
}

}  // namespace

void warn_of_idle_grain_contacts(const Scene& scene, std::vector<std::string>& warnings) {
  const GrainContacts& keys = scene.grain_contacts;
  const bool about_all = keys.two_pass || !keys.by_area;
  const bool about_deformed =
      keys.remap_iterations || keys.field_levels || keys.field_update != GrainContacts{}.field_update;
  const bool deform = std::any_of(scene.grain_shapes.begin(), scene.grain_shapes.end(),
                                  [](const GrainShape& grain) { return grain.modes.count > 0; });
  if (scene.grain_shapes.empty() && (about_all || about_deformed)) {
    warnings.push_back("grain_contacts: has no effect, since this case has no shape of level-set grains");
  } else if (about_deformed && !deform) {
    warnings.push_back("grain_contacts: only two_pass and by_area have an effect, since no grain deforms");
  }
}

void separate_grains(Scene& scene, std::vector<InputProblem>& problems) {
  if (scene.grain_shapes.empty()) {
    if (scene.keeps_node_forces) {
      problems.push_back({"output.frames.grain_nodes", "is for level-set grains; this case has none"});
    }
    return;
  }
  refuse_held_turns(scene, problems);
  const std::size_t n = scene.materials.size();
  std::vector<MaterialPair> pairs(4 * n * n);
  for (std::size_t a = 0; a < 2 * n; ++a) {
    for (std::size_t b = 0; b < 2 * n; ++b) { pairs[a * 2 * n + b] = scene.pair(a % n, b % n); }
  }
  scene.pairs = std::move(pairs);
  scene.grain_materials.assign(2 * n, false);
  for (std::size_t m = 0; m < n; ++m) {
    scene.materials.push_back(Material(scene.materials[m]));
    scene.material_names.push_back(std::string(scene.material_names[m]));
    scene.grain_materials[n + m] = true;
  }
  for (const Clump& clump : scene.particles.clumps) {
    if (scene.clump_shapes.at(clump.shape).grain) {
      scene.particles.material[clump.first] += static_cast<std::uint32_t>(n);
    }
  }
  for (SceneInlet& inlet : scene.inlets) {
    if (inlet.shape && scene.clump_shapes.at(*inlet.shape).grain) { inlet.material += static_cast<std::uint32_t>(n); }
  }
  const MeetingMaterials meeting = meeting_materials(scene);
  std::set<std::string> said;
  for (std::size_t a = 0; a < 2 * n; ++a) {
    for (std::size_t b = std::max(a, n); b < 2 * n; ++b) {
      if (!meeting.can_touch(a, b)) { continue; }
      const std::string fault = fault_of_law(scene, a, b);
      if (!fault.empty() && said.insert(fault).second) { problems.push_back({"contacts", fault}); }
    }
  }
}

}  // namespace scree
