#include "host/scene/build_scene/collisions.hpp"

#include <cmath>
#include <string>

#include "host/text/text.hpp"

namespace scree {

std::vector<double> collision_limits(const CollisionOutput& output) {
  std::vector<double> limits{output.from};
  for (std::size_t k = 1;; ++k) {
    const double exact =
        output.from * std::pow(10, static_cast<double>(k) / static_cast<double>(output.bins_per_decade));
    // Six digits are the same with all mathematical libraries, which may differ in the last digits.
    const double limit = std::stod(short_number_text(exact, 6));
    if (!(limit < output.to * (1 - 1e-5))) { break; }
    limits.push_back(limit);
  }
  limits.push_back(output.to);
  return limits;
}

void check_collisions(const Scene& scene, std::vector<InputProblem>& problems) {
  if (!scene.collisions) { return; }
  constexpr std::size_t most = 1'000'000;
  const std::size_t n = scene.materials.size();
  const std::size_t classes = n * (n + 1) / 2 + n * scene.boundaries.size();
  const std::size_t bins = scene.collisions->limits.size() + 1;
  if (classes * bins <= most) { return; }
  problems.push_back({"output.collisions", "counts at most " + std::to_string(most) + " kinds of collisions, got " +
                                               std::to_string(classes) + " pairs of materials and boundaries times " +
                                               std::to_string(bins) + " ranges of losses"});
}

}  // namespace scree
