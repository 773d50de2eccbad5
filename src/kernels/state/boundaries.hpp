#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/quaternion.hpp"
#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

/// The part of a velocity that lies in the plane with this unit normal.
template <class T>
SCREE_INLINE Vec3<T> along_surface(const Vec3<T>& velocity, const Vec3<T>& normal) {
  return velocity - dot(velocity, normal) * normal;
}

/// Placement and motion of a boundary at a moment: a point x0 of the reference pose is at x = rotation x0 + shift, and
/// its velocity is velocity + spin x x.
struct Pose {
  Vec3d row_x{1, 0, 0}, row_y{0, 1, 0}, row_z{0, 0, 1};  ///< rotation matrix
  Vec3d shift{0, 0, 0};                                  ///< [m]
  Vec3d velocity{0, 0, 0};                               ///< [m/s] of the boundary's point at the origin of the world
  Vec3d spin{0, 0, 0};                                   ///< [rad/s]
  /// [m/s], [rad/s] Velocity of the surface relative to the boundary (a belt): at x it is the part of surface_velocity
  /// + surface_spin x x along the surface. A contact cannot be pushed by a surface that slides.
  Vec3d surface_velocity{0, 0, 0}, surface_spin{0, 0, 0};
  /// The radius of a cylinder is larger by `growth` [m] than in the reference pose, and grows at `growth_rate` [m/s].
  /// In addition to the velocity above, the surface has this rate away from the axis.
  double growth = 0, growth_rate = 0;

  /// [m/s] Velocity of the surface relative to the boundary at a point where the surface has this normal.
  SCREE_HD Vec3d sliding(const Vec3d& x, const Vec3d& normal) const {
    return along_surface(surface_velocity + cross(surface_spin, x), normal);
  }
  SCREE_HD Vec3d turn(const Vec3d& v) const { return {dot(row_x, v), dot(row_y, v), dot(row_z, v)}; }
  SCREE_HD Vec3d place(const Vec3d& x) const { return turn(x) + shift; }
  SCREE_HD Vec3d place_back(const Vec3d& x) const {
    const Vec3d d = x - shift;
    return d.x * row_x + d.y * row_y + d.z * row_z;
  }
};

/// What a feature is, and what the numbers of its Surface mean there.
enum class FeatureKind : std::uint32_t {
  plane,     ///< point, axis: the normal towards the particles
  cylinder,  ///< point: centre of the first rim; axis towards the second, length, radius
  facet,     ///< of a mesh; has no Surface
  cone,      ///< point: centre of the first rim; axis towards the second, length, radius of the first and of the second
  sphere,    ///< point: centre; radius
};

/// One surface that a sphere can touch at one point. Features are numbered boundary by boundary, in the order of the
/// scene.
struct Feature {
  FeatureKind kind;
  std::uint32_t boundary;
  /// facet: its vertices; others: a is the index of the surface, b = 1 for the far side of a cone, c = 1 for a cylinder
  /// with a radius that changes
  std::uint32_t a, b, c;

  /// Whether it is the far side of a cone, which a sphere inside touches opposite the near side.
  SCREE_INLINE bool is_far_side() const { return kind == FeatureKind::cone && b == 1; }
  SCREE_INLINE bool grows() const { return kind != FeatureKind::facet && c == 1; }
  /// Vertex k modulo 3 of a facet. No array is used, because a GPU keeps an array with a variable index in memory.
  SCREE_INLINE std::uint32_t corner(std::uint32_t k) const { return k % 3 == 0 ? a : k % 3 == 1 ? b : c; }
};

/// The numbers of a surface that is no facet, in the reference pose of its boundary. FeatureKind says what they mean.
struct Surface {
  Vec3d point{0, 0, 0};      ///< [m]
  Vec3d axis{0, 0, 0};       ///< of length 1
  double length = 0;         ///< [m] along the axis
  double radius = 0;         ///< [m]
  double second_radius = 0;  ///< [m]
};

/// Node of a bounding volume hierarchy in depth-first order. If a node is missed, the walk continues at `skip`.
struct BoxNode {
  Vec3d min, max;
  std::uint32_t skip;
  std::uint32_t first, count;  ///< facets of a leaf in BoundaryFields::leaf_feature; count 0: inner node
};

/// Connection of a facet with a plane or another facet: the part of the facet's edge that both share, in the reference
/// pose of the facet's boundary. Facets of one mesh with a common edge need none.
struct Joint {
  std::uint32_t other;  ///< the other feature
  Vec3d from, to;       ///< [m]
};

