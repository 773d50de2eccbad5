#include "host/geometry/cell_frame.hpp"

#include "scree/errors.hpp"

namespace scree::geometry {

CellFrame::CellFrame(const Matrix3& edges, const Real3& origin, const std::array<bool, 3>& periodic)
    : edges_(edges), origin_(origin), periodic_(periodic) {
  const double determinant = dot(edges[0], cross(edges[1], edges[2]));
  SCREE_EXPECT(std::fabs(determinant) > 0, "the edges of the cell must not lie in one plane");
  volume_ = std::fabs(determinant);
  for (std::size_t k = 0; k < 3; ++k) {
    inverse_[k] = scaled(cross(edges[(k + 1) % 3], edges[(k + 2) % 3]), 1 / determinant);
    inverse_width_[k] = length(inverse_[k]);
  }
}

Bounds CellFrame::bounds() const {
  Bounds box{origin_, origin_};
  for (const Real3& edge : edges_) {
    for (std::size_t k = 0; k < 3; ++k) {
      box.lower[k] += std::fmin(edge[k], 0.0);
      box.upper[k] += std::fmax(edge[k], 0.0);
    }
  }
  return box;
}

Real3 CellFrame::shortest(const Real3& way) const {
  Real3 n = fractional_way(way);
  for (std::size_t k = 0; k < 3; ++k) n[k] = periodic_[k] ? std::round(n[k]) : 0.0;
  return n == Real3{} ? way : subtract(way, sum_of_edges(n));
}

Real3 CellFrame::folded(const Real3& point) const {
  Real3 inside = point;
  // Rounding may put a point from just outside the cell onto the opposite face, which belongs to the next image. The
  // second pass corrects this.
  for (int pass = 0; pass < 2; ++pass) {
    Real3 n = fractional(inside);
    for (std::size_t k = 0; k < 3; ++k) n[k] = periodic_[k] ? std::floor(n[k]) : 0.0;
    if (n == Real3{}) break;
    inside = subtract(inside, sum_of_edges(n));
  }
  return inside;
}

}  // namespace scree::geometry
