#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "case_in_folder.hpp"
#include "host/geometry/mesh_surface.hpp"

/// Particles that start inside of a closed mesh, fills that keep out of it, and inlets that lie beyond an outlet.
namespace scree::test::bad_places_test {

/// The closed box from (-2, -2, -2) to (2, 2, 2) cm; `faces` leaves out the last ones.
std::string box_obj(std::size_t triangles = 12) {
  std::string text;
  for (const char* corner : {"-.02 -.02 -.02", ".02 -.02 -.02", ".02 .02 -.02", "-.02 .02 -.02", "-.02 -.02 .02",
                             ".02 -.02 .02", ".02 .02 .02", "-.02 .02 .02"}) {
    text += std::string("v ") + corner + "\n";
  }
  const std::vector<std::string> faces{"1 3 2", "1 4 3", "5 6 7", "5 7 8", "1 2 6", "1 6 5",
                                       "2 3 7", "2 7 6", "3 4 8", "3 8 7", "4 1 5", "4 5 8"};
  for (std::size_t k = 0; k < triangles; ++k) { text += "f " + faces[k] + "\n"; }
  return text;
}

class BadPlaces : public CaseInFolder {
 protected:
  BadPlaces()
      : CaseInFolder(R"({ "time": { "duration": 0.1, "step": 1e-5 }, "gravity": [0, 0, -9.81],
    "materials": { "g": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.3, "friction": 0.5,
                          "restitution": 0.5 } },
    "particles": [ { "material": "g", "radius": 2e-3,
                     "fill": { "box": [[-0.05, -0.05, -0.05], [0.05, 0.05, 0.05]], "count": 1500 } } ],
    "boundaries": { "insert": { "type": "mesh", "file": "box.obj", "material": "g" } } })") {
    std::ofstream(folder / "box.obj") << box_obj();
    std::ofstream(folder / "open.obj") << box_obj(10);
  }
  [[nodiscard]] std::vector<std::string> warnings(const std::vector<std::string>& settings) const {
    SceneReport report;
    (void)build_scene(parsed(settings), report);
    return report.warnings;
  }
};

TEST_F(BadPlaces, ParticlesOnBothSidesOfAClosedMeshAreAWarning) {
  const auto mixed = warnings({});
  ASSERT_EQ(mixed.size(), 1u);
  EXPECT_IN("boundaries.insert: ", mixed[0]);
  EXPECT_IN(" particles start inside of this closed mesh", mixed[0]);
  EXPECT_IN("\"keep_out_of\": [\"insert\"]", mixed[0]);
  const auto beside = warnings({"boundaries.insert.file=open.obj"});
  ASSERT_EQ(beside.size(), 1u) << "an open mesh has no inside, but a wall with particles on both sides";
  EXPECT_IN("its region reaches through the wall of boundary \"insert\"", beside[0]);
  EXPECT_TRUE(
      warnings({"particles.0.fill.box=[[-0.018,-0.018,-0.018],[0.018,0.018,0.018]]", "particles.0.fill.count=50"})
          .empty())
      << "a vessel";
  EXPECT_TRUE(
      warnings({"particles.0.fill.box=[[-0.05,-0.05,0.021],[0.05,0.05,0.05]]", "particles.0.fill.count=50"}).empty())
      << "a body beside the particles";
}

TEST_F(BadPlaces, AFillKeepsOutOfAClosedMesh) {
  for (const char* clear : {"true", "false"}) {  // with keep_clear false, it keeps clear of this surface alone
    const std::vector<std::string> settings{R"(particles.0.fill.keep_out_of=["insert"])",
                                            std::string("particles.0.fill.keep_clear=") + clear};
    EXPECT_TRUE(warnings(settings).empty());
    const Scene scene = built(settings);
    ASSERT_EQ(scene.particles.size(), 1500u);
    const geometry::MeshSurface surface(scene.boundaries[0].mesh);
    for (std::size_t i = 0; i < scene.particles.size(); ++i) {
      EXPECT_FALSE(surface.encloses(scene.particles.position[i])) << i;
      EXPECT_GE(surface.squared_distance_within(scene.particles.position[i], 3e-3), 0.999 * 4e-6) << i;
    }
  }
}

