#include "host/packing/particle_columns.hpp"

#include <algorithm>

#include "host/text/csv.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

using ColumnNames = std::vector<std::string>;

const ColumnNames own_names = {"x",  "y",  "z",  "radius", "vx",       "vy",          "vz",   "wx",       "wy",   "wz",
                               "qw", "qx", "qy", "qz",     "diameter", "temperature", "film", "material", "group"};
/// The names of the same columns in a table of a frame; empty: it has no such column.
const ColumnNames frame_names = {"position_x",
                                 "position_y",
                                 "position_z",
                                 "radius",
                                 "velocity_x",
                                 "velocity_y",
                                 "velocity_z",
                                 "angular_velocity_x",
                                 "angular_velocity_y",
                                 "angular_velocity_z",
                                 "",
                                 "",
                                 "",
                                 "",
                                 "",
                                 "temperature",
                                 "film",
                                 "material",
                                 "group"};
/// The names of the same columns in a dump of LAMMPS or LIGGGHTS.
const ColumnNames dump_names = {"x", "y", "z", "radius", "vx",       "vy", "vz", "omegax", "omegay", "omegaz",
                                "",  "",  "",  "",       "diameter", "",   "",   "type",   ""};
constexpr std::size_t needed_columns = 3;

/// Fields of frames that say nothing about the start of a particle. Of a sphere this is also true for the orientation.
const ColumnNames passed_numbers = {"id", "coordination_number", "damage", "fragment", "clump", "dissipated_energy"};
const ColumnNames passed_vectors = {"force", "clump_velocity",     "fluctuation_velocity",
                                    "image", "unwrapped_position", "orientation"};

bool is_in(std::string_view name, const ColumnNames& list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool is_passed_over(std::string_view name) {
  if (is_in(name, passed_numbers)) { return true; }
  if (name.size() < 3 || name[name.size() - 2] != '_') { return false; }
  const std::string_view vector = name.substr(0, name.size() - 2);
  const std::string_view parts = vector == "orientation" ? "wxyz" : "xyz";
  return is_in(vector, passed_vectors) && parts.find(name.back()) != std::string_view::npos;
}

/// The column of a dump that a name stands for. A dump may have places as x and as unwrapped places xu, and the size as
/// radius and as diameter; then x and radius count.
std::optional<std::size_t> column_of_dump(std::string_view name, const std::vector<std::string_view>& names) {
  const auto has = [&](std::string_view other) { return std::find(names.begin(), names.end(), other) != names.end(); };
  const bool unwrapped = name == "xu" || name == "yu" || name == "zu";
  const std::string_view bare = unwrapped ? name.substr(0, 1) : name;
  if (name.empty() || (unwrapped && has(bare)) || (name == "diameter" && has("radius"))) { return std::nullopt; }
  return place_of_name(bare, dump_names);
}

}  // namespace

ParticleColumns::ParticleColumns(const std::vector<std::string_view>& header, std::size_t line,
                                 const std::string& file) {
  const std::string where = "line " + std::to_string(line) + ": ";
  bool has_index = false;  // a column without a name, as pandas writes the index of a table
  for (std::size_t c = 0; c < header.size(); ++c) {
    const std::string_view cell = header[c];
    auto column = place_of_name(cell, own_names);
    if (!column && !cell.empty()) {
      column = place_of_name(cell, frame_names);
      if (column || is_passed_over(cell)) { source_ = ParticleSource::frame; }
    }
    if (column) {
      add(*column, cell, where, file);
    } else if (cell.empty() ? !has_index : is_passed_over(cell)) {
      has_index = has_index || cell.empty();
      if (cell == "clump") { clump_cell_ = c; }
      pass_over(cell);
    } else {
      throw CaseError(file, where + csv::unknown_column(cell, own_names));
    }
  }
  if (has_index && source_ != ParticleSource::frame) {
    throw CaseError(file, where + "a column has no name; known are " + quoted_list(own_names));
  }
  expect_no_gap(where, file);
}

ParticleColumns ParticleColumns::of_dump(const std::vector<std::string_view>& names, std::size_t line,
                                         const std::string& file) {
  const std::string where = "line " + std::to_string(line) + ": ";
  ParticleColumns columns(ParticleSource::dump);
  for (const std::string_view name : names) {
    if (const auto column = column_of_dump(name, names)) {
      columns.add(*column, name, where, file);
    } else {
      columns.pass_over(name);
    }
  }
  const ColumnNames& passed = columns.passed_over_;
  if (!columns.has(0) && (is_in("xs", passed) || is_in("xsu", passed))) {
    throw CaseError(file, where + "places are fractions of the box; let the dump write x, y and z");
  }
  columns.expect_no_gap(where, file);
  return columns;
}

void ParticleColumns::add(std::size_t column, std::string_view cell, const std::string& where,
                          const std::string& file) {
  std::string& heading = headings_[column];
  if (heading == cell) { throw CaseError(file, where + "column \"" + heading + "\" occurs twice"); }
  if (!heading.empty()) {
    throw CaseError(
        file, where + "columns \"" + heading + "\" and \"" + std::string(cell) + "\" mean the same; give one of them");
  }
  heading = cell;
  of_cells_.push_back(column);
}

void ParticleColumns::pass_over(std::string_view cell) {
  if (!cell.empty()) { passed_over_.emplace_back(cell); }
  of_cells_.push_back(none);
}

/// If one column of a vector is given, all are needed.
void ParticleColumns::expect_no_gap(const std::string& where, const std::string& file) const {
  if (has(radius) && has(diameter)) {
    throw CaseError(file, where + "has both \"radius\" and \"diameter\"; give one of them");
  }
  const auto needed = [&](std::size_t column) {
    const auto part_of_given = [&](std::size_t first, std::size_t end) {
      bool any = false;
      for (std::size_t k = first; k < end; ++k) { any = any || has(k); }
      return any && column >= first && column < end;
    };
    return column < needed_columns || (column == radius && !has(diameter)) ||
           part_of_given(velocity, angular_velocity) || part_of_given(angular_velocity, orientation) ||
           part_of_given(orientation, diameter);
  };
  for (std::size_t column = 0; column < n_columns; ++column) {
    if (needed(column) && !has(column)) { throw CaseError(file, where + "column \"" + name(column) + "\" is missing"); }
  }
}

const std::string& ParticleColumns::name(std::size_t column) const {
  if (has(column)) { return headings_[column]; }
  const ColumnNames& names = source_ == ParticleSource::frame  ? frame_names
                             : source_ == ParticleSource::dump ? dump_names
                                                               : own_names;
  return names[column].empty() ? own_names[column] : names[column];
}

}  // namespace scree::packing
