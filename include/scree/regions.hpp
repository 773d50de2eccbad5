#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scree/values.hpp"

/// Regions of space, as in a case file.
namespace scree {

/// A box with edges along the axes, given by its lowest and its highest corner [m].
struct BoxRegion {
  Real3 min{}, max{};
};
/// A cylinder, given by the centres of its end faces [m] and its radius [m]. It is hollow if inner_radius is above 0.
struct CylinderRegion {
  Real3 from{}, to{};
  double radius = 0;
  double inner_radius = 0;  ///< [m] points nearer to the axis are outside
};
/// A ball, given by its centre [m] and its radius [m].
struct SphereRegion {
  Real3 center{};
  double radius = 0;
};
/// The inside of a closed surface of triangles (STL, OBJ, PLY or VTK). It is placed as a MeshBoundary.
struct MeshRegion {
  std::string file;
  double scale = 1;
  std::optional<Turn> rotate{};
  Real3 translate{};
};
/// The whole periodic cell.
struct CellRegion {};
/// The part of a box that lies above the highest surface of a mesh (STL, OBJ, PLY or VTK), along z. The mesh need not
/// be closed. It is placed as a MeshBoundary.
struct AboveRegion {
  BoxRegion box;
  std::string file;
  double scale = 1;
  std::optional<Turn> rotate{};
  Real3 translate{};
  bool holes = false;  ///< where the mesh has no surface, the region begins at the lower face of the box
};
/// A plane disc.
struct DiscFace {
  Real3 center{}, normal{0, 0, 1};  ///< [m]; the normal has any length
  double radius = 0;                ///< [m]
};
/// A surface through which particles come in; only inlets use it. Particles appear on the side to which the normals of
/// the surface point. Their centres lie over the surface, uniformly by area, and the gap between a particle and the
/// surface is between 0 and `depth`. Exactly one of file, polygon and disc is given.
struct FaceRegion {
  std::optional<std::string> file{};  ///< triangle surface, open or closed; its facets give the normals
  double scale = 1;                   ///< [-] factor from the units of the file to metres
  std::optional<Turn> rotate{};       ///< turns the scaled surface of the file
  Real3 translate{};                  ///< [m] shifts the turned surface of the file
  std::optional<std::vector<Real3>>
      polygon{};  ///< [m] corners in a plane, counterclockwise seen from the tip of the normal
  std::optional<DiscFace> disc{};
  bool flip = false;  ///< the particles appear on the other side
  double depth = 0;   ///< [m]
};
using Region = std::variant<BoxRegion, CylinderRegion, SphereRegion, MeshRegion, CellRegion, AboveRegion, FaceRegion>;

}  // namespace scree
