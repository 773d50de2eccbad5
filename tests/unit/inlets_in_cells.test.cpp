#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "host/geometry/cell_frame.hpp"
#include "host/geometry/real3.hpp"
#include "runs_case.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/engine.hpp"
#include "scree/simulation.hpp"

/// Inlets in periodic cells that keep their shape: slices of chutes and belts.
namespace scree::test::inlets_in_cells_test {

/// Beads that come to rest where they come in, in a layer across two faces of a cell.
std::string layer(const std::string& gravity = "[0, 0, 0]") {
  return R"({ "time": { "duration": 0.01, "step": 2e-5 }, "precision": "double", "gravity": )" + gravity + R"(,
    "materials": { "g": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.3, "friction": 0.5,
                          "restitution": 0.5 } },
    "particles": [ { "material": "g", "radius": { "uniform": [8e-4, 1.2e-3] }, "inlet": { "rate": 1e4,
                     "region": { "box": [[-4e-3, 1e-3, 5e-3], [6e-3, 9e-3, 9e-3]] } } } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "g" } },
    "domain": { "periodic": { "size": [0.012, 0.01, 0.02], "axes": ["x", "y"] } },
    "output": { "series": { "every": 0.002 }, "checkpoints": { "every": 0.002 } } })";
}

// The region is 10 mm wide and reaches over the face at x = 0 of a cell of 12 mm, so places near its two ends are 2 mm
// apart through the other face.
TEST(InletsInCells, ParticlesKeepClearOfImages) {
  const Case input = parse_case(layer(), ".");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  Simulation(input, scene, *engine, {.folder = {}}).run();
  const Snapshot now = engine->snapshot();
  ASSERT_GT(now.id.size(), 8u);
  EXPECT_EQ(engine->counts().contacts, 0u);
  const geometry::CellFrame cell(*scene.cell);
  double nearest = 1;
  for (std::size_t i = 0; i < now.id.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Real3 way = cell.shortest(geometry::subtract(now.position[j], now.position[i]));
      nearest = std::min(nearest, geometry::length(way) - now.radius[i] - now.radius[j]);
    }
  }
  EXPECT_GT(nearest, 0);
  EXPECT_LT(nearest, 1e-3) << "they lie close to each other";
  EXPECT_TRUE(std::any_of(now.position.begin(), now.position.end(), [](const Real3& x) { return x[0] > 8e-3; }))
      << "some came in beyond the face at 0, and are told in the cell";
}

class ResumedInletsInCells : public testing::Test, protected RunsCase {};

TEST_F(ResumedInletsInCells, GoOnToTheSameBits) {
  write_text(folder_ / "drop.json", layer("[1, 0, -9.81]"));
  expect_as_whole_when_interrupted(whole(), {100, 230, 401});
}

}  // namespace scree::test::inlets_in_cells_test
