#pragma once

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

/// What an engine is started from: everything the case file says, resolved to arrays. No names are looked up and
/// no file is read beyond this point.
namespace scree {

/// Springs and dashpots of the linear laws. A stiffness that is zero per mass and as such follows from the moduli of
/// the two materials; what is given as zero, with `from_moduli` false, is none.
struct LinearSprings {
  bool from_moduli = true;         ///< serial springs k = 2 E r, nu k in shear; else the next four
  double stiffness_per_mass = 0;   ///< [1/s2] K_N over the effective mass
  double shear_per_mass = 0;       ///< [1/s2] K_T over the effective mass
  double stiffness = 0;            ///< [N/m] K_N
  double shear_stiffness = 0;      ///< [N/m] K_T
  double dashpot = 0;              ///< [N s/m] c_N
  double shear_dashpot = 0;        ///< [N s/m] c_T
  double damping_ratio = 0;        ///< [-] c_N / (2 sqrt(K_N m*)), added to the dashpot
  double shear_damping_ratio = 0;  ///< [-] c_T / (2 sqrt(2/7 K_T m*)), added to the dashpot
};

/// Values for one ordered pair of materials, after the contact rules were applied.
struct MaterialPair {
  double friction = 0;                          ///< [-]
  double damping_ratio = 0;                     ///< [-] beta of Hertz's laws, from the restitution
  std::optional<LawKind> law{};                 ///< none: Scene::law
  std::optional<double> damping_ratio_shear{};  ///< [-] beta_s of Hertz's laws; none: damping_ratio
  std::optional<double> effective_young{};      ///< [Pa] E* of Hertz's laws; none: from the materials
  std::optional<double> effective_shear{};      ///< [Pa] G* of Hertz's laws; none: from the materials
  double surface_energy = 0;                    ///< [J/m2] gamma, half of the work of adhesion
  LinearSprings springs{};                      ///< of the linear laws
  RollingResistance rolling{};
  Bond bond{};                   ///< of the law bonded
  LoadHistorySettings jaeger{};  ///< of the law jaeger
};

/// A rigid shape of spheres in its principal axes about its centre of mass, at size 1.
struct ClumpShape {
  std::string name;
  std::vector<Real3> position;  ///< [m] of the member spheres
  std::vector<double> radius;   ///< [m] of them
  double volume = 0;            ///< [m3] of their union
  Real3 inertia{};              ///< [m5] principal moments over the density
  double bounding_radius = 0;   ///< [m] about the centre of mass
  QuaternionWxyz to_template{
      1, 0, 0, 0};  ///< turns components in these axes into those in the frame in which the spheres were given
};

/// One clump of a set of particles. Its members are as many consecutive particles as its shape has spheres, in their
/// order, and of one material and group; where they are and how they move follows from the clump.
struct Clump {
  std::uint32_t shape = 0;                        ///< index into Scene::clump_shapes
  std::uint32_t first = 0;                        ///< index in the set of the first member
  double size = 1;                                ///< [-] over that of the shape
  Real3 position{};                               ///< [m] centre of mass
  std::array<double, 4> orientation{1, 0, 0, 0};  ///< unit quaternion w, x, y, z: principal axes -> world
  Real3 velocity{};                               ///< [m/s]
  Real3 angular_velocity{};                       ///< [rad/s] world
};

/// Initial particles; particle i has id i. All arrays have the same length.
struct ParticleSet {
  std::vector<Real3> position;          ///< [m]
  std::vector<Real3> velocity;          ///< [m/s]
  std::vector<Real3> angular_velocity;  ///< [rad/s]
  std::vector<double> radius;           ///< [m]
  std::vector<std::uint32_t> material;  ///< index into Scene::materials
  std::vector<std::uint32_t> group;     ///< index into Scene::groups; empty: all 0
  std::vector<Clump> clumps = {};       ///< of these particles

  [[nodiscard]] std::size_t size() const { return position.size(); }
};

/// A triangle surface with shared vertices: corners closer than rounding are one vertex.
struct TriangleMesh {
  std::vector<Real3> vertices;                          ///< [m]
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< vertex indices, counter-clockwise seen from outside
};

struct SceneBoundary {
  enum class Kind { plane, cylinder, mesh, box, cone, sphere };
  std::string name;
  Kind kind = Kind::plane;
  std::uint32_t material = 0;
  PlaneBoundary plane;         ///< when kind is plane; unit normal
  CylinderBoundary cylinder;   ///< when kind is cylinder
  BoxBoundary box;             ///< when kind is box
  ConeBoundary cone;           ///< when kind is cone
  SphereBoundary sphere;       ///< when kind is sphere
  TriangleMesh mesh;           ///< when kind is mesh; of other kinds for pictures only, empty for planes
  std::vector<Motion> motion;  ///< unit axes and directions, tables read
  std::optional<Drive> drive;  ///< unit axis
  /// of a mesh that is repeated in a periodic cell, copy after copy: -1 to 1 along each edge that repeats, the last
  /// fastest; 0: it is not
  std::uint32_t facets_per_copy = 0;

