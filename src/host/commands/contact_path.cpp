#include "host/commands/contact_path.hpp"

#include <string_view>

#include "host/text/csv.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

const std::vector<std::string> columns = {"time", "normal", "tangential1", "tangential2", "rx1",
                                          "ry1",  "rz1",    "rx2",         "ry2",         "rz2"};
constexpr std::size_t needed_columns = 2;
constexpr double largest = 1e30;  // as for numbers of a case

ContactPlace read_place(const std::vector<std::string_view>& cells, const std::vector<std::size_t>& at,
                        const std::string& where) {
  const auto value = csv::read_numbers(cells, at, columns, largest, where);
  return {value[0],
          {value[1], value[2], value[3]},
          {Real3{value[4], value[5], value[6]}, Real3{value[7], value[8], value[9]}}};
}

}  // namespace

std::vector<ContactPlace> parse_contact_path(const std::string& content, const std::string& name) {
  std::vector<ContactPlace> path;
  std::vector<std::size_t> at;
  csv::for_each_row(content, [&](std::size_t line, const auto& cells) {
    const std::string where = name + ": line " + std::to_string(line);
    if (at.empty()) {
      at = csv::read_header(cells, columns, needed_columns, where);
      return;
    }
    path.push_back(read_place(cells, at, where));
    if (path.size() > 1 && !(path.back().time > path[path.size() - 2].time)) {
      throw CaseError(where, "time: must be greater than " + number_text(path[path.size() - 2].time) +
                                 " of the line before, got " + number_text(path.back().time));
    }
  });
  if (path.size() < 2) throw CaseError(name, "needs a header line \"time,normal\" and at least two places");
  return path;
}

}  // namespace scree
