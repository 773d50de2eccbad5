#pragma once

#include "scree/elasticity.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Springs and dashpots of one contact.
struct ContactSprings {
  double normal = 0, shear = 0, normal_dashpot = 0, shear_dashpot = 0;          ///< [N/m], [N s/m]
  double rolling = 0, twisting = 0, rolling_dashpot = 0, twisting_dashpot = 0;  ///< [N m], [N m s]
};

/// A sphere in a contact, and the body that it belongs to.
struct ContactSide {
  double radius = 0;  ///< [m] radius of the sphere
  double mass = 0;    ///< [kg] mass of its body; infinite for a boundary
};

/// [kg] Mass of a sphere of `radius` [m].
[[nodiscard]] double sphere_mass(const Material& material, double radius);
/// [m3] Volume of a bridge. `radius` [m] is that of the smaller sphere.
[[nodiscard]] double bridge_volume(const LiquidBridges& liquid, double radius);

/// Adds the dashpots of a viscous liquid. The shear dashpot is an upper bound with a square root in place of the
/// logarithm, because the bits of a logarithm depend on the C library.
void add_liquid(ContactSprings& springs, const MaterialPair& pair, const ContactSide& own, const ContactSide& partner);

/// Springs and dashpots of a contact under a linear law, or of a bond, without rolling resistance. `own_material` is
/// the material of the side `own`.
[[nodiscard]] ContactSprings linear_springs(const Material& own_material, const ContactSide& own,
                                            const Material& partner_material, const ContactSide& partner,
                                            const MaterialPair& pair, bool bonded);

/// [-] Stiffness of unloading over stiffness of loading; 1 for laws without plasticity.
[[nodiscard]] double unloading_factor(const MaterialPair& pair);

/// Springs and dashpots of a Hertzian contact with an overlap of `overlap` [m], without rolling resistance. A boundary
/// counts as flat.
[[nodiscard]] ContactSprings hertz_springs(const EffectiveModuli& moduli, const ContactSide& own,
                                           const ContactSide& partner, const MaterialPair& pair, double overlap);

/// Whether adhesion makes the circle of Hertzian contacts of a pair wider, as under the law jkr.
[[nodiscard]] bool is_widened_by_adhesion(LawKind law, const MaterialPair& pair);

/// [m] The overlap at which Hertz's contact is as wide as the contact by Johnson, Kendall & Roberts at `overlap` [m],
/// a^2 / R*. A contact under the law jkr has the springs of Hertz's contact of this width.
[[nodiscard]] double overlap_of_same_width(const EffectiveModuli& moduli, const ContactSide& own,
                                           const ContactSide& partner, const MaterialPair& pair, double overlap);

/// Adds the springs and dashpots of rolling and twisting resistance.
void add_rolling(ContactSprings& springs, const RollingResistance& rolling, const ContactSide& own,
                 const ContactSide& partner);

}  // namespace scree
