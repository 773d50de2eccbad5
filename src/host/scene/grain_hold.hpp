#pragma once

#include "scree/grain_shape.hpp"

namespace scree {

/// The effective part of the mass of a body at a contact: the square of the frequency is the stiffness of one contact
/// of the law over this part of the mass. The default values are those of a sphere.
struct BodyHold {
  double normal = 1;  ///< [-] of springs along the normal
  double shear = 1;   ///< [-] of springs across it, against translation
  double turn = 0.4;  ///< [-] of springs across it, against rotation
  double area = 1;    ///< [-] number of contacts of the law that the largest flat part of the surface represents
};

/// The hold of a level-set grain that lies on a plane. Each node counts as its share of a contact of two spheres with
/// the volume of the grain, as in the engine; for `by_area` see GrainContacts. Of all directions in which the grain may
/// lie, the stiffest one counts, with the nodes within a twentieth of the radius of this sphere. They count as at least
/// one contact. A contact off the centre also turns the grain: at a lever arm a it moves 1 / (1/m + a^2/I) of its mass.
[[nodiscard]] BodyHold hold_of_grain(const GrainShape& shape, bool by_area);

/// [m] The depth of the deepest point of a grain below its surface, at size 1.
[[nodiscard]] double depth_of(const GrainShape& shape);

}  // namespace scree
