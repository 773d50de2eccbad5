#include "host/bench/settled_bed.hpp"

#include <algorithm>
#include <cmath>

#include "host/packing/random.hpp"
#include "scree/engine.hpp"

namespace scree {

namespace {

constexpr double radius = 1e-3;
constexpr int across = 20, high = 25;
constexpr double spacing = 2.12 * radius;

Scene bed_of(ParticleSet particles, double width_x, double width_y, Precision precision) {
  Scene scene;
  scene.precision = precision;
  scene.time_step = 1.4e-5;  // 0.16 of the Rayleigh time
  scene.verlet_distance = 0.1 * radius;
  scene.verlet_auto = true;
  scene.gravity = {0, 0, -9.81};
  scene.materials = {Material{2500, 1e7, 0.25, 0.5, 0.5}, Material{2500, 1e20, 0.25, 0.0, 0.5}};
  const MaterialPair rough{0.5, 0.233034}, smooth{0.0, 0.233034};
  scene.pairs = {rough, smooth, smooth, smooth};
  scene.particles = std::move(particles);
  const auto wall = [&](const char* name, std::uint32_t material, const Real3& point, const Real3& normal) {
    SceneBoundary boundary;
    boundary.name = name;
    boundary.material = material;
    boundary.plane = {point, normal};
    scene.boundaries.push_back(boundary);
  };
  wall("floor", 0, {0, 0, 0}, {0, 0, 1});
  wall("left", 1, {0, 0, 0}, {1, 0, 0});
  wall("right", 1, {width_x, 0, 0}, {-1, 0, 0});
  wall("front", 1, {0, 0, 0}, {0, 1, 0});
  wall("back", 1, {0, width_y, 0}, {0, -1, 0});
  return scene;
}

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

SettledBed::SettledBed(int threads) : width_(across * spacing) {
  Scene scene = bed_of(loose_tile(), width_, width_, Precision::mixed);
  const auto engine = make_engine(scene, {BackendChoice::host, threads});
  engine->advance(12000);
  const Snapshot settled = engine->snapshot();
  tile_ = {settled.position, settled.velocity, settled.angular_velocity, settled.radius, settled.material};
  for (Real3& velocity : tile_.velocity) { velocity = {0, 0, 0}; }
  for (Real3& spin : tile_.angular_velocity) { spin = {0, 0, 0}; }
}

Scene SettledBed::scene(std::uint64_t n, Precision precision) const {
  const std::uint64_t tiles = std::max<std::uint64_t>(1, (n + tile_.size() / 2) / tile_.size());
  auto rows = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(tiles)));
  while (tiles % rows != 0) { --rows; }
  const std::uint64_t columns = tiles / rows;
  ParticleSet all;
  for (std::uint64_t a = 0; a < columns; ++a) {
    for (std::uint64_t b = 0; b < rows; ++b) {
      const auto place = [&](double x, std::uint64_t tile) {
        const auto offset = static_cast<double>(tile);
        return tile % 2 == 0 ? offset * width_ + x : (offset + 1) * width_ - x;
      };
      for (std::size_t i = 0; i < tile_.size(); ++i) {
        const Real3& x = tile_.position[i];
        all.position.push_back({place(x[0], a), place(x[1], b), x[2]});
        all.radius.push_back(tile_.radius[i]);
      }
    }
  }
  all.velocity.assign(all.size(), Real3{});
  all.angular_velocity.assign(all.size(), Real3{});
  all.material.assign(all.size(), 0);
  return bed_of(std::move(all), static_cast<double>(columns) * width_, static_cast<double>(rows) * width_, precision);
}

}  // namespace scree
