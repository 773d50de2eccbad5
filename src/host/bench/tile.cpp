#include "host/bench/tile.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <utility>

#include "host/clumps/orientation.hpp"
#include "host/output/result_file.hpp"
#include "scree/errors.hpp"

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
    boundary.shape = PlaneBoundary{point, normal};
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
  const std::uint64_t size = tile.particles.clumps.empty() ? tile.particles.size() : tile.particles.clumps.size();
  return std::max<std::uint64_t>(1, (n + size / 2) / size);
}

namespace {

/// The place of an image of a tile along one axis. Every second image is mirrored.
struct Row {
  double width;  ///< [m] width of the tile
  std::uint64_t index;

  [[nodiscard]] bool mirrored() const { return index % 2 == 1; }
  [[nodiscard]] double place(double x) const {
    const auto offset = static_cast<double>(index);
    return mirrored() ? (offset + 1) * width - x : offset * width + x;
  }
};

/// The orientation of the mirror image of a flat clump. The normal of the mirror is x (axis 1) or y (axis 2). The image
/// M R of the axes R of the clump is left-handed. Reversing the third axis does not change a flat clump, and makes it
/// the rotation M R diag(1, 1, -1). A mirror is minus a half turn about its normal. So the rotation is a half turn
/// about the third axis of the clump, then R, then a half turn about the normal of the mirror.
clumps::Orientation mirror_image(const clumps::Orientation& orientation, std::size_t axis) {
  clumps::Orientation half_turn{};
  half_turn.at(axis) = 1;
  return clumps::product(half_turn, clumps::product(orientation, {0, 0, 0, 1}));
}

void append_image(ParticleSet& all, const Tile& tile, const Row& x_row, const Row& y_row) {
  const auto place = [&](const Real3& x) { return Real3{x_row.place(x[0]), y_row.place(x[1]), x[2]}; };
  for (Clump clump : tile.particles.clumps) {
    clump.first += static_cast<std::uint32_t>(all.size());
    clump.position = place(clump.position);
    if (x_row.mirrored()) { clump.orientation = mirror_image(clump.orientation, 1); }
    if (y_row.mirrored()) { clump.orientation = mirror_image(clump.orientation, 2); }
    all.clumps.push_back(clump);
  }
  for (const Real3& x : tile.particles.position) { all.position.push_back(place(x)); }
  all.radius.insert(all.radius.end(), tile.particles.radius.begin(), tile.particles.radius.end());
}

}  // namespace

void write_bed(const Scene& scene, const std::string& path) {
  std::ostringstream file;
  file << "x,y,z,radius\n" << std::setprecision(17);
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    const Real3& x = scene.particles.position[i];
    file << x[0] << ',' << x[1] << ',' << x[2] << ',' << scene.particles.radius[i] << '\n';
  }
  write_result(path, file.str(), std::cout, "--write-bed");
}

void add_grains(Scene& scene, const Tile& tile) {
  if (tile.grains.empty()) { return; }
  scene.grain_shapes = tile.grains;
  scene.grain_materials.assign(scene.materials.size(), false);
  scene.grain_materials[0] = true;
}

Scene tiled_scene(const Tile& tile, std::uint64_t n, Precision precision) {
  const std::uint64_t tiles = tile_count(tile, n);
  auto rows = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(tiles)));
  while (tiles % rows != 0) { --rows; }
  const std::uint64_t columns = tiles / rows;
  ParticleSet all;
  for (std::uint64_t a = 0; a < columns; ++a) {
    for (std::uint64_t b = 0; b < rows; ++b) { append_image(all, tile, {tile.width, a}, {tile.width, b}); }
  }
  all.velocity.assign(all.size(), Real3{});
  all.angular_velocity.assign(all.size(), Real3{});
  all.material.assign(all.size(), 0);
  const double across = static_cast<double>(columns) * tile.width, deep = static_cast<double>(rows) * tile.width;
  Scene scene = box_scene(std::move(all), across, deep, precision);
  scene.clump_shapes = tile.shapes;
  add_grains(scene, tile);
  return scene;
}

}  // namespace scree
