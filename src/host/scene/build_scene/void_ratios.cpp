#include <cmath>
#include <numbers>

#include "host/geometry/cell_frame.hpp"
#include "host/scene/build_scene/cell.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// [m3] Volume of all particles of a scene.
double solid_volume(const Scene& scene) {
  double cubes = 0;
  visit_whole_particles(scene, [&](double radius, std::uint32_t) { cubes += radius * radius * radius; });
  return 4.0 / 3.0 * std::numbers::pi * cubes;
}

}  // namespace

void look_at_void_ratios(const Scene& scene, std::vector<std::string>& warnings, std::vector<InputProblem>& problems) {
  if (!scene.cell) { return; }
  const double solid = solid_volume(scene);
  for (std::size_t s = 0; s < scene.cell->stages.size(); ++s) {
    const CellStage& stage = scene.cell->stages[s];
    if ((!stage.void_ratio_above && !stage.void_ratio_below) || comes_again(stage)) { continue; }
    const std::string path = stage.path + ".until";
    if (!(solid > 0)) {
      problems.push_back({path, "waits for a void ratio or a solid fraction, but there are no particles"});
      continue;
    }
    const double now = geometry::CellFrame(*scene.cell).volume() / solid - 1;
    const bool holds = (stage.void_ratio_above && now >= *stage.void_ratio_above) ||
                       (stage.void_ratio_below && now <= *stage.void_ratio_below);
    if (s > 0 || !holds) { continue; }  // only the first stage surely begins with this volume
    warnings.push_back(path + ": the cell has this void ratio at the start already, " + short_number_text(now, 4) +
                       " (solid fraction " + short_number_text(1 / (1 + now), 4) + "), so the stage ends at once");
  }
}

}  // namespace scree
