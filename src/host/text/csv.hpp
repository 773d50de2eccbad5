#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "host/text/text_lines.hpp"

/// Helpers for readers of CSV files.
namespace scree::csv {

/// Calls take(number, text) for each line that is neither blank nor a comment ('#'). Numbers begin at 1; `text` has no
/// blanks at its ends.
template <class Take>
void for_each_line(std::string_view content, Take&& take) {
  for (std::size_t number = 1; !content.empty(); ++number) {
    const auto end = content.find('\n');
    const std::string_view text = geometry::trimmed(content.substr(0, end));
    content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
    if (!text.empty() && text.front() != '#') take(number, text);
  }
}

/// The separator of a file with this header line: the first of comma, semicolon and tab that the line contains, or a
/// blank if it contains none of them.
[[nodiscard]] char separator_of(std::string_view header);

/// The cells of a line, without blanks and double quotes around them. Several blanks in a row are one separator.
[[nodiscard]] std::vector<std::string_view> cells_of(std::string_view line, char separator = ',');

/// Calls take(number, cells) for each line of for_each_line(). The first line is the header and determines the
/// separator.
template <class Take>
void for_each_row(std::string_view content, Take&& take) {
  char separator = 0;
  for_each_line(content, [&](std::size_t number, std::string_view text) {
    if (separator == 0) separator = separator_of(text);
    take(number, cells_of(text, separator));
  });
}

/// The message that a cell is not a number, with the reason if it is known.
[[nodiscard]] std::string not_a_number(std::string_view cell);

/// The message that a cell of a header names none of the columns. It tells whether only a unit is too much.
[[nodiscard]] std::string unknown_column(std::string_view cell, const std::vector<std::string>& columns);

/// [n_cells] For each cell of a header line, the index of its name in `columns`. The order is free. Throws CaseError
/// (path: `where`) if a name is unknown or occurs twice, or if one of the first `n_needed` columns is missing.
[[nodiscard]] std::vector<std::size_t> read_header(const std::vector<std::string_view>& cells,
                                                   const std::vector<std::string>& columns, std::size_t n_needed,
                                                   const std::string& where);

/// The numbers of a line in the order of `columns`; 0 for columns that the header does not have. `at` is the result of
/// read_header(). Throws CaseError (path: `where`) if the line has another number of cells than the header, or if a
/// value is not a number or its magnitude exceeds `largest`.
[[nodiscard]] std::vector<double> read_numbers(const std::vector<std::string_view>& cells,
                                               const std::vector<std::size_t>& at,
                                               const std::vector<std::string>& columns, double largest,
                                               const std::string& where);

/// The text of a file. Throws CaseError (path: the file) if it cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path& file);

/// A text as a cell of a table. It is quoted if it contains a comma, a quote or a line end; line ends become spaces.
[[nodiscard]] std::string quoted(const std::string& text);

/// The cells of a line that was written with quoted(), with their quotes. A comma within quotes does not separate
/// cells.
[[nodiscard]] std::vector<std::string> row_cells(std::string_view line);

}  // namespace scree::csv
