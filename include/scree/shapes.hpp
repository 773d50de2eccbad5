#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scree/values.hpp"

/// Shapes of particles that are not spheres, as in a case file: clumps of spheres and level-set grains, how these
/// deform, and how they touch.
namespace scree {

/// One sphere of a clump, in the units of the template.
struct MemberSphere {
  Real3 center{};
  double radius = 0;
};
/// A rigid shape of spheres, given as a list or in a CSV file with the columns x, y, z, r.
struct ClumpTemplate {
  std::vector<MemberSphere> spheres;
  std::optional<std::string> file;
  double scale = 1;  ///< [-] factor from the units of the spheres to metres
  /// cells along the shortest edge of a grid that measures overlapping members; none: exact
  std::optional<std::uint64_t> resolution;
};

// Solids given by formulas. Each has its centre at the origin.

/// A ball.
struct BallForm {
  double radius = 0;  ///< [m]
};
/// A box with edges along the axes.
struct BoxForm {
  Real3 half_edges{};  ///< [m]
};
/// A cylinder about z with half balls at its ends.
struct CapsuleForm {
  double radius = 0, half_length = 0;  ///< [m] half_length: from the middle to the centre of a half ball
};
/// A cylinder about z.
struct CylinderForm {
  double radius = 0, half_height = 0;  ///< [m]
};
/// A ring about z.
struct TorusForm {
  double major_radius = 0, minor_radius = 0;  ///< [m]
};
/// The solid inside of (|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1) = 1.
struct SuperellipsoidForm {
  Real3 half_axes{};                      ///< [m] a, b, c
  std::array<double, 2> exponents{1, 1};  ///< [-] e1, e2
};
/// Modes with a closed form, in the frame of the file or form that the grain is made from. Displacements are scaled
/// such that the largest one at a node is 1.
enum class ClosedMode {
  homogeneous,  ///< stands for the next six
  strain_xx,    ///< (x, 0, 0)
  strain_yy,
  strain_zz,
  strain_xy,  ///< (y, x, 0)
  strain_yz,
  strain_zx,
  bending_xy,  ///< a beam along x whose ends are held bends towards y, as half a wave of a sine
  bending_xz,
  bending_yx,
  bending_yz,
  bending_zx,
  bending_zy,
  stretching_x,  ///< a bar along x stretches as half a wave of a sine: the ends move apart
  stretching_y,
  stretching_z
};

/// How a level-set grain deforms. Its modes are the closed forms given here, or those of its template.
struct Deformation {
  std::vector<ClosedMode> forms{};
  bool beam_theory = true;  ///< bending and stretching are those of slender bodies, which contract freely
  std::optional<std::uint64_t>
      count{};  ///< number of modes of the template that are used, from the first; none: all; 0: the grain is rigid
  std::vector<double> mass{};       ///< [kg] of each mode of each grain, with `stiffness`; empty: from the material
  std::vector<double> stiffness{};  ///< [N/m] of each mode of each grain, with `mass`
  /// [m, N] knots of the force of a single mode of each grain, with `mass`; the force at 0 is 0
  std::vector<std::array<double, 2>> table{};
  double damping_ratio = 0;         ///< [-] of critical damping of each mode
  double damping_coefficient = 0;   ///< [N s/m] of each mode
  double damping_by_stiffness = 0;  ///< [s] times the stiffness of each mode
  bool deforming_inertia = false;   ///< the moments of inertia follow the deformation, and rates carry angular momentum
};

/// A grain of any shape as a level set. Exactly one of the forms and `file` is given.
struct LevelSetTemplate {
  std::optional<BallForm> sphere;
  std::optional<BoxForm> box;
  std::optional<CapsuleForm> capsule;
  std::optional<CylinderForm> cylinder;
  std::optional<TorusForm> torus;
  std::optional<SuperellipsoidForm> superellipsoid;
  /// closed mesh (STL, OBJ, PLY), image of labelled voxels (NRRD, or JSON beside raw voxels), or template (HDF5)
  std::optional<std::string> file;
  double scale = 1;                          ///< [-] factor from the units of the file to metres
  std::optional<std::uint64_t> label;        ///< label of the grain in an image
  std::optional<double> grid_spacing;        ///< [m] after scaling; needed except for a template
  std::optional<double> node_spacing;        ///< [-] distance of nodes over the spacing of the grid
  std::optional<Deformation> deformation{};  ///< none: a template deforms by its own modes; all other grains are rigid

  /// Whether the file is a template, which contains the grid and the nodes.
  [[nodiscard]] bool is_template() const { return file && (file->ends_with(".h5") || file->ends_with(".hdf5")); }
};
using ShapeTemplate = std::variant<ClumpTemplate, LevelSetTemplate>;
/// An entry of "shapes".
struct Shape {
  ShapeTemplate kind;
};

}  // namespace scree
