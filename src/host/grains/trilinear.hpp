#pragma once

#include <optional>
#include <span>

#include "host/grains/grid.hpp"

namespace scree::grains {

struct ValueAndGradient {
  double value = 0;  ///< [m]
  Real3 gradient{};  ///< [-]
};

/// Trilinear interpolation of values at the points of a grid, with its own gradient, which is discontinuous between
/// cells. Exact for functions with the terms 1, x, y, z, xy, yz, zx and xyz. Nothing outside the grid.
template <class Number>
[[nodiscard]] std::optional<ValueAndGradient> trilinear(const Grid& grid, std::span<const Number> values,
                                                        const Real3& point);

/// Trilinear interpolation of the values and of central differences at the points, as an engine does it. At the faces
/// of the grid differences are one-sided. The gradient is continuous; on a sphere with a radius of 10 spacings the
/// error of its direction is at most 0.14 degrees. Nothing outside the grid.
template <class Number>
[[nodiscard]] std::optional<ValueAndGradient> trilinear_with_nodal_gradient(const Grid& grid,
                                                                            std::span<const Number> values,
                                                                            const Real3& point);

extern template std::optional<ValueAndGradient> trilinear(const Grid&, std::span<const float>, const Real3&);
extern template std::optional<ValueAndGradient> trilinear(const Grid&, std::span<const double>, const Real3&);
extern template std::optional<ValueAndGradient> trilinear_with_nodal_gradient(const Grid&, std::span<const float>,
                                                                              const Real3&);
extern template std::optional<ValueAndGradient> trilinear_with_nodal_gradient(const Grid&, std::span<const double>,
                                                                              const Real3&);

}  // namespace scree::grains
