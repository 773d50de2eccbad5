#pragma once

#include <vector>

#include "host/grains/implicit_solid.hpp"

namespace scree::grains {

/// A block of voxels; x varies fastest.
struct VoxelBlock {
  std::array<std::size_t, 3> size{};
  Real3 spacing{};  ///< [m]
  std::vector<bool> inside;

  [[nodiscard]] std::size_t index(std::size_t i, std::size_t j, std::size_t k) const {
    return (k * size[1] + j) * size[0] + i;
  }
  [[nodiscard]] std::array<std::size_t, 3> stride() const { return {1, size[0], size[0] * size[1]}; }
};

/// Keeps only the largest piece of voxels that are connected by faces (the first of equal ones). Returns the number of
/// voxels that were removed.
std::size_t keep_largest_piece(VoxelBlock& block);

/// Signed distances [m] from the faces between inner and outer voxels to the middles of all voxels: exact distances
/// between middles (Felzenszwalb, Huttenlocher 2012) minus half a voxel. The block must have both kinds of voxels.
[[nodiscard]] std::vector<double> voxel_distances(const VoxelBlock& block);

/// Smooths distances by a Gaussian G of 1.5 voxels. G alone would shrink a curved surface, but 3 G - 3 G G + G G G has
/// only errors of the sixth order. On a sphere of ten voxels, 0.08 voxels of noise and errors of 3 degrees of the
/// normals are left.
[[nodiscard]] std::vector<double> smoothed(const VoxelBlock& block, const std::vector<double>& distances);

/// Cubic interpolation (Catmull-Rom) of values at the middles of voxels; constant beyond the block.
class VoxelField final : public Implicit {
 public:
  VoxelField(const VoxelBlock& block, const Real3& origin, std::vector<double> values);
  [[nodiscard]] ValueAndGradient at(const Real3& point) const override;

 private:
  std::array<std::size_t, 3> size_;
  Real3 spacing_, origin_;
  std::vector<double> values_;
};

}  // namespace scree::grains
