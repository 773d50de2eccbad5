#include <algorithm>
#include <cmath>

#include "host/geometry/real3.hpp"
#include "host/grains/distance_grid.hpp"
#include "host/grains/separate_parts.hpp"
#include "host/grains/voxel_field.hpp"
#include "host/grains/voxel_image.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

constexpr std::size_t padding = 10;  ///< [voxels] around a grain, which smoothing needs

/// The centre [m] of the first voxel of a block of an image.
Real3 origin_of(const LabelExtent& extent, const Real3& spacing) {
  Real3 origin{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    origin[axis] = spacing[axis] * (static_cast<double>(extent.low[axis]) - static_cast<double>(padding));
  }
  return origin;
}

VoxelBlock block_of(const VoxelImage& image, const LabelExtent& extent, std::uint32_t label, const Real3& spacing) {
  VoxelBlock block;
  block.spacing = spacing;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    block.size[axis] = std::size_t{extent.high[axis]} - extent.low[axis] + 1 + 2 * padding;
  }
  block.inside.assign(block.size[0] * block.size[1] * block.size[2], false);
  for (std::size_t k = extent.low[2]; k <= extent.high[2]; ++k) {
    for (std::size_t j = extent.low[1]; j <= extent.high[1]; ++j) {
      for (std::size_t i = extent.low[0]; i <= extent.high[0]; ++i) {
        const std::size_t from = (k * image.size[1] + j) * image.size[0] + i;
        const std::size_t to =
            block.index(i - extent.low[0] + padding, j - extent.low[1] + padding, k - extent.low[2] + padding);
        block.inside[to] = image.label[from] == label;
      }
    }
  }
  return block;
}

/// A grid with equal spacings along all axes over the block, without its outermost voxels.
Grid grid_over(const VoxelBlock& block, const Real3& origin) {
  Grid grid;
  grid.spacing = *std::min_element(block.spacing.begin(), block.spacing.end());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double length = block.spacing[axis] * static_cast<double>(block.size[axis] - 5);
    const double steps = std::ceil(length / grid.spacing);
    grid.size[axis] = static_cast<std::uint32_t>(steps) + 1;
    grid.origin[axis] = origin[axis] + 2 * block.spacing[axis];
  }
  return grid;
}

class VoxelSolid final : public Solid {
 public:
  VoxelSolid(const VoxelBlock& block, const Real3& origin)
      : field_(block, origin, smoothed(block, voxel_distances(block))),
        grid_(grid_over(block, origin)),
        surface_(field_, grid_) {
    if (surface_.triangles().triangles.empty()) return;
    constexpr double layers = 2.5;  // more than the widest step
    const Placed here{*this, {{}, {}, {Real3{1, 0, 0}, Real3{0, 1, 0}, Real3{0, 0, 1}}}};
    moments_ = moments_of_grid(grid_, sample_distance(here, grid_, layers));
  }

  double distance(const Real3& point) const override { return surface_.distance(point); }
  double level(const Real3& point) const override { return field_.level(point); }
  clumps::Moments moments() const override { return moments_; }
  double reach(const Real3& direction) const override {
    double most = geometry::dot(surface_.triangles().vertices.at(0), direction);
    for (const Real3& vertex : surface_.triangles().vertices) most = std::max(most, geometry::dot(vertex, direction));
    return most + 0.25 * grid_.spacing;  // the surface bulges out between the vertices
  }
  double farthest(const Real3& from) const override {
    double squared = 0;
    for (const Real3& vertex : surface_.triangles().vertices) {
      squared = std::max(squared, geometry::squared_length(geometry::subtract(vertex, from)));
    }
    return std::sqrt(squared);
  }
  const TriangleMesh* triangles() const override { return &surface_.triangles(); }
  std::string mass_method() const override { return "from a grid over the voxels, extrapolated"; }

 private:
  VoxelField field_;
  Grid grid_;
  ImplicitSurface surface_;
  clumps::Moments moments_;
};

/// Warns if smoothing has changed the volume, as it does for grains that are only a few voxels thick.
void warn_of_volume(const Solid& solid, double of_voxels, const std::string& name, std::vector<std::string>& warnings) {
  constexpr double allowed = 0.02;  // for round grains of at least seven voxels the change is below 0.005
  const double off = solid.moments().volume / of_voxels - 1;
  if (!(solid.moments().volume > 0) || std::fabs(off) <= allowed) return;
  warnings.push_back(name + ": its volume is " + short_number_text(100 * std::fabs(off), 2) + " % " +
                     (off < 0 ? "less" : "more") +
                     " than that of its voxels: it is so small or thin that smoothing changes it; finer voxels help");
}

}  // namespace

SolidPointer make_voxel_solid(const VoxelImage& image, const LabelExtent& extent, std::uint32_t label, double scale,
                              const std::string& name, std::vector<std::string>& warnings) {
  const Real3 spacing = geometry::scaled(image.spacing, scale);
  const auto [least, most] = std::minmax_element(spacing.begin(), spacing.end());
  constexpr double most_flat = 4;
  if (!std::isnormal(*least) || !std::isfinite(*most) || !(*most <= most_flat * *least)) {
    throw CaseError(name, "the edges of a voxel may differ by a factor of " + number_text(most_flat) + " at most");
  }
  VoxelBlock block = block_of(image, extent, label, spacing);
  const std::size_t dropped = keep_largest_piece(block);
  if (extent.count - dropped < fewest_voxels) {
    throw CaseError(name, "is too small for a grain: its largest piece has " + std::to_string(extent.count - dropped) +
                              " voxels, " + std::to_string(fewest_voxels) + " are needed");
  }
  if (dropped > 0) {
    warnings.push_back(name + ": " + count_text(dropped) + " of " + count_text(extent.count) +
                       " voxels do not touch the largest piece and were left out");
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (extent.low[axis] > 0 && extent.high[axis] + 1 < image.size[axis]) continue;
    warnings.push_back(name + ": touches a face of the image, which may have cut it");
    break;
  }
  auto solid = std::make_unique<VoxelSolid>(block, origin_of(extent, spacing));
  const double of_voxels = static_cast<double>(extent.count - dropped) * spacing[0] * spacing[1] * spacing[2];
  warn_of_volume(*solid, of_voxels, name, warnings);
  // Smoothing cuts necks of one or two voxels, such as necks between grains that the segmentation did not separate.
  if (const auto parts = separate_parts(*solid->triangles())) {
    warnings.push_back(name + ": smoothing cuts it into " + *parts + "; does the label hold several grains?");
  }
  return solid;
}

}  // namespace scree::grains
