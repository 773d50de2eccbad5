#include <gtest/gtest.h>

#include "cell_scenes.hpp"

/// Crystals in periodic cells against closed forms.
namespace scree::physics::cell_lattices_test {

constexpr double radius = 0.01, diameter = 0.02;
constexpr Substance matter{1e7, 0.3, 2500};
constexpr double normal_stiffness = 1e5, shear_stiffness = 0.3e5;  // [N/m] E r, nu E r

// C08. A ring of 64 touching spheres: mode n has omega = 2 sqrt(K / m) sin(pi n / 64), which steps of leapfrog change
// to (2 / dt) asin(omega dt / 2) (closed form). Positions are rounded to 1e-6 of the amplitude; the catalogue asks for
// 1e-4.
TEST(CellLattices, C08WavesInAChain) {
  constexpr int n = 64;
  constexpr double spacing = diameter * (1 - 1e-4), amplitude = 1e-8 * diameter;
  const double wave_time = std::sqrt(sphere_mass(radius, matter.density) / normal_stiffness);
  for (const auto& [mode, period] : {std::pair{1, 2.0718248e-2}, {8, 2.6507323e-3}, {32, 1.0009755e-3}}) {
    Scene scene = linear_scene(matter, 0,
                               // 0.3 of the critical step of a pair... of one that is 2 / (2 omega0)
                               0.3 * wave_time);
    scene.cell = box_cell({n * spacing, 0.1, 0.1});
    scene.cell->periodic = {true, mode != 8, mode != 8};  // it does not matter for a chain
    std::vector<double> shape;
    for (int i = 0; i < n; ++i) {
      shape.push_back(std::cos(2 * pi * mode * i / n));
      add_sphere(scene, {(i + 0.5) * spacing + amplitude * shape.back(), 0.05, 0.05}, radius);
    }
    const auto engine = start(scene);
    double last = 1, first_zero = 0, last_zero = 0;
    int zeros = 0;
    for (int step = 1; zeros < 11; ++step) {
      engine->advance(1);
      ASSERT_LT(step, 10000);
      const std::vector<Real3> x = whole_way(engine->snapshot(), *engine->cell());
      double now = 0, weight = 0;
      for (int i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        now += (x[k][0] - (i + 0.5) * spacing) / amplitude * shape[k];
        weight += shape[k] * shape[k];
      }
      now /= weight;
      if (now * last < 0) {
        // The zero lies between the last two samples of a sine, whose phases are known at both.
        const double before = std::asin(std::abs(last)), after = std::asin(std::abs(now));
        last_zero = scene.time_step * (step - after / (before + after));
        if (zeros++ == 0) { first_zero = last_zero; }
      }
      last = now;
    }
    EXPECT_NEAR((last_zero - first_zero) / 5, period, 1e-4 * period) << mode;
  }
}

/// The change of the stress after a strain L dt in one step, over the strain [Pa]. A lattice stays in balance.
Matrix3 stiffness_under(Scene scene, const Matrix3& direction) {
  const double strain = 1e-8;
  Scene strained = scene;
  for (std::size_t i = 0; i < 3; ++i) {
    strained.cell->velocity_gradient[i] = (strain / scene.time_step) * direction[i];
  }
  const auto still = start(scene), moving = start(strained);
  still->advance(2);
  moving->advance(2);  // the forces of the second step are those after the first
  const double volume = determinant_of(scene.cell->edges);
  const Matrix3 before = contact_stress(*still, volume), after = contact_stress(*moving, volume);
  Matrix3 result;
  for (std::size_t i = 0; i < 3; ++i) { result[i] = (1 / strain) * (after[i] - before[i]); }
  return result;
}

const Matrix3 along_x{{{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
const Matrix3 simple_shear{{{0, 1, 0}, {0, 0, 0}, {0, 0, 0}}};  // also turns the lattice
const Matrix3 pure_shear{{{0, 0.5, 0}, {0.5, 0, 0}, {0, 0, 0}}};

/// Tolerance of the catalogue, 1e-4. An overlap of 1e-6 r itself changes the modulus by 1e-6.
void expect_moduli(const Scene& scene, double c11, double c12, double c44) {
  const Matrix3 axial = stiffness_under(scene, along_x);
  EXPECT_NEAR(axial[0][0], c11, 1e-4 * c11);
  EXPECT_NEAR(axial[1][1], c12, 1e-4 * c11);
  EXPECT_NEAR(axial[2][2], c12, 1e-4 * c11);
  EXPECT_NEAR(axial[0][1], 0, 1e-4 * c11);
  for (const Matrix3& direction : {simple_shear, transposed(simple_shear), pure_shear}) {
    const Matrix3 shear = stiffness_under(scene, direction);
    EXPECT_NEAR(shear[0][1], c44, 1e-4 * c44);
    EXPECT_NEAR(shear[1][0], c44, 1e-4 * c44);  // spheres turn with the cell, so no couple remains
    EXPECT_NEAR(shear[0][0], 0, 1e-4 * c44);
    EXPECT_NEAR(shear[1][2], 0, 1e-4 * c44);
  }
}

// C09 (closed form): C11 = K_N / d, C12 = 0, C44 = K_T / (2 d).
TEST(CellLattices, C09SimpleCubic) {
  Scene scene = linear_scene(matter, 1e3, 1e-5);
  const double spacing = diameter - 1e-6 * radius;
  for (int k = 0; k < 216; ++k) {
    add_sphere(scene, spacing * Real3{k % 6 + 0.5, k / 6 % 6 + 0.5, k / 36 + 0.5}, radius);
  }
  scene.cell = box_cell(6 * spacing * Real3{1, 1, 1});
  expect_moduli(scene, normal_stiffness / diameter, 0, shear_stiffness / (2 * diameter));
}

// C10 (closed form): C11 = sqrt(2) / d (K_N + K_T), C12 = sqrt(2) / (2 d) (K_N - K_T), C44 = sqrt(2) / (2 d) (K_N +
// K_T).
TEST(CellLattices, C10FaceCentredCubic) {
  Scene scene = linear_scene(matter, 1e3, 1e-5);
  const double side = std::sqrt(2.0) * (diameter - 1e-6 * radius);
  for (int k = 0; k < 64; ++k) {
    const Real3 corner{k % 4 + 0.25, k / 4 % 4 + 0.25, k / 16 + 0.25};
    for (const Real3& site : {Real3{0, 0, 0}, Real3{0, 0.5, 0.5}, Real3{0.5, 0, 0.5}, Real3{0.5, 0.5, 0}}) {
      add_sphere(scene, side * (corner + site), radius);
    }
  }
  scene.cell = box_cell(4 * side * Real3{1, 1, 1});
  const double unit = std::sqrt(2.0) / diameter;
  expect_moduli(scene, unit * (normal_stiffness + shear_stiffness), 0.5 * unit * (normal_stiffness - shear_stiffness),
                0.5 * unit * (normal_stiffness + shear_stiffness));
}

// The same crystal in the smallest permitted cell, a rhombohedron of five spheres per side along the face diagonals.
TEST(CellLattices, C10InARhombohedron) {
  Scene scene = linear_scene(matter, 1e3, 1e-5);
  const double spacing = diameter - 1e-6 * radius, s = spacing / std::sqrt(2.0);
  const Matrix3 step{{{s, s, 0}, {0, s, s}, {s, 0, s}}};
  PeriodicCell cell;
  for (std::size_t k = 0; k < 3; ++k) { cell.edges[k] = 5.0 * step[k]; }
  for (int k = 0; k < 125; ++k) {
    add_sphere(scene, (k % 5 + 0.3) * step[0] + (k / 5 % 5 + 0.4) * step[1] + (k / 25 + 0.6) * step[2], radius);
  }
  scene.cell = cell;
  ASSERT_GT(determinant_of(cell.edges), 0);
  const double unit = std::sqrt(2.0) / diameter;
  expect_moduli(scene, unit * (normal_stiffness + shear_stiffness), 0.5 * unit * (normal_stiffness - shear_stiffness),
                0.5 * unit * (normal_stiffness + shear_stiffness));
}

// C17 (closed forms): stress of one pair; stress, fabric and coordination number of a simple cubic lattice.
TEST(CellLattices, C17StressAndFabric) {
  Scene scene = linear_scene({1e7, 0.3, 2500}, 0, 1e-6);  // K_N = E r = 1e6 N/m
  scene.cell = box_cell({1, 1, 1});
  add_sphere(scene, {0.9, 0.5, 0.5}, 0.1);
  add_sphere(scene, {0.099, 0.5, 0.5}, 0.1);  // 0.199 m away across the face: overlap 1 mm, 1000 N
  const auto engine = start(scene);
  engine->advance(1);
  const auto contacts = engine->touching_contacts();
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].force[0], 1000, 1e-9);
  EXPECT_NEAR(contacts[0].branch[0], 0.199, 1e-14);
  EXPECT_EQ(contacts[0].cell_offset[0], 1);
  EXPECT_NEAR(contact_stress(*engine, 1)[0][0], -199,
              1e-9);  // one part in 1e12 of an overlap that is 1/200 of the branch

  Scene lattice = linear_scene(matter, 0, 1e-6);
  for (int k = 0; k < 64; ++k) {
    add_sphere(lattice, 1.99 * radius * Real3{k % 4 + 0.5, k / 4 % 4 + 0.5, k / 16 + 0.5}, radius);
  }
  lattice.cell = box_cell(4 * 1.99 * radius * Real3{1, 1, 1});
  const auto crystal = start(lattice);
  crystal->advance(1);
  const auto all = crystal->touching_contacts();
  ASSERT_EQ(all.size(), 3U * 64);
  Matrix3 fabric{};
  for (const TouchingContact& c : all) {
    for (std::size_t i = 0; i < 3; ++i) { fabric[i] = fabric[i] + (c.normal[i] / double(all.size())) * c.normal; }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) { EXPECT_NEAR(fabric[i][j], i == j ? 1.0 / 3 : 0, 1e-12); }
  }
  for (const std::uint32_t z : coordination(*crystal)) { EXPECT_EQ(z, 6U); }
  const double pressure = normal_stiffness * 0.01 * radius / std::pow(1.99 * radius, 2);
  EXPECT_NEAR(contact_stress(*crystal, crystal->cell()->volume)[1][1], -pressure, 1e-11 * pressure);
}

}  // namespace scree::physics::cell_lattices_test
