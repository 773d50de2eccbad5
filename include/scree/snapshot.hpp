#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "scree/values.hpp"

namespace scree {

inline constexpr std::uint32_t no_clump = 0xffffffffU;  ///< index of a clump for a particle that belongs to none

/// One clump. Its velocities belong to the middle of the last step, as those of particles.
struct SnapshotClump {
  std::uint32_t id = 0;       ///< number of the clump; clumps have ids of their own
  std::uint32_t shape = 0;    ///< index in Scene::clump_shapes
  std::uint32_t first = 0;    ///< id of its first member; the ids of the others follow
  std::uint32_t members = 0;  ///< number of members
  double mass = 0;            ///< [kg]
  Real3 inertia{};            ///< [kg m2] principal moments
  Real3 position{};           ///< [m] centre of mass
  Real3 velocity{};           ///< [m/s]
  Real3 fluctuation{};        ///< [m/s] velocity without the mean flow of a periodic cell
  Real3 angular_velocity{};   ///< [rad/s] in world axes

  std::array<double, 4> orientation{};  ///< w, x, y, z: principal axes -> world
  /// [n_modes] [m] amplitudes of the modes of a level-set grain, and their rates [m/s]; empty if it is rigid
  std::vector<double> amplitude{}, amplitude_rate{};
};

/// Host copy of the particles that are still in the run, in ascending order of id. Its arrays have the length
/// [n_particles], or are empty if they were not requested or do not apply; `clumps` has the length [n_clumps].
/// Velocities belong to the middle of the last step (leapfrog), half a step before the positions.
struct Snapshot {
  std::uint64_t step = 0;
  double time = 0;                      ///< [s]
  double step_length = 0;               ///< [s] of the last step
  std::vector<std::uint32_t> id;        ///< index in Scene::particles; inserted particles continue the numbering
  std::vector<Real3> position;          ///< [m]
  std::vector<Real3> velocity;          ///< [m/s]
  std::vector<Real3> angular_velocity;  ///< [rad/s]
  std::vector<double> radius;           ///< [m]
  std::vector<std::uint32_t> material;  ///< index in Scene::materials
  /// [N] sum of the contact forces in the last step; only if requested
  std::vector<Real3> force;
  std::vector<std::uint32_t> coordination;  ///< [-] touching particles and boundaries; only if requested
  std::vector<SnapshotClump> clumps;        ///< in ascending order of id; the particles include their members
  // The next two exist only in a periodic cell. Positions lie inside the cell; velocities include the mean flow at the
  // position.
  /// number of edges by which the particle was moved back into the cell: position + image * edges never jumps
  std::vector<std::array<std::int32_t, 3>> image;
  /// [m/s] velocity minus the velocity of the mean flow at the particle
  std::vector<Real3> fluctuation;
  /// [-] share of the bonds of the start that have broken; only if requested
  std::vector<double> damage;
  /// number of the fragment: the lowest id of all particles that intact bonds join with this one, directly or through
  /// others; only if requested. Members of a clump count as joined
  std::vector<std::uint32_t> fragment;
  std::vector<std::uint32_t> group;  ///< index in Scene::groups; only if requested
  std::vector<double> temperature;   ///< [K] only if requested, and with Scene::heat
  /// [J] energy that the contacts of the particle have lost by slip, breaking and dashpots since the start; half of the
  /// loss if the other side is a particle. Only if requested, and with Scene::sums_losses
  std::vector<double> dissipated;
  std::vector<double> film;        ///< [m3] of liquid on the particle; only if requested, and with Scene::has_films()
  std::vector<std::uint8_t> held;  ///< 1 for a particle whose centre its group fixes, else 0; only if requested

  /// The arrays of particles: all but `clumps`.
  [[nodiscard]] auto arrays() {
    return std::tie(id, position, velocity, angular_velocity, radius, material, force, coordination, image, fluctuation,
                    damage, fragment, group, temperature, dissipated, film, held);
  }
  template <class Visit>
  void each_array(Visit&& visit) {
    std::apply([&](auto&... array) { (visit(array), ...); }, arrays());
  }

  /// Index of the particle with this id; none if it is not in the run.
  [[nodiscard]] std::optional<std::size_t> place_of(std::uint32_t of) const {
    const auto at = std::lower_bound(id.begin(), id.end(), of);
    if (at == id.end() || *at != of) { return std::nullopt; }
    return static_cast<std::size_t>(at - id.begin());
  }
};
inline constexpr std::size_t snapshot_arrays = std::tuple_size_v<decltype(std::declval<Snapshot&>().arrays())>;
static_assert(sizeof(Snapshot) ==
                  sizeof(std::uint64_t) + 2 * sizeof(double) + (snapshot_arrays + 1) * sizeof(std::vector<double>),
              "arrays() names every array but clumps");

/// Optional parts of a snapshot. A part that is not requested costs nothing.
struct SnapshotRequest {
  bool force = false;
  bool coordination = false;
  bool damage = false;
  bool fragment = false;
  bool group = false;
  bool temperature = false;
  bool dissipated = false;
  bool film = false;
  bool held = false;
};

}  // namespace scree
