#include <cmath>
#include <numbers>
#include <numeric>

#include "busy_scene.hpp"
#include "host/scene/adhesion_range.hpp"

// Liquid that moves between films and bridges, on every backend.
namespace scree::inline SCREE_BACKEND::films_test {

using Films = BackendTest;

constexpr double angle = 0.3, most = 0.05;  // [-] of the volume of the smaller sphere

double ball(double radius) { return 4.0 / 3 * std::numbers::pi * radius * radius * radius; }

/// Shi & McCarthy (2008).
double part(double radius, double other) {
  return 0.5 * (1 - std::sqrt(1 - other * other / ((radius + other) * (radius + other))));
}

Scene with_films(Scene scene) {
  scene.pairs[0].liquid =
      LiquidBridges{.surface_tension = 0.072, .contact_angle = angle, .volume_fraction = most, .from_films = true};
  scene.interaction_range = std::max(scene.interaction_range, adhesion_range(scene));
  return scene;
}

/// Spheres in a row along x that move at given speeds, as bodies that no force changes.
Scene on_rails(Precision precision = Precision::double_) {
  Scene scene = glass_scene(precision, LawKind::hertz_mindlin);
  scene.groups.resize(1);
  scene.groups[0].fixed = fixed_translation | fixed_rotation;
  return scene;
}

std::vector<double> films(Engine& engine) { return engine.snapshot({.film = true}).film; }

double all_liquid(Engine& engine) {
  const FilmReport report = engine.films();
  return report.films + report.bridges;
}

/// Gives body 1 another velocity along x.
void turn_back(Engine& engine, double speed) {
  BodyChange change;
  change.id = {1};
  change.velocity = {{speed, 0, 0}};
  engine.set_bodies(change);
}

// A bridge takes the caps of both films, reaches as far as its volume does, and leaves half on each body.
TEST_F(Films, ABridgeTakesTheCapsAndLeavesHalves) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = on_rails(precision);
    const double r2 = 0.6 * bead, l1 = 0.02 * ball(bead), l2 = 0.01 * ball(r2), speed = 0.05;
    add_body(scene, {0, 0, 0}, bead);
    add_body(scene, {bead + 1.0005 * r2, 0, 0}, r2, {-speed, 0, 0});
    scene.particles.film = {l1, l2};
    scene = with_films(scene);
    const auto engine = make_backend_engine(scene);
    engine->advance(1);
    EXPECT_EQ(engine->films().n_bridges, 0u);
    engine->advance(3);  // 0.8 um of 0.3: it touches
    const double volume = l1 * part(bead, r2) + l2 * part(r2, bead),
                 bits = precision == Precision::mixed ? 1e-6 : 1e-14;
    EXPECT_EQ(engine->films().n_bridges, 1u);
    EXPECT_NEAR(engine->films().bridges, volume, bits * volume);
    EXPECT_NEAR(films(*engine)[0], l1 * (1 - part(bead, r2)), bits * l1);
    EXPECT_NEAR(films(*engine)[1], l2 * (1 - part(r2, bead)), bits * l1);
    EXPECT_NEAR(all_liquid(*engine), l1 + l2, 1e-15 * (l1 + l2));

    const double rupture = (1 + 0.5 * angle) * std::cbrt(volume);
    turn_back(*engine, speed);
    double gap = 0;
    while (gap < 2 * rupture && engine->films().n_bridges == 1) {
      engine->advance(1);
      gap = engine->snapshot().position[1][0] - bead - r2;
    }
    EXPECT_NEAR(gap, rupture, 2 * speed * scene.time_step) << "positions are one step ahead of forces";
    EXPECT_NEAR(films(*engine)[0], l1 * (1 - part(bead, r2)) + 0.5 * volume, bits * l1);
    EXPECT_NEAR(films(*engine)[1], l2 * (1 - part(r2, bead)) + 0.5 * volume, bits * l1);
    EXPECT_NEAR(all_liquid(*engine), l1 + l2, 1e-15 * (l1 + l2));
  }
}

