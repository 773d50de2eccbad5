#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "host/geometry/real3.hpp"
#include "host/measure/probes.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/engine.hpp"
#include "scree/simulation.hpp"

/// The probe of the force on chosen particles.
namespace scree::test::contact_force_test {

constexpr double r = 5e-3, weight = 2500 * 4 / 3.0 * std::numbers::pi * r * r * r * 9.81;  // [m], [N] of a bead

/// Values of the probe now: a force and a torque.
std::vector<double> read_push(const Case& input, const Scene& scene, Engine& engine) {
  Probes probes(*input.output.series, scene, ".");
  return probes.measure(MeasuredState(engine, probes.needs()), scene);
}

/// A bead that comes to rest in the saddle between two held spheres, which overlap, at x0 and x1 [m]. Values of the
/// probe at the end: a force and a torque.
std::array<double, 6> at_rest(double x0, double x1, double bead, const std::string& about,
                              const std::string& more = "") {
  const auto place = [](double x, double z) {
    return "[[" + std::to_string(x) + ", 0.02, " + std::to_string(z) + "]]";
  };
  const std::string held = R"({ "material": "glass", "group": "held", "radius": 5e-3, "positions": )";
  const Case input =
      parse_case(R"({ "time": { "duration": 0.2, "step": 2e-5 }, "precision": "double",
    "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.5,
                              "restitution": 0.2 } },
    "groups": { "held": { "fixed": ["x", "y", "z", "rx", "ry", "rz"] } },
    "particles": [ )" +
                     held + place(x0, 0.02) + " }, " + held + place(x1, 0.02) +
                     R"( }, { "material": "glass", "radius": 5e-3, "positions": )" + place(bead, 0.0286) + R"( } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0.0151], "normal": [0, 0, 1], "material": "glass" } },
    "output": { "series": { "every": 0.1, "probes": { "push": { "type": "contact_force", "groups": ["held"])" +
                     about + " } } } }" + more + " }",
                 ".");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  Simulation(input, scene, *engine, {.folder = {}}).run();
  const std::vector<double> values = read_push(input, scene, *engine);
  EXPECT_EQ(values.size(), 6u);
  std::array<double, 6> taken{};
  std::copy_n(values.begin(), std::min<std::size_t>(values.size(), 6), taken.begin());
  return taken;
}

/// [N] Of the floor, which each of the two held spheres overlaps by 0.1 mm: Hertz.
double pushed_by_floor() {
  const double young = 1e7 / (1 - 0.25 * 0.25) / 2;
  return 2 * 4 / 3.0 * young * std::sqrt(r) * std::pow(1e-4, 1.5);
}

// The bead leans on both spheres: their contacts with it add up to its weight. Their own contact does not count.
TEST(ContactForce, OnHeldSpheresIsTheWeightOfABead) {
  const auto found = at_rest(0.0151, 0.0249, 0.02, "");
  EXPECT_NEAR(found[0], 0, 1e-6 * weight);
  EXPECT_NEAR(found[1], 0, 1e-6 * weight);
  EXPECT_NEAR(found[2], pushed_by_floor() - weight, 1e-4 * weight);
  for (std::size_t k = 3; k < 6; ++k) { EXPECT_NEAR(found[k], 0, 1e-6 * weight * r) << k; }
}

TEST(ContactForce, TorqueIsAboutThePoint) {
  const auto found = at_rest(0.0151, 0.0249, 0.02, R"(, "about": [0.12, 0.02, 0.5])");
  // The line of the force is 0.1 m from the point, towards -x.
  EXPECT_NEAR(found[4], 0.1 * (pushed_by_floor() - weight), 1e-4 * weight * 0.1);
  EXPECT_NEAR(found[3], 0, 1e-6 * weight * 0.1);
}

// The two spheres touch across a face of the cell, and the bead lies over the face.
TEST(ContactForce, ACellMayCutTheParticles) {
  const auto found = at_rest(0.0351, 0.0049, 0.0, "",
                             R"(, "domain": { "periodic": { "size": [0.04, 0.04, 0.1], "axes": ["x", "y"] } })");
  EXPECT_NEAR(found[0], 0, 1e-6 * weight);
  EXPECT_NEAR(found[2], pushed_by_floor() - weight, 1e-4 * weight);
  for (std::size_t k = 3; k < 6; ++k) { EXPECT_NEAR(found[k], 0, 1e-6 * weight * r) << k; }
}

/// An engine after some steps, and the values of the probe then.
struct SteppedCase {
  std::unique_ptr<Engine> engine;
  std::vector<double> push;
};
SteppedCase after_steps(std::uint64_t steps, const std::string& text) {
  const Case input = parse_case(text, ".");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  auto engine = make_engine(scene, {BackendChoice::host, 1});
  (void)engine->advance(steps);
  std::vector<double> push = read_push(input, scene, *engine);
  return {std::move(engine), std::move(push)};
}

// Without friction the forces at all nodes of a box point to the centre of the bead on it, far from the line between
// the two centres: they have the torque of one force through this centre, and their place is the top of the box. In a
// step the bead moves by 1e-5 of its radius.
TEST(ContactForce, OnAGrainHasTheTorqueOfItsNodes) {
  const auto [engine, found] = after_steps(20, R"({ "time": { "duration": 1, "step": 1e-5 }, "precision": "double",
    "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0,
                              "restitution": 0.2 } },
    "shapes": { "box": { "type": "level_set", "box": { "half_edges": [0.01, 0.006, 0.004] }, "grid_spacing": 1e-3 } },
    "groups": { "held": { "fixed": ["x", "y", "z", "rx", "ry", "rz"] } },
    "particles": [ { "material": "glass", "group": "held", "shape": "box", "positions": [[0.02, 0.02, 0.02]],
                     "orientation": [1, 0, 0, 0] },
                   { "material": "glass", "radius": 5e-3, "positions": [[0.027, 0.022, 0.0289]] } ],
    "output": { "series": { "every": 0.1, "probes": { "push": { "type": "contact_force", "groups": ["held"] } } } } })");
  ASSERT_EQ(found.size(), 6u);
  const Snapshot now = engine->snapshot();
  const Real3 arm = geometry::subtract(now.position.at(1), now.position.at(0));
  const Real3 force{found[0], found[1], found[2]}, torque = geometry::cross(arm, force);
  EXPECT_LT(found[2], -1e-3) << "the bead presses on the box";
  for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(found[3 + k], torque[k], 1e-4 * geometry::length(force) * r) << k; }
  const auto contacts = engine->touching_contacts();
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].point[2], 0.024, 1e-4);
  EXPECT_NEAR(contacts[0].point[0], 0.027, 1e-3) << "within a distance of nodes";
}

TEST(ContactForce, OfNoParticlesIsUnknown) {
  const auto stepped = after_steps(1, R"({ "time": { "duration": 1e-4, "step": 1e-5 },
    "materials": { "g": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.5,
                          "restitution": 0.2 } },
    "groups": { "none": {} },
    "particles": [ { "material": "g", "radius": 5e-3, "positions": [[0, 0, 0]] } ],
    "output": { "series": { "every": 0.1, "probes": { "push": { "type": "contact_force", "groups": ["none"] } } } } })");
  for (const double value : stepped.push) { EXPECT_TRUE(std::isnan(value)); }
}

}  // namespace scree::test::contact_force_test
