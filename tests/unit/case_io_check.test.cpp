#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "host/commands/check.hpp"
#include "host/commands/schema.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

std::filesystem::path minimal() { return std::filesystem::path(SCREE_SOURCE_DIR) / "configs" / "minimal.json"; }

/// The rest of the line that begins with `label`; empty when there is none.
std::string entry(const std::string& text, const std::string& label) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(label + " ")) return line.substr(line.find_first_not_of(' ', label.size()));
  }
  return "";
}

TEST(CheckCommand, SaysWhatARunWouldBe) {
  std::ostringstream out;
  EXPECT_EQ(run_check(minimal(), {"time.step=1e-5", "time.duration=0.2", "output.frames.every=0.02"}, out), 0);
  const std::string text = out.str();
  EXPECT_EQ(entry(text, "particles").substr(0, 18), "100 spheres, radiu") << text;
  EXPECT_NE(entry(text, "particles").find("total mass 0.0"), std::string::npos) << text;
  EXPECT_EQ(entry(text, "boundaries"), "floor (plane), left (plane), right (plane), front (plane), back (plane)");
  EXPECT_EQ(entry(text, "time step").substr(0, 8), "1e-05 s;") << text;
  EXPECT_NE(entry(text, "Verlet distance"), "") << text;
  EXPECT_EQ(entry(text, "steps"), "20 000 for 0.2 s") << text;
  EXPECT_EQ(entry(text, "frames"), "11, every 0.02 s from the start") << text;
  EXPECT_TRUE(entry(text, "memory").starts_with("about ")) << text;
  EXPECT_NE(entry(text, "memory").find(" in mixed precision, an estimate for a dense packing with "), std::string::npos) << text;
  EXPECT_NE(entry(text, "memory").find("bodies 8.59 KiB, neighbour list "), std::string::npos) << text;
  EXPECT_EQ(entry(text, "load histories"), "") << text;
}

TEST(CheckCommand, PlansLoadHistoriesOfTheLawJaeger) {
  std::ostringstream out, capped;
  const auto law = [](const std::string& more) { return "contacts=[{\"between\":[\"*\",\"*\"],\"law\":\"jaeger\"" + more + "}]"; };
  EXPECT_EQ(run_check(minimal(), {law("")}, out), 0);
  EXPECT_NE(entry(out.str(), "load histories").find("with 100 segments per contact in the mean"), std::string::npos) << out.str();
  EXPECT_NE(entry(out.str(), "load histories").find("1 000 000 particles"), std::string::npos) << out.str();
  EXPECT_EQ(run_check(minimal(), {law(",\"load_history\":{\"most_segments\":16}")}, capped), 0);
  EXPECT_NE(entry(capped.str(), "load histories").find("with 16 segments per contact"), std::string::npos) << capped.str();
  EXPECT_EQ(entry(capped.str(), "load histories").find("260"), std::string::npos) << capped.str();
}

TEST(CheckCommand, WrongInputThrowsEveryProblem) {
  std::ostringstream out;
  try {
    run_check(minimal(), {"time.duration=-1", "materials.glass.density=-1"}, out);
    FAIL();
  } catch (const CaseError& error) {
    EXPECT_EQ(error.problems().size(), 2u) << error.what();
  }
  EXPECT_EQ(out.str(), "");
}

TEST(SchemaCommand, PrintsTheSchema) {
  std::ostringstream out;
  EXPECT_EQ(run_schema(out), 0);
  EXPECT_EQ(out.str().substr(0, 16), "{\n  \"$schema\": \"");
}

}  // namespace
}  // namespace scree
