#include "host/case/check/value_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "host/case/io/foreign_keys.hpp"
#include "host/case/io/json.hpp"
#include "host/text/input_file.hpp"
#include "host/text/printable.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// Names of the files in the folder of a missing file, in alphabetical order. In a folder with many files only the
/// first ones that the system lists are included.
std::vector<std::string> names_beside(const std::filesystem::path& file, bool or_folder) {
  constexpr std::size_t most = 2000;
  std::vector<std::string> names;
  std::error_code error;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator() && names.size() < most; entry.increment(error)) {
    std::error_code ignored;
    const bool is_folder = entry->is_directory(ignored);
    if (or_folder || !is_folder) { names.push_back(entry->path().filename().string()); }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

void ValueRules::check_number(const std::string& path, double value, const Rule& rule) {
  if (!std::isfinite(value)) return problem(path, "must be finite, got " + number_text(value));
  for (const NumberLimit& limit : number_limits(rule.range)) {
    if (limit.admits(value)) continue;
    return problem(path, "must be " + limit.text() + ", got " + number_text(value));
  }
}

void ValueRules::check_count(const std::string& path, std::uint64_t value, const Rule& rule) {
  if (rule.range.admits(static_cast<double>(value))) return;
  problem(path, "must be " + number_limits(rule.range).front().text() + ", got " + std::to_string(value));
}

void ValueRules::check_text(const std::string& path, const std::string& text, const Rule& rule) {
  if (rule.words != nullptr) (void)check_word(path, text, *rule.words);
  if (rule.existing_file) check_file(path, text, rule.or_folder);
}

bool ValueRules::check_word(const std::string& path, const std::string& word, const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), word) != words.end()) return true;
  problem(path, "unknown word " + shown(word) + "; " + foreign_word(word, words).value_or(suggestion(word, words)));
  return false;
}

void ValueRules::check_file(const std::string& path, const std::string& name, bool or_folder) {
  const auto file = (folder_ / name).lexically_normal();
  std::error_code ignored;
  if (name.empty()) {
    problem(path, std::string("must name a file") + (or_folder ? " or a folder" : "") + ", got \"\"");
  } else if (!or_folder && std::filesystem::is_directory(file, ignored)) {
    problem(path, "must name a file, but \"" + file.string() + "\" is a folder");
  } else if (!std::filesystem::exists(file, ignored)) {
    const auto near = nearest_name(file.filename().string(), names_beside(file, or_folder));
    problem(path, std::string("there is no file ") + (or_folder ? "or folder " : "") + "\"" + file.string() + "\"" +
                      (near ? "; did you mean \"" + *near + "\"?" : ""));
  } else if (const auto unusable = input_file_problem(file, "a file");
             unusable && !std::filesystem::is_directory(file, ignored)) {
    problem(path, "must name a file, but \"" + file.string() + "\" " + *unusable);
  }
}

void ValueRules::check_direction(const std::string& path, const Real3& vector) {
  const double square = vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2];
  if (vector[0] == 0 && vector[1] == 0 && vector[2] == 0) {
    problem(path, "must not be the zero vector");
  } else if (!(square >= 1e-280 && square <= 1e280)) {
    // The vector will be divided by its length: the sum of squares must neither lose digits nor overflow.
    problem(path, "is too short or too long a vector");
  }
}

void ValueRules::check_items(const std::string& path, std::size_t count, const Rule& rule) {
  if (count >= rule.min_items) return;
  problem(path, "must have at least " + counted(rule.min_items, "entry", "entries") + ", got " + std::to_string(count));
}

void ValueRules::check_name(const std::string& path, const std::string& name) {
  if (name.empty()) problem(path, "a name must not be empty");
  if (printable(name) != name) {
    problem(path, "a name must not hold control characters, got \"" + printable(name) + "\"");
  }
}

void ValueRules::check_exactly_one(const std::string& path, const std::vector<std::string>& names,
                                   const std::vector<std::string>& found) {
  if (found.size() == 1) return;
  if (names.size() == 1) return problem(below(path, names[0]), "is missing");
  problem(path,
          "must have exactly one of " + quoted_list(names) + ", got " + (found.empty() ? "none" : quoted_list(found)));
}

void ValueRules::check_choice(const std::string& path, const KeyChoice& choice,
                              const std::function<bool(const std::string&)>& is_given) {
  const std::vector<std::string> names(choice.keys.begin(), choice.keys.end());
  std::vector<std::string> found;
  std::copy_if(names.begin(), names.end(), std::back_inserter(found), is_given);
  if (!choice.allows_several) return check_exactly_one(path, names, found);
  if (found.empty()) { problem(path, "must have at least one of " + quoted_list(names)); }
}

}  // namespace scree
