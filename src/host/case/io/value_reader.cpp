#include "host/case/io/value_reader.hpp"

#include <algorithm>
#include <cmath>

#include "host/case/io/foreign_keys.hpp"
#include "host/text/input_file.hpp"
#include "host/text/text.hpp"

namespace scree {

void ValueReader::read_number(const Json& json, const std::string& path, double& out, const Rule& rule) {
  if (!json.is_number()) return wrong_type(path, "a number", json);
  out = json.get<double>();
  if (!std::isfinite(out)) { return problems_.add(path, "must be finite, got " + number_text(out)); }
  for (const NumberLimit& limit : number_limits(rule.range)) {
    if (limit.admits(out)) continue;
    return problems_.add(path, "must be " + limit.text() + ", got " + number_text(out));
  }
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
  if (!rule.range.admits(static_cast<double>(out))) {
    problems_.add(path, "must be " + number_limits(rule.range).front().text() + ", got " + std::to_string(out));
  }
}

void ValueReader::read_text(const Json& json, const std::string& path, std::string& out, const Rule& rule) {
  if (!json.is_string()) return wrong_type(path, "a text", json);
  out = json.get<std::string>();
  if (rule.words != nullptr) (void)known_word(json, path, *rule.words);
  if (rule.existing_file) check_file(path, out, rule.or_folder);
}

void ValueReader::check_file(const std::string& path, const std::string& name, bool or_folder) {
  const auto file = (folder_ / name).lexically_normal();
  std::error_code ignored;
  if (name.empty()) {
    problems_.add(path, std::string("must name a file") + (or_folder ? " or a folder" : "") + ", got \"\"");
  } else if (!or_folder && std::filesystem::is_directory(file, ignored)) {
    problems_.add(path, "must name a file, but \"" + file.string() + "\" is a folder");
  } else if (!std::filesystem::exists(file, ignored)) {
    problems_.add(path,
                  std::string("there is no file ") + (or_folder ? "or folder " : "") + "\"" + file.string() + "\"");
  } else if (const auto problem = input_file_problem(file, "a file");
             problem && !std::filesystem::is_directory(file, ignored)) {
    problems_.add(path, "must name a file, but \"" + file.string() + "\" " + *problem);
  }
}

bool ValueReader::known_word(const Json& json, const std::string& path, const std::vector<std::string>& words) {
  if (!json.is_string()) {
    wrong_type(path, "a text", json);
    return false;
  }
  const auto word = json.get<std::string>();
  if (std::find(words.begin(), words.end(), word) != words.end()) return true;
  problems_.add(path, "unknown word " + shown(json) + "; " + suggestion(word, words));
  return false;
}

void ValueReader::check_direction(const std::string& path, const Real3& vector) {
  const double square = vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2];
  if (vector[0] == 0 && vector[1] == 0 && vector[2] == 0) {
    problems_.add(path, "must not be the zero vector");
  } else if (!(square >= 1e-280 && square <= 1e280)) {
    // It is divided by its length: the sum of squares must neither lose digits nor overflow.
    problems_.add(path, "is too short or too long a vector");
  }
}

void ValueReader::wrong_type(const std::string& path, const std::string& wanted, const Json& found) {
  problems_.add(path, "must be " + wanted + ", got " + shown(found));
}

void ValueReader::check_exactly_one(const std::string& path, const std::vector<std::string>& names,
                                    const std::vector<std::string>& found) {
  if (found.size() == 1) return;
  if (names.size() == 1) return problems_.add(below(path, names[0]), "is missing");
  problems_.add(path, "must have exactly one of " + quoted_list(names) + ", got " +
                          (found.empty() ? "none" : quoted_list(found)));
}

void ValueReader::report_unknown_keys(const Json& json, const std::string& path,
                                      const std::vector<std::string>& known) {
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    problems_.add(below(path, key), "unknown key; " + foreign_key(key).value_or(suggestion(key, known)));
  }
}

std::string ValueReader::plural(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace scree
