#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scree/case.hpp"
#include "scree/cell.hpp"
#include "scree/grain_shape.hpp"
#include "scree/heat.hpp"

/// A scene is what an engine starts from: the contents of a case file, resolved to arrays. An engine looks up no names
/// and reads no files. A scene is plain data; make_engine() copies it. SI units, right-handed world axes.
namespace scree {

/// Springs and dashpots of the linear laws. With `from_moduli` the stiffnesses follow from the moduli of the two
/// materials. Otherwise each stiffness is the sum of the value per mass times the effective mass and of the plain
/// value.
struct LinearSprings {
  bool from_moduli = true;         ///< springs k = 2 E r, in shear nu k, in series; else the next four
  double stiffness_per_mass = 0;   ///< [1/s2] K_N over the effective mass
  double shear_per_mass = 0;       ///< [1/s2] K_T over the effective mass
  double stiffness = 0;            ///< [N/m] K_N
  double shear_stiffness = 0;      ///< [N/m] K_T
  double dashpot = 0;              ///< [N s/m] c_N
  double shear_dashpot = 0;        ///< [N s/m] c_T
  double damping_ratio = 0;        ///< [-] c_N / (2 sqrt(K_N m*)), added to the dashpot
  double shear_damping_ratio = 0;  ///< [-] c_T / (2 sqrt(2/7 K_T m*)), added to the dashpot
};

/// What attracts the bodies of a pair beside its law.
enum class Attraction { none, cohesion, liquid, liquid_rabinovich };

/// Values for one ordered pair of materials, after the contact rules were applied. Only the values that the law of the
/// pair uses need to be set.
struct MaterialPair {
  double friction = 0;                          ///< [-]
  double damping_ratio = 0;                     ///< [-] beta of laws with Hertz's force; follows from the restitution
  std::optional<LawKind> law{};                 ///< none: Scene::law
  std::optional<double> damping_ratio_shear{};  ///< [-] beta_s of these laws; none: damping_ratio
  std::optional<double> effective_young{};      ///< [Pa] E* of these laws; none: from the materials
  std::optional<double> effective_shear{};      ///< [Pa] G* of these laws; none: from the materials
  double surface_energy = 0;                    ///< [J/m2] gamma, half of the work of adhesion
  LinearSprings springs{};                      ///< used by the linear laws
  RollingResistance rolling{};
  Bond bond{};                               ///< used by the law bonded
  LoadHistorySettings jaeger{};              ///< used by the law jaeger
  double restitution = 1;                    ///< [-] of impacts; the damping ratios above follow from it
  Plasticity plasticity{};                   ///< used by the elasto-plastic laws
  std::optional<LinearCohesion> cohesion{};  ///< beside the law; at most one of the two
  std::optional<LiquidBridges> liquid{};

  [[nodiscard]] Attraction attraction() const {
    if (liquid) { return liquid->force == LiquidForce::willett ? Attraction::liquid : Attraction::liquid_rabinovich; }
    return cohesion ? Attraction::cohesion : Attraction::none;
  }
};

/// A rigid shape of spheres, in its principal axes about its centre of mass, at size 1. Both arrays have the length
/// [n_members].
struct ClumpShape {
  std::string name;
  std::vector<Real3> position;  ///< [m] centres of the member spheres
  std::vector<double> radius;   ///< [m] radii of the member spheres
  double volume = 0;            ///< [m3] volume of their union
  Real3 inertia{};              ///< [m5] principal moments over the density
  double bounding_radius = 0;   ///< [m] about the centre of mass
  /// turns components in these axes into components in the frame of the template
  QuaternionWxyz to_template{1, 0, 0, 0};
  /// index into Scene::grain_shapes: the only member is a sphere that holds this grain; none: a clump of spheres
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
  /// [m], [m/s] amplitudes of the modes of a level-set grain, and their rates; those left out are 0
  std::vector<double> amplitude{}, amplitude_rate{};
};

/// The friction of a pair of materials in either order.
struct PairFriction {
  std::uint32_t first = 0, second = 0;  ///< indices in Scene::materials
  double friction = 0;                  ///< [-]
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
  /// [n_particles] [K] members of a clump have that of the first; empty: HeatSettings::temperature
  std::vector<double> temperature = {};
  std::vector<double> film = {};  ///< [n_particles] [m3] of liquid; empty: none

