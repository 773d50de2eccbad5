#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace scree::geometry {

struct TextLine {
  std::size_t number = 0;               ///< from 1
  std::vector<std::string_view> words;  ///< at least one; separated by blanks
};

/// Calls `take(line)` for each line that is not blank. Returns the number of all lines.
template <class Take>
std::size_t for_each_line(std::string_view content, Take&& take) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; };
  TextLine line;
  while (!content.empty()) {
    const auto end = content.find('\n');
    const std::string_view text = content.substr(0, end);
    content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
    ++line.number;
    line.words.clear();
    for (std::size_t at = 0;;) {
      while (at < text.size() && is_blank(text[at])) ++at;
      if (at == text.size()) break;
      const std::size_t begin = at;
      while (at < text.size() && !is_blank(text[at])) ++at;
      line.words.push_back(text.substr(begin, at - begin));
    }
    if (!line.words.empty()) take(line);
  }
  return line.number;
}

/// Parses a text that consists of one decimal number, independent of the locale. Nothing if it is not a number or
/// exceeds the range of a double. Accepts "nan" and "inf": the caller must refuse them.
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

/// The text with ASCII letters in lower case, independent of the locale.
[[nodiscard]] inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

}  // namespace scree::geometry
