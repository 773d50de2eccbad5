#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <numbers>
#include <random>

#include "host/geometry/real3.hpp"
#include "host/output/cylinder_cells.hpp"
#include "state_by_hand.hpp"

/// Means over cylindrical grids, against closed forms and integrals of the kernel.
namespace scree::test::cylinder_fields_test {

using namespace geometry;
using Sums = FieldSums;

constexpr double pi = std::numbers::pi;

FieldGrid round_grid(const CylinderRegion& of, const std::array<std::uint64_t, 3>& cells, double inner = 0) {
  FieldGrid grid;
  grid.cylinder = of;
  grid.cells = cells;
  grid.cylinder->inner_radius = inner;
  return grid;
}

/// Spheres at random places with random contacts, some with boundaries.
ByHand random_state() {
  ByHand state;
  std::mt19937_64 random(7);
  const auto number = [&] { return static_cast<double>(random() >> 11U) * 0x1p-53 - 0.5; };
  const auto vector = [&] {
    const double x = number(), y = number();
    return Real3{x, y, number()};
  };
  for (int i = 0; i < 300; ++i) {
    const Real3 x = vector(), v = vector();
    state.add(x, v, 1 + number(), 0.03);
  }
  for (std::uint32_t c = 0; c < 600; ++c) {
    TouchingContact contact;
    contact.with_boundary = c % 5 == 0;
    const std::uint32_t j = c % 300, i = (c * 7 + 1) % 300;
    contact.normal = unit(vector());
    contact.force = vector();
    contact.point = along(state.now.position[j], 0.05, vector());
    state.contacts.push_back(contact);
    state.ends.push_back({contact.with_boundary ? ProbeView::none : i, j});
  }
  return state;
}

/// What does not depend on the directions radius and angle: numbers, traces, and components along the axis.
TEST(CylinderFields, IntegralsOverAllSpaceAreSumsOverTheParticles) {
  const ByHand state = random_state();
  const Real3 along_axis = unit({1, 2, 3});
  const FieldGrid grid = round_grid({scaled(along_axis, -2), scaled(along_axis, 2.5), 2.5}, {7, 5, 9});
  FieldSums sums(grid, 0.3);
  ProbeView view = state.view();
  for (std::size_t i = 0; i < state.mass.size(); ++i) { view.age.push_back(static_cast<double>(i)); }
  sums.add(view);
  double mass = 0, age = 0, momentum = 0, energy = 0, axial = 0, trace = 0, moment = 0, force = 0;
  for (std::size_t i = 0; i < state.mass.size(); ++i) {
    const double m = state.mass[i], v = dot(state.now.velocity[i], along_axis);
    mass += m, age += m * static_cast<double>(i), momentum += m * v, axial += m * v * v;
    energy += m * squared_length(state.now.velocity[i]);
  }
  for (std::size_t c = 0; c < state.contacts.size(); ++c) {
    const TouchingContact& contact = state.contacts[c];
    for (std::size_t side = 0; side < 2; ++side) {
      if (state.ends[c][side] == ProbeView::none) { continue; }
      const Real3 f = scaled(contact.force, side == 1 ? 1 : -1),
                  arm = subtract(contact.point, state.now.position[state.ends[c][side]]);
      trace += dot(f, arm), moment += dot(f, along_axis) * dot(arm, along_axis);
    }
    if (contact.with_boundary) { force += dot(contact.force, along_axis); }
  }
  EXPECT_NEAR(total(sums, Sums::number), 300, 1e-10);
  EXPECT_NEAR(total(sums, Sums::contacts), 1080, 1e-9);
  EXPECT_NEAR(total(sums, Sums::mass), mass, 1e-12 * mass);
  EXPECT_NEAR(total(sums, Sums::age), age, 1e-12 * age);
  EXPECT_NEAR(total(sums, Sums::momentum + 2), momentum, 1e-12 * mass);
  EXPECT_NEAR(total(sums, Sums::flux + 2), axial, 1e-12 * mass);
  const auto sum_of = [&](std::size_t first, std::size_t second, std::size_t third) {
    return total(sums, first) + total(sums, second) + total(sums, third);
  };
  EXPECT_NEAR(sum_of(Sums::flux, Sums::flux + 1, Sums::flux + 2), energy, 1e-12 * energy);
  EXPECT_NEAR(sum_of(Sums::fabric, Sums::fabric + 1, Sums::fabric + 2), 1080, 1e-9);
  EXPECT_NEAR(sum_of(Sums::moment, Sums::moment + 4, Sums::moment + 8), trace, 1e-12);
  EXPECT_NEAR(total(sums, Sums::moment + 8), moment, 1e-12);
  EXPECT_NEAR(total(sums, Sums::boundary_force + 2), force, 1e-12);
  EXPECT_NEAR(total(sums, Sums::mass_slope + 2), 0, 1e-11) << "no mass beyond the grid";
}

/// The share of a cell, against the integral of the kernel by many points.
TEST(CylinderFields, CellsHaveTheirPartOfTheKernel) {
  ByHand state;
  state.add({0.5, 0.3, 0.1}, {}, 1);
  const double width = 0.4;
  FieldSums sums(round_grid({{0, 0, -0.4}, {0, 0, 0.8}, 1.2}, {3, 6, 2}, 0.3), width);
  sums.add(state.view());
  std::vector<double> expected(sums.cells());
  const int n = 400;
  const double step = 2 * width / n;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double a = -width + step * (i + 0.5), b = -width + step * (j + 0.5), x = 0.5 + a, y = 0.3 + b;
      const double weight = spline::value(std::fabs(2 * a / width)) * spline::value(std::fabs(2 * b / width)) * step *
                            step * 4 / (width * width);
      const auto ring = static_cast<std::size_t>((std::hypot(x, y) - 0.3) / 0.3);
      if (std::hypot(x, y) < 0.3 || ring > 2) { continue; }
      const double angle = std::atan2(y, x) + (y < 0 ? 2 * pi : 0);
      const std::size_t cell = ring + 3 * static_cast<std::size_t>(angle / (pi / 3));
      const double below = spline::between(2 * (-0.4 - 0.1) / width, 2 * (0.2 - 0.1) / width);
      expected[cell] += weight * below, expected[cell + 18] += weight * (1 - below);
    }
  }
  double error = 0;
  for (std::size_t c = 0; c < sums.cells(); ++c) {
    error = std::fmax(error, std::fabs(sums.of(Sums::mass, c) - expected[c]));
    EXPECT_NEAR(sums.cell_volume(c), pi / 3 * 0.6 * 0.3 * (0.45 + 0.3 * static_cast<double>(c % 3)), 1e-12);
  }
  EXPECT_LT(error, 0.02) << "a square of the kernel lies in one cell as a whole: a part of 1/11 of its width";
}

