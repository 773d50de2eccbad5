#pragma once

#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace scree::geometry {

struct TextLine {
  std::size_t number = 0;               ///< from 1
  std::vector<std::string_view> words;  ///< separated by blanks; never empty
};

/// Calls `take` for every line that is not blank; returns the number of lines.
template <class Take>
std::size_t for_each_line(std::string_view content, Take&& take) {
  constexpr std::string_view blanks = " \t\r\v\f";
  TextLine line;
  while (!content.empty()) {
    const auto end = content.find('\n');
    std::string_view rest = content.substr(0, end);
    content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
    ++line.number;
    line.words.clear();
    for (auto at = rest.find_first_not_of(blanks); at != std::string_view::npos; at = rest.find_first_not_of(blanks)) {
      rest.remove_prefix(at);
      const auto stop = rest.find_first_of(blanks);
      line.words.push_back(rest.substr(0, stop));
      rest.remove_prefix(stop == std::string_view::npos ? rest.size() : stop);
    }
    if (!line.words.empty()) take(line);
  }
  return line.number;
}

/// A decimal number that fills the whole text, in any locale; nothing when it is none or does not fit a double.
/// "nan" and "inf" are read as such: the caller says that they are not allowed.
[[nodiscard]] inline std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The text without blanks at both ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

[[nodiscard]] inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

}  // namespace scree::geometry
