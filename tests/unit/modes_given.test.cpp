#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "case_errors.hpp"
#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/geometry/volume_mesh.hpp"
#include "host/grains/grain_source.hpp"
#include "host/grains/modes.hpp"
#include "host/modes/given/modes_of_file.hpp"
#include "host/output/hdf5_file.hpp"
#include "scratch_folder.hpp"
#include "solid_meshes.hpp"

// Modes that a file gives, against closed forms of mass and stiffness.
namespace scree::modes {
namespace {

using Formula = std::function<Real3(const Real3&)>;

GrainShape made(const grains::Solid& solid, double spacing) {
  return grains::make_grain(solid, {spacing, 0.9}, "grain").shape;
}

void write(const std::filesystem::path& file, const std::map<std::string, std::vector<double>>& tables,
           const std::map<std::string, std::size_t>& columns) {
  Hdf5File out(file);
  for (const auto& [name, numbers] : tables) {
    const auto of = columns.find(name);
    out.add_dataset("/" + name, numbers, of == columns.end() ? 1 : of->second, ElementType::float64);
  }
  out.save();
}

std::vector<double> flat(const std::vector<Real3>& rows) {
  std::vector<double> all;
  for (const Real3& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

std::vector<Real3> values(const std::vector<Formula>& modes, const std::vector<Real3>& points) {
  std::vector<Real3> all;
  for (const Formula& mode : modes) {
    for (const Real3& point : points) all.push_back(mode(point));
  }
  return all;
}

void write_mesh(const std::filesystem::path& file, const geometry::VolumeMesh& mesh,
                const std::vector<Formula>& modes) {
  std::vector<double> cells;
  for (const auto& cell : mesh.tetrahedra) cells.insert(cells.end(), cell.begin(), cell.end());
  for (const auto& cell : mesh.hexahedra) cells.insert(cells.end(), cell.begin(), cell.end());
  write(file, {{"points", flat(mesh.points)}, {"cells", cells}, {"displacement", flat(values(modes, mesh.points))}},
        {{"points", 3}, {"cells", mesh.hexahedra.empty() ? 4 : 8}, {"displacement", 3}});
}

/// A grid from -reach to reach.
void write_grid(const std::filesystem::path& file, const Real3& reach, double spacing,
                const std::vector<Formula>& modes, std::map<std::string, std::vector<double>> more = {}) {
  std::vector<Real3> points;
  Real3 size{};
  for (std::size_t axis = 0; axis < 3; ++axis) size[axis] = 2 * std::ceil(reach[axis] / spacing) + 1;
  const Real3 origin = {-0.5 * (size[0] - 1) * spacing, -0.5 * (size[1] - 1) * spacing, -0.5 * (size[2] - 1) * spacing};
  for (double k = 0; k < size[2]; ++k) {
    for (double j = 0; j < size[1]; ++j) {
      for (double i = 0; i < size[0]; ++i) {
        points.push_back({origin[0] + spacing * i, origin[1] + spacing * j, origin[2] + spacing * k});
      }
    }
  }
  more["origin"] = {origin[0], origin[1], origin[2]};
  more["spacing"] = {spacing};
  more["size"] = {size[0], size[1], size[2]};
  more["displacement"] = flat(values(modes, points));
  write(file, more, {{"displacement", 3}, {"mass", modes.size()}, {"stiffness", modes.size()}});
}

GrainModes read(const GrainShape& shape, const std::filesystem::path& file, double poisson_ratio = 0.3,
                double scale = 1, bool in_body_frame = false) {
  ModesChoice choice;
  choice.given = {file, scale, in_body_frame};
  choice.poisson_ratio = poisson_ratio;
  return make_modes(shape, choice, [](const std::string&) {}).modes;
}

std::string refusal(const GrainShape& shape, const std::filesystem::path& file, double scale = 1) {
  try {
    static_cast<void>(read(shape, file, 0.3, scale));
    return "it was read";
  } catch (const CaseError& error) { return error.what(); }
}

Formula strain(std::size_t i, std::size_t j) {
  return [i, j](const Real3& x) {
    Real3 u{};
    u[i] += x[j];
    if (i != j) u[j] += x[i];
    return u;
  };
}

const std::vector<Formula> homogeneous = {strain(0, 0), strain(1, 1), strain(2, 2),
                                          strain(0, 1), strain(1, 2), strain(2, 0)};

// A sphere of radius 10, density 1, Young's modulus 1e4, Poisson's ratio 0.3: modes u = (x, 0, 0), ..., (y, x, 0), ...
constexpr double ball_radius = 10, ball_modulus = 1e4;
constexpr double mass_normal = 83775.80409572781, mass_shear = 167551.60819145563;
constexpr double stiffness_normal = 56387560.449047565, stiffness_between = 24166097.335306097,
                 stiffness_shear = 64442926.22748294;

/// Against these, where modes are scaled to a largest displacement of 1 at a node.
void expect_homogeneous(const GrainModes& modes, double mass_tolerance, double stiffness_tolerance) {
  ASSERT_EQ(modes.count, 6U);
  const double unit = ball_radius * ball_radius;
  for (std::size_t a = 0; a < 6; ++a) {
    const double mass = modes.mass[7 * a] * unit, stiffness = modes.stiffness[7 * a] * unit * ball_modulus;
    EXPECT_NEAR(mass / (a < 3 ? mass_normal : mass_shear), 1, mass_tolerance) << a;
    EXPECT_NEAR(stiffness / (a < 3 ? stiffness_normal : stiffness_shear), 1, stiffness_tolerance) << a;
  }
  EXPECT_NEAR(modes.stiffness[1] * unit * ball_modulus / stiffness_between, 1, stiffness_tolerance);
  EXPECT_NEAR(modes.mass[1] / modes.mass[0], 0, 1e-3);
}

// Linear displacements are exact in tetrahedra. What is left is that the mesh misses 0.5 % of the volume at the
// surface: the weights are scaled to the volume, but the mass of what lies far out stays too low.
TEST(ModesGiven, HomogeneousStrainsOnTetrahedraOfASphereHaveTheirClosedForms) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_sphere(ball_radius), 1);
  write_mesh(folder / "a.h5", test::ball_of_tetrahedra(ball_radius, 16), homogeneous);
  const GrainModes modes = read(shape, folder / "a.h5");
  expect_homogeneous(modes, 4e-3, 1e-3);
  // Displacements at nodes are those of the nearest point of the mesh, which is up to 0.1 spacings inside.
  for (std::size_t k = 0; k < shape.node.size(); k += 31) {
    EXPECT_NEAR(modes.at_node[k][0], shape.node[k][0] / ball_radius, 0.02);
    EXPECT_NEAR(modes.at_node[k][1], 0, 0.002);
  }
}

TEST(ModesGiven, HomogeneousStrainsOnAGridHaveTheirClosedForms) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_sphere(ball_radius), 1);
  write_grid(folder / "a.h5", {12, 12, 12}, 1.7, homogeneous);
  GrainShape soft = shape;
  soft.modes = read(shape, folder / "a.h5");
  expect_homogeneous(soft.modes, 2e-3, 2e-3);
  // As a case takes them: five without change of volume, K / M = 10 mu / R^2, and breathing.
  EXPECT_EQ(grains::fault_of(soft), std::nullopt);
  EXPECT_TRUE(grains::make_orthogonal(soft));
  const double mu = 0.5 / 1.3, unit = ball_radius * ball_radius;
  for (std::size_t a = 0; a < 5; ++a) {
    EXPECT_NEAR(soft.modes.stiffness[7 * a] / soft.modes.mass[7 * a] * unit / (10 * mu), 1, 3e-3);
  }
  EXPECT_NEAR(soft.modes.stiffness[35] / soft.modes.mass[35] * unit / 12.5, 1, 3e-3);
}

