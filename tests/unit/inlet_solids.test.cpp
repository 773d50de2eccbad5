#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/run/inlets.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/engine.hpp"

/// Inlets that keep out of the inside of closed meshes.
namespace scree::test::inlet_solids_test {

/// A bar of 60 x 20 x 20 mm turns about z by a quarter of a turn in 0.1 s. From 0.05 s on, when it stands at 45
/// degrees, an inlet around it brings 300 particles of 1 mm that stay where they appear.
struct BarInAnInlet {
  explicit BarInAnInlet(const std::string& more, const std::vector<std::string>& settings = {}) {
    const ScratchFolder folder;
    write_stl(folder / "bar.stl", sample_box({-0.03, -0.01, -0.01}, {0.03, 0.01, 0.01}));
    write_text(folder / "open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    input = parse_case(R"({ "time": { "duration": 0.2, "step": 1e-5 }, "gravity": [0, 0, 0], "materials": {
        "glass": { "density": 2500, "young_modulus": 1e6, "poisson_ratio": 0.25, "friction": 0, "restitution": 0.5 } },
      "particles": [ { "material": "glass", "radius": 5e-4, "inlet": {
        "rate": 1e9, "count": 300, "from": 0.05, "region": { "box": [[-0.035, -0.035, -0.009], [0.035, 0.035, 0.009]] })" +
                           more + R"( } } ],
      "boundaries": { "bar": { "type": "mesh", "file": "bar.stl", "material": "glass", "motion": [
          { "type": "rotation", "axis": [0, 0, 1], "rate": 15.707963267948966 } ] },
        "floor": { "type": "plane", "point": [0, 0, -1], "normal": [0, 0, 1], "material": "glass" } } })",
                       folder.path(), settings);
    scene = build_scene(input, report);
  }
  /// How many of the particles that appear have their centres inside of the bar.
  [[nodiscard]] int inside() const {
    const auto engine = make_engine(scene, {BackendChoice::host, 1});
    Inlets inlets(input, scene);
    engine->advance(5100);
    (void)inlets.feed(*engine);
    const double angle = 0.051 * 15.707963267948966, c = std::cos(angle), s = std::sin(angle);
    int count = 0;
    const Snapshot now = engine->snapshot();
    EXPECT_EQ(now.position.size(), 300U);
    for (const Real3& x : now.position) {
      count += std::fabs(c * x[0] + s * x[1]) < 0.03 && std::fabs(c * x[1] - s * x[0]) < 0.01 ? 1 : 0;
    }
    return count;
  }

  Case input;
  SceneReport report;
  Scene scene;
};

TEST(InletSolids, NothingAppearsInsideWhereTheMeshStandsThen) {
  // The bar takes a quarter of the region.
  EXPECT_GT(BarInAnInlet("").inside(), 40);
  EXPECT_EQ(BarInAnInlet(R"(, "keep_out_of": ["bar"])").inside(), 0);
}

TEST(InletSolids, ARegionThatReachesIntoAMeshIsAWarning) {
  const auto said = BarInAnInlet("").report.warnings;
  ASSERT_EQ(said.size(), 1U);
  EXPECT_IN("particles.0.inlet: about 2", said[0]);  // 24 % of the region, with a deviation of 2 % in 500 points
  EXPECT_IN(R"(of its region lies inside of the closed mesh "bar")", said[0]);
  EXPECT_IN(R"("keep_out_of": ["bar"] leaves it free)", said[0]);
  EXPECT_TRUE(BarInAnInlet(R"(, "keep_out_of": ["bar"])").report.warnings.empty());
}

TEST(InletSolids, OnlyClosedMeshesAreSolids) {
  const auto error = [](const std::string& name, const std::vector<std::string>& settings) {
    try {
      const BarInAnInlet wrong(R"(, "keep_out_of": [")" + name + "\"]", settings);
    } catch (const CaseError& problem) { return std::string(problem.what()); }
    return std::string();
  };
  EXPECT_IN(R"(particles.0.inlet.keep_out_of.0: unknown boundary "bra"; did you mean "bar"?)", error("bra", {}));
  EXPECT_IN("particles.0.inlet.keep_out_of.0: must be a closed mesh, which has an inside", error("floor", {}));
  EXPECT_IN(
      "particles.0.inlet.keep_out_of.0: must be a closed mesh, but the mesh encloses no volume: it has 3 open edges",
      error("bar", {"boundaries.bar.file=open.obj"}));
}

}  // namespace scree::test::inlet_solids_test
