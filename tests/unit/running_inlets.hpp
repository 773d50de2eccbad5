#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/run/inlets.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/engine.hpp"

/// For tests that run inlets.
namespace scree::test::running_inlets {

/// A run that a test advances from one action of the inlets to the next.
struct Running {
  explicit Running(const std::string& text, int threads = 1, const std::vector<std::string>& settings = {})
      : input(parse_case(text, "/nowhere", settings)),
        scene(build_scene(input, report)),
        engine(make_engine(scene, {BackendChoice::host, threads})),
        inlets(input, scene) {}

  /// Advances to the next action of the inlets, at most to the step `last`, and lets them act.
  void act(std::uint64_t last) {
    engine->advance(std::min(last, inlets.next_after(engine->step())) - engine->step());
    for (const auto& note : inlets.feed(*engine)) notes.push_back(note);
  }
  void run_to(std::uint64_t last) {
    while (engine->step() < last) act(last);
  }
  [[nodiscard]] InletReport state() const { return inlets.report(engine->time()).at(0); }

  Case input;
  SceneReport report;
  Scene scene;
  std::unique_ptr<Engine> engine;
  Inlets inlets;
  std::vector<std::string> notes;
};

}  // namespace scree::test::running_inlets
