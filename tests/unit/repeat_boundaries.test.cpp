#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "case_errors.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/engine.hpp"

/// Boundaries in cells that are periodic along one or two axes.
namespace scree::repeat_boundaries_test {

using test::ScratchFolder;

/// A floor of two triangles that covers the whole cell.
void write_floor(const std::filesystem::path& folder) {
  std::ofstream(folder / "floor.obj") << "v 0 0 0\nv 0.1 0 0\nv 0.1 0.1 0\nv 0 0.1 0\nf 1 2 3\nf 1 3 4\n";
}

constexpr const char* plane_floor =
    R"({"floor": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass"}})";

std::string on_floor(const std::string& boundaries, const std::string& axes = R"(["x", "y"])") {
  return R"({"time": {"duration": 1, "step": 1e-5}, "precision": "double", "gravity": [0, 0, -9.81],
    "materials": {"glass": {"density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.3, "friction": 0.5,
                            "restitution": 0.5}},
    "particles": [{"file": "bead.csv", "material": "glass"}],
    "domain": {"periodic": {"size": [0.1, 0.1, 0.2], "axes": )" +
         axes + R"(}}, "boundaries": )" + boundaries + "}";
}

std::unique_ptr<Engine> engine_of(const ScratchFolder& folder, const std::string& text) {
  SceneReport report;
  return make_engine(build_scene(parse_case(text, folder.path()), report), {BackendChoice::host, 1});
}

std::string problems_of(const ScratchFolder& folder, const std::string& text) {
  try {
    SceneReport report;
    static_cast<void>(build_scene(parse_case(text, folder.path()), report));
  } catch (const CaseError& error) { return error.what(); }
  return {};
}

/// A bead slides and rolls obliquely across several cells over a mesh that covers one cell. It passes faces and edges
/// and is taken back into the cell many times, but must move like on a plane. Differences come from rounding, and from
/// the seams, where facets hand over the history.
TEST(RepeatedBoundaries, ABeadRollsOverAMeshAsOverAPlane) {
  const ScratchFolder folder;
  write_floor(folder.path());
  std::ofstream(folder.path() / "bead.csv") << "x,y,z,radius,vx,vy,vz\n0.05,0.02,0.00999,0.01,2,1.3,0\n";
  const auto plane = engine_of(folder, on_floor(plane_floor));
  const auto mesh =
      engine_of(folder, on_floor(R"({"floor": {"type": "mesh", "file": "floor.obj", "material": "glass"}})"));
  for (int k = 0; k < 30; ++k) {
    plane->advance(1000);
    mesh->advance(1000);
    const Snapshot a = plane->snapshot(), b = mesh->snapshot();
    EXPECT_EQ(mesh->counts().boundary_contacts, 1u);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(b.velocity[0][c], a.velocity[0][c], 1e-9) << "step " << mesh->step();
      EXPECT_NEAR(b.angular_velocity[0][c], a.angular_velocity[0][c], 1e-7) << "step " << mesh->step();
    }
  }
  EXPECT_GE(mesh->snapshot().image[0][0], 3) << "the bead has crossed the cell several times";
}

/// A bead flies along the edge that repeats and meets the next copy of a blade, whether it starts before or behind the
/// face of the cell, and however long lists last. All lengths are multiples of a power of two, so copies are exact.
TEST(RepeatedBoundaries, ABladeReflectsABeadThatHasLeftTheCell) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "blade.obj") << "v 0.00390625 -1 -1\nv 0.00390625 1 -1\nv 0.00390625 1 1\n"
                                                "v 0.00390625 -1 1\nf 1 2 3\nf 1 3 4\n";
  const auto flown = [&](const std::string& start, const std::string& verlet) {
    std::ofstream(folder.path() / "bead.csv") << "x,y,z,radius,vx,vy,vz\n" << start << ",0.02,0.01,0.001,1,0,0\n";
    const auto engine =
        engine_of(folder, R"({"time": {"duration": 1, "step": 1e-6}, "precision": "double", "gravity": [0, 0, 0],
          "materials": {"glass": {"density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.3, "friction": 0.5,
                                  "restitution": 0.5}},
          "particles": [{"file": "bead.csv", "material": "glass"}],)" +
                              (verlet.empty() ? verlet : R"("neighbours": {"verlet_distance": )" + verlet + "},") +
                              R"("domain": {"periodic": {"size": [0.0078125, 0.1, 0.2], "axes": ["x"]}},
          "boundaries": {"blade": {"type": "mesh", "file": "blade.obj", "material": "glass"}}})");
    engine->advance(7000);
    return engine->snapshot();
  };
  // The blade at 3.9 mm has a copy at 11.7 mm. So the bead has flown at most 6.8 mm when it is reflected.
  for (const std::string start : {"0.005", "0.0068359375", "0.0078"}) {
    const Snapshot usual = flown(start, "");
    EXPECT_NEAR(usual.velocity[0][0], -0.5, 0.02) << "the restitution; from " << start;
    for (const std::string verlet : {"1e-4", "8e-4"}) {
      const Snapshot now = flown(start, verlet);
      EXPECT_EQ(now.velocity[0], usual.velocity[0]) << start << " " << verlet;
      EXPECT_EQ(now.position[0], usual.position[0]) << start << " " << verlet;
    }
  }
}

