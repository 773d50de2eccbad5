#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/engine_state.hpp"
#include "scree/values.hpp"

/// Types with which a program reads and changes the bodies of an engine between two steps.
namespace scree {

/// A number or a vector of every body, in the memory of the engine.
struct BodyColumn {
  std::string name, unit;  ///< such as "position", "m"
  void* data = nullptr;    ///< address of the first body's value
  ValueType type = ValueType::float64;
  std::size_t columns = 1;  ///< numbers per body, next to each other in memory
  std::size_t stride = 0;   ///< [bytes] from one body to the next
};

/// [m] The x coordinate that an engine gives to a removed body. The body remains in the memory of the engine until the
/// next search for neighbours, and it may be part of a saved state.
inline constexpr double removed_place = 1e30;
/// Whether a body at this position [m] has been removed: no body of a run gets so far.
[[nodiscard]] inline bool is_removed(const Real3& position) {
  constexpr double farthest = 1e29;  // [m]
  return !(std::abs(position[0]) < farthest);
}

/// The bodies of an engine in its own memory: single spheres and members of clumps, in an order that changes with every
/// search for neighbours. Removed bodies (see is_removed()) are among them until the next search, with an inverse mass
/// of 0. In a periodic cell bodies may be outside of the cell, and velocities are relative to the mean flow.
struct BodyColumns {
  std::size_t rows = 0;  ///< number of bodies in memory
  bool on_gpu = false;   ///< the pointers are addresses in the memory of a GPU
  int device = 0;        ///< number of that GPU
  std::vector<BodyColumn> columns;
};

/// New values for some bodies. `id` names each of these bodies once. An empty array changes nothing; every other array
/// has the length of `id`.
struct BodyChange {
  std::vector<std::uint32_t> id;
  std::vector<Real3> position;          ///< [m]
  std::vector<Real3> velocity;          ///< [m/s] in the middle of the last step
  std::vector<Real3> angular_velocity;  ///< [rad/s] likewise
};

/// New values for some clumps and level-set grains, as in BodyChange. The members follow.
struct ClumpChange {
  std::vector<std::uint32_t> id;                   ///< SnapshotClump::id
  std::vector<Real3> position;                     ///< [m] of the centre of mass
  std::vector<std::array<double, 4>> orientation;  ///< w, x, y, z; any length
  std::vector<Real3> velocity;                     ///< [m/s] in the middle of the last step
  std::vector<Real3> angular_velocity;             ///< [rad/s] in the middle of the last step, world axes
};

/// Spheres at the present moment, in ascending order of id. Both arrays have the length [n_spheres].
struct SphereList {
  std::vector<Real3> position;  ///< [m]
  std::vector<double> radius;   ///< [m]
};

}  // namespace scree
