#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/functions.hpp"
#include "kernels/math/mat3.hpp"

/// How much of the space around a place is solid: sums over all particles on a lattice of points without bounds.
namespace scree::inline SCREE_BACKEND {

/// The lattice of points. Along an edge of a periodic cell it repeats with the cell.
struct SolidLattice {
  Vec3d origin{};
  Mat3d steps{};                 ///< [1/m] takes x - origin to the number of points along each direction
  std::int64_t repeat[3] = {};   ///< points until the lattice repeats; 0: it does not
  double points_per_volume = 0;  ///< [1/m3]
};

/// The solid volume at each point of the lattice: the volume of a particle is shared among the eight points around its
/// centre by trilinear weights, and the same weights give the solid fraction at a place. The sums are integers, so no
/// order counts. Points without solid have no slot; the slots are those of a hash table.
struct SolidTable {
  SolidLattice lattice;
  Span<std::uint64_t> key;    ///< [n_slots] of the point; 0: the slot is free. The number of slots is a power of two
  Span<std::uint64_t> solid;  ///< [n_slots] 2^-40 of the volume of a point

  static constexpr double units = 1099511627776.0;
  /// [-] Where many grains crowd around one point, the sum may be more than fits there.
  static constexpr double least_porosity = 0.1;

  /// Slots for `n` particles, at most half of which are taken.
  [[nodiscard]] static std::size_t slots_for(std::size_t n) {
    std::size_t slots = 64;
    while (slots < 16 * n) { slots *= 2; }
    return slots;
  }
  [[nodiscard]] SCREE_INLINE bool any() const { return key.size > 0; }

  SCREE_HD void add(const Vec3d& place, double volume) const {
    const double amount = volume * lattice.points_per_volume * units;
    visit(place, [&](std::uint64_t point, double weight) {
      atomic_add(&solid[taken_slot(point)], static_cast<std::uint64_t>(amount * weight + 0.5));
    });
  }
  /// [-] The part of the space that is not solid.
  SCREE_HD double porosity(const Vec3d& place) const {
    double sum = 0;
    visit(place, [&](std::uint64_t point, double weight) {
      const std::size_t slot = find(point);
      if (key[slot] == point) { sum += weight * double(solid[slot]); }
    });
    return math::max(1 - sum / units, least_porosity);
  }

 private:
  struct Way {
    std::uint64_t low, high;
    double part;
  };
  SCREE_HD static Way way(double steps, std::int64_t repeat) {
    constexpr std::uint64_t bits = (1u << 21) - 1;  // points 2 million apart share a slot
    const double whole = math::floor(steps);
    std::int64_t low = static_cast<std::int64_t>(whole), high = low + 1;
    if (repeat > 0) { low = wrapped(low, repeat), high = wrapped(high, repeat); }
    return {static_cast<std::uint64_t>(low) & bits, static_cast<std::uint64_t>(high) & bits, steps - whole};
  }
  SCREE_HD static std::int64_t wrapped(std::int64_t index, std::int64_t repeat) {
    const std::int64_t rest = index % repeat;
    return rest < 0 ? rest + repeat : rest;
  }
  /// Calls take(key of a point, weight) for the eight points around a place.
  template <class Take>
  SCREE_HD void visit(const Vec3d& place, const Take& take) const {
    const Vec3d steps = lattice.steps * (place - lattice.origin);
    const Way x = way(steps.x, lattice.repeat[0]), y = way(steps.y, lattice.repeat[1]),
              z = way(steps.z, lattice.repeat[2]);
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
      const bool a = (corner & 1u) != 0, b = (corner & 2u) != 0, c = (corner & 4u) != 0;
      const std::uint64_t point = (a ? x.high : x.low) | (b ? y.high : y.low) << 21 | (c ? z.high : z.low) << 42;
      take(point + 1, (a ? x.part : 1 - x.part) * (b ? y.part : 1 - y.part) * (c ? z.part : 1 - z.part));
    }
  }
  SCREE_HD std::size_t home(std::uint64_t point) const {
    std::uint64_t mixed = point * 0x9e3779b97f4a7c15ULL;
    mixed ^= mixed >> 32;
    return static_cast<std::size_t>(mixed * 0xd6e8feb86659fd93ULL >> 20) & (key.size - 1);
  }
  /// The slot of a point, or the free one where the search for it ends.
  SCREE_HD std::size_t find(std::uint64_t point) const {
    std::size_t slot = home(point);
    while (key[slot] != 0 && key[slot] != point) { slot = (slot + 1) & (key.size - 1); }
    return slot;
  }
  /// The slot of a point, which other threads may be looking for, too.
  SCREE_HD std::size_t taken_slot(std::uint64_t point) const {
    std::size_t slot = home(point);
    for (;; slot = (slot + 1) & (key.size - 1)) {
      const std::uint64_t there = put_if_free(&key[slot], point);
      if (there == 0 || there == point) { return slot; }
    }
  }
};

/// Frees all slots; one thread per slot.
struct FreeSolids {
  SolidTable table;
  SCREE_HD void operator()(std::size_t slot) const { table.key[slot] = 0, table.solid[slot] = 0; }
};

}  // namespace scree::inline SCREE_BACKEND