TEST(RepeatedBoundaries, BeadsMeetThroughAFaceAboveTheFloor) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "bead.csv") << "x,y,z,radius\n0.0005,0.05,0.00999,0.01\n0.081,0.05,0.00999,0.01\n";
  const auto engine = engine_of(folder, on_floor(plane_floor));
  engine->advance(1);
  EXPECT_EQ(engine->counts().contacts, 1u);
  EXPECT_EQ(engine->counts().boundary_contacts, 2u);
}

TEST(RepeatedBoundaries, WhatCannotBeRepeatedIsNamed) {
  const ScratchFolder folder;
  write_floor(folder.path());
  std::ofstream(folder.path() / "bead.csv") << "x,y,z,radius\n0.05,0.05,0.05,0.01\n";
  const auto expect = [&](const std::string& boundaries, const std::string& message,
                          const std::string& axes = R"(["x", "y"])") {
    const std::string problems = problems_of(folder, on_floor(boundaries, axes));
    EXPECT_NE(problems.find(message), std::string::npos) << problems;
  };
  expect(R"({"a": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0.1, 1], "material": "glass"}})",
         "boundaries.a: in a periodic cell a plane must lie along the edges that repeat");
  expect(R"({"b": {"type": "sphere", "center": [0, 0, 0], "radius": 0.01, "material": "glass"}})",
         "boundaries.b: in a periodic cell a sphere");
  expect(R"({"c": {"type": "cylinder", "from": [0, 0, 0], "to": [0, 0, 0.1], "radius": 0.05, "material": "glass"}})",
         "a cylinder must lie along the only edge");
  expect(R"({"d": {"type": "mesh", "file": "floor.obj", "material": "glass",
                   "motion": [{"type": "translation", "velocity": [1, 0, 0]}]}})",
         "boundaries.d: in a periodic cell a mesh can only turn");
  // Two end walls a cell apart, whose triangles face the same way.
  std::ofstream(folder.path() / "ends.obj") << "v 0 0 0\nv 0 0.1 0\nv 0 0.1 0.1\nv 0.1 0 0\nv 0.1 0.1 0\n"
                                               "v 0.1 0.1 0.1\nf 1 2 3\nf 4 5 6\n";
  expect(R"({"g": {"type": "mesh", "file": "ends.obj", "material": "glass"}})",
         "boundaries.g: in a periodic cell walls of the mesh coincide with their own copies across the faces");
  expect(R"({"e": {"type": "cylinder", "from": [0, 0.05, 0.05], "to": [0.05, 0.05, 0.05], "radius": 0.05,
                   "material": "glass"}})",
         "as long as the cell", R"(["x"])");
  expect(R"({"f": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass",
                   "surface_motion": [{"type": "rotation", "axis": [0, 0, 1], "rate": 1}]}})",
         "boundaries.f.surface_motion: in a periodic cell the surface of a boundary can only turn");
}

