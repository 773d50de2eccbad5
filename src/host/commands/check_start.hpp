#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scree/build_scene.hpp"
#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Lines of `scree check` as label and text: what a few steps of the real engine tell, within about a second once its
/// lists are made. The critical step of the contacts of the start, the run time and the disk space of the whole run.
struct StartCheck {
  std::vector<std::pair<std::string, std::string>> lines;
  std::string failure;  ///< why these steps failed; empty: they did not
};
/// `most_spheres` are those of the start and all that inlets bring: what output may have to hold. `threads`: as in
/// EngineOptions.
[[nodiscard]] StartCheck check_start(const Case& input, const Scene& scene, const SceneReport& report,
                                     std::size_t most_spheres, int threads);

/// [bytes] Size of a file of so many contacts. `of_grains`: there are level-set grains.
[[nodiscard]] std::uint64_t contact_file_bytes(std::size_t contacts, Precision precision, bool in_cell, bool of_grains);

/// [bytes] Size of one frame of so many particles.
[[nodiscard]] std::uint64_t frame_bytes(const FrameOutput& output, std::size_t particles, Precision precision);

}  // namespace scree
