#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

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
    const auto line = has_meaning ? straightest(strips(view, up, unit(across_gravity))) : std::nullopt;
    values.push_back(line ? std::atan(line->slope) : unknown);
    values.push_back(line ? line->error / (1 + line->slope * line->slope) : unknown);
  }

 private:
  /// The highest particle in each cell of strips across the direction, strip by strip, from the first to the last strip
  /// with at least half as many particles as the fullest one. The cells are as wide and as long as the diameter of the
  /// mean volume.
  [[nodiscard]] std::vector<std::vector<SurfacePoint>> strips(const ProbeView& view, const Real3& up,
                                                              const Real3& ahead) const {
    const std::vector<Present> all = particles_inside(view);
    if (all.empty()) { return {}; }
    double volume = 0;
    for (const Present& particle : all) { volume += std::pow(view.now.radius[particle.index], 3); }
    const double width = 2 * std::cbrt(volume / static_cast<double>(all.size()));
    const Real3 aside = cross(up, ahead);
    std::map<double, std::map<double, SurfacePoint>> highest;  // by the numbers of strip and cell, which are whole
    for (const Present& particle : all) {
      const double distance = dot(particle.position, ahead);
      const double height = dot(particle.position, up) + view.now.radius[particle.index];
      auto& cells = highest[std::floor(distance / width)];
      const auto [place, is_new] =
          cells.try_emplace(std::floor(dot(particle.position, aside) / width), SurfacePoint{distance, height});
      if (!is_new && place->second.height < height) { place->second = {distance, height}; }
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
  const bool of_a_stage = std::any_of(scene.stages.begin(), scene.stages.end(), [](const SceneStage& stage) {
    return stage.gravity.value_or(Real3{}) != Real3{};
  });
  if (scene.gravity == Real3{} && !of_a_stage) { throw CaseError("type", "needs gravity, whose opposite is up"); }
  const Real3 up = unit(scene.gravity);
  if (!of_a_stage && length(subtract(keys.along, scaled(up, dot(keys.along, up)))) <= 1e-6 * length(keys.along)) {
    throw CaseError("along", "must not be the direction of gravity");
  }
  return std::make_unique<SlopeMeter>(keys.region ? place.region(*keys.region) : nullptr, keys.along);
}

}  // namespace scree
