#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/backend/portability.hpp"
#include "kernels/math/vec3.hpp"
#include "kernels/state/step_moment.hpp"

namespace scree::inline SCREE_BACKEND {

/// A plane that removes each body whose centre has passed it in the direction of the normal.
struct OutletPlane {
  Vec3d point, normal;    ///< [m], [-]
  std::uint32_t counter;  ///< index in Outlets::counts
};
/// A body or a clump that an outlet has removed.
struct RemovedBody {
  Vec3d position, velocity;  ///< [m] where it was removed, [m/s] mean of the step
  double mass;               ///< [kg]
  std::uint64_t step;        ///< number of steps made when it was removed
  std::uint64_t moment;      ///< moment of the removal, see OutletRegion
  index_t id;                ///< of a clump: of its first member
  std::uint32_t counter;     ///< index in Outlets::counts
  std::uint32_t material;
  double temperature;  ///< [K] see RemovedParticle
  double film;         ///< [m3] likewise; of a clump the sum over its members
};
/// The bodies that an outlet has removed. Masses are counted in integers, so their sum has the same bits in whatever
/// order bodies leave. Each mass is a number of quanta with digits of 32 bits, which 2^32 bodies cannot overflow. So
/// the mass of a body far above or below the expected ones counts, too.
struct OutletCount {
  std::uint64_t bodies;
  std::uint64_t parts, ones, many;  ///< [2^-32, 1 and 2^32 quanta]

  /// Adds a mass [quanta] below 2^96. It is multiplied by powers of two only, so that nothing but the last digit is
  /// rounded.
  SCREE_HD void add(double quanta) {
    const auto high = static_cast<std::uint64_t>(quanta * 0x1p-32);
    const double low = quanta - static_cast<double>(high) * 0x1p32;
    const auto whole = static_cast<std::uint64_t>(low);
    atomic_add(&bodies, std::uint64_t(1));
    atomic_add(&many, high);
    atomic_add(&ones, whole);
    atomic_add(&parts, static_cast<std::uint64_t>((low - static_cast<double>(whole)) * 0x1p32));
  }
  /// [quanta]
  [[nodiscard]] double mass() const {
    return static_cast<double>(many) * 0x1p32 + static_cast<double>(ones) + static_cast<double>(parts) * 0x1p-32;
  }
  /// [quanta] The sum of the masses, each rounded down, modulo 2^64.
  [[nodiscard]] std::uint64_t whole_quanta() const { return (many << 32U) + ones; }
};

/// A box, a ball or a cylinder that removes each body whose centre is inside, from one moment to another. A moment is a
/// number of steps. If the step adapts, a moment is the bits of a time, which grow with the time.
struct OutletRegion {
  enum class Kind : std::uint32_t { box, cylinder, ball };
  Kind kind;
  std::uint32_t counter;     ///< index in Outlets::counts
  Vec3d a;                   ///< [m] box: lowest corner; cylinder: centre of one end; ball: centre
  Vec3d b;                   ///< box: highest corner [m]; cylinder: unit axis towards the other end [-]
  double length;             ///< [m] of a cylinder
  double radius;             ///< [m] of a cylinder or a ball
  double inner_radius;       ///< [m] of a cylinder: nearer to its axis is outside
  std::uint64_t first, end;  ///< acts when moment k is reached, first <= k < end

  SCREE_HD bool holds(const Vec3d& x) const {
    const Vec3d d = x - a;
    if (kind == Kind::box) { return d.x >= 0 && d.y >= 0 && d.z >= 0 && x.x <= b.x && x.y <= b.y && x.z <= b.z; }
    if (kind == Kind::ball) { return dot(d, d) <= radius * radius; }
    const double height = dot(d, b);
    const Vec3d across = d - height * b;
    const double square = dot(across, across);
    return height >= 0 && height <= length && square <= radius * radius && square >= inner_radius * inner_radius;
  }
};

/// All outlets of a run, as the motion of bodies sees them.
struct Outlets {
  Span<OutletPlane> planes;
  Span<OutletRegion> regions;
  Span<OutletCount> counts;
  double quanta_per_mass;            ///< [1/kg] a power of two
  const StepReached* end = nullptr;  ///< of the step; read when a body leaves, since a GPU has no registers to keep it
  /// bodies removed since the driver last took the list, in any order; empty: removed bodies are not listed. There is
  /// room for all bodies in memory
  Span<RemovedBody> removed{};
  std::uint64_t* n_removed = nullptr;
  Span<double> temperature{};  ///< [n_bodies] [K] empty: there is no heat
  Span<double> film{};         ///< [n_bodies] [m3] empty: there are no films of liquid

  static constexpr std::uint32_t none = 0xffffffffu;

  SCREE_INLINE bool any() const { return planes.size + regions.size > 0; }

  /// The counter of the outlet or region that removes a body with this position [m] and mass [kg], or `none`. Also
  /// counts the body.
  SCREE_INLINE std::uint32_t remover(const Vec3d& position, double mass) const {
    for (std::size_t i = 0; i < planes.size; ++i) {
      const OutletPlane& plane = planes[i];
      if (dot(position - plane.point, plane.normal) > 0) { return count(plane.counter, mass); }
    }
    for (std::size_t i = 0; i < regions.size; ++i) {
      const OutletRegion& region = regions[i];
      if (end->moment >= region.first && end->moment < region.end && region.holds(position)) {
        return count(region.counter, mass);
      }
    }
    return none;
  }

  /// Lists a body that was removed. `first` is its place in memory; for a clump it is the place of its first member,
  /// and `liquid` [m3] is the sum of the films of all members. The driver sorts the list.
  SCREE_HD void list(std::uint32_t counter, std::size_t first, index_t id, std::uint32_t material, double mass,
                     const Vec3d& position, const Vec3d& velocity, double liquid) const {
    if (removed.size == 0) { return; }
    removed[atomic_add(n_removed, std::uint64_t(1))] = {.position = position,
                                                        .velocity = velocity,
                                                        .mass = mass,
                                                        .step = end->step,
                                                        .moment = end->moment,
                                                        .id = id,
                                                        .counter = counter,
                                                        .material = material,
                                                        .temperature = temperature.size > 0 ? temperature[first] : 0,
                                                        .film = liquid};
  }
  /// [m3] The film on a body.
  SCREE_HD double film_of(std::size_t body) const { return film.size > 0 ? film[body] : 0; }

 private:
  SCREE_INLINE std::uint32_t count(std::uint32_t counter, double mass) const {
    counts[counter].add(mass * quanta_per_mass);
    return counter;
  }
};

}  // namespace scree::inline SCREE_BACKEND