// The mesh reaches just over the nodes, so that the field continues beyond it: constant along the normal.
TEST(ModesGiven, ContinueBeyondTheMeshWithTheValueOfTheNearestPoint) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_box({6, 4, 3}), 0.5);
  write_mesh(folder / "a.h5", test::box_of_hexahedra({6, 4, 3}, {6, 4, 3}), {strain(0, 0), strain(1, 1)});
  const GrainModes modes = read(shape, folder / "a.h5");
  // Axes of the body: the longest first, as in the source, up to signs.
  std::size_t far = 0;
  grains::for_each_point(grains::grid_of(shape), 0, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
    const Real3 x = grains::grid_of(shape).place(i, j, k);
    far += std::fabs(x[0]) > 6.9 ? 1 : 0;
    EXPECT_NEAR(modes.field[at][0], std::clamp(x[0], -6.0, 6.0) / 6, 1e-5);
    EXPECT_NEAR(modes.field[shape.points() + at][1], std::clamp(x[1], -4.0, 4.0) / 4, 1e-5);
  });
  EXPECT_GT(far, 0U);
}

// A beam 160 x 4 x 4: w = cos(pi x / L), u = (pi z / L) sin(pi x / L). Mass A L / 2 (1 + (pi t / L)^2 / 12) less that
// of its motion as a whole; stiffness (lambda + 2 mu) I pi^4 / (2 L^3), as nothing gives way across.
TEST(ModesGiven, BendingOnHexahedraHasTheMassAndStiffnessOfABeam) {
  const double length = 160, t = 4, rate = std::numbers::pi / length, nu = 0.3;
  const Formula bending = [=](const Real3& x) {
    return Real3{x[2] * rate * std::sin(rate * x[0]), 0, std::cos(rate * x[0])};
  };
  const double mass =
      t * t * length / 2 * (1 + std::pow(rate * t, 2) / 12) - t * t * length * 4 / std::pow(std::numbers::pi, 2);
  const double modulus = (1 - nu) / ((1 + nu) * (1 - 2 * nu));
  const double stiffness = modulus * std::pow(t, 4) / 12 * std::pow(std::numbers::pi, 4) / (2 * std::pow(length, 3));
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_box({80, 2, 2}), 1);
  // The largest displacement is that of the edges at the ends, after the mean, 2 / pi, is taken out.
  const double most = std::hypot(2 / std::numbers::pi, rate * t / 2);
  for (const std::uint32_t cells : {40U, 80U}) {
    write_mesh(folder / "a.h5", test::box_of_hexahedra({80, 2, 2}, {cells, 4, 4}), {bending});
    const GrainModes modes = read(shape, folder / "a.h5", nu);
    const double cell = length / static_cast<double>(cells), error = std::pow(rate * cell, 2);
    EXPECT_NEAR(modes.mass[0] * most * most / mass, 1, 2 * error);
    EXPECT_NEAR(modes.stiffness[0] * most * most / stiffness, 1, 0.2 * error);
  }
}

