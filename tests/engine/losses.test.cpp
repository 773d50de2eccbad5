#include <cmath>
#include <numeric>

#include "busy_scene.hpp"
#include "cells.hpp"

// What the contacts of each particle lose, on every backend.
namespace scree::inline SCREE_BACKEND::losses_test {

using LossesOfParticles = BackendTest;

Scene lossy(Scene scene) {
  scene.energies = scene.sums_losses = true;
  return scene;
}

Scene lossy_bed(Precision precision, double verlet = 0.2) {
  return lossy(busy_scene(precision, LawKind::hertz_mindlin, verlet));
}

Scene sheared_cell(Precision precision) { return lossy(sheared_dense_cell(precision)); }

std::vector<double> dissipated(Engine& engine) { return engine.snapshot({.dissipated = true}).dissipated; }

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double lost(Engine& engine) {
  const EnergyLedger e = engine.energies();
  return e.friction + e.viscous + e.breakage;
}

// The ledger books the second half of the work of dashpots in a step with the step after it, particles have it at once:
// what they have lost lies between the sums of the ledger before and after that step.
TEST_F(LossesOfParticles, AreWhatTheLedgerBooks) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    for (Scene scene : {lossy_bed(precision), sheared_cell(precision)}) {
      scene.outlets.clear();
      scene.outlet_names.clear();
      scene.integration.damping = 0;
      const auto engine = make_backend_engine(scene);
      engine->advance(60);
      for (int k = 0; k < 5; ++k) {
        const double before = lost(*engine), sum = sum_of(dissipated(*engine));
        engine->advance(1);
        const double after = lost(*engine), slack = 1e-12 * after;
        EXPECT_GT(after, before);
        EXPECT_GE(sum, before - slack) << k;
        EXPECT_LE(sum, after + slack) << k;
      }
    }
  }
}

TEST_F(LossesOfParticles, HaveTheSameBitsForAnyThreadCountAndVerletDistance) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const auto first = make_backend_engine(lossy_bed(precision));
    first->advance(100);
    const std::vector<double> expected = dissipated(*first);
    EXPECT_GT(sum_of(expected), 0);
    EXPECT_LT(expected.size(), 800u) << "some must have left";
    for (const auto& [threads, verlet] : {std::pair{1, 0.02}, {2, 0.2}, {3, 1.0}}) {
      const auto other = make_backend_engine(lossy_bed(precision, verlet), threads);
      other->advance(100);
      EXPECT_EQ(dissipated(*other), expected) << threads << " threads, Verlet distance " << verlet;
    }
  }
}

TEST_F(LossesOfParticles, ChangeNothingElse) {
  Scene scene = lossy_bed(Precision::mixed), without = scene;
  without.sums_losses = false;
  const auto a = make_backend_engine(scene), b = make_backend_engine(without);
  a->advance(100), b->advance(100);
  EXPECT_TRUE(a->hash() == b->hash());
  EXPECT_EQ(a->energies().friction, b->energies().friction);
  EXPECT_TRUE(dissipated(*b).empty());
}

TEST_F(LossesOfParticles, AreInCheckpoints) {
  const Scene scene = lossy_bed(Precision::mixed);
  const auto whole = make_backend_engine(scene), rest = make_backend_engine(scene, 2);
  whole->advance(60);
  const EngineState state = whole->save();
  rest->restore(state);
  EXPECT_TRUE(rest->save() == state);
  EXPECT_EQ(dissipated(*rest), dissipated(*whole));
  whole->advance(40), rest->advance(40);
  EXPECT_EQ(dissipated(*rest), dissipated(*whole));

  EngineState older = state;
  std::erase_if(older.arrays, [](const StateArray& array) { return array.name == "bodies/dissipated_energy"; });
  rest->restore(older);
  EXPECT_EQ(sum_of(dissipated(*rest)), 0) << "they begin anew";
  Scene without = scene;
  without.sums_losses = false;
  const auto other = make_backend_engine(without);
  other->restore(state);
  other->advance(40);
  EXPECT_TRUE(other->hash() == whole->hash());
}

// Equal spheres in an oblique impact lose the same; a sphere that slides over a wall has all that is lost there.
TEST_F(LossesOfParticles, BelongToBothSidesInEqualParts) {
  Scene pair = lossy(glass_scene(Precision::double_, LawKind::hertz_mindlin));
  add_body(pair, {0, 0, 0}, bead, {1, 0, 0});
  add_body(pair, {1.65 * bead, 1.2 * bead, 0}, 0.9 * bead, {-1, 0, 0}, {0, 0, 800});
  pair.verlet_distance = 0.2 * bead;
  const auto engine = make_backend_engine(pair);
  engine->advance(3000);
  ASSERT_EQ(engine->counts().contacts, 0u) << "the impact must be over";
  const std::vector<double> each = dissipated(*engine);
  EXPECT_GT(each[0], 0);
  EXPECT_EQ(each[0], each[1]);
  EXPECT_NEAR(each[0] + each[1], lost(*engine), 1e-12 * lost(*engine));
}

TEST_F(LossesOfParticles, AtABoundaryBelongToTheParticle) {
  Scene scene = lossy(glass_scene(Precision::double_, LawKind::hertz_mindlin));
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_body(scene, {0, 0, 1.001 * bead}, bead, {0.3, 0, -0.5});
  scene.verlet_distance = 0.2 * bead;
  const auto engine = make_backend_engine(scene);
  engine->advance(3000);
  ASSERT_EQ(engine->counts().boundary_contacts, 0u) << "the impact must be over";
  EXPECT_GT(engine->energies().friction, 0);
  EXPECT_NEAR(dissipated(*engine)[0], lost(*engine), 1e-12 * lost(*engine));
}

}  // namespace scree::inline SCREE_BACKEND::losses_test
