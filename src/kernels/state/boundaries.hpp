#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

/// Where a boundary stands now and how it moves: x = rotation x0 + shift, velocity at x = velocity + spin x x.
struct Pose {
  Vec3d row_x{1, 0, 0}, row_y{0, 1, 0}, row_z{0, 0, 1};  ///< rotation matrix
  Vec3d shift{0, 0, 0};                                  ///< [m]
  Vec3d velocity{0, 0, 0};                               ///< [m/s] of the point at the world's origin
  Vec3d spin{0, 0, 0};                                   ///< [rad/s]

  SCREE_HD Vec3d turn(const Vec3d& v) const { return {dot(row_x, v), dot(row_y, v), dot(row_z, v)}; }
  SCREE_HD Vec3d place(const Vec3d& x) const { return turn(x) + shift; }
  SCREE_HD Vec3d place_back(const Vec3d& x) const {
    const Vec3d d = x - shift;
    return d.x * row_x + d.y * row_y + d.z * row_z;
  }
};

enum class FeatureKind : std::uint32_t { plane, cylinder, facet, cone, sphere };

/// One surface that a sphere can touch. Features are numbered boundary by boundary, in the order of the scene.
struct Feature {
  FeatureKind kind;
  std::uint32_t boundary;
  std::uint32_t a, b, c;  ///< vertices of a facet; a: index of any other; b of a cone: 1 for its far side
};

struct PlaneSurface {
  Vec3d point, normal;
};
struct CylinderSurface {
  Vec3d from, axis;  ///< unit axis
  double length, radius;
};
struct ConeSurface {
  Vec3d from, axis;  ///< unit axis
  double length, radius_from, radius_to;
};
struct SphereSurface {
  Vec3d center;
  double radius;
};

/// Node of a bounding volume hierarchy in depth-first order: on a miss, the walk goes on at `skip`.
struct BoxNode {
  Vec3d min, max;
  std::uint32_t skip;
  std::uint32_t first, count;  ///< facets of a leaf in BoundaryFields::leaf_feature; count 0: inner node
};

/// Where a facet goes on in a plane or a facet of another boundary: the part of its edge that both share, in the
/// reference pose of its own boundary.
struct Joint {
  std::uint32_t other;  ///< feature
  Vec3d from, to;       ///< [m]
};

struct BoundaryInfo {
  std::uint32_t material;
  std::uint32_t first_feature, n_features;
  std::uint32_t first_vertex, n_vertices;
  std::uint32_t first_node, n_nodes;  ///< meshes only; nodes are in the reference pose
  std::uint32_t moving;
  std::uint32_t joined;           ///< with which others it makes one surface: same number; 0: with none
  std::uint32_t facets_per_copy;  ///< of a mesh that is repeated in a periodic cell; 0: it is not
};

/// All boundaries of a run. `vertex` follows the poses; everything else is fixed.
template <template <class> class A>
struct BoundaryFields {
  A<BoundaryInfo> info;
  A<Pose> pose;
  A<Feature> feature;
  A<PlaneSurface> plane;
  A<CylinderSurface> cylinder;
  A<Vec3d> reference_vertex, vertex;
  A<std::uint32_t> vertex_boundary;
  A<BoxNode> node;
  A<std::uint32_t> leaf_feature;
  /// [3 n_facets + 1]: vertices opposite to an edge in its other facets
  A<std::uint32_t> edge_start, edge_opposite;
  A<std::uint32_t> ring_start, ring;  ///< [n_vertices + 1]: vertices joined to a vertex by an edge
  std::uint32_t first_facet;          ///< features before it are those of shapes without facets
  A<ConeSurface> cone;
  A<SphereSurface> sphere;
  A<std::uint32_t> joint_start;  ///< [n_features + 1] into `joint`; empty where there are none
  A<Joint> joint;
};

using Boundaries = BoundaryFields<Buffer>;
using BoundaryView = BoundaryFields<Span>;

/// What forces have done to a boundary so far. The state of a run: hashed, and to be saved with it.
struct DrivenState {
  Vec3d shift{0, 0, 0};     ///< [m] along the free axes
  Vec3d velocity{0, 0, 0};  ///< [m/s] of the middle of the last step; that of the case until it is let go
  double angle = 0;         ///< [rad]
  double rate = 0;          ///< [rad/s] of the middle of the last step
  double work = 0;          ///< [J] by the boundary on the particles; of all that move, driven or not
};

/// Vertices of moving meshes to where they stand now.
struct VertexPlacement {
  Span<Pose> pose;
  Span<std::uint32_t> vertex_boundary;
  Span<Vec3d> reference, vertex;
  SCREE_HD void operator()(std::size_t i) const { vertex[i] = pose[vertex_boundary[i]].place(reference[i]); }
};

/// Values of BoundarySlot::link: no part in joining contacts; near and not looked at yet; done with; or more, the slot
/// and the edge by which the surface leads there.
inline constexpr std::uint32_t link_none = 0, link_near = 1, link_done = 2, link_first = 3;

/// One candidate contact of a body with a feature.
template <class R>
struct BoundarySlot {
  std::uint32_t feature;
  std::uint32_t touching;  ///< 1 where it touched in the last step
  std::uint32_t accepted;  ///< 1 where it is a contact of this step, 2 when its history went to a neighbour
  std::uint32_t link;      ///< while it is found what touches: see link_none
  Vec3<R> shear;           ///< [N] elastic tangential force on the body
  Vec3<R> normal;          ///< [-] of the last step, from the boundary to the body
  Vec3<R> force;           ///< [N] on the body
  /// [-] of a contact that joins several: velocities and forces are so many times those of the law; 0: single
  float weight;
  Vec3d point;  ///< [m] closest point of the feature; once the force is known, the contact point
};

}  // namespace scree::inline SCREE_BACKEND
