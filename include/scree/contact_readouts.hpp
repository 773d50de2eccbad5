#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scree/values.hpp"

/// Contacts and loads on boundaries, as an engine reports them.
namespace scree {

/// One touching contact at the moment of the last contact forces, one step before the positions.
struct TouchingContact {
  std::uint32_t first = 0;     ///< id of the first particle, or index of the boundary in Scene::boundaries
  std::uint32_t second = 0;    ///< id of the second particle
  bool with_boundary = false;  ///< `first` is a boundary
  Real3 force{};               ///< [N] on the second particle
  Real3 normal{};              ///< [-] from the first to the second
  /// [m] contact point in the middle of the overlap, at the first particle. For a level-set grain it is the mean of the
  /// contact points of its nodes, weighted by the forces of their normal springs (at bonds by their areas)
  Real3 point{};
  Real3 branch{};  ///< [m] from the centre of the first to the touched image of the second; 0 with boundaries
  std::array<std::int32_t, 3> cell_offset{};  ///< number of cell edges from the second particle to this image of it
  /// [N m] moment about `point` of the forces at the nodes of a level-set grain, on the second particle; 0 for other
  /// particles
  Real3 couple{};
};

/// Further values of a touching contact.
struct ContactDetail {
  Real3 center{};       ///< [m] centre of the first particle at that moment; at a boundary the centre of the particle
  double overlap = 0;   ///< [m] negative if a bond or a neck holds two surfaces apart; NaN at level-set grains
  Real3 spring{};       ///< [N] elastic shear force on the second particle that the contact remembers
  bool bonded = false;  ///< an intact bond
  double strength = 0;  ///< [-] strength of an intact bond of spheres over the strengths of the case; 0: no bond
  /// [N m] moment of the resistance to rolling and twisting on the second particle, with its dashpots. 0 without such a
  /// resistance, and for contacts with boundaries and of level-set grains
  Real3 moment{};
};

/// A node of a level-set grain that touches a body or a boundary.
struct TouchingNode {
  std::uint32_t first = 0;     ///< as in TouchingContact
  std::uint32_t second = 0;    ///< as in TouchingContact
  bool with_boundary = false;  ///< `first` is a boundary
  bool of_first = false;       ///< the node belongs to the first particle, else to the second
  Real3 force{};               ///< [N] on the second particle
  Real3 normal{};              ///< [-] towards the second particle
  Real3 point{};               ///< [m] contact point; across a face of the cell it is the point at the second particle
  double overlap = 0;          ///< [m]
};

/// A single sphere whose mean stress has reached its strength.
struct OverloadedSphere {
  std::uint32_t id = 0;
  /// [Pa] octahedral shear stress of its mean stress, by the contact forces of the last step: the symmetric part of the
  /// sum of force times lever over the volume
  double stress = 0;
  double depth = 0;                                  ///< [m] overlap of its deepest contact
  Real3 position{}, velocity{}, angular_velocity{};  ///< as in Snapshot
  std::uint32_t group = 0;                           ///< index in Scene::groups
  double temperature = 0;                            ///< [K] 0 without Scene::heat
};

/// Load on a boundary, and its motion by forces.
struct BoundaryLoad {
  Real3 force{};    ///< [N] force of the particles on the boundary in the last step
  Real3 torque{};   ///< [N m] torque of these forces about the origin of the world frame
  double work = 0;  ///< [J] work of the boundary on the particles so far
  // Motion of a driven boundary, beyond its prescribed motion; zero without a drive.
  Real3 shift{};               ///< [m]
  Real3 velocity{};            ///< [m/s] in the middle of the last step
  double angle = 0, rate = 0;  ///< [rad], [rad/s] in the middle of the last step
  Real3 spin{};                ///< [rad/s] of a free body, in the middle of the last step
  // These three describe a cylinder that holds a radial stress or force. They are zero for all other boundaries.
  double growth = 0;        ///< [m] growth of its radius since the start
  double growth_rate = 0;   ///< [m/s] rate of this growth in the middle of the last step
  double radial_force = 0;  ///< [N] force of the particles on it, summed along the directions away from its axis
  // The present place of the boundary: a point at X in the scene is now at rotation X + offset.
  std::array<Real3, 3> rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< [-] rows
  Real3 offset{};                                                    ///< [m]
};

/// The loads of particles on each facet of a mesh. All arrays have the length [n_facets]. In a periodic cell a facet
/// and its copies count as one facet.
struct FacetLoads {
  std::size_t boundary = 0;            ///< index in Scene::boundaries
  double since = 0;                    ///< [s] when the interval began
  std::vector<double> normal_impulse;  ///< [N s] of the normal forces since then; positive: pressure
  std::vector<double> shear_impulse;   ///< [N s] of the magnitudes of the tangential forces of the contacts since then
  // Sums since the start of the run:
  std::vector<double> sliding;         ///< [J] normal forces times sliding distances (Archard)
  std::vector<double> friction_work;   ///< [J] work of the tangential forces against the sliding
  std::vector<double> impact_energy;   ///< [J] m v^2 / 2 of all impacts, v: the normal part of the velocity
  std::vector<double> cutting;         ///< [J] m v^2 of all impacts, times Finnie's function of the angle
  std::vector<std::uint64_t> impacts;  ///< how often a particle that did not touch the mesh has hit the facet
};

/// The collisions of one class whose losses lie between two limits. A collision is a contact, from the step in which it
/// begins to touch to the step in which it ends.
struct CollisionBin {
  std::uint32_t first = 0;     ///< index of a material, or of the boundary in Scene::boundaries
  std::uint32_t second = 0;    ///< index of a material, at least `first`; at a boundary the material of the particle
  bool with_boundary = false;  ///< `first` is a boundary
  std::size_t bin = 0;         ///< number of limits in SceneCollisions::limits that the losses reach
  std::uint64_t count = 0;     ///< collisions that have ended
  double lost = 0;             ///< [J] energy that these collisions lost by slip, breaking and dashpots
  double speed = 0;            ///< [m/s] sum of the normal speeds at which these collisions began
};

/// The collisions that have ended in an interval, and those that continue.
struct CollisionReport {
  double since = 0;                ///< [s] when the interval began
  std::vector<CollisionBin> bins;  ///< pairs of materials first, then boundaries; those with a count of 0 are left out
  std::uint64_t open = 0;          ///< contacts that touch now
  double open_lost = 0;            ///< [J] energy that the open contacts have lost since they began to touch
};

}  // namespace scree
