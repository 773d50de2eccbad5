#pragma once

#include "scree/grain_shape.hpp"

namespace scree {

/// Which part of the mass of a body a contact meets, so that the square of its frequency is the stiffness of one
/// contact of the law over this part of the mass. A sphere has the values below.
struct BodyHold {
  double normal = 1;  ///< [-] of springs along the normal
  double shear = 1;   ///< [-] of springs across it, against translation
  double turn = 0.4;  ///< [-] of springs across it, against rotation
  double area = 1;    ///< [-] how many contacts of the law the largest flat part of the surface stands for
};

/// The hold of a level-set grain that lies on a plane. Each node counts as its share of a contact of two spheres of the
/// volume of the grain, as it does in the engine; `by_area`: see GrainContacts. Of all directions in which the grain
/// may lie, the stiffest counts, with the nodes that are within a twentieth of the radius of this sphere. They count as
/// one contact at least. A contact off the centre also turns the grain: at a lever arm a it meets 1 / (1/m + a^2/I) of
/// its mass.
[[nodiscard]] BodyHold hold_of_grain(const GrainShape& shape, bool by_area);

/// [m] How far the deepest point of a grain lies inside, at size 1.
[[nodiscard]] double depth_of(const GrainShape& shape);

}  // namespace scree
