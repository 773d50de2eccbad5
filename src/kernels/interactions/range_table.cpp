#include "kernels/interactions/range_table.hpp"

#include <algorithm>

#include "scree/meeting_materials.hpp"

namespace scree::inline SCREE_BACKEND {

void RangeTable::Column::assign(const std::vector<double>& values) {
  largest = std::max(1.0, *std::max_element(values.begin(), values.end()));
  const bool is_one = std::all_of(values.begin(), values.end(), [&](double v) { return v == 0 || v == largest; });
  if (!is_one) { of_class.assign(values, "neighbour search"); }
}

RangeTable::RangeTable(const Scene& scene) {
  const std::size_t n = TouchTable::classes_in(scene);
  if (n == 0) { return; }
  const MeetingMaterials meeting = meeting_materials(scene);
  std::vector<double> of_pair(n * n), among_bodies(n), at_boundaries(n);
  smallest_ = scene.interaction_range;
  for (std::size_t a = 0; a < n; ++a) {
    if (!meeting.has_particles(a)) { continue; }
    for (std::size_t b = 0; b < n; ++b) {
      const double range = scene.range_of(a, b);
      if (meeting.has_particles(b)) {
        of_pair[a * n + b] = range;
        among_bodies[a] = std::max(among_bodies[a], range);
      }
      if (meeting.has_boundaries(b)) { at_boundaries[a] = std::max(at_boundaries[a], range); }
    }
    smallest_ = std::min(smallest_, among_bodies[a]);
  }
  pairs_.assign(among_bodies);
  boundaries_.assign(at_boundaries);
  const bool is_one =
      std::all_of(of_pair.begin(), of_pair.end(), [&](double v) { return v == 0 || v == pairs_.largest; });
  if (!is_one) {
    of_pair_.assign(of_pair, "neighbour search");
    // Pairs are looked up by class, so the table of the classes is needed even if all of them have one value.
    pairs_.of_class.assign(among_bodies, "neighbour search");
  }
}

}  // namespace scree::inline SCREE_BACKEND
