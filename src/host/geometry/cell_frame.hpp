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

/// Where things are in a cell that repeats: coordinates along its edges, and images.
class CellFrame {
 public:
  CellFrame(const Matrix3& edges, const Real3& origin, const std::array<bool, 3>& periodic);
  explicit CellFrame(const PeriodicCell& cell) : CellFrame(cell.edges, cell.origin, cell.periodic) {}
  explicit CellFrame(const CellState& cell) : CellFrame(cell.edges, cell.origin, cell.periodic) {}

  [[nodiscard]] bool periodic(std::size_t axis) const { return periodic_[axis]; }
  [[nodiscard]] const Real3& edge(std::size_t axis) const { return edges_[axis]; }
  [[nodiscard]] double volume() const { return volume_; }  ///< [m3]
  /// [m] between the two faces that the edge `axis` joins.
  [[nodiscard]] double width(std::size_t axis) const { return 1 / inverse_width_[axis]; }
  [[nodiscard]] Bounds bounds() const;

  /// Coordinates along the edges, 0 to 1 in the cell.
  [[nodiscard]] Real3 fractional(const Real3& point) const { return fractional_way(subtract(point, origin_)); }
  /// The multiples of the edges whose sum is a vector `way` [m].
  [[nodiscard]] Real3 fractional_way(const Real3& way) const {
    return {dot(inverse_[0], way), dot(inverse_[1], way), dot(inverse_[2], way)};
  }
  [[nodiscard]] Real3 at(const Real3& fractional) const { return add(origin_, sum_of_edges(fractional)); }
  [[nodiscard]] Real3 sum_of_edges(const Real3& n) const {
    return along(along(scaled(edges_[0], n[0]), n[1], edges_[1]), n[2], edges_[2]);
  }
  /// The same, with a margin [m] kept at the faces of axes that do not repeat.
  [[nodiscard]] Real3 at_with_margin(const Real3& share, double margin) const {
    Real3 s = share;
    for (std::size_t k = 0; k < 3; ++k) {
      const double kept = margin * inverse_width_[k];
      if (!periodic_[k]) s[k] = kept + (1 - 2 * kept) * share[k];
    }
    return at(s);
  }
  /// The shortest image of a vector [m] from one point to another, if this image is shorter than half of the width of
  /// the cell. Otherwise it may be another image.
  [[nodiscard]] Real3 shortest(const Real3& way) const;
  /// The image of a point that lies in the cell; along axes that do not repeat it stays where it is.
  [[nodiscard]] Real3 folded(const Real3& point) const;

  /// Calls `visit(shift)` for each sum of whole edges by which the cell is shifted to where it may come nearer to a
  /// point than `reach`; stops when `visit` returns false, and then returns false.
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

/// The frame of a cell, if there is one.
[[nodiscard]] inline std::optional<CellFrame> frame_of(const std::optional<PeriodicCell>& cell) {
  return cell ? std::optional<CellFrame>(*cell) : std::nullopt;
}

}  // namespace scree::geometry
