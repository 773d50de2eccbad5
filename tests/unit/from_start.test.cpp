#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/geometry/real3.hpp"
#include "host/geometry/turn.hpp"
#include "host/packing/random.hpp"
#include "host/run/exit_code.hpp"
#include "host/start/boundary_places.hpp"
#include "start_runs.hpp"

/// Boundaries that begin where the run of the start has left them.
namespace scree::test::from_start_test {

BoundaryPlace place_of(const Turn& turn, const Real3& offset) {
  std::vector<Real3> columns{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  geometry::turn(columns, turn);
  BoundaryPlace place{{}, offset};
  for (std::size_t i = 0; i < 3; ++i) place.rotation[i] = {columns[0][i], columns[1][i], columns[2][i]};
  return place;
}

Real3 moved(const BoundaryPlace& place, const Real3& x) {
  Real3 result = place.offset;
  for (std::size_t i = 0; i < 3; ++i) result[i] += geometry::dot(place.rotation[i], x);
  return result;
}

/// [m] Where the keys of a mesh put a point of its file.
Real3 put(const MeshBoundary& mesh, const Real3& x) {
  std::vector<Real3> points{geometry::scaled(x, mesh.scale)};
  if (mesh.rotate) geometry::turn(points, *mesh.rotate);
  return geometry::add(points.front(), mesh.translate);
}

// Random turns, small ones, and such near half a turn, where the sine says nothing of the axis.
TEST(BoundaryPlaces, KeysOfAMeshPutItsPointsWhereTheyAreMoved) {
  packing::Random random(11, 0);
  const auto any = [&] { return Real3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; };
  for (int n = 0; n < 300; ++n) {
    const double angle = n % 3 == 0   ? random.uniform(-7, 7)
                         : n % 3 == 1 ? random.uniform(-1e-6, 1e-6)
                                      : 3.14159265358979 + random.uniform(-1e-7, 1e-7);
    const BoundaryPlace place = place_of({any(), angle}, any());
    MeshBoundary mesh{.file = "a.stl", .scale = 0.5, .rotate = {}, .translate = any()};
    if (n % 2 == 0) mesh.rotate = Turn{any(), random.uniform(-4, 4)};
    const auto shape = moved_shape(mesh, place);
    ASSERT_TRUE(shape);
    for (int k = 0; k < 3; ++k) {
      const Real3 x = any();
      const Real3 off = geometry::subtract(put(std::get<MeshBoundary>(*shape), x), moved(place, put(mesh, x)));
      EXPECT_LT(geometry::length(off), 1e-14) << angle;
    }
  }
}

TEST(BoundaryPlaces, OtherShapesAreMovedByTheirKeys) {
  const BoundaryPlace quarter = place_of({{0, 0, 1}, std::acos(0.0)}, {0, 0, 2});
  const auto plane = std::get<PlaneBoundary>(*moved_shape(PlaneBoundary{{1, 0, 0}, {1, 0, 0}, {}}, quarter));
  EXPECT_NEAR(plane.point[1], 1, 1e-15);
  EXPECT_EQ(plane.point[2], 2);
  EXPECT_NEAR(plane.normal[1], 1, 1e-15);
  EXPECT_EQ(plane.normal[2], 0);
  const auto cone = std::get<ConeBoundary>(*moved_shape(ConeBoundary{{1, 0, 0}, {1, 0, 1}, 0.5, 0}, quarter));
  EXPECT_NEAR(cone.from[1], 1, 1e-15);
  EXPECT_EQ(cone.to[2], 3);
  EXPECT_FALSE(moved_shape(BoxBoundary{{0, 0, 0}, {1, 1, 1}}, quarter));
  const auto box = moved_shape(BoxBoundary{{0, 0, 0}, {1, 1, 1}}, BoundaryPlace{.offset = {1, 0, 0}});
  EXPECT_EQ(std::get<BoxBoundary>(*box).max[0], 2);
}

class FromStart : public testing::Test, protected StartRuns {
 protected:
  /// A bead between a turning plate of triangles and a lid that a servo presses down: it rolls and slides.
  static std::string sheared(const std::string& keys, const std::string& more) {
    return R"({ "time": { "duration": 0.1, "step": 1e-5 }, "gravity": [0, 0, 0], "precision": "double",
      "materials": { "g": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                            "restitution": 0.3 } },
      "boundaries": {
        "plate": { "type": "mesh", "file": "plate.obj", "material": "g")" +
           keys + R"(, "motion": [ { "type": "rotation", "axis": [0, 0, 1], "rate": 4 } ] },
        "lid": { "type": "plane", "point": [0, 0, 0.0202], "normal": [0, 0, -1], "material": "g")" +
           keys + R"(, "servo": { "stress": 5e3, "area": 4e-4, "inertial_number": 0.02 } } }, )" + more + "}";
  }
  void SetUp() override {
    write_text(folder_ / "plate.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n");
    write_text(folder_ / "packing.json", sheared("", R"("particles": [ { "material": "g", "radius": 0.01,
      "positions": [[0.05, 0.1, 0.01]] } ], "output": { "checkpoints": { "every": 0.02 } })"));
  }
};

// The contacts go on where the walls stand, so the next forces are those of the old run. The velocity of the lid begins
// anew, which moves it by some 1e-8 m in a step.
TEST_F(FromStart, ContactsWithMovedBoundariesGoOn) {
  ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  write_text(folder_ / "case.json", sheared(R"(, "from_start": true)", R"("start": "packing/checkpoints")"));
  SceneReport report;
  const auto old = make_engine(build_scene(read_case(folder_ / "packing.json"), report), {BackendChoice::host, 1});
  Checkpoint end = read_checkpoint(newest());
  std::erase_if(end.state.arrays, [](const StateArray& array) { return array.name.starts_with("stages/"); });
  old->restore(end.state);
  const Started next = started();
  EXPECT_IN("start: 2 contacts with boundaries go on", next.notes.back());
  old->advance(1);
  next.engine->advance(1);
  const auto a = old->boundary_loads(), b = next.engine->boundary_loads();
  for (std::size_t wall = 0; wall < 2; ++wall) {
    EXPECT_GT(geometry::length(a[wall].force), 1);
    EXPECT_GT(std::hypot(a[wall].force[0], a[wall].force[1]), 1e-3) << "there is friction";
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(b[wall].force[k], a[wall].force[k], 3e-4) << wall << " " << k;
    EXPECT_NEAR(b[wall].force[2], a[wall].force[2], 0.02) << wall;
  }
  EXPECT_NEAR(std::get<MeshBoundary>(next.scene.boundaries[0].shape).rotate->angle, 0.4, 1e-12);
  EXPECT_LT(std::get<PlaneBoundary>(next.scene.boundaries[1].shape).point[2], 0.0202);
}

// case.json has the place, and runs again to the same bits; a resumed run does, too.
TEST_F(FromStart, TheCaseOfTheRunHasThePlace) {
  ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  write_text(folder_ / "case.json",
             sheared(R"(, "from_start": true)",
                     R"("start": "packing/checkpoints", "output": { "checkpoints": { "every": 0.005 } })"));
  ASSERT_EQ(run("case.json", "whole"), exit_done) << terminal_.str();
  const std::string whole = hash();
  const Json ran = Json::parse(read_text(folder_ / "whole/case.json"));
  EXPECT_FALSE(ran["boundaries"]["plate"].value("from_start", false));
  EXPECT_NEAR(ran["boundaries"]["plate"]["rotate"]["angle"].get<double>(), 0.4, 1e-12);
  ASSERT_EQ(run("whole/case.json", "again"), exit_done) << terminal_.str();
  EXPECT_EQ(hash(), whole);
  ASSERT_EQ(run("case.json", "cut", false, 700), exit_done) << terminal_.str();
  ASSERT_EQ(run("case.json", "cut", true), exit_done) << terminal_.str();
  EXPECT_EQ(hash(), whole);
}

TEST_F(FromStart, WhatCannotBeIsSaid) {
  ASSERT_EQ(run("packing.json", "packing", false, 10), exit_done) << terminal_.str();
  const auto error = [&](const std::string& boundaries, const std::string& more) {
    return error_of([&] {
      SceneReport report;
      (void)build_scene(parse_case(sheared("", more), folder_.path(), {"boundaries=" + boundaries}), report);
    });
  };
  const std::string floor =
      R"({"floor":{"type":"plane","point":[0,0,0],"normal":[0,0,1],"material":"g","from_start":true}})";
  EXPECT_IN("boundaries.floor.from_start: is not possible: the run that \"start\" names has no boundary of this name",
            error(floor, R"("start": "packing/checkpoints")"));
  EXPECT_IN("boundaries.floor.from_start: needs \"start\"",
            error(floor, R"("particles": [ { "material": "g", "radius": 0.01, "positions": [[0, 0, 0.01]] } ])"));
}

}  // namespace scree::test::from_start_test
