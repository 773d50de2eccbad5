#include "host/modes/mode_fields.hpp"

#include <algorithm>
#include <cmath>

#include "host/geometry/real3.hpp"
#include "host/grains/make_grain.hpp"
#include "host/grains/trilinear.hpp"
#include "scree/errors.hpp"

namespace scree::modes {
namespace {

using Index = Eigen::Index;

Real3 value_at(const Matrix& modes, Index mode, const ShapeFunctions& at) {
  Real3 value{};
  for (std::size_t c = 0; c < 8; ++c) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      value[axis] += at.weight[c] * modes(3 * at.point[c] + static_cast<Index>(axis), mode);
    }
  }
  return value;
}

/// The source of the value of each point of the grid.
struct Extension {
  enum class Kind : std::uint8_t { none, mesh, surface, neighbours };
  std::vector<Kind> kind;                  ///< [points of the grid]
  std::vector<std::size_t> order;          ///< points with Kind::neighbours, those near the grain first
  std::vector<std::uint16_t> layer;        ///< [points of the grid] layers away from a point of another kind
  std::vector<ShapeFunctions> at_surface;  ///< shape functions for points with Kind::surface, in ascending order
};

/// The shape functions at the point of the surface nearest to a place [m]; nothing if no cell is there.
std::optional<ShapeFunctions> nearest_on_surface(const GrainShape& shape, const CutCells& cells, Real3 place) {
  const grains::Grid grid = grains::grid_of(shape);
  for (int pass = 0; pass < 3; ++pass) {
    const auto phi = grains::trilinear_with_nodal_gradient<float>(grid, shape.phi, place);
    if (!phi) return std::nullopt;
    const double slope = geometry::squared_length(phi->gradient);
    if (!(slope > 0.25)) return std::nullopt;
    place = geometry::along(place, -phi->value / slope, phi->gradient);
  }
  return shape_functions(cells, in_spacings(shape, place));
}

/// Calls visit(neighbour) for the up to 26 neighbours of a point of the grid.
template <class Visit>
void for_each_neighbour(const std::array<std::uint32_t, 3>& size, std::size_t at, Visit&& visit) {
  const std::array<std::size_t, 3> place = {at % size[0], at / size[0] % size[1], at / size[0] / size[1]};
  for (std::size_t way = 0; way < 27; ++way) {
    const std::array<std::size_t, 3> next = {place[0] + way % 3, place[1] + way / 3 % 3, place[2] + way / 9};
    const bool is_on_grid =
        next[0] >= 1 && next[0] <= size[0] && next[1] >= 1 && next[1] <= size[1] && next[2] >= 1 && next[2] <= size[2];
    if (way != 13 && is_on_grid) visit(((next[2] - 1) * size[1] + next[1] - 1) * size[0] + next[0] - 1);
  }
}

Extension extend(const GrainShape& shape, const CutCells& cells) {
  constexpr double reach = 3.5;  // [spacings] from the surface within which points take values of the surface
  const grains::Grid grid = grains::grid_of(shape);
  Extension extension;
  extension.kind.assign(shape.points(), Extension::Kind::none);
  extension.layer.assign(shape.points(), 0);
  std::vector<std::size_t> last;
  grains::for_each_point(grid, 0, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
    auto& kind = extension.kind[at];
    if (cells.point_at[at] >= 0) {
      kind = Extension::Kind::mesh;
    } else if (std::fabs(shape.phi[at]) < static_cast<float>(reach * shape.spacing)) {
      if (const auto found = nearest_on_surface(shape, cells, grid.place(i, j, k))) {
        kind = Extension::Kind::surface;
        extension.at_surface.push_back(*found);
      }
    }
    if (kind != Extension::Kind::none) last.push_back(at);
  });
  for (std::uint16_t layer = 1; !last.empty(); ++layer) {
    std::vector<std::size_t> next;
    for (const std::size_t at : last) {
      for_each_neighbour(shape.size, at, [&](std::size_t beside) {
        if (extension.kind[beside] != Extension::Kind::none) return;
        extension.kind[beside] = Extension::Kind::neighbours;
        extension.layer[beside] = layer;
        next.push_back(beside);
      });
    }
    extension.order.insert(extension.order.end(), next.begin(), next.end());
    last = std::move(next);
  }
  return extension;
}

