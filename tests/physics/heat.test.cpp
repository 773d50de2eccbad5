#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "host/scene/heat.hpp"
#include "kernels/heat/conductance.hpp"
#include "scenes.hpp"

// Conduction, radiation and heat of losses, against closed forms and independent solutions. Spheres stand still, as a
// group whose components are all fixed, unless a test says otherwise.
namespace scree::physics::heat_test {

constexpr double k1 = 2, k2 = 50, density = 2500, c1 = 800, c2 = 400, radius = 1e-3;

/// Two materials: of spheres and of walls, or of a second kind of spheres.
Scene still_scene(double time_step) {
  Scene scene = hertz_scene({1e8, 0.2, density}, {0, 0}, time_step);
  scene.groups.resize(1);
  scene.groups[0].fixed = 63;
  scene.materials[0].thermal = Thermal{k1, c1, 0.8, {}};
  scene.materials[1].thermal = Thermal{k2, c2, 0.5, {}};
  return scene;
}

void heat_up(Scene& scene, const HeatSettings& settings = {}) {
  Case input;
  input.heat = settings;
  resolve_heat(input, scene);
  scene.interaction_range = std::max(scene.interaction_range, heat_range(scene));
}

std::vector<double> temperatures(Engine& engine) {
  SnapshotRequest request;
  request.temperature = true;
  return engine.snapshot(request).temperature;
}
double capacity_of(double r, double specific) { return sphere_mass(r, density) * specific; }
/// [W/K] two half spaces that touch in a circle: 2 k a for one conductivity (Batchelor & O'Brien 1977).
double series(double ka, double kb, double a) { return 4 / (1 / ka + 1 / kb) * a; }

// The difference of two temperatures falls as exp(-H (1/C1 + 1/C2) t).
TEST(Heat, TwoSpheresApproachEquilibriumAtTheRateOfTheClosedForm) {
  const double r2 = 2e-3, overlap = 2e-5, a = std::sqrt(radius * r2 / (radius + r2) * overlap);
  const double h = series(k1, k2, a), capacity1 = capacity_of(radius, c1), capacity2 = capacity_of(r2, c2);
  const double rate = h * (1 / capacity1 + 1 / capacity2);
  constexpr int steps = 2000;
  Scene scene = still_scene(2 / rate / steps);
  scene.materials[1].density = density;
  add_sphere(scene, {0, 0, 0}, radius);
  add_sphere(scene, {radius + r2 - overlap, 0, 0}, r2, {}, {}, 1);
  scene.particles.temperature = {400, 300};
  heat_up(scene);
  const auto engine = start(scene);
  engine->advance(steps);
  const auto t = temperatures(*engine);
  const double difference = t[0] - t[1];
  // Explicit steps of rate * dt = 1e-3 decay faster by half of that over two time constants: 1e-3 in all.
  EXPECT_NEAR(difference, 100 * std::exp(-2.0), 1.1e-3 * difference);
  EXPECT_NEAR(difference, 100 * std::pow(1 - 2.0 / steps, steps), 1e-9 * difference);
  EXPECT_NEAR(capacity1 * t[0] + capacity2 * t[1], capacity1 * 400 + capacity2 * 300, 1e-12 * capacity2 * 300);
}

/// Spheres in a row between two walls of given temperatures.
struct Rod {
  std::size_t n = 8;
  double overlap = 1e-5, hot = 500, cold = 300;
  double in_rod = series(k1, k1, std::sqrt(0.5 * radius * 1e-5)), at_wall = series(k1, k2, std::sqrt(radius * 1e-5));
  double capacity = capacity_of(radius, c1);

