#pragma once

#include <string>

/// A bead below a wall with a servo, for all tests of servos.
namespace scree::test {

/// A bead of 0.0103 N weight with these boundaries. `more` is the rest of the case.
inline std::string bead(const std::string& boundaries, const std::string& more = "") {
  return R"({ "time": { "duration": 0.3, "step": 2e-5 }, "precision": "double",
    "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                              "restitution": 0.4 } },
    "particles": [ { "material": "glass", "radius": 0.01, "lattice": { "type": "simple_cubic",
                     "box": [[0, 0, 0], [0.02, 0.02, 0.02]], "spacing": 0.02 } } ],
    "boundaries": { )" +
         boundaries + " }" + more + "}";
}

/// The bead on a floor, below a lid of glass.
inline std::string bead_below(const std::string& lid, const std::string& more = "") {
  return bead(R"("floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass" },
                 "lid": { "material": "glass", )" +
                  lid + " }",
              more);
}

}  // namespace scree::test
