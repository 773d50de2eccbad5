#pragma once

#include <limits>

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

  SCREE_INLINE Vec3d place_of(const Vec3d& x) const { return steps * (x - origin); }
  /// Bound of the number of points around places between the corners `low` and `high` [m]. In a periodic cell it does
  /// not depend on the corners, since the box around particles has no bounds along edges that repeat: the bound is the
  /// number of all points, and infinite if only some edges repeat.
  [[nodiscard]] double points_between(const Vec3d& low, const Vec3d& high) const {
    if (repeat[0] > 0 || repeat[1] > 0 || repeat[2] > 0) {
      const double all = double(repeat[0]) * double(repeat[1]) * double(repeat[2]);
      return all > 0 ? all : std::numeric_limits<double>::infinity();
    }
    const Vec3d size{math::max(high.x - low.x, 0.0), math::max(high.y - low.y, 0.0), math::max(high.z - low.z, 0.0)};
    const auto along = [&](const Vec3d& row) {
      return math::floor(math::abs(row.x) * size.x + math::abs(row.y) * size.y + math::abs(row.z) * size.z) + 3;
    };
    return along(steps.x) * along(steps.y) * along(steps.z);
  }
};

/// The eight points around the places in one cell of the lattice.
struct SolidCell {
  static constexpr std::uint32_t n_corners = 8;

  std::uint64_t low[3] = {}, high[3] = {};  ///< parts of the keys of points

  /// The key of a point. It is never 0.
  SCREE_INLINE std::uint64_t key(std::uint32_t corner) const {
    return 1 + (((corner & 1u) != 0 ? high : low)[0] | ((corner & 2u) != 0 ? high : low)[1] |
                ((corner & 4u) != 0 ? high : low)[2]);
  }
  SCREE_INLINE bool is(const SolidCell& other) const {
    return low[0] == other.low[0] && low[1] == other.low[1] && low[2] == other.low[2];
  }
};

/// A place within a cell.
struct PlaceAmongSolids {
  SolidCell cell;
  double part[3];  ///< [-] of the way from the low points to the high ones

  SCREE_INLINE double weight(std::uint32_t corner) const {
    return ((corner & 1u) != 0 ? part[0] : 1 - part[0]) * ((corner & 2u) != 0 ? part[1] : 1 - part[1]) *
           ((corner & 4u) != 0 ? part[2] : 1 - part[2]);
  }
};

/// The solid volume at each point of the lattice: the volume of a particle is shared among the eight points around its
/// centre by trilinear weights, and the same weights give the solid fraction at a place. The sums are integers, so no
/// order counts. Points without solid have no slot; the slots are those of a hash table.
struct SolidTable {
  SolidLattice lattice;
  Span<std::uint64_t> key;    ///< [n_slots] of the point; 0: the slot is free
  Span<std::uint64_t> solid;  ///< [n_slots] 2^-40 of the volume that belongs to the point

  static constexpr double units = 1099511627776.0;
  /// [-] Where many grains crowd around one point, the sum may be more than fits there.
  static constexpr double least_porosity = 0.1;

  /// Slots for `n` particles, around which there are at most `points`. At least a fifth of the slots stays free.
  [[nodiscard]] static std::size_t slots_for(std::size_t n, double points) {
    return 64 + static_cast<std::size_t>(math::min(2 * points, 10 * double(n)));
  }
  [[nodiscard]] SCREE_INLINE bool any() const { return key.size > 0; }

  SCREE_HD PlaceAmongSolids place_of(const Vec3d& place) const {
    const Vec3d steps = lattice.place_of(place);
    PlaceAmongSolids result{};
    const auto find = [&](int axis, double value) {
      const double whole = math::floor(value);
      std::int64_t low = static_cast<std::int64_t>(whole), high = low + 1;
      if (const std::int64_t repeat = lattice.repeat[axis]; repeat > 0) {
        low = wrapped(low, repeat), high = wrapped(high, repeat);
      }
      result.cell.low[axis] = (static_cast<std::uint64_t>(low) & bits) << (bits_per_axis * axis);
      result.cell.high[axis] = (static_cast<std::uint64_t>(high) & bits) << (bits_per_axis * axis);
      result.part[axis] = value - whole;
    };
    find(0, steps.x), find(1, steps.y), find(2, steps.z);
    return result;
  }
  /// The number of a point along each direction, from its key.
  SCREE_HD static Vec3d point_of(std::uint64_t point) {
    const auto along = [&](int axis) {  // the upper bits take the sign of the number
      constexpr int above = 64 - bits_per_axis;
      return double(static_cast<std::int64_t>((point - 1) >> (bits_per_axis * axis) << above) >> above);
    };
    return {along(0), along(1), along(2)};
  }
  /// The part of the volume [m3] of a particle that a corner gets.
  SCREE_INLINE std::uint64_t part_of(double volume, double weight) const {
    return static_cast<std::uint64_t>(math::floor(volume * lattice.points_per_volume * units * weight + 0.5));
  }
  SCREE_INLINE void add_to(std::uint64_t point, std::uint64_t amount) const {
    const std::size_t slot = taken_slot(point);
    if (slot < key.size) { atomic_add(&solid[slot], amount); }
  }
  SCREE_HD void add(const Vec3d& place, double volume) const {
    const PlaceAmongSolids at = place_of(place);
    for (std::uint32_t corner = 0; corner < SolidCell::n_corners; ++corner) {
      add_to(at.cell.key(corner), part_of(volume, at.weight(corner)));
    }
  }
  /// 2^-40 of the volume that belongs to the point.
  SCREE_INLINE double at(std::uint64_t point) const {
    const std::size_t slot = find(point);
    return key[slot] == point ? double(solid[slot]) : 0;
  }
  /// [-] The part of the space that is not solid.
  SCREE_HD double porosity(const Vec3d& place) const {
    const PlaceAmongSolids there = place_of(place);
    double sum = 0;
    for (std::uint32_t corner = 0; corner < SolidCell::n_corners; ++corner) {
      sum += there.weight(corner) * at(there.cell.key(corner));
    }
    return porosity_of(sum);
  }
  SCREE_INLINE static double porosity_of(double sum) { return math::max(1 - sum / units, least_porosity); }

