#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scree/regions.hpp"
#include "scree/values.hpp"

/// Output of a run, as in a case file.
namespace scree {

/// Frames for ParaView; `fields` are names of frame fields.
struct FrameOutput {
  double every = 0;  ///< [s]
  std::vector<std::string> fields = {"velocity", "radius"};
  bool grain_nodes = false;  ///< also the nodes of level-set grains that touch, with their forces
};

/// A plane through a point [m]; the flow along its normal (of any length) counts as positive.
struct FlowPlane {
  Real3 point{}, normal{0, 0, 1};
};
// Kinds of probes. docs/output.md says which columns each of them adds to the series.

/// Net number and mass [kg] of the particles that have gone through a plane since the start.
struct FlowProbe {
  FlowPlane plane;
  std::optional<double> window{};  ///< [s] the probe also measures the mean flow over the last window
};
// Without a region, a probe that takes a volume measures the whole cell of a case that repeats along x, y and z.

/// Mean stress [Pa] in a region, positive in tension: the part of the contacts and the kinetic part.
struct StressProbe {
  std::optional<Region> region;
};
/// Fabric tensor [-]: the mean of n n over the contacts inside a region, with their unit normals n.
struct FabricProbe {
  std::optional<Region> region;
};
/// Contacts per particle [-], in a region or of all particles.
struct CoordinationProbe {
  std::optional<Region> region;
};
/// Solid fraction and porosity [-] of a region, from the volumes of the particles whose centres are inside.
struct PorosityProbe {
  std::optional<Region> region;
};
/// Inertial number [-] in a region, from its shear rate [1/s] and pressure [Pa] and the size and density of the
/// particles.
struct InertialProbe {
  std::optional<Region> region;
};
/// Position [m], velocity [m/s] and contact force [N] of the particles with these ids.
struct TrackProbe {
  std::vector<std::uint64_t> particles;
};
/// One of two kinds of particles: the particles that meet every given condition. At least one is given.
struct MixingKind {
  std::vector<std::string> materials{}, groups{};  ///< any of these; empty: all
  std::optional<double> larger_than{};             ///< [m] radius
};
/// A straight line from which a probe measures distances: through a point [m], along a direction of any length.
struct ProbeAxis {
  Real3 point{}, direction{0, 0, 1};
};
/// How well the particles of one kind are mixed with all others, in a region or everywhere.
struct MixingProbe {
  std::optional<Region> region;
  MixingKind of;
  double sample = 0;                ///< [m] edge of the cubes whose fractions are compared
  std::optional<ProbeAxis> axis{};  ///< the probe also measures segregation across this axis
};
/// Whether large particles are separated from small ones, in a region or everywhere: the rank correlation [-] of the
/// radius with each coordinate, and with the distance from an axis.
struct SizeSegregationProbe {
  std::optional<Region> region;
  std::optional<ProbeAxis> axis{};
};
/// Number and mass [kg] of the particles in a region or of all, their centre of mass [m], mean velocity [m/s] and
/// granular temperature [m2/s2]; with heat and liquid films also their mean temperature [K] and their liquid [m3].
struct ContentProbe {
  std::optional<Region> region;
};
/// Lengths [m], logarithmic strains [-] and stresses [Pa] of a sample between plane walls across x, y or z, its volume
/// [m3], solid fraction and void ratio [-].
struct BoxProbe {
  std::vector<std::string> walls;  ///< names of planes in opposite pairs
  std::optional<double> area{};    ///< [m2] section of a sample between two walls
};
/// Quantities of soil tests, from the stress in a region or in the periodic cell: mean stress and deviator [Pa],
/// mobilised angle of friction [deg]; in a whole cell also void ratio and volumetric strain [-].
struct TriaxialProbe {
  std::optional<Region> region{};  ///< none: the whole periodic cell
  std::string axis = "z";          ///< of the axial stress: "x", "y" or "z"
};
/// Number and size of the pieces that intact bonds hold together.
struct FragmentProbe {};
/// Slope [rad] of the surface of a heap about an axis along gravity, in a region or of all particles.
struct AngleOfReposeProbe {
  std::optional<Region> region;
  std::optional<Real3> center{};  ///< [m] a point of the axis; none: the centre of mass of the particles
};
/// Energy [J] and power [W] that contacts lose by slip, breaking and dashpots, in a region or of all particles.
struct DissipationProbe {
  std::optional<Region> region;
};
/// Time [s] that particles have spent in a region: its mean and its scatter from particle to particle.
struct ExposureProbe {
  Region region;
};
/// Force [N] and torque [N m] of the particles on one or several boundaries together.
struct BoundaryForceProbe {
  std::vector<std::string> boundaries;
  Real3 about{};  ///< [m] torques count about this point
};
/// Force [N] and torque [N m] of all contacts of the particles that the probe sees with other particles and boundaries.
struct ContactForceProbe {
  std::optional<Real3> about{};  ///< [m] torques count about this point; none: the centre of mass of these particles
};
/// Slope [rad] of the surface of a bed along a direction across gravity, in a region or of all particles.
struct SurfaceSlopeProbe {
  std::optional<Region> region;
  Real3 along{};  ///< of any length; its part across gravity counts
};
using ProbeKind = std::variant<FlowProbe, StressProbe, FabricProbe, CoordinationProbe, PorosityProbe, InertialProbe,
                               TrackProbe, MixingProbe, SizeSegregationProbe, FragmentProbe, AngleOfReposeProbe,
                               DissipationProbe, BoundaryForceProbe, SurfaceSlopeProbe, ContentProbe, BoxProbe,
                               ContactForceProbe, TriaxialProbe, ExposureProbe>;
/// A measurement for each row of the series.
struct ProbeOutput {
  ProbeKind kind;
  std::vector<std::string> materials{}, groups{};  ///< it sees only particles of one of these; empty: all
  /// [s] time between two samples. Each row then has the mean of the samples since the last row. None: each row has the
  /// value at its own moment
  std::optional<double> sample_every{};
};
/// Rows of series.csv.
struct SeriesOutput {
  double every = 0;       ///< [s]
  bool energies = false;  ///< keep an energy ledger
  Named<ProbeOutput> probes{};
};
/// Files of all touching contacts.
struct ContactOutput {
  double every = 0;  ///< [s]
};
/// A table of the bonds that break.
struct BrokenBondOutput {
  double every = 0;  ///< [s]
};
/// A grid of equal cells along the axes, or about an axis. Exactly one of box and cylinder is given.
struct FieldGrid {
  std::optional<BoxRegion> box{};            ///< [m]
  std::array<std::uint64_t, 3> cells{};      ///< number along x, y and z, or along radius, angle and axis
  std::optional<CylinderRegion> cylinder{};  ///< [m] the axis runs from `from` to `to`
  /// of a cylinder: the direction from the axis in which the angle is 0; none: whichever of x, y and z is nearest to a
  /// right angle with the axis
  std::optional<Real3> zero{};
};
/// Means of the particles over the cells of a grid and over time windows.
struct FieldOutput {
  double every = 0;                      ///< [s] length of a window: time between two files
  std::optional<double> sample_every{};  ///< [s] time between two samples in a window; none: `every`
  FieldGrid grid;
  double width = 0;  ///< [m] along each axis a particle is spread up to this distance from its centre
  std::vector<std::string> materials{}, groups{};  ///< only particles of one of these count; empty: all
};
/// A table that counts collisions by the energy that each of them loses: impact energy spectra.
struct CollisionOutput {
  double every = 0;                   ///< [s] length of a window of time
  double from = 0, to = 0;            ///< [J] limits of the classes of losses
  std::uint64_t bins_per_decade = 5;  ///< number of classes for each power of ten
};
/// Checkpoints at intervals.
struct CheckpointOutput {
  double every = 0;        ///< [s]
  std::uint64_t keep = 2;  ///< number of newest checkpoints that are kept; 0: none
};
/// The files that a run writes. A part that is not given is not written.
struct Output {
  std::optional<FrameOutput> frames;
  std::optional<SeriesOutput> series;
  std::optional<ContactOutput> contacts{};
  Named<FieldOutput> fields{};
  bool left = false;  ///< a row in left.csv for each particle that an outlet or a region removes
  std::optional<BrokenBondOutput> broken_bonds{};
  bool broken_particles = false;  ///< a row in broken_particles.csv for each particle that breaks
  std::optional<CollisionOutput> collisions{};
  std::optional<CheckpointOutput> checkpoints;
};

}  // namespace scree