  [[nodiscard]] std::size_t size() const { return position.size(); }
};

/// A triangle surface with shared vertices: corners that differ only by rounding are one vertex.
struct TriangleMesh {
  std::vector<Real3> vertices;  ///< [n_vertices] [m]
  /// [n_triangles] vertex indices, counter-clockwise seen from outside
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// How a wall holds a stress or a force. Its drive has the mass and the damping for that; Simulation sets the force of
/// the drive, as the area of the wall is then. The wall moves along its direction only.
struct SceneServo {
  std::optional<double> stress{}, force{};  ///< [Pa], [N] exactly one; pressure is positive
  Real3 direction{};                        ///< of length 1, towards the particles
  double most_speed = 0;                    ///< [m/s] along its direction; it gives way at any speed
  double area = 0;                          ///< [m2] of a stress; 0: that between the sides
  /// index into Scene::boundaries: two pairs of opposing planes, between which the wall lies
  std::array<std::array<std::uint32_t, 2>, 2> sides{};
};

/// A boundary.
struct SceneBoundary {
  std::string name;
  BoundaryShape shape;         ///< the normal of a plane has length 1; the triangles of a mesh are those of `mesh`
  std::uint32_t material = 0;  ///< index into Scene::materials
  TriangleMesh mesh;           ///< of a MeshBoundary; of other shapes a surface for pictures only, empty for planes
  std::vector<Motion> motion;  ///< applied in order; axes and directions have length 1, tables are read
  std::optional<Drive> drive;  ///< its axis has length 1; a body has all values, also those of its density
  /// number of facets in each copy of a mesh that is repeated in a periodic cell; 0: it is not repeated. The copies
  /// follow one another: -1 to 1 along each edge that repeats, the last edge fastest
  std::uint32_t facets_per_copy = 0;
  /// as Boundary::surface_motion; axes and directions have length 1, tables are read
  std::vector<Motion> surface_motion{};
  std::optional<SceneServo> servo{};
  std::optional<FacetOutput> facet_loads{};  ///< of a mesh: sums over each facet are wanted, see Engine::facet_loads()

  std::optional<double> temperature{}, heat_flux{};  ///< [K], [W/m2] as Boundary; at most one of the two
  /// [s] As Boundary. A Simulation switches the boundary at these times; an engine alone takes it as present.
  double from = 0, until = std::numeric_limits<double>::infinity();

  /// Whether it is absent at some time.
  [[nodiscard]] bool has_times() const { return from > 0 || until < std::numeric_limits<double>::infinity(); }
  /// Whether its surface moves relative to it.
  [[nodiscard]] bool slides() const { return !surface_motion.empty(); }
  [[nodiscard]] bool moves() const { return !motion.empty() || drive.has_value(); }
  [[nodiscard]] bool is_mesh() const { return std::holds_alternative<MeshBoundary>(shape); }
};

/// A half space that removes a particle when (x - point) . normal > 0. Removed particles are counted under
/// Scene::outlet_names[counter].
struct SceneOutlet {
  Real3 point{}, normal{};
  std::uint32_t counter = 0;
};

/// A region that removes a particle when its centre is inside. Removed particles are counted under
/// Scene::outlet_names[counter]. It acts at the end of step k, at the time k * time_step, for first_step <= k <
/// end_step.
struct SceneDeletion {
  std::variant<BoxRegion, CylinderRegion, SphereRegion> region;
  std::uint64_t first_step = 0;
  std::uint64_t end_step = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t counter = 0;
  /// [s] used instead of these steps with an adaptive time step
  double from = 0, until = std::numeric_limits<double>::infinity();
};

/// Bits of SceneGroup::fixed: x, y, z, rx, ry, rz in this order.
inline constexpr std::uint32_t fixed_translation = 7, fixed_rotation = 56;

/// Settings of a group of particles. Group 0 is the group of all particles that name none.
struct SceneGroup {
  std::string name;
  std::uint32_t fixed = 0;           ///< bits: these components of velocity and angular velocity stay constant
  std::optional<Rotation> rotation;  ///< axis of length 1; all six components are fixed
  Real3 force{};                     ///< [N] on each particle
  Real3 torque{};                    ///< [N m] on each particle
  double damping = 0;                ///< [-] Cundall's damping
  bool own_damping = false;          ///< a change of the damping of the run leaves it as it is
  bool gravity = true;
  std::optional<Real3> velocity, angular_velocity;  ///< [m/s], [rad/s] imposed on fixed components at the start
};

/// The materials and sizes that an inlet may bring. The particles come through Engine::insert(); an engine must know
/// these values before the first step, since they decide the order of sums.
struct SceneInlet {
  std::size_t entry = 0;  ///< index in Case::particles
  std::uint32_t material = 0;
  std::uint32_t group = 0;
  double smallest_radius = 0, median_radius = 0, largest_radius = 0;  ///< [m] of spheres, also of members of clumps
  double smallest_clump = 0, largest_clump = 0;                       ///< [m] equivalent radii; only with a shape
  std::optional<std::uint32_t> shape = {};                            ///< index into Scene::clump_shapes; none: spheres
  std::size_t part = 0;  ///< index in the mixture of the entry, whose parts follow one another

