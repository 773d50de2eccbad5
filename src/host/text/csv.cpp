#include "host/text/csv.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "host/text/input_file.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::csv {

char separator_of(std::string_view header) {
  for (const char separator : {',', ';', '\t'}) {
    if (header.find(separator) != std::string_view::npos) return separator;
  }
  return ' ';
}

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  line = geometry::trimmed(line);
  while (true) {
    const auto end = line.find(separator);
    auto cell = geometry::trimmed(line.substr(0, end));
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    cells.push_back(cell);
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
    if (separator == ' ') line = geometry::trimmed(line);
  }
}

std::string not_a_number(std::string_view cell) {
  return '"' + std::string(cell) + "\" is not a number" +
         (cell.find(',') == std::string_view::npos ? "" : "; the decimal sign is a point");
}

std::string unknown_column(std::string_view cell, const std::vector<std::string>& columns) {
  const std::string bare(geometry::trimmed(cell.substr(0, cell.find_first_of("[("))));
  const bool has_unit = bare.size() < cell.size() && std::find(columns.begin(), columns.end(), bare) != columns.end();
  return "no column is called \"" + std::string(cell) + "\"; " +
         (has_unit ? "write \"" + bare + "\" without a unit; \"scale\" in the case turns its lengths into metres"
                   : suggestion(cell, columns));
}

std::vector<std::size_t> read_header(const std::vector<std::string_view>& cells,
                                     const std::vector<std::string>& columns, std::size_t n_needed,
                                     const std::string& where) {
  std::vector<std::size_t> found;
  const auto has = [&](std::size_t column) { return std::find(found.begin(), found.end(), column) != found.end(); };
  for (const auto cell : cells) {
    const auto known = std::find(columns.begin(), columns.end(), cell);
    const std::string text(cell);
    if (known == columns.end()) { throw CaseError(where, unknown_column(cell, columns)); }
    const auto index = static_cast<std::size_t>(known - columns.begin());
    if (has(index)) throw CaseError(where, "column \"" + text + "\" occurs twice");
    found.push_back(index);
  }
  for (std::size_t c = 0; c < n_needed; ++c) {
    if (!has(c)) throw CaseError(where, "column \"" + columns[c] + "\" is missing");
  }
  return found;
}

std::vector<double> read_numbers(const std::vector<std::string_view>& cells, const std::vector<std::size_t>& at,
                                 const std::vector<std::string>& columns, double largest, const std::string& where) {
  if (cells.size() != at.size()) {
    throw CaseError(where,
                    "has " + std::to_string(cells.size()) + " values, but the header has " + std::to_string(at.size()));
  }
  std::vector<double> values(columns.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto number = geometry::parse_number(cells[c]);
    if (!number) throw CaseError(where, columns[at[c]] + ": " + not_a_number(cells[c]));
    if (!(std::fabs(*number) <= largest)) {
      throw CaseError(where,
                      columns[at[c]] + ": must be within " + number_text(largest) + ", got " + number_text(*number));
    }
    values[at[c]] = *number;
  }
  return values;
}

std::string read_text(const std::filesystem::path& file) {
  const std::string name = file.string();
  if (const auto problem = input_file_problem(file, "a CSV file")) throw CaseError(name, *problem);
  std::ifstream in(file, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.good() && !in.eof()) throw CaseError(name, "cannot be read");
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // spreadsheets begin files with it
  if (content.starts_with(byte_order_mark)) content.erase(0, byte_order_mark.size());
  return content;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c == '\n' || c == '\r' ? ' ' : c;
  }
  return cell + '"';
}

std::vector<std::string> row_cells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') { quoted = !quoted; }
    if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

}  // namespace scree::csv
