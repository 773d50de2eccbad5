#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "host/packing/fill.hpp"

namespace scree::packing {

/// Moves overlapping spheres by repulsion until none overlap.
class Repulsion {
 public:
  /// `radii` [m] are those of the spheres when fully grown. The arguments must outlive the object.
  Repulsion(const FillRegion& region, const Spheres& obstacles, const std::vector<double>& radii);

  void start(std::vector<Real3> position) { position_ = std::move(position); }
  [[nodiscard]] const std::vector<Real3>& position() const { return position_; }

  /// Sets the radii to `scale` times the full radii and moves the spheres until none overlap. Returns false if overlaps
  /// are left after `most_moves` moves.
  [[nodiscard]] bool relax(double scale, int most_moves);

 private:
  /// Two spheres that are near each other.
  struct NearPair {
    std::uint32_t first;   ///< index of a sphere
    std::uint32_t second;  ///< index of an obstacle, or the number of obstacles plus the index of a sphere
    Real3 shift;           ///< [m] from the second sphere to its image near the first
  };

  void move_inside(std::size_t i, const Real3& way, Real3& velocity);
  void find_pairs();
  bool find_forces();

  const FillRegion& region_;
  const Spheres& obstacles_;
  const std::vector<double>& full_;  ///< [m] radii when fully grown
  std::vector<double> radius_;       ///< [m] at present
  std::vector<Real3> position_, force_, at_search_;
  std::vector<NearPair> pairs_;
  double largest_ = 0;  ///< [m] largest full radius
  double skin_ = 0;     ///< [m] pairs with a smaller gap are known
  double way_ = 0;      ///< [m] longest way of a sphere since the pairs were found
};

}  // namespace scree::packing
