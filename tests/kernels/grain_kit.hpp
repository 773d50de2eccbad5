#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "../physics/clump_shapes.hpp"
#include "support.hpp"

/// Level-set grains for tests, made here from formulas: nothing of the host is needed.
namespace scree::inline SCREE_BACKEND {

using DistanceOf = std::function<double(const Real3&)>;

inline double length_of(const Real3& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

inline DistanceOf ball(double radius) {
  return [radius](const Real3& x) { return length_of(x) - radius; };
}

/// A box with rounded edges; `half` are the half edges without the rounding.
inline DistanceOf rounded_box(const Real3& half, double rounding) {
  return [half, rounding](const Real3& x) {
    Real3 outside{};
    double inside = -1e300;
    for (std::size_t k = 0; k < 3; ++k) {
      const double q = std::abs(x[k]) - half[k];
      outside[k] = std::max(q, 0.0);
      inside = std::max(inside, q);
    }
    return length_of(outside) + std::min(inside, 0.0) - rounding;
  };
}

/// Fills the grid of a shape within `reach` of the origin, without the bias of trilinear interpolation.
inline void fill_grid(GrainShape& shape, const DistanceOf& distance, double reach, double spacing) {
  const auto half = static_cast<std::uint32_t>(std::ceil(reach / spacing)) + 3;
  shape.spacing = spacing;
  shape.size = {2 * half + 1, 2 * half + 1, 2 * half + 1};
  const double edge = -double(half) * spacing;
  shape.origin = {edge, edge, edge};
  shape.phi.clear();
  for (std::uint32_t k = 0; k < shape.size[2]; ++k) {
    for (std::uint32_t j = 0; j < shape.size[1]; ++j) {
      for (std::uint32_t i = 0; i < shape.size[0]; ++i) {
        const auto at = [&](double a, double b, double c) {
          return distance({shape.origin[0] + (i + a) * spacing, shape.origin[1] + (j + b) * spacing,
                           shape.origin[2] + (k + c) * spacing});
        };
        const double here = at(0, 0, 0);
        const double around = at(1, 0, 0) + at(-1, 0, 0) + at(0, 1, 0) + at(0, -1, 0) + at(0, 0, 1) + at(0, 0, -1);
        shape.phi.push_back(static_cast<float>(here - (around - 6 * here) / 12));
      }
    }
  }
}

/// A grain that every ray from its centre leaves once, with its axes as principal ones. The nodes lie on directions of
/// a spiral of equal solid angles.
inline GrainShape grain_of(const DistanceOf& distance, double reach, double spacing, std::size_t nodes) {
  GrainShape shape;
  shape.name = "grain";
  fill_grid(shape, distance, reach, spacing);
  const double golden = 3.14159265358979323846 * (3 - std::sqrt(5.0)),
               angle = 4 * 3.14159265358979323846 / double(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    const double z = 1 - (2 * double(n) + 1) / double(nodes), ring = std::sqrt(1 - z * z);
    const Real3 ray{ring * std::cos(golden * double(n)), ring * std::sin(golden * double(n)), z};
    const auto along = [&](double r) { return Real3{r * ray[0], r * ray[1], r * ray[2]}; };
    double low = 0, high = 1.01 * reach;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (distance(along(middle)) < 0 ? low : high) = middle;
    }
    const Real3 x = along(low);
    const double h = 1e-6 * reach;
    Real3 normal{};
    for (std::size_t k = 0; k < 3; ++k) {
      Real3 a = x, b = x;
      a[k] -= h, b[k] += h;
      normal[k] = (distance(b) - distance(a)) / (2 * h);
    }
    const double tilt = (normal[0] * ray[0] + normal[1] * ray[1] + normal[2] * ray[2]) / length_of(normal);
    shape.node.push_back(x);
    shape.node_area.push_back(angle * low * low / tilt);
    shape.volume += angle * low * low * low / 3;
    const double fifth = angle * low * low * low * low * low / 5;
    for (std::size_t k = 0; k < 3; ++k) { shape.inertia[k] += fifth * (1 - ray[k] * ray[k]); }
    shape.bounding_radius = std::max(shape.bounding_radius, low);
  }
  shape.equivalent_radius = std::cbrt(3 * shape.volume / angle / double(nodes));
  return shape;
}

/// Adds a shape; returns its number among the shapes of clumps. All particles of the first material are grains then.
inline std::uint32_t add_grain_shape(Scene& scene, const GrainShape& grain) {
  scene.grain_materials.assign(scene.materials.size(), false);
  scene.grain_materials[0] = true;
  ClumpShape shape;
  shape.name = grain.name;
  shape.position = {{0, 0, 0}};
  shape.radius = {1.01 * grain.bounding_radius};
  shape.volume = grain.volume;
  shape.inertia = grain.inertia;
  shape.bounding_radius = shape.radius[0];
  shape.grain = static_cast<std::uint32_t>(scene.grain_shapes.size());
  scene.grain_shapes.push_back(grain);
  scene.clump_shapes.push_back(shape);
  return static_cast<std::uint32_t>(scene.clump_shapes.size() - 1);
}

}  // namespace scree::inline SCREE_BACKEND
