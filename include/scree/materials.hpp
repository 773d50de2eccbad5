#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "scree/heat.hpp"
#include "scree/laws.hpp"

/// Materials and rules of contacts, as in a case file.
namespace scree {

/// The model of rolling resistance, by its letter in Ai et al. (2011).
enum class RollingType {
  directional,     ///< A: a moment against the rolling, whatever its speed
  viscous,         ///< B: a moment in proportion to the speed of rolling
  elastic_plastic  ///< C: springs with dashpots that yield
};
/// Resistance to rolling and, for type C, to twisting. The values of a material are combined with those of its partner.
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
  std::optional<std::uint64_t> most_segments{};  ///< largest number of segments per contact; none: unlimited
  bool exact_sliding = false;                    ///< integrate the direction of sliding over a step
};

enum class NormalStrain { linear, logarithmic };
/// When bonds are made.
enum class BondForm {
  start,  ///< before the first step
  near,   ///< also whenever two spheres come near each other
  kept    ///< never: the only bonds are those of the checkpoint from which the case starts
};
/// Bonds between particles that are near each other when the run starts, or that come near each other later.
struct Bond {
  double tensile_strength = 0;                 ///< [Pa] tension at which a bond breaks
  double cohesion = 0;                         ///< [Pa] shear strength without normal force
  double interaction_range = 1;                ///< [-] largest distance of a bond of spheres, over the sum of the radii
  NormalStrain strain = NormalStrain::linear;  ///< of spheres
  // For level-set grains, whose bonds join nodes of one grain with points on the surface of another.
  std::optional<double> gap{};               ///< [m] largest distance of a node from the other surface
  std::optional<double> normal_stiffness{};  ///< [Pa/m] none: Young's modulus over r1 + r2
  std::optional<double> shear_stiffness{};   ///< [Pa/m] none: normal_stiffness times Poisson's ratio
  // For spheres and level-set grains.
  double damping = 0;                       ///< [-] damping ratio in both directions
  std::optional<double> weibull_modulus{};  ///< [-] for random factors of both strengths above; none: no scatter
  BondForm form = BondForm::start;
  // For spheres.
  std::optional<double> form_until{};  ///< [s] with BondForm::near: no bonds are made from then on; none: no end
  double moment_contribution = 0;  ///< [-] factor of the stresses by bending and torsion in the criterion of breaking
};

/// The area A of a contact on which linear cohesion acts. R* is the effective radius, u the overlap.
enum class CohesionArea {
  hertz,         ///< pi R* u, the circle of Hertz's contact
  intersection,  ///< the circle in which the two spheres intersect
  sjkr2          ///< 4 pi R* u
};
/// A pull k A in addition to the force of the law.
struct LinearCohesion {
  double energy_density = 0;  ///< [J/m3] k
  CohesionArea area = CohesionArea::hertz;
  bool reduces_friction = false;  ///< Coulomb's limit uses the whole normal force, not that of the law alone
};

/// Yielding and adhesion of contacts under the elasto-plastic laws.
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
/// Liquid between bodies, in capillary bridges that form when the bodies touch. Exactly one of `volume` and
/// `volume_fraction` is given.
struct LiquidBridges {
  double surface_tension = 0;               ///< [N/m]
  double contact_angle = 0;                 ///< [rad]
  std::optional<double> volume{};           ///< [m3] of a bridge
  std::optional<double> volume_fraction{};  ///< [-] volume of a bridge over that of the smaller sphere
  LiquidForce force = LiquidForce::willett;
  /// bridges take their liquid from the films of both bodies (ParticleGroup::film), at most the given volume, and
  /// return it when they rupture; otherwise every bridge has the given volume
  bool from_films = false;
  std::optional<double> viscosity{};  ///< [Pa s] none: bridges do not resist motion
  std::optional<double> roughness{};  ///< [m] least distance in the law of viscosity, which needs it
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

/// The contact law and values of pairs of materials. The first rule that matches a pair applies; "*" matches any
/// material. Values given here replace those of the materials.
struct ContactRule {
  std::array<std::string, 2> between = {"*", "*"};
  LawKind law = LawKind::hertz_mindlin;
  std::optional<double> friction;                  ///< [-] default: the smaller of the two
  std::optional<double> restitution;               ///< [-] default: the smaller of the two
  std::optional<double> restitution_tangential{};  ///< [-] default: `restitution`
  std::optional<bool> exact_restitution{};        ///< linear springs: an impact ends at zero force, not at zero overlap
  std::optional<double> contact_time{};           ///< [s] duration of an impact on linear springs
  std::optional<double> normal_stiffness{};       ///< [N/m] of linear springs
  std::optional<double> shear_stiffness{};        ///< [N/m] of linear springs
  std::optional<double> normal_damping{};         ///< [N s/m] of linear dashpots
  std::optional<double> shear_damping{};          ///< [N s/m] of linear dashpots
  std::optional<double> young_modulus{};          ///< [Pa] E* of Hertz's laws
  std::optional<double> shear_modulus{};          ///< [Pa] G* of Hertz's laws
  std::optional<double> surface_energy{};         ///< [J/m2] of adhesive and elasto-plastic laws
  std::optional<RollingResistance> rolling = {};  ///< default: from the two materials
  std::optional<Bond> bond = {};                  ///< needed by the law bonded
  std::optional<LoadHistorySettings> load_history = {};  ///< of the law jaeger
  std::optional<LinearCohesion> cohesion = {};           ///< acts in addition to the law
  std::optional<LiquidBridges> liquid = {};              ///< acts in addition to the law
  std::optional<Plasticity> plasticity = {};             ///< needed by the elasto-plastic laws
};

}  // namespace scree
