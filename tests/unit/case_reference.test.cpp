#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "scree/case_file.hpp"

/// docs/case_file.md names exactly the keys of the case schema.
namespace scree::case_reference_test {

using Json = nlohmann::json;
using Words = std::set<std::string>;

/// The keys of a case file. Some keys are followed by names that the user chooses (materials, boundaries, ...).
struct Keys {
  Words all, with_names_below;

  explicit Keys(const Json& schema) { collect(schema); }

  void collect(const Json& schema) {
    if (!schema.is_structured()) { return; }
    const Json properties = schema.is_object() ? schema.value("properties", Json::object()) : Json::object();
    for (const auto& [key, item] : properties.items()) {
      all.insert(key);
      if (item.contains("additionalProperties") && item["additionalProperties"].is_object()) {
        with_names_below.insert(key);
      }
    }
    for (const auto& [key, item] : schema.items()) {
      if (key != "default" && key != "enum") { collect(item); }
    }
  }
};

std::vector<std::string> all_matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator k(text.begin(), text.end(), pattern), end; k != end; ++k) { found.push_back((*k)[1]); }
  return found;
}

/// The spans of `code` in a line of Markdown.
std::vector<std::string> code_spans(const std::string& line) { return all_matches(line, std::regex("`([^`]+)`")); }

std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> result;
  std::istringstream stream(row.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) {
    const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    result.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return result;
}

/// The words that docs/case_file.md uses as keys.
class Reference {
 public:
  explicit Reference(std::istream& text, const Keys& keys) : keys_(keys) {
    bool fenced = false;
    std::string fence;
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("```")) {
        if (fenced) { read_fence(fence); }
        fenced = !fenced;
        fence.clear();
      } else if (fenced) {
        fence += line + "\n";
      } else {
        read_line(line);
      }
    }
  }

  Words named;                        ///< words that are used as keys
  std::vector<std::string> unparsed;  ///< examples that are not JSON

 private:
  void read_line(const std::string& line) {
    if (!line.starts_with("|")) {
      key_column_ = -1;
    } else if (key_column_ < 0) {  // the header row of a table
      const auto head = cells(line);
      const auto place = std::find(head.begin(), head.end(), "key");
      key_column_ = place == head.end() ? 1000 : place - head.begin();
    } else if (const auto row = cells(line); key_column_ < static_cast<std::ptrdiff_t>(row.size())) {
      for (const auto& span : code_spans(row[static_cast<std::size_t>(key_column_)])) { add_words(span); }
    }
    for (const auto& span : code_spans(line)) { read_code(span); }
  }

  /// Reads code such as `{ "center", "radius": 1 }`, `time.safety` or `--set contacts.0.friction=0.3`.
  void read_code(const std::string& code) {
    static const std::regex path("[a-z_]+(\\.[a-z_]+)+"), set("--set ([^= ]+)="), key("\"([a-z_]+)\" *:"),
        short_form("\\{ *((\"[a-z_]+\" *,? *)+)\\}");
    static const std::regex of_a_file(".*\\.(csv|log|json|md|stl|obj|cpp|hpp)");
    if (std::regex_match(code, path) && !std::regex_match(code, of_a_file)) { add_words(code); }
    for (const auto& found : all_matches(code, set)) { add_words(found); }
    for (const auto& found : all_matches(code, key)) { named.insert(found); }
    for (const auto& found : all_matches(code, short_form)) { add_words(found); }
  }

  void add_words(const std::string& text) {
    for (const auto& word : all_matches(text, std::regex("([a-z_]+)"))) { named.insert(word); }
  }

  /// Reads a JSON example, which may leave parts out as { ... }.
  void read_fence(std::string text) {
    text = std::regex_replace(text, std::regex("\\.\\.\\."), "");
    if (text.find_first_not_of(" \n") != text.find('{')) { text = "{" + text + "}"; }
    const Json example = Json::parse(text, nullptr, false, true);
    if (example.is_discarded()) {
      unparsed.push_back(text);
    } else {
      read_example(example, false);
    }
  }

  void read_example(const Json& value, bool of_names) {
    for (const auto& [key, item] : value.items()) {
      if (value.is_object() && !of_names) { named.insert(key); }
      if (item.is_structured()) { read_example(item, value.is_object() && keys_.with_names_below.count(key) > 0); }
    }
  }

  const Keys& keys_;
  std::ptrdiff_t key_column_ = -1;
};

Words without(const Words& all, const Words& some) {
  Words rest;
  for (const auto& word : all) {
    if (some.count(word) == 0) { rest.insert(word); }
  }
  return rest;
}

TEST(CaseReference, NamesEveryKeyOfTheSchemaAndNoOther) {
  const Keys keys(Json::parse(case_schema()));
  EXPECT_GT(keys.all.size(), 150U);
  std::ifstream text(std::filesystem::path(SCREE_SOURCE_DIR) / "docs/case_file.md");
  const Reference reference(text, keys);
  for (const auto& key : without(keys.all, reference.named)) {
    if (key == "$schema") { continue; }  // it does not belong to the run
    ADD_FAILURE() << "docs/case_file.md does not tell of the key " << key;
  }
  for (const auto& key : without(reference.named, keys.all)) {
    ADD_FAILURE() << "docs/case_file.md names the key " << key << ", which the case file has not";
  }
  for (const auto& example : reference.unparsed) { ADD_FAILURE() << "an example is not JSON:\n" << example; }
}

TEST(CaseReference, AKeyThatIsMissingOrMadeUpIsFound) {
  const Keys keys(Json::parse(R"({ "properties": {
    "time": { "properties": { "step": {}, "safety": {} } },
    "materials": { "additionalProperties": { "properties": { "density": {} } } } } })"));
  EXPECT_EQ(keys.all, (Words{"time", "step", "safety", "materials", "density"}));
  std::istringstream text(R"(
`series.csv` and "lead": prose.

| key | unit | meaning |
|---|---|---|
| `step`, `stride` | s | as `time.speed` with `--set time.haste=1` |

| law | what |
|---|---|
| `glide` | `{ "from", "to" }`, `{ "radius": 1 }` |

```json
"materials": { "glass": { "density": 1, "fill": { ... } } }  // names are yours
```
)");
  const Reference reference(text, keys);
  EXPECT_EQ(without(keys.all, reference.named), (Words{"safety"}));
  EXPECT_EQ(without(reference.named, keys.all), (Words{"stride", "speed", "haste", "from", "to", "radius", "fill"}));
  EXPECT_TRUE(reference.unparsed.empty());
}

}  // namespace scree::case_reference_test
