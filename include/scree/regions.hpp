#pragma once

#include <string>
#include <variant>

#include "scree/values.hpp"

/// Regions of space, as in a case file.
namespace scree {

/// [m] lowest and highest corner
struct BoxRegion {
  Real3 min{}, max{};
};
/// [m] centres of the end faces, and radius
struct CylinderRegion {
  Real3 from{}, to{};
  double radius = 0;
};
/// [m] ball
struct SphereRegion {
  Real3 center{};
  double radius = 0;
};
/// inside of a closed surface, STL, OBJ or PLY; scale [-] is the factor to metres
struct MeshRegion {
  std::string file;
  double scale = 1;
};
/// the whole periodic cell
struct CellRegion {};
/// The part of a box that lies above the highest surface of a mesh (STL, OBJ, PLY or VTK), along z. The mesh need not
/// be closed. scale [-] is the factor to metres, translate [m] a shift after it.
struct AboveRegion {
  BoxRegion box;
  std::string file;
  double scale = 1;
  Real3 translate{};
  bool holes = false;  ///< where the mesh has no surface, the region begins at the lower face of the box
};
using Region = std::variant<BoxRegion, CylinderRegion, SphereRegion, MeshRegion, CellRegion, AboveRegion>;

}  // namespace scree
