#pragma once

#include <cstdint>
#include <optional>

#include "scree/laws.hpp"
#include "scree/materials.hpp"

/// The data of pairs of materials in a scene.
namespace scree {

/// Springs and dashpots of the linear laws. With `from_moduli` the stiffnesses follow from the moduli of the two
/// materials. Otherwise each stiffness is the sum of the value per mass times the effective mass and of the plain
/// value.
struct LinearSprings {
  bool from_moduli = true;         ///< two springs in series, each k = 2 E r (nu k in shear); else the next four values
  double stiffness_per_mass = 0;   ///< [1/s2] K_N over the effective mass
  double shear_per_mass = 0;       ///< [1/s2] K_T over the effective mass
  double stiffness = 0;            ///< [N/m] K_N
  double shear_stiffness = 0;      ///< [N/m] K_T
  double dashpot = 0;              ///< [N s/m] c_N
  double shear_dashpot = 0;        ///< [N s/m] c_T
  double damping_ratio = 0;        ///< [-] c_N / (2 sqrt(K_N m*)), added to the dashpot
  double shear_damping_ratio = 0;  ///< [-] c_T / (2 sqrt(2/7 K_T m*)), added to the dashpot
};

/// The kind of attraction that acts between two bodies in addition to their contact law.
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
  std::optional<double> range{};             ///< [-] see Scene::range_of(); none: Scene::interaction_range
  double restitution = 1;                    ///< [-] restitution of impacts; the damping ratios above follow from it
  Plasticity plasticity{};                   ///< used by the elasto-plastic laws
  std::optional<LinearCohesion> cohesion{};  ///< pull in addition to the law; at most one of cohesion and liquid
  std::optional<LiquidBridges> liquid{};

  [[nodiscard]] Attraction attraction() const {
    if (liquid) { return liquid->force == LiquidForce::willett ? Attraction::liquid : Attraction::liquid_rabinovich; }
    return cohesion ? Attraction::cohesion : Attraction::none;
  }
};

/// The friction of a pair of materials; the order of the two does not matter.
struct PairFriction {
  std::uint32_t first = 0, second = 0;  ///< indices in Scene::materials
  double friction = 0;                  ///< [-]
};

}  // namespace scree
