#pragma once

#include <nlohmann/json.hpp>

#include <fstream>

#include "jaeger_contact.hpp"

namespace scree::inline SCREE_BACKEND {

/// Reference histories from tests/data/jaeger_vectors.json, computed with 50 digits; `conventions` in that file
/// explains them.
struct JaegerCase {
  std::string name;
  double hertz, kappa, friction, merging, largest_normal;
  std::vector<double> zeta, normal;
  std::vector<Vec2<double>> movement, force;
  std::vector<std::uint32_t> segments;
  std::vector<std::string> event;
  double tolerance_of_float;  ///< [-] allowed error of T over mu N_max
  std::vector<std::array<double, 3>> final_stack;
};

inline const std::vector<JaegerCase>& jaeger_cases() {
  static const std::vector<JaegerCase> cases = [] {
    std::ifstream file(SCREE_SOURCE_DIR "/tests/data/jaeger_vectors.json");
    std::vector<JaegerCase> all;
    const nlohmann::json data = nlohmann::json::parse(file);
    for (const auto& one : data.at("cases")) {
      const auto& expected = one.at("expected");
      JaegerCase c{.name = one.at("name"),
                   .hertz = one.at("A"),
                   .kappa = one.at("kappa"),
                   .friction = one.at("mu"),
                   .merging = one.at("alpha"),
                   .largest_normal = one.at("N_max"),
                   .zeta = expected.at("zeta"),
                   .normal = expected.at("N"),
                   .movement = {},
                   .force = {},
                   .segments = expected.at("nseg"),
                   .event = expected.at("event"),
                   .tolerance_of_float = one.at("tolerance").at("float_T_over_muNmax"),
                   .final_stack = {}};
      for (std::size_t k = 0; k < c.zeta.size(); ++k) {
        c.movement.push_back({one.at("steps").at(k).at(1), one.at("steps").at(k).at(2)});
        c.force.push_back({expected.at("Tx").at(k), expected.at("Ty").at(k)});
      }
      for (const auto& segment : one.at("final_stack")) {
        c.final_stack.push_back({segment.at(0), segment.at(1), segment.at(2)});
      }
      all.push_back(std::move(c));
    }
    return all;
  }();
  return cases;
}

}  // namespace scree::inline SCREE_BACKEND
