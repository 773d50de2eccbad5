#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "scenes.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// Contacts of parcels are those of their grains: the same overlap over the radius, velocities and stress, at times
/// that are as many times longer.
namespace scree::physics::parcels_test {

constexpr double radius_a = 1e-3, radius_b = 1.25e-3;  // [m] of grains
constexpr double time_step = 1e-6;                     // [s]

/// Two spheres that meet off centre with spins: of grains, or of parcels with a scale.
Scene meeting(const std::string& rule, double scale) {
  const auto count = std::to_string(std::llround(scale * scale * scale));
  const std::string text =
      R"({ "time": { "duration": 1 }, "precision": "double", "gravity": [0, 0, 0], "parcels": { "scale": )" +
      std::to_string(scale) + R"( }, "materials": {
        "a": { "density": 2500, "young_modulus": 2e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.6 },
        "b": { "density": 1500, "young_modulus": 1e7, "poisson_ratio": 0.3, "friction": 0.3, "restitution": 0.8 } },
      "contacts": [ { "between": ["*", "*"], )" +
      rule + R"( } ], "particles": [
        { "material": "a", "radius": 1e-3, "fill": { "box": [[0, 0, 0], [1, 1, 1]], "count": )" +
      count + R"( } },
        { "material": "b", "radius": 1.25e-3, "fill": { "box": [[0, 0, 0], [1, 1, 1]], "count": )" +
      count + R"( } } ] })";
  SceneReport report;
  Scene scene = build_scene(parse_case(text, "/nowhere"), report);
  const double far = 1.0001 * (radius_a + radius_b) * scale;
  scene.particles.position = {{0, 0, 0}, {0.8 * far, 0.6 * far, 0}};
  scene.particles.velocity = {{0.4, 0.1, 0.05}, {-0.3, 0, 0}};
  scene.particles.angular_velocity = {{0, 30 / scale, 60 / scale}, {20 / scale, 0, -10 / scale}};
  scene.time_step = scale * time_step;
  scene.verlet_distance = scale * 1e-4;
  scene.verlet_auto = false;
  return scene;
}

struct Law {
  const char *name, *rule;
};
const std::vector<Law> laws_with_values{
    {"hertz_mindlin", R"("law": "hertz_mindlin")"},
    {"its moduli", R"("law": "hertz_mindlin", "young_modulus": 8e6, "shear_modulus": 5e6)"},
    {"hertz_mindlin_rescaled", R"("law": "hertz_mindlin_rescaled", "restitution_tangential": 0.3)"},
    {"mindlin_reversal", R"("law": "mindlin_reversal")"},
    {"jaeger", R"("law": "jaeger")"},
    {"hertz_mindlin_dmt", R"("law": "hertz_mindlin_dmt", "surface_energy": 0.5)"},
    {"jkr", R"("law": "jkr", "surface_energy": 0.5)"},
    {"cundall_strack", R"("law": "cundall_strack")"},
    {"its stiffnesses", R"("law": "cundall_strack", "normal_stiffness": 1e4, "shear_stiffness": 7e3)"},
    {"bonded", R"("law": "bonded", "bond": { "tensile_strength": 2e5, "cohesion": 2e5, "interaction_range": 1.1 })"},
    {"eepa", R"("law": "eepa", "surface_energy": 0.5, "plasticity": { "ratio": 0.5, "pull_off": 1e-4 })"},
    {"luding", R"("law": "luding", "contact_time": 2e-4, "plasticity": { "ratio": 0.5, "adhesion": 0.3 })"},
    {"linear_spring_dashpot", R"("law": "linear_spring_dashpot")"},
    {"contact_time", R"("law": "linear_spring_dashpot", "contact_time": 2e-4, "exact_restitution": true)"},
    {"dampings", R"("law": "linear_spring_dashpot", "normal_stiffness": 1e4, "shear_stiffness": 3e3,
      "normal_damping": 0.05, "shear_damping": 0.02)"},
    {"rolling", R"("law": "hertz_mindlin", "rolling": { "stiffness": 0.5, "friction": 0.1, "twisting_stiffness": 0.4,
      "twisting_friction": 0.1, "damping": 0.2 })"},
    {"cohesion", R"("law": "hertz_mindlin", "cohesion": { "energy_density": 2e5 })"},
    {"liquid", R"("law": "hertz_mindlin", "liquid": { "surface_tension": 0.5, "volume": 4e-11 })"},
    {"liquid fraction", R"("law": "linear_spring_dashpot", "liquid": { "surface_tension": 0.5,
      "volume_fraction": 0.01 })"}};

// Two spheres of unlike sizes and materials, under each law, at scale 2, where each product is exact, and 3. The bound
// is that of rounding: positions have errors of 1e-16 r, where overlaps are 1e-2 r.
TEST(Parcels, AContactIsThatOfItsGrains) {
  for (const Law& law : laws_with_values) {
    const auto grains = start(meeting(law.rule, 1));
    double worst = 0, deepest = 0, most_force = 0;
    std::vector<std::unique_ptr<Engine>> parcels;
    const std::vector<double> scales{2, 3};
    for (const double scale : scales) parcels.push_back(start(meeting(law.rule, scale)));
    for (int sample = 0; sample < 150; ++sample) {
      grains->advance(10);
      const Snapshot one = grains->snapshot({.force = true});
      const double overlap = 1 - norm(one.position[1] - one.position[0]) / (radius_a + radius_b);
      deepest = std::max(deepest, overlap);
      most_force = std::max(most_force, norm(one.force[0]));
      for (std::size_t k = 0; k < scales.size(); ++k) {
        const double scale = scales[k];
        parcels[k]->advance(10);
        const Snapshot many = parcels[k]->snapshot({.force = true});
        for (std::size_t i = 0; i < 2; ++i) {
          worst = std::max({worst, norm(1 / scale * many.position[i] - one.position[i]) / radius_a,
                            norm(many.velocity[i] - one.velocity[i]),
                            norm(scale * many.angular_velocity[i] - one.angular_velocity[i]) * radius_a,
                            norm(1 / (scale * scale) * many.force[i] - one.force[i]) / (most_force + 1e-6)});
        }
      }
    }
    std::printf("%s: overlap %.4f r, force %.3g N, difference %.2g\n", law.name, deepest, most_force, worst);
    EXPECT_GT(deepest, 1e-3) << law.name;
    EXPECT_LT(worst, 1e-9) << law.name;
  }
}

}  // namespace scree::physics::parcels_test
