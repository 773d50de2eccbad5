#include "host/scene/films.hpp"

#include <numbers>

namespace scree {

void append_films(const std::vector<double>& fraction, const std::vector<ClumpShape>& shapes, ParticleSet& set) {
  const std::size_t first = set.film.size();
  for (std::size_t i = first; i < set.size(); ++i) {
    const double r = set.radius[i];
    set.film.push_back(fraction[i - first] * 4.0 / 3.0 * std::numbers::pi * r * r * r);
  }
  for (const Clump& clump : set.clumps) {
    if (clump.first < first) { continue; }
    const ClumpShape& shape = shapes[clump.shape];
    const std::size_t end = clump.first + shape.position.size();
    double surface = 0;
    for (std::size_t k = clump.first; k < end; ++k) { surface += set.radius[k] * set.radius[k]; }
    const double film = fraction[clump.first - first] * shape.volume * clump.size * clump.size * clump.size;
    for (std::size_t k = clump.first; k < end; ++k) { set.film[k] = film * set.radius[k] * set.radius[k] / surface; }
  }
}

}  // namespace scree
