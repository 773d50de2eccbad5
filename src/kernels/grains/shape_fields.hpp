#pragma once

#include <cstdint>
#include <vector>

#include "kernels/math/four.hpp"
#include "scree/scene.hpp"

/// Computes the data of the field of a level-set shape that contacts of nodes read, from the values on its grid.
namespace scree::inline SCREE_BACKEND {

/// The distances on the grid, each with the gradient there: central differences, one-sided ones on the faces of the
/// grid.
std::vector<Four<float>> field_values_of(const GrainShape& shape);

/// The steepest slope of the field between the points of the grid, over the cells with a value above zero; at least 1.
double field_slope_of(const GrainShape& shape);

/// The least value in each of `blocks` of 2 x 2 x 2 cells, over the slope. Between the points of the grid no value is
/// below those around it.
std::vector<float> field_bounds_of(const GrainShape& shape, const std::uint32_t (&blocks)[3], double slope);

}  // namespace scree::inline SCREE_BACKEND
