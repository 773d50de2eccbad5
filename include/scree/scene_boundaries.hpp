#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scree/boundaries.hpp"
#include "scree/motions.hpp"
#include "scree/values.hpp"

/// Boundaries, as an engine takes them.
namespace scree {

/// A triangle surface with shared vertices: corners that differ only by rounding are one vertex.
struct TriangleMesh {
  std::vector<Real3> vertices;  ///< [n_vertices] [m]
  /// [n_triangles] vertex indices, counter-clockwise seen from outside
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// A cylinder with a servo keeps at least this part of its initial radius.
inline constexpr double least_share_of_radius = 0.25;

/// How a wall holds a stress or a force. Its drive has the mass and the damping for this. Simulation sets the force of
/// the drive, for the present area of the wall. The wall moves along its direction only.
struct SceneServo {
  std::optional<TimeTable> stress{}, force{};  ///< [Pa], [N] exactly one, over time; pressure is positive
  double since = 0;                            ///< [s] the times of these tables count from then
  std::optional<double> speed{};               ///< [m/s] set by a stage: the wall moves along `direction` instead
  Real3 direction{};                           ///< of length 1, towards the particles
  double most_speed = 0;                       ///< [m/s] largest speed towards the particles; no bound away from them
  double area = 0;                             ///< [m2] area on which a stress acts; 0: the area between the sides
  /// index into Scene::boundaries: two pairs of opposing planes, between which the wall lies
  std::array<std::array<std::uint32_t, 2>, 2> sides{};
  /// whether the wall is a cylinder that holds a radial stress or force by changing its radius, instead of moving along
  /// `direction`. `speed` and `most_speed` are then rates at which the radius decreases
  bool radial = false;
  /// index into Scene::boundaries of a cylinder. If the servo is radial, this wall is the shell of the cylinder;
  /// otherwise the wall closes the cross-section of the cylinder
  std::optional<std::uint32_t> tube{};
  /// index into Scene::boundaries: the planes across the axis of the tube that bound its shell
  std::vector<std::uint32_t> platens{};
};

/// A boundary.
struct SceneBoundary {
  std::string name;
  BoundaryShape shape;         ///< the normal of a plane has length 1; the triangles of a mesh are those of `mesh`
  std::uint32_t material = 0;  ///< index into Scene::materials
  TriangleMesh mesh;           ///< of a MeshBoundary; of other shapes a surface for pictures only, empty for planes
  std::vector<Motion> motion;  ///< applied in order; axes and directions have length 1, tables are read
  std::optional<Drive> drive;  ///< its axis has length 1; a free body has mass, inertia and centre
  /// number of facets in each copy of a mesh that is repeated in a periodic cell; 0: it is not repeated. The copies
  /// follow one another: -1 to 1 along each edge that repeats, the last edge fastest
  std::uint32_t facets_per_copy = 0;
  /// as Boundary::surface_motion; axes and directions have length 1, tables are read
  std::vector<Motion> surface_motion{};
  std::optional<SceneServo> servo{};
  std::optional<FacetOutput> facet_loads{};  ///< for a mesh whose facets sum up their loads; see Engine::facet_loads()

  std::optional<double> temperature{}, heat_flux{};  ///< [K], [W/m2] as Boundary; at most one of the two
  /// [s] As Boundary. A Simulation switches the boundary at these times; an engine itself takes it as always present.
  double from = 0, until = std::numeric_limits<double>::infinity();

  /// Whether it is absent at some time.
  [[nodiscard]] bool has_times() const { return from > 0 || until < std::numeric_limits<double>::infinity(); }
  /// Whether a servo changes its radius.
  [[nodiscard]] bool changes_radius() const { return servo && servo->radial; }
  /// Whether its surface moves relative to it.
  [[nodiscard]] bool slides() const { return !surface_motion.empty(); }
  [[nodiscard]] bool moves() const { return !motion.empty() || drive.has_value(); }
  [[nodiscard]] bool is_mesh() const { return std::holds_alternative<MeshBoundary>(shape); }
};

}  // namespace scree
