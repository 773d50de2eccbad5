#pragma once

#include <string>

namespace scree::test {

/// A case whose particles rain through an inlet onto a slide and leave it through two outlets.
inline std::string rain_case(const std::string& precision) {
  return R"({ "time": { "duration": 0.05, "step": 2e-5 }, "precision": ")" + precision + R"(",
    "materials": { "glass": { "density": 2500, "young_modulus": 1e8, "poisson_ratio": 0.25, "friction": 0.4,
                              "restitution": 0.8 } },
    "groups": { "first": {} },
    "particles": [ { "material": "glass", "file": "spheres.csv", "velocity": [0.2, 0, -0.5], "group": "first" },
                   { "material": "glass", "radius": 0.004, "inlet": { "rate": 1000, "velocity": [2, 0, -2],
                     "region": { "box": [[0, 0, 0.05], [0.03, 0.03, 0.08]] } } } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, -0.001], "normal": [0.3, 0, 1], "material": "glass" } },
    "domain": { "outlets": { "side": { "point": [0.065, 0, 0], "normal": [1, 0, 0] },
                             "top, \"lid\"": { "point": [0, 0, 0.085], "normal": [0, 0, 1] } } },
    "output": { "frames": { "every": 0.005, "fields": ["id", "force", "fragment", "group"] },
                "contacts": { "every": 0.005 }, "left": true, "checkpoints": { "every": 0.004 } } })";
}

}  // namespace scree::test
