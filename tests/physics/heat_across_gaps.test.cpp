#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "kernels/heat/conductance.hpp"
#include "still_spheres.hpp"

// Heat through the gas between surfaces, and radiation, against closed forms and integrals. Spheres stand still.
namespace scree::physics::heat_across_gaps_test {

using namespace still_spheres;

/// [W/(m K)] The integral of 2 pi rho k / max(l, s) over rho, without the circle of contact and where l is below the
/// film's thickness, by the midpoint rule. l is the distance of the two surfaces of spheres, exactly; r2 = 0: a plane.
double gas_by_quadrature(const HeatModel& model, double r1, double r2, double gap, double a) {
  constexpr int n = 2'000'000;
  const double most = r2 > 0 ? std::fmin(r1, r2) : r1, mean = r2 > 0 ? 2 * r1 * r2 / (r1 + r2) : r1;
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    const double rho = most * (k + 0.5) / n;
    const double own = r1 - std::sqrt(r1 * r1 - rho * rho), other = r2 > 0 ? r2 - std::sqrt(r2 * r2 - rho * rho) : 0;
    const double l = std::fmax(gap, 0) + own + other;
    if (rho < a || !(l < model.film * mean)) { continue; }
    sum += 2 * pi * rho * model.gas_conductivity / std::fmax(l, model.least_gap) * most / n;
  }
  return sum;
}

TEST(Heat, GasBetweenTwoSurfacesConductsAsTheIntegralOverTheGap) {
  const HeatModel model{.gas_conductivity = 0.026, .film = 0.4, .least_gap = 1e-6};
  for (const double gap : {0.0, 3e-7, 1e-5, 1e-4, 3.5e-4}) {
    const double a = gap == 0 ? 5e-5 : 0;
    const double pair = gas_by_quadrature(model, radius, radius, gap, a);
    EXPECT_NEAR(gas_conductance(model, gap_of_pair(radius, radius, gap), a), pair, 1e-4 * pair) << gap;
    const double wall = gas_by_quadrature(model, radius, 0, gap, a);
    EXPECT_NEAR(gas_conductance(model, gap_at_wall(radius, gap), a), wall, 1e-4 * wall) << gap;
  }
  EXPECT_EQ(gas_conductance(model, gap_of_pair(radius, radius, 4e-4), 0), 0) << "the film ends";
  EXPECT_LT(gas_conductance(model, gap_of_pair(radius, radius, 3.9999e-4), 0), 1e-8) << "without a jump";
  // Spheres of different size count as two of the harmonic mean radius.
  for (const double ratio : {0.8, 0.5, 1.0 / 3}) {
    for (const double gap : {0.0, 1e-5, 1e-4 * ratio}) {
      const double exact = gas_by_quadrature(model, radius, ratio * radius, gap, 0);
      EXPECT_NEAR(gas_conductance(model, gap_of_pair(radius, ratio * radius, gap), 0), exact, 0.07 * exact)
          << ratio << " " << gap;
    }
  }
}

// The errors that docs/theory.md tells, at the gaps [r_h] where they are largest. Rounded there to a whole per cent.
TEST(Heat, GasConductsTooMuchBetweenSpheresOfUnlikeSize) {
  const double ratio = 1.0 / 3, mean = 2 * ratio / (1 + ratio) * radius;
  for (const auto& [film, gap, error] :
       {std::array{0.4, 0.064, 0.06}, {0.6, 0.084, 0.1}, {0.8, 0.112, 0.17}, {1.0, 0.16, 0.26}}) {
    const HeatModel model{.gas_conductivity = 0.026, .film = film, .least_gap = 1e-6 * mean};
    const double exact = gas_by_quadrature(model, radius, ratio * radius, gap * mean, 0);
    const double found = gas_conductance(model, gap_of_pair(radius, ratio * radius, gap * mean), 0);
    EXPECT_NEAR(found / exact - 1, error, 0.005) << film;
  }
}

