#include <cmath>

#include "busy_scene.hpp"

// The energy ledger of elasto-plastic contacts that begin with an overlap, on every backend.
namespace scree::inline SCREE_BACKEND::deep_starts_test {

using DeepStarts = BackendTest;

/// Two beads at rest that overlap, without losses but those of the plastic spring.
Scene pressed_beads(LawKind law, double ratio) {
  Scene scene = glass_scene(Precision::double_, law);
  scene.energies = true;
  scene.time_step = 1e-7;
  scene.pairs = {{0, 0}};
  scene.pairs[0].plasticity.ratio = ratio;
  add_body(scene, {0, 0, 0});
  add_body(scene, {1.99 * bead, 0, 0});
  return scene;
}

// Such a contact counts as loaded up to its overlap: it stores what unloading gives back, (1 - ratio) of what an
// elastic contact stores with the linear law. Both beads fly apart with this energy.
TEST_F(DeepStarts, StoreWhatUnloadingGivesBack) {
  for (const LawKind law : {LawKind::luding, LawKind::eepa}) {
    double elastic = 0;
    for (const double ratio : {0.0, 0.4, 0.6}) {
      const auto engine = make_backend_engine(pressed_beads(law, ratio));
      engine->advance(1);
      const double stored = engine->energies().elastic;
      ASSERT_GT(stored, 0) << ratio;
      if (ratio == 0) { elastic = stored; }
      if (law == LawKind::luding) { EXPECT_NEAR(stored, (1 - ratio) * elastic, 1e-12 * elastic); }
      engine->advance(20000);
      const EnergyLedger end = engine->energies();
      EXPECT_EQ(end.elastic, 0) << "they no longer touch";
      // Some thousand steps of unloading; the energy of the leapfrog wavers by the square of that.
      EXPECT_NEAR(end.kinetic_translation, stored, 2e-5 * stored) << ratio;
      EXPECT_NEAR(end.parting, 0, 2e-5 * stored) << ratio;
      EXPECT_NEAR(end.error, 0, 2e-5 * stored) << ratio;
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::deep_starts_test
