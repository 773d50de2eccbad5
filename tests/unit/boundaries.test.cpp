#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>

#include "case_errors.hpp"
#include "host/geometry/boundary_shapes.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/time_table.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

namespace scree::boundaries_test {

using geometry::length;
using geometry::subtract;
using test::error_of;
using test::ScratchFolder;

// --- outlines ------------------------------------------------------------------------------------------------------

/// Number of edges that belong to one triangle only. Every other edge belongs to two triangles, which run along it in
/// opposite directions.
std::size_t open_edges(const TriangleMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> seen;
  for (const auto& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto edge = std::pair(t[k], t[(k + 1) % 3]);
      EXPECT_EQ(++seen[edge], 1);
    }
  }
  std::size_t open = 0;
  for (const auto& [edge, n] : seen) open += seen.count({edge.second, edge.first}) == 0 ? 1 : 0;
  return open;
}

double area(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const Real3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    sum += 0.5 * length(geometry::cross(subtract(b, a), subtract(c, a)));
  }
  return sum;
}

// Vertices lie on the surface, and shells are open at their rims only. Areas agree with the closed forms to 0.3 %, the
// error of 64 corners.
TEST(Outlines, CoverTheirSurfaces) {
  const double pi = std::acos(-1.0);
  SceneBoundary boundary;
  EXPECT_TRUE(geometry::outline(boundary.shape).triangles.empty());  // a plane

  boundary.shape = BoxBoundary{{0, 1, 2}, {1, 3, 5}};
  TriangleMesh mesh = geometry::outline(boundary.shape);
  EXPECT_EQ(open_edges(mesh), 0u);
  EXPECT_NEAR(area(mesh), 22, 1e-12);

  boundary.shape = CylinderBoundary{{1, 2, 3}, {1, 4, 4}, 0.5};
  mesh = geometry::outline(boundary.shape);
  EXPECT_EQ(open_edges(mesh), 128u);
  EXPECT_NEAR(area(mesh) / (pi * std::sqrt(5.0)), 1, 3e-3);

  for (const auto& [first, second] : {std::pair(0.0, 0.5), std::pair(0.5, 0.0), std::pair(0.2, 0.4)}) {
    boundary.shape = ConeBoundary{{1, 2, 3}, {1, 4, 4}, first, second};
    mesh = geometry::outline(boundary.shape);
    EXPECT_EQ(open_edges(mesh), first * second > 0 ? 128u : 64u);
    EXPECT_NEAR(area(mesh) / (pi * (first + second) * std::sqrt(5 + (first - second) * (first - second))), 1, 3e-3);
  }

  boundary.shape = SphereBoundary{{1, 2, 3}, 0.5};
  mesh = geometry::outline(boundary.shape);
  EXPECT_EQ(open_edges(mesh), 0u);
  EXPECT_NEAR(area(mesh) / pi, 1, 3e-3);
  for (const Real3& v : mesh.vertices) EXPECT_NEAR(length(subtract(v, {1, 2, 3})), 0.5, 1e-12);
}

// --- surfaces that move ---------------------------------------------------------------------------------------------

/// What is wrong with a surface motion of a boundary.
std::string fault_of(const std::filesystem::path& folder, const std::string& shape, const std::string& motion) {
  const std::string text = R"({"time": {"duration": 1, "step": 1e-5}, "materials": {"glass": {"density": 2500,
      "young_modulus": 1e7, "poisson_ratio": 0.3, "friction": 0.5, "restitution": 0.5}},
    "particles": [{"material": "glass", "radius": 0.001,
                   "lattice": {"box": [[0, 0, 0.1], [0.01, 0.01, 0.11]], "spacing": 0.01}}],
    "boundaries": {"b": {"material": "glass", )" +
                           shape + R"(, "surface_motion": [)" + motion + "]}}}";
  return error_of([&] {
    SceneReport report;
    static_cast<void>(build_scene(parse_case(text, folder), report));
  });
}

TEST(Facets, BelongToMeshes) {
  const ScratchFolder folder;
  EXPECT_IN("boundaries.b.facets: ",
            fault_of(folder.path(), R"("type": "sphere", "center": [1, 0, 0], "radius": 0.1, "facets": {})", ""));
}

