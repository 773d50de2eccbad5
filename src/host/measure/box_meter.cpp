#include <cmath>
#include <numbers>
#include <string>

#include "host/measure/displacement.hpp"
#include "host/measure/region_probe.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using namespace geometry;
using probe::axes;
using probe::unknown;

/// Two opposite plane walls across one axis: the one with the lower coordinate, and the other.
using WallPair = std::array<std::size_t, 2>;

/// Lengths, strains and stresses of a sample between plane walls: see docs/output.md.
class BoxMeter final : public Probe {
 public:
  /// `pairs` [3]: the walls across x, y and z. `area` [m2]: section of a sample with a single pair; 0: it follows from
  /// the other walls and from the periodic cell.
  BoxMeter(const Scene& scene, const std::array<std::optional<WallPair>, 3>& pairs, double area)
      : pairs_(pairs), area_(area) {
    const Ends ends = ends_of(scene, {});
    for (std::size_t k = 0; k < 3; ++k) { at_start_[k] = ends[k] ? ends[k]->length() : 0; }
  }

  [[nodiscard]] MeasureNeeds needs() const override { return {.forces = false, .contacts = false, .loads = true}; }
  [[nodiscard]] std::vector<std::string> columns() const override {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!pairs_[k]) { continue; }
      const std::string axis = axes[k];
      names.insert(names.end(), {"length_" + axis + "[m]", "strain_" + axis, "stress_" + axis + "[Pa]"});
    }
    names.insert(names.end(), {"volume[m3]", "solid_fraction", "void_ratio"});
    return names;
  }

  void measure(const ProbeView& view, std::vector<double>& values) override {
    const Ends ends = ends_of(view.scene, view.loads);
    double volume = unknown;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!ends[k]) { continue; }
      const double length = ends[k]->length(), section = section_across(view, ends, k);
      volume = length * section;
      // Each wall is pushed outward.
      const double push = view.loads[(*pairs_[k])[1]].force[k] - view.loads[(*pairs_[k])[0]].force[k];
      const double stress = view.boundaries_known && section > 0 ? -0.5 * push / section : unknown;
      values.insert(values.end(), {length, length > 0 ? std::log(length / at_start_[k]) : unknown, stress});
    }
    const double solid = solid_volume(view, ends);
    // Walls that have passed each other have no room between them.
    const double room = volume > 0 ? volume : unknown;
    values.insert(values.end(), {volume, solid / room, solid > 0 ? (room - solid) / solid : unknown});
  }

 private:
  /// [m] Where the two walls of a pair stand along their axis.
  struct Extent {
    double low, high;
    [[nodiscard]] double length() const { return high - low; }
  };
  using Ends = std::array<std::optional<Extent>, 3>;  ///< across x, y and z

  /// [m] Where the walls stand now; without `loads`, where the case puts them.
  [[nodiscard]] Ends ends_of(const Scene& scene, std::span<const BoundaryLoad> loads) const {
    Ends ends{};
    for (std::size_t k = 0; k < 3; ++k) {
      if (!pairs_[k]) { continue; }
      const auto& [low, high] = *pairs_[k];
      ends[k] = Extent{place_of_plane(scene, low, loads)[k], place_of_plane(scene, high, loads)[k]};
    }
    return ends;
  }

  /// [m2] Of the sample across the axis k.
  [[nodiscard]] double section_across(const ProbeView& view, const Ends& ends, std::size_t k) const {
    if (area_ > 0) { return area_; }
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    if (!ends[i] && !ends[j]) { return std::fabs(cross(view.cell->edges[i], view.cell->edges[j])[k]); }
    const auto across = [&](std::size_t axis) {
      return ends[axis] ? ends[axis]->length() : length(view.cell->edges[axis]);
    };
    return across(i) * across(j);
  }

  /// [m3] Of the particles with their centres between the walls.
  [[nodiscard]] static double solid_volume(const ProbeView& view, const Ends& ends) {
    double solid = 0;
    for (std::uint32_t n = 0; n < view.position.size(); ++n) {
      bool inside = view.sees(n);
      for (std::size_t k = 0; inside && k < 3; ++k) {
        const double x = view.position[n][k];
        inside = !ends[k] || (x >= ends[k]->low && x <= ends[k]->high);
      }
      if (inside) { solid += 4.0 / 3.0 * std::numbers::pi * std::pow(view.now.radius[n], 3); }
    }
    return solid;
  }

  std::array<std::optional<WallPair>, 3> pairs_;
  double area_;
  Real3 at_start_{};  ///< [m] lengths
};

/// The walls of a box in opposite pairs. Throws CaseError with the path in the probe.
std::array<std::optional<WallPair>, 3> pairs_of(const BoxProbe& keys, const Scene& scene) {
  std::vector<std::string> names;
  for (const SceneBoundary& boundary : scene.boundaries) { names.push_back(boundary.name); }
  std::array<std::array<std::optional<std::size_t>, 2>, 3> walls{};
  for (std::size_t n = 0; n < keys.walls.size(); ++n) {
    const std::string path = "walls." + std::to_string(n), &name = keys.walls[n];
    const auto found = place_of_name(name, names);
    if (!found) { throw CaseError(path, unknown_name("boundary", name, names)); }
    const auto* const plane = std::get_if<PlaneBoundary>(&scene.boundaries[*found].shape);
    if (plane == nullptr) { throw CaseError(path, "\"" + name + "\" is not a plane"); }
    const auto across = [&](std::size_t k) { return std::fabs(plane->normal[k]) > 1 - 1e-9; };
    std::size_t k = 0;
    while (k < 3 && !across(k)) { ++k; }
    if (k == 3) { throw CaseError(path, "\"" + name + "\" must have its normal along x, y or z"); }
    auto& side = walls[k][plane->normal[k] > 0 ? 0 : 1];
    if (side) {
      throw CaseError(path, "\"" + name + "\" faces the same way as \"" + names[*side] + "\"; the box has one of them");
    }
    side = *found;
  }
  std::array<std::optional<WallPair>, 3> pairs{};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& [low, high] = walls[k];
    if (low.has_value() != high.has_value()) {
      throw CaseError("walls", "lacks the plane opposite to \"" + names[low ? *low : *high] + "\"");
    }
    if (!low) { continue; }
    const auto at = [&](std::size_t wall) { return std::get<PlaneBoundary>(scene.boundaries[wall].shape).point[k]; };
    if (!(at(*low) < at(*high))) {
      throw CaseError("walls", "\"" + names[*low] + "\" and \"" + names[*high] + "\" do not face one another");
    }
    pairs[k] = WallPair{*low, *high};
  }
  return pairs;
}

}  // namespace

std::unique_ptr<Probe> make_probe(const BoxProbe& keys, const ProbePlace& place) {
  const Scene& scene = place.scene();
  const auto pairs = pairs_of(keys, scene);
  if (!keys.area) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (pairs[k] || (scene.cell && scene.cell->periodic[k])) { continue; }
      throw CaseError("walls", std::string("has no walls across ") + axes[k] +
                                   "; name six planes, or two and the \"area\" of the sample between them");
    }
  } else if (keys.walls.size() != 2) {
    throw CaseError("area", "belongs to two walls; the section between more walls follows from their places");
  }
  return std::make_unique<BoxMeter>(scene, pairs, keys.area.value_or(0));
}

}  // namespace scree
