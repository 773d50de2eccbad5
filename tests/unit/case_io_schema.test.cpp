#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "json_schema.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

namespace scree::case_io_schema_test {

Json read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return Json::parse(stream, nullptr, true, true);
}

std::filesystem::path configs() { return std::filesystem::path(SCREE_SOURCE_DIR) / "configs"; }

TEST(CaseSchema, AcceptsEveryConfigAndWhatIsWrittenOfIt) {
  const Json schema = Json::parse(case_schema());
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(configs())) {
    if (entry.path().extension() != ".json") continue;
    ++seen;
    const Json config = read(entry.path());
    EXPECT_TRUE(valid(config, schema)) << entry.path();
    if (config.contains("start")) continue;  // such a case starts from what the run of another case has left
    EXPECT_TRUE(valid(Json::parse(write_case(read_case(entry.path()))), schema)) << entry.path();
  }
  EXPECT_GT(seen, 0u);
}

TEST(CaseSchema, RejectsWhatTheReaderRejects) {
  const Json schema = Json::parse(case_schema());
  const Json good = read(configs() / "minimal.json");
  ASSERT_TRUE(valid(good, schema));
  const auto rejects = [&](const char* pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return !valid(bad, schema);
  };
  EXPECT_TRUE(rejects("/gravty", 1));
  EXPECT_TRUE(rejects("/time/duration", 0));
  EXPECT_TRUE(rejects("/time/step", "fast"));
  EXPECT_TRUE(rejects("/materials/glass/poisson_ratio", 0.5));
  EXPECT_TRUE(rejects("/materials/glass/densty", 1));
  EXPECT_TRUE(rejects("/particles/0/fill/solid_fraction", 0.3));
  EXPECT_TRUE(rejects("/particles/0/fill/sphere", Json{{"center", {0, 0, 0}}, {"radius", 1}}));
  EXPECT_TRUE(rejects("/particles/0/radius", Json{{"uniform", {1, -1}}}));
  EXPECT_TRUE(rejects("/boundaries/floor/normal", Json{0, 0, 0}));
  EXPECT_TRUE(rejects("/boundaries/floor/radius", 1));
  EXPECT_TRUE(rejects("/boundaries/floor/type", "mesh"));
  EXPECT_TRUE(rejects("/output/frames/fields/0", "velocty"));
  EXPECT_FALSE(rejects("/time/step", 1e-5));
  EXPECT_TRUE(rejects("/neighbours", Json{{"verlet_distance", "big"}}));
  EXPECT_TRUE(rejects("/neighbours", Json{{"verlet_distance", 0}}));
  EXPECT_TRUE(rejects("/neighbours", Json{{"verlet_distance", Json::object()}}));
  EXPECT_TRUE(rejects("/neighbours", Json{{"verlet_distance", {{"of_smallest_radius", 0}}}}));
  EXPECT_TRUE(rejects("/neighbours", Json{{"verlet_distance", {{"of_largest_radius", 0.1}}}}));
  EXPECT_TRUE(rejects("/neighbours", Json{{"target_interval", 0.5}}));
  EXPECT_TRUE(rejects("/neighbours", Json{{"target_interval", "auto"}}));
  EXPECT_FALSE(rejects("/neighbours", Json{{"verlet_distance", "auto"}}));
  EXPECT_FALSE(rejects("/neighbours", Json{{"verlet_distance", 1e-4}, {"target_interval", 1}}));
  EXPECT_FALSE(rejects("/neighbours", Json{{"verlet_distance", {{"of_smallest_radius", 0.2}}}}));
}

/// Calls `take` with every number of a schema and its place.
template <class Take>
void for_each_number(const Json& schema, const std::string& place, const Take& take) {
  if (!schema.is_structured()) return;
  if (schema.is_object() && schema.value("type", Json()) == "number") take(schema, place);
  for (const auto& [key, item] : schema.items()) {
    if (key != "not" && key != "default") for_each_number(item, place + "/" + key, take);
  }
}

TEST(CaseSchema, StatesTheLimitsOfAllNumbers) {
  const Json schema = Json::parse(case_schema());
  std::size_t seen = 0;
  for_each_number(schema, "", [&](const Json& number, const std::string& place) {
    ++seen;
    EXPECT_FALSE(valid(2e30, number)) << place;
    EXPECT_FALSE(valid(-2e30, number)) << place;
    EXPECT_EQ(number.contains("minimum") + number.contains("exclusiveMinimum"), 1) << place;
    EXPECT_EQ(number.contains("maximum") + number.contains("exclusiveMaximum"), 1) << place;
  });
  EXPECT_GT(seen, 100U);
}

TEST(CaseSchema, LimitsAreThoseOfTheReader) {
  const Json schema = Json::parse(case_schema());
  const std::filesystem::path file = configs() / "minimal.json";
  const auto both = [&](const std::string& path, const std::string& value) {
    bool read_it = true;
    try {
      (void)read_case(file, {path + "=" + value});
    } catch (const CaseError&) { read_it = false; }
    Json changed = read(file);
    std::string pointer = "/" + path;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    changed[Json::json_pointer(pointer)] = Json::parse(value);
    EXPECT_EQ(valid(changed, schema), read_it) << path << "=" << value;
    return read_it;
  };
  for (const char* path : {"time.duration", "materials.glass.density", "particles.0.radius"}) {  // above 0
    for (const char* bad : {"0", "-1", "1e-51", "2e30", "1e300"}) EXPECT_FALSE(both(path, bad)) << path;
    for (const char* good : {"1e-50", "1", "1e30"}) EXPECT_TRUE(both(path, good)) << path;
  }
  // from 0
  for (const char* bad : {"-1e-300", "1e-51", "2e30"}) EXPECT_FALSE(both("materials.glass.friction", bad));
  for (const char* good : {"0", "1e-50", "1e30"}) EXPECT_TRUE(both("materials.glass.friction", good));
  // [0, 0.5)
  for (const char* bad : {"0.5", "1e-51", "1e30"}) EXPECT_FALSE(both("materials.glass.poisson_ratio", bad));
  for (const char* good : {"0", "1e-50", "0.499"}) EXPECT_TRUE(both("materials.glass.poisson_ratio", good));
  for (const char* bad : {"[0,0,2e30]", "[-2e30,0,0]"}) EXPECT_FALSE(both("gravity", bad));  // both signs are allowed
  for (const char* good : {"[0,1e-300,-1e30]", "[0,0,0]"}) EXPECT_TRUE(both("gravity", good));
}

TEST(CaseSchema, TellsUnitsAndDefaults) {
  const Json all = Json::parse(case_schema());
  EXPECT_EQ(all["$schema"], "https://json-schema.org/draft/2020-12/schema");
  const Json& properties = all["properties"];
  EXPECT_EQ(properties["materials"]["additionalProperties"]["properties"]["density"]["description"],
            "Mass density of the solid [kg/m3].");
  EXPECT_EQ(properties["time"]["properties"]["step"]["default"], "auto");
  const Json& neighbours = properties["neighbours"]["properties"];
  EXPECT_EQ(neighbours["verlet_distance"]["default"], "auto");
  EXPECT_TRUE(neighbours["verlet_distance"]["description"].get<std::string>().ends_with(" [m]."));
  EXPECT_TRUE(neighbours["target_interval"]["description"].get<std::string>().ends_with(" [steps]."));
  EXPECT_EQ(properties["gravity"]["default"], Json({0, 0, -9.81}));
  EXPECT_EQ(properties["precision"]["enum"], Json({"mixed", "double"}));
}

}  // namespace scree::case_io_schema_test
