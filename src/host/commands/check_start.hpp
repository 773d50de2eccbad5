#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scree/build_scene.hpp"
#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Lines of `scree check`, as pairs of label and text, that follow from some steps of a real engine: the critical step
/// of the contacts of the start, and run time and disk space of the whole run. The steps take about a second.
struct StartCheck {
  std::vector<std::pair<std::string, std::string>> lines;
  std::string failure;  ///< the reason if these steps failed; else empty
};
/// `most_spheres` is the number of spheres at the start and from all inlets, by which output is estimated. `threads` as
/// in EngineOptions.
[[nodiscard]] StartCheck check_start(const Case& input, const Scene& scene, const SceneReport& report,
                                     std::size_t most_spheres, int threads);

/// [bytes] Size of a file of this number of contacts. `of_grains`: there are level-set grains.
[[nodiscard]] std::uint64_t contact_file_bytes(std::size_t contacts, Precision precision, bool in_cell, bool of_grains);

/// [bytes] Size of one frame of this number of particles.
[[nodiscard]] std::uint64_t frame_bytes(const FrameOutput& output, std::size_t particles, Precision precision);

}  // namespace scree
