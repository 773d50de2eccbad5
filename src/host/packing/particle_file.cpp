#include "host/packing/particle_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "host/case/describe_particles.hpp"
#include "host/geometry/sphere_volume.hpp"
#include "host/packing/dump_file.hpp"
#include "host/packing/particle_columns.hpp"
#include "host/text/csv.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

using Columns = ParticleColumns;

constexpr std::size_t most_problems = 10;
constexpr double farthest = 1e9;  // [m] beyond this, double precision cannot resolve contacts

class CsvReader {
 public:
  CsvReader(const std::string& name, const FileLengths& lengths) : name_(name), lengths_(lengths) {}

  /// Sets the columns before the first line.
  void begin(ParticleColumns columns) { columns_.emplace(std::move(columns)); }

  void take(std::size_t line, const std::vector<std::string_view>& cells) {
    if (!columns_ && !are_numbers(cells)) {
      columns_.emplace(cells, line, name_);
      return;
    }
    if (!columns_) { begin_without_header(line, cells.size()); }
    if (cells.size() != columns_->of_cells().size()) {
      return complain(line, "has " + std::to_string(cells.size()) + " values, but the header has " +
                                std::to_string(columns_->of_cells().size()));
    }
    Values values{};
    if (const auto fault = read(cells, values)) { return complain(line, *fault); }
    to_units(values);
    if (const auto fault = fault_of(values)) { return complain(line, *fault); }
    const double* const v = values.data();
    table_.position.push_back({v[0], v[1], v[2]});
    table_.radius.push_back(has(Columns::diameter) ? 0.5 * values[Columns::diameter] : values[Columns::radius]);
    if (has(Columns::velocity)) { table_.velocity.push_back({v[4], v[5], v[6]}); }
    if (has(Columns::angular_velocity)) { table_.angular_velocity.push_back({v[7], v[8], v[9]}); }
    if (has(Columns::orientation)) { table_.orientation.push_back({v[10], v[11], v[12], v[13]}); }
    if (has(Columns::temperature)) { table_.temperature.push_back(values[Columns::temperature]); }
    if (has(Columns::film)) { table_.film.push_back(values[Columns::film]); }
    table_.line.push_back(line);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (columns_->of_cells()[c] == Columns::material) { materials_.take(cells[c], line); }
      if (columns_->of_cells()[c] == Columns::group) { groups_.take(cells[c], line); }
    }
  }

  ParticleTable finish() {
    if (!columns_) throw CaseError(name_, "is empty: a header line \"x,y,z,radius\" is needed");
    if (more_ > 0) problems_.push_back({name_, "and " + std::to_string(more_) + " more lines like these"});
    if (!problems_.empty()) throw CaseError(std::move(problems_));
    if (table_.radius.empty()) throw CaseError(name_, "holds no particle");
    if (has(Columns::material)) table_.material = std::move(materials_.column);
    if (has(Columns::group)) table_.group = std::move(groups_.column);
    table_.source = columns_->source();
    table_.passed_over = columns_->passed_over();
    return std::move(table_);
  }

 private:
  using Values = std::array<double, Columns::n_numbers>;

  static bool are_numbers(const std::vector<std::string_view>& cells) {
    return std::all_of(cells.begin(), cells.end(), [](auto cell) { return geometry::parse_number(cell).has_value(); });
  }
  /// Begins a file whose first line has numbers. Yade exports spheres in this way.
  void begin_without_header(std::size_t line, std::size_t n_cells) {
    if (n_cells != 4) {
      throw CaseError(name_, "line " + std::to_string(line) + ": has " + std::to_string(n_cells) +
                                 " numbers, but no header such as \"x,y,z,radius,vx,vy,vz\"; without one, lines must " +
                                 "have x, y, z and radius");
    }
    columns_.emplace(std::vector<std::string_view>{"x", "y", "z", "radius"}, line, name_);
    table_.remark = "has no header; its columns are x, y, z and radius";
  }

  [[nodiscard]] bool has(std::size_t column) const { return columns_->has(column); }
  [[nodiscard]] const std::string& name(std::size_t column) const { return columns_->name(column); }

  /// Reads the numbers of a line. Returns what is wrong with them.
  [[nodiscard]] std::optional<std::string> read(const std::vector<std::string_view>& cells, Values& values) const {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::size_t column = columns_->of_cells()[c];
      if (column >= values.size()) { continue; }
      const auto value = geometry::parse_number(cells[c]);
      if (!value) { return name(column) + ": " + csv::not_a_number(cells[c]); }
      if (!std::isfinite(*value)) { return name(column) + ": must be finite, got " + number_text(*value); }
      values[column] = *value;
    }
    const auto clump = columns_->clump_cell();
    if (!clump || geometry::parse_number(cells[*clump]) == -1) { return std::nullopt; }
    return "clump: must be -1, which is that of single spheres, got " + std::string(cells[*clump]) +
           "; take clumps and grains from a checkpoint by \"start\"";
  }

  /// The first value of a particle that breaks a rule, and the rule; nothing if all values are right.
  [[nodiscard]] std::optional<std::string> fault_of(const Values& values) const {
    for (std::size_t c = 0; c < 3; ++c) {
      if (std::fabs(values[c]) <= farthest) continue;
      return name(c) + ": must be within " + number_text(farthest) + " m, got " + number_text(values[c]);
    }
    const std::size_t size_column = has(Columns::diameter) ? Columns::diameter : Columns::radius;
    const double size = values[size_column];
    const std::string& what = name(size_column);
    if (!(size > 0)) return what + ": must be > 0, got " + number_text(size);
    if (!(size >= smallest_number && size <= farthest)) {
      return what + ": must be from " + number_text(smallest_number) + " to " + number_text(farthest) + " m, got " +
             number_text(size);
    }
    for (std::size_t c = Columns::velocity; c < Columns::orientation; ++c) {
      if (std::fabs(values[c]) <= largest_number) continue;
      return name(c) + ": must be within " + number_text(largest_number) + ", got " + number_text(values[c]);
    }
    if (has(Columns::orientation) && !is_unit(QuaternionWxyz{values[10], values[11], values[12], values[13]})) {
      return "qw, qx, qy, qz: must be a quaternion of length 1 within " + number_text(unit_within);
    }
    const double t = values[Columns::temperature];
    if (has(Columns::temperature) && !(t > 0 && t <= largest_number)) {
      return "temperature: must be > 0 and at most " + number_text(largest_number) + " K, got " + number_text(t);
    }
    if (const double film = values[Columns::film]; !(film >= 0 && film <= 1)) {
      return std::string("film: must be in [0, 1]") +
             (columns_->source() == ParticleSource::frame ? " of the volume of the particle, got " : ", got ") +
             number_text(film);
    }
    return std::nullopt;
  }

  /// Converts lengths to metres, and the volumes of films in a table of a frame to fractions.
  void to_units(Values& values) const {
    if (columns_->source() == ParticleSource::frame && has(Columns::film)) {
      const double radius = has(Columns::diameter) ? 0.5 * values[Columns::diameter] : values[Columns::radius];
      double& film = values[Columns::film];
      film /= geometry::sphere_volume(radius);
      constexpr double rounded = 1e-6;  // radii may have been written in single precision
      if (film > 1 && film <= 1 + rounded) { film = 1; }
    }
    if (lengths_.scale != 1) {
      for (const std::size_t c : {std::size_t{0}, std::size_t{1}, std::size_t{2}, Columns::radius, Columns::diameter}) {
        values[c] *= lengths_.scale;
      }
    }
    if (lengths_.translate == Real3{}) return;
    for (std::size_t c = 0; c < 3; ++c) values[c] += lengths_.translate[c];
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
  std::optional<Columns> columns_;  ///< none before the header was read
  ParticleTable table_;
  std::vector<InputProblem> problems_;
  std::size_t more_ = 0;  ///< number of faulty lines that are not in `problems_`
};

}  // namespace

ParticleTable parse_particles(const std::string& content, const std::string& name, const FileLengths& lengths) {
  CsvReader reader(name, lengths);
  if (!is_dump(content)) {
    csv::for_each_row(content, [&](std::size_t line, const auto& cells) { reader.take(line, cells); });
    return reader.finish();
  }
  const DumpSnapshot last = last_snapshot(content, name);
  reader.begin(ParticleColumns::of_dump(last.columns, last.line, name));
  csv::for_each_line(last.atoms, [&](std::size_t line, std::string_view text) {
    reader.take(last.line + line, csv::cells_of(text, ' '));
  });
  ParticleTable table = reader.finish();
  table.remark = "takes the snapshot of step " + last.step + ", " +
                 (last.n_snapshots == 1 ? "the only one" : "the last of " + std::to_string(last.n_snapshots)) +
                 " in the dump";
  return table;
}

ParticleTable read_particles(const std::filesystem::path& file, const FileLengths& lengths) {
  return parse_particles(csv::read_text(file), file.string(), lengths);
}

}  // namespace scree::packing