 private:
  static constexpr int bits_per_axis = 21;
  static constexpr std::uint64_t bits = (1u << bits_per_axis) - 1;  // points 2 million apart share a slot

  SCREE_HD static std::int64_t wrapped(std::int64_t index, std::int64_t repeat) {
    const std::int64_t rest = index % repeat;
    return rest < 0 ? rest + repeat : rest;
  }
  SCREE_INLINE std::size_t home(std::uint64_t point) const {
    constexpr int left = 28;  // of the bits, times less than 2^36 slots
    std::uint64_t mixed = point * 0x9e3779b97f4a7c15ULL;
    mixed ^= mixed >> 32;
    return static_cast<std::size_t>((mixed * 0xd6e8feb86659fd93ULL >> (64 - left)) * key.size >> left);
  }
  SCREE_INLINE std::size_t after(std::size_t slot) const { return slot + 1 < key.size ? slot + 1 : 0; }
  /// The slot of a point, or the free one where the search for it ends.
  SCREE_HD std::size_t find(std::uint64_t point) const {
    std::size_t slot = home(point);
    for (std::size_t seen = 1; seen < key.size && key[slot] != 0 && key[slot] != point; ++seen) { slot = after(slot); }
    return slot;
  }
  /// The slot of a point, which other threads may be looking for, too. If no slot is left, it is key.size; this is so
  /// only if bodies have been flung about by a fault, after which the run ends.
  SCREE_HD std::size_t taken_slot(std::uint64_t point) const {
    std::size_t slot = home(point);
    for (std::size_t seen = 0; seen < key.size; ++seen, slot = after(slot)) {
      const std::uint64_t there = put_if_free(&key[slot], point);
      if (there == 0 || there == point) { return slot; }
    }
    return key.size;
  }
};

#if !SCREE_ON_CUDA
/// Adds particles one after the other; those in one cell of the lattice come into the table together.
class SolidAdder {
 public:
  explicit SolidAdder(const SolidTable& table) : table_(table) {}
  void add(const Vec3d& place, double volume) {
    const PlaceAmongSolids at = table_.place_of(place);
    if (!any_ || !at.cell.is(cell_)) {
      finish();
      cell_ = at.cell, any_ = true;
    }
    for (std::uint32_t corner = 0; corner < SolidCell::n_corners; ++corner) {
      sum_[corner] += table_.part_of(volume, at.weight(corner));
    }
  }
  /// Adds the last ones.
  void finish() {
    for (std::uint32_t corner = 0; any_ && corner < SolidCell::n_corners; ++corner) {
      table_.add_to(cell_.key(corner), sum_[corner]);
      sum_[corner] = 0;
    }
    any_ = false;
  }

 private:
  SolidTable table_;
  SolidCell cell_;
  std::uint64_t sum_[SolidCell::n_corners] = {};
  bool any_ = false;
};

/// Reads porosities at places one after the other, and looks up the points of a cell only once.
class SolidReader {
 public:
  explicit SolidReader(const SolidTable& table) : table_(table) {}
  [[nodiscard]] bool any() const { return table_.any(); }
  double porosity(const Vec3d& place) {
    const PlaceAmongSolids at = table_.place_of(place);
    if (!known_ || !at.cell.is(cell_)) {
      cell_ = at.cell, known_ = true;
      for (std::uint32_t corner = 0; corner < SolidCell::n_corners; ++corner) {
        solid_[corner] = table_.at(cell_.key(corner));
      }
    }
    double sum = 0;
    for (std::uint32_t corner = 0; corner < SolidCell::n_corners; ++corner) {
      sum += at.weight(corner) * solid_[corner];
    }
    return SolidTable::porosity_of(sum);
  }

 private:
  SolidTable table_;
  SolidCell cell_;
  double solid_[SolidCell::n_corners] = {};
  bool known_ = false;
};
#endif

/// Frees all slots; one thread per slot.
struct FreeSolids {
  SolidTable table;
  SCREE_HD void operator()(std::size_t slot) const { table.key[slot] = 0, table.solid[slot] = 0; }
};

}  // namespace scree::inline SCREE_BACKEND
