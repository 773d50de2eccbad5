#include "host/clumps/clump_file.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "host/geometry/text_lines.hpp"
#include "host/text.hpp"
#include "scree/errors.hpp"

namespace scree::clumps {
namespace {

const std::vector<std::string> columns = {"x", "y", "z", "r"};

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const auto comma = line.find(',');
    cells.push_back(geometry::trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

/// Which column stands at which place of a line.
std::vector<std::size_t> read_header(const std::vector<std::string_view>& cells, const std::string& name) {
  std::vector<std::size_t> found;
  for (const auto cell : cells) {
    const auto known = std::find(columns.begin(), columns.end(), cell);
    if (known == columns.end()) {
      throw CaseError(name, "no column is called \"" + std::string(cell) + "\"; " + suggestion(cell, columns));
    }
    const auto index = static_cast<std::size_t>(known - columns.begin());
    if (std::find(found.begin(), found.end(), index) != found.end())
      throw CaseError(name, "column \"" + *known + "\" is there twice");
    found.push_back(index);
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (std::find(found.begin(), found.end(), c) == found.end())
      throw CaseError(name, "column \"" + columns[c] + "\" is missing");
  }
  return found;
}

ClumpSphere read_sphere(const std::vector<std::string_view>& cells, const std::vector<std::size_t>& at,
                        const std::string& where) {
  if (cells.size() != at.size()) {
    throw CaseError(where,
                    "has " + std::to_string(cells.size()) + " values, the header has " + std::to_string(at.size()));
  }
  std::array<double, 4> value{};
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto number = geometry::parse_number(cells[c]);
    if (!number || !(std::fabs(*number) <= 1e9)) {
      throw CaseError(where, columns[at[c]] + ": \"" + std::string(cells[c]) + "\" is not a number within 1e9");
    }
    value[at[c]] = *number;
  }
  if (!(value[3] > 0)) throw CaseError(where, "r: must be > 0, got " + number_text(value[3]));
  return {{value[0], value[1], value[2]}, value[3]};
}

}  // namespace

std::vector<ClumpSphere> parse_clump(const std::string& content, const std::string& name) {
  std::vector<ClumpSphere> spheres;
  std::vector<std::size_t> at;
  std::string_view rest = content;
  for (std::size_t line = 1; !rest.empty(); ++line) {
    const auto end = rest.find('\n');
    const std::string_view text = geometry::trimmed(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (text.empty() || text.front() == '#') continue;
    const std::string where = name + ": line " + std::to_string(line);
    if (at.empty()) {
      at = read_header(cells_of(text), where);
    } else {
      spheres.push_back(read_sphere(cells_of(text), at, where));
    }
  }
  if (at.empty()) throw CaseError(name, "is empty: a header line \"x,y,z,r\" is needed");
  if (spheres.empty()) throw CaseError(name, "holds no sphere");
  return spheres;
}

std::vector<ClumpSphere> read_clump(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code error;
  if (!std::filesystem::exists(file, error)) throw CaseError(name, "does not exist");
  if (std::filesystem::is_directory(file, error)) throw CaseError(name, "is a folder, a CSV file is needed");
  std::ifstream in(file, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.good() && !in.eof()) throw CaseError(name, "cannot be read");
  return parse_clump(content, name);
}

std::string clump_text(const std::vector<ClumpSphere>& spheres, const std::string& comment) {
  std::string text = "# " + comment + "\nx,y,z,r\n";
  for (const auto& [c, r] : spheres) {
    text += number_text(c[0]) + "," + number_text(c[1]) + "," + number_text(c[2]) + "," + number_text(r) + "\n";
  }
  return text;
}

}  // namespace scree::clumps
