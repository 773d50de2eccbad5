#include "host/modes/given/cell_shapes.hpp"

#include <algorithm>
#include <cmath>

namespace scree::modes {
namespace {

using Point = Eigen::Vector3d;
using Slopes = Eigen::Matrix<double, 3, 8>;  ///< of the weights of the corners in the coordinates of the cell

/// The coordinates of the corners of a hexahedron in its own axes, each 0 or 1.
constexpr std::array<std::array<int, 3>, 8> hexahedron = {
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};

std::array<double, 8> weights_at(std::size_t corners, const Point& at) {
  if (corners == 4) return {1 - at.sum(), at[0], at[1], at[2]};
  std::array<double, 8> weight{};
  for (std::size_t c = 0; c < 8; ++c) {
    weight[c] = 1;
    for (int axis = 0; axis < 3; ++axis) {
      weight[c] *= hexahedron[c][static_cast<std::size_t>(axis)] != 0 ? at[axis] : 1 - at[axis];
    }
  }
  return weight;
}

Slopes slopes_at(std::size_t corners, const Point& at) {
  Slopes slopes = Slopes::Zero();
  if (corners == 4) {
    slopes.col(0).setConstant(-1);
    for (int axis = 0; axis < 3; ++axis) slopes(axis, axis + 1) = 1;
    return slopes;
  }
  for (std::size_t c = 0; c < 8; ++c) {
    for (int axis = 0; axis < 3; ++axis) {
      double slope = hexahedron[c][static_cast<std::size_t>(axis)] != 0 ? 1 : -1;
      for (int other = 0; other < 3; ++other) {
        if (other != axis) slope *= hexahedron[c][static_cast<std::size_t>(other)] != 0 ? at[other] : 1 - at[other];
      }
      slopes(axis, static_cast<Eigen::Index>(c)) = slope;
    }
  }
  return slopes;
}

Eigen::Matrix<double, 8, 3> places_of(const SolidCell& cell) {
  Eigen::Matrix<double, 8, 3> places = Eigen::Matrix<double, 8, 3>::Zero();
  for (std::size_t c = 0; c < cell.corners; ++c) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      places(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(axis)) = cell.corner[c][axis];
    }
  }
  return places;
}

/// The coordinates of a place in the axes of the cell, by Newton's method, which takes one step for a tetrahedron.
/// Nothing if the method fails.
std::optional<Point> coordinates_at(const SolidCell& cell, const Real3& place) {
  constexpr int most_steps = 30;
  constexpr double tolerance = 1e-12, farthest = 2;  // [sizes of the cell]
  const Eigen::Matrix<double, 8, 3> places = places_of(cell);
  Point at = Point::Constant(cell.corners == 4 ? 0.25 : 0.5);
  for (int step = 0; step < most_steps; ++step) {
    const auto weight = weights_at(cell.corners, at);
    Point off(place[0], place[1], place[2]);
    for (Eigen::Index c = 0; c < 8; ++c) off -= weight[static_cast<std::size_t>(c)] * places.row(c).transpose();
    const Eigen::Matrix3d forward = (slopes_at(cell.corners, at) * places).transpose();
    const Point change = forward.inverse() * off;
    if (!change.allFinite()) return std::nullopt;
    at += change;
    if (cell.corners == 4 || change.cwiseAbs().maxCoeff() < tolerance) return at;
    at = at.cwiseMax(-farthest).cwiseMin(1 + farthest);
  }
  return std::nullopt;
}

}  // namespace

std::optional<SolidCell::Weights> SolidCell::at(const Real3& place) const {
  const auto found = coordinates_at(*this, place);
  if (!found) return std::nullopt;
  Weights weights;
  if (corners == 4) {
    weights.weight = weights_at(4, *found);
    double sum = 0;
    for (std::size_t c = 0; c < 4; ++c) {
      weights.beyond = std::max(weights.beyond, -weights.weight[c]);
      weights.weight[c] = std::max(weights.weight[c], 0.0);
      sum += weights.weight[c];
    }
    for (double& weight : weights.weight) weight /= sum;
    return weights;
  }
  const Point inside = found->cwiseMax(0.0).cwiseMin(1.0);
  weights.beyond = (*found - inside).cwiseAbs().maxCoeff();
  weights.weight = weights_at(8, inside);
  return weights;
}

Eigen::Matrix3d SolidCell::frame() const {
  if (corners == 4) return Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d along = slopes_at(8, Point::Constant(0.5)) * places_of(*this);  // rows: the axes of the cell
  const Point x = along.row(0).transpose().normalized();
  const Point z = x.cross(along.row(1).transpose().normalized()).normalized();
  Eigen::Matrix3d axes;
  axes << x, z.cross(x), z;
  return axes;
}

namespace {

/// The coordinates of the k-th quadrature point.
Point gauss_place(std::size_t corners, std::size_t k) {
  constexpr double far = 0.58541019662496852, near = 0.13819660112501050;  // (5 + 3 sqrt 5) / 20, (5 - sqrt 5) / 20
  Point at;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double sign = corners == 8 && hexahedron[k][axis] != 0 ? 1 : -1;
    const double in_tetrahedron = k == axis + 1 ? far : near;
    at[static_cast<Eigen::Index>(axis)] = corners == 4 ? in_tetrahedron : 0.5 + sign * 0.5 / std::sqrt(3.0);
  }
  return at;
}

}  // namespace

std::vector<SolidCell::GaussPoint> SolidCell::gauss_points() const {
  const Eigen::Matrix<double, 8, 3> places = places_of(*this);
  const Eigen::Matrix3d to_frame = frame().transpose();
  const auto slopes = [&](const Point& at) -> Slopes {
    const Slopes own = slopes_at(corners, at);
    return to_frame * (own * places).inverse() * own;  // own * places: d place / d coordinate
  };
  std::vector<GaussPoint> points(corners);
  double sign = 0;
  for (std::size_t k = 0; k < corners; ++k) {
    const Point at = gauss_place(corners, k);
    const double size = (slopes_at(corners, at) * places).determinant();
    if (k == 0) sign = size < 0 ? -1 : 1;
    GaussPoint& point = points[k];
    point.volume = sign * size / (corners == 4 ? 24 : 8);
    if (!(point.volume > 0)) return {};
    point.weight = weights_at(corners, at);
    point.slope = slopes(at);
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      Point middle = Point::Constant(0.5);
      middle[axis] = at[axis];
      point.shear_slope[static_cast<std::size_t>(axis)] = corners == 4 ? point.slope : slopes(middle);
    }
  }
  return points;
}

}  // namespace scree::modes
