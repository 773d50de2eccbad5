#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "host/geometry/real3.hpp"
#include "scree/cell.hpp"

namespace scree::geometry {

/// Whether a cell repeats along all of its edges, so that it has no room for walls.
[[nodiscard]] inline bool repeats_everywhere(const std::array<bool, 3>& periodic) {
  return periodic[0] && periodic[1] && periodic[2];
}

/// The coordinate frame of a periodic cell: fractional coordinates along its edges, and periodic images of points.
class CellFrame {
 public:
  CellFrame(const Matrix3& edges, const Real3& origin, const std::array<bool, 3>& periodic);
  explicit CellFrame(const PeriodicCell& cell) : CellFrame(cell.edges, cell.origin, cell.periodic) {}
  explicit CellFrame(const CellState& cell) : CellFrame(cell.edges, cell.origin, cell.periodic) {}

  [[nodiscard]] bool periodic(std::size_t axis) const { return periodic_[axis]; }
  [[nodiscard]] const Real3& edge(std::size_t axis) const { return edges_[axis]; }
  [[nodiscard]] double volume() const { return volume_; }  ///< [m3]
  /// Distance [m] between the two faces that the edge `axis` connects.
  [[nodiscard]] double width(std::size_t axis) const { return 1 / inverse_width_[axis]; }
  [[nodiscard]] Bounds bounds() const;

  /// Fractional coordinates of a point [m]: 0 to 1 inside the cell.
  [[nodiscard]] Real3 fractional(const Real3& point) const { return fractional_way(subtract(point, origin_)); }
  /// The fractional coordinates of a vector [m]: the multiples of the edges whose sum it is.
  [[nodiscard]] Real3 fractional_way(const Real3& way) const {
    return {dot(inverse_[0], way), dot(inverse_[1], way), dot(inverse_[2], way)};
  }
  /// The point [m] with these fractional coordinates.
  [[nodiscard]] Real3 at(const Real3& fractional) const { return add(origin_, sum_of_edges(fractional)); }
  /// The sum [m] of n[k] times edge k.
  [[nodiscard]] Real3 sum_of_edges(const Real3& n) const {
    return along(along(scaled(edges_[0], n[0]), n[1], edges_[1]), n[2], edges_[2]);
  }
  /// Like at(), but along axes that do not repeat the shares 0 to 1 span the cell without a margin [m] at both faces.
  [[nodiscard]] Real3 at_with_margin(const Real3& share, double margin) const {
    Real3 s = share;
    for (std::size_t k = 0; k < 3; ++k) {
      const double kept = margin * inverse_width_[k];
      if (!periodic_[k]) s[k] = kept + (1 - 2 * kept) * share[k];
    }
    return at(s);
  }
  /// The shortest periodic image of a vector [m] between two points. This holds if that image is shorter than half the
  /// width of the cell; otherwise the result may be a longer image.
  [[nodiscard]] Real3 shortest(const Real3& way) const;
  /// The periodic image of a point [m] that lies in the cell. Coordinates along axes that do not repeat are unchanged.
  [[nodiscard]] Real3 folded(const Real3& point) const;

  /// Calls `visit(shift)` for each image of the cell that may be nearer to a point than `reach` [m]; `shift` [m] is the
  /// sum of whole edges by which the image is shifted. Stops and returns false when `visit` returns false.
  template <class Visit>
  bool visit_shifts(const Real3& point, double reach, Visit&& visit) const {
    constexpr double rounding = 1e-9;
    const Real3 s = fractional(point);
    Real3 low{}, high{};
    for (std::size_t k = 0; k < 3; ++k) {
      if (!periodic_[k]) continue;
      const double far = reach * inverse_width_[k] + rounding;
      low[k] = std::floor(s[k] - far);
      high[k] = std::floor(s[k] + far);
    }
    for (double c = low[2]; c <= high[2]; ++c) {
      for (double b = low[1]; b <= high[1]; ++b) {
        for (double a = low[0]; a <= high[0]; ++a) {
          if (!visit(sum_of_edges({a, b, c}))) return false;
        }
      }
    }
    return true;
  }

 private:
  Matrix3 edges_, inverse_{};
  Real3 origin_, inverse_width_{};
  std::array<bool, 3> periodic_;
  double volume_ = 0;
};

/// The frame of a cell; none without a cell.
[[nodiscard]] inline std::optional<CellFrame> frame_of(const std::optional<PeriodicCell>& cell) {
  return cell ? std::optional<CellFrame>(*cell) : std::nullopt;
}

}  // namespace scree::geometry
