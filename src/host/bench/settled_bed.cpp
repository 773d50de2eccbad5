#include "host/bench/settled_bed.hpp"

#include "host/packing/random.hpp"
#include "scree/engine.hpp"

namespace scree {

namespace {

constexpr double radius = 1e-3;
constexpr int across = 20, high = 25;
constexpr double spacing = 2.12 * radius;

ParticleSet loose_tile() {
  ParticleSet particles;
  packing::Random random(1, 0);
  const auto centred = [&] { return random.uniform() - 0.5; };
  for (int k = 0; k < high; ++k) {
    for (int j = 0; j < across; ++j) {
      for (int i = 0; i < across; ++i) {
        const double r = radius * (1 + 0.1 * centred());
        const double free = spacing - 2.1 * radius;
        particles.position.push_back({(i + 0.5) * spacing + free * centred(), (j + 0.5) * spacing + free * centred(),
                                      (k + 0.5) * spacing + free * centred()});
        // Sideways motion breaks up the columns of the lattice; it has died out long before the end.
        particles.velocity.push_back({0.1 * centred(), 0.1 * centred(), 0});
        particles.angular_velocity.push_back({0, 0, 0});
        particles.radius.push_back(r);
        particles.material.push_back(0);
      }
    }
  }
  return particles;
}

}  // namespace

SettledBed::SettledBed(int threads) {
  tile_.width = across * spacing;
  const auto engine = make_engine(box_scene(loose_tile(), tile_.width, tile_.width, Precision::mixed), {BackendChoice::host, threads});
  engine->advance(12000);
  tile_.particles = at_rest(engine->snapshot());
}

}  // namespace scree
