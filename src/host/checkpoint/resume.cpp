#include "host/checkpoint/resume.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "host/case/io/json.hpp"
#include "host/checkpoint/files_hash.hpp"
#include "host/text/text.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"
#include "scree/version.hpp"

namespace scree {
namespace {

/// Walks through two case files together and records their differences.
class Comparison {
 public:
  /// `files` are the places in the case whose values are names of files.
  Comparison(bool adaptive, const std::vector<CaseFile>& files) : adaptive_(adaptive) {
    for (const CaseFile& file : files) { files_.insert(file.keys); }
  }

  void compare(const Json* there, const Json* here) {
    if (may_differ() || (there != nullptr && here != nullptr && *there == *here)) { return; }
    const auto structured = [](const Json* value) { return value == nullptr || value->is_structured(); };
    const bool both_known = there != nullptr && here != nullptr;
    if (!both_known || !structured(there) || !structured(here) || there->type() != here->type()) {
      const auto text = [](const Json* value) { return value == nullptr ? std::string("absent") : shown(*value); };
      note(" (" + text(there) + " there, " + text(here) + " here)");
    } else if (there->is_array()) {
      for (std::size_t i = 0; i < std::max(there->size(), here->size()); ++i) {
        compare_below(std::to_string(i), i < there->size() ? &(*there)[i] : nullptr,
                      i < here->size() ? &(*here)[i] : nullptr);
      }
    } else {
      compare_members(*there, *here);
    }
  }

  std::vector<std::string> differences;

 private:
  using Keys = std::vector<std::string>;

  /// Whether a resumed run may change this value. The safety of a step matters only if the step adapts. Names of files
  /// may change, because hashes in the checkpoint cover their contents.
  [[nodiscard]] bool may_differ() const {
    static const std::set<Keys> free{{"title"}, {"time", "duration"}, {"neighbours"}, {"output"}, {"start"}};
    if (keys_ == Keys{"time", "safety"}) { return !adaptive_; }
    return free.contains(keys_) || files_.contains(keys_);
  }

  /// Whether other parts of the case, or checkpoints, refer to the members of this object by their numbers.
  [[nodiscard]] bool are_numbered() const {
    static const std::set<Keys> numbered{
        {"materials"}, {"shapes"}, {"groups"}, {"boundaries"}, {"domain", "outlets"}, {"domain", "delete_in"}};
    return numbered.contains(keys_);
  }

  void compare_members(const Json& there, const Json& here) {
    const std::size_t before = differences.size();
    const auto member = [](const Json& object, const std::string& key) {
      const auto found = object.find(key);
      return found == object.end() ? nullptr : &*found;
    };
    for (const auto& [key, value] : there.items()) { compare_below(key, &value, member(here, key)); }
    for (const auto& [key, value] : here.items()) {
      if (!there.contains(key)) { compare_below(key, nullptr, &value); }
    }
    const auto names = [](const Json& object) {
      Keys all;
      for (const auto& [key, value] : object.items()) { all.push_back(key); }
      return all;
    };
    if (are_numbered() && differences.size() == before && names(there) != names(here)) {
      note(" (in another order there)");
    }
  }

  void compare_below(const std::string& key, const Json* there, const Json* here) {
    keys_.push_back(key);
    compare(there, here);
    keys_.pop_back();
  }

  void note(const std::string& text) {
    const std::string path = CaseFile{keys_, {}}.path();
    differences.push_back((path.empty() ? "the case" : path) + text);
  }

  bool adaptive_;
  std::set<Keys> files_;
  Keys keys_;
};

/// The text of a case as this version of scree writes it, with defaults for keys that older versions did not have.
std::string rewritten(const std::string& text) {
  try {
    return write_case(parse_case(text, "/"));
  } catch (const CaseError&) { return text; }  // for instance if files that it names no longer exist
}

void expect_same_case(const std::filesystem::path& file, const Checkpoint& checkpoint, const Case& input,
                      const std::string& case_text, const Scene& scene) {
  const auto differences = differing_values(rewritten(checkpoint.case_text), case_text, files_of(input));
  std::vector<InputProblem> problems;
  for (const auto& difference : differences) {
    problems.push_back({"--resume", "the case of " + file.string() + " is another one: " + difference});
    constexpr std::size_t most = 10;
    if (problems.size() == most) { break; }
  }
  if (!problems.empty()) {
    problems.push_back({"--resume",
                        "a resumed run keeps its case; to go on with other values, give a case of its own "
                        "\"start\": \"" +
                            std::filesystem::absolute(file).string() + "\", and another --out"});
    throw CaseError(std::move(problems));
  }
  if (const auto changed = changed_files(checkpoint, file.string(), input, scene)) {
    throw CaseError("--resume", *changed);
  }
}

}  // namespace

std::vector<std::string> differing_values(const std::string& there, const std::string& here,
                                          const std::vector<CaseFile>& files) {
  std::vector<InputProblem> problems;
  Json first, second;
  if (!try_parse_json(there, first, problems) || !try_parse_json(here, second, problems)) {
    return {"the case (it cannot be read)"};
  }
  const Json::json_pointer adapts("/time/adaptive");
  const bool adaptive = second.contains(adapts) && second[adapts] == true;
  Comparison comparison(adaptive, files);
  comparison.compare(&first, &second);
  return std::move(comparison.differences);
}

Resumable find_resumable(const std::filesystem::path& folder, const Case& input, const std::string& case_text,
                         const Scene& scene) {
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
      result.warnings.emplace_back(std::string(error.what()) + "; the previous checkpoint is used");
    }
  }
  if (result.file.empty()) {
    std::vector<InputProblem> problems;
    for (const auto& warning : result.warnings) { problems.push_back({"--resume", warning}); }
    problems.push_back({"--resume", "no checkpoint in " + (folder / "checkpoints").string() + " can be read"});
    throw CaseError(std::move(problems));
  }
  expect_same_case(result.file, result.checkpoint, input, case_text, scene);
  if (result.checkpoint.version != SCREE_VERSION) {
    result.warnings.push_back(result.file.string() + " was written by scree " + result.checkpoint.version +
                              "; the results of this version may differ from it");
  }
  const std::vector<std::string> files = hashed_files(input);
  if (result.checkpoint.files_hash.empty() && !files.empty()) {
    result.warnings.push_back(result.file.string() + " does not tell what was in the " +
                              (files.size() == 1 ? "file" : "files") + " of " + quoted_list(files) +
                              "; whether that has changed is not known");
  }
  return result;
}

}  // namespace scree
