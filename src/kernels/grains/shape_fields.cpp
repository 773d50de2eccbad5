#include "kernels/grains/shape_fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::inline SCREE_BACKEND {

std::vector<Four<float>> field_values_of(const GrainShape& shape) {
  const std::size_t n[3] = {shape.size[0], shape.size[1], shape.size[2]};
  const std::size_t stride[3] = {1, n[0], n[0] * n[1]};
  std::vector<Four<float>> values(shape.points());
  for (std::size_t k = 0; k < n[2]; ++k) {
    for (std::size_t j = 0; j < n[1]; ++j) {
      for (std::size_t i = 0; i < n[0]; ++i) {
        const std::size_t at[3] = {i, j, k}, here = k * stride[2] + j * stride[1] + i;
        float gradient[3];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const std::size_t low = at[axis] > 0 ? here - stride[axis] : here;
          const std::size_t high = at[axis] + 1 < n[axis] ? here + stride[axis] : here;
          const std::size_t steps = (high - low) / stride[axis];
          gradient[axis] =
              static_cast<float>((double(shape.phi[high]) - double(shape.phi[low])) / (double(steps) * shape.spacing));
        }
        values[here] = Four<float>::of(shape.phi[here], gradient[0], gradient[1], gradient[2]);
      }
    }
  }
  return values;
}

// The gradient of trilinear interpolation is longest at a corner of the cell, where it has the differences along the
// three edges.
double field_slope_of(const GrainShape& shape) {
  const std::size_t n[3] = {shape.size[0], shape.size[1], shape.size[2]};
  const std::size_t stride[3] = {1, n[0], n[0] * n[1]};
  double steepest = 0;
  for (std::size_t k = 0; k + 1 < n[2]; ++k) {
    for (std::size_t j = 0; j + 1 < n[1]; ++j) {
      for (std::size_t i = 0; i + 1 < n[0]; ++i) {
        const float* first = &shape.phi[k * stride[2] + j * stride[1] + i];
        bool any = false;
        double most = 0;
        for (std::size_t corner = 0; corner < 8; ++corner) {
          const float* at =
              first + (corner & 1) * stride[0] + (corner >> 1 & 1) * stride[1] + (corner >> 2) * stride[2];
          any = any || *at > 0;
          double square = 0;
          for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::ptrdiff_t step = std::ptrdiff_t(stride[axis]) * ((corner >> axis & 1) != 0 ? -1 : 1);
            square += (double(at[step]) - double(*at)) * (double(at[step]) - double(*at));
          }
          most = std::max(most, square);
        }
        if (any) { steepest = std::max(steepest, most); }
      }
    }
  }
  return std::max(1.0, std::sqrt(steepest) / shape.spacing);
}

std::vector<float> field_bounds_of(const GrainShape& shape, const std::uint32_t (&blocks)[3], double slope) {
  std::vector<float> bounds;
  const std::size_t nx = shape.size[0], ny = shape.size[1], nz = shape.size[2];
  for (std::size_t k = 0; k < blocks[2]; ++k) {
    for (std::size_t j = 0; j < blocks[1]; ++j) {
      for (std::size_t i = 0; i < blocks[0]; ++i) {
        float least = std::numeric_limits<float>::max();
        for (std::size_t c = 2 * k; c < std::min(2 * k + 3, nz); ++c) {
          for (std::size_t b = 2 * j; b < std::min(2 * j + 3, ny); ++b) {
            for (std::size_t a = 2 * i; a < std::min(2 * i + 3, nx); ++a) {
              least = std::min(least, shape.phi[(c * ny + b) * nx + a]);
            }
          }
        }
        bounds.push_back(static_cast<float>(double(least) / slope));
      }
    }
  }
  return bounds;
}

}  // namespace scree::inline SCREE_BACKEND
