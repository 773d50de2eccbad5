#pragma once

#include <algorithm>
#include <filesystem>
#include <numbers>
#include <string>

#include "case_errors.hpp"
#include "host/geometry/real3.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// Cases with entries of `particles`, for all tests of fills.
namespace scree::test::fill_cases {

inline double ball(double r) { return 4.0 / 3.0 * std::numbers::pi * r * r * r; }

inline const std::string materials = R"("materials": {
  "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 },
  "steel": { "density": 7800, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 } })";

inline std::string case_of(const std::string& particles, const std::string& more = "") {
  return R"({ "time": { "duration": 0.1, "step": 1e-5 }, )" + materials + R"(, "particles": [ )" + particles + " ]" +
         more + " }";
}

struct Built {
  explicit Built(const std::string& text, const std::filesystem::path& folder = "/nowhere")
      : input(parse_case(text, folder)), scene(build_scene(input, report)) {}
  SceneReport report;
  Case input;
  Scene scene;
};

inline std::string error_with(const std::string& text, const std::filesystem::path& folder = "/nowhere") {
  return error_of([&] { Built{text, folder}; });
}

/// Deepest overlap [m] of any two spheres of a scene, by comparing every pair.
inline double deepest(const ParticleSet& set) {
  double most = -1e300;
  for (std::size_t i = 0; i < set.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double apart = geometry::length(geometry::subtract(set.position[i], set.position[j]));
      most = std::max(most, set.radius[i] + set.radius[j] - apart);
    }
  }
  return most;
}

}  // namespace scree::test::fill_cases
