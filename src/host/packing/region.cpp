#include "host/packing/region.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "host/geometry/boundary_distance.hpp"
#include "host/geometry/mesh_io.hpp"
#include "host/geometry/mesh_shells.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/sphere_volume.hpp"
#include "host/packing/between_walls.hpp"
#include "host/packing/box_places.hpp"
#include "host/packing/region_above.hpp"
#include "host/packing/region_face.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

using namespace geometry;

constexpr double wider = 1 + fit_tolerance;  // rounding must not put a sphere outside that was pulled inside

void expect_radius(double radius, const std::string& path) {
  if (!std::isfinite(radius) || !(radius > 0)) throw CaseError(path, "must be > 0, got " + number_text(radius));
}

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

class FillCylinder final : public FillRegion {
 public:
  explicit FillCylinder(const CylinderRegion& cylinder)
      : from_(cylinder.from), radius_(cylinder.radius), inner_(cylinder.inner_radius) {
    const Real3 span = subtract(cylinder.to, cylinder.from);
    axis_ = unit(span);
    length_ = length(span);
    if (axis_ == Real3{}) throw CaseError("cylinder.to", "must be finite and differ from \"from\"");
    expect_radius(radius_, "cylinder.radius");
    if (!(inner_ >= 0 && inner_ < radius_)) {
      throw CaseError("cylinder.inner_radius", "must be >= 0 and below the radius, got " + number_text(inner_));
    }
    across_ = any_normal_to(axis_);
    third_ = cross(axis_, across_);
  }
  [[nodiscard]] std::string name() const override { return "cylinder"; }
  [[nodiscard]] Bounds bounds() const override {
    Bounds box;
    for (std::size_t k = 0; k < 3; ++k) {
      const double end = from_[k] + length_ * axis_[k];
      const double reach = radius_ * std::sqrt(std::fmax(0.0, 1 - axis_[k] * axis_[k]));
      box.lower[k] = std::fmin(from_[k], end) - reach;
      box.upper[k] = std::fmax(from_[k], end) + reach;
    }
    return box;
  }
  [[nodiscard]] double volume() const override {
    return std::numbers::pi * radius_ * radius_ * length_ - std::numbers::pi * inner_ * inner_ * length_;
  }
  [[nodiscard]] bool holds(const Real3& centre, double radius) const override {
    const Real3 offset = subtract(centre, from_);
    const double height = dot(offset, axis_);
    double most = radius_ - radius, least = inner_ > 0 ? inner_ + radius : 0;
    const double slack = slack_in(most - least, radius);
    most += slack, least -= slack;
    if (most < 0 || !fits_between(height, radius, 0, length_)) return false;
    const double away = squared_length(along(offset, -height, axis_));
    return away <= most * most && (inner_ == 0 || away >= least * least);
  }
  [[nodiscard]] Real3 pulled_inside(const Real3& centre, double radius) const override {
    const double room = radius * wider;
    const Real3 offset = subtract(centre, from_);
    const double height = pulled_between(dot(offset, axis_), radius, 0, length_);
    const Real3 across = along(offset, -dot(offset, axis_), axis_);
    double most = std::fmax(radius_ - room, 0.0), least = inner_ > 0 ? inner_ + room : 0;
    if (least > most) most = least = 0.5 * (inner_ + radius_);  // the gap is not wider than the sphere
    const double away = length(across);
    const Real3 middle = along(from_, height, axis_);
    if (away < least) { return away > 0 ? along(middle, least / away, across) : along(middle, least, across_); }
    return along(middle, away > most ? most / away : 1.0, across);
  }
  [[nodiscard]] Real3 candidate(double radius, Random& random) const override {
    const double room = radius_ - radius, height = random.uniform(radius, length_ - radius);
    const Real3 middle = along(from_, height, axis_);
    if (inner_ > 0) {
      const double least = inner_ + radius, away = std::sqrt(random.uniform(least * least, room * room));
      const auto [u, v] = direction(random);
      return along(along(middle, away * u, across_), away * v, third_);
    }
    const double u = room * random.uniform(-1, 1), v = room * random.uniform(-1, 1);
    return along(along(middle, u, across_), v, third_);
  }

