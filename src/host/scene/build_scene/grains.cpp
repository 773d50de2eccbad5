#include "host/scene/build_scene/grains.hpp"

#include <algorithm>
#include <set>

#include "host/grains/grain_file.hpp"
#include "host/grains/grain_source.hpp"
#include "host/text/text.hpp"
#include "scree/meeting_materials.hpp"

namespace scree {
namespace {

constexpr double default_node_spacing = 0.9;

bool is_template(const LevelSetTemplate& source) {
  return source.file && (source.file->ends_with(".h5") || source.file->ends_with(".hdf5"));
}

grains::GrainSource source_of(const LevelSetTemplate& source, const std::filesystem::path& folder) {
  grains::GrainSource result;
  result.scale = source.scale;
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

GrainShape read_template(const LevelSetTemplate& source, const std::filesystem::path& folder) {
  for (const auto& [given, key] :
       {std::pair{source.grid_spacing.has_value(), "grid_spacing"},
        std::pair{source.node_spacing.has_value(), "node_spacing"}, std::pair{source.label.has_value(), "label"},
        std::pair{source.scale != 1, "scale"}}) {
    if (given) { throw CaseError(key, "is not for a template, which has its grid and its nodes already"); }
  }
  try {
    return grains::read_grain(folder / *source.file).shape;
  } catch (const StateError& error) { throw CaseError("file", error.what()); }
}

/// Why the law of two materials cannot act at nodes; empty if it can.
std::string fault_of_law(const Scene& scene, std::size_t a, std::size_t b) {
  const LawNeeds& law = needs_of(scene.law_of(a, b));
  const std::string pair = scene.material_names[a] + " and " + scene.material_names[b];
  if (law.load_history || law.holds_apart || law.makes_bonds()) {
    return "the law " + std::string(law.name) + " of " + pair +
           " cannot act at the nodes of level-set grains; hertz_mindlin, mindlin_reversal, cundall_strack and "
           "linear_spring_dashpot can";
  }
  if (!scene.pair(a, b).rolling.acts()) { return ""; }
  return "rolling resistance of " + pair + " is not for level-set grains: their shape resists rolling";
}

}  // namespace

GrainShape make_grain_shape(const LevelSetTemplate& source, const std::string& name,
                            const std::filesystem::path& folder, std::vector<std::string>& warnings) {
  GrainShape shape;
  if (is_template(source)) {
    shape = read_template(source, folder);
  } else {
    if (!source.grid_spacing) { throw CaseError("grid_spacing", "is missing: the distance of the points of the grid"); }
    std::vector<std::string> labels, left_out;
    const auto take = [&](const grains::MadeGrain& made) {
      if (made.label) { labels.push_back(std::to_string(*made.label)); }
      for (const auto& warning : made.grain.report.warnings) {
        warnings.push_back(std::string("shapes.").append(name).append(": ").append(warning));
      }
      shape = made.grain.shape;
    };
    const grains::GrainSource from = source_of(source, folder);
    try {
      grains::make_grains(from, {*source.grid_spacing, source.node_spacing.value_or(default_node_spacing)},
                          grains::cache_folder(), take, [&](const std::string& why) { left_out.push_back(why); });
    } catch (const CaseError& error) {  // its paths are those of the command line
      throw CaseError(source.file ? "file" : from.name, error.problems().front().message);
    }
    if (labels.size() > 1) {
      throw CaseError("label", "is missing: the image has the grains " + labels.front() + " to " + labels.back());
    }
  }
  shape.name = name;
  return shape;
}

ClumpShape shape_of(const GrainShape& grain, std::uint32_t index) {
  ClumpShape shape;
  shape.name = grain.name;
  shape.position = {Real3{}};
  // A grid ends two layers of points outside of the grain, and nodes lie on the surface to a part of the spacing.
  shape.radius = {grain.bounding_radius};
  shape.volume = grain.volume;
  shape.inertia = grain.inertia;
  shape.bounding_radius = grain.bounding_radius;
  shape.to_template = grain.to_source;
  shape.grain = index;
  return shape;
}

void separate_grains(Scene& scene, std::vector<InputProblem>& problems) {
  if (scene.grain_shapes.empty()) {
    if (scene.keeps_node_forces) {
      problems.push_back({"output.frames.grain_nodes", "is for level-set grains; this case has none"});
    }
    return;
  }
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