// Pairs that do not touch exchange heat as well, and as much for any neighbour list.
TEST(Heat, GasConductsBetweenSpheresThatDoNotTouch) {
  const double gap = 2e-4, time_step = 1e-3;
  for (const double verlet : {0.01, 0.9}) {
    Scene scene = still_scene(time_step);
    add_sphere(scene, {0, 0, radius + gap}, radius);
    add_sphere(scene, {0, 0, 3 * radius + 2 * gap}, radius);
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    scene.boundaries[0].temperature = 500;
    scene.particles.temperature = {400, 300};
    scene.verlet_distance = verlet * radius;
    heat_up(scene, {.gas = GasFilm{0.026, 0.4, 1e-6}});
    const auto engine = start(scene);
    engine->advance(1);
    const HeatModel model{.gas_conductivity = 0.026, .film = 0.4, .least_gap = 1e-6};
    const double between = 100 * gas_by_quadrature(model, radius, radius, gap, 0);
    const double from_wall = 100 * gas_by_quadrature(model, radius, 0, gap, 0);
    const auto t = temperatures(*engine);
    EXPECT_NEAR((t[1] - 300) * capacity_of(radius, c1) / time_step, between, 1e-4 * between);
    EXPECT_NEAR(engine->heat().flow[0], from_wall, 1e-4 * from_wall);
  }
}

/// View factor of a sphere from a small plane patch at a distance of H of its radii, whose normal is at an angle to the
/// direction of the centre (Naraghi 1988).
double patch_sees_sphere(double distance, double angle) {
  const double h = distance, c = std::cos(angle), s = std::sin(angle);
  if (angle <= std::acos(1 / h)) { return c / (h * h); }
  if (angle >= pi / 2 + std::asin(1 / h)) { return 0; }
  const double l = std::sqrt(h * h - 1), x = std::sqrt(std::fmax(1 - h * h * c * c, 0));
  const auto in_range = [](double v) { return std::fmax(-1, std::fmin(1, v)); };
  return 0.5 - std::asin(in_range(l / (h * s))) / pi + (c * std::acos(in_range(-l * c / s)) - l * x) / (pi * h * h);
}
/// [m2] The area of the first sphere times its view factor to the second, by quadrature over the first.
double exchange_by_quadrature(double r1, double r2, double distance) {
  constexpr int n = 4000;
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    const double t = pi * (k + 0.5) / n, x = distance - r1 * std::cos(t), y = -r1 * std::sin(t), d = std::hypot(x, y);
    const double angle = std::acos(std::fmax(-1, std::fmin(1, (x * std::cos(t) + y * std::sin(t)) / d)));
    sum += patch_sees_sphere(d / r2, angle) * 2 * pi * r1 * r1 * std::sin(t) * pi / n;
  }
  return sum;
}

TEST(Heat, ExchangeAreaOfTwoSpheresIsThatOfTheIntegral) {
  // a known value: two equal spheres that touch
  EXPECT_NEAR(exchange_by_quadrature(1, 1, 2) / (4 * pi), 0.0756, 1e-4);
  double worst = 0;
  for (const double ratio : {1.0, 0.7, 0.4, 0.2, 0.1}) {
    for (const double apart : {1.0, 1.03, 1.1, 1.3, 1.7, 3.0}) {
      const double distance = apart * (1 + ratio), exact = exchange_by_quadrature(1, ratio, distance);
      EXPECT_NEAR(exchange_by_quadrature(ratio, 1, distance), exact, 1e-3 * exact) << "reciprocity of the reference";
      worst = std::fmax(worst, std::fabs(exchange_area(1, ratio, distance) / exact - 1));
      EXPECT_EQ(exchange_area(1, ratio, distance), exchange_area(ratio, 1, distance));
    }
  }
  EXPECT_LT(worst, 0.02);
  EXPECT_GT(worst, 1e-4) << "it is a fit";
}

