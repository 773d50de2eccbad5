#include <gtest/gtest.h>

#include <cmath>

#include "host/measure/clump_members.hpp"
#include "host/measure/selection.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/engine.hpp"
#include "state_by_hand.hpp"

/// The balance of momentum in means over a steady flow.
namespace scree::test::steady_flow_test {

/// Five layers are sheared between a rough bed and a lid that was lowered on them and moves on at 0.3 m/s, with
/// gravity, in a cell that repeats along and across the flow. Above each height the forces of gravity, lid and bed
/// together carry away what stresses and the flow bring, within 1 % of the largest pressure. The lid is down after
/// 0.225 s. From 0.8 s on, when it has moved on by the height of the layer a few times, 1.2 s are averaged with a
/// sample every millisecond: with less, sums over few samples are not yet the mean. Of the error of 0.65 %, 0.5 % are
/// those of cells of finite height at the bed.
TEST(SteadyFlow, MomentumBalancesAtEveryHeight) {
  const Case input = parse_case(R"({ "time": { "duration": 5, "step": 2e-4 }, "precision": "double",
    "materials": { "grain": { "density": 2500, "young_modulus": 2e5, "poisson_ratio": 0.25, "friction": 0.5,
                              "restitution": 0.5 },
                   "bed": { "density": 2500, "young_modulus": 2e5, "poisson_ratio": 0.25, "friction": 0.5,
                            "restitution": 0.5 } },
    "particles": [ { "material": "bed", "radius": 0.005, "group": "bed",
                     "lattice": { "type": "simple_cubic", "box": [[0, 0, -0.01], [0.06, 0.06, 0]], "spacing": 0.01 } },
                   { "material": "grain", "radius": { "uniform": [0.0045, 0.0055] },
                     "fill": { "box": [[0, 0, 0], [0.06, 0.06, 0.09]], "count": 190 } } ],
    "groups": { "bed": { "fixed": ["x", "y", "z", "rx", "ry", "rz"] } },
    "boundaries": { "lid": { "type": "plane", "point": [0, 0, 0.09], "normal": [0, 0, -1], "material": "grain",
                             "motion": [ { "type": "translation", "velocity": [0.3, 0, 0] },
                                         { "type": "translation", "velocity": [0, 0, -0.2], "until": 0.225 } ] } },
    "domain": { "periodic": { "size": [0.06, 0.06, 0.3], "origin": [0, 0, -0.05], "axes": ["x", "y"] } } })",
                                "/");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  const std::size_t n = 100;
  const double low = -0.03, high = 0.12, edge = (high - low) / n;
  FieldSums sums({BoxRegion{{0, 0, low}, {0.06, 0.06, high}}, {1, 1, n}}, 0.01);
  const Selection grains(scene, {"grain"}, {});
  engine->advance(4000);
  Real3 change{};
  const auto add_momentum = [&](double sign) {
    const Snapshot now = engine->snapshot();
    for (std::size_t i = 0; i < now.id.size(); ++i) {
      const double m = 2500 * 4.0 / 3 * 3.141592653589793 * std::pow(now.radius[i], 3);
      for (std::size_t k = 0; k < 3; ++k) { change[k] += sign * m * now.velocity[i][k]; }
    }
  };
  add_momentum(-1);
  const std::uint64_t samples = 1200;
  for (std::uint64_t k = 0; k < samples; ++k) {
    engine->advance(5);
    const MeasuredState state(*engine, {.forces = false, .contacts = true});
    ProbeView view = view_of(state, state.spheres, scene);
    const auto chosen = grains.in(view.now);
    view.chosen = &chosen;
    sums.add(view);
  }
  add_momentum(1);
  const auto fields = field_means(sums, samples, true);
  const auto at = [&](const char* name, std::size_t columns, std::size_t c, std::size_t k) {
    const double value = named(fields, name).values[columns * c + k];
    return std::isnan(value) ? 0 : value;
  };
  double speed = 0, error = 0, pressure = 0;
  for (const std::size_t a : {0U, 1U, 2U}) {
    double above = 0;
    for (std::size_t c = n; c-- > 0;) {
      const double own = (at("mass_density", 1, c, 0) * input.gravity[a] + at("other_force_density", 3, c, a) +
                          at("boundary_force_density", 3, c, a)) *
                         edge;
      const double through = at("contact_stress", 9, c, 3 * a + 2) + at("kinetic_stress", 9, c, 3 * a + 2) -
                             at("mass_density", 1, c, 0) * at("velocity", 3, c, a) * at("velocity", 3, c, 2);
      // What flows in from below balances the forces on what lies above.
      error = std::fmax(error, std::fabs(through - (above + own / 2)));
      above += own;
      pressure = std::fmax(pressure, -at("contact_stress", 9, c, 8));
      speed = std::fmax(speed, std::fabs(at("velocity", 3, c, a)));
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_LT(std::fabs(change[k]) / (0.06 * 0.06 * 1.2), 0.002 * pressure) << "the flow is steady";
  }
  EXPECT_GT(speed, 0.1) << "it flows";
  EXPECT_LT(error, 0.01 * pressure);
}

}  // namespace scree::test::steady_flow_test
