#pragma once

#include <string>

/// Cases with an inlet, for all tests of inlets of one kind of particles.
namespace scree::test::inlet_cases {

/// A case with one inlet above a floor. With its time step of 1e-5 s the inlet acts once per millisecond.
inline std::string inlet_case(const std::string& inlet, const std::string& radius = "1e-3",
                              const std::string& more = "") {
  return R"({ "time": { "duration": 0.2, "step": 1e-5 }, "seed": 7,
    "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                              "restitution": 0.5 } },
    "particles": [ { "material": "glass", "radius": )" +
         radius + R"(, "inlet": )" + inlet + R"( } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass" } })" +
         more + " }";
}

inline const std::string wide =
    R"("region": { "box": [[-0.05, -0.05, 0.05], [0.05, 0.05, 0.08]] }, "velocity": [0, 0, -1])";

}  // namespace scree::test::inlet_cases
