#include <algorithm>
#include <cmath>
#include <optional>

#include "host/geometry/sphere_volume.hpp"
#include "host/packing/exact_math.hpp"
#include "host/packing/fill.hpp"
#include "host/packing/repulsion.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

using namespace geometry;

/// A region in which a sphere fits if it still fits after its radius has grown by a factor.
class GrownRegion final : public FillRegion {
 public:
  GrownRegion(const FillRegion& region, double factor) : region_(region), factor_(factor) {}
  [[nodiscard]] std::string name() const override { return region_.name(); }
  [[nodiscard]] Bounds bounds() const override { return region_.bounds(); }
  [[nodiscard]] double volume() const override { return region_.volume(); }
  [[nodiscard]] bool holds(const Real3& centre, double radius) const override {
    return region_.holds(centre, factor_ * radius);
  }
  /// Pulls several times, because a sphere that is pulled off one facet of a mesh may then overlap the next facet.
  [[nodiscard]] Real3 pulled_inside(const Real3& centre, double radius) const override {
    constexpr int pulls = 3;
    const double grown = factor_ * radius;
    Real3 inside = region_.pulled_inside(centre, grown);
    for (int k = 1; k < pulls && !region_.holds(inside, grown); ++k) inside = region_.pulled_inside(inside, grown);
    return inside;
  }
  [[nodiscard]] double margin(double radius) const override { return factor_ * radius; }
  [[nodiscard]] Real3 candidate(double radius, Random& random) const override {
    return region_.candidate(factor_ * radius, random);
  }
  [[nodiscard]] const CellFrame* cell() const override { return region_.cell(); }

 private:
  const FillRegion& region_;
  double factor_;
};

/// Scatters the spheres at random with reduced radii, from which the packing grows. Returns the factor of the radii;
/// nothing if no factor that was tried leaves the spheres without overlaps.
std::optional<double> scatter(const FillRegion& region, const std::vector<double>& radii, const Spheres& obstacles,
                              double fraction, Random& random, std::vector<Real3>& position) {
  double last = 0;
  for (const double first : {0.5, 0.4, 0.3, 0.2}) {
    const double scale = std::min(1.0, exact_cbrt(first / fraction));
    if (scale == last) continue;  // a thin packing starts with its full radii
    last = scale;
    std::vector<double> small = radii;
    for (double& r : small) r *= scale;
    SphereGrid grid = grid_with_obstacles(region, small, obstacles);
    constexpr double rounding = 1 + 1e-12;  // for a radius that was scaled down and up again
    const Scatter result = relax_from_scatter(GrownRegion(region, rounding / scale), small, grid, random, position);
    if (result == Scatter::apart) return scale;
    // Spheres with smaller radii keep the same distance from the borders. So they find more sites only if obstacles are
    // in the way.
    if (result == Scatter::without_sites && obstacles.radius.empty()) break;
  }
  return std::nullopt;
}

PackingQuality quality_of(const FillRegion& region, const Spheres& spheres, const Spheres& obstacles, double fraction) {
  constexpr double near = 0.01;  // gap of neighbours over the smaller radius
  PackingQuality quality;
  quality.solid_fraction = fraction;
  quality.closest = 1;
  const std::size_t fixed = obstacles.radius.size();
  SphereGrid grid = grid_with_obstacles(region, spheres.radius, obstacles);
  for (std::size_t i = 0; i < spheres.radius.size(); ++i) grid.insert(spheres.position[i], spheres.radius[i]);
  std::size_t neighbours = 0;
  for (std::size_t i = 0; i < spheres.radius.size(); ++i) {
    const double r = spheres.radius[i];
    const Real3 centre = spheres.position[i];
    grid.visit_near(centre, (1 + near) * r, [&](std::uint32_t other, const Real3& place, double other_radius) {
      const Real3 branch = subtract(place, centre);
      if (other == fixed + i && squared_length(branch) < r * r) return true;  // itself
      const double gap = (length(branch) - r - other_radius) / std::min(r, other_radius);
      quality.closest = std::min(quality.closest, gap);
      neighbours += gap < near ? 1 : 0;
      return true;
    });
  }
  quality.coordination = static_cast<double>(neighbours) / static_cast<double>(spheres.radius.size());
  return quality;
}

}  // namespace

double grow_from_scatter(const FillRegion& region, const std::vector<double>& radii, const Spheres& obstacles,
                         double fraction, const GrowthPatience& patience, Random& random,
                         std::vector<Real3>& position) {
  // In a step the solid fraction grows by `coarse`, and from `fine_from` on by `fine`.
  constexpr double coarse = 0.02, fine = 0.005, fine_from = 0.58;
  const auto scale = scatter(region, radii, obstacles, fraction, random, position);
  if (!scale) return 0;
  Repulsion repulsion(region, obstacles, radii);
  repulsion.start(std::move(position));
  double reached = *scale * *scale * *scale * fraction;
  while (reached < fraction) {
    const double next = std::min(fraction, reached + (reached < fine_from ? coarse : fine));
    const bool last = next == fraction;
    if (!repulsion.relax(last ? 1 : exact_cbrt(next / fraction), last ? patience.last_moves : patience.moves)) break;
    reached = next;
  }
  position = repulsion.position();
  if (region.cell() != nullptr) {
    for (Real3& x : position) x = region.cell()->folded(x);
  }
  return reached;
}

Spheres pack_densely(const FillRegion& region, std::vector<double> radii, const Spheres& obstacles, std::uint64_t seed,
                     std::uint64_t group, const CellFrame* cell, PackingQuality& quality) {
  Random random(seed, 2 * group + 1);
  double fraction = 0;
  for (const double r : radii) fraction += sphere_volume(r);
  fraction /= region.volume();
  const Spheres near = region.cell() != nullptr ? obstacles : obstacles_near(region, obstacles, cell);
  Spheres spheres{{}, std::move(radii)};
  const double reached =
      grow_from_scatter(region, spheres.radius, near, fraction, {5000, 20000}, random, spheres.position);
  if (reached < fraction) {
    throw CaseError("", "cannot grow a random packing of solid fraction " + short_number_text(fraction, 4) +
                            " in this " + region.name() + ": growth stopped at about " + short_number_text(reached, 4) +
                            "; ask for less, or for a wider distribution of sizes");
  }
  if (region.cell() == nullptr && cell != nullptr) expect_apart_across_faces(spheres, *cell, region.name());
  quality = quality_of(region, spheres, near, fraction);
  return spheres;
}

}  // namespace scree::packing
