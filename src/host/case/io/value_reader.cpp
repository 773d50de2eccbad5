#include "host/case/io/value_reader.hpp"

#include <algorithm>
#include <cmath>

#include "host/case/io/foreign_keys.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

std::string one_of_text(const std::vector<std::string>& words) { return "one of the words " + quoted_list(words); }

}  // namespace

void ValueReader::read_number(const Json& json, const std::string& path, double& out, const Rule& rule) {
  if (!json.is_number()) return wrong_type(path, "a number", json);
  out = json.get<double>();
  check_number(path, out, rule);
}

void ValueReader::read_count(const Json& json, const std::string& path, std::uint64_t& out, const Rule& rule) {
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  const double value = json.is_number() ? json.get<double>() : 0;
  if (json.is_number_unsigned()) {
    out = json.get<std::uint64_t>();
  } else if (json.is_number_float() && value >= 0 && value <= largest_exact && std::floor(value) == value) {
    out = static_cast<std::uint64_t>(value);  // 2e4 is a count as well
  } else {
    return wrong_type(path, "a whole number from 0", json);
  }
  check_count(path, out, rule);
}

void ValueReader::read_text(const Json& json, const std::string& path, std::string& out, const Rule& rule) {
  if (!json.is_string()) return wrong_type(path, rule.words != nullptr ? one_of_text(*rule.words) : "a text", json);
  out = json.get<std::string>();
  check_text(path, out, rule);
}

bool ValueReader::known_word(const Json& json, const std::string& path, const std::vector<std::string>& words) {
  if (json.is_string()) return check_word(path, json.get<std::string>(), words);
  wrong_type(path, one_of_text(words), json);
  return false;
}

std::string ValueReader::axis_answer(const Json& json, const Rule& rule) {
  if (!rule.nonzero) { return ""; }
  if (json == "x") { return "; this axis is [1, 0, 0]"; }
  if (json == "y") { return "; this axis is [0, 1, 0]"; }
  return json == "z" ? "; this axis is [0, 0, 1]" : "";
}

void ValueReader::wrong_type(const std::string& path, const std::string& wanted, const Json& found) {
  problem(path, "must be " + wanted + ", got " + shown(found));
}

void ValueReader::report_unknown_keys(const Json& json, const std::string& path,
                                      const std::vector<std::string>& known) {
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    auto answer = misplaced_key(key, known);
    if (!answer) { answer = foreign_key(key); }
    problem(below(path, key), "unknown key; " + answer.value_or(suggestion(key, known)));
  }
}

}  // namespace scree
