#include <algorithm>
#include <cmath>
#include <optional>

#include "host/case/films.hpp"
#include "host/case/names.hpp"
#include "host/packing/particle_file.hpp"
#include "host/scene/build_scene/placed_group.hpp"
#include "host/text/text.hpp"
#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// The place that a number in a file has among the `known` names. In a table of a frame, materials count from 0, and
/// groups, which may be left out, from 1. In a dump, materials count from 1. None if there is no such place, or if the
/// text is no whole number.
std::optional<std::uint32_t> numbered_place(const std::string& text, const std::vector<std::string>& known,
                                            bool may_be_empty, packing::ParticleSource source) {
  if (source == packing::ParticleSource::table) { return std::nullopt; }
  const auto number = geometry::parse_number(text);
  const double first = source == packing::ParticleSource::dump ? 1 : 0;
  const double end = first + static_cast<double>(known.size() + (may_be_empty ? 1 : 0));
  if (!number || !(*number >= first && *number < end) || *number != std::floor(*number)) { return std::nullopt; }
  return static_cast<std::uint32_t>(*number - first);
}

/// [n_lines] For each line the index in `known` of the name in a column. If a name may be left out, the indices begin
/// at 1, and 0 means no name. See numbered_place() for numbers.
std::vector<std::uint32_t> places_of(const packing::NameColumn& column, const char* what,
                                     const std::vector<std::string>& known, bool may_be_empty,
                                     packing::ParticleSource source) {
  std::vector<std::uint32_t> place;
  place.reserve(column.names.size());
  for (std::size_t n = 0; n < column.names.size(); ++n) {
    const std::string& name = column.names[n];
    const auto numbered = numbered_place(name, known, may_be_empty, source);
    if (numbered || (may_be_empty && name.empty())) {
      place.push_back(numbered.value_or(0));
      continue;
    }
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw CaseError("", "line " + std::to_string(column.line[n]) + ": no " + what + " is called \"" + name + "\"; " +
                              (known.empty() ? "the case defines none" : suggestion(name, known)));
    }
    place.push_back(static_cast<std::uint32_t>(found - known.begin()) + (may_be_empty ? 1 : 0));
  }
  std::vector<std::uint32_t> of_line;
  of_line.reserve(column.index.size());
  for (const auto n : column.index) { of_line.push_back(place[n]); }
  return of_line;
}

/// Takes the materials and groups that a file names. The types of a dump do not count if the entry names a material.
void take_names(const Case& input, packing::ParticleTable& table, PlacedGroup& group) {
  const ParticleGroup& source = input.particles[group.entry];
  if (table.source == packing::ParticleSource::dump && source.material && table.material) {
    table.material.reset();
    table.passed_over.emplace_back("type");
  }
  if (source.material.has_value() == table.material.has_value()) {
    throw CaseError("", table.material ? "has a column \"material\", so the entry must not name one"
                                       : "has no column \"material\"; add one, or name the material in the entry");
  }
  if (source.group && table.group) { throw CaseError("", "has a column \"group\", so the entry must not name one"); }
  if (table.material) {
    group.material_of = places_of(*table.material, "material", names_of(input.materials), false, table.source);
  }
  if (table.group) { group.group_of = places_of(*table.group, "group", names_of(input.groups), true, table.source); }
}

/// Takes the temperatures and films that a file gives.
void take_physics(const Case& input, packing::ParticleTable& table, PlacedGroup& group) {
  const ParticleGroup& source = input.particles[group.entry];
  const auto take = [](std::vector<double>& from, std::vector<double>& to, const std::string& column, bool in_entry,
                       const char* missing) {
    if (from.empty()) { return; }
    if (in_entry) { throw CaseError("", "has a column \"" + column + "\", so the entry must not give one"); }
    if (missing != nullptr) { throw CaseError("", "has a column \"" + column + "\", but " + missing); }
    to = std::move(from);
  };
  take(table.temperature, group.temperature, "temperature", source.temperature.has_value(),
       input.heat ? nullptr : "the case has no \"heat\"");
  take(table.film, group.film, "film", source.film.has_value(),
       uses_films(input) ? nullptr : "no rule of contacts has \"liquid\" with \"from_films\"");
}

}  // namespace

std::string read_file_particles(const Case& input, PlacedGroup& group) {
  const ParticleGroup& source = input.particles[group.entry];
  auto table = packing::read_particles(input.folder / *source.file, {source.scale, source.translate});
  if (table.source == packing::ParticleSource::frame && group.shape) {
    throw CaseError("",
                    "has the columns of a frame, which tell of spheres: take clumps and grains from a checkpoint by "
                    "\"start\"");
  }
  const auto refuse_both = [](bool column, const Real3& given, const char* columns, const char* key) {
    if (!column || given == Real3{}) { return; }
    throw CaseError("", std::string("has the columns ") + columns + ", so the entry must not give \"" + key + "\"");
  };
  refuse_both(!table.velocity.empty(), source.velocity, "vx, vy, vz", "velocity");
  refuse_both(!table.angular_velocity.empty(), source.angular_velocity, "wx, wy, wz", "angular_velocity");
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
  take_physics(input, table, group);
  const std::string passed = table.passed_over.empty() ? std::string()
                                                       : "passes over " + quoted_list(table.passed_over) +
                                                             ", which say nothing about the start of a sphere";
  return table.remark + (table.remark.empty() || passed.empty() ? "" : "; ") + passed;
}

}  // namespace scree
