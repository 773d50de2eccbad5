#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/engine.hpp"
#include "scree/simulation.hpp"

namespace scree::test {

/// A case from a text, with its simulation on the host. It writes no files and keeps what it says. The simulation has
/// not begun.
struct SimulatedCase {
  explicit SimulatedCase(const std::string& text, const std::vector<std::string>& settings = {}, int threads = 1)
      : input(parse_case(text, ".", settings)),
        scene(build_scene(input, report)),
        engine(make_engine(scene, {BackendChoice::host, threads})),
        simulation(input, scene, *engine,
                   {.folder = {},
                    .warn = [this](const std::string& line) { warnings += line + "\n"; },
                    .note = [this](const std::string& line) { notes += line + "\n"; }}) {}

  SceneReport report;
  Case input;
  Scene scene;
  std::unique_ptr<Engine> engine;
  std::string notes, warnings;
  Simulation simulation;
};

}  // namespace scree::test
