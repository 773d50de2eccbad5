#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scree/case_file.hpp"
#include "scree/errors.hpp"

/// A valid case of two materials, and the problems that the reader reports after changes.
namespace scree::test {

using List = std::vector<std::string>;

inline const std::string base = R"({
  "time": { "duration": 1 },
  "materials": {
    "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.8 },
    "steel": { "density": 7800, "young_modulus": 1e9, "poisson_ratio": 0.3, "friction": 0.2, "restitution": 0.6 }
  },
  "contacts": [ { "between": ["glass", "steel"], "friction": 0.25 }, { "between": ["*", "*"] } ],
  "particles": [
    { "material": "glass", "radius": 1e-3, "fill": { "box": [[0, 0, 0], [1, 1, 1]], "count": 10 } }
  ],
  "boundaries": {
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "steel",
               "motion": [ { "type": "translation", "velocity": [0, 0, 1] } ] }
  }
})";

inline List problems_of(const std::string& text, const List& settings = {}) {
  List texts;
  try {
    (void)parse_case(text, "/nowhere", settings);
  } catch (const CaseError& error) {
    for (const auto& problem : error.problems()) texts.push_back(problem.text());
  }
  return texts;
}

/// Problems of the valid case after changes.
inline List problems_with(const List& settings) { return problems_of(base, settings); }

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

}  // namespace scree::test
