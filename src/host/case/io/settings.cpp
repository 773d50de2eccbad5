#include <charconv>
#include <optional>

#include "host/case/io/json.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (true) {
    const auto dot = path.find('.', start);
    parts.push_back(path.substr(start, dot - start));
    if (dot == std::string::npos) return parts;
    start = dot + 1;
  }
}

std::optional<std::size_t> as_index(const std::string& part) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
  return index;
}

bool is_utf8(const std::string& text) {
  try {
    (void)Json(text).dump();
    return true;
  } catch (const Json::type_error&) { return false; }
}

/// The value under the key or index `part` of `parent`. An object that lacks the key gets it. Null if that is not
/// possible; `message` then has the reason.
Json* step_into(Json& parent, const std::string& part, std::string& message) {
  if (parent.is_null()) {  // the step before has made it
    if (as_index(part)) {
      message = "cannot be set: there is no such list yet; set the whole list";
      return nullptr;
    }
    parent = Json::object();
  }
  if (parent.is_object()) return &parent[part];
  if (!parent.is_array()) {
    message = "cannot be set inside " + shown(parent);
    return nullptr;
  }
  const auto index = as_index(part);
  if (index && *index < parent.size()) return &parent[*index];
  message = index ? "there is no such entry; the list has " + counted(parent.size(), "entry", "entries")
                  : "must be a list index from 0, got \"" + part + "\"";
  return nullptr;
}

void apply(Json& root, const std::string& setting, std::vector<InputProblem>& problems) {
  const auto equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) {
    problems.push_back({"--set " + setting, "must be PATH=VALUE, as in time.duration=2"});
    return;
  }
  const std::string path = setting.substr(0, equals);
  const std::string text = setting.substr(equals + 1);
  if (!is_utf8(text)) {
    problems.push_back({path, "must be text in UTF-8"});
    return;
  }
  Json value;
  std::vector<InputProblem> duplicates;
  try {
    if (!try_parse_json(text, value, duplicates)) value = text;
  } catch (const CaseError& error) {
    for (const InputProblem& problem : error.problems()) problems.push_back({path, problem.message});
    return;
  }
  for (const InputProblem& problem : duplicates) problems.push_back({below(path, problem.path), problem.message});

  // This works on a copy, so that a setting that fails half way changes nothing.
  Json changed = root;
  Json* target = &changed;
  std::string walked;
  const std::vector<std::string> parts = split(path);
  if (parts.size() > most_json_levels) {
    problems.push_back({"--set", "a path must have at most " + std::to_string(most_json_levels) + " keys, got " +
                                     std::to_string(parts.size())});
    return;
  }
  for (const std::string& part : parts) {
    walked = below(walked, part);
    std::string message;
    target = part.empty() ? nullptr : step_into(*target, part, message);
    if (target == nullptr) {
      if (part.empty()) message = "must be keys joined by dots, as in contacts.0.friction";
      problems.push_back({part.empty() ? "--set " + setting : walked, message});
      return;
    }
  }
  *target = std::move(value);
  root = std::move(changed);
}

}  // namespace

void apply_settings(Json& root, const std::vector<std::string>& settings, std::vector<InputProblem>& problems) {
  for (const std::string& setting : settings) apply(root, setting, problems);
}

}  // namespace scree
