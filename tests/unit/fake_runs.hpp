#pragma once

#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "fake_engine.hpp"
#include "scratch_folder.hpp"
#include "scree/case.hpp"

/// Cases for runs of FakeEngine, and what such runs have written.
namespace scree::test::fake_runs {

inline Case case_for(double duration, double frames_every, double series_every) {
  Case input;
  input.time.duration = duration;
  if (frames_every > 0) { input.output.frames = FrameOutput{frames_every, {"velocity", "radius"}}; }
  if (series_every > 0) { input.output.series = SeriesOutput{series_every}; }
  return input;
}

/// The numbers of one column of series.csv.
inline std::vector<double> column(const std::filesystem::path& folder, std::size_t index) {
  std::vector<double> values;
  const auto lines = lines_of(folder / "series.csv");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::stringstream row(lines[i]);
    std::string cell;
    for (std::size_t k = 0; k <= index; ++k) { std::getline(row, cell, ','); }
    values.push_back(std::stod(cell));
  }
  return values;
}

inline std::size_t frame_count(const std::filesystem::path& folder) { return files_below(folder / "frames").size(); }

/// The adaptive steps of FakeEngine have the length of the first step and half of it in turns.
inline Scene adaptive_scene() {
  Scene scene = small_scene();
  scene.adaptive = AdaptiveStep{};
  return scene;
}

}  // namespace scree::test::fake_runs
