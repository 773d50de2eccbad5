#include "host/run/put_back.hpp"

#include "host/text/text.hpp"

namespace scree {

std::string put_back(Engine& engine, const Scene& scene, std::size_t boundary) {
  if (engine.step() == 0) {  // overlaps at the start are checked elsewhere
    engine.set_present(boundary, true);
    return {};
  }
  constexpr double everywhere = 1e300;  // [m]
  const SphereList spheres =
      engine.particles_in({-everywhere, -everywhere, -everywhere}, {everywhere, everywhere, everywhere});
  const auto before = engine.clear_of_boundaries(spheres);
  engine.set_present(boundary, true);
  const auto now = engine.clear_of_boundaries(spheres);
  std::size_t overlapped = 0;
  for (std::size_t i = 0; i < now.size(); ++i) { overlapped += before[i] != 0 && now[i] == 0 ? 1 : 0; }
  if (overlapped == 0) { return {}; }
  return "step " + std::to_string(engine.step()) + ": boundary \"" + scene.boundaries[boundary].name +
         "\" comes back into " + counted(overlapped, "particle", "particles") +
         ", which it pushes out with the energy of their overlap";
}

}  // namespace scree
