#include <algorithm>

#include "host/packing/particle_file.hpp"
#include "host/scene/build_scene/placed_group.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// The materials and groups that a file names.
void take_names(const Case& input, const packing::ParticleTable& table, PlacedGroup& group) {
  const ParticleGroup& source = input.particles[group.entry];
  if (source.material.has_value() == table.material.has_value()) {
    throw CaseError("", table.material ? "has a column \"material\", so the entry must not name one"
                                       : "has no column \"material\"; add one, or name the material in the entry");
  }
  if (source.group && table.group) throw CaseError("", "has a column \"group\", so the entry must not name one");
  const auto look_up = [](const packing::NameColumn& column, const char* what, const std::vector<std::string>& known,
                          bool may_be_empty) {
    std::vector<std::uint32_t> index_of_name;
    for (std::size_t n = 0; n < column.names.size(); ++n) {
      const std::string& name = column.names[n];
      const auto found = std::find(known.begin(), known.end(), name);
      if (found == known.end() && !(may_be_empty && name.empty())) {
        throw CaseError("", "line " + std::to_string(column.line[n]) + ": no " + what + " is called \"" + name +
                                "\"; " + (known.empty() ? "the case defines none" : suggestion(name, known)));
      }
      index_of_name.push_back(static_cast<std::uint32_t>(found - known.begin()) + (may_be_empty ? 1 : 0));
      if (name.empty()) index_of_name.back() = 0;
    }
    std::vector<std::uint32_t> indices;
    indices.reserve(column.index.size());
    for (const auto n : column.index) indices.push_back(index_of_name[n]);
    return indices;
  };
  const auto names = [](const auto& named) {
    std::vector<std::string> all;
    for (const auto& [name, value] : named) all.push_back(name);
    return all;
  };
  if (table.material) group.material_of = look_up(*table.material, "material", names(input.materials), false);
  if (table.group) group.group_of = look_up(*table.group, "group", names(input.groups), true);
}

}  // namespace

void read_file_particles(const Case& input, PlacedGroup& group) {
  auto table = packing::read_particles(input.folder / *input.particles[group.entry].file);
  group.spheres = {std::move(table.position), std::move(table.radius)};
  group.velocity = std::move(table.velocity);
  group.angular_velocity = std::move(table.angular_velocity);
  group.orientation = std::move(table.orientation);
  group.line = std::move(table.line);
  if (!group.shape && !group.orientation.empty()) {
    throw CaseError("", "spheres have no orientation: leave out qw, qx, qy, qz");
  }
  for (double& radius : group.spheres.radius) { radius *= group.around; }  // equivalent radii of clumps
  take_names(input, table, group);
}

}  // namespace scree