TEST(SurfaceMotions, LieInTheSurface) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "wall.obj") << "v 0 0 0\nv 0 0.1 0\nv 0 0.1 0.1\nv 0 0 0.1\nf 1 2 3\nf 1 3 4\n";
  const auto fault = [&](const std::string& shape, const std::string& motion) {
    return fault_of(folder.path(), shape, motion);
  };
  const std::string plane = R"("type": "plane", "point": [0, 0, 0], "normal": [0, 0, 2])",
                    cylinder = R"("type": "cylinder", "from": [0, 1, 0], "to": [1, 1, 0], "radius": 0.1)",
                    cone = R"("type": "cone", "from": [0, 1, 0], "to": [1, 1, 0], "radius_from": 0.1, "radius_to": 0)",
                    sphere = R"("type": "sphere", "center": [1, 0, 0], "radius": 0.1)",
                    mesh = R"("type": "mesh", "file": "wall.obj")",
                    box = R"("type": "box", "min": [-1, -1, -1], "max": [1, 1, 1])";
  const auto line = [](const std::string& v) { return R"({"type": "translation", "velocity": )" + v + "}"; };
  const auto turn = [](const std::string& axis, const std::string& origin) {
    return R"({"type": "rotation", "rate": 2, "axis": )" + axis + R"(, "origin": )" + origin + "}";
  };
  EXPECT_IN(
      "boundaries.b.surface_motion.0.velocity: must lie in the plane; the surface moves along itself, and "
      "\"motion\" moves the boundary",
      fault(plane, line("[1, 0, 0.1]")));
  EXPECT_IN("surface_motion.1.axis: must be the normal of the plane",
            fault(plane, line("[1, 0, 0]") + ", " + turn("[0, 0.1, 1]", "[0, 0, 0]")));
  EXPECT_IN("surface_motion.0.direction: must lie in the plane",
            fault(plane, R"({"type": "oscillation", "direction": [0, 0, 1], "amplitude": 1, "frequency": 1})"));
  EXPECT_IN("velocity: must lie along the axis of the cylinder", fault(cylinder, line("[0, 1, 0]")));
  EXPECT_IN("axis: must be the axis of the cylinder", fault(cylinder, turn("[1, 0, 0]", "[0, 0, 0]")));
  EXPECT_IN("axis: must be the axis of the cone", fault(cone, turn("[0, 1, 0]", "[0, 1, 0]")));
  EXPECT_IN("velocity: is not possible for a cone", fault(cone, line("[1, 0, 0]")));
  EXPECT_IN("velocity: is not possible for a sphere", fault(sphere, line("[1, 0, 0]")));
  EXPECT_IN("axis: must go through the centre of the sphere", fault(sphere, turn("[0, 0, 1]", "[0, 0, 0]")));
  EXPECT_IN("velocity: moves no facet of the mesh along itself", fault(mesh, line("[3, 0, 0]")));
  EXPECT_IN("surface_motion.0.velocity.1.0: ", fault(plane, R"({"type": "table", "direction": [1, 0, 0],
                                                            "velocity": [[1, 0], [0, 1]]})"));
  for (const auto& [shape, motion] :
       {std::pair(plane, turn("[0, 0, -3]", "[1, 2, 3]")), std::pair(plane, line("[0, 0, 0]")),
        std::pair(cylinder, turn("[-2, 0, 0]", "[7, 1, 0]") + ", " + line("[3, 0, 0]")),
        std::pair(cone, turn("[1, 0, 0]", "[0.5, 1, 0]")), std::pair(sphere, turn("[0, 1, 0]", "[1, 5, 0]")),
        std::pair(mesh, line("[3, 0, 0.1]")), std::pair(mesh, turn("[1, 0, 0]", "[0, 0, 0]")),
        std::pair(box, line("[0, 0, 1]"))}) {
    EXPECT_EQ(fault(shape, motion), "no error") << shape << motion;
  }
}

// --- tables --------------------------------------------------------------------------------------------------------

