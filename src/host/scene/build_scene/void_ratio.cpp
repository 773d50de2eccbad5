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

void warn_of_reached_void_ratio(const Scene& scene, std::vector<std::string>& warnings) {
  if (!scene.cell || scene.cell->stages.empty()) { return; }
  const CellStage& first = scene.cell->stages.front();  // later stages may begin with another volume
  const double solid = solid_volume(scene);
  if (!(solid > 0) || comes_again(first)) { return; }  // a case without particles is refused
  const double now = geometry::CellFrame(*scene.cell).volume() / solid - 1;
  const bool holds = (first.void_ratio_above && now >= *first.void_ratio_above) ||
                     (first.void_ratio_below && now <= *first.void_ratio_below);
  if (!holds) { return; }
  warnings.push_back(first.path + ".until: the cell has this void ratio at the start already, " +
                     short_number_text(now, 4) + " (solid fraction " + short_number_text(1 / (1 + now), 4) +
                     "), so the stage ends at once");
}

}  // namespace scree
