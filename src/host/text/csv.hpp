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

/// The parts of a line between commas, without blanks.
[[nodiscard]] std::vector<std::string_view> cells_of(std::string_view line);

/// Which of `columns` stands at which place of a header line, in any order; the first `n_needed` must be there, none
/// twice. Throws CaseError (path: `where`).
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
