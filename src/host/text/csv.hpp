#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "host/text/text_lines.hpp"

/// What all readers of CSV files share.
namespace scree::csv {

/// Calls take(number, text) for every line, from 1, that is neither blank nor a comment ('#'); text without blanks at
/// both ends.
template <class Take>
void for_each_line(std::string_view content, Take&& take) {
  for (std::size_t number = 1; !content.empty(); ++number) {
    const auto end = content.find('\n');
    const std::string_view text = geometry::trimmed(content.substr(0, end));
    content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
    if (!text.empty() && text.front() != '#') take(number, text);
  }
}

/// The sign between the cells of a file with this header line: the first of comma, semicolon and tab that the line
/// contains; a blank if it contains none of them.
[[nodiscard]] char separator_of(std::string_view header);

/// The parts of a line between separators, without blanks and without double quotes around them. Neighbouring blanks
/// separate once.
[[nodiscard]] std::vector<std::string_view> cells_of(std::string_view line, char separator = ',');

/// Calls take(number, cells) for every line of for_each_line(). The first line, which is the header, decides which sign
/// separates the cells.
template <class Take>
void for_each_row(std::string_view content, Take&& take) {
  char separator = 0;
  for_each_line(content, [&](std::size_t number, std::string_view text) {
    if (separator == 0) separator = separator_of(text);
    take(number, cells_of(text, separator));
  });
}

/// Says that a cell is no number, and why if that is known.
[[nodiscard]] std::string not_a_number(std::string_view cell);

/// For each cell of a header line the index of its name in `columns`. The order is free; the first `n_needed` columns
/// must be there, and no column may come twice. Throws CaseError (path: `where`).
[[nodiscard]] std::vector<std::size_t> read_header(const std::vector<std::string_view>& cells,
                                                   const std::vector<std::string>& columns, std::size_t n_needed,
                                                   const std::string& where);

/// The numbers of a line in the order of `columns`, 0 where the header has none; `at` is what read_header() made of it.
/// Throws CaseError (path: `where`) when the line has another length, or when a value is not a number or exceeds
/// `largest` in size.
[[nodiscard]] std::vector<double> read_numbers(const std::vector<std::string_view>& cells,
                                               const std::vector<std::size_t>& at,
                                               const std::vector<std::string>& columns, double largest,
                                               const std::string& where);

/// The text of a file. Throws CaseError (path: the file).
[[nodiscard]] std::string read_text(const std::filesystem::path& file);

/// A text as a cell of a table: in quotes where it contains a comma, a quote or the end of a line, which becomes a
/// space.
[[nodiscard]] std::string quoted(const std::string& text);

/// The cells of a line that was written with quoted(): a comma within quotes divides nothing. Quotes stay.
[[nodiscard]] std::vector<std::string> row_cells(std::string_view line);

}  // namespace scree::csv
