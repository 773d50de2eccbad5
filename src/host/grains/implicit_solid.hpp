#pragma once

#include <memory>

#include "host/grains/contour.hpp"
#include "host/grains/solid.hpp"
#include "host/grains/triangle_tree.hpp"
#include "host/grains/trilinear.hpp"

namespace scree::grains {

/// A function that is negative inside of a body, zero on its surface and smooth near it, with its gradient. It need not
/// be a distance.
class Implicit {
 public:
  Implicit() = default;
  virtual ~Implicit() = default;
  Implicit(const Implicit&) = delete;
  Implicit& operator=(const Implicit&) = delete;

  [[nodiscard]] virtual ValueAndGradient at(const Real3& point) const = 0;

  /// The value over the length of the gradient: near the surface the distance [m].
  [[nodiscard]] double level(const Real3& point) const;
};

/// Distances from the surface of a function. The nearest point starts on triangles that follow the surface, and moves
/// along the surface itself until it is nearest.
class ImplicitSurface {
 public:
  /// `grid` lies around the surface; its spacing resolves it.
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
  std::unique_ptr<const TriangleTree> tree_;  ///< none: the grid has no point inside
};

/// ((|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1) = 1. Exponents from least_exponent (nearly a box) over 1 (an
/// ellipsoid) to 2 (an octahedron).
[[nodiscard]] SolidPointer make_superellipsoid(const Real3& half_axes, double e1, double e2);
inline constexpr double least_exponent = 0.1, most_exponent = 2;

}  // namespace scree::grains