// Cells of any shape: linear displacements have their strains exactly, and so has a bar that is twisted, whose cells
// are bricks. Bar of the half edges a, b, c: u = (0, -x z, x y), K = mu V (b^2 + c^2) / 3.
TEST(ModesGiven, StrainsThatHexahedraCanHaveAreExact) {
  const test::ScratchFolder folder;
  const double a = 6, b = 4, c = 3, nu = 0.25, volume = 8 * a * b * c, mu = 0.5 / (1 + nu);
  const GrainShape shape = made(*grains::make_box({a, b, c}), 0.5);
  auto mesh = test::box_of_hexahedra({a, b, c}, {6, 4, 4});
  write_mesh(folder / "twist.h5", mesh, {[](const Real3& x) { return Real3{0, -x[0] * x[2], x[0] * x[1]}; }});
  const double most = a * std::sqrt(b * b + c * c);
  EXPECT_NEAR(read(shape, folder / "twist.h5", nu).stiffness[0] * most * most / (mu * volume * (b * b + c * c) / 3), 1,
              1e-9);
  for (Real3& point : mesh.points) {  // moved by up to a third of a cell; those on the surface stay on it
    const double wave = 0.1 * (a * a - point[0] * point[0]) * (b * b - point[1] * point[1]) *
                        (c * c - point[2] * point[2]) / (a * b * c) / 6;
    point = geometry::along(point, wave * std::sin(5 * point[0] + 3 * point[1]), {1, -0.7, 0.5});
  }
  write_mesh(folder / "linear.h5", mesh, {strain(0, 0), strain(0, 1)});
  const GrainModes modes = read(shape, folder / "linear.h5", nu);
  EXPECT_NEAR(modes.stiffness[0] * a * a / ((1 - nu) / ((1 + nu) * (1 - 2 * nu)) * volume), 1, 1e-9);
  EXPECT_NEAR(modes.mass[0] * a * a / (volume * a * a / 3), 1, 1e-9);
}