  [[nodiscard]] Scene scene(double time_step) const {
    Scene scene = still_scene(time_step);
    const double spacing = 2 * radius - overlap;
    for (std::size_t i = 0; i < n; ++i) { add_sphere(scene, {0, 0, radius - overlap + double(i) * spacing}, radius); }
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    add_plane(scene, {0, 0, 2 * radius - 2 * overlap + double(n - 1) * spacing}, {0, 0, -1});
    scene.boundaries[0].temperature = hot;
    scene.boundaries[1].temperature = cold;
    scene.particles.temperature.assign(n, cold);
    heat_up(scene);
    return scene;
  }
  /// Explicit steps of the rod, written down once more.
  [[nodiscard]] std::vector<double> after(int steps, double time_step) const {
    std::vector<double> t(n, cold), flow(n + 1);
    for (int s = 0; s < steps; ++s) {
      flow[0] = at_wall * (hot - t[0]), flow[n] = at_wall * (t[n - 1] - cold);
      for (std::size_t i = 1; i < n; ++i) { flow[i] = in_rod * (t[i - 1] - t[i]); }
      for (std::size_t i = 0; i < n; ++i) { t[i] += time_step / capacity * (flow[i] - flow[i + 1]); }
    }
    return t;
  }
};

TEST(Heat, ARodBetweenTwoWallsHasALinearProfileAndTheFlowOfItsResistances) {
  const Rod rod;
  const double time_step = 0.3 * rod.capacity / (rod.in_rod + rod.at_wall);
  const auto engine = start(rod.scene(time_step));
  engine->advance(3000);
  const double flow = (rod.hot - rod.cold) / (2 / rod.at_wall + double(rod.n - 1) / rod.in_rod);
  const HeatReport heat = engine->heat();
  EXPECT_NEAR(heat.flow[0], flow, 1e-9 * flow);
  EXPECT_NEAR(heat.flow[1], -flow, 1e-9 * flow);
  const auto t = temperatures(*engine);
  for (std::size_t i = 0; i < rod.n; ++i) {
    EXPECT_NEAR(t[i], rod.hot - flow * (1 / rod.at_wall + double(i) / rod.in_rod), 1e-7) << i;
  }
  EXPECT_NEAR(heat.heat - heat.start, heat.supplied[0] + heat.supplied[1], 1e-12 * heat.heat);
}

TEST(Heat, TransientOfARodIsThatOfItsDiscreteSolution) {
  const Rod rod;
  const double time_step = 0.2 * rod.capacity / (rod.in_rod + rod.at_wall);
  const auto engine = start(rod.scene(time_step));
  for (int steps = 20; steps <= 100; steps += 20) {
    engine->advance(20);
    const auto t = temperatures(*engine), expected = rod.after(steps, time_step);
    for (std::size_t i = 0; i < rod.n; ++i) { EXPECT_NEAR(t[i], expected[i], 1e-9) << steps << " steps, " << i; }
  }
}

// Each sphere of a simple cubic packing conducts along one chain on the area of the square of the spacing.
TEST(Heat, SimpleCubicPackingConductsAsItsContacts) {
  constexpr std::size_t layers = 6, wide = 3;
  const double overlap = 2e-5, spacing = 2 * radius - overlap;
  const double h = series(k1, k1, std::sqrt(0.5 * radius * overlap));
  Scene scene = still_scene(0.2 * capacity_of(radius, c1) / (8 * h));
  const double edge = wide * spacing;
  scene.cell = PeriodicCell{{{{edge, 0, 0}, {0, edge, 0}, {0, 0, 1}}}, {0, 0, 0}, {true, true, false}, {}, {}};
  for (std::size_t k = 0; k < layers * wide * wide; ++k) {
    const auto i = double(k % wide), j = double(k / wide % wide), l = double(k / wide / wide);
    add_sphere(scene, {(i + 0.5) * spacing, (j + 0.5) * spacing, radius - overlap + l * spacing}, radius);
  }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_plane(scene, {0, 0, 2 * radius - 2 * overlap + (layers - 1) * spacing}, {0, 0, -1});
  scene.boundaries[0].temperature = 400, scene.boundaries[1].temperature = 300;
  heat_up(scene, {.temperature = 350});
  const auto engine = start(scene);
  engine->advance(3000);
  const auto t = temperatures(*engine);
  const double gradient = (t.front() - t.back()) / ((layers - 1) * spacing);
  const double conductivity = engine->heat().flow[0] / (edge * edge) / gradient;
  EXPECT_NEAR(conductivity, h / spacing, 1e-9 * h / spacing);
}

// The circle of contact of a material that is softened is that of the true one under the same force.
TEST(Heat, CirclesOfSoftenedMaterialsAreThoseOfTheTrueOnes) {
  const double stiffer = 64, overlap = 1e-5;
  Scene scene = still_scene(1e-6);
  scene.materials[0].thermal->young_modulus = stiffer * scene.materials[0].young_modulus;
  add_sphere(scene, {0, 0, 0}, radius);
  add_sphere(scene, {2 * radius - overlap, 0, 0}, radius);
  scene.particles.temperature = {400, 300};
  heat_up(scene);
  const auto engine = start(scene);
  engine->advance(1);
  const double force = norm(read(*engine).force);
  const double true_modulus = 0.5 * stiffer * 1e8 / (1 - 0.04),
               a = std::cbrt(3 * force * 0.5 * radius / (4 * true_modulus));
  const double flow = series(k1, k1, a) * 100;
  EXPECT_NEAR((400 - temperatures(*engine)[0]) * capacity_of(radius, c1) / 1e-6, flow, 1e-5 * flow);
}

TEST(Heat, AWallWithAFluxHeatsEachParticleThatTouchesItOnce) {
  const double flux = 1e4, time_step = 1e-4;
  for (const bool corner : {false, true}) {
    Scene scene = still_scene(time_step);
    const double at = 0.99 * radius;
    add_sphere(scene, {at, at, at}, radius);
    add_sphere(scene, {5 * radius, 5 * radius, 1.1 * radius}, radius);
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    if (corner) { scene.boundaries[0].shape = BoxBoundary{{0, 0, 0}, {1, 1, 1}}; }
    scene.boundaries[0].heat_flux = flux;
    heat_up(scene, {.temperature = 300});
    const auto engine = start(scene);
    engine->advance(50);
    const auto t = temperatures(*engine);
    const double heat = 50 * time_step * flux * pi * radius * radius;
    EXPECT_NEAR((t[0] - 300) * capacity_of(radius, c1), heat, 1e-9 * heat);
    EXPECT_EQ(t[1], 300) << "does not touch";
    EXPECT_NEAR(engine->heat().supplied[0], heat, 1e-12 * heat);
  }
}

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

// Heat that comes with particles counts as inserted, also where there were none before.
TEST(Heat, FirstParticlesOfARunBringTheirHeat) {
  Scene scene = still_scene(1e-4);
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  scene.inlets = {{.smallest_radius = radius, .median_radius = radius, .largest_radius = radius}};
  scene.verlet_distance = 0.1 * radius;
  heat_up(scene, {.temperature = 300});
  const auto engine = start(scene);
  Scene more = still_scene(1e-4);
  add_sphere(more, {0, 0, 5 * radius}, radius);
  engine->insert(more.particles);
  engine->advance(1);
  const HeatReport heat = engine->heat();
  EXPECT_EQ(heat.start, 0);
  EXPECT_NEAR(heat.inserted, 300 * capacity_of(radius, c1), 1e-12 * heat.heat);
  EXPECT_NEAR(heat.heat, heat.inserted, 1e-12 * heat.heat);
}

/// Spheres that move, with all losses becoming heat.
Scene moving_scene(double time_step) {
  Scene scene = still_scene(time_step);
  scene.groups.clear();
  scene.pairs.assign(4, MaterialPair{0.4, 0.3});
  scene.energies = true;
  return scene;
}

// What two spheres lose in an oblique impact is found in them, half in each.
TEST(Heat, LossesOfAnImpactBecomeHeat) {
  Scene scene = moving_scene(1e-7);
  scene.pairs.assign(4, MaterialPair{0.1, 0.3});
  add_sphere(scene, {0, 0, 0}, radius, {1, 0, 0});
  add_sphere(scene, {1.65 * radius, 1.2 * radius, 0}, radius, {-1, 0, 0}, {0, 0, 800});
  heat_up(scene, {.temperature = 300, .dissipation = 1});
  const auto engine = start(scene);
  engine->advance(10);
  const EnergyLedger before = engine->energies();
  engine->advance(10000);
  const EnergyLedger after = engine->energies();
  const HeatReport heat = engine->heat();
  const double kinetic = before.kinetic_translation + before.kinetic_rotation;
  const double left = after.kinetic_translation + after.kinetic_rotation;
  EXPECT_EQ(engine->counts().contacts, 0u) << "it must be over";
  EXPECT_GT(after.friction, 0.002 * kinetic);
  EXPECT_GT(after.viscous, 0.01 * kinetic);
  EXPECT_NEAR(heat.dissipation, after.friction + after.viscous, 1e-10 * kinetic);
  EXPECT_NEAR(left + (heat.heat - heat.start) + after.parting, kinetic, 1e-4 * kinetic) << "error of the integration";
  const auto t = temperatures(*engine);
  EXPECT_NEAR(t[0] - 300, t[1] - 300, 1e-9) << "each gets half, and meanwhile little flows";
}

// A sphere that slides over a wall loses its energy to friction: all of it becomes heat of the sphere at an adiabatic
// wall; a wall of given temperature takes its share by the effusivities.
TEST(Heat, FrictionAtAWallIsSharedByEffusivity) {
  for (const bool adiabatic : {true, false}) {
    Scene scene = moving_scene(2e-6);
    scene.gravity = {0, 0, -9.81};
    add_sphere(scene, {0, 0, radius}, radius, {0.3, 0, 0});
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    heat_up(scene, {.temperature = 300, .dissipation = 0.5});
    // no conduction at the wall, so that nothing but friction heats the sphere
    for (ThermalPair& pair : scene.heat->pairs) { pair.per_radius = 1e-30; }
    if (!adiabatic) { scene.boundaries[0].temperature = 300; }
    const auto engine = start(scene);
    engine->advance(15000);
    const EnergyLedger energies = engine->energies();
    const double e1 = std::sqrt(k1 * density * c1), e2 = std::sqrt(k2 * 1.0 * c2);
    const double share = adiabatic ? 1 : e1 / (e1 + e2);
    const double lost = energies.friction + energies.viscous, heat = 0.5 * share * lost;
    // 2/7 of the energy is lost until it rolls
    EXPECT_NEAR(energies.friction, 2.0 / 7 * 0.5 * sphere_mass(radius, density) * 0.09, 1e-2 * energies.friction);
    EXPECT_NEAR(engine->heat().dissipation, heat, 1e-9 * heat);
    EXPECT_NEAR((temperatures(*engine)[0] - 300) * capacity_of(radius, c1), heat, 1e-5 * heat);
  }
}

}  // namespace scree::physics::heat_test
