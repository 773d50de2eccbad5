#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/packing/sizes.hpp"
#include "scree/case.hpp"

namespace scree::packing {

/// Which kind of a mixture comes next: the one whose mass is farthest behind its share of the mass so far; of several
/// the first. So no kind is ever ahead of its share by more than one of its own particles, nor behind it by more than
/// one particle of each other kind.
class MassShares {
 public:
  /// `share` sums to 1. `mass` [kg] is that of the particles so far, one value per kind; empty: none.
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
/// As many particles as the fill asks for, or as come nearest to its share of a volume [m3], in the order in which they
/// are drawn; from the stream of the sizes of an entry. Throws CaseError (empty path) when they are too many.
[[nodiscard]] std::vector<DrawnParticle> draw_mixture(const Fill& fill, const std::vector<FillKind>& kinds,
                                                      double volume, std::uint64_t seed, std::uint64_t entry);

}  // namespace scree::packing
