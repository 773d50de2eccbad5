#include "host/bench/settled_bed.hpp"

#include "host/bench/bench_law.hpp"
#include "host/packing/random.hpp"
#include "scree/engine.hpp"

namespace scree {

namespace {

constexpr double bed_radius = 1e-3;
constexpr double spacing = 2.12 * bed_radius;

ParticleSet loose_bed(int across, int layers) {
  ParticleSet particles;
  packing::Random random(1, 0);
  const auto centred = [&] { return random.uniform() - 0.5; };
  for (int k = 0; k < layers; ++k) {
    for (int j = 0; j < across; ++j) {
      for (int i = 0; i < across; ++i) {
        const double r = bed_radius * (1 + 0.1 * centred());
        const double free = spacing - 2.1 * bed_radius;
        particles.position.push_back({(i + 0.5) * spacing + free * centred(), (j + 0.5) * spacing + free * centred(),
                                      (k + 0.5) * spacing + free * centred()});
        // Sideways velocities destroy the columns of the lattice; they have decayed long before the end.
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

SettledBed::SettledBed(int threads, int across, int layers, int steps) : threads_(threads), steps_(steps) {
  tile_.width = across * spacing;
  const Scene scene = box_scene(loose_bed(across, layers), tile_.width, tile_.width, Precision::mixed);
  const auto engine = make_engine(scene, {BackendChoice::host, threads});
  engine->advance(static_cast<std::uint64_t>(steps));
  tile_.particles = at_rest(engine->snapshot());
}

SettledBed SettledBed::under(const std::string& law) const {
  SettledBed bed = *this;
  bed.law_ = law;
  Scene scene = bed.scene(1, Precision::mixed);
  // Some laws have no dashpots, so the bed needs damping to settle. The measured run has none, because it costs time.
  scene.integration.damping = 0.2;
  const auto engine = make_engine(scene, {BackendChoice::host, threads_});
  engine->advance(static_cast<std::uint64_t>(steps_ / 8));
  bed.tile_.particles = at_rest(engine->snapshot());
  return bed;
}

Scene SettledBed::scene(std::uint64_t n, Precision precision) const {
  Scene scene = tiled_scene(tile_, n, precision);
  if (!law_.empty()) { use_bench_law(scene, law_); }
  return scene;
}

}  // namespace scree