  [[nodiscard]] bool moves() const { return !motion.empty() || drive.has_value(); }
};

/// Half space that removes: a particle goes when (x - point) . normal > 0. Counted under Scene::outlet_names[counter].
struct SceneOutlet {
  Real3 point{}, normal{};
  std::uint32_t counter = 0;
};

/// A region that removes: a particle goes when its centre is inside. Counted under Scene::outlet_names[counter].
/// It acts after step k, when time k * time_step is reached, for first_step <= k < end_step.
struct SceneDeletion {
  std::variant<BoxRegion, CylinderRegion, SphereRegion> region;
  std::uint64_t first_step = 0;
  std::uint64_t end_step = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t counter = 0;
  /// [s] instead of these steps where the step adapts
  double from = 0, until = std::numeric_limits<double>::infinity();
};

/// Bits of SceneGroup::fixed: x, y, z, rx, ry, rz in this order.
inline constexpr std::uint32_t fixed_translation = 7, fixed_rotation = 56;

/// Particles that move in a way of their own. Group 0 is that of all particles without one.
struct SceneGroup {
  std::string name;
  std::uint32_t fixed = 0;           ///< bits: these components of velocity and angular velocity never change
  std::optional<Rotation> rotation;  ///< unit axis; all six components are fixed
  Real3 force{};                     ///< [N] on each particle
  Real3 torque{};                    ///< [N m] on each particle
  double damping = 0;                ///< [-] Cundall
  bool gravity = true;
  std::optional<Real3> velocity, angular_velocity;  ///< imposed on fixed components of the start; see impose_motion
};

/// What an inlet may bring. Particles come through Engine::insert; here stands what must be known before.
struct SceneInlet {
  std::size_t entry = 0;  ///< index in Case::particles
  std::uint32_t material = 0;
  std::uint32_t group = 0;
  double smallest_radius = 0, median_radius = 0, largest_radius = 0;  ///< [m] of spheres, also of members of clumps
  double smallest_clump = 0, largest_clump = 0;                       ///< [m] with a shape: equivalent radii
  std::optional<std::uint32_t> shape = {};                            ///< index into Scene::clump_shapes; none: spheres

  [[nodiscard]] double smallest_particle() const { return shape ? smallest_clump : smallest_radius; }
  [[nodiscard]] double largest_particle() const { return shape ? largest_clump : largest_radius; }
};

/// How the time step follows the contacts: every so many steps it becomes `safety` times the least of the limit of
/// all contacts that there are and the limit of a collision at the present speeds; it grows by 5 % at most at a time.
struct AdaptiveStep {
  double safety = 0.2;
  std::uint64_t every = 1;                    ///< [steps]
  double impact_limit = 1e300;                ///< [s] of collisions at any speed
  double impact_limit_at_unit_speed = 1e300;  ///< [s (m/s)^(1/5)] over v^(1/5): Hertzian collisions at relative speed v
  double free_limit = 1e300;                  ///< [s] as long as nothing touches
};

struct Scene {
  Precision precision = Precision::mixed;
  double time_step = 0;  ///< [s] of all steps, or with `adaptive` of the first
  std::optional<AdaptiveStep> adaptive;
  // How the neighbour search trades longer lists for fewer searches; no result depends on it.
  /// [m] pairs are listed up to this gap; lists are rebuilt when a body moved half of it
  double verlet_distance = 0;
  /// verlet_distance is the least; each body gets more by its speed, as measured costs advise
  bool verlet_auto = false;
  /// [steps] for which a body's share should last at its speed. With verlet_auto: instead of a measured interval;
  /// without: shares are 0.1 to 1 of half the distance. 0: none given
  double target_interval = 0;
  Real3 gravity{};                       ///< [m/s2]
  double damping = 0;                    ///< [-] Cundall
  bool damp_gravity = true;              ///< Cundall's damping acts on gravity as well
  double viscous_damping = 0;            ///< [1/s] force -c m v and torque -c I w
  LawKind law = LawKind::hertz_mindlin;  ///< of pairs that name no other
  bool no_ratcheting = false;            ///< closed cycles of two spheres leave no shear
  double interaction_range = 1;          ///< [-] contacts may reach to this multiple of the sum of the radii
  bool energies = false;                 ///< keep an energy ledger
  std::vector<Material> materials;
  std::vector<std::string> material_names;  ///< [n_materials] for messages
  std::vector<MaterialPair> pairs;          ///< [n_materials * n_materials], row-major, symmetric
  ParticleSet particles;
  std::vector<ClumpShape> clump_shapes;
  RotationScheme rotation = RotationScheme::spiral;
  std::optional<PeriodicCell> cell;
  std::vector<SceneGroup> groups;  ///< empty: none has settings of its own
  std::vector<SceneInlet> inlets;
  std::vector<SceneBoundary> boundaries;
  std::vector<SceneOutlet> outlets;
  std::vector<SceneDeletion> deletions;
  std::vector<std::string> outlet_names;

  [[nodiscard]] const MaterialPair& pair(std::size_t a, std::size_t b) const { return pairs[a * materials.size() + b]; }
  [[nodiscard]] LawKind law_of(std::size_t a, std::size_t b) const {
    return pairs.empty() ? law : pair(a, b).law.value_or(law);
  }
  [[nodiscard]] bool has_bonds() const {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (pairs[k].law.value_or(law) == LawKind::bonded) { return true; }
    }
    return false;
  }
};

}  // namespace scree
