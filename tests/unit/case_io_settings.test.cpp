#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scree/case_file.hpp"
#include "scree/errors.hpp"

namespace scree::case_io_settings_test {

using List = std::vector<std::string>;

const std::string base = R"({
  "time": { "duration": 1 },
  "materials": {
    "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.8 }
  },
  "contacts": [ { "between": ["*", "*"] } ],
  "particles": [
    { "material": "glass", "radius": 1e-3, "fill": { "box": [[0, 0, 0], [1, 1, 1]], "count": 10 } }
  ]
})";

Case changed(const List& settings) { return parse_case(base, "", settings); }

List problems_with(const List& settings) {
  List texts;
  try {
    (void)changed(settings);
  } catch (const CaseError& error) {
    for (const auto& problem : error.problems()) texts.push_back(problem.text());
  }
  return texts;
}

TEST(CaseSettings, ReplaceValues) {
  const Case input =
      changed({"time.duration=2.5", "contacts.0.friction=0.3", "particles.0.fill.box.1.0=3", "precision=double"});
  EXPECT_EQ(input.time.duration, 2.5);
  EXPECT_EQ(input.contacts.at(0).friction, 0.3);
  EXPECT_EQ(std::get<BoxRegion>(input.particles.at(0).fill->region).max, (Real3{3, 1, 1}));
  EXPECT_EQ(input.precision, Precision::double_);
}

TEST(CaseSettings, MakeOptionalObjects) {
  const Case input =
      changed({"output.frames.every=0.1", "integration.damping=0.2", "materials.wood.density=700",
               "materials.wood.young_modulus=1e9", "materials.wood.poisson_ratio=0.3", "materials.wood.friction=0.5"});
  ASSERT_TRUE(input.output.frames.has_value());
  EXPECT_EQ(input.output.frames->every, 0.1);
  EXPECT_EQ(input.integration.damping, 0.2);
  ASSERT_EQ(input.materials.size(), 2u);
  EXPECT_EQ(input.materials[1].first, "wood");
}

TEST(CaseSettings, ReplaceWholeObjectsAndLists) {
  const Case input = changed({R"(particles.0.radius={"uniform": [1, 2]})", "gravity=[0, 0, 0]"});
  EXPECT_EQ(std::get<UniformSize>(*input.particles[0].radius).max, 2);
  EXPECT_EQ(input.gravity, Real3{});
}

TEST(CaseSettings, TextNeedsNoQuotes) {
  EXPECT_EQ(changed({"title=Drum, slow"}).title, "Drum, slow");
  EXPECT_EQ(changed({"title=a=b"}).title, "a=b");
  EXPECT_EQ(changed({"title=\"7\""}).title, "7");
}

TEST(CaseSettings, LaterOnesWin) { EXPECT_EQ(changed({"seed=5", "seed=6"}).seed, 6u); }

TEST(CaseSettings, UnknownPaths) {
  EXPECT_EQ(problems_with({"time.duraton=2"}), List{"time.duraton: unknown key; did you mean \"duration\"?"});
  EXPECT_EQ(problems_with({"outputs.frames.every=2"}), List{"outputs: unknown key; did you mean \"output\"?"});
  EXPECT_EQ(problems_with({"contacts.1.friction=2"}), List{"contacts.1: there is no such entry; the list has 1 entry"});
  EXPECT_EQ(problems_with({"contacts.first.friction=2"}),
            List{"contacts.first: must be a list index from 0, got \"first\""});
  EXPECT_EQ(problems_with({"gravity.2=-1.62"}),
            List{"gravity.2: cannot be set: there is no such list yet; set the whole list"});
  EXPECT_EQ(problems_with({"time.duration.x=2"}), List{"time.duration.x: cannot be set inside 1"});
  EXPECT_EQ(problems_with({"seed"}), List{"--set seed: must be PATH=VALUE, as in time.duration=2"});
  EXPECT_EQ(problems_with({"title=\xff"}), List{"title: must be text in UTF-8"});
  EXPECT_EQ(problems_with({"time..step=2"}),
            List{"--set time..step=2: must be keys joined by dots, as in contacts.0.friction"});
}

}  // namespace scree::case_io_settings_test
