#include "host/bench/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/geometry/real3.hpp"
#include "host/packing/exact_math.hpp"
#include "host/packing/fill.hpp"
#include "host/packing/lattice_sites.hpp"
#include "scree/engine.hpp"
#include "scree/errors.hpp"

namespace scree {

namespace {

constexpr double smallest_radius = 1e-3;
constexpr int settling_steps = 900;
constexpr double most_random = 0.57;  // [-] solid fraction

double cubed(double x) { return x * x * x; }

double solid_volume(const std::vector<double>& radii) {
  double sum = 0;
  for (const double radius : radii) { sum += 4.0 / 3.0 * std::numbers::pi * cubed(radius); }
  return sum;
}

/// Scatters spheres evenly over the free places of the grid. They may overlap the spheres there, but not deeply.
/// Returns false if there are too few free places.
bool scatter(const packing::FillRegion& region, const std::vector<double>& radii, packing::SphereGrid& grid,
             packing::Random& random) {
  const double spacing = packing::exact_cbrt(std::numbers::sqrt2 * region.volume() / static_cast<double>(radii.size()));
  std::vector<Real3> sites = packing::widest_lattice(region, grid, radii.size(), 0.2 * spacing, 0.5 * radii.front());
  if (sites.size() < radii.size()) { return false; }
  for (std::size_t i = 0; i < radii.size(); ++i) {
    std::swap(sites[i], sites[i + random.below(sites.size() - i)]);
    // A random shift by about one spacing destroys the order of the lattice but keeps its even density.
    grid.insert(region.pulled_inside(geometry::along(sites[i], 1.1 * spacing, random.in_ball()), radii[i]), radii[i]);
  }
  return true;
}

/// Spheres of these radii (largest first) without overlap in a cube that they fill to this solid fraction. The tile has
/// no particles if this does not succeed quickly. Large spheres are placed first and small ones in the gaps between
/// them. Placing all at once would bury thousands of small spheres inside each large one.
Tile try_to_fill_cube(const std::vector<double>& radii, double fraction) {
  Tile tile;
  tile.width = packing::exact_cbrt(solid_volume(radii) / fraction);
  if (tile.width < 2.001 * radii.front()) { return tile; }
  std::vector<std::string> warnings;
  const auto region = packing::make_region(BoxRegion{{0, 0, 0}, {tile.width, tile.width, tile.width}}, ".", warnings);
  packing::SphereGrid grid(region->bounds(), radii.front(), radii.size());
  packing::Random random(1, 0);
  for (auto first = radii.begin(); first != radii.end();) {
    const auto last = std::find_if(first, radii.end(), [&](double radius) { return radius < 0.4999 * *first; });
    if (!scatter(*region, {first, last}, grid, random)) { return tile; }
    if (!packing::push_apart(*region, grid, 0, 40 * grid.size() + 10000)) { return tile; }
    first = last;
  }
  ParticleSet& particles = tile.particles;
  for (std::uint32_t i = 0; i < grid.size(); ++i) { particles.position.push_back(grid.centre(i)); }
  particles.radius = radii;
  particles.velocity.resize(radii.size());
  particles.angular_velocity.resize(radii.size());
  particles.material.resize(radii.size());
  return tile;
}

/// As try_to_fill_cube(), with smaller and smaller solid fractions until it succeeds. Few spheres need this, because
/// walls loosen their packing.
Tile fill_cube(const std::vector<double>& radii, double fraction) {
  Tile tile = try_to_fill_cube(radii, fraction);
  while (tile.particles.size() == 0) {
    fraction -= 0.015;
    SCREE_EXPECT(fraction > 0, "spheres that do not fit into any cube");
    tile = try_to_fill_cube(radii, fraction);
  }
  return tile;
}

/// [-] Solid fraction to try first. It is a little below the largest one that can be reached in a large cube.
double dense_fraction(const AssemblyKind& kind) {
  const double decades = packing::exact_log(kind.ratio) / std::numbers::ln10;
  return std::min(
      kind.spread == SizeSpread::power_law ? most_random + 0.055 * decades * decades : most_random + 0.07 * decades,
      0.75);
}

}  // namespace

std::string spread_name(const AssemblyKind& kind) {
  if (kind.spread == SizeSpread::equal) { return "equal"; }
  return kind.spread == SizeSpread::power_law ? "power_law" : "bidisperse";
}

std::vector<double> assembly_radii(const AssemblyKind& kind, std::uint64_t n) {
  std::vector<double> radii;
  const double volume_ratio = cubed(kind.ratio);
  if (kind.spread == SizeSpread::power_law) {
    const auto least = static_cast<std::uint64_t>(0.4 * volume_ratio);
    const std::uint64_t count = std::max(n, std::max<std::uint64_t>(least, 2));
    for (std::uint64_t i = count; i-- > 0;) {
      const double share = static_cast<double>(i) / static_cast<double>(count - 1);  // of spheres that are smaller
      radii.push_back(smallest_radius / packing::exact_cbrt(1 - share * (1 - 1 / volume_ratio)));
    }
    return radii;
  }
  if (kind.spread == SizeSpread::bidisperse) {
    const auto small_per_large = static_cast<std::uint64_t>(std::round(volume_ratio));
    const std::uint64_t large = std::max<std::uint64_t>(1, n / (small_per_large + 1));
    radii.assign(large, kind.ratio * smallest_radius);
    n = large * (small_per_large + 1);
  }
  radii.resize(n, smallest_radius);
  return radii;
}

Tile dense_tile(const AssemblyKind& kind, std::uint64_t n, int threads) {
  Tile tile = fill_cube(assembly_radii(kind, n), dense_fraction(kind));
  Scene scene = box_scene(std::move(tile.particles), tile.width, tile.width, Precision::mixed);
  scene.integration.damping = 0.3;
  scene.pairs.front().friction = 0;  // settles denser
  // A uniform compaction from the start closes the gaps sooner than gravity alone would.
  const double strain_rate = 0.03 / (600 * scene.time_step);
  ParticleSet& particles = scene.particles;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    particles.velocity[i][2] = -strain_rate * particles.position[i][2];
  }
  const auto engine = make_engine(scene, {BackendChoice::host, threads});
  engine->advance(settling_steps);
  tile.particles = at_rest(engine->snapshot());
  return tile;
}