TEST(TimeTables, AreReadFromText) {
  const TimeTable rows{{0, 1}, {0.5, -2e-3}};
  EXPECT_EQ(parse_time_table("0,1\n0.5,-2e-3\n", "t"), rows);
  EXPECT_EQ(parse_time_table("# shaker\r\ntime [s], position [m]\r\n 0 , 1 \r\n\r\n0.5,-2e-3", "t"), rows);
  EXPECT_EQ(parse_time_table("Zeit [s];Weg [m]\r\n0;1\r\n0.5;-2e-3\r\n", "t"), rows);  // as spreadsheets write it
  EXPECT_EQ(parse_time_table("0 1\n0.5   -2e-3\n", "t"), rows);
  EXPECT_EQ(parse_time_table("0\t1\n0.5\t-2e-3\n", "t"), rows);
  EXPECT_EQ(error_of([] { (void)parse_time_table("t,x\n", "t.csv"); }), "t.csv: holds no row");
  for (const char* header : {"t;x\n", ""}) {
    EXPECT_EQ(error_of([&] { (void)parse_time_table(header + std::string("0,5;1,5\n"), "t.csv"); }).substr(13),
              ": must be two numbers \"time,value\", got \"0,5;1,5\"; the decimal sign is a point");
  }
  EXPECT_EQ(error_of([] { (void)parse_time_table("0,1\n1;2\n", "t.csv"); }),
            "t.csv: line 2: must be two numbers \"time,value\", got \"1;2\"");
  EXPECT_EQ(error_of([] { (void)parse_time_table("0,1\nt,x\n", "t.csv"); }),
            "t.csv: line 2: must be two numbers \"time,value\", got \"t,x\"");
  EXPECT_EQ(error_of([] { (void)parse_time_table("0,1,2\n", "t.csv"); }),
            "t.csv: line 1: must be two numbers \"time,value\", got \"0,1,2\"");
}

TEST(TimeTables, TimesMustAscend) {
  EXPECT_EQ(error_of([] {
              expect_good_table({{0, 1}, {0, 2}}, "velocity");
            }),
            "velocity.1.0: must be greater than the time before, 0, got 0");
  EXPECT_EQ(error_of([] { expect_good_table({{-1, 1}}, "velocity"); }), "velocity.0.0: must be >= 0, got -1");
  EXPECT_EQ(error_of([] { expect_good_table({{0, std::nan("")}}, "velocity"); }), "velocity.0.1: must be finite");
  EXPECT_EQ(error_of([] { expect_good_table({{0, 1}, {2, 2}}, "velocity"); }), "no error");
}

// --- scenes --------------------------------------------------------------------------------------------------------

Case one_sphere(Boundary boundary) {
  Case input;
  input.time = {1, 1e-5};
  input.materials = {{"glass", Material{2500, 1e7, 0.25, 0.5, 0.5}}};
  ParticleGroup group;
  group.material = "glass";
  group.radius = FixedSize{0.1};
  group.lattice = Lattice{.box = {{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}}, .spacing = 0.2};
  input.particles = {group};
  boundary.material = "glass";
  input.boundaries = {{"wall", std::move(boundary)}};
  return input;
}

Scene build(const Case& input, std::vector<std::string>* warnings = nullptr) {
  SceneReport report;
  Scene scene = build_scene(input, report);
  if (warnings != nullptr) *warnings = report.warnings;
  return scene;
}

TEST(BoundaryScenes, TablesOfFilesBecomeRows) {
  const ScratchFolder folder;
  std::ofstream(folder / "shake.csv") << "time,x\n0,0\n1,0.5\n";
  Boundary boundary{PlaneBoundary{{0, 0, -1}, {0, 0, 1}}, "", {}, {}};
  TableMotion table;
  table.direction = Real3{0, 3, 4};
  table.position_file = "shake.csv";
  boundary.motion = {{table}};
  Case input = one_sphere(boundary);
  input.folder = folder.path();
  const auto found = std::get<TableMotion>(build(input).boundaries[0].motion[0].kind);
  EXPECT_EQ(*found.position, (TimeTable{{0, 0}, {1, 0.5}}));
  EXPECT_FALSE(found.position_file.has_value());
  EXPECT_EQ(*found.direction, (Real3{0, 0.6, 0.8}));

  std::ofstream(folder / "shake.csv") << "1,0\n1,0.5\n";
  const std::string error = error_of([&] { (void)build(input); });
  EXPECT_NE(error.find("boundaries.wall.motion.0.position_file: "), std::string::npos) << error;
  EXPECT_NE(error.find("must be greater than the time before, 1, got 1"), std::string::npos) << error;
}