void fill_field(const GrainShape& shape, const CutCells& cells, const Extension& extension, const Matrix& modes,
                Index mode, std::array<float, 3>* field) {
  std::vector<Real3> value(shape.points());
  std::size_t at_surface = 0;
  for (std::size_t at = 0; at < value.size(); ++at) {
    if (extension.kind[at] == Extension::Kind::mesh) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        value[at][axis] = modes(3 * cells.point_at[at] + static_cast<Index>(axis), mode);
      }
    } else if (extension.kind[at] == Extension::Kind::surface) {
      value[at] = value_at(modes, mode, extension.at_surface[at_surface++]);
    }
  }
  for (const std::size_t at : extension.order) {
    Real3 sum{};
    double count = 0;
    for_each_neighbour(shape.size, at, [&](std::size_t beside) {
      if (extension.layer[beside] >= extension.layer[at]) return;
      sum = geometry::add(sum, value[beside]);
      ++count;
    });
    value[at] = geometry::scaled(sum, 1 / count);
  }
  for (std::size_t at = 0; at < value.size(); ++at) {
    for (std::size_t axis = 0; axis < 3; ++axis) field[at][axis] = static_cast<float>(value[at][axis]);
  }
}

/// Scales a mode such that its largest displacement of a node is 1. Returns its displacements at the nodes.
std::vector<Real3> scale_mode(const std::vector<ShapeFunctions>& at_node, Index mode, Matrix& modes) {
  std::vector<Real3> value;
  value.reserve(at_node.size());
  for (const ShapeFunctions& at : at_node) value.push_back(value_at(modes, mode, at));
  const auto longer = [](const Real3& a, const Real3& b) {
    return geometry::squared_length(a) < geometry::squared_length(b);
  };
  const Real3 largest = *std::max_element(value.begin(), value.end(), longer);
  const double factor = 1 / geometry::length(largest);
  modes.col(mode) *= factor;
  for (Real3& at : value) at = geometry::scaled(at, factor);
  return value;
}

}  // namespace

GrainModes modes_of_template(const GrainShape& shape, const ElasticBody& body, Matrix& modes, double poisson_ratio) {
  const CutCells& cells = body.cells();
  std::vector<ShapeFunctions> at_node;
  at_node.reserve(shape.node.size());
  for (std::size_t k = 0; k < shape.node.size(); ++k) {
    const auto at = shape_functions(cells, in_spacings(shape, shape.node[k]));
    if (!at) throw CaseError(shape.name, "its node " + std::to_string(k) + " lies in no cell of the grid");
    at_node.push_back(*at);
  }
  GrainModes made;
  made.count = static_cast<std::size_t>(modes.cols());
  made.poisson_ratio = poisson_ratio;
  made.largest.assign(made.count, 0);
  made.field.resize(made.count * shape.points());
  const Extension extension = extend(shape, cells);
  for (Index mode = 0; mode < modes.cols(); ++mode) {
    const std::vector<Real3> value = scale_mode(at_node, mode, modes);
    made.at_node.insert(made.at_node.end(), value.begin(), value.end());
    fill_field(shape, cells, extension, modes, mode,
               made.field.data() + static_cast<std::size_t>(mode) * shape.points());
  }
  const Matrix mass = modes.transpose() * (body.mass() * modes);
  const Matrix stiffness = modes.transpose() * (body.stiffness() * modes);
  const double h = shape.spacing;
  for (Index a = 0; a < modes.cols(); ++a) {
    for (Index b = 0; b < modes.cols(); ++b) {
      made.mass.push_back(0.5 * (mass(a, b) + mass(b, a)) * h * h * h);
      made.stiffness.push_back(0.5 * (stiffness(a, b) + stiffness(b, a)) * h);
    }
  }
  return made;
}

}  // namespace scree::modes