// The source of the grain is turned and shifted against its body frame. What the modes do must not depend on that.
TEST(ModesGiven, OfATurnedSourceAreThoseOfTheBody) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_box({6, 4, 3}), 0.5);
  GrainShape turned = shape;
  turned.center = {100, -20, 3};
  turned.to_source = clumps::unit_orientation({0.8, 0.3, -0.4, 0.2});
  const Formula in_body = [](const Real3& x) { return Real3{0.1 * x[0], 0.02 * x[2] * x[0], 0.05 * x[1]}; };
  const auto& q = turned.to_source;
  const Formula in_source = [&](const Real3& x) {
    const Real3 own = clumps::turned({q[0], -q[1], -q[2], -q[3]}, geometry::subtract(x, turned.center));
    return clumps::turned(q, in_body(own));
  };
  geometry::VolumeMesh mesh = test::box_of_hexahedra({6, 4, 3}, {12, 8, 6});
  write_mesh(folder / "a.h5", mesh, {in_body});
  const GrainModes expected = read(shape, folder / "a.h5");
  EXPECT_EQ(read(turned, folder / "a.h5", 0.3, 1, true).field, expected.field);
  for (Real3& point : mesh.points) point = geometry::add(turned.center, clumps::turned(q, point));
  write_mesh(folder / "b.h5", mesh, {in_source});
  const GrainModes modes = read(turned, folder / "b.h5");
  EXPECT_NEAR(modes.mass[0] / expected.mass[0], 1, 1e-9);
  EXPECT_NEAR(modes.stiffness[0] / expected.stiffness[0], 1, 1e-9);
  for (std::size_t k = 0; k < expected.at_node.size(); k += 7) {
    EXPECT_NEAR(geometry::length(geometry::subtract(modes.at_node[k], expected.at_node[k])), 0, 1e-9);
  }
}

TEST(ModesGiven, InOtherLengthsAndWithMatricesOfTheFile) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_sphere(ball_radius), 1);
  const std::vector<Formula> two = {strain(0, 0), strain(1, 1)};
  write_grid(folder / "a.h5", {12, 12, 12}, 2, two);
  const GrainModes own = read(shape, folder / "a.h5");
  // In millimetres, a grain of a thousandth of the size, with a mass and stiffness of the file.
  GrainShape small = made(*grains::make_sphere(1e-3 * ball_radius), 1e-3);
  write_grid(folder / "b.h5", {12, 12, 12}, 2, two,
             {{"mass", {3e4, 1e2, 1e2, 4e4}}, {"stiffness", {5e3, 1e3, 1e3, 7e3}}});
  const GrainModes modes = read(small, folder / "b.h5", 0.3, 1e-3);
  for (std::size_t k = 0; k < own.at_node.size(); k += 17) {
    EXPECT_NEAR(modes.at_node[k][0], own.at_node[k][0], 1e-6);
  }
  const double unit = ball_radius * ball_radius;
  EXPECT_NEAR(modes.mass[0] * unit / 3e4 * 1e9, 1, 3e-3);
  EXPECT_NEAR(modes.mass[1] * unit / 1e2 * 1e9, 1, 3e-3);
  EXPECT_NEAR(modes.stiffness[0] * unit / 5e3 * 1e3, 1, 3e-3);
  EXPECT_NEAR(modes.stiffness[3] * unit / 7e3 * 1e3, 1, 3e-3);
}

// Modes with much rigid motion beside little strain: what is left are the modes without.
TEST(ModesGiven, LoseTheirRigidMotion) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_box({6, 4, 3}), 0.5);
  const Formula moved = [](const Real3& x) {
    const Real3 motion = geometry::add({50, -30, 20}, geometry::cross({7, 5, -9}, x));
    return geometry::add(motion, strain(0, 1)(x));
  };
  const auto mesh = test::box_of_hexahedra({6, 4, 3}, {6, 4, 3});
  write_mesh(folder / "a.h5", mesh, {strain(0, 1)});
  write_mesh(folder / "b.h5", mesh, {moved});
  const GrainModes expected = read(shape, folder / "a.h5"), modes = read(shape, folder / "b.h5");
  EXPECT_NEAR(modes.mass[0] / expected.mass[0], 1, 1e-9);
  for (std::size_t k = 0; k < expected.field.size(); k += 7) {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(modes.field[k][c], expected.field[k][c], 1e-6);
  }
}

