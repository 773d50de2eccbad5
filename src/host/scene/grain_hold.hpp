#pragma once

#include "scree/grain_shape.hpp"

namespace scree {

/// The effective mass of a body at a contact, over its mass: the square of the frequency is the stiffness of one
/// contact of the law over the effective mass. The default values are those of a sphere.
struct BodyHold {
  double normal = 1;  ///< [-] for springs along the normal
  double shear = 1;   ///< [-] for springs across the normal, in translation
  double turn = 0.4;  ///< [-] for springs across the normal, in rotation
  double area = 1;    ///< [-] number of contacts of the law that the largest flat part of the surface represents
};

/// The hold of a level-set grain that lies on a plane. As in the engine, each node counts as its share of a contact of
/// two spheres with the volume of the grain; for `by_area` see GrainContacts. The grain may lie on any side, and the
/// stiffest side counts. All nodes within a twentieth of the radius of this sphere from the plane touch; together they
/// count as at least one contact. A contact beside the centre also turns the grain: at a lever arm a the effective mass
/// is 1 / (1/m + a^2/I).
[[nodiscard]] BodyHold hold_of_grain(const GrainShape& shape, bool by_area);

/// [m] The depth of the deepest point of a grain below its surface, at size 1.
[[nodiscard]] double depth_of(const GrainShape& shape);

}  // namespace scree