struct BoundaryInfo {
  std::uint32_t material;
  std::uint32_t first_feature, n_features;
  std::uint32_t first_vertex, n_vertices;
  std::uint32_t first_node, n_nodes;  ///< meshes only; nodes are in the reference pose
  std::uint32_t moving;
  std::uint32_t absent;           ///< 1: nothing touches it
  std::uint32_t joined;           ///< boundaries with the same number form one surface; 0: with no other
  std::uint32_t joins_itself;     ///< 1: there are joints between facets of this mesh
  std::uint32_t n_parts;          ///< see BoundaryFields::part
  std::uint32_t facets_per_copy;  ///< of a mesh that is repeated in a periodic cell; 0: not repeated
};

/// All boundaries of a run. `vertex` follows the poses; all other arrays are constant.
template <template <class> class A>
struct BoundaryFields {
  A<BoundaryInfo> info;
  A<Pose> pose;
  A<Feature> feature;
  A<Surface> surface;
  A<Vec3d> reference_vertex, vertex;
  A<std::uint32_t> vertex_boundary;
  A<BoxNode> node;
  A<std::uint32_t> leaf_feature;
  /// [3 n_facets + 1] and its targets: for each edge of a facet, the opposite vertices of the other facets at this edge
  A<std::uint32_t> edge_start, edge_opposite;
  A<float> edge_width;                ///< [3 n_facets] of each edge of a facet: see MeshAdjacency
  A<std::uint32_t> ring_start, ring;  ///< [n_vertices + 1] and its targets: vertices that an edge joins to a vertex
  std::uint32_t slides = 0;           ///< 1 if the surface of a boundary moves relative to it
  std::uint32_t grows = 0;            ///< 1 if the radius of a boundary may change
  std::uint32_t first_facet;          ///< features before this one belong to shapes without facets
  A<std::uint32_t> joint_start;       ///< [n_features + 1] into `joint`; empty if there are no joints
  A<Joint> joint;
  /// [n_facets] The part of its mesh to which a facet belongs; empty if every mesh has a single part. A point is behind
  /// a mesh if it is behind any of its parts.
  A<std::uint32_t> part;
};

using Boundaries = BoundaryFields<Buffer>;
using BoundaryView = BoundaryFields<Span>;

/// Motion of a boundary along and about axes due to forces, and its work so far.
struct AxisMotion {
  Vec3d shift{0, 0, 0};  ///< [m] along the free axes
  /// [m/s] in the middle of the last step; before the boundary is released, as the case gives it
  Vec3d velocity{0, 0, 0};
  double angle = 0;  ///< [rad]
  double rate = 0;   ///< [rad/s] in the middle of the last step
  double work = 0;   ///< [J] done by the boundary on the particles; counted for all moving boundaries, driven or not
};
/// Rotation of a free body.
struct BodyRotation {
  Quaterniond turn{1, 0, 0, 0};  ///< from the reference pose to the present one
  Vec3d spin{0, 0, 0};           ///< [rad/s] world, in the middle of the last step
};
/// Change of the radius of a cylinder.
struct RadialMotion {
  double growth = 0;  ///< [m] of the radius since the start
  double rate = 0;    ///< [m/s] in the middle of the last step
};
/// Motion of a boundary due to forces. It is state of the run: hashed and saved.
struct DrivenState : AxisMotion {
  BodyRotation body;    ///< the rest of a free body, whose `shift` and `velocity` are those of its centre of mass
  RadialMotion radial;  ///< of a cylinder that a radial force drives
};

/// Moves the vertices of moving meshes to their present positions.
struct VertexPlacement {
  Span<BoundaryInfo> info;
  Span<Pose> pose;
  Span<std::uint32_t> vertex_boundary;
  Span<Vec3d> reference, vertex;
  std::size_t first;  ///< vertex
  SCREE_HD void operator()(std::size_t k) const {
    const std::size_t i = first + k;
    const std::uint32_t boundary = vertex_boundary[i];
    if (info[boundary].moving != 0) { vertex[i] = pose[boundary].place(reference[i]); }
  }
};

/// Values of BoundarySlot::link while contacts are joined. link_none: not taking part. link_near: near, not yet
/// reached. link_done: finished. From link_first on: the number encodes the slot and the edge over which the surface
/// leads here.
inline constexpr std::uint32_t link_none = 0, link_near = 1, link_done = 2, link_first = 3;

/// One possible contact of a body with a feature.
template <class R>
struct BoundarySlot {
  std::uint32_t feature;
  std::uint32_t touching;  ///< 1 if it touched in the last step
  std::uint32_t accepted;  ///< 1 if it is a contact of this step; other values are those of TouchingFeatures
  std::uint32_t link;      ///< see link_none; used while contacts are found
  Vec3<R> shear;           ///< [N] elastic tangential force on the body
  Vec3<R> normal;          ///< [-] from the boundary to the body, in the last step
  Vec3<R> force;           ///< [N] on the body
  /// [-] of a contact that joins several: factor on the velocities that the law sees and on the forces that it returns;
  /// 0: not joined
  float weight;
  Vec3d point;  ///< [m] closest point of the feature; the contact point once the force is known
};

}  // namespace scree::inline SCREE_BACKEND
