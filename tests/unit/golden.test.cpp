#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "json_schema.hpp"
#include "scree/case_file.hpp"

namespace scree::golden_test {

namespace fs = std::filesystem;

const fs::path root = SCREE_SOURCE_DIR;

/// The vocabulary of cases: each key of each object, and each word that can be a value. An object that occurs at two
/// places of the schema counts once, also if the places describe it in other words, so a motion need not occur at a
/// boundary of every shape.
class Vocabulary {
 public:
  explicit Vocabulary(const Json& schema) { collect(schema, ""); }

  /// Removes all keys and words that a valid value uses.
  void strike_out(const Json& value, const Json& schema) {
    for (const char* several : {"oneOf", "anyOf"}) {
      for (const Json& one : schema.value(several, Json::array())) {
        if (valid(value, one)) { strike_out(value, one); }
      }
    }
    if (is_word(schema)) { unsaid_.erase(word(value, schema)); }
    if (value.is_object()) {
      const Json properties = schema.value("properties", Json::object());
      for (const auto& [key, item] : value.items()) {
        if (properties.contains(key)) {
          unsaid_.erase(word(key, schema));
          strike_out(item, properties[key]);
        } else if (schema.contains("additionalProperties")) {
          strike_out(item, schema["additionalProperties"]);
        }
      }
    } else if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        const bool own = schema.contains("prefixItems") && i < schema["prefixItems"].size();
        if (own) { strike_out(value[i], schema["prefixItems"][i]); }
        if (!own && schema.contains("items")) { strike_out(value[i], schema["items"]); }
      }
    }
  }

  /// The places in a case of the keys and words that remain.
  std::set<std::string> unsaid() const {
    std::set<std::string> places;
    for (const auto& [id, place] : unsaid_) { places.insert(place); }
    return places;
  }

 private:
  using Id = std::pair<std::size_t, std::string>;

  static bool is_word(const Json& schema) { return schema.contains("enum") || schema.contains("const"); }
  static Id word(const Json& value, Json schema) {
    schema.erase("description");
    return {std::hash<std::string>()(schema.dump()), value.dump()};
  }

  void collect(const Json& schema, const std::string& place) {
    if (!schema.is_object()) { return; }
    for (const char* several : {"oneOf", "anyOf", "prefixItems"}) {
      for (const Json& one : schema.value(several, Json::array())) { collect(one, place); }
    }
    if (schema.contains("const")) {
      unsaid_.emplace(word(schema["const"], schema), place + "=" + schema["const"].dump());
    }
    for (const Json& one : schema.value("enum", Json::array())) {
      unsaid_.emplace(word(one, schema), place + "=" + one.dump());
    }
    const Json properties = schema.value("properties", Json::object());
    const std::string kind = properties.value(Json::json_pointer("/type/const"), "");
    for (const auto& [key, item] : properties.items()) {
      const std::string below = place + (kind.empty() ? "" : "(" + kind + ")") + "." + key;
      unsaid_.emplace(word(key, schema), below);
      collect(item, below);
    }
    if (schema.contains("additionalProperties")) { collect(schema["additionalProperties"], place + ".NAME"); }
    if (schema.contains("items")) { collect(schema["items"], place); }
  }

  std::map<Id, std::string> unsaid_;
};

std::vector<fs::path> cases_in(const fs::path& folder) {
  std::vector<fs::path> cases;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".json") { cases.push_back(entry.path()); }
  }
  return cases;
}

Json read(const fs::path& file) {
  std::ifstream stream(file);
  return Json::parse(stream, nullptr, true, true);
}

TEST(Golden, CasesSayAllThatACaseCanSay) {
  const Json schema = Json::parse(case_schema());
  Vocabulary vocabulary(schema);
  for (const char* folder : {"configs", "tests/golden/cases"}) {
    for (const fs::path& file : cases_in(root / folder)) {
      const Json value = read(file);
      EXPECT_TRUE(valid(value, schema)) << file;
      vocabulary.strike_out(value, schema);
    }
  }
  for (const char* precision : {"mixed", "double"}) {  // scripts/golden.sh runs its cases in both
    Json value = read(root / "tests/golden/cases/law_jkr.json");
    value["precision"] = precision;
    vocabulary.strike_out(value, schema);
  }
  for (const std::string& place : vocabulary.unsaid()) {
    if (place == ".particles.fill.face") { continue; }  // a face has no volume: only inlets have it, says a rule
    ADD_FAILURE() << place.substr(1)
                  << " is in no case of tests/golden/cases: put it into one, then scripts/golden.sh --update";
  }
}

TEST(Golden, AWordThatNoCaseSaysIsFound) {
  Json schema = Json::parse(case_schema());
  const Json value = read(root / "tests/golden/cases/law_jkr.json");
  Vocabulary vocabulary(schema);
  vocabulary.strike_out(value, schema);
  const auto unsaid = vocabulary.unsaid();
  EXPECT_TRUE(unsaid.count(".contacts.law=\"jaeger\""));
  EXPECT_FALSE(unsaid.count(".contacts.law=\"jkr\""));
  EXPECT_TRUE(unsaid.count(".boundaries.NAME=\"cone\"") || unsaid.count(".boundaries.NAME(cone).type=\"cone\""));
  EXPECT_TRUE(unsaid.count(".no_ratcheting"));
  EXPECT_FALSE(unsaid.count(".gravity"));
}

// scripts/golden.sh finds the columns of probes by this beginning of their names.
TEST(Golden, NamesOfProbesBeginWithProbe) {
  for (const fs::path& file : cases_in(root / "tests/golden/cases")) {
    const Json value = read(file);
    const Json probes = value.value(Json::json_pointer("/output/series/probes"), Json::object());
    for (const auto& [name, probe] : probes.items()) { EXPECT_EQ(name.rfind("probe_", 0), 0u) << file << ": " << name; }
  }
}

TEST(Golden, EveryCaseHasItsHashes) {
  std::set<std::pair<std::string, std::string>> listed;
  std::ifstream stream(root / "tests/golden/hashes.txt");
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string name, precision, steps, hash;
    words >> name >> precision >> steps >> hash;
    if (name == "#") { continue; }
    EXPECT_TRUE(fs::exists(root / name)) << name << " is listed and not there";
    EXPECT_EQ(hash.size(), 32u) << line;
    listed.emplace(name, precision);
  }
  for (const char* folder : {"configs", "tests/golden/cases"}) {
    for (const fs::path& file : cases_in(root / folder)) {
      const std::string name = fs::relative(file, root).generic_string();
      if (name.rfind("configs/benchmark/", 0) == 0) { continue; }  // scripts/golden.sh leaves them out: they are large
      const bool both = std::string(folder) != "configs";
      const std::string own = read(file).value("precision", "mixed");
      for (const std::string precision : {"mixed", "double"}) {
        if (!both && precision != own) { continue; }
        EXPECT_TRUE(listed.count({name, precision}))
            << name << ", " << precision << ": scripts/golden.sh --update adds it";
      }
    }
  }
}

}  // namespace scree::golden_test
