#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/case.hpp"

/// What an engine is started from: everything the case file says, resolved to arrays. No names are looked up and
/// no file is read beyond this point.
namespace scree {

/// Springs and dashpots of the linear laws. A stiffness that is zero per mass and as such follows from the moduli of the
/// two materials; what is given as zero, with `from_moduli` false, is none.
struct LinearSprings {
  bool from_moduli = true;           ///< serial springs k = 2 E r, nu k in shear; else the next four
  double stiffness_per_mass = 0;     ///< [1/s2] K_N over the effective mass
  double shear_per_mass = 0;         ///< [1/s2] K_T over the effective mass
  double stiffness = 0;              ///< [N/m] K_N
  double shear_stiffness = 0;        ///< [N/m] K_T
  double dashpot = 0;                ///< [N s/m] c_N
  double shear_dashpot = 0;          ///< [N s/m] c_T
  double damping_ratio = 0;          ///< [-] c_N / (2 sqrt(K_N m*)), added to the dashpot
  double shear_damping_ratio = 0;    ///< [-] c_T / (2 sqrt(2/7 K_T m*)), added to the dashpot
};

/// Values for one ordered pair of materials, after the contact rules were applied.
struct MaterialPair {
  double friction = 0;         ///< [-]
  double damping_ratio = 0;    ///< [-] beta of Hertz's laws, from the restitution
  std::optional<LawKind> law{};  ///< none: Scene::law
  std::optional<double> damping_ratio_shear{};  ///< [-] beta_s of Hertz's laws; none: damping_ratio
  std::optional<double> effective_young{};      ///< [Pa] E* of Hertz's laws; none: from the materials
  std::optional<double> effective_shear{};      ///< [Pa] G* of Hertz's laws; none: from the materials
  double surface_energy = 0;                    ///< [J/m2] gamma, half of the work of adhesion
  LinearSprings springs{};                      ///< of the linear laws
};

/// Initial particles; particle i has id i. All arrays have the same length.
struct ParticleSet {
  std::vector<Real3> position;          ///< [m]
  std::vector<Real3> velocity;          ///< [m/s]
  std::vector<Real3> angular_velocity;  ///< [rad/s]
  std::vector<double> radius;           ///< [m]
  std::vector<std::uint32_t> material;  ///< index into Scene::materials

  [[nodiscard]] std::size_t size() const { return position.size(); }
};

/// A triangle surface with shared vertices: corners closer than rounding are one vertex.
struct TriangleMesh {
  std::vector<Real3> vertices;                          ///< [m]
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< vertex indices, counter-clockwise seen from outside
};

struct SceneBoundary {
  enum class Kind { plane, cylinder, mesh };
  std::string name;
  Kind kind = Kind::plane;
  std::uint32_t material = 0;
  PlaneBoundary plane;        ///< when kind is plane; unit normal
  CylinderBoundary cylinder;  ///< when kind is cylinder
  TriangleMesh mesh;          ///< when kind is mesh
  std::vector<Motion> motion;
};

/// Half space that removes: a particle goes when (x - point) . normal > 0. Counted under Scene::outlet_names[counter].
struct SceneOutlet {
  Real3 point{}, normal{};
  std::uint32_t counter = 0;
};

struct Scene {
  Precision precision = Precision::mixed;
  double time_step = 0;        ///< [s]
  // How the neighbour search trades longer lists for fewer searches; no result depends on it.
  double verlet_distance = 0;  ///< [m] pairs are listed up to this gap; lists are rebuilt when a body moved half of it
  bool verlet_auto = false;    ///< verlet_distance is the least; each body gets more by its speed, as measured costs advise
  double target_interval = 0;  ///< [steps] for which a body's share should last at its speed. With verlet_auto: instead of
                               ///< a measured interval; without: shares are 0.1 to 1 of half the distance. 0: none given
  Real3 gravity{};             ///< [m/s2]
  double damping = 0;          ///< [-] Cundall
  LawKind law = LawKind::hertz_mindlin;  ///< of pairs that name no other
  double interaction_range = 1;          ///< [-] contacts may reach to this multiple of the sum of the radii
  std::vector<Material> materials;
  std::vector<MaterialPair> pairs;  ///< [n_materials * n_materials], row-major, symmetric
  ParticleSet particles;
  std::vector<SceneBoundary> boundaries;
  std::vector<SceneOutlet> outlets;
  std::vector<std::string> outlet_names;

  [[nodiscard]] const MaterialPair& pair(std::size_t a, std::size_t b) const { return pairs[a * materials.size() + b]; }
  [[nodiscard]] LawKind law_of(std::size_t a, std::size_t b) const { return pairs.empty() ? law : pair(a, b).law.value_or(law); }
};

}  // namespace scree
