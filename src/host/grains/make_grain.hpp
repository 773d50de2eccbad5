#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/grains/grid.hpp"
#include "host/grains/solid.hpp"
#include "scree/grain_shape.hpp"

namespace scree::grains {

struct GrainChoice {
  double spacing = 0;         ///< [m] of the grid
  double node_spacing = 0.9;  ///< [spacings of the grid] of nodes on flat faces; on curved ones they are a fifth nearer
};
inline constexpr double least_node_spacing = 0.1, most_node_spacing = 2;

/// How well a template stands for its source.
struct GrainReport {
  std::string source;          ///< what it was made of
  std::string mass_method;     ///< how volume and inertia were found
  double node_distance = 0;    ///< [m] root of the mean area of a node
  double surface_rms = 0;      ///< [m] root mean square of phi at the nodes, interpolated as an engine does
  double surface_max = 0;      ///< [m] largest |phi| at a node
  double grid_volume = 0;      ///< [m3] volume from the distances at the points of the grid
  Real3 grid_inertia{};        ///< [m5] principal moments from them
  double node_area = 0;        ///< [m2] sum over the nodes
  std::optional<double> area;  ///< [m2] closed form, where there is one
  std::vector<std::string> warnings;
};

struct GrainTemplate {
  GrainShape shape;
  GrainReport report;
};

/// A template of a body: principal axes first, then the grid, with two layers of points outside of the body at least,
/// and the nodes. Throws CaseError (path: `name`) for a spacing that is not positive, for a body without volume, for
/// one that the grid does not resolve, and for a grid of more than `most_points`. The same bits everywhere.
[[nodiscard]] GrainTemplate make_grain(const Solid& solid, const GrainChoice& choice, const std::string& name);
inline constexpr double most_points = 67'108'864;  ///< 2^26: 256 MiB of phi

/// The grid of a template.
[[nodiscard]] Grid grid_of(const GrainShape& shape);

/// Bytes of its arrays.
[[nodiscard]] std::size_t memory_of(const GrainShape& shape);

/// What GrainShape::hash is for these numbers.
[[nodiscard]] std::string hash_of(const GrainShape& shape);

/// The first rule of GrainShape that does not hold, as "node_area has 3 rows, there are 4 nodes"; nothing when all do.
[[nodiscard]] std::optional<std::string> fault_of(const GrainShape& shape);

/// The same for its modes: sizes, finite values, a mass that is symmetric and positive definite, a stiffness that is
/// symmetric, a table for one mode only, terms in ascending order.
[[nodiscard]] std::optional<std::string> fault_of_modes(const GrainShape& shape);

}  // namespace scree::grains