  [[nodiscard]] double smallest_particle() const { return shape ? smallest_clump : smallest_radius; }
  [[nodiscard]] double largest_particle() const { return shape ? largest_clump : largest_radius; }
};

/// How the time step follows the contacts. Every `every` steps it becomes `safety` times the least of the limit of all
/// present contacts and the limit of a collision at the present speeds; it grows by at most 5 % at a time.
struct AdaptiveStep {
  double fixed = 0;             ///< [s] > 0: all steps have this length; contacts do not change it
  double safety = 0.2;          ///< [-]
  std::uint64_t every = 1;      ///< [steps]
  double impact_limit = 1e300;  ///< [s] limit of collisions at any speed
  /// [s (m/s)^(1/5)] this over v^(1/5) is the limit of Hertzian collisions at relative speed v
  double impact_limit_at_unit_speed = 1e300;
  double free_limit = 1e300;  ///< [s] limit as long as nothing touches
};

/// What a stage makes of a boundary, as StagedBoundary.
struct SceneStagedBoundary {
  std::uint32_t boundary = 0;  ///< index into Scene::boundaries
  std::optional<bool> present{};
  std::optional<std::vector<Motion>> motion{};  ///< as SceneBoundary::motion; times count from the start of the stage
  std::optional<Real3> force{};                 ///< [N]
  std::optional<double> torque{};               ///< [N m]
  std::optional<std::vector<Motion>> surface_motion{};  ///< as `motion`
  std::optional<double> stress{}, servo_force{};        ///< [Pa], [N] of its servo
};

/// What a stage makes of a group, as StagedGroup.
struct SceneStagedGroup {
  std::uint32_t group = 0;  ///< index into Scene::groups
  Real3 force{}, torque{};  ///< [N], [N m]
};

/// What a condition of a stage looks at, by indices; those of conditions that are not given mean nothing.
struct ConditionPlaces {
  std::uint32_t remover = 0;  ///< into Scene::outlet_names, of `removed`
  std::uint32_t outlet = 0;   ///< into Scene::outlet_names, of `flow`
  std::uint32_t pushed = 0;   ///< into Scene::boundaries, of `boundary_force`
  std::uint32_t moved = 0;    ///< into Scene::boundaries, of `boundary_position`
};

/// What a stage makes of an inlet, as StagedInlet.
struct SceneStagedInlet {
  std::size_t entry = 0;  ///< index in Case::particles
  StagedInlet change{};
};

/// A stage of the run. Engines know nothing of stages: Simulation steers them.
struct SceneStage {
  std::string name;
  std::optional<RunStageEnd> until;         ///< none: the end of the run
  ConditionPlaces places{};                 ///< of `until`
  std::vector<ConditionPlaces> all_places;  ///< of until->all_of
  std::optional<Real3> gravity;             ///< [m/s2]
  std::optional<StagedStep> time;           ///< the scene adapts its step, if any stage has this
  std::optional<double> damping;            ///< [-] Cundall's
  std::optional<double> viscous_damping;    ///< [1/s]
  std::vector<PairFriction> friction;       ///< of materials of the scene, after those of its pairs
  std::vector<SceneStagedInlet> inlets;
  std::optional<StagedOutput> output;
  std::vector<SceneStagedBoundary> boundaries;
  std::vector<SceneStagedGroup> groups;
};

/// Everything that an engine starts from. Required: `time_step`, `verlet_distance`, `materials`, `pairs`.
struct Scene {
  Precision precision = Precision::mixed;
  std::uint64_t seed = 1;  ///< of random choices during the run: strengths of bonds
  double time_step = 0;    ///< [s] length of all steps; with `adaptive`, of the first one
  std::optional<AdaptiveStep> adaptive;
  // The balance of longer neighbour lists and fewer searches; no result depends on it.
  /// [m] gap up to which pairs are listed; a list is made anew when a body has moved half of it
  double verlet_distance = 0;
  /// verlet_distance is the least value; each body gets more by its speed, chosen from measured costs
  bool verlet_auto = false;
  /// [steps] for which a body's share of the distance should last at its speed; 0: none given. With verlet_auto it
  /// replaces the measured interval; without, the shares are 0.1 to 1 of half the distance
  double target_interval = 0;
  Real3 gravity{};  ///< [m/s2]
  Integration integration;
  LawKind law = LawKind::hertz_mindlin;  ///< the law of pairs of materials that name no other
  bool no_ratcheting = false;            ///< closed cycles of two spheres leave no shear force
  double interaction_range = 1;          ///< [-] contacts reach up to this multiple of the sum of the radii
  bool energies = false;                 ///< keep an energy ledger
  bool losses = false;                   ///< and of each particle what its contacts lose
  std::optional<SceneHeat> heat{};       ///< none: particles have no temperature
  std::vector<Material> materials;
  std::vector<std::string> material_names;  ///< [n_materials] for messages
  std::vector<MaterialPair> pairs;          ///< [n_materials * n_materials], row-major, symmetric
  ParticleSet particles;
  std::vector<ClumpShape> clump_shapes;
  std::vector<GrainShape> grain_shapes;
  GrainContacts grain_contacts;
  bool keeps_node_forces = false;  ///< for Engine::touching_nodes()
  /// [n_materials] whether the particles of this material are level-set grains, or not; empty: none are. In the scene
  /// of a case each material is there twice, first for all else and then for grains
  std::vector<bool> grain_materials;
  std::optional<PeriodicCell> cell;
  std::vector<SceneGroup> groups;  ///< [n_groups] empty: no group has settings of its own
  std::vector<SceneInlet> inlets;
  std::vector<SceneBoundary> boundaries;
  std::vector<SceneOutlet> outlets;
  std::vector<SceneDeletion> deletions;
  std::vector<std::string> outlet_names;
  bool lists_removed = false;  ///< for Engine::take_removed()
  std::vector<SceneStage> stages;
  /// [-] Size of a particle over that of the grains for which it stands. For reports; no result depends on it.
  double parcel_scale = 1;

