#include "host/checkpoint/resume.hpp"

#include <algorithm>

#include "host/case/io/json.hpp"
#include "host/text/text.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"
#include "scree/version.hpp"

namespace scree {
namespace {

/// What a resumed run may change. The safety of a step counts only where it adapts. A name of a file says nothing about
/// its content, which the hash of the scene covers.
bool may_differ(const std::string& path, bool adaptive) {
  if (adaptive && path == "time.safety") { return false; }
  for (const char* free : {"title", "time.duration", "time.safety", "neighbours", "output"}) {
    const std::string key = free;
    if (path == key || path.starts_with(key + ".")) { return true; }
  }
  return path == "start" || path.ends_with(".file");
}

void compare(const std::string& path, const Json* there, const Json* here, bool adaptive,
             std::vector<std::string>& differences) {
  if (may_differ(path, adaptive) || (there != nullptr && here != nullptr && *there == *here)) { return; }
  const auto structured = [](const Json* value) { return value == nullptr || value->is_structured(); };
  const bool both_known = there != nullptr && here != nullptr;
  if (!both_known || !structured(there) || !structured(here) || there->type() != here->type()) {
    const auto text = [](const Json* value) { return value == nullptr ? std::string("absent") : shown(*value); };
    differences.push_back((path.empty() ? "the case" : path) + " (" + text(there) + " there, " + text(here) + " here)");
    return;
  }
  if (there->is_array()) {
    for (std::size_t i = 0; i < std::max(there->size(), here->size()); ++i) {
      compare(below(path, std::to_string(i)), i < there->size() ? &(*there)[i] : nullptr,
              i < here->size() ? &(*here)[i] : nullptr, adaptive, differences);
    }
    return;
  }
  const std::size_t before = differences.size();
  const auto member = [](const Json& object, const std::string& key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  };
  for (const auto& [key, value] : there->items()) {
    compare(below(path, key), &value, member(*here, key), adaptive, differences);
  }
  for (const auto& [key, value] : here->items()) {
    if (!there->contains(key)) { compare(below(path, key), nullptr, &value, adaptive, differences); }
  }
  // Materials, boundaries and outlets are numbered as they stand.
  const auto names = [](const Json& object) {
    std::vector<std::string> all;
    for (const auto& [key, value] : object.items()) { all.push_back(key); }
    return all;
  };
  const bool named = path == "materials" || path == "boundaries" || path == "domain.outlets";
  if (named && differences.size() == before && names(*there) != names(*here)) {
    differences.push_back(path + " (in another order there)");
  }
}

/// The text as this version of scree writes it: keys that are new since then get their defaults.
std::string rewritten(const std::string& text) {
  try {
    return write_case(parse_case(text, "/"));
  } catch (const CaseError&) { return text; }  // names files that are not there any more, say
}

void expect_same_case(const std::filesystem::path& file, const Checkpoint& checkpoint, const std::string& case_text,
                      const Scene& scene) {
  const auto differences = differing_values(rewritten(checkpoint.case_text), case_text);
  std::vector<InputProblem> problems;
  for (const auto& difference : differences) {
    problems.push_back({"--resume", "the case of " + file.string() + " is another one: " + difference});
    constexpr std::size_t most = 10;
    if (problems.size() == most) { break; }
  }
  if (!problems.empty()) { throw CaseError(std::move(problems)); }
  if (checkpoint.scene_hash != scene_hash(scene)) {
    throw CaseError("--resume", "the particles of the start or the meshes are not those of " + file.string() +
                                    ": a file that the case names has changed");
  }
}

}  // namespace

std::vector<std::string> differing_values(const std::string& there, const std::string& here) {
  std::vector<InputProblem> problems;
  Json first, second;
  std::vector<std::string> differences;
  if (!try_parse_json(there, first, problems) || !try_parse_json(here, second, problems)) {
    return {"the case (it cannot be read)"};
  }
  const Json::json_pointer adapts("/time/adaptive");
  const bool adaptive = second.contains(adapts) && second[adapts] == true;
  compare("", &first, &second, adaptive, differences);
  return differences;
}

Resumable find_resumable(const std::filesystem::path& folder, const std::string& case_text, const Scene& scene) {
  auto present = checkpoints_in(folder / "checkpoints");
  if (present.empty()) {
    throw CaseError("--resume", "there is no checkpoint in " + (folder / "checkpoints").string() +
                                    "; run without --resume to start from the beginning");
  }
  Resumable result;
  for (auto entry = present.rbegin(); entry != present.rend(); ++entry) {
    try {
      result.checkpoint = read_checkpoint(entry->second);
      result.file = entry->second;
      break;
    } catch (const FormatError& error) { throw CaseError("--resume", error.what()); } catch (const StateError& error) {
      result.warnings.emplace_back(std::string(error.what()) + "; the one before it is used");
    }
  }
  if (result.file.empty()) {
    std::vector<InputProblem> problems;
    for (const auto& warning : result.warnings) { problems.push_back({"--resume", warning}); }
    problems.push_back({"--resume", "no checkpoint in " + (folder / "checkpoints").string() + " can be read"});
    throw CaseError(std::move(problems));
  }
  expect_same_case(result.file, result.checkpoint, case_text, scene);
  if (result.checkpoint.version != SCREE_VERSION) {
    result.warnings.push_back(result.file.string() + " was written by scree " + result.checkpoint.version +
                              "; the results of this version may differ from it");
  }
  return result;
}

}  // namespace scree