TEST_F(BadPlaces, ADensePackingKeepsOutOfAClosedMesh) {
  const Scene scene =
      built({R"(particles.0.fill={"box":[[-0.03,-0.03,-0.03],[0.03,0.03,0.03]],"solid_fraction":0.25,"dense":true,)"
             R"("keep_out_of":["insert"]})",
             "particles.0.radius=3e-3"});
  ASSERT_GT(scene.particles.size(), 450u);
  const geometry::MeshSurface surface(scene.boundaries[0].mesh);
  for (const Real3& centre : scene.particles.position) { EXPECT_FALSE(surface.encloses(centre)); }
}

TEST_F(BadPlaces, OnlyAClosedMeshHasAnInside) {
  EXPECT_IN("particles.0.fill.keep_out_of.0: unknown boundary \"insret\"; did you mean \"insert\"?",
            error_with({R"(particles.0.fill.keep_out_of=["insret"])"}));
  EXPECT_IN(
      "particles.0.fill.keep_out_of.0: must be a closed mesh, but the mesh encloses no volume: it has 4 open edges",
      error_with({R"(particles.0.fill.keep_out_of=["insert"])", "boundaries.insert.file=open.obj"}));
  EXPECT_IN("particles.0.fill.keep_out_of.0: must be a closed mesh, which has an inside",
            error_with({R"(particles.0.fill.keep_out_of=["floor"])",
                        R"(boundaries.floor={"type":"plane","point":[0,0,-0.06],"normal":[0,0,1],"material":"g"})"}));
}

TEST_F(BadPlaces, AnInletBeyondAnOutletIsAWarning) {
  const std::vector<std::string> inlet{
      "boundaries={}", R"(domain={"outlets":{"bottom":{"point":[0,0,-0.1],"normal":[0,0,-1]}}})",
      R"(particles=[{"material":"g","radius":2e-3,"inlet":{"rate":10,"region":{"box":[[0,0,-0.2],[0.1,0.1,-0.11]]}}}])"};
  const auto lost = warnings(inlet);
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(
      lost[0],
      "particles.0.inlet: all of its region lies beyond \"bottom\", which removes its particles in the step after "
      "they appear");
  auto across = inlet;
  across.push_back("particles.0.inlet.region.box.1.2=0.1");
  const auto some = warnings(across);
  ASSERT_EQ(some.size(), 1u);
  EXPECT_IN("particles.0.inlet: some 3", some[0]);  // a third: from -0.2 to -0.1 of -0.2 to 0.1
  EXPECT_IN(" % of its region lies beyond \"bottom\"", some[0]);
  across.push_back("particles.0.inlet.region.box.0.2=-0.1");
  EXPECT_TRUE(warnings(across).empty());
}

// A region in another unit lies beyond several faces of the box, each of which cuts off another part of it.
TEST_F(BadPlaces, AnInletOutsideOfTheBoxIsOneWarning) {
  const std::vector<std::string> inlet{
      "boundaries={}", R"(domain={"remove_outside":{"box":[[-0.1,-0.1,-0.1],[0.1,0.1,0.1]]}})",
      R"(particles=[{"material":"g","radius":2e-3,"inlet":{"rate":10,"region":{"box":[[-9,-9,5],[9,9,6]]}}}])"};
  EXPECT_EQ(warnings(inlet),
            (std::vector<std::string>{"particles.0.inlet: all of its region lies beyond \"outside\", which removes its "
                                      "particles in the step after they appear"}));
}

