#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "host/checkpoint/checkpoint_file.hpp"
#include "host/checkpoint/membrane_arrays.hpp"
#include "host/commands/run.hpp"
#include "host/geometry/real3.hpp"
#include "host/start/start_from.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/engine.hpp"

/// A packing, and a case that starts from it, for all tests of starts.
namespace scree::test {

/// Spheres of two materials that fall into a heap between walls. Spheres that leave upwards are removed.
inline std::string packing_case(const std::string& precision) {
  return R"({ "time": { "duration": 0.03, "step": 2e-5 }, "precision": ")" + precision + R"(",
    "materials": {
      "unused": { "density": 1, "young_modulus": 1e7, "poisson_ratio": 0.2, "friction": 0.1, "restitution": 0.5 },
      "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 },
      "clay": { "density": 1500, "young_modulus": 5e6, "poisson_ratio": 0.3, "friction": 0.6, "restitution": 0.3 } },
    "particles": [
      { "material": "glass", "radius": 0.005, "velocity": [0, 0, 1],
        "lattice": { "box": [[0, 0, 0.2], [0.06, 0.06, 0.215]], "spacing": 0.012 } },
      { "material": "clay", "radius": 0.005, "velocity": [0.1, 0.05, -1], "group": "heap",
        "lattice": { "box": [[0, 0, 0], [0.06, 0.06, 0.04]], "spacing": 0.0101, "jitter": 0.5 } },
      { "material": "glass", "radius": 0.004, "velocity": [0, 0.1, -1], "angular_velocity": [5, 0, 3],
        "lattice": { "box": [[0, 0, 0.04], [0.06, 0.06, 0.07]], "spacing": 0.0101, "jitter": 0.5 } } ],
    "groups": { "heap": { "damping": 0.1 } },
    "boundaries": { "walls": { "type": "box", "min": [0, 0, 0], "max": [0.06, 0.06, 1], "material": "glass" } },
    "domain": { "outlets": { "top": { "point": [0, 0, 0.21], "normal": [0, 0, 1] } } },
    "output": { "checkpoints": { "every": 0.01 } } })";
}

/// The same materials in another order, in a case that starts from the heap.
inline std::string started_case(const std::string& precision) {
  return R"({ "time": { "duration": 0.004, "step": 2e-5 }, "precision": ")" + precision + R"(",
    "materials": {
      "clay": { "density": 1500, "young_modulus": 5e6, "poisson_ratio": 0.3, "friction": 0.6, "restitution": 0.3 },
      "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 } },
    "groups": { "other": {}, "heap": { "damping": 0.1 } },
    "boundaries": { "walls": { "type": "box", "min": [0, 0, 0], "max": [0.06, 0.06, 1], "material": "glass" } },
    "start": "packing/checkpoints",
    "output": { "series": { "every": 0.0004, "energies": true }, "checkpoints": { "every": 0.001 } } })";
}

/// Runs in a folder of its own, and engines in the state that a run has left.
class StartRuns {
 protected:
  int run(const std::string& name, const std::string& out, bool resume = false,
          std::optional<std::uint64_t> steps = {}) {
    RunArguments arguments;
    arguments.case_file = folder_ / name;
    arguments.folder = folder_ / out;
    arguments.engine = {BackendChoice::host, 1};
    arguments.resume = resume;
    arguments.steps = steps;
    terminal_.str("");
    return run_case(arguments, terminal_);
  }
  std::string hash() const {
    const auto text = terminal_.str();
    return text.substr(text.rfind("state hash "), 43);
  }
  std::filesystem::path newest() const { return checkpoints_in(folder_ / "packing/checkpoints").back().second; }

  /// The engine of the packing in the state of its newest checkpoint.
  std::unique_ptr<Engine> old_engine() const {
    SceneReport report;
    const Scene scene = build_scene(read_case(folder_ / "packing.json"), report);
    auto engine = make_engine(scene, {BackendChoice::host, 2});
    EngineState state = read_checkpoint(newest()).state;
    take_membranes(state, scene.membranes);
    engine->restore(state);
    return engine;
  }
  struct Started {
    Scene scene;
    std::unique_ptr<Engine> engine;
    std::vector<std::string> notes;
  };
  Started started(const std::vector<std::string>& settings = {}) const {
    const Case input = read_case(folder_ / "case.json", settings);
    SceneReport report;
    Started result{build_scene(input, report), {}, {}};
    result.engine = make_engine(result.scene, {BackendChoice::host, 1});
    result.notes = continue_contacts(report, input, result.scene, *result.engine);
    return result;
  }

  ScratchFolder folder_;
  std::ostringstream terminal_;
};

/// Tests of a start from the heap.
class Start : public testing::TestWithParam<const char*>, protected StartRuns {
 protected:
  void SetUp() override {
    write_text(folder_ / "packing.json", packing_case(GetParam()));
    write_text(folder_ / "case.json", started_case(GetParam()));
    run("packing.json", "packing");
  }
};

inline double largest_difference(const std::vector<TouchingContact>& a, const std::vector<TouchingContact>& b) {
  double most = 0, scale = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    most = std::max(most, geometry::length(geometry::subtract(a[k].force, b[k].force)));
    scale = std::max(scale, geometry::length(a[k].force));
  }
  return most / scale;
}

/// Makes a step of the old run and of one that started from it. Both must have the same contacts, `least` or more, with
/// the same forces but for rounding (1e-6). Returns the contacts of the new run.
inline std::vector<TouchingContact> expect_same_next_forces(Engine& old, Engine& next, std::size_t least) {
  old.advance(1);
  next.advance(1);
  const auto a = old.touching_contacts();
  auto b = next.touching_contacts();
  EXPECT_EQ(a.size(), b.size());
  EXPECT_GT(a.size(), least);
  if (a.size() == b.size()) { EXPECT_LT(largest_difference(a, b), 1e-6); }
  return b;
}

}  // namespace scree::test