/// A boundary that turns out of the edges, or leaves the cell at its end, would not be where its images are.
TEST(RepeatedBoundaries, MoveAsTheirImagesDo) {
  const ScratchFolder folder;
  write_floor(folder.path());
  std::ofstream(folder.path() / "bead.csv") << "x,y,z,radius\n0.05,0.05,0.05,0.01\n";
  const std::string one = R"(["x"])", two = R"(["x", "y"])";
  const auto problems = [&](const std::string& shape, const std::string& more, const std::string& axes) {
    const std::string found =
        problems_of(folder, on_floor(R"({"a": {)" + shape + R"(, "material": "glass", )" + more + "}}", axes));
    return found.empty() ? "none" : found;
  };
  const std::string plane = R"("type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1])";
  const std::string pipe = R"("type": "cylinder", "from": [0, 0.05, 0.05], "to": [0.1, 0.05, 0.05], "radius": 0.04)";
  const auto turn = [](const std::string& axis) {
    return R"("motion": [{"type": "rotation", "axis": )" + axis + R"(, "rate": 1}])";
  };
  const auto shift = [](const std::string& velocity) {
    return R"("motion": [{"type": "translation", "velocity": )" + velocity + "}]";
  };
  const auto driven = [](const std::string& axis) {
    return R"("drive": {"rotation": {"inertia": 1e-4, "axis": )" + axis + "}}";
  };
  const auto free = [](const std::string& axes) {
    return R"("drive": {"translation": {"mass": 1, "free": )" + axes + "}}";
  };
  const std::string turns = "boundaries.a.motion.0: in a periodic cell a boundary can only turn about the one edge";
  EXPECT_IN(turns, problems(plane, turn("[0, 1, 0]"), two));
  EXPECT_IN(turns, problems(plane, turn("[0, 0, 1]"), two));  // it stays a plane, but its velocities do not repeat
  EXPECT_IN(turns, problems(plane, turn("[0, 1, 0]"), one));
  EXPECT_IN("none", problems(plane, turn("[-2, 0, 0]"), one));
  EXPECT_IN("none", problems(plane, shift("[1, 2, 3]"), two));
  EXPECT_IN(turns, problems(plane, R"("motion": [{"type": "oscillation", "axis": [0, 1, 0], "amplitude": 0.1,
                                                  "frequency": 1}])",
                            two));
  EXPECT_IN(turns,
            problems(plane, R"("motion": [{"type": "table", "axis": [0, 1, 0], "velocity": [[0, 0], [1, 1]]}])", two));
  EXPECT_IN("boundaries.a.drive.rotation.axis: in a periodic cell", problems(plane, driven("[0, 1, 0]"), two));
  EXPECT_IN("none", problems(plane, driven("[1, 0, 0]"), one));
  EXPECT_IN("none", problems(plane, free(R"(["x", "z"])"), two));
  EXPECT_IN(turns, problems(pipe, turn("[0, 1, 0]"), one));
  EXPECT_IN("none", problems(pipe, turn("[1, 0, 0]"), one));
  EXPECT_IN("none", problems(pipe, shift("[0, 1, 0]"), one));
  EXPECT_IN("boundaries.a.motion.0: in a periodic cell a cylinder cannot move along",
            problems(pipe, shift("[1, 1, 0]"), one));
  EXPECT_IN("boundaries.a.drive.translation.free: in a periodic cell a cylinder cannot move along",
            problems(pipe, free(R"(["x", "z"])"), one));
  EXPECT_IN("none", problems(pipe, free(R"(["z"])"), one));
  EXPECT_IN(
      "boundaries.a.servo: is not possible for a mesh in a periodic cell",
      problems(R"("type": "mesh", "file": "floor.obj")", R"("servo": {"force": 1, "direction": [0, 0, 1]})", two));
}

/// A belt that repeats takes a bead along, from cell to cell, as an infinite one does. It ends at 2/7 of the speed of
/// the belt, and a little faster, since the arm of the friction is shorter than the radius by half of the overlap.
TEST(RepeatedBoundaries, ABeltHasNoEnds) {
  const ScratchFolder folder;
  write_floor(folder.path());
  std::ofstream(folder.path() / "bead.csv") << "x,y,z,radius\n0.05,0.02,0.00999,0.01\n";
  const std::string moves =
      R"("surface_motion": [{"type": "translation", "velocity": [3, 1, 0]}], "material": "glass"}})";
  const auto plane =
      engine_of(folder, on_floor(R"({"floor": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], )" + moves));
  const auto mesh = engine_of(folder, on_floor(R"({"floor": {"type": "mesh", "file": "floor.obj", )" + moves));
  plane->advance(40000), mesh->advance(40000);
  const Snapshot a = plane->snapshot(), b = mesh->snapshot();
  EXPECT_GE(b.image[0][0], 2);
  EXPECT_NEAR(a.velocity[0][0], 2.0 / 7.0 * 3, 3e-3);
  for (std::size_t c = 0; c < 3; ++c) { EXPECT_NEAR(b.velocity[0][c], a.velocity[0][c], 1e-9); }
}

/// Inside a pipe that repeats along its axis, a bead flies from cell to cell without a contact. Also where the pipe was
/// given for another cell than the one that the bead is in.
TEST(RepeatedBoundaries, APipeHasNoEnds) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "bead.csv") << "x,y,z,radius,vx,vy,vz\n0.05,0.05,0.01999,0.01,3,0,0\n";
  const std::string begin = R"({"pipe": {"type": "cylinder", "radius": 0.04, "material": "glass", )";
  for (const char* ends : {R"("from": [0, 0.05, 0.05], "to": [0.1, 0.05, 0.05])",
                           R"("from": [0.63, 0.05, 0.05], "to": [0.53, 0.05, 0.05])",
                           R"("from": [-0.73, 0.05, 0.05], "to": [-0.6, 0.05, 0.05])"}) {
    const auto engine = engine_of(folder, on_floor(begin + ends + "}}", R"(["x"])"));
    for (int k = 0; k < 20; ++k) {
      engine->advance(1000);
      EXPECT_EQ(engine->counts().boundary_contacts, 1u) << "step " << engine->step() << ", " << ends;
      EXPECT_NEAR(engine->snapshot().position[0][2], 0.02, 1e-4);
    }
    EXPECT_GE(engine->snapshot().image[0][0], 2);
  }
}

}  // namespace scree::repeat_boundaries_test
