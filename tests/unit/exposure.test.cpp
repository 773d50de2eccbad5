#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "host/measure/probes.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/engine.hpp"
#include "scree/errors.hpp"

/// The probe of the time that particles spend in a region.
namespace scree::test::exposure_test {

/// One sphere stays in the zone, one flies through it and comes back more slowly from a wall, and one is never there.
const char* const flights = R"({ "time": { "duration": 2, "step": 1e-5 }, "gravity": [0, 0, 0],
  "materials": { "m": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.3,
                        "restitution": 0.4 } },
  "groups": { "flying": {} },
  "particles": [ { "material": "m", "radius": 0.1, "positions": [[0.1, 1, 0]] },
                 { "material": "m", "radius": 0.1, "positions": [[-0.3, 0, 0]], "velocity": [2, 0, 0], "group": "flying" },
                 { "material": "m", "radius": 0.1, "positions": [[-5, 0, 0]] } ],
  "boundaries": { "wall": { "type": "plane", "point": [0.6, 0, 0], "normal": [-1, 0, 0], "material": "m" } },
  "output": { "series": { "every": 0.01, "probes": {
    "zone": { "type": "exposure", "region": { "box": [[0, -2, -1], [0.2, 2, 1]] } },
    "one": { "type": "exposure", "region": { "box": [[0, -2, -1], [0.2, 2, 1]] }, "groups": ["flying"] } } } } })";

class Exposure : public ::testing::Test {
 protected:
  Exposure() {
    input_ = parse_case(flights, ".");
    SceneReport report;
    scene_ = build_scene(input_, report);
    engine_ = make_engine(scene_, {BackendChoice::host, 1});
    probes_ = made();
  }
  [[nodiscard]] std::unique_ptr<Probes> made() const {
    return std::make_unique<Probes>(*input_.output.series, scene_, std::filesystem::path());
  }
  std::map<std::string, double> look() {
    const auto names = probes_->columns();
    const auto values = probes_->measure(MeasuredState(*engine_, probes_->needs()), scene_);
    EXPECT_EQ(names.size(), values.size());
    std::map<std::string, double> row;
    for (std::size_t i = 0; i < values.size(); ++i) { row[names[i]] = values[i]; }
    return row;
  }

  Case input_;
  Scene scene_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Probes> probes_;
};

TEST_F(Exposure, IsTheTimeInARegion) {
  EXPECT_EQ(look().at("zone_mean[s]"), 0);
  for (int k = 0; k < 120; ++k) {
    if (k == 60) {  // between the two visits: as a run that is resumed
      auto resumed = made();
      ASSERT_TRUE(resumed->restore(probes_->save()).empty());
      probes_ = std::move(resumed);
    }
    engine_->advance(1000);
    (void)look();
  }
  const Snapshot now = engine_->snapshot();
  const double back = -now.velocity.at(1)[0];
  ASSERT_GT(back, 0.5);
  ASSERT_LT(now.position.at(1)[0], 0) << "it has left the region";
  const double always = 1.2, passing = 0.2 / 2 + 0.2 / back;
  const double mean = (always + passing) / 3, square = (always * always + passing * passing) / 3;
  const auto row = look();
  // Looks every 10 ms: each end of a stay is known to within 5 ms. There are four, and the first sphere has none.
  EXPECT_NEAR(row.at("one_mean[s]"), passing, 4 * 0.005);
  EXPECT_NEAR(row.at("zone_mean[s]"), mean, 4 * 0.005 / 3);
  EXPECT_NEAR(row.at("zone_deviation[s]"), std::sqrt(square - mean * mean), 0.01);
  EXPECT_NEAR(row.at("zone_relative_deviation"), row.at("zone_deviation[s]") / row.at("zone_mean[s]"), 1e-12);
  EXPECT_NEAR(row.at("zone_reached"), 2.0 / 3, 1e-12);
  EXPECT_NEAR(row.at("zone_visits"), 3.0 / 3, 1e-12) << "one of the first sphere, two of the second";
  EXPECT_EQ(row.at("one_visits"), 2);
  EXPECT_EQ(row.at("one_deviation[s]"), 0);
}

// The last row of a run that is stopped shows the present times. The run that is continued knows nothing of it.
TEST_F(Exposure, ALookOutOfTurnLeavesNoTrace) {
  (void)look();
  engine_->advance(20'000);
  const auto before = probes_->save();
  const auto early = probes_->measure(MeasuredState(*engine_, probes_->needs()), scene_, false);
  EXPECT_GT(early.at(0), 0);
  const auto after = probes_->save();
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) { EXPECT_EQ(before[i].bytes, after[i].bytes) << before[i].name; }
}

TEST_F(Exposure, StatesThatCannotBeAreRefused) {
  (void)look();
  auto arrays = probes_->save();
  for (StateArray& array : arrays) {
    if (array.name.ends_with("/inside")) { array.bytes.at(0) = std::byte{7}; }
  }
  EXPECT_THROW((void)made()->restore(arrays), StateError);
}

}  // namespace scree::test::exposure_test