 private:
  /// A random unit vector in the plane.
  static std::pair<double, double> direction(Random& random) {
    while (true) {
      const double u = random.uniform(-1, 1), v = random.uniform(-1, 1), square = u * u + v * v;
      if (square <= 1 && square > 1e-6) { return {u / std::sqrt(square), v / std::sqrt(square)}; }
    }
  }

  Real3 from_, axis_{}, across_{}, third_{};
  double radius_, inner_, length_ = 0;
};

class FillSphere final : public FillRegion {
 public:
  explicit FillSphere(const SphereRegion& sphere) : sphere_(sphere) {
    expect_radius(sphere.radius, "sphere.radius");
    if (!is_finite(sphere.center)) throw CaseError("sphere.center", "must be finite");
  }
  [[nodiscard]] std::string name() const override { return "sphere"; }
  [[nodiscard]] Bounds bounds() const override {
    const Real3 reach = {sphere_.radius, sphere_.radius, sphere_.radius};
    return {subtract(sphere_.center, reach), add(sphere_.center, reach)};
  }
  [[nodiscard]] double volume() const override { return sphere_volume(sphere_.radius); }
  [[nodiscard]] bool holds(const Real3& centre, double radius) const override {
    const double room = sphere_.radius - radius, most = room + slack_in(room, radius);
    return most >= 0 && squared_length(subtract(centre, sphere_.center)) <= most * most;
  }
  [[nodiscard]] Real3 pulled_inside(const Real3& centre, double radius) const override {
    const Real3 offset = subtract(centre, sphere_.center);
    const double away = length(offset), most = std::fmax(sphere_.radius - radius * wider, 0.0);
    return away > most ? along(sphere_.center, most / away, offset) : centre;
  }
  [[nodiscard]] Real3 candidate(double radius, Random& random) const override {
    return along(sphere_.center, sphere_.radius - radius, random.in_ball());
  }

 private:
  SphereRegion sphere_;
};

class FillMesh final : public FillRegion {
 public:
  explicit FillMesh(TriangleMesh mesh) : mesh_(std::move(mesh)), surface_(mesh_) {
    const EdgeFaults faults = edge_faults(mesh_);
    if (!faults.none()) {
      throw CaseError("mesh.file",
                      "the mesh encloses no volume: it has " + faults.text() + "; a fill needs a closed mesh");
    }
    constexpr double tolerated = 1e-3;  // scanned surfaces have small folds
    const ShellVolume enclosed = shell_volume(mesh_);
    if (enclosed.crossing > tolerated) {
      throw CaseError("mesh.file",
                      "its parts cross at " + short_number_text(100 * enclosed.crossing, 2) +
                          " % of the surface, so that it is not clear what is inside; unite the parts into "
                          "one surface");
    }
    volume_ = enclosed.volume;
  }
  [[nodiscard]] std::string name() const override { return "mesh"; }
  [[nodiscard]] Bounds bounds() const override { return surface_.bounds(); }
  [[nodiscard]] double volume() const override { return volume_; }
  [[nodiscard]] bool holds(const Real3& centre, double radius) const override {
    const double least = (1 - fit_tolerance) * radius;
    return surface_.encloses(centre) && surface_.squared_distance_within(centre, radius) >= least * least;
  }
  [[nodiscard]] Real3 pulled_inside(const Real3& centre, double radius) const override {
    return pushed_off(centre, radius, [&](const Real3& point, double reach) {
      const double distance = std::sqrt(surface_.squared_distance_within(point, reach));
      return surface_.encloses(point) ? distance : -distance;
    });
  }
  [[nodiscard]] Real3 candidate(double radius, Random& random) const override {
    return random_in_box(bounds(), radius, random);
  }

 private:
  TriangleMesh mesh_;
  MeshSurface surface_;  // refers to mesh_
  double volume_ = 0;
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
  if (const auto* cylinder = std::get_if<CylinderRegion>(&region)) return std::make_unique<FillCylinder>(*cylinder);
  if (const auto* sphere = std::get_if<SphereRegion>(&region)) return std::make_unique<FillSphere>(*sphere);
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
  return with_file(source.file, "mesh.file", [&]() -> std::unique_ptr<FillRegion> {
    return std::make_unique<FillMesh>(
        read_mesh(folder / source.file, {source.scale, source.rotate, source.translate}, warnings));
  });
}

}  // namespace scree::packing