  [[nodiscard]] const MaterialPair& pair(std::size_t a, std::size_t b) const { return pairs[a * materials.size() + b]; }
  [[nodiscard]] bool is_of_grains(std::size_t material) const {
    return !grain_materials.empty() && grain_materials.at(material);
  }
  [[nodiscard]] bool any_deforms() const {
    return std::any_of(grain_shapes.begin(), grain_shapes.end(), [](const auto& s) { return s.modes.count > 0; });
  }
  /// The material of the case that a material here stands for.
  [[nodiscard]] std::uint32_t case_material(std::uint32_t material) const {
    const auto n = static_cast<std::uint32_t>(grain_materials.empty() ? materials.size() : materials.size() / 2);
    return material % n;
  }
  [[nodiscard]] LawKind law_of(std::size_t a, std::size_t b) const {
    return pairs.empty() ? law : pair(a, b).law.value_or(law);
  }
  /// Whether particles have films of liquid, from which bridges take theirs.
  [[nodiscard]] bool has_films() const {
    return std::any_of(pairs.begin(), pairs.end(), [](const auto& p) { return p.liquid && p.liquid->from_films; });
  }
  [[nodiscard]] bool has_bonds() const {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (needs_of(pairs[k].law.value_or(law)).makes_bonds()) { return true; }
    }
    return false;
  }
  /// Whether particles may also be bonded after the start.
  [[nodiscard]] bool forms_bonds() const {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (needs_of(pairs[k].law.value_or(law)).makes_bonds() && pairs[k].bond.form == BondForm::near) { return true; }
    }
    return false;
  }
};

}  // namespace scree
