#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "scree/motions.hpp"
#include "scree/regions.hpp"
#include "scree/sizes.hpp"
#include "scree/time_table.hpp"
#include "scree/values.hpp"

/// Where particles come from, and their groups, as in a case file.
namespace scree {

/// Random particles without overlaps in a region. Exactly one of count and solid_fraction is given.
struct Fill {
  Region region;
  std::optional<std::uint64_t> count;
  std::optional<double> solid_fraction;    ///< [-]
  bool keep_clear = true;                  ///< no particle overlaps a boundary at the start
  std::vector<std::string> keep_out_of{};  ///< names of boundaries that are closed meshes: no particle lies inside
  bool dense = false;                      ///< a random packing that is grown to a solid fraction up to about 0.63
};

enum class LatticeKind { simple_cubic, body_centred, face_centred };
/// Particles on the points of a lattice.
struct Lattice {
  LatticeKind type = LatticeKind::simple_cubic;
  BoxRegion box;
  double spacing = 0;  ///< [m] distance of nearest neighbours
  double jitter = 0;   ///< [-] random shift as a fraction of the free gap; never causes overlaps
};

/// Particles that appear during the run, without overlaps. Exactly one of rate and mass_flow is given.
struct Inlet {
  std::optional<std::string> name{};  ///< stages use this name for it
  std::optional<double> rate;         ///< [1/s] particles per time
  std::optional<double> mass_flow;    ///< [kg/s]
  Region region;                      ///< particles appear wholly inside
  Real3 velocity{};                   ///< [m/s] velocity of a new particle
  /// [m/s] added to the velocity along the normal of a FaceRegion where the particle appears
  double normal_speed = 0;
  Real3 angular_velocity{};  ///< [rad/s]
  /// orientation of a new clump: turns the frame of its template into the world; none: random
  std::optional<QuaternionWxyz> orientation{};
  double from = 0;                                         ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
  std::optional<std::uint64_t> count;                      ///< largest number of particles
  std::optional<double> mass;                              ///< [kg] largest total mass
  std::vector<std::string> keep_out_of{};  ///< names of boundaries that are closed meshes: no particle lies inside
};

/// A sleeve around a cylindrical specimen: equal spheres, the nodes, on a triangular lattice around a cylinder. The
/// bonds of their contact law join them, and the sheet carries a pressure that follows its triangles.
struct Membrane {
  std::string name;                       ///< stages and columns of the series use this name for it
  Real3 from{}, to{};                     ///< [m] centres of the two ends: the nodes lie wholly between them
  double radius = 0;                      ///< [m] of the room inside, which the nodes touch from outside
  GoalCourse pressure = ConstantGoal{0};  ///< [Pa] pressure outside minus pressure inside; negative: it inflates
  std::optional<std::string> ends{};      ///< group of the first and the last ring of nodes; none: that of all nodes
};

/// [-] Accepted overlap of particles of files and lattices at the start, over the smaller of two radii.
inline constexpr double default_allowed_overlap = 0.1;

/// One kind of particles in a mixture.
struct MixturePart {
  double mass_fraction = 0;  ///< [-] of all particles of the entry; the fractions of an entry sum to 1
  std::string material;
  std::string shape = "sphere";                ///< "sphere", or a name in Case::shapes
  std::optional<SizeDistribution> radius;      ///< as ParticleGroup::radius
  std::optional<SizeDistribution> diameter{};  ///< in its place
  std::optional<std::string> group;            ///< name in Case::groups; none: that of the entry
};

/// One entry of "particles". Exactly one of fill, lattice, positions, file, inlet and membrane is given.
struct ParticleGroup {
  std::string shape = "sphere";         ///< "sphere", or a name in Case::shapes
  std::optional<std::string> material;  ///< none: a mixture, or a file with a column "material"
  /// the kinds of particles of a fill or an inlet, with their shares of the mass; instead of shape, material and radius
  std::vector<MixturePart> mixture{};
  /// needed by fill, lattice, positions, inlet and membrane, except with a shape. With a shape it is the radius of the
  /// sphere of the same volume
  std::optional<SizeDistribution> radius;
  std::optional<SizeDistribution> diameter{};  ///< in place of radius: its values are diameters
  std::optional<Fill> fill;
  std::optional<Lattice> lattice;
  std::vector<Real3> positions{};  ///< [m] centres, of clumps their centres of mass; empty: none are given
  /// CSV with a header line: x,y,z, radius or diameter, and any of vx,vy,vz; wx,wy,wz; qw,qx,qy,qz; material; group
  std::optional<std::string> file;
  double scale = 1;   ///< [-] of a file: factor from its unit of length to metres
  Real3 translate{};  ///< [m] of a file: shift of the scaled places
  std::optional<Inlet> inlet;
  std::optional<Membrane> membrane{};
  /// [-] for files, lattices, positions and membranes: accepted overlap over the smaller radius, in [0, 1); none:
  /// default_allowed_overlap
  std::optional<double> allow_overlap{};
  Real3 velocity{};          ///< [m/s] initial
  Real3 angular_velocity{};  ///< [rad/s] initial
  /// initial orientation of clumps: turns the frame of their template into the world; none: random
  std::optional<QuaternionWxyz> orientation{};
  std::optional<std::string> group;     ///< name in Case::groups
  std::optional<double> temperature{};  ///< [K] initial, with Case::heat; none: that of `heat`
  /// [-] initial volume of the film of liquid over the volume of the particle, with LiquidBridges::from_films; none: 0
  std::optional<double> film{};

  /// Whether the entry gives the place of each particle.
  [[nodiscard]] bool places_each() const { return lattice || file || membrane || !positions.empty(); }
};

/// Settings for all particles of a group.
struct GroupSettings {
  std::vector<std::string> fixed;         ///< any of x, y, z, rx, ry, rz: these components keep their velocity
  std::optional<Real3> velocity;          ///< [m/s] imposed on the fixed components
  std::optional<Real3> angular_velocity;  ///< [rad/s] imposed on the fixed components
  std::optional<Rotation> rotation;       ///< the group rotates as one body; all six components are fixed
  Real3 force{};                          ///< [N] on each particle
  Real3 torque{};                         ///< [N m] on each particle
  std::optional<double> damping;          ///< [-] Cundall's damping; none: that of Integration
  bool gravity = true;
};

}  // namespace scree
