#pragma once

#include <cstdint>

#include "scree/scene.hpp"

namespace scree {

/// A dense periodic packing: loose spheres in a cubic cell that is compressed from all sides until they carry the
/// stress. Copies of the packing side by side are a packing in a larger periodic cell.
class CompressedCell {
 public:
  /// Makes a packing of `across`^3 spheres. `threads` is the number of threads that compress it.
  CompressedCell(int threads, int across);

  /// A scene of about `n` spheres at rest, in a whole number of copies. The cell deforms with this velocity gradient
  /// [1/s].
  [[nodiscard]] Scene scene(std::uint64_t n, Precision precision, const Matrix3& velocity_gradient) const;
  /// A scene of about `n` spheres at rest in a cell that holds the stress of the packing.
  [[nodiscard]] Scene scene_under_stress(std::uint64_t n, Precision precision) const;
  /// [1/s] The rate of shear for an inertial number.
  [[nodiscard]] double shear_rate(double inertial_number) const;

 private:
  ParticleSet tile_;
  Matrix3 edges_{};
};

}  // namespace scree
