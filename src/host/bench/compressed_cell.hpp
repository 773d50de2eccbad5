#pragma once

#include <cstdint>

#include "scree/scene.hpp"

namespace scree {

/// A dense periodic packing: loose spheres in a cubic cell, compressed from all sides until they carry. Copies of
/// it side by side are a packing in a larger periodic cell.
class CompressedCell {
 public:
  /// `across`^3 spheres; `threads` to compress them with.
  CompressedCell(int threads, int across);

  /// About `n` spheres at rest, a whole number of copies, in a cell that deforms with this gradient [1/s].
  [[nodiscard]] Scene scene(std::uint64_t n, Precision precision, const Matrix3& velocity_gradient) const;
  /// The same in a cell that holds the stress of the packing.
  [[nodiscard]] Scene scene_under_stress(std::uint64_t n, Precision precision) const;
  /// [1/s] rate of shear for an inertial number.
  [[nodiscard]] double shear_rate(double inertial_number) const;

 private:
  ParticleSet tile_;
  Matrix3 edges_{};
};

}  // namespace scree
