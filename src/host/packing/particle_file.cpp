#include "host/packing/particle_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>

#include "host/case/describe_particles.hpp"
#include "host/text/csv.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

// The columns of numbers come first, then the columns of names.
const std::vector<std::string> columns = {"x",        "y",           "z",    "radius",   "vx",   "vy", "vz",
                                          "wx",       "wy",          "wz",   "qw",       "qx",   "qy", "qz",
                                          "diameter", "temperature", "film", "material", "group"};
constexpr std::size_t radius_column = 3, diameter_column = 14, temperature_column = 15, film_column = 16,
                      material_column = 17, group_column = 18, n_numbers = 17;
constexpr std::size_t needed_columns = 3, most_problems = 10;
constexpr double farthest = 1e9;  // [m] beyond this, double precision cannot resolve contacts

class CsvReader {
 public:
  CsvReader(const std::string& name, const FileLengths& lengths) : name_(name), lengths_(lengths) {}

  void take(std::size_t line, const std::vector<std::string_view>& cells) {
    if (column_at_.empty()) return take_header(line, cells);
    if (cells.size() != column_at_.size()) {
      return complain(line, "has " + std::to_string(cells.size()) + " values, but the header has " +
                                std::to_string(column_at_.size()));
    }
    std::array<double, n_numbers> values{};
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (column_at_[c] >= values.size()) continue;  // a name
      const auto value = geometry::parse_number(cells[c]);
      const std::string& column = columns[column_at_[c]];
      if (!value) return complain(line, column + ": " + csv::not_a_number(cells[c]));
      if (!std::isfinite(*value)) return complain(line, column + ": must be finite, got " + number_text(*value));
      values[column_at_[c]] = *value;
    }
    to_metres(values);
    if (const auto fault = fault_of(values)) return complain(line, *fault);
    table_.position.push_back({values[0], values[1], values[2]});
    table_.radius.push_back(has(diameter_column) ? 0.5 * values[diameter_column] : values[radius_column]);
    if (has(4)) table_.velocity.push_back({values[4], values[5], values[6]});
    if (has(7)) table_.angular_velocity.push_back({values[7], values[8], values[9]});
    if (has(10)) table_.orientation.push_back({values[10], values[11], values[12], values[13]});
    if (has(temperature_column)) table_.temperature.push_back(values[temperature_column]);
    if (has(film_column)) table_.film.push_back(values[film_column]);
    table_.line.push_back(line);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (column_at_[c] == material_column) materials_.take(cells[c], line);
      if (column_at_[c] == group_column) groups_.take(cells[c], line);
    }
  }

  ParticleTable finish() {
    if (column_at_.empty()) throw CaseError(name_, "is empty: a header line \"x,y,z,radius\" is needed");
    if (more_ > 0) problems_.push_back({name_, "and " + std::to_string(more_) + " more lines like these"});
    if (!problems_.empty()) throw CaseError(std::move(problems_));
    if (table_.radius.empty()) throw CaseError(name_, "holds no particle");
    if (has(material_column)) table_.material = std::move(materials_.column);
    if (has(group_column)) table_.group = std::move(groups_.column);
    return std::move(table_);
  }

 private:
  /// The first value of a particle that breaks a rule, and the rule; nothing if all values are right.
  [[nodiscard]] std::optional<std::string> fault_of(const std::array<double, n_numbers>& values) const {
    for (std::size_t c = 0; c < 3; ++c) {
      if (std::fabs(values[c]) <= farthest) continue;
      return columns[c] + ": must be within " + number_text(farthest) + " m, got " + number_text(values[c]);
    }
    const std::size_t size_column = has(diameter_column) ? diameter_column : radius_column;
    const double size = values[size_column];
    const std::string& what = columns[size_column];
    if (!(size > 0)) return what + ": must be > 0, got " + number_text(size);
    if (!(size >= smallest_number && size <= farthest)) {
      return what + ": must be from " + number_text(smallest_number) + " to " + number_text(farthest) + " m, got " +
             number_text(size);
    }
    for (std::size_t c = 4; c < 10; ++c) {
      if (std::fabs(values[c]) <= largest_number) continue;
      return columns[c] + ": must be within " + number_text(largest_number) + ", got " + number_text(values[c]);
    }
    if (has(10) && !is_unit(QuaternionWxyz{values[10], values[11], values[12], values[13]})) {
      return "qw, qx, qy, qz: must be a quaternion of length 1 within " + number_text(unit_within);
    }
    if (const double t = values[temperature_column]; has(temperature_column) && !(t > 0 && t <= largest_number)) {
      return "temperature: must be > 0 and at most " + number_text(largest_number) + " K, got " + number_text(t);
    }
    if (const double film = values[film_column]; !(film >= 0 && film <= 1)) {
      return "film: must be in [0, 1], got " + number_text(film);
    }
    return std::nullopt;
  }

  void to_metres(std::array<double, n_numbers>& values) const {
    if (lengths_.scale != 1) {
      for (const std::size_t c : {std::size_t{0}, std::size_t{1}, std::size_t{2}, radius_column, diameter_column}) {
        values[c] *= lengths_.scale;
      }
    }
    if (lengths_.translate == Real3{}) return;
    for (std::size_t c = 0; c < 3; ++c) values[c] += lengths_.translate[c];
  }
  void take_header(std::size_t line, const std::vector<std::string_view>& cells) {
    std::vector<std::size_t> found;
    for (const auto cell : cells) {
      const auto known = std::find(columns.begin(), columns.end(), cell);
      if (known == columns.end()) {
        throw CaseError(name_, "line " + std::to_string(line) + ": " + csv::unknown_column(cell, columns));
      }
      const auto index = static_cast<std::size_t>(known - columns.begin());
      if (std::find(found.begin(), found.end(), index) != found.end()) {
        throw CaseError(name_, "line " + std::to_string(line) + ": column \"" + *known + "\" occurs twice");
      }
      found.push_back(index);
    }
    column_at_ = std::move(found);
    const std::string where = "line " + std::to_string(line) + ": ";
    if (has(radius_column) && has(diameter_column)) {
      throw CaseError(name_, where + "has both \"radius\" and \"diameter\"; give one of them");
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      // If one column of a vector is given, all are needed.
      const auto group = [&](std::size_t first, std::size_t end) {
        bool any = false;
        for (std::size_t k = first; k < end; ++k) any = any || has(k);
        return any && c >= first && c < end;
      };
      const bool size = c == radius_column && !has(diameter_column);
      const bool needed = c < needed_columns || size || group(4, 7) || group(7, 10) || group(10, 14);
      if (needed && !has(c)) {
        throw CaseError(name_, "line " + std::to_string(line) + ": column \"" + columns[c] + "\" is missing");
      }
    }
  }
  [[nodiscard]] bool has(std::size_t column) const {
    return std::find(column_at_.begin(), column_at_.end(), column) != column_at_.end();
  }
  void complain(std::size_t line, const std::string& message) {
    if (problems_.size() == most_problems) {
      ++more_;
    } else {
      problems_.push_back({name_, "line " + std::to_string(line) + ": " + message});
    }
  }

  /// Collects the different names of a column.
  struct Names {
    NameColumn column;
    std::map<std::string, std::uint32_t, std::less<>> index;
    void take(std::string_view name, std::size_t line) {
      auto found = index.find(name);
      if (found == index.end()) {
        found = index.emplace(std::string(name), static_cast<std::uint32_t>(column.names.size())).first;
        column.names.emplace_back(name);
        column.line.push_back(line);
      }
      column.index.push_back(found->second);
    }
  };

  const std::string& name_;
  const FileLengths& lengths_;
  Names materials_, groups_;
  std::vector<std::size_t> column_at_;  ///< [n_cells] index into `columns` of each cell of a line
  ParticleTable table_;
  std::vector<InputProblem> problems_;
  std::size_t more_ = 0;  ///< number of faulty lines that are not in `problems_`
};

}  // namespace

ParticleTable parse_particles(const std::string& content, const std::string& name, const FileLengths& lengths) {
  CsvReader reader(name, lengths);
  csv::for_each_row(content, [&](std::size_t line, const auto& cells) { reader.take(line, cells); });
  return reader.finish();
}

ParticleTable read_particles(const std::filesystem::path& file, const FileLengths& lengths) {
  return parse_particles(csv::read_text(file), file.string(), lengths);
}

}  // namespace scree::packing
