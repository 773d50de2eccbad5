#include "host/text/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

namespace scree {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The least number of insertions, removals, replacements and swaps of neighbours that change `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> cost((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return cost[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool equal = lower(a[i - 1]) == lower(b[j - 1]);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (equal ? 0u : 1u)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
      }
    }
  }
  return at(a.size(), b.size());
}

/// Whether one name is a whole word or the beginning of the other, such as "modulus" or "young" of "young_modulus".
bool shares_word(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a.size() < 3) return false;
  const auto at = b.find(a);
  if (at == std::string_view::npos) return false;
  const auto end = at + a.size();
  return at == 0 || (b[at - 1] == '_' && (end == b.size() || b[end] == '_'));
}

/// Whether two names have the same letters in some order, such as "yx" and "xy".
bool same_letters(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::is_permutation(a.begin(), a.end(), b.begin());
}

}  // namespace

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string short_number_text(double value, int digits) {
  std::array<char, 64> buffer{};
  const auto text = [&](double number, std::chars_format format, int precision) {
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format, precision).ptr;
    return std::string(buffer.data(), end);
  };
  const std::string rounded = text(value, std::chars_format::general, digits);
  constexpr double plain = 1e6;  // numbers below it have no exponent
  if (rounded.find("e+") == std::string::npos || !(std::fabs(value) < plain)) { return rounded; }
  double number = value;
  std::from_chars(rounded.data(), rounded.data() + rounded.size(), number);
  return text(number, std::chars_format::fixed, 0);
}

std::string difference_text(double value, double reference) {
  const double percent = 100 * (value / reference - 1);
  return (percent < 0 ? "" : "+") + short_number_text(percent, 3) + " %";
}

std::string count_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, " ");
  return digits;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return (count_text(count) + " ").append(count == 1 ? one : many);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return short_number_text(value, value < 1000 ? 3 : 4) + " " + units[unit];
}

std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest =
      64;  // longer names are not compared, so that the table of edit_distance() stays small
  if (name.empty() || name.size() > longest) return std::nullopt;
  const std::string* best = nullptr;
  std::size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    std::size_t distance = edit_distance(name, candidate);
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t allowed = longer < 4 ? 1 : std::max<std::size_t>(2, longer / 3);
    if (shares_word(name, candidate)) distance = std::min(distance, allowed);
    const bool near = distance <= allowed && distance < longer;
    const bool nearer = best == nullptr || distance < best_distance ||
                        (distance == best_distance && same_letters(name, candidate) && !same_letters(name, *best));
    if (near && nearer) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  if (const auto near = nearest_name(name, candidates)) return "did you mean \"" + *near + "\"?";
  if (candidates.empty()) return "none is known";
  return "known are " + quoted_list(candidates);
}

std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  return "unknown " + std::string(what) + " \"" + std::string(name) + "\"; " + suggestion(name, known);
}

std::optional<std::size_t> place_of_name(std::string_view name, const std::vector<std::string>& known) {
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) { return std::nullopt; }
  return static_cast<std::size_t>(found - known.begin());
}

std::string quoted_list(const std::vector<std::string>& names) {
  return std::accumulate(names.begin(), names.end(), std::string(), [](std::string all, const std::string& name) {
    return std::move(all) + (all.empty() ? "\"" : ", \"") + name + "\"";
  });
}

}  // namespace scree
