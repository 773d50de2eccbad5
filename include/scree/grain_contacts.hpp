#pragma once

#include <cstdint>
#include <optional>

/// Settings of the contacts of level-set grains, which cases and scenes share.
namespace scree {

/// How contacts get the level set of a grain that deforms.
enum class FieldUpdate {
  remap,          ///< the point itself is moved back to the undeformed grain
  remap_corners,  ///< the corners of its cell of the grid are moved back, and the values there are interpolated
  recompute,      ///< each grain has its own grid of distances from its deformed triangles
  advect,         ///< each grain has its own grid, whose values are advected with the deformation in each step
  precomputed,    ///< each shape has grids for some amplitudes of each mode; the field is interpolated between them
};

/// How level-set grains touch.
struct GrainContacts {
  /// the nodes of both grains touch, each with half of the force; otherwise only the nodes of the smaller grain touch
  bool two_pass = false;
  bool by_area = true;  ///< the force of a node is proportional to its area; otherwise each node is one contact
  /// iterations that improve the first guess of the place of a point in the undeformed grain; none: until it converges
  std::optional<std::uint64_t> remap_iterations{};
  FieldUpdate field_update = FieldUpdate::remap;
  /// for `precomputed`: number of amplitudes of each sign of each mode, besides zero; none: 2
  std::optional<std::uint64_t> field_levels{};
};

}  // namespace scree
