#include "host/clumps/clump_file.hpp"

#include <string_view>

#include "host/text/csv.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::clumps {
namespace {

const std::vector<std::string> columns = {"x", "y", "z", "r"};
constexpr double farthest = 1e9;  // [m] the limit for particles, too

ClumpSphere read_sphere(const std::vector<std::string_view>& cells, const std::vector<std::size_t>& at,
                        const std::string& where) {
  const auto value = csv::read_numbers(cells, at, columns, farthest, where);
  if (!(value[3] > 0)) throw CaseError(where, "r: must be > 0, got " + number_text(value[3]));
  return {{value[0], value[1], value[2]}, value[3]};
}

}  // namespace

std::vector<ClumpSphere> parse_clump(const std::string& content, const std::string& name) {
  std::vector<ClumpSphere> spheres;
  std::vector<std::size_t> at;
  csv::for_each_row(content, [&](std::size_t line, const auto& cells) {
    const std::string where = name + ": line " + std::to_string(line);
    if (at.empty()) {
      at = csv::read_header(cells, columns, columns.size(), where);
    } else {
      spheres.push_back(read_sphere(cells, at, where));
    }
  });
  if (at.empty()) throw CaseError(name, "is empty: a header line \"x,y,z,r\" is needed");
  if (spheres.empty()) throw CaseError(name, "holds no sphere");
  return spheres;
}

std::vector<ClumpSphere> read_clump(const std::filesystem::path& file) {
  return parse_clump(csv::read_text(file), file.string());
}

std::string clump_text(const std::vector<ClumpSphere>& spheres, const std::string& comment) {
  std::string text = "# " + comment + "\nx,y,z,r\n";
  for (const auto& [c, r] : spheres) {
    text += number_text(c[0]) + "," + number_text(c[1]) + "," + number_text(c[2]) + "," + number_text(r) + "\n";
  }
  return text;
}

}  // namespace scree::clumps
