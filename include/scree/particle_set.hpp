#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/values.hpp"

/// Particles, as an engine takes them.
namespace scree {

/// A rigid shape of spheres, in its principal axes about its centre of mass, at size 1. Both arrays have the length
/// [n_members].
struct ClumpShape {
  std::string name;
  std::vector<Real3> position;  ///< [m] centres of the member spheres
  std::vector<double> radius;   ///< [m] radii of the member spheres
  double volume = 0;            ///< [m3] volume of their union
  Real3 inertia{};              ///< [m5] principal moments over the density
  double bounding_radius = 0;   ///< [m] radius of a ball about the centre of mass that contains the shape
  /// turns components in these axes into components in the frame of the template
  QuaternionWxyz to_template{1, 0, 0, 0};
  /// index into Scene::grain_shapes: the only member is a sphere that contains this grain; none: a clump of spheres
  std::optional<std::uint32_t> grain{};
};

/// One clump of a set of particles. Its members are consecutive particles, one for each sphere of the shape, in the
/// order of the shape, and of one material and group. Their positions and velocities follow from those of the clump.
struct Clump {
  std::uint32_t shape = 0;                        ///< index into Scene::clump_shapes
  std::uint32_t first = 0;                        ///< index of the first member in the set
  double size = 1;                                ///< [-] factor on the size of the shape
  Real3 position{};                               ///< [m] centre of mass
  std::array<double, 4> orientation{1, 0, 0, 0};  ///< unit quaternion w, x, y, z: principal axes -> world
  Real3 velocity{};                               ///< [m/s]
  Real3 angular_velocity{};                       ///< [rad/s] in world axes
  /// [m], [m/s] amplitudes of the modes of a level-set grain, and their rates; missing ones are 0
  std::vector<double> amplitude{}, amplitude_rate{};
};

/// Particles for the start of a run, where particle i has id i, or for Engine::insert(). All arrays but `group`,
/// `clumps` and `temperature` have the length [n_particles].
struct ParticleSet {
  std::vector<Real3> position;          ///< [m]
  std::vector<Real3> velocity;          ///< [m/s]
  std::vector<Real3> angular_velocity;  ///< [rad/s]
  std::vector<double> radius;           ///< [m]
  std::vector<std::uint32_t> material;  ///< index into Scene::materials
  std::vector<std::uint32_t> group;     ///< [n_particles] index into Scene::groups; empty: all 0
  /// [n_clumps] clumps that some of these particles form, in ascending order of `first`
  std::vector<Clump> clumps = {};
  /// [n_particles] [K] the value of the first member holds for a whole clump; empty: HeatSettings::temperature
  std::vector<double> temperature = {};
  std::vector<double> film = {};  ///< [n_particles] [m3] of liquid; empty: none

  [[nodiscard]] std::size_t size() const { return position.size(); }
};

}  // namespace scree
