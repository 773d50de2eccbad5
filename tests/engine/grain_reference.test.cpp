#include "icosphere.hpp"

#include <fstream>
#include <numbers>

#include <nlohmann/json.hpp>

// Forces of nodes against tests/data/level_set/node_contact.json: closed forms of a penalty k per area and depth, and
// tolerances that were measured with other code over 200 random orientations. Lengths there are spacings of the grid;
// here they are metres.
namespace scree::inline SCREE_BACKEND::grain_reference_test {

using nlohmann::json;
using physics::add_clump;
using physics::turn;
using GrainReference = BackendTest;

constexpr std::size_t orientations = 40;

json reference() {
  std::ifstream file(std::string(SCREE_SOURCE_DIR) + "/tests/data/level_set/node_contact.json");
  return json::parse(file);
}

/// Springs of k and k_s per area between grains of equivalent radii r1 and r2 (r1 twice at a plane). The law gives a
/// node the force K u A / (pi r1 r2), so the constant stiffness K ("stiffness" of law linear_spring_dashpot) is
/// k pi r1 r2. No dashpots.
Scene penalty_scene(double k, double k_s, double friction, double r1, double r2) {
  Scene scene = glass_scene(Precision::double_, LawKind::linear_spring_dashpot);
  scene.pairs[0] = {};
  scene.pairs[0].friction = friction;
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = k * std::numbers::pi * r1 * r2;
  scene.pairs[0].springs.shear_stiffness = k_s * std::numbers::pi * r1 * r2;
  scene.time_step = 1e-3;
  scene.verlet_distance = 0.2 * r1;
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  return scene;
}

/// Spheres that are `depth` deep in the floor, each turned at random, too far apart to touch.
void add_to_floor(Scene& scene, double radius, double depth, const Real3& velocity) {
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  Random random(3);
  for (std::size_t n = 0; n < orientations; ++n) {
    const Real3 axis = random.direction();
    const double angle = random(0, std::numbers::pi);
    add_clump(scene, 0, {3 * radius * double(n), 0, radius - depth}, velocity, {}, turn(axis, angle));
  }
  scene.particles.group.assign(orientations, 1);
}

/// Force along `direction(contact)` of each contact over `expected`: every one is within `tolerance` of 1. Returns the
/// mean.
template <class Direction>
double mean_ratio(Engine& engine, double expected, double tolerance, const Direction& direction) {
  const auto contacts = engine.touching_contacts();
  EXPECT_EQ(contacts.size(), orientations);
  double sum = 0;
  for (const TouchingContact& c : contacts) {
    const double ratio = physics::dot(c.force, direction(c)) / expected;
    EXPECT_NEAR(ratio, 1, tolerance);
    sum += ratio / double(contacts.size());
  }
  return sum;
}

TEST_F(GrainReference, ASphereOnAPlaneHasTheForceOfTheClosedForm) {
  const json data = reference();
  ASSERT_EQ(data["cases"].size(), 4u);
  for (const json& c : data["cases"]) {
    SCOPED_TRACE(c.dump());
    const double radius = c["R1"], depth = c["overlap"], tolerance = c["tol_rel"];
    Scene scene = penalty_scene(data["kn_per_volume"], 0, 0, radius, radius);
    add_grain_shape(scene, sphere_of(radius, c["icosphere_level"]));
    add_to_floor(scene, radius, depth, {});
    const auto engine = make_backend_engine(scene);
    engine->advance(1);
    const double mean = mean_ratio(*engine, c["F_sphere_plane_R1"], tolerance, [](auto&) { return Real3{0, 0, 1}; });
    EXPECT_NEAR(mean, 1, 0.2 * tolerance);
  }
}

/// Mean force over the closed form of two spheres of which the first one is the slave, as it is smaller or comes first.
double mean_of_pairs(const json& data, const json& c, bool raw, double expected, double tolerance) {
  const double r1 = c["R1"], r2 = c["R2"], depth = c["overlap"];
  Scene scene = penalty_scene(data["kn_per_volume"], 0, 0, r1, r2);
  add_grain_shape(scene, sphere_of(r1, c["icosphere_level"], raw));
  add_grain_shape(scene, sphere_of(r2, c["icosphere_level"], raw));
  Random random(5);
  for (std::size_t n = 0; n < orientations; ++n) {
    const Real3 axis1 = random.direction(), axis2 = random.direction(), along = random.direction(),
                place{6 * r2 * double(n), 0, 0};
    const double angle1 = random(0, std::numbers::pi), angle2 = random(0, std::numbers::pi);
    add_clump(scene, 0, place, {}, {}, turn(axis1, angle1));
    add_clump(scene, 1, place + (r1 + r2 - depth) * along, {}, {}, turn(axis2, angle2));
  }
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  return mean_ratio(*engine, expected, tolerance,
                    [](const TouchingContact& t) { return (1 / length_of(t.branch)) * t.branch; });
}

TEST_F(GrainReference, TwoSpheresHaveTheForceOfTheClosedForm) {
  const json data = reference();
  for (const json& c : data["cases"]) {
    SCOPED_TRACE(c.dump());
    const double force = c["F_sphere_sphere"], tolerance = c["tol_rel"], factor = c["raw_trilinear_factor"];
    const double mean = mean_of_pairs(data, c, false, force, tolerance);
    const double raw = mean_of_pairs(data, c, true, force * factor, tolerance);
    EXPECT_NEAR(mean, 1, 0.2 * tolerance);
    // A grid of plain distances makes spheres smaller by h^2 / (6 R): the template must not have them.
    EXPECT_NEAR(raw, 1, 0.2 * tolerance);
  }
}

// The file states no nodes for this curve. At the smallest shift the force goes with the area of the touching nodes,
// which 2562 nodes give within 4 % only; 10242 nodes are within the tolerance.
TEST_F(GrainReference, PartialSlipFollowsTheCurve) {
  const json data = reference();
  for (const json& c : data["friction_partial_slip"]) {
    const double radius = c["R"], tolerance = c["tol_rel"], speed = 1;
    Scene scene = penalty_scene(data["kn_per_volume"], c["ks_per_volume"], c["mu"], radius, radius);
    add_grain_shape(scene, sphere_of(radius, 5));
    add_to_floor(scene, radius, c["overlap"], {speed, 0, 0});
    const auto engine = make_backend_engine(scene);
    ASSERT_EQ(c["s_F"].size(), 5u);
    for (const json& point : c["s_F"]) {
      const double s = point[0], force = point[1];
      engine->advance(static_cast<std::uint64_t>(std::lround(s / (speed * scene.time_step))) - engine->step());
      SCOPED_TRACE(point.dump());
      const double mean = mean_ratio(*engine, force, tolerance, [](auto&) { return Real3{-1, 0, 0}; });
      EXPECT_NEAR(mean, 1, 0.2 * tolerance);
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::grain_reference_test
