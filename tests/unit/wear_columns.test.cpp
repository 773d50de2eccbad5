#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "host/run/exit_code.hpp"
#include "runs_case.hpp"
#include "series_columns.hpp"

/// Impacts and volumes worn off meshes, as the series has them.
namespace scree::test::wear_columns_test {

// One plate slides at 0.5 m/s under a sphere that is held and pressed in by 0.1 mm. A second sphere hits the other
// plate at 3 m/s along it and 0.5 m/s down.
const std::string two_plates = R"({ "time": { "duration": 0.002, "step": 1e-5 }, "precision": "double",
  "gravity": [0, 0, 0],
  "materials": { "steel": { "density": 7800, "young_modulus": 1e8, "poisson_ratio": 0.3, "friction": 0.4,
                             "restitution": 0.5 } },
  "groups": { "held": { "fixed": ["x", "y", "z", "rx", "ry", "rz"] } },
  "particles": [ { "material": "steel", "radius": 0.01, "positions": [[0.3, -0.2, 0.0099]], "group": "held" },
                 { "material": "steel", "radius": 0.01, "positions": [[0.3, 4.8, 0.0101]], "velocity": [3, 0, -0.5] } ],
  "boundaries": {
    "slid": { "type": "mesh", "file": "plate.obj", "material": "steel", "facets": { "archard": 1e-13 },
              "motion": [ { "type": "translation", "velocity": [0.5, 0, 0] } ] },
    "hit": { "type": "mesh", "file": "plate.obj", "material": "steel", "translate": [0, 5, 0],
             "facets": { "finnie": 1e-10 } } },
  "output": { "series": { "every": 0.0005 } } })";

class WearColumns : public testing::Test, protected RunsCase {};

TEST_F(WearColumns, HaveTheVolumesOfASlideAndAnImpact) {
  write_text(folder_ / "plate.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n");
  write_text(folder_ / "drop.json", two_plates);
  ASSERT_EQ(run(), exit_done);
  auto rows = columns_of(folder_ / "out/series.csv");
  ASSERT_EQ(rows.at("step").size(), 5U);
  for (const char* column : {"finnie_volume_slid[m3]", "archard_volume_hit[m3]"}) {
    EXPECT_FALSE(rows.contains(column)) << "no constant is given: " << column;
  }
  // k / H times the normal force times the way. The slip is that of the middle of the step, and the plate rested in the
  // first half of the first one.
  EXPECT_EQ(rows["archard_volume_slid[m3]"].front(), 0);
  for (std::size_t k = 1; k < 5; ++k) {
    const double normal = -rows["force_z_slid[N]"][k], way = 0.5 * (rows["time[s]"][k] - 0.5e-5);
    EXPECT_NEAR(rows["archard_volume_slid[m3]"][k], 1e-13 * normal * way, 1e-9 * 1e-13 * normal * 0.001);
  }
  EXPECT_GT(rows["archard_volume_slid[m3]"].back(), 0);
  // c m v^2 (sin 2a - 3 sin^2 a) with tan a = 1 / 6: 12 / 37 - 3 / 37
  const double mass = 7800 * 4.0 / 3.0 * M_PI * 1e-6, volume = 1e-10 * mass * 9.25 * 9 / 37;
  EXPECT_EQ(rows["impacts_hit"].front(), 0);
  EXPECT_EQ(rows["finnie_volume_hit[m3]"].front(), 0);
  EXPECT_EQ(rows["impacts_hit"].back(), 1);
  EXPECT_NEAR(rows["finnie_volume_hit[m3]"].back(), volume, 1e-9 * volume);
}

}  // namespace scree::test::wear_columns_test
