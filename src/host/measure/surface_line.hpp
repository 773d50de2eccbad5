#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "host/measure/region_probe.hpp"
#include "scree/errors.hpp"

/// What the probes of surfaces under gravity share.
namespace scree::probe {

/// Whether a stage brings gravity.
inline bool has_staged_gravity(const Scene& scene) {
  return std::any_of(scene.stages.begin(), scene.stages.end(),
                     [](const SceneStage& stage) { return stage.gravity.value_or(Real3{}) != Real3{}; });
}
/// Throws CaseError unless the case or a stage has gravity.
inline void expect_gravity(const Scene& scene) {
  if (scene.gravity != Real3{} || has_staged_gravity(scene)) { return; }
  throw CaseError("type", "needs gravity, whose opposite is up");
}

/// [m] The diameter of the sphere of the mean volume; there must be a particle.
inline double diameter_of_mean_volume(const ProbeView& view, const std::vector<Present>& all) {
  double volume = 0;
  for (const Present& particle : all) { volume += std::pow(view.now.radius[particle.index], 3); }
  return 2 * std::cbrt(volume / static_cast<double>(all.size()));
}

/// A point of a surface: its distance [m] from where distances begin, and its height [m].
struct SurfacePoint {
  double distance = 0, height = 0;
};

/// Keeps the highest point of each cell of a map.
template <class Map>
void keep_highest(Map& highest, const typename Map::key_type& cell, const SurfacePoint& point) {
  const auto [place, is_new] = highest.try_emplace(cell, point);
  if (!is_new && place->second.height < point.height) { place->second = point; }
}

/// The straight line through points by least squares.
struct Line {
  double slope = 0, error = 0;  ///< [-] error: that of the slope
};

/// Sums from which a line follows; those of several rings add up.
struct LineSums {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  void add(const SurfacePoint& point) {
    n += 1, x += point.distance, y += point.height;
    xx += point.distance * point.distance, xy += point.distance * point.height, yy += point.height * point.height;
  }
  void add(const LineSums& other) {
    n += other.n, x += other.x, y += other.y, xx += other.xx, xy += other.xy, yy += other.yy;
  }
  /// The mean of the points.
  [[nodiscard]] SurfacePoint middle() const { return {x / n, y / n}; }
  /// None for fewer than three points, or when all have one distance.
  [[nodiscard]] std::optional<Line> line() const {
    const double across = xx - x * x / n, along = xy - x * y / n, up = yy - y * y / n;
    if (n < 3 || !(across > 1e-12 * xx)) { return std::nullopt; }
    const double rest = std::fmax(up - along * along / across, 0);
    return Line{along / across, std::sqrt(rest / (n - 2) / across)};
  }
};

/// The line through the points of consecutive strips (or rings) of a width [m] whose slope is known best. It has at
/// least half of all strips, and three. Layers make terraces, whose points lie on a flat line as if that were known
/// exactly; so the line also covers half of the whole difference of height, or three quarters of the strips, and it is
/// at least five widths long. Its error has the resolution of heights that are known within a width, added in squares.
inline std::optional<Line> straightest(const std::vector<std::vector<SurfacePoint>>& strips, double width) {
  constexpr double shortest = 5;  // [-] widths: cones of less were wrong by up to 25 degrees, others by at most 5
  std::vector<LineSums> points(strips.size());
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t k = 0; k < strips.size(); ++k) {
    for (const SurfacePoint& point : strips[k]) { points[k].add(point); }
    low = std::fmin(low, points[k].middle().height), high = std::fmax(high, points[k].middle().height);
  }
  const std::size_t least = std::max<std::size_t>((strips.size() + 1) / 2, 3);
  std::optional<Line> best;
  double extent = 0;  // of the best one
  for (std::size_t first = 0; first + least <= strips.size(); ++first) {
    LineSums sums;
    for (std::size_t last = first; last < strips.size(); ++last) {
      sums.add(points[last]);
      const std::size_t count = last + 1 - first;
      if (count < least) { continue; }
      const SurfacePoint begin = points[first].middle(), end = points[last].middle();
      const double along = end.distance - begin.distance, across = std::fabs(end.height - begin.height);
      if (2 * across < high - low && 4 * count < 3 * strips.size()) { continue; }
      if (!(std::hypot(along, across) >= shortest * width)) { continue; }
      const std::optional<Line> line = sums.line();
      if (line && (!best || line->error < best->error)) { best = line, extent = along; }
    }
  }
  if (best) { best->error = std::hypot(best->error, width / (std::sqrt(12.0) * extent)); }
  return best;
}

}  // namespace scree::probe
