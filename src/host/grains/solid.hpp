#pragma once

#include <memory>
#include <optional>
#include <string>

#include "host/clumps/clump.hpp"
#include "scree/scene.hpp"

namespace scree::grains {

/// What a template is made of: a body whose signed distance is known everywhere. Several threads may ask at once.
class Solid {
 public:
  Solid() = default;
  virtual ~Solid() = default;
  Solid(const Solid&) = delete;
  Solid& operator=(const Solid&) = delete;

  /// Signed distance [m] of a point, negative inside.
  [[nodiscard]] virtual double distance(const Real3& point) const = 0;
  /// A function with the same surface, and about the same values near it, that costs less. Normals and nodes use it.
  [[nodiscard]] virtual double level(const Real3& point) const { return distance(point); }
  /// Integrals over the body with density 1.
  [[nodiscard]] virtual clumps::Moments moments() const = 0;
  /// How far the body reaches along a direction of length 1 [m]: the largest p . direction of its points.
  [[nodiscard]] virtual double reach(const Real3& direction) const = 0;
  /// Largest distance of its points from a point [m].
  [[nodiscard]] virtual double farthest(const Real3& from) const = 0;
  /// [m2] of the surface, where it is known.
  [[nodiscard]] virtual std::optional<double> area() const { return std::nullopt; }
  /// Triangles on the surface or near it, where distances are costly; else none.
  [[nodiscard]] virtual const TriangleMesh* triangles() const { return nullptr; }
  /// "in closed form", "of the mesh": how volume and inertia were found.
  [[nodiscard]] virtual std::string mass_method() const { return "in closed form"; }
};

using SolidPointer = std::unique_ptr<const Solid>;

/// Bodies by formulas, about the origin. The lengths are positive and finite.
[[nodiscard]] SolidPointer make_sphere(double radius);
[[nodiscard]] SolidPointer make_box(const Real3& half_edges);
/// A cylinder about z with half balls at its ends; `half_length` is that of the axis between their centres.
[[nodiscard]] SolidPointer make_capsule(double radius, double half_length);
/// A cylinder about z.
[[nodiscard]] SolidPointer make_cylinder(double radius, double half_height);
/// A ring about z; `minor_radius` < `major_radius`.
[[nodiscard]] SolidPointer make_torus(double major_radius, double minor_radius);

/// A body in its principal axes about its centre of mass.
struct Placed {
  const Solid& solid;
  clumps::PrincipalFrame frame;

  [[nodiscard]] Real3 in_solid(const Real3& body) const;
  [[nodiscard]] Real3 in_body(const Real3& point) const;
  [[nodiscard]] double distance(const Real3& body) const { return solid.distance(in_solid(body)); }
};

}  // namespace scree::grains
