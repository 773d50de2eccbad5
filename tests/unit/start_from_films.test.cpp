#include <cmath>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
#include "start_runs.hpp"

/// Cases that start from a packing with bridges of liquid.
namespace scree::test::start_from_films_test {

/// Two spheres that overlap, and one that touches nothing.
class StartOfFilms : public testing::Test, protected StartRuns {
 protected:
  static std::string text(const std::string& liquid, const std::string& more) {
    return R"({ "time": { "duration": 0.002, "step": 2e-5 }, "gravity": [0, 0, 0], "materials": {
      "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 } },
    "contacts": [ { "between": ["*", "*"],
      "liquid": { "surface_tension": 0.07, "volume_fraction": 0.01)" +
           liquid + " } } ], " + more + "}";
  }
  void pack(const std::string& liquid, const std::string& film) {
    write_text(folder_ / "three.csv", "x,y,z,radius\n0,0,0,0.005\n0.00999,0,0,0.004995\n0,0,1,0.005\n");
    write_text(folder_ / "packing.json",
               text(liquid, R"("particles": [ { "material": "glass", "file": "three.csv")" + film + R"( } ],
    "output": { "checkpoints": { "every": 0.001 } } )"));
    write_text(folder_ / "case.json", text(R"(, "from_films": true)", R"("start": "packing/checkpoints")"));
    ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  }
  void pack() { pack(R"(, "from_films": true)", R"(, "film": 0.02)"); }
};

TEST_F(StartOfFilms, FilmsAndBridgesGoOn) {
  pack();
  const auto old = old_engine();
  const Started next = started();
  ASSERT_EQ(next.notes.size(), 1U);
  EXPECT_EQ(next.engine->films().n_bridges, 1U) << "before the first step";
  old->advance(1), next.engine->advance(1);
  EXPECT_EQ(old->films().n_bridges, 1U);
  EXPECT_EQ(next.engine->films().n_bridges, 1U);
  EXPECT_EQ(next.engine->films().bridges, old->films().bridges);
  EXPECT_GT(next.engine->films().films, 0);
  EXPECT_EQ(next.engine->snapshot({.film = true}).film, old->snapshot({.film = true}).film);
}

TEST_F(StartOfFilms, BridgesThatBeginAnewGiveTheirLiquidBack) {
  pack();
  const auto old = old_engine();
  const std::vector<double> before = old->snapshot({.film = true}).film;
  old->advance(1);
  const double bridge = old->films().bridges, all = bridge + old->films().films;
  ASSERT_GT(bridge, 0);
  const std::string rule = R"(contacts=[{"between":["*","*"],"liquid":{"surface_tension":0.07,"from_films":true,)"
                           R"("volume_fraction":0.01)";
  for (const std::string& settings :
       {rule + R"(,"force":"rabinovich"}}])", rule + R"(},"law":"linear_spring_dashpot","contact_time":5e-4}])"}) {
    const Started next = started({settings});
    ASSERT_EQ(next.notes.size(), 3U);
    EXPECT_EQ(next.notes[2], "start: 1 bridge ends, with half of the liquid on the film of each particle");
    const std::vector<double> film = next.engine->snapshot({.film = true}).film;
    ASSERT_EQ(film.size(), before.size());
    for (std::size_t i = 0; i < film.size(); ++i) {
      EXPECT_NEAR(film[i], before[i] + (i < 2 ? 0.5 * bridge : 0), 1e-12 * all) << i;
    }
    next.engine->advance(3);
    EXPECT_NEAR(next.engine->films().films + next.engine->films().bridges, all, 1e-12 * all);
    EXPECT_EQ(next.engine->films().n_bridges, 1U);
  }
}

// The case gives new bridges a thousandth of the liquid. The old one takes 6.7 % of both films, of 2 % of a sphere, so
// that it ruptures at a gap of 0.224 radii. New bridges rupture at 0.035 radii, and pairs are listed 0.05 radii
// farther.
TEST_F(StartOfFilms, ABridgeIsListedUntilItRuptures) {
  pack();
  Started next = started({"contacts.0.liquid.volume_fraction=1e-5", R"(neighbours={"verlet_distance":0.00025})"});
  Engine& engine = *next.engine;
  engine.advance(1);
  const double all = engine.films().films + engine.films().bridges;
  EXPECT_GT(engine.films().bridges, 0.01 * 0.005 * 0.005 * 0.005);
  engine.set_bodies({{0, 1}, {}, {Real3{-0.5, 0, 0}, Real3{0.5, 0, 0}}, {}});
  bool held = true;
  for (double gap = 0; gap < 0.3 * 0.005; engine.advance(1)) {
    const Snapshot s = engine.snapshot();
    gap = s.position[1][0] - s.position[0][0] - (0.005 + 0.004995);
    held = gap < 0.2 * 0.005 ? engine.films().n_bridges == 1 : held;
    EXPECT_NEAR(engine.films().films + engine.films().bridges, all, 1e-6 * all) << gap;
  }
  EXPECT_TRUE(held);
  EXPECT_EQ(engine.films().n_bridges, 0U);
}

// Bridges without films keep their volume, too: that of the old case until they rupture. At a wall the range is over
// the radius. Volumes are numbers of single precision.
TEST_F(StartOfFilms, TheRangeCoversBridgesThatGoOn) {
  const std::string floor = R"("boundaries": { "floor": { "type": "plane", "point": [0, 0, 0.99501],
    "normal": [0, 0, 1], "material": "glass" } }, )";
  for (const bool wall : {false, true}) {
    write_text(folder_ / "three.csv", "x,y,z,radius\n0,0,1.1,0.005\n0.00999,0,1.1,0.004995\n0,0,1,0.005\n");
    write_text(folder_ / "packing.json",
               text(R"(, "contact_angle": 0.2)",
                    (wall ? floor : "") + R"("particles": [ { "material": "glass", "file": "three.csv" } ],
      "output": { "checkpoints": { "every": 0.001 } } )"));
    write_text(folder_ / "case.json", text("", (wall ? floor : "") + R"("start": "packing/checkpoints")"));
    std::filesystem::remove_all(folder_ / "packing");
    ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
    const double radius = wall ? 0.005 : 0.004995, reach = wall ? 0.005 : 0.009995;
    const double volume = 0.01 * 4 / 3 * 3.14159265358979 * radius * radius * radius;
    for (const double angle : {0.0, 0.5}) {
      const Started next = started(
          {"contacts.0.liquid.volume_fraction=1e-5", "contacts.0.liquid.contact_angle=" + std::to_string(angle)});
      const double range = 1 + (1 + 0.5 * angle) * std::cbrt(volume) / reach;
      EXPECT_GT(next.scene.interaction_range, range);
      EXPECT_LT(next.scene.interaction_range, 1 + 1.002 * (range - 1));
    }
    const Started dry = started({R"(contacts=[{"between":["*","*"]}])"});
    EXPECT_EQ(dry.scene.interaction_range, 1);
  }
}

TEST_F(StartOfFilms, BridgesOfAnotherCaseHaveNoLiquidToGive) {
  pack("", "");
  const Started next = started({R"(contacts=[{"between":["*","*"],"liquid":{"surface_tension":0.07,"from_films":true,)"
                                R"("volume_fraction":0.01,"force":"rabinovich"}}])"});
  next.engine->advance(3);
  EXPECT_EQ(next.engine->films().films + next.engine->films().bridges, 0);
}

TEST_F(StartOfFilms, ACaseWithoutFilmsSaysThatItLeavesTheLiquid) {
  pack();
  const auto warnings = [&](const std::string& from_films) {
    SceneReport report;
    static_cast<void>(
        build_scene(read_case(folder_ / "case.json", {"contacts.0.liquid.from_films=" + from_films}), report));
    std::string all;
    for (const std::string& warning : report.warnings) { all += warning + "\n"; }
    return all;
  };
  EXPECT_IN("is left behind, since no rule of contacts of this case has \"from_films\"", warnings("false"));
  EXPECT_EQ(warnings("true").find("is left behind"), std::string::npos);
}

}  // namespace scree::test::start_from_films_test