TEST_F(BadPlaces, AnInletBehindAPlaneOrInADeletionIsAWarning) {
  const std::vector<std::string> inlet{
      R"(boundaries={"wall":{"type":"plane","point":[0,0,0],"normal":[0,0,1],"material":"g"}})",
      R"(domain={"delete_in":{"sink":{"sphere":{"center":[0.05,0.05,0.05],"radius":0.2}}}})",
      R"(particles=[{"material":"g","radius":2e-3,"inlet":{"rate":10,"region":{"box":[[0,0,-0.2],[0.1,0.1,-0.15]]}}}])"};
  const auto behind = warnings(inlet);
  ASSERT_EQ(behind.size(), 1u);
  EXPECT_EQ(behind[0], "particles.0.inlet: all of its region lies behind the plane \"wall\", where no particle can be");
  auto deleted = inlet;
  deleted.push_back("particles.0.inlet.region.box=[[0,0,0.01],[0.1,0.1,0.05]]");
  EXPECT_EQ(
      warnings(deleted),
      (std::vector<std::string>{
          "particles.0.inlet: all of its region lies in \"sink\", which removes its particles in the step after they "
          "appear"}));
  deleted.push_back("domain.delete_in.sink.until=0.05");
  EXPECT_TRUE(warnings(deleted).empty());
}

// Mostly above the lid of the box.
TEST_F(BadPlaces, AnInletOutsideOfABoxIsAWarning) {
  std::vector<std::string> inlet{
      R"(boundaries={"bin":{"type":"box","min":[0,0,0],"max":[0.1,0.1,0.1],"material":"g"}})",
      R"(particles=[{"material":"g","radius":2e-3,"inlet":{"rate":10,"region":{"box":[[0,0,0.12],[0.1,0.1,0.2]]}}}])"};
  EXPECT_EQ(warnings(inlet), (std::vector<std::string>{
                                 "particles.0.inlet: all of its region lies outside of the boundary \"bin\", a box, "
                                 "where no particle can be"}));
  inlet.push_back("particles.0.inlet.region.box.0.2=0.05");
  EXPECT_TRUE(warnings(inlet).empty());
}

// Above the bed a servo must point down; within it either way is possible.
TEST_F(BadPlaces, AServoThatPointsAwayFromTheParticlesIsAWarning) {
  const auto with = [&](const std::string& direction, const std::string& place) {
    return warnings({R"(boundaries.insert.servo={"force":1,"direction":)" + direction + "}",
                     "boundaries.insert.translate=" + place, R"(particles.0.fill.keep_out_of=["insert"])"});
  };
  EXPECT_EQ(with("[0,0,1]", "[0,0,0.08]"),
            (std::vector<std::string>{
                "boundaries.insert.servo.direction: all particles start behind the wall, which will move away from "
                "them; the direction must point from the wall towards the particles"}));
  EXPECT_TRUE(with("[0,0,-1]", "[0,0,0.08]").empty());
  EXPECT_TRUE(with("[0,0,1]", "[0,0,0]").empty());
}

// A table of velocities that ends in motion, and motions after the end of the run.
TEST_F(BadPlaces, MotionsThatStopOrNeverBeginAreWarnings) {
  const auto with = [&](const std::string& motion) {
    return warnings({"particles.0.fill.count=1", "boundaries.insert.surface_motion=[" + motion + "]"});
  };
  const std::string table = R"({"type":"table","direction":[1,0,0],"velocity":)";
  const auto ramp = with(table + "[[0,0],[0.02,1]]}");
  ASSERT_FALSE(ramp.empty());
  EXPECT_IN(
      "boundaries.insert.surface_motion.0.velocity: its last row gives 1 at 0.02 s, and then the boundary rests; "
      "with one more row [0.1, 1] it goes on",
      ramp.back());
  const auto none = with(table + "[[0,0],[0.02,1],[0.1,1]]}"), stops = with(table + "[[0,0],[0.02,1],[0.05,0]]}");
  const std::size_t others = ramp.size() - 1;
  EXPECT_EQ(none.size(), others);
  EXPECT_EQ(stops.size(), others);
  EXPECT_EQ(with(table + R"([[0,0],[0.02,1]],"until":0.02})").size(), others);
  const auto late = with(R"({"type":"translation","velocity":[1,0,0],"from":5})");
  ASSERT_FALSE(late.empty());
  EXPECT_IN("boundaries.insert.surface_motion.0: begins at 5 s, when the run is over", late.back());
}

}  // namespace scree::test::bad_places_test
