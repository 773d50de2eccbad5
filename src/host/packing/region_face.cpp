#include "host/packing/region_face.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "host/geometry/mesh_io.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/polygon.hpp"
#include "host/geometry/real3.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

using namespace geometry;

// A sphere must not touch the face, because it may also be a boundary. So distances from the face are a little longer.
constexpr double farther = 1 + 4e-6;

class FillFace : public FillRegion {
 public:
  FillFace(double side, double depth) : side_(side), depth_(depth) {}
  [[nodiscard]] std::string name() const override { return "face"; }
  [[nodiscard]] Real3 pulled_inside(const Real3& centre, double) const override { return centre; }
  [[nodiscard]] Real3 candidate(double radius, Random& random) const override { return spot(radius, random).centre; }
  [[nodiscard]] Spot spot(double radius, Random& random) const override {
    const Spot over = on_surface(random);
    const Real3 inward = scaled(over.normal, side_);
    const double gap = depth_ > 0 ? random.uniform(0, depth_) : 0;
    return {along(over.centre, radius * farther + gap, inward), inward};
  }
  [[nodiscard]] Bounds reach(double radius) const override {
    const double far = depth_ + 2.1 * radius;
    const Real3 more{far, far, far};
    return {subtract(bounds().lower, more), add(bounds().upper, more)};
  }
  [[nodiscard]] Real3 mean_normal() const override { return scaled(unit(area()), side_); }
  /// The volume [m3] over the face up to the depth; 0 without a depth.
  [[nodiscard]] double volume() const override { return depth_ * length(area()); }

 protected:
  /// A random point of the surface, uniform by area, and its normal.
  [[nodiscard]] virtual Spot on_surface(Random& random) const = 0;
  /// The sum [m2] of the areas of the facets times their normals.
  [[nodiscard]] virtual Real3 area() const = 0;

 private:
  double side_, depth_;
};

class FillDisc final : public FillFace {
 public:
  FillDisc(const FaceRegion& face, const DiscFace& disc)
      : FillFace(face.flip ? -1 : 1, face.depth), disc_(disc), normal_(unit(disc.normal)) {
    across_ = any_normal_to(normal_);
    third_ = cross(normal_, across_);
  }
  [[nodiscard]] Bounds bounds() const override {
    Bounds box;
    for (std::size_t k = 0; k < 3; ++k) {
      const double half = disc_.radius * std::sqrt(std::fmax(0.0, 1 - normal_[k] * normal_[k]));
      box.lower[k] = disc_.center[k] - half, box.upper[k] = disc_.center[k] + half;
    }
    return box;
  }
  [[nodiscard]] bool holds(const Real3&, double) const override { return true; }

 protected:
  [[nodiscard]] Spot on_surface(Random& random) const override {
    double u = 0, v = 0;
    do { u = random.uniform(-1, 1), v = random.uniform(-1, 1); } while (u * u + v * v > 1);
    return {along(along(disc_.center, disc_.radius * u, across_), disc_.radius * v, third_), normal_};
  }
  [[nodiscard]] Real3 area() const override { return scaled(normal_, std::numbers::pi * disc_.radius * disc_.radius); }

 private:
  DiscFace disc_;
  Real3 normal_, across_{}, third_{};
};

class FillFacets final : public FillFace {
 public:
  FillFacets(const FaceRegion& face, TriangleMesh mesh)
      : FillFace(face.flip ? -1 : 1, face.depth), mesh_(std::move(mesh)), surface_(mesh_) {
    double sum = 0;
    for (const auto& [a, b, c] : mesh_.triangles) {
      const Real3 &p = mesh_.vertices[a], &q = mesh_.vertices[b], &r = mesh_.vertices[c];
      const Real3 twice = cross(subtract(q, p), subtract(r, p));
      normal_.push_back(unit(twice));
      area_ = along(area_, 0.5, twice);
      sum += 0.5 * length(twice);
      area_up_to_.push_back(sum);
    }
  }
  [[nodiscard]] Bounds bounds() const override { return surface_.bounds(); }
  [[nodiscard]] bool holds(const Real3& centre, double radius) const override {
    return surface_.squared_distance_within(centre, radius) >= radius * radius;
  }

 protected:
  [[nodiscard]] Spot on_surface(Random& random) const override {
    const double share = random.uniform() * area_up_to_.back();
    const auto after = std::upper_bound(area_up_to_.begin(), area_up_to_.end(), share);
    const auto last = static_cast<std::ptrdiff_t>(area_up_to_.size()) - 1;
    const auto t = static_cast<std::size_t>(std::min(after - area_up_to_.begin(), last));
    double u = random.uniform(), v = random.uniform();
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const auto& [a, b, c] = mesh_.triangles[t];
    const Real3& p = mesh_.vertices[a];
    return {along(along(p, u, subtract(mesh_.vertices[b], p)), v, subtract(mesh_.vertices[c], p)), normal_[t]};
  }
  [[nodiscard]] Real3 area() const override { return area_; }

 private:
  TriangleMesh mesh_;
  MeshSurface surface_;             // refers to mesh_
  std::vector<Real3> normal_;       ///< [n_triangles]
  std::vector<double> area_up_to_;  ///< [n_triangles] [m2] cumulative area, with this triangle
  Real3 area_{};
};

TriangleMesh mesh_of_polygon(const std::vector<Real3>& corners) {
  const std::string path = "face.polygon";
  const Real3 normal = unit(area_vector(corners));
  if (normal == Real3{}) throw CaseError(path, "has no area");
  Real3 middle{};
  for (const Real3& corner : corners) middle = along(middle, 1.0 / static_cast<double>(corners.size()), corner);
  double size = 0;
  for (const Real3& corner : corners) size = std::fmax(size, length(subtract(corner, middle)));
  for (const Real3& corner : corners) {
    if (std::fabs(dot(subtract(corner, middle), normal)) > 1e-6 * size) {
      throw CaseError(path, "has corners that do not lie in one plane");
    }
  }
  const auto triangles = triangles_of(corners);
  if (!triangles) throw CaseError(path, "is not the outline of an area: it crosses itself, or corners repeat");
  TriangleMesh mesh;
  mesh.vertices = corners;
  for (const auto& [a, b, c] : *triangles) {
    mesh.triangles.push_back(
        {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c)});
  }
  return mesh;
}

}  // namespace

std::unique_ptr<FillRegion> make_region_face(const FaceRegion& face, const std::filesystem::path& folder,
                                             std::vector<std::string>& warnings) {
  if (face.disc) return std::make_unique<FillDisc>(face, *face.disc);
  if (face.polygon) return std::make_unique<FillFacets>(face, mesh_of_polygon(*face.polygon));
  return std::make_unique<FillFacets>(
      face, read_mesh(folder / face.file.value(), {face.scale, face.rotate, face.translate}, warnings));
}

}  // namespace scree::packing
