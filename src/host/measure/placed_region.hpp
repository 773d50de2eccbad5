#pragma once

#include <memory>
#include <utility>

#include "host/geometry/cell_frame.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/region.hpp"

namespace scree {

/// A region of a case in which points are looked for. Without a region, and where it is the periodic cell, every point
/// is inside once.
class PlacedRegion {
 public:
  explicit PlacedRegion(std::unique_ptr<packing::FillRegion> region) : region_(std::move(region)) {
    if (is_everywhere()) { return; }
    const geometry::Bounds box = region_->bounds();
    middle_ = geometry::scaled(geometry::add(box.lower, box.upper), 0.5);
    reach_ = 0.5 * geometry::length(geometry::subtract(box.upper, box.lower));
  }

  [[nodiscard]] bool is_everywhere() const { return region_ == nullptr || region_->cell() != nullptr; }
  /// [m3] Must not be called for a region that is everywhere.
  [[nodiscard]] double volume() const { return region_->volume(); }

  /// Calls `visit(shift)` for each image of a point that is inside; `shift` [m] leads from the point to the image.
  /// `frame` is the present periodic cell, or null without one; the region may extend across its faces.
  template <class Visit>
  void visit_inside(const geometry::CellFrame* frame, const Real3& point, Visit&& visit) const {
    if (is_everywhere()) { return visit(Real3{}); }
    if (frame == nullptr) { return region_->holds(point, 0) ? visit(Real3{}) : void(); }
    const Real3 folded = frame->folded(point), back = geometry::subtract(folded, point);
    frame->visit_shifts(middle_, reach_, [&](const Real3& shift) {
      if (region_->holds(geometry::add(folded, shift), 0)) { visit(geometry::add(back, shift)); }
      return true;
    });
  }

 private:
  std::unique_ptr<packing::FillRegion> region_;
  Real3 middle_{};    ///< [m] centre of a ball that encloses the region
  double reach_ = 0;  ///< [m] its radius
};

}  // namespace scree
