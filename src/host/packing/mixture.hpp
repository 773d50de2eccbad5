#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/packing/sizes.hpp"
#include "scree/case.hpp"

namespace scree::packing {

/// Chooses the kind of the next particle of a mixture: the first of the kinds whose mass is farthest below its share of
/// the mass so far. So no kind exceeds its share by more than one of its own particles, or falls below it by more than
/// one particle of each other kind.
class MassShares {
 public:
  /// `share` [n_kinds] sums to 1. `mass` [n_kinds] [kg] is the mass of the particles so far; empty if there are none.
  explicit MassShares(std::vector<double> share, std::vector<double> mass = {});

  [[nodiscard]] std::size_t next() const;
  void add(std::size_t kind, double mass);
  [[nodiscard]] const std::vector<double>& mass() const { return mass_; }

 private:
  std::vector<double> share_, mass_;
  double total_ = 0;
};

/// One kind of the particles of a fill.
struct FillKind {
  double share = 1;        ///< [-] of the mass
  double density = 0;      ///< [kg/m3]
  SizeDistribution sizes;  ///< [m] equivalent radii
};
struct DrawnParticle {
  std::size_t kind = 0;
  double radius = 0;  ///< [m] equivalent
};
/// Draws as many particles as the fill asks for, or as many as come nearest to its solid fraction of a volume [m3],
/// from the random stream of the sizes of an entry. Throws CaseError (path: empty) if they are too many.
[[nodiscard]] std::vector<DrawnParticle> draw_mixture(const Fill& fill, const std::vector<FillKind>& kinds,
                                                      double volume, std::uint64_t seed, std::uint64_t entry);

}  // namespace scree::packing
