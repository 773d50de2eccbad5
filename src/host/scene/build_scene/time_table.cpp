#include "host/scene/build_scene/time_table.hpp"

#include <cmath>
#include <string>
#include <string_view>

#include "host/scene/build_scene/problems.hpp"
#include "host/text/csv.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

std::string not_a_row(std::size_t line, std::string_view text) {
  const bool other_decimal_sign = text.find_first_of(";\t") != std::string_view::npos && text.find(',') < text.size();
  return "line " + std::to_string(line) + ": must be two numbers \"time,value\", got \"" + std::string(text) + '"' +
         (other_decimal_sign ? "; the decimal sign is a point" : "");
}

}  // namespace

TimeTable parse_time_table(const std::string& content, const std::string& name) {
  TimeTable table;
  char separator = 0;
  csv::for_each_line(content, [&](std::size_t line, std::string_view text) {
    const bool first = separator == 0;
    if (first) { separator = csv::separator_of(text); }
    const auto cells = csv::cells_of(text, separator);
    const auto time = geometry::parse_number(cells.front()), value = geometry::parse_number(cells.back());
    if (cells.size() == 2 && time && value) {
      table.push_back({*time, *value});
    } else if (!(first && cells.size() == 2 && !time && !value)) {
      throw CaseError(name, not_a_row(line, text));
    }
  });
  if (table.empty()) throw CaseError(name, "holds no row");
  return table;
}

TimeTable read_time_table(const std::filesystem::path& file) {
  return parse_time_table(csv::read_text(file), file.string());
}

void expect_good_table(const TimeTable& table, const std::string& path) {
  if (table.empty()) throw CaseError(path, "must have at least 1 row");
  for (std::size_t k = 0; k < table.size(); ++k) {
    const std::string row = path + "." + std::to_string(k);
    for (std::size_t i = 0; i < 2; ++i) {
      if (!std::isfinite(table[k][i])) throw CaseError(row + "." + std::to_string(i), "must be finite");
    }
    if (k == 0 && table[k][0] < 0) throw CaseError(row + ".0", "must be >= 0, got " + number_text(table[k][0]));
    if (k > 0 && !(table[k][0] > table[k - 1][0])) {
      throw CaseError(row + ".0", "must be greater than the time before, " + number_text(table[k - 1][0]) + ", got " +
                                      number_text(table[k][0]));
    }
  }
}

}  // namespace scree
