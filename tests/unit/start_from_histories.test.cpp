#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
#include "scree/engine_state.hpp"
#include "start_runs.hpp"

/// Cases that start from a packing with load histories.
namespace scree::test::start_from_histories_test {

/// The histories of the contacts in a state, without ids, since removed particles change the ids.
std::vector<StateArray> memories(const EngineState& state) {
  std::vector<StateArray> all;
  for (const StateArray& array : state.arrays) {
    const bool of_contacts = array.name.starts_with("pairs/") || array.name.starts_with("boundary_contacts/");
    const bool ids = array.name == "pairs/ids" || array.name == "boundary_contacts/id";
    if (array.name.find("segments/") != std::string::npos || (of_contacts && !ids)) { all.push_back(array); }
  }
  return all;
}
std::size_t segments_in(const EngineState& state, const char* group) {
  return state.find(std::string(group) + "/end")->rows();
}

class StartOfLoadHistories : public Start {
 protected:
  void SetUp() override {
    std::string packing = packing_case(GetParam()), next = started_case(GetParam());
    const std::string rule = R"("contacts": [ { "between": ["*", "*"], "law": "jaeger" } ], "boundaries")";
    const std::string wall = R"(1], "material": "glass")";
    for (std::string* text : {&packing, &next}) {
      text->replace(text->find("\"boundaries\""), 12, rule);
      text->replace(text->find(wall), wall.size(), R"(1], "material": "unused")");
    }
    next.replace(next.find("\"clay\""), 6,
                 R"("unused": { "density": 1, "young_modulus": 1e7, "poisson_ratio": 0.2, "friction": 0.4, )"
                 R"("restitution": 0.5 }, "clay")");
    packing.replace(packing.find("\"friction\": 0.1"), 15, "\"friction\": 0.4");
    write_text(folder_ / "packing.json", packing);
    write_text(folder_ / "case.json", next);
    run("packing.json", "packing");
  }
  static std::string materials(const char* clay, const char* of_wall = "0.4") {
    return std::string(R"(materials={"clay":)") + clay +
           R"(,"unused":{"density":1,"young_modulus":1e7,"poisson_ratio":0.2,"friction":)" + of_wall +
           R"(,"restitution":0.5})" +
           R"(,"glass":{"density":2500,"young_modulus":1e7,"poisson_ratio":0.25,"friction":0.4,"restitution":0.5}})";
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, StartOfLoadHistories, testing::Values("mixed", "double"));

TEST_P(StartOfLoadHistories, GoOnBitForBit) {
  const auto old = old_engine();
  Started next = started();
  ASSERT_EQ(next.notes.size(), 2U);
  EXPECT_IN("with boundaries go on", next.notes[1]);
  EXPECT_EQ(next.engine->counts().segments, old->counts().segments) << "before the first step";
  EXPECT_EQ(next.engine->counts().longest_history, old->counts().longest_history);
  const EngineState before = old->save(), after = next.engine->save();
  EXPECT_GT(segments_in(before, "pair_segments"), 200U);
  EXPECT_GT(segments_in(before, "boundary_segments"), 50U);
  const auto arrays = memories(before);
  EXPECT_GT(arrays.size(), 12U);
  for (const StateArray& array : arrays) {
    ASSERT_NE(after.find(array.name), nullptr) << array.name;
    EXPECT_EQ(after.find(array.name)->bytes, array.bytes) << array.name;
  }
  EXPECT_EQ(segments_in(next.engine->save(), "boundary_segments"), segments_in(before, "boundary_segments"));
  old->advance(1);
  next.engine->advance(1);
  EXPECT_LT(largest_difference(old->touching_contacts(), next.engine->touching_contacts()), 1e-6);
  EXPECT_EQ(next.engine->counts().segments, old->counts().segments);
}

TEST_P(StartOfLoadHistories, BeginAnewWhereTheyWouldMeanSomethingElse) {
  const std::string other = GetParam() == std::string("mixed") ? "double" : "mixed";
  const auto old = segments_in(old_engine()->save(), "pair_segments");
  Started of_precision = started({"precision=" + other});
  EXPECT_IN("start: 0 contacts among particles go on", of_precision.notes.at(0));
  EXPECT_EQ(segments_in(of_precision.engine->save(), "pair_segments"), 0U);
  EXPECT_EQ(segments_in(of_precision.engine->save(), "boundary_segments"), 0U);
  EXPECT_NO_THROW(of_precision.engine->advance(20));
  EXPECT_GT(of_precision.engine->counts().segments, 100U);
  for (const char* clay :
       {R"({"density":1500,"young_modulus":5e6,"poisson_ratio":0.3,"friction":0.5,"restitution":0.3})",
        R"({"density":1500,"young_modulus":6e6,"poisson_ratio":0.3,"friction":0.6,"restitution":0.3})",
        R"({"density":1500,"young_modulus":5e6,"poisson_ratio":0.2,"friction":0.6,"restitution":0.3})"}) {
    Started changed = started({materials(clay)});
    const auto kept = segments_in(changed.engine->save(), "pair_segments");
    EXPECT_GT(kept, 5U) << "those of glass and glass";
    EXPECT_LT(kept, old / 2) << clay;
    EXPECT_IN("begin anew, without shear: their law is another one, or what their load history means",
              changed.notes.at(1));
    EXPECT_GT(segments_in(changed.engine->save(), "boundary_segments"), 5U) << "those of glass at the walls";
    EXPECT_NO_THROW(changed.engine->advance(20));
  }
  Started stiffer = started({R"(contacts=[{"between":["*","*"],"law":"jaeger","shear_modulus":1e6}])"});
  EXPECT_EQ(segments_in(stiffer.engine->save(), "pair_segments"), 0U);
  Started softer = started({R"(contacts=[{"between":["*","*"],"law":"jaeger","young_modulus":1e6}])"});
  EXPECT_EQ(segments_in(softer.engine->save(), "pair_segments"), 0U);
  constexpr const char* clay_as_it_was =
      R"({"density":1500,"young_modulus":5e6,"poisson_ratio":0.3,"friction":0.6,"restitution":0.3})";
  Started smooth = started({materials(clay_as_it_was, "0.3")});
  EXPECT_EQ(segments_in(smooth.engine->save(), "pair_segments"), old);
  EXPECT_EQ(segments_in(smooth.engine->save(), "boundary_segments"), 0U) << "the friction of the walls is another one";
  Started same = started(
      {materials(R"({"density":1500,"young_modulus":5e6,"poisson_ratio":0.3,"friction":0.6,"restitution":0.7})")});
  EXPECT_EQ(segments_in(same.engine->save(), "pair_segments"), old) << "dashpots stand beside";
}

TEST_P(StartOfLoadHistories, RunsAndResumesToTheSameBits) {
  ASSERT_EQ(run("case.json", "whole"), exit_done);
  const std::string whole = hash();
  ASSERT_EQ(run("case.json", "out", false, 77), exit_done);
  ASSERT_EQ(run("case.json", "out", true), exit_done);
  EXPECT_EQ(hash(), whole);
}

}  // namespace scree::test::start_from_histories_test
