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

#include "scree/boundaries.hpp"
#include "scree/heat.hpp"
#include "scree/laws.hpp"
#include "scree/motions.hpp"
#include "scree/outputs.hpp"
#include "scree/regions.hpp"
#include "scree/rotation_schemes.hpp"
#include "scree/stages.hpp"
#include "scree/values.hpp"

/// The case file as C++ types, in SI units. Every struct mirrors one JSON object; its describe() list
/// (src/host/case/describe.hpp) drives reading, checking, writing and the schema. Defaults here are those of the file.
/// All of it is plain data. docs/case_file.md explains every value.
namespace scree {

enum class Precision { mixed, double_ };

/// Duration and steps of a run.
struct TimeSettings {
  double duration = 0;                 ///< [s]
  std::optional<double> step;          ///< [s] none: chosen from stiffness and mass ("auto")
  std::optional<double> safety{};      ///< [-] automatic step as a fraction of the limit; none: 0.2, or 0.4 if adaptive
  bool adaptive = false;               ///< the step follows the present contacts
  std::uint64_t update_interval = 10;  ///< [steps] interval at which an adaptive step is chosen
};

/// The model of rolling resistance, by its letter in Ai et al. (2011).
enum class RollingType {
  directional,     ///< A: a moment against the rolling, whatever its speed
  viscous,         ///< B: a moment that goes with the speed of rolling
  elastic_plastic  ///< C: springs with dashpots that yield
};
/// Resistance to rolling and, of type C, to twisting. Values of a material are combined with those of its partner.
struct RollingResistance {
  double stiffness = 0;           ///< [-] rolling stiffness, over r1 r2 K_T
  double friction = 0;            ///< [-] largest rolling moment, over min(r1, r2) F_N
  double twisting_stiffness = 0;  ///< [-] stiffness about the normal, over r1 r2 K_T
  double twisting_friction = 0;   ///< [-] largest moment about the normal, over min(r1, r2) F_N
  double damping = 0;             ///< [-] damping ratio of both dashpots
  RollingType type = RollingType::elastic_plastic;
  double viscosity = 0;  ///< [s/m] of type B: rolling moment over min(r1, r2) F_N and the speed of rolling
  [[nodiscard]] bool acts() const {
    return type == RollingType::elastic_plastic ? stiffness > 0 || twisting_stiffness > 0 : is_moment();
  }
  /// Whether it is a moment without springs, of type A or B.
  [[nodiscard]] bool is_moment() const {
    return (type == RollingType::directional && friction > 0) || (type == RollingType::viscous && viscosity > 0);
  }
};

/// How the law jaeger simplifies load histories; by default it does not.
struct LoadHistorySettings {
  /// [-] pieces of elastic loading become one if their slopes differ by less than this fraction of the friction
  double merging = 0;
  std::optional<std::uint64_t> most_segments{};  ///< largest number per contact; none: unlimited
  bool exact_sliding = false;                    ///< integrate the direction of sliding over a step
};

enum class NormalStrain { linear, logarithmic };
/// When bonds of spheres are made.
enum class BondForm {
  start,  ///< before the first step
  near    ///< also whenever two particles come near each other
};
/// Bonds between particles that are near each other when the run starts, or that come near each other later.
struct Bond {
  double tensile_strength = 0;                 ///< [Pa] tension at which a bond breaks
  double cohesion = 0;                         ///< [Pa] shear strength without normal force
  double interaction_range = 1;                ///< [-] largest distance of a bond of spheres, over the sum of the radii
  NormalStrain strain = NormalStrain::linear;  ///< of spheres
  // For level-set grains. Their bonds join nodes of one grain with points on the surface of another.
  std::optional<double> gap{};               ///< [m] largest distance of a node from the other surface
  std::optional<double> normal_stiffness{};  ///< [Pa/m] none: Young's modulus over r1 + r2
  std::optional<double> shear_stiffness{};   ///< [Pa/m] none: normal_stiffness times Poisson's ratio
  // For spheres and level-set grains.
  double damping = 0;                       ///< [-] damping ratio in both directions
  std::optional<double> weibull_modulus{};  ///< [-] of strengths, whose scale parameters are the two above; none: equal
  // For spheres.
  BondForm form = BondForm::start;
  std::optional<double> form_until{};  ///< [s] with BondForm::near: no bonds are made from then on; none: no end
};

/// The area A of a contact over which linear cohesion acts; R* is the effective radius, u the overlap.
enum class CohesionArea {
  hertz,         ///< pi R* u, the circle of Hertz's contact
  intersection,  ///< the circle in which the two spheres intersect
  sjkr2          ///< 4 pi R* u
};
/// A pull k A beside the force of the law.
struct LinearCohesion {
  double energy_density = 0;  ///< [J/m3] k
  CohesionArea area = CohesionArea::hertz;
  bool reduces_friction = false;  ///< Coulomb's limit is that of the whole normal force, and not of that of the law
};

/// How a contact yields and sticks under the elasto-plastic laws.
struct Plasticity {
  double ratio = 0;     ///< [-] plastic part of the largest overlap (to the power of the law): 1 - k1/k2
  double pull_off = 0;  ///< [N] constant adhesive force f0
  double adhesion = 0;  ///< [-] stiffness of the adhesive branch over that of loading
};

/// The closed form of the pull of a bridge.
enum class LiquidForce {
  willett,     ///< Willett, Adams, Johnson & Seville (2000)
  rabinovich,  ///< Rabinovich, Esayanur & Moudgil (2005)
};
/// Liquid between bodies: capillary bridges that begin with a touch. The volume is given in one of two ways.
struct LiquidBridges {
  double surface_tension = 0;               ///< [N/m]
  double contact_angle = 0;                 ///< [rad]
  std::optional<double> volume{};           ///< [m3] of a bridge
  std::optional<double> volume_fraction{};  ///< [-] volume of a bridge over that of the smaller sphere
  LiquidForce force = LiquidForce::willett;
  /// bridges take their liquid from the films of both bodies (ParticleGroup::film), at most the volume that is given,
  /// and give it back when they rupture; else every bridge has that volume
  bool from_films = false;
};

/// Properties of a material, which contact rules may replace for a pair.
struct Material {
  double density = 0;                 ///< [kg/m3]
  double young_modulus = 0;           ///< [Pa]
  double poisson_ratio = 0;           ///< [-] also the shear-to-normal stiffness ratio of Cundall-Strack
  double friction = 0;                ///< [-] coefficient of friction
  std::optional<double> restitution;  ///< [-] needed by laws with dashpots
  std::optional<RollingResistance> rolling = {};
  std::optional<Thermal> thermal = {};  ///< needed with Case::heat
};

/// The contact law and values of pairs of materials. The first rule that matches a pair holds; "*" matches any
/// material. Values given here replace those of the materials.
struct ContactRule {
  std::array<std::string, 2> between = {"*", "*"};
  LawKind law = LawKind::hertz_mindlin;
  std::optional<double> friction;                  ///< [-] default: the smaller of the two
  std::optional<double> restitution;               ///< [-] default: the smaller of the two
  std::optional<double> restitution_tangential{};  ///< [-] default: as restitution
  std::optional<bool> exact_restitution{};         ///< of linear springs: allow for the end of the impact at zero force
  std::optional<double> contact_time{};            ///< [s] duration of an impact on linear springs
  std::optional<double> normal_stiffness{};        ///< [N/m] of linear springs
  std::optional<double> shear_stiffness{};         ///< [N/m] of linear springs
  std::optional<double> normal_damping{};          ///< [N s/m] of linear dashpots
  std::optional<double> shear_damping{};           ///< [N s/m] of linear dashpots
  std::optional<double> young_modulus{};           ///< [Pa] E* of Hertz's laws
  std::optional<double> shear_modulus{};           ///< [Pa] G* of Hertz's laws
  std::optional<double> surface_energy{};          ///< [J/m2] of adhesive and elasto-plastic laws
  std::optional<RollingResistance> rolling = {};   ///< default: from the two materials
  std::optional<Bond> bond = {};                   ///< needed by the law bonded
  std::optional<LoadHistorySettings> load_history = {};  ///< of the law jaeger
  std::optional<LinearCohesion> cohesion = {};           ///< beside the law
  std::optional<LiquidBridges> liquid = {};              ///< beside the law
  std::optional<Plasticity> plasticity = {};             ///< needed by the elasto-plastic laws
};

// --- particles -------------------------------------------------------------------------------------------------

/// [m] the same radius for all
struct FixedSize {
  double value = 0;
};
/// [m] uniform by number
struct UniformSize {
  double min = 0, max = 0;
};
/// [m] normal by number, cut off at min and max
struct NormalSize {
  double mean = 0, deviation = 0, min = 0, max = 0;
};
/// [m] log-normal by number, cut off at min and max; deviation [-] of the natural logarithm
struct LogNormalSize {
  double median = 0, deviation = 0, min = 0, max = 0;
};
/// [m] radii with their weights [-] by number; both [n_values]
struct DiscreteSize {
  std::vector<double> values, weights;
};
/// [n_points] radius [m] and mass fraction [-] of all finer particles
struct SieveSize {
  std::vector<std::array<double, 2>> passing;
};
/// Rosin-Rammler by mass, cut off at min and max [m]: before the cut, exp(-(r / characteristic)^exponent) of the mass
/// has a radius above r.
struct RosinRammlerSize {
  double characteristic = 0;  ///< [m] 36.8 % of the mass has a larger radius
  double exponent = 0;        ///< [-]
  double min = 0, max = 0;    ///< [m]
};
using SizeDistribution =
    std::variant<FixedSize, UniformSize, NormalSize, LogNormalSize, DiscreteSize, SieveSize, RosinRammlerSize>;

/// [m] one sphere of a clump, before scaling
struct MemberSphere {
  Real3 center{};
  double radius = 0;
};
/// A rigid shape of spheres, given as a list or in a CSV file with the columns x, y, z, r.
struct ClumpTemplate {
  std::vector<MemberSphere> spheres;
  std::optional<std::string> file;
  double scale = 1;  ///< [-] factor from the units of the spheres to metres
  /// cells along the shortest edge of a grid that measures overlapping members; none: exact
  std::optional<std::uint64_t> resolution;
};

/// Bodies by formulas, about the origin.
struct BallForm {
  double radius = 0;  ///< [m]
};
struct BoxForm {
  Real3 half_edges{};  ///< [m]
};
/// a cylinder about z with half balls at its ends
struct CapsuleForm {
  double radius = 0, half_length = 0;  ///< [m] the second between the middle and the centre of a half ball
};
/// about z
struct CylinderForm {
  double radius = 0, half_height = 0;  ///< [m]
};
/// a ring about z
struct TorusForm {
  double major_radius = 0, minor_radius = 0;  ///< [m]
};
/// (|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1) = 1
struct SuperellipsoidForm {
  Real3 half_axes{};                      ///< [m] a, b, c
  std::array<double, 2> exponents{1, 1};  ///< [-] e1, e2
};
/// Modes with a closed form, in the frame of the source. Displacements are scaled such that the largest one at a node
/// is 1.
enum class ClosedMode {
  homogeneous,  ///< the next six
  strain_xx,    ///< (x, 0, 0)
  strain_yy,
  strain_zz,
  strain_xy,  ///< (y, x, 0)
  strain_yz,
  strain_zx,
  bending_xy,  ///< a beam along x whose ends are held bends towards y, as half a wave of a sine
  bending_xz,
  bending_yx,
  bending_yz,
  bending_zx,
  bending_zy,
  stretching_x,  ///< a bar along x stretches as half a wave of a sine: the ends move apart
  stretching_y,
  stretching_z
};

/// How a level-set grain deforms. Its modes are the closed forms given here, or those of its template.
struct Deformation {
  std::vector<ClosedMode> forms{};
  bool beam_theory = true;               ///< bending and stretching are those of slender bodies, which contract freely
  std::optional<std::uint64_t> count{};  ///< so many modes of the template; none: all; 0: the grain is rigid
  std::vector<double> mass{};       ///< [kg] of each mode of each grain, with `stiffness`; empty: from the material
  std::vector<double> stiffness{};  ///< [N/m] of each mode of each grain, with `mass`
  /// [m, N] knots of the force of a single mode of each grain, with `mass`; the force at 0 is 0
  std::vector<std::array<double, 2>> table{};
  double damping_ratio = 0;         ///< [-] of critical damping of each mode
  double damping_coefficient = 0;   ///< [N s/m] of each mode
  double damping_by_stiffness = 0;  ///< [s] times the stiffness of each mode
  bool deforming_inertia = false;   ///< the moments of inertia follow the deformation, and rates carry angular momentum
};

/// A grain of any shape as a level set. Exactly one of the forms and `file` is given.
struct LevelSetTemplate {
  std::optional<BallForm> sphere;
  std::optional<BoxForm> box;
  std::optional<CapsuleForm> capsule;
  std::optional<CylinderForm> cylinder;
  std::optional<TorusForm> torus;
  std::optional<SuperellipsoidForm> superellipsoid;
  /// closed mesh (STL, OBJ, PLY), image of labelled voxels (NRRD, or JSON beside raw voxels), or template (HDF5)
  std::optional<std::string> file;
  double scale = 1;                          ///< [-] factor from the units of the file to metres
  std::optional<std::uint64_t> label;        ///< grain of an image
  std::optional<double> grid_spacing;        ///< [m] after scaling; needed except for a template
  std::optional<double> node_spacing;        ///< [-] distance of nodes over the spacing of the grid
  std::optional<Deformation> deformation{};  ///< none: as the template says, which is rigid as a rule

