#include "host/run/joining.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "host/measure/clump_members.hpp"
#include "host/measure/placed_region.hpp"
#include "host/measure/selection.hpp"

namespace scree {

std::vector<std::uint32_t> ids_that_join(const JoiningParticles& joining, const Scene& scene, Engine& engine) {
  const Snapshot spheres = engine.snapshot({.group = true});
  const std::optional<CellState> cell = engine.cell();
  std::optional<geometry::CellFrame> frame;
  if (cell) { frame.emplace(*cell); }
  std::unique_ptr<packing::FillRegion> made;
  std::vector<std::string> ignored;
  if (joining.region) { made = packing::make_region(*joining.region, {}, ignored, frame ? &*frame : nullptr); }
  const PlacedRegion region(std::move(made));
  const ParticlesOf whole(spheres, scene, cell);
  const Snapshot& particles = whole.particles();
  const std::vector<std::uint8_t> chosen = Selection(scene, joining.materials, joining.groups).in(particles);
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < particles.id.size(); ++i) {
    bool is_inside = false;
    if (chosen[i] != 0) {
      region.visit_inside(frame ? &*frame : nullptr, particles.position[i], [&](const Real3&) { is_inside = true; });
    }
    if (is_inside) { ids.push_back(particles.id[i]); }
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace scree
