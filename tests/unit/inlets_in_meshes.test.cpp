#include <gtest/gtest.h>

#include <cmath>

#include "fake_engine.hpp"
#include "host/run/inlets.hpp"
#include "inlet_cases.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// Inlets in regions that fill little of their box.
namespace scree::test::inlets_in_meshes_test {

/// What the first action of an inlet does, when 50 particles are due in a slab of 1 m x 1 m. It has room for centres in
/// 2 mm of its thickness, is turned by 45 degrees, and is far above the floor.
struct FirstAction {
  explicit FirstAction(bool boundaries_clear) {
    TriangleMesh slab = sample_box({0, 0, 0}, {1, 1, 0.022});
    const double root = std::sqrt(0.5);
    for (Real3& v : slab.vertices) { v = {root * (v[0] + v[2]), v[1], root * (v[2] - v[0]) + 2}; }
    const ScratchFolder folder;
    write_stl(folder / "slab.stl", slab);
    const Case input = parse_case(
        inlet_cases::inlet_case(R"({ "rate": 50000, "region": { "mesh": { "file": "slab.stl" } } })", "0.01"),
        folder.path());
    SceneReport report;
    const Scene scene = build_scene(input, report);
    FakeEngine engine(scene);
    engine.boundaries_clear = boundaries_clear;
    Inlets inlets(input, scene);
    engine.advance(Inlets::interval);
    (void)inlets.feed(engine);
    made = inlets.report(engine.time()).at(0).made;
    tried = engine.tried;
  }
  std::uint64_t made = 0;
  std::uint64_t tried = 0;  ///< places that the engine was asked about
};

// The slab holds about 1 of 250 places in its box: some 40 of 10,000 tries, so that no particle is left without a
// place. Of 128 tries it holds none for more than half of the particles.
TEST(Inlets, FindTheFewPlacesThatAMeshHolds) {
  const FirstAction action(true);
  EXPECT_EQ(action.made, 50U);
  EXPECT_GE(action.tried, 50U);
  EXPECT_LT(action.tried, 150U) << "most tries are refused before the engine is asked";
}

TEST(Inlets, GiveUpAtTheFirstThatFindsNoPlaceInAMesh) {
  const FirstAction action(false);
  EXPECT_EQ(action.made, 0U);
  EXPECT_GT(action.tried, 20U);
  EXPECT_LT(action.tried, 150U) << "one by one, the first goes on alone";
}

}  // namespace scree::test::inlets_in_meshes_test
