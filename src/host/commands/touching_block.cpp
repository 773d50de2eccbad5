#include "host/commands/touching_block.hpp"

#include <chrono>
#include <exception>

#include "host/commands/work_clock.hpp"
#include "scree/engine.hpp"

namespace scree {
namespace {

/// A cube of resting spheres. Each sphere inside touches six others, which makes three contacts per sphere, as in a
/// dense packing.
Scene touching_block(const Scene& scene) {
  constexpr std::size_t edge = 20;
  constexpr double pressed = 1e-4;  // overlap over the radius, so small that nothing moves fast
  const SceneInlet& inlet = scene.inlets.front();
  Scene block;
  block.precision = scene.precision;
  block.time_step = scene.time_step;
  block.verlet_distance = scene.verlet_distance;
  block.integration = scene.integration;
  block.law = scene.law;
  block.no_ratcheting = scene.no_ratcheting;
  block.interaction_range = scene.interaction_range;
  block.energies = scene.energies;
  block.materials = scene.materials, block.material_names = scene.material_names, block.pairs = scene.pairs;
  block.grain_materials = scene.grain_materials;
  ParticleSet& spheres = block.particles;
  const double apart = 2 * (1 - pressed) * inlet.median_radius;
  for (std::size_t n = 0; n < edge * edge * edge; ++n) {
    spheres.position.push_back({apart * static_cast<double>(n % edge), apart * static_cast<double>(n / edge % edge),
                                apart * static_cast<double>(n / (edge * edge))});
  }
  spheres.velocity.assign(spheres.size(), {}), spheres.angular_velocity.assign(spheres.size(), {});
  spheres.radius.assign(spheres.size(), inlet.median_radius);
  spheres.material.assign(spheres.size(), inlet.material);
  return block;
}

}  // namespace

std::optional<BlockCost> cost_of_touching_block(const Scene& scene, int threads) {
  if (scene.inlets.empty() || scene.is_of_grains(scene.inlets.front().material)) { return std::nullopt; }
  constexpr double enough_seconds = 0.2;
  constexpr std::uint64_t chunk = 5;
  try {
    const Scene block = touching_block(scene);
    EngineOptions options;
    options.threads = threads;
    const auto engine = make_engine(block, options);
    engine->advance(chunk);  // not measured: makes the first lists of neighbours, and touches memory for the first time
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto begin = now();
    const WorkClock work(*engine);
    std::chrono::duration<double> passed{0};
    std::uint64_t steps = 0;
    while (passed.count() < enough_seconds) {
      steps += engine->advance(chunk);
      passed = now() - begin;
    }
    const auto all = static_cast<double>(steps) * static_cast<double>(block.particles.size());
    return BlockCost{block.particles.size(), work.seconds() / all};
  } catch (const std::exception&) {  // an estimate must not make the check fail
    return std::nullopt;
  }
}

}  // namespace scree
