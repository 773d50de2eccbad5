#include "host/scene/build_scene/grains.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "host/grains/grain_file.hpp"
#include "host/grains/grain_source.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "host/text/printable.hpp"
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

/// Reads a template, and repeats the warnings that were given when it was made, since they concern this run as well.
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

/// A sentence that says why the law of two materials cannot act at nodes; empty if it can.
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
    if (radius >= 0.99 * with_room) { continue; }  // it has room already: keep all bits of its radius
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

/// Refuses groups that fix a rotation of grains whose modes couple to the rotation.
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
