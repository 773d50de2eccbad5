#pragma once

#include <array>

#include "kernels/math/vec3.hpp"

/// Vectors of the public interface (Real3) as vectors of kernels, and back; for code that runs on the host alone.
namespace scree::inline SCREE_BACKEND {

[[nodiscard]] inline Vec3d vec(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

[[nodiscard]] inline Vec3d unit(const Vec3d& a) { return (1.0 / norm(a)) * a; }

template <class R>
[[nodiscard]] std::array<double, 3> real3(const Vec3<R>& a) {
  return {double(a.x), double(a.y), double(a.z)};
}

}  // namespace scree::inline SCREE_BACKEND
