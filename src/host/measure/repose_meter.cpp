#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "host/measure/region_probe.hpp"
#include "host/measure/surface_line.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using namespace geometry;
using namespace probe;

/// Points of the surface, ring by ring, and the height [m] of the lowest two layers.
struct Surface {
  std::vector<std::vector<SurfacePoint>> rings;
  double foot = 0;
  double width = 0;  ///< [m] of a ring
};
/// The angle of repose of a heap under the present gravity. docs/output.md has the method.
class ReposeMeter final : public RegionProbe {
 public:
  ReposeMeter(ProbeRegion region, std::optional<Real3> center) : RegionProbe(std::move(region)), center_(center) {}
  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = false, .contacts = false}; }
  [[nodiscard]] std::vector<std::string> columns() const override {
    return {"angle[rad]", "angle_error[rad]", "height[m]", "radius[m]"};
  }

  void measure(const ProbeView& view, std::vector<double>& values) override {
    if (view.gravity == Real3{}) {  // nothing is up
      values.insert(values.end(), 4, unknown);
      return;
    }
    up_ = scaled(unit(view.gravity), -1);
    across_ = any_normal_to(up_);
    other_ = cross(up_, across_);
    const std::vector<Present> all = particles_inside(view);
    auto [rings, foot, width] = surface(view, all);
    double radius = unknown;
    for (const SurfacePoint& point : rings.empty() ? std::vector<SurfacePoint>{} : rings.back()) {
      radius = std::fmax(point.distance, radius);
    }
    drop_foot(rings, foot);
    const std::optional<Line> flank = straightest(rings, width);
    values.push_back(flank ? std::atan(-flank->slope) : unknown);
    values.push_back(flank ? flank->error / (1 + flank->slope * flank->slope) : unknown);
    values.push_back(all.empty() ? unknown : height(view, all));
    values.push_back(radius);
  }

 private:
  /// Cuts rings about the axis into cells and finds the highest particle in each cell. Returns the rings from the first
  /// to the last one in which at least half of the cells have a particle. The cells are about as wide and as long as
  /// the diameter of a sphere of the mean volume.
  [[nodiscard]] Surface surface(const ProbeView& view, const std::vector<Present>& all) const {
    if (all.empty()) { return {}; }
    const Real3 center = center_ ? *center_ : centre_of_mass(view, all);
    const double width = diameter_of_mean_volume(view, all);
    using Cell = std::pair<std::size_t, std::size_t>;
    std::map<Cell, SurfacePoint> highest;
    double lowest = std::numeric_limits<double>::infinity();  // lower side of any particle
    for (const Present& particle : all) {
      const Real3 way = subtract(particle.position, center);
      const double a = dot(way, across_), b = dot(way, other_), distance = std::hypot(a, b);
      const double height = dot(way, up_) + view.now.radius[particle.index];
      const double ring = std::floor(distance / width), turn = std::atan2(b, a) / (2 * std::numbers::pi) + 0.5;
      lowest = std::fmin(lowest, height - 2 * view.now.radius[particle.index]);
      if (!(ring < 1e9)) { continue; }
      const auto k = static_cast<std::size_t>(ring);
      const std::size_t sectors = sectors_of(k);
      const Cell cell{k, std::min(static_cast<std::size_t>(turn * static_cast<double>(sectors)), sectors - 1)};
      keep_highest(highest, cell, {distance, height});
    }
    std::vector<std::vector<SurfacePoint>> rings;
    std::size_t next = 0;
    for (auto cell = highest.begin(); cell != highest.end();) {
      const std::size_t k = cell->first.first;
      std::vector<SurfacePoint> ring;
      for (; cell != highest.end() && cell->first.first == k; ++cell) { ring.push_back(cell->second); }
      const bool is_sparse = 2 * ring.size() < sectors_of(k);
      if (!rings.empty() && (is_sparse || k != next)) { break; }
      if (!is_sparse) { rings.push_back(std::move(ring)); }
      next = k + 1;
    }
    return {std::move(rings), lowest + 2 * width, width};
  }
  /// Takes away rings at both ends whose mean height is below `least` [m]: the height of a single layer says nothing of
  /// a slope.
  static void drop_foot(std::vector<std::vector<SurfacePoint>>& rings, double least) {
    const auto is_low = [&](const std::vector<SurfacePoint>& ring) {
      double sum = 0;
      for (const SurfacePoint& point : ring) { sum += point.height; }
      return sum < least * static_cast<double>(ring.size());
    };
    const auto high = [&](const auto& ring) { return !is_low(ring); };
    const auto first = std::find_if(rings.begin(), rings.end(), high);
    const auto last = std::find_if(rings.rbegin(), std::make_reverse_iterator(first), high).base();
    rings = std::vector<std::vector<SurfacePoint>>(first, last);
  }
  static std::size_t sectors_of(std::size_t ring) {
    return static_cast<std::size_t>(std::lround(std::numbers::pi * static_cast<double>(2 * ring + 1)));
  }
  /// From the lowest to the highest point of the particles.
  [[nodiscard]] double height(const ProbeView& view, const std::vector<Present>& all) const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Present& particle : all) {
      const double middle = dot(particle.position, up_), r = view.now.radius[particle.index];
      low = std::fmin(low, middle - r);
      high = std::fmax(high, middle + r);
    }
    return high - low;
  }

  static Real3 centre_of_mass(const ProbeView& view, const std::vector<Present>& all) {
    Real3 sum{};
    double mass = 0;
    for (const Present& particle : all) {
      sum = along(sum, view.mass[particle.index], particle.position);
      mass += view.mass[particle.index];
    }
    return mass > 0 ? scaled(sum, 1 / mass) : all.front().position;
  }

  Real3 up_{}, across_{}, other_{};  ///< of length 1, at right angles
  std::optional<Real3> center_;
};

}  // namespace

std::unique_ptr<Probe> make_probe(const AngleOfReposeProbe& keys, const ProbePlace& place) {
  const Scene& scene = place.scene();
  expect_gravity(scene);
  if (scene.cell) { throw CaseError("type", "has no meaning in a periodic cell, where a heap has no flank"); }
  return std::make_unique<ReposeMeter>(keys.region ? place.region(*keys.region) : nullptr, keys.center);
}

}  // namespace scree