  /// The file is a template, whose grid and nodes are made already.
  [[nodiscard]] bool is_template() const { return file && (file->ends_with(".h5") || file->ends_with(".hdf5")); }
};
using ShapeTemplate = std::variant<ClumpTemplate, LevelSetTemplate>;
struct Shape {
  ShapeTemplate kind;
};

/// Random particles without overlaps in a region. Exactly one of count and solid_fraction is given.
struct Fill {
  Region region;
  std::optional<std::uint64_t> count;
  std::optional<double> solid_fraction;  ///< [-]
  bool keep_clear = true;                ///< no particle overlaps a boundary at the start
  bool dense = false;                    ///< a random packing that is grown to a solid fraction up to about 0.63
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
  std::optional<std::string> name{};  ///< by which stages know it
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
};

/// [-] accepted overlap of particles of files and lattices at the start, over the smaller of two radii.
inline constexpr double default_allowed_overlap = 0.1;

/// Where contacts find the level set of a grain that deforms.
enum class FieldUpdate {
  remap,          ///< the point itself is taken back to the undeformed grain
  remap_corners,  ///< the corners of its cell of the grid are taken back, and the values there interpolated
  recompute,      ///< a grid of each grain: distances from its deformed triangles
  advect,         ///< a grid of each grain, moved on with the deformation in each step
  precomputed,    ///< grids of each shape for some amplitudes of each mode, between which the field is interpolated
};

/// How level-set grains touch.
struct GrainContacts {
  bool two_pass =
      false;            ///< the nodes of both grains, each with half of the force, instead of those of the smaller one
  bool by_area = true;  ///< the force of a node goes with its area; otherwise each node counts as one contact
  /// how often the place of a point in an undeformed grain is improved, after a first guess; none: until it stands
  std::optional<std::uint64_t> remap_iterations{};
  FieldUpdate field_update = FieldUpdate::remap;
  /// of `precomputed`: amplitudes of each sign of each mode, beside zero; none: 2
  std::optional<std::uint64_t> field_levels{};
};

/// One kind of particles in a mixture.
struct MixturePart {
  double mass_fraction = 0;  ///< [-] of all particles of the entry; the fractions of an entry sum to 1
  std::string material;
  std::string shape = "sphere";            ///< "sphere", or a name in Case::shapes
  std::optional<SizeDistribution> radius;  ///< as ParticleGroup::radius
  std::optional<std::string> group;        ///< name in Case::groups; none: that of the entry
};

/// One entry of "particles". Exactly one of fill, lattice, file and inlet is given.
struct ParticleGroup {
  std::string shape = "sphere";         ///< "sphere", or a name in Case::shapes
  std::optional<std::string> material;  ///< none: a mixture, or a file with a column "material"
  /// of a fill or an inlet: kinds of particles by their share of the mass, instead of shape, material and radius
  std::vector<MixturePart> mixture{};
  /// needed by fill, lattice and inlet, except with a shape, for which it is the radius of the sphere of the same
  /// volume
  std::optional<SizeDistribution> radius;
  std::optional<Fill> fill;
  std::optional<Lattice> lattice;
  /// CSV with a header line: x,y,z, radius or diameter, and any of vx,vy,vz; wx,wy,wz; qw,qx,qy,qz; material; group
  std::optional<std::string> file;
  std::optional<Inlet> inlet;
  /// [-] for files and lattices: accepted overlap over the smaller radius, in [0, 1); none: default_allowed_overlap
  std::optional<double> allow_overlap{};
  Real3 velocity{};          ///< [m/s] initial
  Real3 angular_velocity{};  ///< [rad/s] initial
  /// initial orientation of clumps: turns the frame of their template into the world; none: random
  std::optional<QuaternionWxyz> orientation{};
  std::optional<std::string> group;     ///< name in Case::groups
  std::optional<double> temperature{};  ///< [K] initial, with Case::heat; none: that of `heat`
  /// [-] initial volume of the film of liquid over that of the particle, with LiquidBridges::from_films; none: 0
  std::optional<double> film{};
};

// --- groups ----------------------------------------------------------------------------------------------------

/// Settings that hold for all particles of a group.
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

/// A periodic cell. Exactly one of size and edges is given.
struct PeriodicDomain {
  std::optional<Real3> size{};                   ///< [m] lengths of a box along the axes
  std::optional<std::array<Real3, 3>> edges{};   ///< [m] edge vectors of any parallelepiped
  Real3 origin{};                                ///< [m] corner from which the edges start
  std::vector<std::string> axes{"x", "y", "z"};  ///< axes along which the cell repeats
};
struct ConstantGoal {
  double value = 0;
};
/// [n_rows] time since the stage began [s] and value
struct TabledGoal {
  TimeTable rows;
};
using GoalCourse = std::variant<ConstantGoal, TabledGoal>;
/// The control of one component of the cell. Exactly one of the first three is given.
struct ComponentControl {
  std::optional<GoalCourse> strain_rate{}, strain{}, stress{};  ///< [1/s], [-], [Pa]
  std::optional<double> reverse_at_stress{};  ///< [Pa] magnitude of the stress at which a strain rate changes its sign
};
/// [-] magnitudes of strains
struct StageStrains {
  std::optional<double> xx{}, yy{}, zz{}, yz{}, xz{}, xy{};
};
/// When a stage ends; see CellStage. At least one is given.
struct StageEnd {
  std::optional<double> duration{};          ///< [s]
  std::optional<StageStrains> strain{};      ///< [-] since the stage began
  std::optional<double> stress_error{};      ///< [-] fraction of the largest goal of stress
  std::optional<double> unbalanced_force{};  ///< [-] mean force on a particle over mean contact force
};
/// One stage of the control of a periodic cell. Components that are left out have a strain rate of 0.
struct ControlStage {
  std::string name;
  std::optional<ComponentControl> xx{}, yy{}, zz{}, yz{}, xz{}, xy{};
  double inertial_number = 1e-3;    ///< [-] limit of the rates that the program chooses
  std::optional<StageEnd> until{};  ///< none: the end of the run
};
/// Where particles may be: removal, outlets and a periodic cell.
struct Domain {
  std::optional<BoxRegion> remove_outside;
  Named<Outlet> outlets;
  Named<DeletionRegion> delete_in;
  std::optional<PeriodicDomain> periodic{};
  std::optional<std::array<Real3, 3>> velocity_gradient{};  ///< [1/s] rows: L_ij = d v_i / d x_j
  std::vector<ControlStage> control{};                      ///< stages, in order; instead of velocity_gradient
};

/// Damping and integration of the motion of particles.
struct Integration {
  double damping = 0;                                ///< [-] Cundall's non-viscous damping
  bool damp_gravity = true;                          ///< this damping acts on gravity as well
  double viscous_damping = 0;                        ///< [1/s] rate c of a force -c m v and a torque -c I w
  RotationScheme rotation = RotationScheme::spiral;  ///< integrator for clumps
};

/// [m] a gap
struct VerletLength {
  double value = 0;
};
/// [-] a gap as a fraction of the smallest radius
struct VerletFraction {
  double value = 0;
};
using VerletDistance = std::variant<VerletLength, VerletFraction>;
/// The balance of longer neighbour lists and fewer searches; no result depends on it.
struct Neighbours {
  std::optional<VerletDistance> verlet_distance;  ///< none: "auto"
  std::optional<double> target_interval;  ///< [steps] for which the list of a particle should last; none: measured
};

/// What impacts between parcels lose.
enum class ParcelRestitution {
  same,   ///< restitutions are those of the grains: a contact loses the same part of its energy
  scaled  ///< 1 - e^2 times the scale: a flow of impacts loses as much per volume as that of the grains
};
/// Coarse graining: each particle of the run is a parcel, scale times as large as the grains of the case, which stands
/// for scale^3 of them. All sizes, numbers and contact values of the case are those of the grains.
struct Parcels {
  double scale = 1;  ///< [-] radius of a parcel over that of its grains
  ParcelRestitution restitution = ParcelRestitution::same;
};

/// A whole case file.
struct Case {
  std::string title;
  TimeSettings time;
  Real3 gravity{0, 0, -9.81};  ///< [m/s2]
  Precision precision = Precision::mixed;
  std::uint64_t seed = 1;            ///< of all random choices
  std::optional<Parcels> parcels{};  ///< none: particles are grains
  Named<Material> materials;
  Named<Shape> shapes;  ///< of particles that are not spheres
  GrainContacts grain_contacts;
  std::vector<ContactRule> contacts;   ///< empty: one rule for all pairs, hertz_mindlin
  bool no_ratcheting = false;          ///< closed cycles of two spheres leave no shear force
  std::optional<HeatSettings> heat{};  ///< none: particles have no temperature
  std::vector<ParticleGroup> particles;
  /// a checkpoint, or a folder of checkpoints, from which particles, contacts and cell come; instead of `particles`
  std::optional<std::string> start{};
  Named<GroupSettings> groups;
  Named<Boundary> boundaries;
  std::vector<RunStage> stages;  ///< in order; the run ends with the last one
  Domain domain;
  Integration integration;
  Neighbours neighbours;
  Output output;

  std::filesystem::path folder;  ///< start of relative paths: the folder of the case file; not part of the JSON
};

}  // namespace scree
