#include "host/scene/build_scene/flow_grid.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "host/case/describe.hpp"
#include "host/text/csv.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// Coordinates that are written with few digits differ from those of a regular grid by less than this, in spacings.
constexpr double off_grid = 0.05;
/// Coordinates whose difference is smaller than this part of the largest gap are the same.
constexpr double same_coordinate = 0.2;

constexpr std::size_t n_columns = 6;
/// The names that each column may have; the first one is that of messages.
const std::vector<std::string>& names_of_column(std::size_t column) {
  static const std::vector<std::vector<std::string>> names = {
      {"x", "Points:0", "Points_0"}, {"y", "Points:1", "Points_1"}, {"z", "Points:2", "Points_2"},
      {"velocity_x", "U:0", "U_0"},  {"velocity_y", "U:1", "U_1"},  {"velocity_z", "U:2", "U_2"}};
  return names[column];
}

/// A line of the file.
struct Sample {
  std::size_t line;
  Real3 place, velocity;
};

std::string in_line(std::size_t line) { return "line " + std::to_string(line) + ": "; }

std::string place_text(const Real3& x) {
  return "(" + number_text(x[0]) + ", " + number_text(x[1]) + ", " + number_text(x[2]) + ")";
}

/// Reads the lines of a file one by one.
class FlowReader {
 public:
  explicit FlowReader(const std::string& name) : name_(name) {}

  void take(std::size_t line, const std::vector<std::string_view>& cells) {
    if (n_cells_ == 0) return take_header(line, cells);
    if (cells.size() != n_cells_) {
      throw CaseError(name_, in_line(line) + "has " + std::to_string(cells.size()) + " values, but the header has " +
                                 std::to_string(n_cells_));
    }
    double values[n_columns];
    for (std::size_t c = 0; c < n_columns; ++c) {
      const std::string_view cell = cells[at_[c]];
      const auto value = geometry::parse_number(cell);
      const std::string where = in_line(line) + names_of_column(c).front() + ": ";
      if (!value) throw CaseError(name_, where + csv::not_a_number(cell));
      if (!(std::fabs(*value) <= largest_number)) {
        throw CaseError(name_,
                        where + "must be within " + number_text(largest_number) + ", got " + number_text(*value));
      }
      values[c] = *value;
    }
    samples.push_back({line, {values[0], values[1], values[2]}, {values[3], values[4], values[5]}});
  }

  std::vector<Sample> samples;

 private:
  void take_header(std::size_t line, const std::vector<std::string_view>& cells) {
    n_cells_ = cells.size();
    for (std::size_t c = 0; c < n_columns; ++c) {
      const auto& names = names_of_column(c);
      const auto is_one = [&](std::string_view cell) {
        return std::find(names.begin(), names.end(), cell) != names.end();
      };
      const auto found = std::find_if(cells.begin(), cells.end(), is_one);
      if (found == cells.end()) {
        throw CaseError(name_, in_line(line) + "column \"" + names.front() + "\" (or \"" + names[1] + "\") is missing");
      }
      if (std::find_if(found + 1, cells.end(), is_one) != cells.end()) {
        throw CaseError(name_, in_line(line) + "column \"" + names.front() + "\" occurs twice");
      }
      at_[c] = static_cast<std::size_t>(found - cells.begin());
    }
  }

  const std::string& name_;
  std::size_t n_cells_ = 0;  ///< 0: no header yet
  std::size_t at_[n_columns] = {};
};

/// Finds the points along one axis: their number, the first one and the spacing.
void find_axis(const std::vector<Sample>& samples, std::size_t axis, FlowGrid& grid) {
  std::vector<double> all;
  all.reserve(samples.size());
  for (const Sample& sample : samples) all.push_back(sample.place[axis]);
  std::sort(all.begin(), all.end());
  double largest = 0;
  for (std::size_t k = 1; k < all.size(); ++k) largest = std::max(largest, all[k] - all[k - 1]);
  std::uint32_t points = 1;
  for (std::size_t k = 1; k < all.size(); ++k) points += all[k] - all[k - 1] > same_coordinate * largest ? 1 : 0;
  grid.points[axis] = largest > 0 ? points : 1;
  grid.first[axis] = all.front();
  grid.spacing[axis] = grid.points[axis] > 1 ? (all.back() - all.front()) / (points - 1) : 0;
}

/// The index of a sample along an axis. Throws if it is between two points.
std::size_t index_along(const Sample& sample, std::size_t axis, const FlowGrid& grid, const std::string& name) {
  if (grid.points[axis] == 1) return 0;
  const double steps = (sample.place[axis] - grid.first[axis]) / grid.spacing[axis], nearest = std::round(steps);
  if (std::fabs(steps - nearest) <= off_grid) return static_cast<std::size_t>(nearest);
  const char* const letter = names_of_column(axis).front().c_str();
  throw CaseError(name, in_line(sample.line) + "the grid is not regular: " + letter + " = " +
                            number_text(sample.place[axis]) + " is none of " + std::to_string(grid.points[axis]) +
                            " values from " + number_text(grid.first[axis]) + " on at equal distances of " +
                            short_number_text(grid.spacing[axis], 6) + " m");
}

}  // namespace

FlowGrid parse_flow_grid(const std::string& content, const std::string& name) {
  FlowReader reader(name);
  csv::for_each_row(content, [&](std::size_t line, const auto& cells) { reader.take(line, cells); });
  const std::vector<Sample>& samples = reader.samples;
  if (samples.empty()) throw CaseError(name, "holds no point of a flow");
  FlowGrid grid;
  for (std::size_t axis = 0; axis < 3; ++axis) find_axis(samples, axis, grid);
  const std::array<std::size_t, 3> n = {grid.points[0], grid.points[1], grid.points[2]};
  const std::string size = std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]);
  // Each line is another point, or is refused. So a file with gaps is found before memory for its grid is taken.
  const double all = static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]);
  std::vector<std::array<std::size_t, 3>> index;
  index.reserve(samples.size());
  for (const Sample& sample : samples) {
    index.push_back(
        {index_along(sample, 0, grid, name), index_along(sample, 1, grid, name), index_along(sample, 2, grid, name)});
  }
  if (all > static_cast<double>(samples.size())) {
    throw CaseError(
        name, "the grid has gaps: it has " + size + " points, but only " + counted(samples.size(), "line", "lines"));
  }
  const std::size_t total = n[0] * n[1] * n[2];
  std::vector<std::size_t> line_of(total);
  grid.velocity.assign(total, Real3{});
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const std::size_t point = index[k][0] + n[0] * (index[k][1] + n[1] * index[k][2]);
    if (line_of[point] != 0) {
      throw CaseError(name, in_line(samples[k].line) + "the point " + place_text(samples[k].place) +
                                " is that of line " + std::to_string(line_of[point]));
    }
    line_of[point] = samples[k].line;
    grid.velocity[point] = samples[k].velocity;
  }
  return grid;
}

FlowGrid read_flow_grid(const std::filesystem::path& file) {
  return parse_flow_grid(csv::read_text(file), file.string());
}

}  // namespace scree
