#include "host/grains/grain_source.hpp"

#include <cmath>
#include <cstring>
#include <map>

#include "host/geometry/mesh_io.hpp"
#include "host/grains/formula_source.hpp"
#include "host/grains/mesh_solid.hpp"
#include "host/grains/voxel_image.hpp"
#include "host/text/text.hpp"
#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

std::string choice_text(const GrainChoice& choice) {
  return "spacing " + number_text(choice.spacing) + ", nodes " + number_text(choice.node_spacing);
}

/// Names of a source: in messages, of the shape of its template, and in the report of the template.
struct SourceNames {
  std::string in_messages, shape, text;
};

/// Makes one template or reads it from the cache. Names are not stored, because another source may have the same
/// content. So warnings, which begin with the name of their source, are stored without it.
MadeGrain made(const std::optional<std::filesystem::path>& cache, const std::string& key, const SourceNames& names,
               const std::function<GrainTemplate(std::vector<std::string>&)>& make) {
  const std::string prefix = names.in_messages + ": ";
  CachedGrain found = cached_grain(cache, key, [&] {
    std::vector<std::string> warnings;
    GrainTemplate fresh = make(warnings);
    for (std::string& warning : warnings) {
      if (warning.starts_with(prefix)) warning.erase(0, prefix.size());
    }
    fresh.report.warnings = std::move(warnings);
    return fresh;
  });
  found.grain.shape.name = names.shape;
  found.grain.report.source = names.text;
  for (std::string& warning : found.grain.report.warnings) warning.insert(0, prefix);
  return {std::move(found.grain), std::nullopt, found.was_kept};
}

MadeGrain from_formula(const GrainSource& source, const GrainChoice& choice,
                       const std::optional<std::filesystem::path>& cache) {
  check_lengths(source);
  if (source.label) throw CaseError("--label", "does not apply to " + source.name);
  const std::string text = formula_text(source);
  return made(cache, cache_key(text + " " + choice_text(choice), nullptr, 0), {source.name, source.name, text},
              [&](std::vector<std::string>&) { return make_grain(*formula_solid(source), choice, source.name); });
}

MadeGrain from_mesh(const GrainSource& source, const GrainChoice& choice,
                    const std::optional<std::filesystem::path>& cache) {
  check_lengths(source);
  if (source.label) throw CaseError("--label", "does not apply to a mesh");
  std::vector<std::string> warnings;
  TriangleMesh mesh = geometry::read_mesh(source.name, {.scale = source.scale}, warnings);
  std::string bytes(mesh.vertices.size() * sizeof(Real3) + mesh.triangles.size() * sizeof mesh.triangles[0], '\0');
  std::memcpy(bytes.data(), mesh.vertices.data(), mesh.vertices.size() * sizeof(Real3));
  std::memcpy(bytes.data() + mesh.vertices.size() * sizeof(Real3), mesh.triangles.data(),
              mesh.triangles.size() * sizeof mesh.triangles[0]);
  const std::filesystem::path file = source.name;
  const std::string text = "mesh " + file.filename().string() + ", " + count_text(mesh.triangles.size()) + " triangles";
  const auto key =
      cache_key("mesh " + std::to_string(mesh.vertices.size()) + " " + choice_text(choice), bytes.data(), bytes.size());
  MadeGrain grain = made(cache, key, {source.name, file.stem().string(), text}, [&](std::vector<std::string>& own) {
    return make_grain(*make_mesh_solid(std::move(mesh), source.name, own), choice, source.name);
  });
  auto& all = grain.grain.report.warnings;
  all.insert(all.begin(), warnings.begin(), warnings.end());
  return grain;
}

MadeGrain from_label(const GrainSource& source, const VoxelImage& image, const LabelExtent& extent, std::uint32_t label,
                     const GrainChoice& choice, const std::optional<std::filesystem::path>& cache,
                     const std::string& image_key) {
  const std::filesystem::path file = source.name;
  const std::string name = "label " + std::to_string(label) + " of " + file.filename().string();
  const auto key =
      cache_key(name.substr(0, name.find(" of")) + " scale " + number_text(source.scale) + " " + choice_text(choice),
                image_key.data(), image_key.size());
  const SourceNames names{name, file.stem().string() + "_" + std::to_string(label),
                          name + ", " + count_text(extent.count) + " voxels"};
  MadeGrain grain = made(cache, key, names, [&](std::vector<std::string>& own) {
    return make_grain(*make_voxel_solid(image, extent, label, source.scale, name, own), choice, name);
  });
  grain.label = label;
  return grain;
}

