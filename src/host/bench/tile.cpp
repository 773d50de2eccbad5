#include "host/bench/tile.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

Scene box_scene(ParticleSet particles, double width_x, double width_y, Precision precision) {
  Scene scene;
  scene.precision = precision;
  scene.time_step = 1.4e-5;  // 0.16 of the Rayleigh time
  scene.verlet_distance = 1e-4;
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

ParticleSet at_rest(const Snapshot& snapshot) {
  const std::size_t n = snapshot.position.size();
  return {snapshot.position, std::vector<Real3>(n), std::vector<Real3>(n), snapshot.radius, snapshot.material, {}};
}

std::uint64_t tile_count(const Tile& tile, std::uint64_t n) {
  const std::uint64_t size = tile.particles.size();
  return std::max<std::uint64_t>(1, (n + size / 2) / size);
}

Scene tiled_scene(const Tile& tile, std::uint64_t n, Precision precision) {
  const std::uint64_t tiles = tile_count(tile, n);
  auto rows = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(tiles)));
  while (tiles % rows != 0) { --rows; }
  const std::uint64_t columns = tiles / rows;
  ParticleSet all;
  for (std::uint64_t a = 0; a < columns; ++a) {
    for (std::uint64_t b = 0; b < rows; ++b) {
      const auto place = [&](double x, std::uint64_t index) {
        const auto offset = static_cast<double>(index);
        return index % 2 == 0 ? offset * tile.width + x : (offset + 1) * tile.width - x;
      };
      for (std::size_t i = 0; i < tile.particles.size(); ++i) {
        const Real3& x = tile.particles.position[i];
        all.position.push_back({place(x[0], a), place(x[1], b), x[2]});
        all.radius.push_back(tile.particles.radius[i]);
      }
    }
  }
  all.velocity.assign(all.size(), Real3{});
  all.angular_velocity.assign(all.size(), Real3{});
  all.material.assign(all.size(), 0);
  return box_scene(std::move(all), static_cast<double>(columns) * tile.width, static_cast<double>(rows) * tile.width, precision);
}

}  // namespace scree
