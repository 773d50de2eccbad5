#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/geometry/cell_frame.hpp"
#include "host/geometry/real3.hpp"
#include "scree/values.hpp"

namespace scree::packing {

/// Finds spheres near a point, with one cell grid per factor of two in radius. Spheres outside the bounds belong to the
/// cells at the border. In a periodic cell each sphere stands for all its images: centres are folded into the cell, and
/// neighbours are found across its faces.
class SphereGrid {
 public:
  static constexpr std::uint32_t none = 0xffffffffU;

  /// `largest_radius` [m] sets the cell size of the first level; larger spheres are allowed but slow. `expected` is the
  /// approximate number of spheres and limits the number of cells.
  SphereGrid(const geometry::Bounds& bounds, double largest_radius, std::size_t expected);
  SphereGrid(const geometry::CellFrame& cell, double largest_radius, std::size_t expected);

  void insert(const Real3& centre, double radius);
  [[nodiscard]] std::size_t size() const { return spheres_.size(); }

  /// Moves the sphere that was inserted as number `number`, from 0.
  void move(std::uint32_t number, const Real3& centre);

  /// Whether a sphere overlaps no sphere of the grid other than `except`.
  [[nodiscard]] bool is_free(const Real3& centre, double radius, std::uint32_t except = none) const;

  [[nodiscard]] const Real3& centre(std::uint32_t number) const { return spheres_[number].centre; }
  [[nodiscard]] double radius(std::uint32_t number) const { return spheres_[number].radius; }

  /// Calls `take(number, centre, radius)` for each sphere whose centre is nearer than its radius plus `reach` [m], and
  /// possibly for some farther spheres. In a periodic cell this includes each near image, with the centre of the image.
  /// Stops and returns false when `take` returns false.
  template <class Take>
  bool visit_near(const Real3& centre, double reach, Take&& take) const {
    for (const Level& level : levels_) {
      if (!level.first.empty() && !visit_images(level, centre, reach, take)) return false;
    }
    return true;
  }

 private:
  struct Sphere {
    Real3 centre;
    double radius;
    std::uint32_t next;  ///< next sphere in the same cell
    std::uint32_t level;
  };
  struct Level {
    double largest = 0;  ///< [m] largest radius
    std::array<std::size_t, 3> cells{};
    Real3 inverse_edge{};
    std::vector<std::uint32_t> first;  ///< [n_cells] first sphere of each cell; empty until the level is used
  };

  void open(Level& level) const;
  [[nodiscard]] std::uint32_t& first_in_cell(Level& level, const Real3& centre) const;
  [[nodiscard]] std::size_t cell(const Level& level, std::size_t axis, double x) const {
    const double scaled = (x - bounds_.lower[axis]) * level.inverse_edge[axis];
    if (!(scaled > 0)) return 0;
    const auto last = level.cells[axis] - 1;
    return scaled < static_cast<double>(last) ? static_cast<std::size_t>(scaled) : last;
  }

  template <class Take>
  bool visit_cell(const Level& level, std::size_t at, Take&& take) const {
    for (auto s = level.first[at]; s != none; s = spheres_[s].next) {
      if (!take(s, spheres_[s].centre, spheres_[s].radius)) return false;
    }
    return true;
  }

  template <class Take>
  bool visit_images(const Level& level, const Real3& centre, double reach, Take&& take) const {
    if (!cell_) return visit_level(level, centre, reach, take);
    return cell_->visit_shifts(centre, reach + level.largest, [&](const Real3& shift) {
      const auto take_image = [&](std::uint32_t number, const Real3& place, double radius) {
        return take(number, geometry::add(place, shift), radius);
      };
      return visit_level(level, geometry::subtract(centre, shift), reach, take_image);
    });
  }

  template <class Take>
  bool visit_level(const Level& level, const Real3& centre, double reach, Take&& take) const {
    const double far = reach + level.largest;
    std::array<std::size_t, 3> low{}, high{};
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = cell(level, k, centre[k] - far);
      high[k] = cell(level, k, centre[k] + far);
    }
    for (auto z = low[2]; z <= high[2]; ++z) {
      for (auto y = low[1]; y <= high[1]; ++y) {
        const auto row = (z * level.cells[1] + y) * level.cells[0];
        for (auto x = low[0]; x <= high[0]; ++x) {
          if (!visit_cell(level, row + x, take)) return false;
        }
      }
    }
    return true;
  }

  geometry::Bounds bounds_;
  std::optional<geometry::CellFrame> cell_;
  std::size_t expected_;
  std::vector<Level> levels_;
  std::vector<Sphere> spheres_;
};

}  // namespace scree::packing