/// The only label of an image with enough voxels for a grain. Labels with fewer voxels are debris of a segmentation.
std::uint32_t only_label(const std::map<std::uint32_t, LabelExtent>& labels,
                         const std::function<void(const std::string&)>& left_out) {
  if (labels.size() == 1) return labels.begin()->first;
  std::vector<std::uint32_t> large;
  for (const auto& [label, extent] : labels) {
    if (extent.count >= fewest_voxels) large.push_back(label);
  }
  if (large.size() != 1) {
    throw CaseError("--label", "is missing: the image has " + counted(labels.size(), "label", "labels") + " from " +
                                   std::to_string(labels.begin()->first) + " to " +
                                   std::to_string(labels.rbegin()->first) + ", " + count_text(large.size()) +
                                   " of them with " + std::to_string(fewest_voxels) + " voxels or more");
  }
  left_out(counted(labels.size() - 1, "label", "labels") + " with fewer than " + std::to_string(fewest_voxels) +
           " voxels; the grain is label " + std::to_string(large.front()));
  return large.front();
}

void from_image(const GrainSource& source, const GrainChoice& choice, const std::optional<std::filesystem::path>& cache,
                const std::function<void(MadeGrain)>& take, const std::function<void(const std::string&)>& left_out) {
  check_lengths(source);
  const VoxelImage image = read_voxel_image(source.name);
  const auto labels = labels_of(image);
  if (labels.empty()) throw CaseError(source.name, "holds no label: all its voxels are 0");
  std::string layout;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    layout += std::to_string(image.size[axis]) + " " + number_text(image.spacing[axis]) + " ";
  }
  const std::string key = cache_key("image " + layout, image.label.data(), image.label.size() * sizeof image.label[0]);
  if (source.label) {
    const auto found = labels.find(*source.label);
    if (found == labels.end()) {
      throw CaseError("--label", "there is no label " + std::to_string(*source.label) + " in " + source.name +
                                     "; its labels go from " + std::to_string(labels.begin()->first) + " to " +
                                     std::to_string(labels.rbegin()->first));
    }
    return take(from_label(source, image, found->second, found->first, choice, cache, key));
  }
  if (source.is_one) {
    const std::uint32_t label = only_label(labels, left_out);
    return take(from_label(source, image, labels.at(label), label, choice, cache, key));
  }
  std::size_t taken = 0;
  for (const auto& [label, extent] : labels) {
    try {
      take(from_label(source, image, extent, label, choice, cache, key));
      ++taken;
    } catch (const CaseError& error) {
      if (labels.size() == 1) throw;
      left_out(error.what());
    }
  }
  if (taken == 0) throw CaseError(source.name, "gives no template: none of its labels makes a grain");
}

}  // namespace

void make_grains(const GrainSource& source, const GrainChoice& choice,
                 const std::optional<std::filesystem::path>& cache, const std::function<void(MadeGrain)>& take,
                 const std::function<void(const std::string&)>& left_out) {
  if (!(choice.spacing > 0) || !std::isfinite(choice.spacing)) {
    throw CaseError("--spacing", "must be > 0, got " + number_text(choice.spacing));
  }
  if (is_formula(source.name)) return take(from_formula(source, choice, cache));
  const std::string kind = geometry::lower_case(std::filesystem::path(source.name).extension().string());
  if (geometry::is_mesh_file(source.name)) return take(from_mesh(source, choice, cache));
  if (kind == ".nrrd" || kind == ".nhdr" || kind == ".json") return from_image(source, choice, cache, take, left_out);
  throw CaseError(
      source.name,
      "is neither a mesh (.stl, .obj, .ply, .vtk, .vtp) nor an image (.nrrd, .nhdr, .json) nor a formula; " +
          suggestion(source.name, formula_names()));
}

}  // namespace scree::grains
