#pragma once

#include <array>
#include <optional>

#include "host/case/io/json.hpp"
#include "scree/boundaries.hpp"
#include "scree/values.hpp"

/// The places of boundaries in a checkpoint.
namespace scree {

/// How far a boundary has moved: a point at X in its case is now at rotation X + offset.
struct BoundaryPlace {
  std::array<Real3, 3> rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< [-] rows
  Real3 offset{};                                                    ///< [m]
  double growth = 0;                                                 ///< [m] increase of the radius of a cylinder

  [[nodiscard]] bool has_turned() const { return rotation != BoundaryPlace{}.rotation; }
  [[nodiscard]] Real3 of_direction(const Real3& x) const;
  [[nodiscard]] Real3 of_point(const Real3& x) const;  ///< [m]
  [[nodiscard]] bool is_as_given() const { return !has_turned() && offset == Real3{} && growth == 0; }
};

/// The shape of a boundary after it has moved, with the keys of the shape. None for a box that has rotated, because no
/// keys describe it. Uses no mathematical functions of the C library, so that the bits are the same everywhere.
[[nodiscard]] std::optional<BoundaryShape> moved_shape(BoundaryShape shape, const BoundaryPlace& place);

/// The shape of a boundary in the JSON of another case, without its servo and facets. None if its type is unknown.
[[nodiscard]] std::optional<BoundaryShape> shape_in(const Json& boundary);

/// Whether two shapes have the same keys, apart from the folders of files.
[[nodiscard]] bool is_same_surface(const BoundaryShape& a, const BoundaryShape& b);

}  // namespace scree