/// v = rate x r + out r: velocities and their gradients along radius, angle and axis.
TEST(CylinderFields, RotationAndOutflow) {
  ByHand state;
  const double rate = 3, out = 0.5, up = 2;
  for (int i = 0; i < 41 * 41 * 9; ++i) {
    const Real3 x{0.05 * (i % 41 - 20), 0.05 * (i / 41 % 41 - 20), 0.05 * (i / 1681 - 4)};
    state.add(x, {out * x[0] - rate * x[1], out * x[1] + rate * x[0], up}, 0.001);
  }
  for (const std::uint64_t sectors : {1U, 4U}) {
    FieldSums sums(round_grid({{0, 0, -0.05}, {0, 0, 0.05}, 0.6}, {3, sectors, 1}), 0.15);
    sums.add(state.view());
    const auto fields = field_means(sums, 1, false);
    for (std::size_t c = 0; c < sums.cells(); ++c) {
      const double low = 0.2 * static_cast<double>(c % 3), high = low + 0.2;
      const double r = 2.0 / 3 * (high * high * high - low * low * low) / (high * high - low * low);
      const auto value = [&](const char* name, std::size_t columns, std::size_t k) {
        return named(fields, name).values[columns * c + k];
      };
      EXPECT_NEAR(value("mass_density", 1, 0), 8, 0.2) << "1 g in each 0.05^3 m3; ripples of the lattice";
      EXPECT_NEAR(value("velocity", 3, 0), out * r, 0.02 * out * r + 0.002) << "near the axis the kernel smooths";
      EXPECT_NEAR(value("velocity", 3, 1), rate * r, 0.02 * rate * r + 0.01);
      EXPECT_NEAR(value("velocity", 3, 2), up, 1e-12);
      const std::array<double, 9> gradient{out, -rate, 0, rate, out, 0, 0, 0, 0};
      for (std::size_t k = 0; k < 9; ++k) {
        EXPECT_NEAR(value("velocity_gradient", 9, k), gradient[k], 0.05 * rate) << c << " " << k;
      }
    }
  }
}

TEST(CylinderFields, ThreadsDoNotMatter) {
  const ByHand state = random_state();
  const int before = omp_get_max_threads();
  std::vector<double> of[2];
  for (const int threads : {1, 5}) {
    omp_set_num_threads(threads);
    FieldSums sums(round_grid({{0, 0, -0.4}, {0.1, 0, 0.3}, 0.4}, {4, 3, 5}, 0.1), 0.2);
    sums.add(state.view());
    of[threads == 1 ? 0 : 1] = sums.all();
  }
  omp_set_num_threads(before);
  EXPECT_EQ(of[0], of[1]);
}

/// The cells that a file shows have the places and, up to their chords, the volumes of those of the grid.
TEST(CylinderFields, TheFileShowsTheGrid) {
  for (const std::uint64_t sectors : {1U, 2U, 12U, 13U}) {
    const FieldSums sums(round_grid({{1, 0, 0}, {1, 0, 2}, 1}, {2, sectors, 3}, 0.5), 0.1);
    FieldTable table;
    for (std::size_t k = 0; k < 3; ++k) {
      table.origin[k] = sums.axes()[k].low, table.spacing[k] = sums.axes()[k].edge;
      table.cells[k] = sums.axes()[k].cells;
    }
    table.cylinder = *sums.cylinder();
    const CylinderCells cells = cylinder_cells(table);
    EXPECT_EQ(cells.pieces, sectors == 2 ? 6U : 1U);
    EXPECT_EQ(cells.connectivity.size(), sums.cells() * cells.pieces * cells.corners);
    EXPECT_EQ(cells.cell_type, sectors == 1 ? 9 : 12);
    // The last cell lies at the outer radius, the last angle and the upper end.
    Real3 middle{};
    for (std::size_t k = 0; k < cells.corners; ++k) {
      const auto point = static_cast<std::size_t>(cells.connectivity[cells.connectivity.size() - cells.corners + k]);
      middle = along(middle, 1.0 / static_cast<double>(cells.corners), cells.points[point]);
    }
    const double turns = static_cast<double>(sectors * cells.pieces);
    const double angle = sectors == 1 ? 0 : -pi / turns, chord = sectors == 1 ? 1 : std::cos(pi / turns);
    EXPECT_NEAR(middle[0], 1 + 0.875 * chord * std::cos(angle), 1e-14);
    EXPECT_NEAR(middle[1], 0.875 * chord * std::sin(angle), 1e-14);
    EXPECT_NEAR(middle[2], 2 - 1.0 / 3, 1e-14);
  }
}

}  // namespace scree::test::cylinder_fields_test
