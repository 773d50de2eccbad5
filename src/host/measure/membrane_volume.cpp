#include "host/measure/membrane_volume.hpp"

#include <optional>

#include "host/geometry/real3.hpp"
#include "host/measure/unknown.hpp"

namespace scree {

/// By the divergence theorem the sum over the triangles (a, b, c), counted against the clock as seen from outside, of
/// a . (b x c) / 6. Places count from the centroid of the first ring, so that the fan there adds nothing.
double membrane_volume(const Snapshot& particles, const SceneMembrane& membrane) {
  const MembraneLattice& lattice = membrane.lattice;
  const std::optional<std::size_t> place = particles.place_of(membrane.first);
  const std::size_t first = place.value_or(0), n = lattice.nodes();
  const bool whole = place && first + n <= particles.id.size() && particles.id[first + n - 1] - membrane.first == n - 1;
  if (!whole) { return probe::unknown; }
  const auto centroid = [&](std::size_t of) {
    Real3 sum{};
    for (std::size_t i = 0; i < lattice.around; ++i) { sum = geometry::add(sum, particles.position[of + i]); }
    return geometry::scaled(sum, 1.0 / static_cast<double>(lattice.around));
  };
  const Real3 origin = centroid(first), top = centroid(first + n - lattice.around);
  const auto at = [&](std::uint32_t node) { return geometry::subtract(particles.position[first + node], origin); };
  double sum = 0;
  const auto add = [&](const Real3& a, const Real3& b, const Real3& c) {
    sum += geometry::dot(a, geometry::cross(b, c));
  };
  for (std::uint32_t node = 0; node < lattice.nodes(); ++node) {
    const Real3 a = at(node), right = at(lattice.neighbour(node, 0));
    if (lattice.neighbour(node, 1) == MembraneLattice::none) {
      add(geometry::subtract(top, origin), a, right);
      continue;
    }
    const Real3 upper_right = at(lattice.neighbour(node, 1)), upper_left = at(lattice.neighbour(node, 2));
    add(a, right, upper_right);
    add(a, upper_right, upper_left);
  }
  return sum / 6;
}

}  // namespace scree