TEST(Heat, TwoSpheresRadiateByTheFormulaOfGreyBodies) {
  const double r2 = 2e-3, distance = 1.2 * (radius + r2), time_step = 1e-2;
  Scene scene = still_scene(time_step);
  add_sphere(scene, {0, 0, 0}, radius);
  add_sphere(scene, {distance, 0, 0}, r2, {}, {}, 1);
  scene.particles.temperature = {1200, 600};
  heat_up(scene, {.radiation = Radiation{1.5}});
  const auto engine = start(scene);
  engine->advance(1);
  const double area1 = 4 * pi * radius * radius, area2 = 4 * pi * r2 * r2;
  const double resistance =
      0.2 / (0.8 * area1) + 1 / exchange_by_quadrature(radius, r2, distance) + 0.5 / (0.5 * area2);
  const double power = 5.670374419e-8 * (std::pow(1200, 4) - std::pow(600, 4)) / resistance;
  const auto t = temperatures(*engine);
  // 2 % of the view factor
  EXPECT_NEAR((1200 - t[0]) * capacity_of(radius, c1) / time_step, power, 0.02 * power);
  EXPECT_NEAR((1200 - t[0]) * capacity_of(radius, c1), (t[1] - 600) * sphere_mass(r2, 1) * c2,
              1e-9 * power * time_step);
  scene.particles.position[1][0] = 1.51 * (radius + r2);
  const auto far = start(scene);
  far->advance(1);
  EXPECT_EQ(temperatures(*far)[0], 1200) << "out of range";
}

// A wall takes the half of the radiation of a sphere that goes its way.
TEST(Heat, AWallRadiatesToHalfOfASphere) {
  const double time_step = 1e-2;
  Scene scene = still_scene(time_step);
  add_sphere(scene, {0, 0, 1.3 * radius}, radius);
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  scene.boundaries[0].temperature = 1000;
  heat_up(scene, {.temperature = 300, .radiation = Radiation{}});
  const auto engine = start(scene);
  engine->advance(1);
  const double area = 4 * pi * radius * radius, resistance = 0.2 / (0.8 * area) + 2 / area;
  const double power = 5.670374419e-8 * (std::pow(1000, 4) - std::pow(300, 4)) / resistance;
  EXPECT_NEAR(engine->heat().flow[0], power, 1e-12 * power);
}

// In the corner of a hot box a sphere takes as much as from one face: half of a black body. From three walls it takes
// no more than a black body would.
TEST(Heat, ACornerRadiatesNoMoreThanABlackBody) {
  const double time_step = 1e-2, near = 1.3 * radius, area = 4 * pi * radius * radius;
  Scene scene = still_scene(time_step);
  scene.materials[0].thermal->emissivity = 1;
  add_sphere(scene, {near, near, near}, radius);
  Scene walls = scene;
  SceneBoundary box;
  box.material = 1;
  box.shape = BoxBoundary{{0, 0, 0}, {1, 1, 1}};
  box.temperature = 1000;
  scene.boundaries.push_back(box);
  for (const Real3& normal : {Real3{1, 0, 0}, Real3{0, 1, 0}, Real3{0, 0, 1}}) { add_plane(walls, {0, 0, 0}, normal); }
  for (SceneBoundary& wall : walls.boundaries) { wall.temperature = 1000; }
  const double black = area * 5.670374419e-8 * (std::pow(1000, 4) - std::pow(300, 4));
  for (Scene* each : {&scene, &walls}) { heat_up(*each, {.temperature = 300, .radiation = Radiation{}}); }
  const auto in_box = start(scene), at_walls = start(walls);
  in_box->advance(1), at_walls->advance(1);
  EXPECT_NEAR(in_box->heat().flow[0], 0.5 * black, 1e-12 * black);
  const std::vector<double> flow = at_walls->heat().flow;
  EXPECT_NEAR(flow[0] + flow[1] + flow[2], black, 1e-12 * black);
}

}  // namespace scree::physics::heat_across_gaps_test