// The speed of a sphere is set in the step in which its bridge tears. Its new speed, 0, tells nothing of its last move,
// so the search must not leave out the pair, whose liquid would be lost.
TEST_F(Films, ABridgeThatTearsAsSpeedsAreSetGivesItsLiquidBack) {
  for (const double verlet : {1e-3, 0.5}) {
    Scene scene = on_rails();
    scene.verlet_distance = verlet * bead;
    add_body(scene, {0, 0, 0}, bead);
    add_body(scene, {2.00001 * bead, 0, 0}, bead, {-0.05, 0, 0});
    scene.particles.film = {0.02 * ball(bead), 0.02 * ball(bead)};
    scene = with_films(scene);
    const auto engine = make_backend_engine(scene);
    engine->advance(4);
    ASSERT_EQ(engine->films().n_bridges, 1u);
    const double rupture = (1 + 0.5 * angle) * std::cbrt(engine->films().bridges);
    turn_back(*engine, 0.9 * rupture / scene.time_step);  // it tears in the second step
    engine->advance(2);
    turn_back(*engine, 0);
    engine->advance(3);
    EXPECT_EQ(engine->films().n_bridges, 0u);
    EXPECT_NEAR(all_liquid(*engine), 0.04 * ball(bead), 1e-14 * ball(bead)) << verlet;
  }
}

// Bridges of more than half a cubic metre give their liquid back, too.
TEST_F(Films, SoDoesALargeBridge) {
  const double r = 5, speed = 1;
  Scene scene = on_rails();
  scene.time_step = 1e-4;
  scene.verlet_distance = 0.1 * r;
  add_body(scene, {0, 0, 0}, r);
  add_body(scene, {2.00001 * r, 0, 0}, r, {-speed, 0, 0});
  scene.particles.film = {0.5 * ball(r), 0.5 * ball(r)};
  scene = with_films(scene);
  const auto engine = make_backend_engine(scene);
  engine->advance(4);
  EXPECT_GT(engine->films().bridges, 0.5);
  turn_back(*engine, 1e4 * speed);
  engine->advance(40);
  EXPECT_EQ(engine->films().n_bridges, 0u);
  EXPECT_NEAR(all_liquid(*engine), ball(r), 1e-14 * ball(r));
}

// A wet sphere wets a dry one; dry ones do not pull each other; a bridge takes no more than the most.
TEST_F(Films, LiquidGoesFromWetToDry) {
  struct Case {
    double first, second, volume;
  };
  const double sphere = ball(bead), cap = part(bead, bead);
  for (const auto& [first, second, volume] :
       {Case{0.1, 0, 0.1 * cap}, Case{0, 0.1, 0.1 * cap}, Case{0, 0, 0}, Case{0.6, 0.5, most}}) {
    Scene scene = on_rails();
    add_body(scene, {0, 0, 0}, bead);
    add_body(scene, {2.0005 * bead, 0, 0}, bead, {-0.05, 0, 0});
    scene.particles.film = {first * sphere, second * sphere};
    scene = with_films(scene);
    const auto engine = make_backend_engine(scene);
    engine->advance(6);
    EXPECT_NEAR(engine->films().bridges, volume * sphere, 1e-12 * sphere);
    turn_back(*engine, 0.05);
    engine->advance(10);
    const Snapshot now = engine->snapshot({.force = true});
    EXPECT_GT(now.position[1][0], 2 * bead) << "apart, and not far";
    if (volume == 0) {
      EXPECT_EQ(now.force[0][0], 0);
      EXPECT_EQ(engine->counts().contacts, 0u);
    } else {
      EXPECT_GT(now.force[0][0], 0.5 * 2 * std::numbers::pi * bead * 0.072 * std::cos(angle));
    }
    engine->advance(4000);
    EXPECT_EQ(engine->films().n_bridges, 0u);
    const std::vector<double> left = films(*engine);
    EXPECT_NEAR(left[0] + left[1], (first + second) * sphere, 1e-15 * sphere);
    if (second == 0) { EXPECT_NEAR(left[1], 0.5 * volume * sphere, 1e-12 * sphere); }
  }
}

// Five large spheres touch a small one in the same step. They cast shadows on more than its whole film: all that it has
// is shared among them.
TEST_F(Films, NobodyGivesMoreThanAll) {
  Scene scene = on_rails();
  const double small = 0.1 * bead, distance = 1.0999 * bead;
  add_body(scene, {0, 0, 0}, small);
  for (int k = 0; k < 5; ++k) {
    const double at = 2 * std::numbers::pi * k / 5;
    add_body(scene, {distance * std::cos(at), distance * std::sin(at), 0}, bead);
  }
  scene.particles.film.assign(6, 0);
  scene.particles.film[0] = 0.1 * ball(small);
  ASSERT_GT(5 * part(small, bead), 1);
  const auto engine = make_backend_engine(with_films(scene));
  engine->advance(2);
  EXPECT_EQ(engine->films().n_bridges, 5u);
  EXPECT_NEAR(films(*engine)[0], 0, 1e-15 * ball(small));
  EXPECT_NEAR(engine->films().bridges, 0.1 * ball(small), 1e-15 * ball(small));
}

