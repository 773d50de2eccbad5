#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/measure/region_probe.hpp"
#include "host/measure/surface_line.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using namespace geometry;
using namespace probe;

/// The slope of the surface of a bed along a direction. docs/output.md has the method.
class SlopeMeter final : public RegionProbe {
 public:
  SlopeMeter(ProbeRegion region, const Real3& along) : RegionProbe(std::move(region)), along_(along) {}
  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = false, .contacts = false}; }
  [[nodiscard]] std::vector<std::string> columns() const override { return {"angle[rad]", "angle_error[rad]"}; }

  void measure(const ProbeView& view, std::vector<double>& values) override {
    const Real3 up = scaled(unit(view.gravity), -1);
    const Real3 across_gravity = subtract(along_, scaled(up, dot(along_, up)));
    // without gravity nothing is up; a direction along gravity is none
    const bool has_meaning = view.gravity != Real3{} && length(across_gravity) > 1e-6 * length(along_);
    const std::vector<Present> all = has_meaning ? particles_inside(view) : std::vector<Present>{};
    std::optional<Line> line;
    if (!all.empty()) {
      const double width = diameter_of_mean_volume(view, all);
      line = straightest(strips(view, all, width, up, unit(across_gravity)), width);
    }
    values.push_back(line ? std::atan(line->slope) : unknown);
    values.push_back(line ? line->error / (1 + line->slope * line->slope) : unknown);
  }

 private:
  /// The highest particle in each cell of strips across the direction, strip by strip, from the first to the last strip
  /// with at least half as many particles as the fullest one. The cells are as long as they are wide.
  [[nodiscard]] static std::vector<std::vector<SurfacePoint>> strips(const ProbeView& view,
                                                                     const std::vector<Present>& all, double width,
                                                                     const Real3& up, const Real3& ahead) {
    const Real3 aside = cross(up, ahead);
    std::map<double, std::map<double, SurfacePoint>> highest;  // by the numbers of strip and cell, which are whole
    for (const Present& particle : all) {
      const double distance = dot(particle.position, ahead);
      const double height = dot(particle.position, up) + view.now.radius[particle.index];
      keep_highest(highest[std::floor(distance / width)], std::floor(dot(particle.position, aside) / width),
                   {distance, height});
    }
    std::size_t most = 0;
    for (const auto& [strip, cells] : highest) { most = std::max(most, cells.size()); }
    std::vector<std::vector<SurfacePoint>> result;
    for (const auto& [strip, cells] : highest) {
      if (2 * cells.size() < most) { continue; }
      auto& points = result.emplace_back();
      for (const auto& [cell, point] : cells) { points.push_back(point); }
    }
    return result;
  }

  Real3 along_;
};

}  // namespace

std::unique_ptr<Probe> make_probe(const SurfaceSlopeProbe& keys, const ProbePlace& place) {
  const Scene& scene = place.scene();
  expect_gravity(scene);
  const Real3 up = unit(scene.gravity);
  if (!has_staged_gravity(scene) &&
      length(subtract(keys.along, scaled(up, dot(keys.along, up)))) <= 1e-6 * length(keys.along)) {
    throw CaseError("along", "must not be the direction of gravity");
  }
  return std::make_unique<SlopeMeter>(keys.region ? place.region(*keys.region) : nullptr, keys.along);
}

}  // namespace scree
