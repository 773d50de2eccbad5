#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/commands/check.hpp"
#include "host/scene/build_scene/places_at_start.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// Tables of positions may displace a boundary from the start on.
namespace scree::test::places_at_start_test {

std::string text(const std::string& motion, const std::string& place) {
  return R"({ "time": { "duration": 0.01, "step": 1e-5 }, "materials": {
      "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 } },
    "particles": [ { "material": "glass", "radius": 0.001, )" +
         place + R"( } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass",
      "motion": [ { "type": "table", )" +
         motion + " } ] } } }";
}
const std::string fill = R"("fill": { "box": [[0, 0, 0], [0.03, 0.03, 0.03]], "count": 200 })";
const std::string lifted = R"("direction": [0, 0, 2], "position": [[0, 0.01], [1, 0.02]])";

Scene scene_of(const std::string& motion, const std::string& place, std::vector<std::string>& warnings) {
  SceneReport report;
  Scene scene = build_scene(parse_case(text(motion, place), "."), report);
  warnings = report.warnings;
  return scene;
}

TEST(PlacesAtStart, FillsKeepClearOfThem) {
  std::vector<std::string> warnings;
  const Scene up = scene_of(lifted, fill, warnings);
  for (const Real3& x : up.particles.position) { EXPECT_GE(x[2], 0.011 - 1e-12); }
  EXPECT_TRUE(warnings.empty());
  // Turned by 0.5 rad about y, the side of the particles of the plane through the origin is that of (sin, 0, cos).
  const Scene turned =
      scene_of(R"("axis": [0, 3, 0], "origin": [0, 0, 0], "position": [[0, 0.5], [1, 1]])", fill, warnings);
  double least = 1;
  for (const Real3& x : turned.particles.position) {
    least = std::min(least, std::sin(0.5) * x[0] + std::cos(0.5) * x[2]);
  }
  EXPECT_GE(least, 0.001 - 1e-12);
  const Scene beside = scene_of(R"("direction": [0, 0, 1], "velocity": [[0, 5], [1, 5]])", fill, warnings);
  EXPECT_LT((*std::min_element(beside.particles.position.begin(), beside.particles.position.end(),
                               [](const Real3& a, const Real3& b) { return a[2] < b[2]; }))[2],
            0.004)
      << "a table of speeds begins where the boundary stands";
}

TEST(PlacesAtStart, WarningsAndCheckSeeThem) {
  std::vector<std::string> warnings;
  static_cast<void>(
      scene_of(lifted, R"("lattice": { "box": [[0, 0, 0], [0.01, 0.01, 0.03]], "spacing": 0.003 })", warnings));
  ASSERT_FALSE(warnings.empty());
  EXPECT_IN("boundaries.floor: 36 particles overlap it at the start", warnings.front());
  const ScratchFolder folder;
  write_text(folder / "case.json", text(lifted, fill));
  std::ostringstream out;
  EXPECT_EQ(run_check(folder / "case.json", {}, out), 0);
  EXPECT_IN("floor through (0, 0, 0.01) m", out.str());
}

TEST(PlacesAtStart, ShapesAndMeshesAreDisplaced) {
  const TableMotion up{.direction = Real3{0, 0, 5}, .position = TimeTable{{0, 2.0}}};
  const TableMotion quarter{
      .axis = Real3{0, 0, 1}, .origin = {1, 0, 0}, .position = TimeTable{{0, 0.5 * 3.14159265358979323846}}};
  std::vector<SceneBoundary> all(4);
  all[0].shape = BoxBoundary{{0, 0, 0}, {1, 1, 1}};
  all[1].shape = CylinderBoundary{{2, 0, 0}, {3, 0, 0}, 0.5};
  all[2].shape = SphereBoundary{{1, 1, 0}, 0.5};
  all[3].shape = MeshBoundary{};
  all[3].mesh.vertices = {{2, 0, 1}};
  for (SceneBoundary& boundary : all) { boundary.motion = {{quarter}, {up}}; }
  all[0].motion = {{up}};
  const auto placed = placed_at_start(all);
  const auto near = [](const Real3& a, const Real3& b) {
    for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(a[k], b[k], 1e-12); }
  };
  near(std::get<BoxBoundary>(placed[0].shape).max, {1, 1, 3});
  near(std::get<CylinderBoundary>(placed[1].shape).to, {1, 2, 2});
  near(std::get<SphereBoundary>(placed[2].shape).center, {0, 0, 2});
  near(placed[3].mesh.vertices[0], {1, 1, 3});
}

}  // namespace scree::test::places_at_start_test