TEST(BoundaryScenes, BadStartsAreNoticed) {
  const auto warning = [](const BoundaryShape& shape) {
    std::vector<std::string> warnings;
    (void)build(one_sphere({shape, "", {}, {}}), &warnings);
    return warnings.empty() ? "" : warnings.at(0);
  };
  // The scene has a sphere of radius 0.1 at the origin.
  EXPECT_EQ(warning(BoxBoundary{{-0.11, -0.11, -0.11}, {0.11, 0.11, 0.11}}), "");
  EXPECT_NE(warning(BoxBoundary{{-0.11, -0.11, -0.11}, {0.11, 0.08, 0.11}}).find("by 20 %"), std::string::npos);
  EXPECT_NE(warning(BoxBoundary{{0.02, -0.2, -0.2}, {0.2, 0.2, 0.2}}).find("behind"), std::string::npos);
  EXPECT_EQ(warning(SphereBoundary{{0, 0, 0.1}, 0.21}), "");
  EXPECT_NE(warning(SphereBoundary{{0, 0, 0.1}, 0.15}).find("by 50 %"), std::string::npos);
  // A cone with the half angle 45 degrees around z. A point on the axis has the distance height/sqrt(2) from it.
  EXPECT_EQ(warning(ConeBoundary{{0, 0, -0.15}, {0, 0, 0.35}, 0, 0.5}), "");
  EXPECT_NE(warning(ConeBoundary{{0, 0, -0.1}, {0, 0, 0.4}, 0, 0.5}).find("by 29.3 %"), std::string::npos);
}

// With a radius of 0.1 m and a step of 1e-5 s, 10 km/s are one radius per step.
TEST(BoundaryScenes, FastBoundariesAreNoticed) {
  const auto warning = [](const BoundaryShape& shape, const Motion& motion) {
    std::vector<std::string> warnings;
    (void)build(one_sphere({shape, "", {motion}, {}}), &warnings);
    // The amplitude looks like one in millimetres, too.
    std::erase_if(warnings, [](const std::string& text) { return text.find("if it is meant in mm") != text.npos; });
    return warnings.empty() ? "" : warnings.at(0);
  };
  const BoundaryShape far_plane = PlaneBoundary{{0, 0, -1}, {0, 0, 1}},
                      pipe = CylinderBoundary{{0, 0, 5}, {0, 0, 6}, 2};
  EXPECT_EQ(warning(far_plane, {Translation{{0, 0, 9900}}}), "");
  EXPECT_EQ(warning(far_plane, {Translation{{0, 9000, 9000}}}),
            "boundaries.wall: at up to 12700 m/s it goes up to 0.1273 m in a step, farther than the smallest "
            "radius, 0.1 m; the run ends where it "
            "meets particles at that speed. A time step below 7.85e-06 s would do");
  EXPECT_EQ(warning(pipe, {Rotation{{0, 0, 1}, {0, 0, 0}, 4900}}), "");
  EXPECT_NE(warning(pipe, {Rotation{{0, 0, 1}, {0, 0, 0}, 5100}}).find("at up to 10200 m/s"), std::string::npos);
  EXPECT_NE(warning(pipe, {Rotation{{0, 0, 1}, {2, 0, 0}, 2600}}).find("at up to 10400 m/s"), std::string::npos);
  Oscillation swing{
      .direction = Real3{0, 0, 1}, .axis = {}, .origin = {}, .amplitude = 1, .frequency = 1500, .phase = 1};
  EXPECT_EQ(warning(far_plane, {swing}), "");
  swing.frequency = 1600;  // 2 pi f A = 10.05 km/s
  EXPECT_NE(warning(far_plane, {swing}).find("boundaries.wall: at up to 10100 m/s"), std::string::npos);
  TableMotion table;
  table.direction = Real3{0, 0, 1};
  table.position = TimeTable{{0, 0}, {1e-3, 0.5}, {1.1e-3, 1.6}};
  EXPECT_NE(warning(far_plane, {table}).find("at up to 11000 m/s"), std::string::npos);
}

}  // namespace scree::boundaries_test