// A bridge to a boundary is filled from half of the film, and takes nothing from it.
TEST_F(Films, BoundariesStayDry) {
  Scene scene = on_rails();
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_body(scene, {0, 0, 2 * bead}, bead);
  add_body(scene, {4 * bead, 0, 1.0005 * bead}, bead, {0, 0, -0.05});
  scene.particles.film = {0, 0.02 * ball(bead)};
  scene = with_films(scene);
  const auto engine = make_backend_engine(scene);
  engine->advance(6);
  BodyChange change;
  change.id = {1};
  change.velocity = {{0, 0, 0.05}};
  engine->set_bodies(change);
  const double rupture = (1 + 0.5 * angle) * std::cbrt(0.01 * ball(bead));
  double gap = 0;
  while (gap < 2 * rupture && engine->counts().boundary_contacts == 1) {
    engine->advance(1);
    gap = engine->snapshot().position[1][2] - bead;
  }
  EXPECT_NEAR(gap, rupture, 3 * 0.05 * scene.time_step) << "a contact ends in the step after its rupture";
  EXPECT_EQ(films(*engine)[1], 0.02 * ball(bead));
}

/// A bed of spheres of which some are wet.
Scene wet_bed(Precision precision, double verlet = 0.2) {
  Scene scene = busy_scene(precision, LawKind::hertz_mindlin, verlet);
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    scene.particles.film.push_back(i % 3 == 0 ? 0.05 * ball(scene.particles.radius[i]) : 0);
  }
  return with_films(scene);
}

TEST_F(Films, NoLiquidIsLost) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = wet_bed(precision);
    scene.outlets.clear();
    scene.outlet_names.clear();
    const double all = std::accumulate(scene.particles.film.begin(), scene.particles.film.end(), 0.0);
    const auto engine = make_backend_engine(scene);
    std::uint64_t fewest = 1000000;
    for (int k = 0; k < 6; ++k) {
      engine->advance(50);
      EXPECT_NEAR(all_liquid(*engine), all, 1e-13 * all) << k;
      fewest = k > 2 ? std::min(fewest, engine->films().n_bridges) : fewest;
    }
    EXPECT_GT(fewest, 100u);
    EXPECT_GT(engine->films().bridges, 0.02 * all);
    for (const double film : films(*engine)) { EXPECT_GE(film, 0); }
  }
}

TEST_F(Films, HaveTheSameBitsForAnyThreadCountAndVerletDistance) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const auto first = make_backend_engine(wet_bed(precision));
    first->advance(150);
    EXPECT_LT(films(*first).size(), 800u) << "some must have left";
    for (const auto& [threads, verlet] : {std::pair{1, 0.02}, {2, 0.2}, {3, 1.0}}) {
      const auto other = make_backend_engine(wet_bed(precision, verlet), threads);
      other->advance(150);
      EXPECT_TRUE(other->hash() == first->hash()) << threads << " threads, Verlet distance " << verlet;
      EXPECT_EQ(films(*other), films(*first));
      EXPECT_EQ(other->films().bridges, first->films().bridges);
    }
  }
}

TEST_F(Films, AreInCheckpoints) {
  const Scene scene = wet_bed(Precision::mixed);
  const auto whole = make_backend_engine(scene), rest = make_backend_engine(scene, 2);
  whole->advance(100);
  const EngineState state = whole->save();
  rest->restore(state);
  EXPECT_TRUE(rest->save() == state);
  EXPECT_EQ(rest->films().bridges, whole->films().bridges);
  whole->advance(60), rest->advance(60);
  EXPECT_TRUE(rest->hash() == whole->hash());
  EXPECT_EQ(films(*rest), films(*whole));
}

// Without films there is nothing to report.
TEST_F(Films, BridgesWithoutFilmsAreAsTheyWere) {
  Scene scene = busy_scene(Precision::mixed, LawKind::hertz_mindlin, 0.2);
  scene.pairs[0].liquid = LiquidBridges{.surface_tension = 0.072, .contact_angle = angle, .volume_fraction = most};
  scene.interaction_range = adhesion_range(scene);
  const auto engine = make_backend_engine(scene);
  engine->advance(50);
  EXPECT_EQ(engine->films().films, 0);
  EXPECT_EQ(engine->films().n_bridges, 0u);
  EXPECT_TRUE(films(*engine).empty());
}

}  // namespace scree::inline SCREE_BACKEND::films_test
