#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/factory.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

// An automatic step stays below the critical step of the present contacts, from the first impacts to rest.
namespace scree::physics::automatic_step_test {

/// Soft particles rain into a box and come to rest. Returns the largest ratio of the step to the critical step, checked
/// every 20 steps.
double most_of_critical_step(const std::string& shape, const std::string& material) {
  const std::string text = R"({"time": {"duration": 1}, "gravity": [0, 0, -9.81], "precision": "double",
    "materials": {"soft": {"density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.5, )" +
                           material + R"(}},
    "shapes": {"pill": {"type": "clump", "spheres": [{"center": [-0.8, 0, 0], "radius": 1}, {"center": [0, 0, 0],
      "radius": 1.1},
      {"center": [0.8, 0, 0], "radius": 1}]}},
    "particles": [{"material": "soft", )" +
                           shape + R"("fill": {"box": [[0, 0, 0.002], [0.03, 0.03, 0.3]], "count": 150}}],
    "boundaries": {"box": {"type": "box", "min": [0, 0, 0], "max": [0.03, 0.03, 0.4], "material": "soft"}}})";
  SceneReport report;
  const Scene scene = build_scene(parse_case(text, "."), report);
  EXPECT_NE(report.time_step_reason.find("on impact at 2.4 m/s"), std::string::npos) << report.time_step_reason;
  const auto engine = make_host_engine(scene, 1);
  double most = 0, overlap = 0;
  while (engine->time() < 0.5) {
    engine->advance(20);
    const CriticalStep now = engine->critical_step();
    most = std::max(most, scene.time_step / now.value);  // the critical step is infinite without contacts
    overlap = std::max(overlap, engine->watch().overlap);
  }
  EXPECT_GT(overlap, 0.05);  // more than the overlap that the step allows at rest
  ::testing::Test::RecordProperty("most_of_critical_step", std::to_string(most));
  return most;
}

/// The ratio must not exceed 1. It is set by the deepest contact of the whole rain, so it scatters from run to run:
/// ratios of 0.64 to 0.83 were found. Below 0.5 the step would be needlessly short.
void expect_below_critical(const std::string& shape, const std::string& material) {
  const double most = most_of_critical_step(shape, material);
  EXPECT_LT(most, 0.95);
  EXPECT_GT(most, 0.5);
}

const std::string spheres = R"("radius": {"uniform": [2e-3, 3e-3]}, )",
                  pills = R"("shape": "pill", "radius": 2.5e-3, )";

TEST(AutomaticStep, OfSpheresThatRainStaysBelowTheCriticalOne) {
  expect_below_critical(spheres, R"("restitution": 0.3)");
}

TEST(AutomaticStep, OfClumpsThatRainStaysBelowTheCriticalOne) { expect_below_critical(pills, R"("restitution": 0.3)"); }

TEST(AutomaticStep, OfRollingResistanceStaysBelowTheCriticalOne) {
  expect_below_critical(spheres,
                        R"("restitution": 0.2, "rolling": {"stiffness": 0.25, "friction": 0.4, "damping": 0.3})");
}

// Bonds hold all neighbours at once: in a dense random packing and in a close packing, without and with dashpots, and
// with bonds beyond the nearest neighbours. A step of more than the critical one breaks them within a few steps.
TEST(AutomaticStep, OfBondedPackingsStaysBelowTheCriticalOne) {
  const std::string random = R"("radius": {"uniform": [9e-4, 1.1e-3]},
                                "fill": {"cell": {}, "solid_fraction": 0.6, "dense": true})",
                    close = R"("radius": 1e-3, "lattice": {"type": "face_centred", "spacing": 2e-3,
                               "box": [[0, 0, 0], [0.0113137, 0.0113137, 0.0113137]]})";
  for (const std::string& packing : {random, close}) {
    for (const double range : {1.0, 1.3, 1.5}) {
      for (const double damping : {0.0, 0.1, 0.5, 1.0}) {
        const std::string size = packing == random ? "0.012" : "0.011313708498984761";
        const std::string text = R"({"time": {"duration": 1}, "gravity": [0, 0, 0], "precision": "double",
          "materials": {"s": {"density": 2500, "young_modulus": 1e8, "poisson_ratio": 0.3, "friction": 0.3}},
          "contacts": [{"between": ["s", "s"], "law": "bonded", "bond": {"tensile_strength": 1e7, "cohesion": 2e7,
            "interaction_range": )" +
                                 std::to_string(range) + R"(, "damping": )" + std::to_string(damping) + R"(}}],
          "particles": [{"material": "s", )" +
                                 packing +
                                 R"(}],
          "domain": {"periodic": {"size": [)" +
                                 size + "," + size + "," + size + "]}}}";
        SceneReport report;
        const Scene scene = build_scene(parse_case(text, "."), report);
        const auto engine = make_host_engine(scene, 1);
        engine->advance(1);
        if (engine->counts().bonds == 0) { continue; }  // nothing touches in the random packing
        const double most = scene.time_step / engine->critical_step().value;
        EXPECT_LT(most, 0.96) << packing << range << ' ' << damping << ' ' << engine->counts().bonds;
        EXPECT_GT(most, 0.3) << packing << range << ' ' << damping;
      }
    }
  }
}

}  // namespace scree::physics::automatic_step_test
