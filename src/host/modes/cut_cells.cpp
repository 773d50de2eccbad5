#include "host/modes/cut_cells.hpp"

#include <algorithm>

#include "host/grains/grid.hpp"
#include "host/grains/make_grain.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::modes {
namespace {

constexpr std::size_t samples = 6;             ///< along each edge of a cell
constexpr double most_volume_left_out = 0.01;  ///< largest share of the volume outside the largest piece

using Corners = std::array<double, 8>;

double between(double a, double b, double part) { return a + part * (b - a); }

/// Calls visit(place in the cell, weight) for all samples of a cell. The weight is the part of the sample with phi < 0:
/// it is linear in phi, one half at phi = 0, and all or nothing at a distance of half a sample.
template <class Visit>
void for_each_sample(const Corners& phi, double spacing, Visit&& visit) {
  const auto middle = [](std::size_t k) { return (static_cast<double>(k) + 0.5) / samples; };
  constexpr double whole = 1.0 / (samples * samples * samples);
  for (std::size_t k = 0; k < samples; ++k) {
    std::array<double, 4> on_face{};
    for (std::size_t c = 0; c < 4; ++c) on_face[c] = between(phi[c], phi[c + 4], middle(k));
    for (std::size_t j = 0; j < samples; ++j) {
      const double left = between(on_face[0], on_face[2], middle(j));
      const double right = between(on_face[1], on_face[3], middle(j));
      for (std::size_t i = 0; i < samples; ++i) {
        const double part = 0.5 - samples * between(left, right, middle(i)) / spacing;
        visit(Real3{middle(i), middle(j), middle(k)}, whole * std::clamp(part, 0.0, 1.0));
      }
    }
  }
}

double fraction_of(const Corners& phi, double spacing) {
  const auto [low, high] = std::minmax_element(phi.begin(), phi.end());
  if (*low >= 0) return 0;
  if (*high < 0) return 1;
  double sum = 0;
  for_each_sample(phi, spacing, [&](const Real3&, double weight) { sum += weight; });
  return sum;
}

Corners corners_of(const GrainShape& shape, const CutCells& cells, std::size_t first) {
  Corners phi{};
  for (std::size_t c = 0; c < 8; ++c) phi[c] = static_cast<double>(shape.phi[first + cells.corner_step[c]]);
  return phi;
}

std::array<double, 8> weights_at(const Real3& part) {
  std::array<double, 8> weight{};
  for (std::size_t c = 0; c < 8; ++c) {
    weight[c] = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) weight[c] *= ((c >> axis) & 1U) != 0 ? part[axis] : 1 - part[axis];
  }
  return weight;
}

/// Marks the cells of the piece that contains the cell `start`. Returns the volume of the piece.
double fill_piece(const std::vector<double>& fraction, const std::array<std::size_t, 3>& stride, std::size_t start,
                  std::int32_t piece, std::vector<std::int32_t>& piece_at) {
  std::vector<std::size_t> open = {start};
  piece_at[start] = piece;
  double volume = 0;
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    volume += fraction[at];
    for (const std::size_t step : stride) {  // no index leaves the grid, because its outermost layers have no cells
      for (const std::size_t next : {at - step, at + step}) {
        if (fraction[next] > 0 && piece_at[next] < 0) {
          piece_at[next] = piece;
          open.push_back(next);
        }
      }
    }
  }
  return volume;
}

/// Sets the fraction of all cells that do not belong to the largest piece to 0.
void keep_largest_piece(const GrainShape& shape, std::vector<double>& fraction) {
  std::vector<std::int32_t> piece_at(fraction.size(), -1);
  std::vector<double> volume;
  for (std::size_t at = 0; at < fraction.size(); ++at) {
    if (fraction[at] > 0 && piece_at[at] < 0) {
      const auto piece = static_cast<std::int32_t>(volume.size());
      volume.push_back(fill_piece(fraction, grains::grid_of(shape).stride(), at, piece, piece_at));
    }
  }
  if (volume.empty()) throw CaseError(shape.name, "no cell of the grid lies in the grain");
  const auto largest = std::max_element(volume.begin(), volume.end());
  double all = 0;
  for (const double part : volume) all += part;
  if (all - *largest > most_volume_left_out * all) {
    throw CaseError(shape.name, "the grain falls into " + std::to_string(volume.size()) +
                                    " pieces on its grid, whose cells share no face; modes need one body: give the "
                                    "grid a smaller spacing");
  }
  for (std::size_t at = 0; at < fraction.size(); ++at) {
    if (piece_at[at] != largest - volume.begin()) fraction[at] = 0;
  }
}

