#include "host/bench/clump_bed.hpp"

#include <numbers>
#include <utility>

#include "host/clumps/clump.hpp"
#include "host/clumps/orientation.hpp"
#include "host/packing/random.hpp"
#include "host/scene/build_scene/grains.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "scree/engine.hpp"

namespace scree {

namespace {

constexpr double radius = 1e-3;
/// [m/s] speed at the top of the loose tile; it is proportional to the height, so the tile compacts uniformly
constexpr double squeeze = 1;
constexpr double damping = 0.2;

/// Three spheres on the corners of an equilateral triangle.
ClumpShape triangle() {
  const double height = std::numbers::sqrt3 * radius;
  return shape_of(clumps::make_clump({{{-radius, 0, 0}, radius}, {{radius, 0, 0}, radius}, {{0, height, 0}, radius}}),
                  "triangle");
}

ParticleSet loose_clumps(const ClumpShape& shape, double spacing, int across, int layers) {
  ParticleSet particles;
  packing::Random random(1, 0);
  const auto centred = [&] { return random.uniform() - 0.5; };
  const double free = spacing - 2 * shape.bounding_radius;
  for (int k = 0; k < layers; ++k) {
    for (int j = 0; j < across; ++j) {
      for (int i = 0; i < across; ++i) {
        const Real3 position{(i + 0.5) * spacing + free * centred(), (j + 0.5) * spacing + free * centred(),
                             (k + 0.5) * spacing + free * centred()};
        const Real3 velocity{0.2 * centred(), 0.2 * centred(), -squeeze * (k + 0.5) / layers};
        append_clump(particles, shape, 0,
                     {.position = position, .orientation = clumps::random_orientation(random), .velocity = velocity});
      }
    }
  }
  return particles;
}

/// The clumps of a snapshot, all of size 1, brought to rest.
ParticleSet clumps_at_rest(const Snapshot& snapshot) {
  ParticleSet particles = at_rest(snapshot);
  for (const SnapshotClump& clump : snapshot.clumps) {
    particles.clumps.push_back({clump.shape, clump.first, 1, clump.position, clump.orientation, {}, {}});
  }
  return particles;
}

}  // namespace

ClumpBed::ClumpBed(Tile tile, const Settling& settling) : tile_(std::move(tile)) {
  const double spacing = 2.05 * tile_.shapes.at(0).bounding_radius;
  tile_.width = settling.across * spacing;
  Scene scene = box_scene(loose_clumps(tile_.shapes[0], spacing, settling.across, settling.layers), tile_.width,
                          tile_.width, Precision::mixed);
  scene.clump_shapes = tile_.shapes;
  add_grains(scene, tile_);
  scene.integration.damping = damping;  // only for settling: measured runs of the bed have no damping
  const auto engine = make_engine(scene, {BackendChoice::host, settling.threads});
  engine->advance(static_cast<std::uint64_t>(settling.steps));
  tile_.particles = clumps_at_rest(engine->snapshot());
}

ClumpBed ClumpBed::of_triangles(const Settling& settling) {
  return {Tile{.particles = {}, .shapes = {triangle()}}, settling};
}

ClumpBed ClumpBed::of_grains(const GrainShape& grain, const Settling& settling) {
  return {Tile{.particles = {}, .shapes = {shape_of(grain, 0)}, .grains = {grain}}, settling};
}

void ClumpBed::replace_grains(const GrainShape& grain) {
  tile_.shapes = {shape_of(grain, 0)};
  tile_.grains = {grain};
}

Scene ClumpBed::scene(std::uint64_t n, Precision precision) const { return tiled_scene(tile_, n, precision); }

}  // namespace scree
