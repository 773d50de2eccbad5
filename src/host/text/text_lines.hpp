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
  std::vector<std::string_view> words;  ///< separated by blanks; never empty
};

/// Calls `take` for every line that is not blank; returns the number of lines.
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

/// ASCII letters only, in any locale.
[[nodiscard]] inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

}  // namespace scree::geometry
