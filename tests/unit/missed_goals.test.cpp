#include <gtest/gtest.h>

#include "case_errors.hpp"
#include "host/run/missed_goals.hpp"

/// What a run says at its end of goals that it has not reached.
namespace scree::test::missed_goals_test {

Scene with_stages(std::vector<CellStage> stages) {
  Scene scene;
  scene.cell.emplace();
  scene.cell->stages = std::move(stages);
  return scene;
}

CellState in_stage(std::uint32_t stage) {
  CellState state;
  state.stage = stage;
  return state;
}

TEST(MissedGoals, AStageOfTheCellThatLacksItsConditionIsTold) {
  CellStage until_strain{.name = "shear"}, for_good{.name = "hold"}, timed{.name = "wait"};
  until_strain.strain[5] = 0.2;
  timed.duration = 1;
  const Scene scene = with_stages({until_strain, for_good});
  const auto said = unfinished_cell_stage(scene, in_stage(0), "within time.duration");
  ASSERT_TRUE(said.has_value());
  EXPECT_EQ(*said,
            "the run ended before the stage \"shear\" of domain.control did; what should end it did not come about "
            "within time.duration");
  EXPECT_FALSE(unfinished_cell_stage(scene, in_stage(1), "").has_value()) << "it lasts to the end of the run";
  EXPECT_FALSE(unfinished_cell_stage(scene, in_stage(2), "").has_value()) << "all are over";
  EXPECT_TRUE(unfinished_cell_stage(with_stages({until_strain}), in_stage(0), "").has_value());
  EXPECT_TRUE(unfinished_cell_stage(with_stages({timed, for_good}), in_stage(0), "").has_value());
  EXPECT_FALSE(unfinished_cell_stage(with_stages({timed}), in_stage(0), "").has_value()) << "it may end with the run";
  EXPECT_FALSE(unfinished_cell_stage({}, in_stage(0), "").has_value());
}

TEST(MissedGoals, ALawOfBondsWithoutBondsIsTold) {
  Scene scene;
  scene.law = LawKind::bonded;
  scene.materials.resize(1);
  scene.pairs.resize(1);
  ASSERT_TRUE(scene.has_bonds());
  EngineCounts counts;
  const std::string none = missing_bonds(scene, counts, false).value_or("");
  EXPECT_IN("no bond was made: at the start no two particles were within \"interaction_range\"", none);
  counts.broken_bonds = 1;
  EXPECT_FALSE(missing_bonds(scene, counts, true).has_value()) << "there were some";
  counts.bonds = 1200;
  EXPECT_EQ(bonds_at_start(scene, counts), "bonds       1 201 at the start");
  counts.bonds = 0;
  counts.broken_bonds = 0;
  scene.pairs[0].bond.form = BondForm::near;
  EXPECT_FALSE(missing_bonds(scene, counts, false).has_value()) << "they may still form";
  EXPECT_TRUE(missing_bonds(scene, counts, true).has_value());
  EXPECT_EQ(bonds_at_start(scene, counts), "bonds       0 at the start; more form where particles come near");
  scene.law = LawKind::hertz_mindlin;
  EXPECT_FALSE(missing_bonds(scene, counts, true).has_value());
  EXPECT_FALSE(bonds_at_start(scene, counts).has_value());
}

}  // namespace scree::test::missed_goals_test
