#include "host/bench/compressed_cell.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/bench/tile.hpp"
#include "host/packing/random.hpp"
#include "scree/engine.hpp"
#include "scree/errors.hpp"

namespace scree {

namespace {

constexpr double mean_radius = 1e-3, pressure = 1000, density = 2500;  ///< [m], [Pa], [kg/m3]
constexpr std::uint64_t most_steps = 60000;

/// A scene with the materials of box_scene(), in a periodic cell without gravity and walls.
Scene cell_scene(ParticleSet particles, const Matrix3& edges, Precision precision) {
  Scene scene = box_scene(std::move(particles), 1, 1, precision);
  scene.gravity = {};
  scene.boundaries.clear();
  PeriodicCell cell;
  cell.edges = edges;
  scene.cell = cell;
  return scene;
}

ParticleSet cloud(int across, double spacing) {
  ParticleSet particles;
  packing::Random random(1, 0);
  const auto centred = [&] { return random.uniform() - 0.5; };
  for (int a = 0; a < across; ++a) {
    for (int b = 0; b < across; ++b) {
      for (int c = 0; c < across; ++c) {
        const double free = spacing - 2.1 * mean_radius;
        particles.position.push_back({(a + 0.5) * spacing + free * centred(), (b + 0.5) * spacing + free * centred(),
                                      (c + 0.5) * spacing + free * centred()});
        // These velocities destroy the order of the lattice.
        particles.velocity.push_back({0.05 * centred(), 0.05 * centred(), 0.05 * centred()});
        particles.radius.push_back(mean_radius * (1 + 0.2 * centred()));
      }
    }
  }
  particles.angular_velocity.resize(particles.size());
  particles.material.resize(particles.size());
  return particles;
}

}  // namespace

CompressedCell::CompressedCell(int threads, int across) {
  const double spacing = 2.5 * mean_radius, side = across * spacing;
  Scene scene = cell_scene(cloud(across, spacing), {{{side, 0, 0}, {0, side, 0}, {0, 0, side}}}, Precision::mixed);
  // With less friction than in the shear the packing becomes denser, so that it keeps its contacts when it is sheared.
  scene.pairs.front().friction = 0.1;
  CellStage stage;
  for (std::size_t k = 0; k < 3; ++k) { stage.goals[k] = {CellGoal::Kind::stress, {{0, -pressure}}}; }
  stage.inertial_number = 1e-2;
  stage.stress_error = 0.01;
  stage.unbalanced_force = 0.01;
  scene.cell->stages = {stage};
  const auto engine = make_engine(scene, {BackendChoice::host, threads});
  engine->advance(most_steps);
  tile_ = at_rest(engine->snapshot());
  const auto cell = engine->cell();
  SCREE_EXPECT(cell.has_value(), "the engine knows its cell");
  edges_ = cell->edges;
}

Scene CompressedCell::scene_under_stress(std::uint64_t n, Precision precision) const {
  Scene held = scene(n, precision, {});
  CellStage stage;
  for (std::size_t k = 0; k < 3; ++k) { stage.goals[k] = {CellGoal::Kind::stress, {{0, -pressure}}}; }
  held.cell->stages = {stage};
  return held;
}

double CompressedCell::shear_rate(double inertial_number) const {
  return inertial_number / (2 * mean_radius) * std::sqrt(pressure / density);
}

Scene CompressedCell::scene(std::uint64_t n, Precision precision, const Matrix3& velocity_gradient) const {
  const double wanted = std::max(1.0, static_cast<double>(n) / static_cast<double>(tile_.size()));
  const auto a = static_cast<std::size_t>(std::max(1.0, std::round(std::cbrt(wanted))));
  const auto b = static_cast<std::size_t>(std::max(1.0, std::round(std::sqrt(wanted / static_cast<double>(a)))));
  const auto c = static_cast<std::size_t>(std::max(1.0, std::round(wanted / static_cast<double>(a * b))));
  const std::array<std::size_t, 3> copies{a, b, c};
  ParticleSet all;
  for (std::size_t i = 0; i < a; ++i) {
    for (std::size_t j = 0; j < b; ++j) {
      for (std::size_t k = 0; k < c; ++k) {
        const std::array<std::size_t, 3> copy{i, j, k};
        for (std::size_t p = 0; p < tile_.size(); ++p) {
          Real3 x = tile_.position[p];
          for (std::size_t axis = 0; axis < 3; ++axis) {
            for (std::size_t e = 0; e < 3; ++e) { x[axis] += static_cast<double>(copy[e]) * edges_[e][axis]; }
          }
          all.position.push_back(x);
          all.radius.push_back(tile_.radius[p]);
        }
      }
    }
  }
  all.velocity.resize(all.size());
  all.angular_velocity.resize(all.size());
  all.material.resize(all.size());
  Matrix3 edges = edges_;
  for (std::size_t e = 0; e < 3; ++e) {
    for (double& component : edges[e]) { component *= static_cast<double>(copies[e]); }
  }
  Scene scene = cell_scene(std::move(all), edges, precision);
  scene.cell->velocity_gradient = velocity_gradient;
  return scene;
}

}  // namespace scree