void number_points(CutCells& cells) {
  std::vector<std::uint8_t> is_used(cells.point_at.size(), 0);
  for (const std::size_t first : cells.corner) {
    for (const std::size_t step : cells.corner_step) is_used[first + step] = 1;
  }
  for (std::size_t at = 0; at < is_used.size(); ++at) {
    if (is_used[at] == 0) continue;
    cells.point_at[at] = static_cast<std::int32_t>(cells.point.size());
    cells.point.push_back(at);
  }
}

}  // namespace

Real3 CutCells::place(std::size_t at) const {
  const std::size_t row = at / size[0];
  const std::size_t layer = row / size[1];
  return {static_cast<double>(at % size[0]), static_cast<double>(row % size[1]), static_cast<double>(layer)};
}

CutCells cut_cells(const GrainShape& shape) {
  const grains::Grid grid = grains::grid_of(shape);
  const auto stride = grid.stride();
  CutCells cells;
  cells.size = shape.size;
  for (std::size_t c = 0; c < 8; ++c) {
    cells.corner_step[c] = (c & 1U) * stride[0] + ((c >> 1U) & 1U) * stride[1] + ((c >> 2U) & 1U) * stride[2];
  }
  std::vector<double> fraction(grid.points(), 0.0);
  grains::for_each_point(grid, 1, [&](std::size_t at, std::size_t, std::size_t, std::size_t) {
    const double part = fraction_of(corners_of(shape, cells, at), grid.spacing);
    fraction[at] = part < least_fraction ? 0 : part;
  });
  keep_largest_piece(shape, fraction);
  cells.cell_at.assign(grid.points(), -1);
  cells.point_at.assign(grid.points(), -1);
  for (std::size_t at = 0; at < fraction.size(); ++at) {
    if (!(fraction[at] > 0)) continue;
    cells.cell_at[at] = static_cast<std::int32_t>(cells.corner.size());
    cells.corner.push_back(at);
    cells.fraction.push_back(fraction[at]);
  }
  number_points(cells);
  return cells;
}

std::array<std::array<double, 8>, 8> mass_of_cell(const GrainShape& shape, const CutCells& cells, std::size_t cell) {
  std::array<std::array<double, 8>, 8> mass{};
  if (cells.fraction[cell] >= 1) {
    for (std::size_t a = 0; a < 8; ++a) {
      for (std::size_t b = 0; b < 8; ++b) {
        mass[a][b] = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) mass[a][b] /= (((a ^ b) >> axis) & 1U) == 0 ? 3 : 6;
      }
    }
    return mass;
  }
  for_each_sample(corners_of(shape, cells, cells.corner[cell]), shape.spacing, [&](const Real3& part, double weight) {
    if (weight == 0) return;
    const auto value = weights_at(part);
    for (std::size_t a = 0; a < 8; ++a) {
      for (std::size_t b = 0; b < 8; ++b) mass[a][b] += weight * value[a] * value[b];
    }
  });
  return mass;
}

Real3 in_spacings(const GrainShape& shape, const Real3& point) {
  Real3 place{};
  for (std::size_t axis = 0; axis < 3; ++axis) place[axis] = (point[axis] - shape.origin[axis]) / shape.spacing;
  return place;
}

std::optional<ShapeFunctions> shape_functions(const CutCells& cells, const Real3& place) {
  std::array<long, 3> first{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!(place[axis] >= 0 && place[axis] <= cells.size[axis] - 1.0)) return std::nullopt;
    first[axis] = static_cast<long>(place[axis]);
  }
  double nearest = 1;  // squared distance [spacings^2]
  std::optional<std::pair<std::size_t, Real3>> found;
  for (int k = 0; k < 27; ++k) {
    const std::array<long, 3> lower = {first[0] + k % 3 - 1, first[1] + k / 3 % 3 - 1, first[2] + k / 9 - 1};
    Real3 part{};
    double distance = 0;
    bool is_on_grid = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      part[axis] = place[axis] - static_cast<double>(lower[axis]);
      const double beyond = std::max({-part[axis], part[axis] - 1, 0.0});
      distance += beyond * beyond;
      is_on_grid = is_on_grid && lower[axis] >= 0 && lower[axis] + 1 < static_cast<long>(cells.size[axis]);
    }
    if (!is_on_grid || !(distance < nearest)) continue;
    const auto at = static_cast<std::size_t>((lower[2] * cells.size[1] + lower[1]) * cells.size[0] + lower[0]);
    if (cells.cell_at[at] < 0) continue;
    nearest = distance;
    found = {at, part};
  }
  if (!found) return std::nullopt;
  ShapeFunctions functions;
  functions.weight = weights_at(found->second);
  for (std::size_t c = 0; c < 8; ++c) functions.point[c] = cells.point_at[found->first + cells.corner_step[c]];
  return functions;
}

}  // namespace scree::modes
