#include <cmath>

#include "../physics/clump_shapes.hpp"
#include "hot_scene.hpp"
#include "piles.hpp"

// Bodies that are taken out of a run between two steps.
namespace scree::inline SCREE_BACKEND::removed_between_steps_test {

using RemovedBetweenSteps = BackendTest;

/// A pyramid with a name for what is removed.
Scene pile(Precision precision, double verlet = 0.2) {
  Scene scene = pyramid(precision, LawKind::hertz_mindlin, verlet);
  scene.energies = true;
  add_outlet(scene, "taken", {0, 0, -1}, {0, 0, -1});
  return scene;
}

const std::vector<std::uint32_t> some = {0, 5, 21, 29};

TEST_F(RemovedBetweenSteps, CountsBodiesAndTheirMass) {
  Scene scene = pile(Precision::double_);
  scene.lists_removed = true;
  const auto engine = make_backend_engine(scene);
  engine->advance(50);
  engine->remove(some, 0);
  const EngineCounts counts = engine->counts();
  EXPECT_EQ(counts.removed[0], some.size());
  EXPECT_EQ(counts.particles, scene.particles.size() - some.size());
  EXPECT_NEAR(counts.removed_mass[0], 4 * 2500 * 4.0 / 3.0 * 3.14159265358979323846 * bead * bead * bead, 1e-12);
  EXPECT_TRUE(engine->take_removed().empty());
  EXPECT_EQ(engine->snapshot().id.size(), 30 - some.size());
  engine->advance(1);
  for (const TouchingContact& contact : engine->touching_contacts()) {
    for (const std::uint32_t id : some) {
      EXPECT_TRUE(contact.second != id && (contact.with_boundary || contact.first != id));
    }
  }
}

TEST_F(RemovedBetweenSteps, SameBitsForAnyThreadsListsAndAfterARestore) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const auto first = make_backend_engine(pile(precision));
    const auto with_threads = make_backend_engine(pile(precision), 3);
    const auto with_long_lists = make_backend_engine(pile(precision, 0.6));
    const auto restored = make_backend_engine(pile(precision));
    for (Engine* const engine : {first.get(), with_threads.get(), with_long_lists.get()}) {
      engine->advance(50);
      engine->remove(some, 0);
    }
    EXPECT_EQ(with_threads->hash().text(), first->hash().text());
    restored->restore(first->save());
    EXPECT_EQ(restored->hash().text(), first->hash().text());
    for (Engine* const engine : {first.get(), with_threads.get(), with_long_lists.get(), restored.get()}) {
      engine->advance(200);
      EXPECT_EQ(engine->hash().text(), first->hash().text());
      EXPECT_EQ(engine->energies().error, first->energies().error);
      EXPECT_EQ(engine->energies().removed, first->energies().removed);
    }
  }
}

// Two equal spheres that are pressed together by their neighbours' walls hold the energy of their springs: the ledger
// counts it as removed. The spheres are nearly at rest, so that the work in half a step is small.
TEST_F(RemovedBetweenSteps, TakesKineticEnergyAndThatOfSpringsOutOfTheLedger) {
  const auto engine = make_backend_engine(pile(Precision::double_));
  engine->advance(6000);
  const EnergyLedger before = engine->energies();
  std::vector<std::uint32_t> all(30);
  for (std::uint32_t i = 0; i < 30; ++i) { all[i] = i; }
  engine->remove(all, 0);
  EXPECT_EQ(engine->energies().elastic, before.elastic) << "readings are those of the moment of the forces";
  engine->advance(1);
  const EnergyLedger after = engine->energies();
  EXPECT_GT(before.elastic, 0);
  EXPECT_EQ(after.elastic, 0);
  EXPECT_EQ(after.kinetic_translation, 0);
  EXPECT_NEAR(after.removed, before.elastic + before.kinetic_translation + before.kinetic_rotation,
              1e-6 * before.elastic);
  EXPECT_NEAR(after.error, before.error, 1e-6 * before.elastic);
}

TEST_F(RemovedBetweenSteps, TakesHeatOut) {
  Scene scene = pile(Precision::double_);
  make_hot(scene);
  const auto engine = make_backend_engine(scene);
  engine->advance(20);
  const HeatReport before = engine->heat();
  SnapshotRequest request;
  request.temperature = true;
  const Snapshot now = engine->snapshot(request);
  double expected = 0;
  for (const std::uint32_t id : some) {
    expected += now.temperature[id] * 3 * 2500 * 4.0 / 3.0 * 3.14159265358979323846 * bead * bead * bead;
  }
  engine->remove(some, 0);
  const HeatReport after = engine->heat();
  EXPECT_NEAR(after.removed - before.removed, expected, 1e-9 * expected);
  EXPECT_NEAR(before.heat - after.heat, expected, 1e-9 * before.heat);
  engine->advance(20);
  EXPECT_NEAR(engine->heat().removed, after.removed, 1e-12 * after.removed) << "it leaves once";
}

TEST_F(RemovedBetweenSteps, RefusesWhatIsNotThere) {
  Scene scene = pile(Precision::mixed);
  scene.clump_shapes = {physics::dumbbell(0.5 * bead, 0.5 * bead)};
  physics::add_clump(scene, 0, {4 * bead, 4 * bead, 40 * bead}, {0, 0, 0}, {0, 0, 0}, physics::turn({0, 0, 1}, 0));
  const auto engine = make_backend_engine(scene);
  engine->advance(3);
  const std::string hash = engine->hash().text();
  EXPECT_THROW(engine->remove({1000}, 0), ContractError);
  EXPECT_THROW(engine->remove({1, 1}, 0), ContractError);
  EXPECT_THROW(engine->remove({30}, 0), ContractError) << "a member of a clump";
  EXPECT_THROW(engine->remove({1}, 1), ContractError);
  EXPECT_EQ(engine->hash().text(), hash);
  engine->remove({1}, 0);
  EXPECT_THROW(engine->remove({1}, 0), ContractError) << "it has left";
}

}  // namespace scree::inline SCREE_BACKEND::removed_between_steps_test
