#include "host/run/overlapped_by_boundaries.hpp"

#include "host/text/text.hpp"

namespace scree {
namespace {

constexpr double everywhere = 1e300;  // [m]

}  // namespace

OverlapsAtReturn::OverlapsAtReturn(Engine& engine)
    : spheres_(engine.particles_in({-everywhere, -everywhere, -everywhere}, {everywhere, everywhere, everywhere})),
      clear_(engine.clear_of_boundaries(spheres_)) {}

std::string OverlapsAtReturn::warning(Engine& engine, const std::string& name) const {
  const std::vector<std::uint8_t> now = engine.clear_of_boundaries(spheres_);
  std::size_t overlapped = 0;
  for (std::size_t i = 0; i < now.size(); ++i) { overlapped += clear_[i] != 0 && now[i] == 0 ? 1 : 0; }
  if (overlapped == 0) { return {}; }
  return "step " + std::to_string(engine.step()) + ": boundary \"" + name + "\" comes back into " +
         count_text(overlapped) + (overlapped == 1 ? " particle" : " particles") +
         ", which it pushes out with the energy of their overlap";
}

}  // namespace scree
