#include "host/grains/separate_parts.hpp"

#include <algorithm>
#include <vector>

#include "host/geometry/mesh_topology.hpp"
#include "host/text/text.hpp"

namespace scree::grains {

std::optional<std::string> separate_parts(const TriangleMesh& surface) {
  const std::vector<double> volumes = geometry::volumes_of_shells(surface, geometry::shells_of(surface));
  double sum = 0, largest = 0;
  for (const double volume : volumes) {
    sum += std::max(volume, 0.0);
    largest = std::max(largest, volume);
  }
  constexpr double dust = 1e-6;
  const auto parts = std::count_if(volumes.begin(), volumes.end(), [&](double volume) { return volume > dust * sum; });
  if (parts < 2) return std::nullopt;
  return std::to_string(parts) + " parts, which move as one grain; the largest one has " +
         short_number_text(100 * largest / sum, 3) + " % of the volume";
}

}  // namespace scree::grains
