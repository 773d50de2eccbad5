#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scree/case.hpp"

namespace scree {

inline constexpr std::uint32_t no_clump = 0xffffffffU;

/// One clump; velocities as those of particles.
struct SnapshotClump {
  std::uint32_t id = 0;                 ///< clumps are counted for themselves
  std::uint32_t shape = 0;              ///< index in Scene::clump_shapes
  std::uint32_t first = 0;              ///< id of its first member
  std::uint32_t members = 0;            ///< the others follow
  double mass = 0;                      ///< [kg]
  Real3 inertia{};                      ///< [kg m2] principal moments
  Real3 position{};                     ///< [m] centre of mass
  Real3 velocity{};                     ///< [m/s]
  Real3 angular_velocity{};             ///< [rad/s] world
  std::array<double, 4> orientation{};  ///< w, x, y, z: principal axes -> world
};

/// Host copy of the particles that are still in the run, in ascending order of id.
/// Position, velocity and radius are always filled; the others only where asked for. Velocities are those of the
/// middle of the last step (leapfrog), half a step before the positions.
struct Snapshot {
  std::uint64_t step = 0;
  double time = 0;                      ///< [s]
  double last_step = 0;                 ///< [s] length of the step that led here
  std::vector<std::uint32_t> id;        ///< index in Scene::particles
  std::vector<Real3> position;          ///< [m]
  std::vector<Real3> velocity;          ///< [m/s]
  std::vector<Real3> angular_velocity;  ///< [rad/s]
  std::vector<double> radius;           ///< [m]
  std::vector<std::uint32_t> material;
  /// [N] sum of contact forces of the last step; only when asked for
  std::vector<Real3> force;
  std::vector<std::uint32_t> coordination;  ///< [-] touching particles and boundaries; only when asked for
  std::vector<SnapshotClump> clumps;        ///< in ascending order of id; their members are among the particles
  // Only in a periodic cell, in which positions lie. Velocities are those of the particle where it stands.
  /// edges that the position was taken back by: position + image * edges never jumps
  std::vector<std::array<std::int32_t, 3>> image;
  /// [m/s] velocity less that of the mean deformation at the particle
  std::vector<Real3> fluctuation;
  /// [-] broken share of the bonds of the start; only when asked for
  std::vector<double> damage;
};

/// Optional parts of a snapshot: what is not asked for costs nothing.
struct SnapshotRequest {
  bool force = false;
  bool coordination = false;
  bool damage = false;
};

}  // namespace scree
