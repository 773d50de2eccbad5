#include "host/packing/region.hpp"

#include <cmath>

#include "host/geometry/mesh_io.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/between_walls.hpp"
#include "host/packing/box_places.hpp"
#include "host/packing/region_above.hpp"
#include "host/packing/region_face.hpp"
#include "host/packing/region_mesh.hpp"
#include "host/packing/region_round.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

using namespace geometry;

class FillBox final : public FillRegion {
 public:
  explicit FillBox(const BoxRegion& box) : box_{box.min, box.max} {
    for (std::size_t k = 0; k < 3; ++k) {
      if (!std::isfinite(box.min[k]) || !std::isfinite(box.max[k]) || !(box.min[k] < box.max[k])) {
        throw CaseError("box.1." + std::to_string(k), "must be greater than " + number_text(box.min[k]) +
                                                          " of the lowest corner, got " + number_text(box.max[k]));
      }
    }
  }
  [[nodiscard]] std::string name() const override { return "box"; }
  [[nodiscard]] Bounds bounds() const override { return box_; }
  [[nodiscard]] double volume() const override {
    const Real3 extent = subtract(box_.upper, box_.lower);
    return extent[0] * extent[1] * extent[2];
  }
  [[nodiscard]] bool holds(const Real3& centre, double radius) const override {
    return fits_in_box(box_, centre, radius);
  }
  [[nodiscard]] Real3 pulled_inside(const Real3& centre, double radius) const override {
    return pulled_into_box(box_, centre, radius);
  }
  [[nodiscard]] Real3 candidate(double radius, Random& random) const override {
    return random_in_box(box_, radius, random);
  }

 private:
  Bounds box_;
};

/// The whole periodic cell. Along axes that do not repeat the cell is a box, and spheres lie wholly inside.
class FillCell final : public FillRegion {
 public:
  explicit FillCell(const CellFrame& cell) : cell_(cell), box_(cell.bounds()) {}
  [[nodiscard]] std::string name() const override { return "cell"; }
  [[nodiscard]] Bounds bounds() const override { return box_; }
  [[nodiscard]] double volume() const override { return cell_.volume(); }
  [[nodiscard]] const CellFrame* cell() const override { return &cell_; }
  [[nodiscard]] bool holds(const Real3& centre, double radius) const override {
    for (std::size_t k = 0; k < 3; ++k) {
      const bool fits = cell_.periodic(k) ? 2 * radius <= cell_.width(k)  // otherwise it overlaps its own image
                                          : fits_between(centre[k], radius, box_.lower[k], box_.upper[k]);
      if (!fits) return false;
    }
    return true;
  }
  [[nodiscard]] Real3 pulled_inside(const Real3& centre, double radius) const override {
    Real3 inside = centre;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!cell_.periodic(k)) inside[k] = pulled_between(centre[k], radius, box_.lower[k], box_.upper[k]);
    }
    return cell_.folded(inside);
  }
  [[nodiscard]] Real3 candidate(double radius, Random& random) const override {
    Real3 s{};
    for (double& part : s) part = random.uniform();
    return pulled_inside(cell_.at_with_margin(s, radius), radius);
  }

 private:
  CellFrame cell_;
  Bounds box_;
};

}  // namespace

std::unique_ptr<FillRegion> make_region(const Region& region, const std::filesystem::path& folder,
                                        std::vector<std::string>& warnings, const geometry::CellFrame* cell) {
  if (std::holds_alternative<CellRegion>(region)) {
    if (cell == nullptr) throw CaseError("cell", "needs a periodic cell, which \"domain.periodic\" makes");
    return std::make_unique<FillCell>(*cell);
  }
  if (const auto* box = std::get_if<BoxRegion>(&region)) return std::make_unique<FillBox>(*box);
  if (const auto* cylinder = std::get_if<CylinderRegion>(&region)) return make_region_cylinder(*cylinder);
  if (const auto* sphere = std::get_if<SphereRegion>(&region)) return make_region_sphere(*sphere);
  const auto with_file = [&](const std::string& name, const std::string& path, const auto& make) {
    try {
      return make();
    } catch (const CaseError& error) {
      const auto& problem = error.problems().front();
      throw CaseError(path, (problem.path == path ? (folder / name).string() : problem.path) + ": " + problem.message);
    }
  };
  if (const auto* above = std::get_if<AboveRegion>(&region)) {
    return with_file(above->file, "above.file", [&] {
      return make_region_above(
          *above, read_mesh(folder / above->file, {above->scale, above->rotate, above->translate}, warnings));
    });
  }
  if (const auto* face = std::get_if<FaceRegion>(&region)) {
    if (!face->file) return make_region_face(*face, folder, warnings);
    return with_file(*face->file, "face.file", [&] { return make_region_face(*face, folder, warnings); });
  }
  const auto& source = std::get<MeshRegion>(region);
  return with_file(source.file, "mesh.file", [&] {
    return make_region_mesh(read_mesh(folder / source.file, {source.scale, source.rotate, source.translate}, warnings));
  });
}

}  // namespace scree::packing
