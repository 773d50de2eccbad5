#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/grains/grid.hpp"
#include "host/grains/solid.hpp"
#include "scree/grain_shape.hpp"

namespace scree::grains {

struct GrainChoice {
  double spacing = 0;         ///< [m] spacing of the grid
  double node_spacing = 0.9;  ///< [spacings of the grid] between nodes on flat faces; a fifth less on curved ones
};
inline constexpr double least_node_spacing = 0.1, most_node_spacing = 2;

/// The accuracy of a template.
struct GrainReport {
  std::string source;          ///< description of the source
  std::string mass_method;     ///< method for volume and inertia
  double node_distance = 0;    ///< [m] root of the mean area of a node
  double surface_rms = 0;      ///< [m] root mean square of phi at the nodes, interpolated as an engine does
  double surface_max = 0;      ///< [m] largest |phi| at a node
  double grid_volume = 0;      ///< [m3] volume from the distances at the points of the grid
  Real3 grid_inertia{};        ///< [m5] principal moments from these distances
  double node_area = 0;        ///< [m2] sum of the areas of the nodes
  std::optional<double> area;  ///< [m2] closed form; none if it is not known
  std::vector<std::string> warnings;
};

struct GrainTemplate {
  GrainShape shape;
  GrainReport report;
};

/// Makes the template of a body in its principal axes: the grid, with at least two layers of points outside the body,
/// and the nodes. The bits are the same everywhere. Throws CaseError (path: `name`) if the spacing is not positive, the
/// body has no volume, the grid does not resolve it, or the grid has more than `most_points`.
[[nodiscard]] GrainTemplate make_grain(const Solid& solid, const GrainChoice& choice, const std::string& name);
inline constexpr double most_points = 67'108'864;  ///< 2^26: 256 MiB of phi

/// The grid of a template.
[[nodiscard]] Grid grid_of(const GrainShape& shape);

/// The memory [bytes] of the arrays of a template.
[[nodiscard]] std::size_t memory_of(const GrainShape& shape);

/// Computes GrainShape::hash.
[[nodiscard]] std::string hash_of(const GrainShape& shape);

/// The first rule of GrainShape that is broken, such as "node_area has 3 rows instead of 4"; nothing if all hold.
[[nodiscard]] std::optional<std::string> fault_of(const GrainShape& shape);

/// The first rule that the modes of a shape break; nothing if all hold. Sizes must fit, values must be finite, the mass
/// symmetric and positive definite, and the stiffness symmetric; only a single mode may have a table, and the modes of
/// a term must ascend.
[[nodiscard]] std::optional<std::string> fault_of_modes(const GrainShape& shape);

}  // namespace scree::grains
