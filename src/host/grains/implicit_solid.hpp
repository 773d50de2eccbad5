#pragma once

#include <memory>

#include "host/grains/contour.hpp"
#include "host/grains/solid.hpp"
#include "host/grains/triangle_tree.hpp"
#include "host/grains/trilinear.hpp"

namespace scree::grains {

/// A function with its gradient that is negative inside a body, zero on its surface, and smooth near it. It need not be
/// a distance.
class Implicit {
 public:
  Implicit() = default;
  virtual ~Implicit() = default;
  Implicit(const Implicit&) = delete;
  Implicit& operator=(const Implicit&) = delete;

  [[nodiscard]] virtual ValueAndGradient at(const Real3& point) const = 0;

  /// The value over the length of the gradient. Near the surface this is about the distance [m].
  [[nodiscard]] double level(const Real3& point) const;
};

/// Computes distances from the surface of a function. The search for the nearest point begins on triangles near the
/// surface and continues along the surface itself.
class ImplicitSurface {
 public:
  /// `grid` must enclose and resolve the surface.
  ImplicitSurface(const Implicit& function, const Grid& grid);

  [[nodiscard]] double distance(const Real3& point) const;
  [[nodiscard]] const TriangleMesh& triangles() const { return mesh_; }

 private:
  /// A point on the surface and the unit normal there.
  struct Foot {
    Real3 place{}, normal{};
  };
  [[nodiscard]] Foot onto(Real3 point) const;

  const Implicit& function_;
  double spacing_;
  TriangleMesh mesh_;
  std::unique_ptr<const TriangleTree> tree_;  ///< null if no point of the grid lies inside
};

/// A superellipsoid: (|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1) = 1 with `half_axes` a, b, c [m]. Exponents
/// range from least_exponent (nearly a box) over 1 (an ellipsoid) to 2 (an octahedron). Throws ContractError for
/// others.
[[nodiscard]] SolidPointer make_superellipsoid(const Real3& half_axes, double e1, double e2);
inline constexpr double least_exponent = 0.1, most_exponent = 2;

}  // namespace scree::grains
