#include "host/checkpoint/files_hash.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>

#include "host/case/case_files.hpp"
#include "host/case/probe_region.hpp"
#include "host/geometry/mesh_io.hpp"
#include "host/storage/checksum.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

void add_tables(Checksum& sum, const std::vector<Motion>& motions) {
  for (const Motion& motion : motions) {
    const auto* const table = std::get_if<TableMotion>(&motion.kind);
    if (table == nullptr) { continue; }
    sum.add(table->position.value_or(TimeTable{}));
    sum.add(table->velocity.value_or(TimeTable{}));
  }
}

/// Whether the shape comes from a file. Other shapes depend only on the case.
bool is_of_file(const Shape& shape) {
  return std::visit([](const auto& kind) { return kind.file.has_value(); }, shape.kind);
}

void add_shape(Checksum& sum, const ClumpShape& shape, const Scene& scene) {
  if (shape.grain) {
    sum.add(scene.grain_shapes.at(*shape.grain).hash);
    return;
  }
  sum.add(shape.position);
  sum.add(shape.radius);
  sum.add(shape.to_template.data(), sizeof shape.to_template);
}

std::string modes_hash(const GrainModes& modes) {
  if (modes.count == 0) { return "-"; }
  // Displacements from formulas are unlikely to lie half-way between two multiples of this odd unit. There, differences
  // between compilers could change the hash.
  constexpr double unit = 1.0007e-3, shift = 0.137;
  std::vector<std::int64_t> rounded{static_cast<std::int64_t>(modes.count)};
  rounded.reserve(1 + 3 * modes.at_node.size());
  for (const Real3& displacement : modes.at_node) {
    for (const double u : displacement) { rounded.push_back(std::llround(u / unit + shift)); }
  }
  Checksum sum;
  sum.add(rounded);
  return sum.text();
}

/// The mesh of a region that has a file, at the place that the keys of the region give.
std::optional<TriangleMesh> mesh_of(const Region& region, const std::filesystem::path& folder) {
  std::vector<std::string> ignored;
  const auto read = [&](const std::string& file, const auto& placed) {
    return geometry::read_mesh(folder / file, {placed.scale, placed.rotate, placed.translate}, ignored);
  };
  if (const auto* const mesh = std::get_if<MeshRegion>(&region)) { return read(mesh->file, *mesh); }
  if (const auto* const above = std::get_if<AboveRegion>(&region)) { return read(above->file, *above); }
  const auto* const face = std::get_if<FaceRegion>(&region);
  if (face != nullptr && face->file) { return read(*face->file, *face); }
  return std::nullopt;
}

}  // namespace

std::string files_hash(const Case& input, const Scene& scene) {
  Checksum sum;
  for (const SceneBoundary& boundary : scene.boundaries) {
    add_tables(sum, boundary.motion);
    add_tables(sum, boundary.surface_motion);
  }
  for (const SceneStage& stage : scene.stages) {
    for (const SceneStagedBoundary& boundary : stage.boundaries) {
      add_tables(sum, boundary.motion.value_or(std::vector<Motion>{}));
      add_tables(sum, boundary.surface_motion.value_or(std::vector<Motion>{}));
    }
  }
  for (const auto& [name, shape] : input.shapes) {
    if (!is_of_file(shape)) { continue; }
    const auto made = std::find_if(scene.clump_shapes.begin(), scene.clump_shapes.end(),
                                   [&, &name = name](const ClumpShape& one) { return one.name == name; });
    if (made != scene.clump_shapes.end()) { add_shape(sum, *made, scene); }
  }
  const auto add_region = [&](const Region& region) {
    const auto mesh = mesh_of(region, input.folder);
    if (!mesh) { return; }
    sum.add(mesh->vertices);
    sum.add(mesh->triangles);
  };
  for (const ParticleGroup& entry : input.particles) {
    if (entry.inlet) { add_region(entry.inlet->region); }
  }
  for (const RunStage& stage : input.stages) {
    for (const auto& [name, staged] : stage.groups) {
      if (staged.join && staged.join->region) { add_region(*staged.join->region); }
    }
    if (!stage.until) { continue; }
    const auto add_measure = [&](const auto& conditions) {
      if (!conditions.measure || !conditions.measure->probe) { return; }
      const Region* const region = region_of(*conditions.measure->probe);
      if (region != nullptr) { add_region(*region); }
    };
    add_measure(*stage.until);
    for (const StageCondition& condition : stage.until->all_of) { add_measure(condition); }
  }
  if (scene.fluid && scene.fluid->grid) {
    const FlowGrid& grid = *scene.fluid->grid;
    sum.add(std::vector<std::uint32_t>(grid.points.begin(), grid.points.end()));
    sum.add(std::vector<Real3>{grid.first, grid.spacing});
    sum.add(grid.velocity);
  }
  return sum.text();
}

std::string modes_hashes(const Scene& scene) {
  if (!scene.any_deforms()) { return {}; }
  constexpr std::size_t longest = 60'000;  // [bytes] limit of an attribute of a checkpoint
  std::string all;
  for (const ClumpShape& shape : scene.clump_shapes) {
    if (!all.empty()) { all += ','; }
    all += shape.grain ? modes_hash(scene.grain_shapes.at(*shape.grain).modes) : "-";
  }
  return all.size() <= longest ? all : std::string{};
}

std::optional<std::string> changed_files(const Checkpoint& checkpoint, const std::string& file, const Case& input,
                                         const Scene& scene) {
  if (checkpoint.scene_hash != scene_hash(scene)) {
    return "the particles of the start or the meshes are not those of " + file +
           ": a file that the case names has changed";
  }
  if (checkpoint.files_hash.empty() || checkpoint.files_hash == files_hash(input, scene)) { return std::nullopt; }
  const std::vector<std::string> files = hashed_files(input);
  return (files.size() == 1 ? "the file of " : "one of the files of ") + quoted_list(files) +
         " has changed: its content is not that of " + file;
}

std::vector<std::string> hashed_files(const Case& input) {
  std::vector<std::string> paths;
  for (const CaseFile& file : files_of(input)) {
    const std::vector<std::string>& keys = file.keys;
    const bool table = keys.back() == "position_file" || keys.back() == "velocity_file";  // also the grid of a fluid
    const bool inlet = keys.front() == "particles" && keys.size() > 2 && keys[2] == "inlet";
    const bool region = keys.front() == "stages" &&
                        ((keys.size() > 4 && keys[4] == "join") || std::count(keys.begin(), keys.end(), "measure") > 0);
    if (table || inlet || region || keys.front() == "shapes") { paths.push_back(file.path()); }
  }
  return paths;
}

}  // namespace scree
