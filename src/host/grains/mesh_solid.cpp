#include "host/grains/mesh_solid.hpp"

#include <algorithm>
#include <cmath>

#include "host/clumps/fit_mesh.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/real3.hpp"
#include "host/grains/separate_parts.hpp"
#include "host/grains/triangle_tree.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

class MeshSolid final : public Solid {
 public:
  explicit MeshSolid(TriangleMesh mesh) : mesh_(std::move(mesh)), tree_(mesh_) {}

  double distance(const Real3& point) const override {
    const double away = std::sqrt(tree_.nearest(point).squared);
    return tree_.winding(point) > 0.5 ? -away : away;
  }
  clumps::Moments moments() const override { return clumps::mesh_moments(mesh_); }
  double reach(const Real3& direction) const override {
    double most = geometry::dot(mesh_.vertices[0], direction);
    for (const Real3& vertex : mesh_.vertices) most = std::max(most, geometry::dot(vertex, direction));
    return most;
  }
  double farthest(const Real3& from) const override {
    double squared = 0;
    for (const Real3& vertex : mesh_.vertices) {
      squared = std::max(squared, geometry::squared_length(geometry::subtract(vertex, from)));
    }
    return std::sqrt(squared);
  }
  std::optional<double> area() const override {
    double sum = 0;
    for (const auto& [a, b, c] : mesh_.triangles) {
      const Real3& corner = mesh_.vertices[a];
      sum += 0.5 * geometry::length(geometry::cross(geometry::subtract(mesh_.vertices[b], corner),
                                                    geometry::subtract(mesh_.vertices[c], corner)));
    }
    return sum;
  }
  const TriangleMesh* triangles() const override { return &mesh_; }
  std::string mass_method() const override { return "of the mesh, by the divergence theorem"; }

  /// The share of the surface area [-] that lies inside another part of the body, so that the winding number below it
  /// is 2. Moments count the shared volume twice.
  [[nodiscard]] double overlapping_part() const {
    constexpr double below = 1e-6;  // depth below the surface over the root of twice the area of the triangle
    double all = 0, overlapping = 0;
    for (const auto& [a, b, c] : mesh_.triangles) {
      const Real3 &p = mesh_.vertices[a], &q = mesh_.vertices[b], &r = mesh_.vertices[c];
      const Real3 twice = geometry::cross(geometry::subtract(q, p), geometry::subtract(r, p));
      const double length = geometry::length(twice);
      if (!(length > 0)) { continue; }
      all += length;
      const Real3 middle = geometry::scaled(geometry::add(p, geometry::add(q, r)), 1.0 / 3);
      const Real3 inside = geometry::along(middle, -below / std::sqrt(length), twice);
      if (tree_.winding(inside) > 1.5) { overlapping += length; }
    }
    return all > 0 ? overlapping / all : 0;
  }

 private:
  TriangleMesh mesh_;
  TriangleTree tree_;
};

}  // namespace

SolidPointer make_mesh_solid(TriangleMesh mesh, const std::string& name, std::vector<std::string>& warnings) {
  close_holes(mesh, name, warnings);
  if (geometry::signed_volume(mesh) < 0) {
    for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
    warnings.push_back(name + ": its triangles face inwards and were turned");
  }
  auto solid = std::make_unique<MeshSolid>(std::move(mesh));
  constexpr double tolerated = 1e-3;  // scanned surfaces have small folds
  const double part = solid->overlapping_part();
  if (part > tolerated) {
    throw CaseError(name, "its parts overlap: " + short_number_text(100 * part, 2) +
                              " % of the surface lie inside another part, where the volume would count twice; "
                              "unite the parts into one surface");
  }
  if (const auto parts = separate_parts(*solid->triangles())) {
    warnings.push_back(name + ": its surface has " + *parts + "; does the file hold several grains?");
  }
  return solid;
}

}  // namespace scree::grains