TEST(ModesGiven, WrongOnesAreRefusedWithASentence) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_sphere(3), 1);
  const auto file = folder / "a.h5";
  const auto tables = [&](const std::map<std::string, std::vector<double>>& all, std::size_t columns = 3) {
    write(file, all, {{"displacement", 3}, {"points", 3}, {"cells", columns}});
    return refusal(shape, file);
  };
  const std::vector<double> corners = {0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9}, some(12, 1.0);
  test::write_text(folder / "text.h5", "no modes");
  EXPECT_IN("there is no such file", refusal(shape, folder / "none.h5"));
  EXPECT_IN("is neither a legacy VTK file whose name ends in .vtk nor an HDF5 file",
            refusal(shape, folder / "text.h5"));
  EXPECT_IN("has neither a dataset \"origin\"", tables({{"displacement", some}}));
  EXPECT_IN("has no dataset \"cells\"", tables({{"points", corners}, {"displacement", some}}));
  EXPECT_IN("has no dataset \"displacement\"", tables({{"points", corners}, {"cells", {0, 1, 2, 3}}}, 4));
  EXPECT_IN("must have four columns", tables({{"points", corners}, {"cells", {0, 1, 2}}, {"displacement", some}}));
  EXPECT_IN("has a cell with point 4; there are 4 points",
            tables({{"points", corners}, {"cells", {0, 1, 2, 4}}, {"displacement", some}}, 4));
  EXPECT_IN("has a cell with point -1; points are numbered from 0",
            tables({{"points", corners}, {"cells", {0, 1, 2, -1}}, {"displacement", some}}, 4));
  EXPECT_IN("has a cell without volume",
            tables({{"points", corners}, {"cells", {0, 1, 2, 2}}, {"displacement", some}}, 4));
  EXPECT_IN("has 3 rows; it must have one for each point of each mode, and there are 4 points",
            tables({{"points", corners}, {"cells", {0, 1, 2, 3}}, {"displacement", std::vector<double>(9)}}, 4));
  EXPECT_IN(
      "has a number that is not finite in row 1",
      tables({{"points", corners}, {"cells", {0, 1, 2, 3}}, {"displacement", {1, 2, 3, 4, NAN, 6, 7, 8, 9, 0, 0, 0}}},
             4));
  EXPECT_IN("does not cover the grain: a node of it lies",
            tables({{"points", corners}, {"cells", {0, 1, 2, 3}}, {"displacement", some}}, 4));
  const auto grid = [&](const std::vector<Formula>& modes, std::map<std::string, std::vector<double>> more = {},
                        double reach = 4) {
    write_grid(file, {reach, reach, reach}, 1, modes, std::move(more));
    return refusal(shape, file);
  };
  EXPECT_IN("has 33 modes, a grain can have at most 32", grid(std::vector<Formula>(33, strain(0, 0))));
  EXPECT_IN("a node of it lies 2 m outside of a grid", grid({strain(0, 0)}, {}, 1).substr(0, 400));
  EXPECT_IN("are its frame and its --scale those of the grain?", grid({strain(0, 0)}, {}, 1));
  EXPECT_IN("its mode 0 is no more than a motion", grid({[](const Real3& x) { return Real3{1 - x[1], x[0], 5}; }}));
  EXPECT_IN("its modes are not independent", grid({strain(0, 0), strain(0, 0)}));
  EXPECT_IN("its dataset \"mass\" must have 1 numbers, has 4", grid({strain(0, 0)}, {{"mass", {1, 2, 3, 4}}}));
  EXPECT_IN("must be a symmetric matrix; entries 1 0 and 0 1 differ",
            grid({strain(0, 0), strain(1, 1)}, {{"stiffness", {1, 2, 3, 1}}}));
  EXPECT_IN("the stiffness of its modes is not positive",
            grid({strain(0, 0), strain(1, 1)}, {{"stiffness", {1, 2, 2, 1}}}));
  write(file, {{"origin", {0, 0, 0}}, {"spacing", {0}}, {"size", {2, 2, 2}}, {"displacement", some}}, {});
  EXPECT_IN("its spacing must be > 0", refusal(shape, file));
  write(file, {{"origin", {0, 0, 0}}, {"spacing", {1}}, {"size", {2, 2, 1}}, {"displacement", some}}, {});
  EXPECT_IN("its size must be three whole numbers from 2", refusal(shape, file));
  write(file, {{"origin", {0, 0}}, {"spacing", {1}}, {"size", {2, 2, 2}}, {"displacement", some}}, {});
  EXPECT_IN("its dataset \"origin\" must have 3 numbers, has 2", refusal(shape, file));
  // A mesh that is larger than the grain.
  write_mesh(file, test::box_of_hexahedra({5, 5, 5}, {2, 2, 2}), {strain(0, 0)});
  EXPECT_IN("is not the body of the grain", refusal(shape, file));
}

}  // namespace
}  // namespace scree::modes
