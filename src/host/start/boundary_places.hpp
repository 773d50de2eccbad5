#pragma once

#include <array>
#include <optional>

#include "host/case/io/json.hpp"
#include "scree/boundaries.hpp"
#include "scree/values.hpp"

/// The places of the boundaries of a checkpoint.
namespace scree {

/// The movement of a boundary: a point that its case puts at X is at rotation X + offset.
struct BoundaryPlace {
  std::array<Real3, 3> rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< [-] rows
  Real3 offset{};                                                    ///< [m]
  double growth = 0;                                                 ///< [m] of the radius of a cylinder

  [[nodiscard]] bool has_turned() const { return rotation != BoundaryPlace{}.rotation; }
  [[nodiscard]] Real3 of_direction(const Real3& x) const;
  [[nodiscard]] Real3 of_point(const Real3& x) const;  ///< [m]
  [[nodiscard]] bool is_as_given() const { return !has_turned() && offset == Real3{} && growth == 0; }
};

/// The shape at that place, in terms of its own keys. None for a box that has turned, which has no such keys. It uses
/// no functions of the C library, so that the numbers are the same everywhere.
[[nodiscard]] std::optional<BoundaryShape> moved_shape(BoundaryShape shape, const BoundaryPlace& place);

/// The shape that a boundary of another case has, without its servo and its facets. None if it has none that is known.
[[nodiscard]] std::optional<BoundaryShape> shape_in(const Json& boundary);

/// Whether two shapes have the same keys. Folders of files do not count.
[[nodiscard]] bool is_same_surface(const BoundaryShape& a, const BoundaryShape& b);

}  // namespace scree
