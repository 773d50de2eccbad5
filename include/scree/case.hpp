#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// The case file as types. SI units throughout; every struct mirrors one JSON object and is read, checked, written
/// back and documented through its describe() list (src/host/case/describe.hpp). Defaults here are the file's defaults.
namespace scree {

using Real3 = std::array<double, 3>;
using QuaternionWxyz = std::array<double, 4>;  ///< of length 1

/// A JSON object whose keys are the user's own names; the order of the file is kept.
template <class T>
using Named = std::vector<std::pair<std::string, T>>;

enum class Precision { mixed, double_ };
enum class LawKind {
  hertz_mindlin,
  cundall_strack,
  hertz_mindlin_rescaled,
  hertz_mindlin_dmt,
  mindlin_reversal,
  jkr,
  linear_spring_dashpot,
  bonded,
  jaeger
};

struct TimeSettings {
  double duration = 0;             ///< [s]
  std::optional<double> step;      ///< [s] none: chosen from stiffness and mass ("auto")
  std::optional<double> safety{};  ///< [-] automatic step as a fraction of the limit; none: 0.2, or 0.4 where it adapts
  bool adaptive = false;           ///< the step follows the contacts that there are
  std::uint64_t update_interval = 10;  ///< [steps] between two looks at them
};

/// Elastic-plastic springs against rolling and twisting. In a material: combined with those of its partner.
struct RollingResistance {
  double stiffness = 0;           ///< [-] rolling stiffness in r1 r2 K_T
  double friction = 0;            ///< [-] largest rolling moment in min(r1, r2) F_N
  double twisting_stiffness = 0;  ///< [-] the same about the normal
  double twisting_friction = 0;   ///< [-]
  double damping = 0;             ///< [-] damping ratio of both dashpots
  [[nodiscard]] bool acts() const { return stiffness > 0 || twisting_stiffness > 0; }
};

/// How the law jaeger keeps load histories; as they are by default.
struct LoadHistorySettings {
  /// [-] pieces of elastic loading that differ by less, as a fraction of the friction, become one
  double merging = 0;
  std::optional<std::uint64_t> most_segments{};  ///< per contact; none: all
  bool exact_sliding = false;                    ///< the direction of sliding is integrated over a step
};

enum class NormalStrain { linear, logarithmic };
/// Bonds that are made when the run starts.
struct Bond {
  double tensile_strength = 0;   ///< [Pa]
  double cohesion = 0;           ///< [Pa] shear strength without normal force
  double interaction_range = 1;  ///< [-] farthest distance of a bond, in sums of the radii
  NormalStrain strain = NormalStrain::linear;
};

struct Material {
  double density = 0;                 ///< [kg/m3]
  double young_modulus = 0;           ///< [Pa]
  double poisson_ratio = 0;           ///< [-] also the shear-to-normal stiffness ratio of Cundall-Strack
  double friction = 0;                ///< [-] coefficient
  std::optional<double> restitution;  ///< [-] needed by hertz_mindlin
  std::optional<RollingResistance> rolling = {};
};

/// First rule that matches a pair of materials wins; "*" matches any. Values given here replace the materials' own.
struct ContactRule {
  std::array<std::string, 2> between = {"*", "*"};
  LawKind law = LawKind::hertz_mindlin;
  std::optional<double> friction;                  ///< [-] default: the smaller of the two
  std::optional<double> restitution;               ///< [-] default: the smaller of the two
  std::optional<double> restitution_tangential{};  ///< [-] default: as restitution
  std::optional<bool> exact_restitution{};   ///< of linear springs: corrected for the end of the contact at no force
  std::optional<double> contact_time{};      ///< [s] of linear springs
  std::optional<double> normal_stiffness{};  ///< [N/m] of linear springs
  std::optional<double> shear_stiffness{};   ///< [N/m] of linear springs
  std::optional<double> normal_damping{};    ///< [N s/m] of linear dashpots
  std::optional<double> shear_damping{};     ///< [N s/m] of linear dashpots
  std::optional<double> young_modulus{};     ///< [Pa] E* of Hertz's laws
  std::optional<double> shear_modulus{};     ///< [Pa] G* of Hertz's laws
  std::optional<double> surface_energy{};    ///< [J/m2] of adhesive laws
  std::optional<RollingResistance> rolling = {};         ///< default: from the two
  std::optional<Bond> bond = {};                         ///< needed by bonded
  std::optional<LoadHistorySettings> load_history = {};  ///< of jaeger
};

// --- particles -------------------------------------------------------------------------------------------------

/// [m]
struct FixedSize {
  double value = 0;
};
/// [m] by number
struct UniformSize {
  double min = 0, max = 0;
};
/// [m] truncated
struct NormalSize {
  double mean = 0, deviation = 0, min = 0, max = 0;
};
/// [m], [-] of the logarithm
struct LogNormalSize {
  double median = 0, deviation = 0, min = 0, max = 0;
};
/// [m], by number
struct DiscreteSize {
  std::vector<double> values, weights;
};
/// [m], cumulative mass fraction
struct SieveSize {
  std::vector<std::array<double, 2>> passing;
};
using SizeDistribution = std::variant<FixedSize, UniformSize, NormalSize, LogNormalSize, DiscreteSize, SieveSize>;

/// [m]
struct BoxRegion {
  Real3 min{}, max{};
};
/// [m]
struct CylinderRegion {
  Real3 from{}, to{};
  double radius = 0;
};
/// [m]
struct SphereRegion {
  Real3 center{};
  double radius = 0;
};
/// closed surface
struct MeshRegion {
  std::string file;
  double scale = 1;
};
/// the whole periodic cell
struct CellRegion {};
using Region = std::variant<BoxRegion, CylinderRegion, SphereRegion, MeshRegion, CellRegion>;

/// [m] before scaling
struct MemberSphere {
  Real3 center{};
  double radius = 0;
};
/// Rigid shape of spheres, given one by one or in a CSV file with the columns x, y, z, r.
struct ClumpTemplate {
  std::vector<MemberSphere> spheres;
  std::optional<std::string> file;
  double scale = 1;  ///< [-] takes the units of the spheres to metres
  /// cells along the shortest edge where overlapping members are measured on a grid
  std::optional<std::uint64_t> resolution;
};
using ShapeTemplate = std::variant<ClumpTemplate>;
struct Shape {
  ShapeTemplate kind;
};

/// Random, non-overlapping particles in a region. Exactly one of count and solid_fraction is given.
struct Fill {
  Region region;
  std::optional<std::uint64_t> count;
  std::optional<double> solid_fraction;  ///< [-]
};

enum class LatticeKind { simple_cubic, body_centred, face_centred };
struct Lattice {
  LatticeKind type = LatticeKind::simple_cubic;
  BoxRegion box;
  double spacing = 0;  ///< [m] distance of nearest neighbours
  double jitter = 0;   ///< [-] random shift as a fraction of the free gap, never causing overlap
};

/// Particles that appear during the run, never overlapping anything. Exactly one of rate and mass_flow is given.
struct Inlet {
  std::optional<double> rate;       ///< [1/s] particles
  std::optional<double> mass_flow;  ///< [kg/s]
  Region region;                    ///< a particle lies wholly inside when it appears
  Real3 velocity{};                 ///< [m/s] of a new particle
  Real3 angular_velocity{};         ///< [rad/s]
  /// of a new clump: turns the frame of its template into the world; none: random
  std::optional<QuaternionWxyz> orientation{};
  double from = 0;                                         ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
  std::optional<std::uint64_t> count;                      ///< no more particles than this
  std::optional<double> mass;                              ///< [kg] no more than this
};

/// What particles of files and lattices may overlap at the start, as a fraction of the smaller radius of two.
inline constexpr double default_allowed_overlap = 0.1;

/// One entry of "particles": exactly one of fill, lattice, file and inlet is given.
struct ParticleGroup {
  std::string shape = "sphere";  ///< or a name in Case::shapes
  std::string material;
  /// needed by fill and lattice; of a shape: that of the sphere of the same volume
  std::optional<SizeDistribution> radius;
  std::optional<Fill> fill;
  std::optional<Lattice> lattice;
  std::optional<std::string> file;  ///< CSV: x,y,z,radius[,vx,vy,vz][,wx,wy,wz][,qw,qx,qy,qz] with a header line
  std::optional<Inlet> inlet;
  /// [-] of files and lattices: of the smaller radius, in [0, 1); none: default_allowed_overlap
  std::optional<double> allow_overlap{};
  Real3 velocity{};          ///< [m/s] initial
  Real3 angular_velocity{};  ///< [rad/s] initial
  /// initial, of clumps: turns the frame of their template into the world; none: random
  std::optional<QuaternionWxyz> orientation{};
  std::optional<std::string> group;  ///< name in Case::groups
};

// --- boundaries ------------------------------------------------------------------------------------------------

/// [m/s]
struct Translation {
  Real3 velocity{};
};
/// [-], [m], [rad/s]
struct Rotation {
  Real3 axis{0, 0, 1}, origin{};
  double rate = 0;
};
/// s = amplitude (sin(2 pi frequency t + phase) - sin(phase)) along a direction [m], or about an axis [rad]; t since
/// `from`.
struct Oscillation {
  std::optional<Real3> direction{}, axis{};  ///< exactly one
  Real3 origin{};                            ///< [m] with axis
  double amplitude = 0;                      ///< [m] or [rad]
  double frequency = 0;                      ///< [Hz]
  double phase = 0;                          ///< [rad]
};
/// Rows of time [s] and a value, piecewise linear; the boundary rests before the first and after the last.
using TimeTable = std::vector<std::array<double, 2>>;
/// Displacement or speed over time, along a direction [m], [m/s] or about an axis [rad], [rad/s]; t since `from`.
struct TableMotion {
  std::optional<Real3> direction{}, axis{};                     ///< exactly one
  Real3 origin{};                                               ///< [m] with axis
  std::optional<TimeTable> position{}, velocity{};              ///< exactly one of these four
  std::optional<std::string> position_file{}, velocity_file{};  ///< CSV: time,value
};
using MotionKind = std::variant<Translation, Rotation, Oscillation, TableMotion>;
/// A prescribed motion between two times; several motions of one boundary apply one after the other.
struct Motion {
  MotionKind kind;
  double from = 0;                                         ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
};

/// particles live where normal points
struct PlaneBoundary {
  Real3 point{}, normal{0, 0, 1};
};
/// particles live inside
struct BoxBoundary {
  Real3 min{}, max{};
};
/// open shell, both sides active
struct CylinderBoundary {
  Real3 from{}, to{};
  double radius = 0;
};
/// open shell, both sides active
struct ConeBoundary {
  Real3 from{}, to{};
  double radius_from = 0, radius_to = 0;
};
/// shell, both sides active
struct SphereBoundary {
  Real3 center{};
  double radius = 0;
};
/// STL or OBJ, both sides active
struct MeshBoundary {
  std::string file;
  double scale = 1;
  Real3 translate{};
};
using BoundaryShape =
    std::variant<PlaneBoundary, BoxBoundary, CylinderBoundary, ConeBoundary, SphereBoundary, MeshBoundary>;

/// A boundary with mass that forces move along some axes of the world.
struct DrivenTranslation {
  double mass = 0;                               ///< [kg]
  std::vector<std::string> free{"x", "y", "z"};  ///< axes
  Real3 force{};                                 ///< [N] besides gravity and contacts
  Real3 velocity{};                              ///< [m/s] when it is let go
  double damping = 0;                            ///< [N s/m] resistance to its velocity
};
/// A boundary with a moment of inertia that torques turn about an axis.
struct DrivenRotation {
  double inertia = 0;  ///< [kg m2] about the axis
  Real3 axis{0, 0, 1};
  Real3 origin{};      ///< [m] a point of the axis
  double torque = 0;   ///< [N m] besides that of the contacts
  double rate = 0;     ///< [rad/s] when it is let go
  double damping = 0;  ///< [N m s] resistance to its rate
};
/// What forces do to a boundary, on top of its prescribed motions.
struct Drive {
  std::optional<DrivenTranslation> translation{};
  std::optional<DrivenRotation> rotation{};
  double from = 0;  ///< [s] held until then
};
struct Boundary {
  BoundaryShape shape;
  std::string material;
  std::vector<Motion> motion;
  std::optional<Drive> drive;
};

// --- groups ----------------------------------------------------------------------------------------------------

/// What holds for the particles of a group beyond contacts.
struct GroupSettings {
  std::vector<std::string> fixed;         ///< of x, y, z, rx, ry, rz: these components keep their velocity
  std::optional<Real3> velocity;          ///< [m/s] imposed on the fixed components
  std::optional<Real3> angular_velocity;  ///< [rad/s] imposed on the fixed components
  std::optional<Rotation> rotation;       ///< the group turns as one body; all six are fixed
  Real3 force{};                          ///< [N] on each particle
  Real3 torque{};                         ///< [N m] on each particle
  std::optional<double> damping;          ///< [-] Cundall's; none: that of Integration
  bool gravity = true;
};

// --- the rest --------------------------------------------------------------------------------------------------

/// A plane that counts and removes each particle whose centre crosses it in the direction of its normal.
struct Outlet {
  Real3 point{}, normal{0, 0, -1};
};
/// A region that counts and removes each particle whose centre is inside, between two times.
struct DeletionRegion {
  std::variant<BoxRegion, CylinderRegion, SphereRegion> region;
  double from = 0;                                         ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
};

/// A cell that repeats without end. Exactly one of size and edges is given.
struct PeriodicDomain {
  std::optional<Real3> size{};                   ///< [m] of a box along the axes
  std::optional<std::array<Real3, 3>> edges{};   ///< [m] edge vectors of any parallelepiped
  Real3 origin{};                                ///< [m] corner from which the edges go out
  std::vector<std::string> axes{"x", "y", "z"};  ///< along which the cell repeats
};
struct ConstantGoal {
  double value = 0;
};
/// time since the stage began [s] and value
struct TabledGoal {
  TimeTable rows;
};
using GoalCourse = std::variant<ConstantGoal, TabledGoal>;
/// What one component of the cell is made to do. Exactly one of the first three is given.
struct ComponentControl {
  std::optional<GoalCourse> strain_rate{}, strain{}, stress{};  ///< [1/s], [-], [Pa]
  std::optional<double> reverse_at_stress{};                    ///< [Pa] at which a strain rate changes its sign
};
/// [-] magnitudes
struct StageStrains {
  std::optional<double> xx{}, yy{}, zz{}, yz{}, xz{}, xy{};
};
/// When a stage ends; see CellStage. At least one is given.
struct StageEnd {
  std::optional<double> duration{};          ///< [s]
  std::optional<StageStrains> strain{};      ///< [-] since the stage began
  std::optional<double> stress_error{};      ///< [-] of the largest goal of stress
  std::optional<double> unbalanced_force{};  ///< [-] mean force on a particle over mean contact force
};
/// One stage of the control of a periodic cell; components left out keep a strain rate of 0.
struct ControlStage {
  std::string name;
  std::optional<ComponentControl> xx{}, yy{}, zz{}, yz{}, xz{}, xy{};
  double inertial_number = 1e-3;    ///< [-] limit of the rates that the program chooses
  std::optional<StageEnd> until{};  ///< none: the end of the run
};
struct Domain {
  std::optional<BoxRegion> remove_outside;
  Named<Outlet> outlets;
  Named<DeletionRegion> delete_in;
  std::optional<PeriodicDomain> periodic{};
  std::optional<std::array<Real3, 3>> velocity_gradient{};  ///< [1/s] rows: L_ij = d v_i / d x_j
  std::vector<ControlStage> control{};                      ///< one after the other
};

/// How the rotation of particles that are no spheres is integrated.
enum class RotationScheme { spiral, omelyan, fincham };

struct Integration {
  double damping = 0;                                ///< [-] Cundall's non-viscous damping
  bool damp_gravity = true;                          ///< Cundall's damping acts on gravity as well
  double viscous_damping = 0;                        ///< [1/s] force -c m v and torque -c I w
  RotationScheme rotation = RotationScheme::spiral;  ///< of particles that are no spheres
};

/// [m]
struct VerletLength {
  double value = 0;
};
/// [-] of the smallest radius
struct VerletFraction {
  double value = 0;
};
using VerletDistance = std::variant<VerletLength, VerletFraction>;
/// How the neighbour search trades longer lists for fewer searches; no result depends on it.
struct Neighbours {
  std::optional<VerletDistance> verlet_distance;  ///< none: "auto"
  std::optional<double> target_interval;  ///< [steps] for which the list of a particle should last; none: measured
};

/// [s]
struct FrameOutput {
  double every = 0;
  std::vector<std::string> fields = {"velocity", "radius"};
};

struct FlowPlane {
  Real3 point{}, normal{0, 0, 1};
};
/// net number and mass through a plane
struct FlowProbe {
  FlowPlane plane;
};
/// contact and kinetic part, tension positive
struct StressProbe {
  Region region;
};
/// mean of n n over the contacts inside
struct FabricProbe {
  Region region;
};
/// contacts per particle
struct CoordinationProbe {
  std::optional<Region> region;
};
/// volume of the particles with centres inside
struct PorosityProbe {
  Region region;
};
/// from shear rate, pressure, size and density
struct InertialProbe {
  Region region;
};
/// position, velocity, force of some ids
struct TrackProbe {
  std::vector<std::uint64_t> particles;
};
using ProbeKind =
    std::variant<FlowProbe, StressProbe, FabricProbe, CoordinationProbe, PorosityProbe, InertialProbe, TrackProbe>;
/// What is measured at each row of the series.
struct ProbeOutput {
  ProbeKind kind;
};
struct SeriesOutput {
  double every = 0;       ///< [s]
  bool energies = false;  ///< keep an energy ledger
  Named<ProbeOutput> probes{};
};
/// [s], how many
struct CheckpointOutput {
  double every = 0;
  std::uint64_t keep = 2;
};
struct Output {
  std::optional<FrameOutput> frames;
  std::optional<SeriesOutput> series;
  std::optional<CheckpointOutput> checkpoints;
};

struct Case {
  std::string title;
  TimeSettings time;
  Real3 gravity{0, 0, -9.81};  ///< [m/s2]
  Precision precision = Precision::mixed;
  std::uint64_t seed = 1;
  Named<Material> materials;
  Named<Shape> shapes;                ///< of particles that are no spheres
  std::vector<ContactRule> contacts;  ///< empty: one rule, any with any, hertz_mindlin
  bool no_ratcheting = false;         ///< closed cycles of two spheres leave no shear
  std::vector<ParticleGroup> particles;
  /// checkpoint, or folder of checkpoints, with particles, contacts and cell: instead of `particles`
  std::optional<std::string> start{};
  Named<GroupSettings> groups;
  Named<Boundary> boundaries;
  Domain domain;
  Integration integration;
  Neighbours neighbours;
  Output output;

  std::filesystem::path folder;  ///< where relative paths start: the folder of the case file; not part of the JSON
};

}  // namespace scree
