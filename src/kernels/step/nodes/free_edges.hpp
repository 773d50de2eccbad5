#pragma once

#include "kernels/step/boundaries/boundary_views.hpp"
#include "kernels/step/nodes/edge_points.hpp"
#include "kernels/step/nodes/node_features.hpp"

namespace scree::inline SCREE_BACKEND {

/// [m] A surface counts as continued across a gap of this width, since files of meshes often have only seven digits.
/// Far from the origin the width is limited to a thousandth of the distance from the centre of the grain, so that it
/// stays small beside the facets that a grain can resolve.
SCREE_INLINE double gap_at(double from_origin, double from_centre) {
  return math::min(1e-6 * (from_origin + from_centre), 1e-3 * from_centre);
}

/// The edges of the features of one row, where level-set grains may touch them or hang over them.
template <class R>
struct RowEdges {
  const BoundaryContactViews<R>& of;
  offset_t begin, end;  ///< slots

  /// Whether a point x of an edge lies on another surface or behind a plane, so that nothing can touch the edge there.
  /// This happens where two boundaries join, or where only a part of the edge continues in another facet. A facet to
  /// which the edge belongs does not count, and neither does one to which the end of the edge at x belongs. For
  /// `number` see EdgeLine.
  SCREE_HD bool is_seam(offset_t slot, std::uint32_t number, const Vec3d& centre, const Vec3d& x) const {
    const double gap = gap_at(norm(x), norm(x - centre));
    const Feature own = of.feature_at(slot);
    for (offset_t k = begin; k < end; ++k) {
      const Feature other = of.feature_at(k);
      if (k == slot || other.is_far_side()) { continue; }
      if (own.kind == FeatureKind::facet && other.kind == FeatureKind::facet && share(own, other, number, x, gap)) {
        continue;
      }
      if (closest_point(of.boundaries, other, x).square_distance <= gap * gap) { return true; }
    }
    return false;
  }

  /// [m] The depth that counts for a node behind a facet or a shell. Where a grain sits on a free edge, or slides off
  /// it, nodes get behind the surface from the side, at any depth. Such a node must not push the grain aside, nor begin
  /// to push with a large force. Therefore the depth is
  /// - at most the distance from the edge to the place where the line from the centre to the node goes through the
  ///   surface. This distance is 0 when the line first meets the surface;
  /// - at most the distance from the edge to the foot of the node, less the depth of the edge in the grain: where an
  ///   edge presses into a flat face, the points of the edge carry the face near it;
  /// - multiplied by a factor. It is 1 where the foot is at least the depth of the grain away from the edge. At the
  ///   edge it is the cosine between the surface of the grain at the node and the surface of the boundary: a face at
  ///   right angles to the boundary does not press on it.
  /// The last two have less and less effect towards the place where the edge leaves the ball about the grain, because
  /// the row may lack features outside of this ball. `through`: where the line from the centre goes through a mesh.
  template <class Field>
  SCREE_HD double depth_of(offset_t slot, const GrainField<R, Field>& field, const Vec3d& x, const Behind& behind,
                           Vec3d through) const {
    const Feature own = of.feature_at(slot);
    if (own.kind == FeatureKind::sphere) { return behind.depth; }
    Node node{x, x + behind.depth * behind.normal, through, behind.normal, behind.depth};
    const double most = field.grain.size * double(field.grain.form->depth) + field.grain.swell;
    if (own.kind != FeatureKind::facet) {
      if (is_amid(slot, field.centre, x, behind.depth + most)) { return behind.depth; }
      node.through = place_in_shell(of.boundaries, own, field.centre, x);
      limit_by_edges(slot, field, most, node);
      return node.factor * node.depth;
    }
    for (offset_t k = begin; k < end; ++k) {
      const Feature facet = of.feature_at(k);
      if (facet.kind == FeatureKind::facet && facet.boundary == own.boundary) { limit_by_edges(k, field, most, node); }
    }
    return node.factor * node.depth;
  }

 private:
  struct Node {
    Vec3d x, foot, through, normal;
    double depth;
    double factor = 1;
  };

  /// `most` [m] is a bound of the depth of any point in the grain.
  template <class Field>
  SCREE_HD void limit_by_edges(offset_t slot, const GrainField<R, Field>& field, double most, Node& node) const {
    for (std::uint32_t edge = 0; edge < 3; ++edge) {
      EdgeLine line{};
      if (!EdgeLine::find(of.boundaries, of.slots[slot].feature, edge, 1, line) || line.width < 1) { continue; }
      const auto is_free = [&](const Vec3d& x) { return !is_seam(slot, EdgeLine::number(edge, 0), field.centre, x); };
      const Vec3d of_foot = line.closest(node.foot), of_way = line.closest(node.through);
      const double away = norm(node.foot - of_foot), way = norm(node.through - of_way);
      const double room = room_towards(field, node.foot, of_foot);
      if (away < math::min(node.depth + most, room) && is_free(of_foot)) {
        const double limit = math::max(away - field.depth_at(of_foot), 0.0) / (1 - away / room);
        node.depth = math::min(node.depth, limit);
        const double far = math::min(away / math::min(most, room), 1.0), facing = field.facing(node.x, node.normal);
        node.factor = math::min(node.factor, far + (1 - far) * facing);
      }
      if (way < node.depth && is_free(of_way)) { node.depth = way; }
    }
  }

  /// [m] Distance from the point `from`, in the direction of the point `to`, to the surface of a ball about the grain.
  /// The ball is so small that the row has all surfaces that is_seam() needs for a point in it. 0 if `from` is not
  /// inside.
  template <class Field>
  SCREE_HD double room_towards(const GrainField<R, Field>& field, const Vec3d& from, const Vec3d& to) const {
    const double radius = field.reach - 2 * gap_at(norm(field.centre) + field.reach, field.reach);
    const Vec3d at = from - field.centre, way = to - from;
    const double inside = radius * radius - dot(at, at), length = norm(way);
    if (!(radius > 0) || !(inside > 0)) { return 0; }
    if (!(length > 0)) { return radius; }
    const double along = dot(at, way) / length;
    return math::sqrt(along * along + inside) - along;
  }

  /// Whether the path from `centre` to x stays at least `margin` [m] away from the rims of a shell.
  SCREE_HD bool is_amid(offset_t slot, const Vec3d& centre, const Vec3d& x, double margin) const {
    const Surface shell = placed_surface(of.boundaries, of.feature_at(slot));
    const auto is_inner = [&](const Vec3d& place) {
      const double along = dot(place - shell.point, shell.axis);
      return along >= margin && along <= shell.length - margin;
    };
    return is_inner(centre) && is_inner(x);
  }

  /// Whether facet `other` has the edge `number` of facet `own`, or has the end of this edge that is at x.
  SCREE_HD bool share(const Feature& own, const Feature& other, std::uint32_t number, const Vec3d& x,
                      double gap) const {
    const std::uint32_t edge = number >> EdgeLine::shift & 3u;
    const index_t from = own.corner(edge), to = own.corner(edge + 1);
    const auto has = [&](index_t v) { return other.a == v || other.b == v || other.c == v; };
    const auto is_at = [&](index_t v) { return norm(of.boundaries.vertex[v] - x) <= gap; };
    return (has(from) && has(to)) || (has(from) && is_at(from)) || (has(to) && is_at(to));
  }
};

}  // namespace scree::inline SCREE_BACKEND
