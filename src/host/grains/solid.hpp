#pragma once

#include <memory>
#include <optional>
#include <string>

#include "host/clumps/clump.hpp"
#include "scree/scene.hpp"

namespace scree::grains {

/// A body whose signed distance is known everywhere, from which a template is made. Several threads may call its
/// methods.
class Solid {
 public:
  Solid() = default;
  virtual ~Solid() = default;
  Solid(const Solid&) = delete;
  Solid& operator=(const Solid&) = delete;

  /// Signed distance [m] from the surface to a point, negative inside.
  [[nodiscard]] virtual double distance(const Real3& point) const = 0;
  /// A cheaper function that is zero on the same surface and near it is about the distance [m]. Normals and nodes use
  /// it.
  [[nodiscard]] virtual double level(const Real3& point) const { return distance(point); }
  /// Integrals over the body with density 1.
  [[nodiscard]] virtual clumps::Moments moments() const = 0;
  /// The largest projection p . direction [m] of the points of the body on a unit vector.
  [[nodiscard]] virtual double reach(const Real3& direction) const = 0;
  /// The largest distance [m] from a point to a point of the body.
  [[nodiscard]] virtual double farthest(const Real3& from) const = 0;
  /// The area [m2] of the surface; none if it is not known.
  [[nodiscard]] virtual std::optional<double> area() const { return std::nullopt; }
  /// Triangles on or near the surface if distances are costly; otherwise null.
  [[nodiscard]] virtual const TriangleMesh* triangles() const { return nullptr; }
  /// The method for volume and inertia as text, such as "in closed form".
  [[nodiscard]] virtual std::string mass_method() const { return "in closed form"; }
};

using SolidPointer = std::unique_ptr<const Solid>;

// Bodies that formulas define, with their centres at the origin. All lengths [m] must be positive and finite.

[[nodiscard]] SolidPointer make_sphere(double radius);
[[nodiscard]] SolidPointer make_box(const Real3& half_edges);
/// A cylinder about z with hemispheres at its ends; `half_length` is half the distance between their centres.
[[nodiscard]] SolidPointer make_capsule(double radius, double half_length);
/// A cylinder about z.
[[nodiscard]] SolidPointer make_cylinder(double radius, double half_height);
/// A torus about z; `minor_radius` must be less than `major_radius`.
[[nodiscard]] SolidPointer make_torus(double major_radius, double minor_radius);

/// A body with its principal frame, which converts points [m] between the frame of the solid and the body frame.
struct Placed {
  const Solid& solid;
  clumps::PrincipalFrame frame;

  [[nodiscard]] Real3 in_solid(const Real3& body) const;
  [[nodiscard]] Real3 in_body(const Real3& point) const;
  [[nodiscard]] double distance(const Real3& body) const { return solid.distance(in_solid(body)); }
};

}  // namespace scree::grains