Tile loose_tile(std::uint64_t n, double wanted_pairs, int threads) {
  // Pushing spheres apart leaves gaps of up to 0.6 % of the diameter. Contracting everything by 0.6 % turns these gaps
  // into contacts.
  constexpr double contraction = 1 - 0.006;
  const std::vector<double> radii = assembly_radii({}, n);
  double low = 0.05, high = most_random;
  Tile tile;
  for (int step = 0; step < 8; ++step) {
    // The densest packing comes first: if even it has too few pairs, it is the result.
    const double fraction = step == 0 ? high : 0.5 * (low + high);
    tile = fill_cube(radii, fraction);
    tile.width *= contraction;
    for (Real3& x : tile.particles.position) { x = geometry::scaled(x, contraction); }
    const bool too_few = pairs_per_particle(tile, threads) < wanted_pairs;
    if (too_few && step == 0) { break; }
    (too_few ? low : high) = fraction;
  }
  return tile;
}

double pairs_per_particle(const Tile& tile, int threads) {
  Scene scene = tiled_scene(tile, tile.particles.size(), Precision::mixed);
  scene.verlet_auto = false;
  const SearchReport report = make_engine(scene, {BackendChoice::host, threads})->search_neighbours();
  return static_cast<double>(report.pairs) / static_cast<double>(report.particles);
}

double solid_fraction(const Tile& tile) {
  double moment = 0, volume = 0;
  for (std::size_t i = 0; i < tile.particles.size(); ++i) {
    moment += cubed(tile.particles.radius[i]) * tile.particles.position[i][2];
    volume += cubed(tile.particles.radius[i]);
  }
  return solid_volume(tile.particles.radius) / (tile.width * tile.width * 2 * moment / volume);
}

}  // namespace scree
