#include "kernels/bodies/population.hpp"

#include <algorithm>
#include <limits>

#include "kernels/archive/state_io.hpp"
#include "kernels/step/motion/gather.hpp"
#include "scree/meeting_materials.hpp"

namespace scree::inline SCREE_BACKEND {

void Population::save(StateWriter& out) const {
  out("totals/particles_at_start", "1", start);
  out("totals/particles_inserted", "1", inserted);
}

void Population::restore(StateReader& in) {
  std::size_t saved_start = 0;
  in("totals/particles_at_start", "1", saved_start);
  in("totals/particles_inserted", "1", inserted);
  expect_state(saved_start == start, [&] {
    return broken_rule("totals/particles_at_start", std::to_string(start) + " as in the scene of the case",
                       saved_start);
  });
  expect_state(inserted < no_index && ids() < no_index, [&] {
    return broken_rule("totals/particles_inserted", "below " + std::to_string(no_index - start), inserted);
  });
}

void ExpectedBodies::save(StateWriter& out) const { out("totals/large_radius", "m", large_radius); }

void ExpectedBodies::restore(StateReader& in) const {
  double saved = 0;
  in("totals/large_radius", "m", saved);
  expect_state(saved == large_radius, [&] {
    return broken_rule("totals/large_radius", value_text(large_radius) + " m as in the scene of the case", saved);
  });
}

template <class R>
ExpectedBodies expected_bodies(const Scene& scene) {
  ExpectedBodies expected;
  expected.known_material.resize(scene.materials.size());
  const MeetingMaterials meeting = meeting_materials(scene);
  for (const std::size_t material : meeting.of_particles()) { expected.known_material[material] = true; }
  expected.large_radius = double(std::numeric_limits<R>::max());
  double median = std::numeric_limits<double>::max();
  expected.smallest_radius = std::numeric_limits<double>::max();
  expected.largest_radius = 0;
  const std::size_t n = scene.particles.size();
  if (n > 0) {
    std::vector<R> radius(n);
    std::transform(scene.particles.radius.begin(), scene.particles.radius.end(), radius.begin(),
                   [](double r) { return static_cast<R>(r); });
    expected.smallest_radius = double(*std::min_element(radius.begin(), radius.end()));
    expected.largest_radius = double(*std::max_element(radius.begin(), radius.end()));
    const auto middle = radius.begin() + std::ptrdiff_t(n / 2);
    std::nth_element(radius.begin(), middle, radius.end());
    median = double(*middle);
  }
  for (const SceneInlet& inlet : scene.inlets) {
    expected.smallest_radius = std::min(expected.smallest_radius, double(static_cast<R>(inlet.smallest_radius)));
    expected.largest_radius = std::max(expected.largest_radius, double(static_cast<R>(inlet.largest_radius)));
    median = std::min(median, inlet.median_radius);
  }
  visit_fragments(scene.breakage, [&](double radius, std::size_t) {
    expected.smallest_radius = std::min(expected.smallest_radius, double(static_cast<R>(radius)));
  });
  if (median < std::numeric_limits<double>::max()) {
    expected.large_radius = double(static_cast<R>(large_in_median_radii * median));
  } else {
    expected.smallest_radius = 0;
  }
  return expected;
}

template ExpectedBodies expected_bodies<float>(const Scene&);
template ExpectedBodies expected_bodies<double>(const Scene&);

}  // namespace scree::inline SCREE_BACKEND
