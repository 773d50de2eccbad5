#include "host/packing/region_above.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/geometry/boundary_distance.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/between_walls.hpp"
#include "host/packing/box_places.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

class FillAbove final : public FillRegion {
 public:
  FillAbove(const AboveRegion& region, TriangleMesh mesh)
      : box_{region.box.min, region.box.max}, holes_(region.holes), mesh_(std::move(mesh)), surface_(mesh_) {
    measure();
  }
  [[nodiscard]] std::string name() const override { return "box above the mesh"; }
  [[nodiscard]] geometry::Bounds bounds() const override { return box_; }
  [[nodiscard]] double volume() const override { return volume_; }
  [[nodiscard]] bool holds(const Real3& centre, double radius) const override {
    if (!fits_in_box(box_, centre, radius)) return false;
    const auto ground = surface_.highest(centre[0], centre[1]);
    if (ground ? centre[2] < *ground : !holes_) return false;
    const double least = (1 - fit_tolerance) * radius;
    return surface_.squared_distance_within(centre, radius) >= least * least;
  }
  [[nodiscard]] Real3 pulled_inside(const Real3& centre, double radius) const override {
    return geometry::pushed_off(pulled_into_box(box_, centre, radius), radius, [&](const Real3& point, double reach) {
      return std::sqrt(surface_.squared_distance_within(point, reach));
    });
  }
  [[nodiscard]] Real3 candidate(double radius, Random& random) const override {
    return random_in_box(box_, radius, random);
  }

 private:
  /// Finds volume and lowest point from the height of the surface in columns. Throws CaseError if the mesh does not
  /// cover the box.
  void measure() {
    constexpr int columns = 512;
    const double width = (box_.upper[0] - box_.lower[0]) / columns, depth = (box_.upper[1] - box_.lower[1]) / columns;
    double heights = 0, lowest = box_.upper[2];
    std::size_t bare = 0;
    Real3 first_bare{};
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < columns; ++i) {
        const double x = box_.lower[0] + (i + 0.5) * width, y = box_.lower[1] + (j + 0.5) * depth;
        const auto ground = surface_.highest(x, y);
        if (!ground && bare++ == 0) first_bare = {x, y, 0};
        const double start = std::clamp(ground.value_or(box_.lower[2]), box_.lower[2], box_.upper[2]);
        heights += box_.upper[2] - start;
        lowest = std::fmin(lowest, start);
      }
    }
    if (bare > 0 && !holes_) {
      throw CaseError("above.file",
                      "the mesh does not cover the box: it has no surface on the vertical line through x = " +
                          number_text(first_bare[0]) + ", y = " + number_text(first_bare[1]) + " and on " +
                          short_number_text(100.0 * static_cast<double>(bare) / (columns * columns), 2) +
                          " % of all; shrink the box, or set \"holes\" to true");
    }
    volume_ = heights * width * depth;
    if (!(volume_ > 0))
      throw CaseError("above.file", "the mesh leaves no room in the box: all of it is below the surface");
    box_.lower[2] = std::fmin(std::fmax(box_.lower[2], surface_.bounds().lower[2]), lowest);
  }

  geometry::Bounds box_;
  bool holes_;
  TriangleMesh mesh_;
  geometry::MeshSurface surface_;  // refers to mesh_
  double volume_ = 0;
};

}  // namespace

std::unique_ptr<FillRegion> make_region_above(const AboveRegion& region, TriangleMesh mesh) {
  return std::make_unique<FillAbove>(region, std::move(mesh));
}

}  // namespace scree::packing
