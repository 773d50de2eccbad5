#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "host/geometry/boundary_distance.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/packing/region.hpp"
#include "scree/scene.hpp"

namespace scree::packing {

/// A region in which spheres must not overlap boundaries or lie inside certain closed meshes. Its volume is the volume
/// of the whole region. In a periodic cell the rule holds for all images of a sphere.
class ClearRegion final : public FillRegion {
 public:
  /// `boundaries` have their places at the start, and repeat with the cell `around` as repeat_boundaries() makes them.
  /// No centre may lie inside `solids`, which are closed meshes. All arguments must outlive this object.
  ClearRegion(std::unique_ptr<FillRegion> region, const std::vector<const SceneBoundary*>& boundaries,
              const std::vector<const SceneBoundary*>& solids, const geometry::CellFrame* around)
      : region_(std::move(region)), around_(around) {
    for (const SceneBoundary* solid : solids) {
      solids_.push_back(std::make_unique<geometry::MeshSurface>(solid->mesh));
    }
    for (const SceneBoundary* boundary : boundaries) {
      distances_.push_back(std::make_unique<geometry::BoundaryDistance>(*boundary));
    }
  }
  [[nodiscard]] std::string name() const override { return region_->name() + " clear of boundaries"; }
  [[nodiscard]] geometry::Bounds bounds() const override { return region_->bounds(); }
  [[nodiscard]] double volume() const override { return region_->volume(); }
  [[nodiscard]] bool holds(const Real3& centre, double radius) const override {
    constexpr double rounding = 1 - 1e-9;  // a sphere may touch a boundary
    if (!region_->holds(centre, radius)) return false;
    for (const auto& distance : distances_) {
      if (!(geometry::least_distance(*distance, centre, radius, around_) >= rounding * radius)) return false;
    }
    const Real3 inside = around_ == nullptr ? centre : around_->folded(centre);
    return std::none_of(solids_.begin(), solids_.end(), [&](const auto& solid) { return solid->encloses(inside); });
  }
  [[nodiscard]] Real3 pulled_inside(const Real3& centre, double radius) const override {
    Real3 inside = region_->pulled_inside(centre, radius);
    for (const auto& distance : distances_) {
      inside = geometry::pushed_off(inside, radius, [&](const Real3& point, double reach) {
        return geometry::least_distance(*distance, point, reach, around_);
      });
    }
    return inside;
  }
  [[nodiscard]] Real3 candidate(double radius, Random& random) const override {
    return region_->candidate(radius, random);
  }
  [[nodiscard]] const geometry::CellFrame* cell() const override { return region_->cell(); }

 private:
  std::unique_ptr<FillRegion> region_;
  const geometry::CellFrame* around_;
  // A MeshSurface cannot be moved.
  std::vector<std::unique_ptr<geometry::BoundaryDistance>> distances_;
  std::vector<std::unique_ptr<geometry::MeshSurface>> solids_;
};

}  // namespace scree::packing
