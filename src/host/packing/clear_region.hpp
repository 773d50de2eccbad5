#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "host/geometry/boundary_distance.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/packing/region.hpp"
#include "scree/scene.hpp"

namespace scree::packing {

/// A region without the places where spheres overlap boundaries, and without the inside of some closed meshes. Its
/// volume is that of the whole region. In a periodic cell all images of a sphere keep clear.
class ClearRegion final : public FillRegion {
 public:
  /// Boundaries stand where they are at the start, and repeat with `around`, the cell, as repeat_boundaries() makes
  /// them. No centre lies inside of `solids`, which are closed meshes. All of them must outlive this.
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
    constexpr double rounding = 1 - 1e-9;  // of a sphere that touches
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
