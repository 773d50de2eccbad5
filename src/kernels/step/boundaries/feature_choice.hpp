#pragma once

#include "kernels/shapes/closest.hpp"
#include "kernels/step/boundaries/boundary_views.hpp"

namespace scree::inline SCREE_BACKEND {

/// Stands for slots about which nothing is known beforehand: neither whether sphere and feature may overlap, nor the
/// closest point. On the host NearSlots finds out both.
struct AnySlot {
  SCREE_INLINE bool may_overlap(offset_t) const { return true; }
  /// The point of the feature of slot k closest to x. `plain`: see BoundaryContacts.
  template <bool plain>
  SCREE_HD static ClosestPoint closest(const BoundaryView& boundaries, offset_t, const Feature& feature,
                                       const Vec3d& x) {
    return plain ? closest_on_surface(boundaries, feature, x) : closest_point(boundaries, feature, x);
  }
};

/// Whether two facets of a mesh have a vertex in common.
SCREE_INLINE bool share_vertex(const Feature& p, const Feature& q) {
  const auto has = [&q](std::uint32_t vertex) { return vertex == q.a || vertex == q.b || vertex == q.c; };
  return has(p.a) || has(p.b) || has(p.c);
}

/// Whether a contact can move from one feature to the other without ending.
SCREE_HD inline bool are_neighbours(const BoundaryView& boundaries, const Feature& p, const Feature& q) {
  if (p.boundary != q.boundary) {
    const std::uint32_t joined = boundaries.info[p.boundary].joined;
    return joined != 0 && joined == boundaries.info[q.boundary].joined;
  }
  return p.kind == FeatureKind::facet && share_vertex(p, q);
}

/// What a slot is in this step.
enum class Choice : std::uint32_t {
  none,
  contact,
  heir  ///< a contact only if it continues one that ends on a neighbouring feature
};

/// Chooses the contacts of one sphere among the slots of its row.
///
/// A sphere touches a mesh at every local minimum of its distance to the surface, and each minimum counts once. A
/// closest point on an edge or a vertex counts only if no other facet there is closer. Points that coincide count for
/// the lowest facet. A contact of a law that holds bodies apart (see holds_apart) counts as long as it lasts, and moves
/// over the seams of a mesh although the sphere does not touch.
/// `plain`: see BoundaryContacts.
template <class R, bool plain>
class FeatureChoice {
 public:
  SCREE_HD FeatureChoice(const BoundaryContactViews<R>& of, offset_t begin, offset_t end, index_t body, const Vec3d& x,
                         double radius)
      : of_(of), begin_(begin), end_(end), body_(body), x_(x), radius_(radius) {}

  /// Decides what slot k is. The slots before it must be decided already. Also stores the closest point of the slot,
  /// and whether the slot may be joined with others (link_near). `near` tells what is known about slots beforehand, see
  /// AnySlot.
  template <class Near>
  SCREE_HD Choice of(offset_t k, const Near& near) const {
    if (!near.may_overlap(k) && !holds(k) && !may_inherit(k)) { return Choice::none; }
    const Feature feature = of_.feature_at(k);
    const ClosestPoint closest = near.template closest<plain>(of_.boundaries, k, feature, x_);
    const bool overlaps = closest.square_distance < radius_ * radius_;
    if (!overlaps && !holds(k) && !may_inherit(k)) { return Choice::none; }
    of_.slots[k].point = closest.point;
    if constexpr (!plain) {
      if (of_.boundaries.info[feature.boundary].joined != 0 && is_hidden(k, feature, closest.point)) {
        return Choice::none;
      }
      if (overlaps && may_join(k, feature)) { of_.slots[k].link = link_near; }
    }
    if (!counts(k, feature, closest)) { return Choice::none; }
    return plain || overlaps || holds(k) ? Choice::contact : Choice::heir;
  }

 private:
  /// Whether the law keeps the contact although sphere and feature may be apart.
  SCREE_HD bool holds(offset_t k) const {
    return of_.classes.bits.holds_apart != 0 && of_.slots[k].touching != 0 &&
           of_.classes.holds_apart(of_.classes_at(k, body_)) && of_.extra[k * of_.n_extra] != R(0);
  }

  /// Whether slot k may continue a contact of a neighbouring feature that lasts although the sphere does not touch.
  SCREE_HD bool may_inherit(offset_t k) const {
    if constexpr (!plain) {
      if (of_.classes.bits.holds_apart == 0 || of_.slots[k].touching != 0) { return false; }
      for (offset_t other = begin_; other < end_; ++other) {
        if (holds(other) && are_neighbours(of_.boundaries, of_.feature_at(k), of_.feature_at(other))) { return true; }
      }
    }
    return false;
  }

  /// Whether the closest point of slot k is a local minimum of the distance that no other slot represents.
  SCREE_HD bool counts(offset_t k, const Feature& feature, const ClosestPoint& closest) const {
    if (feature.is_far_side()) { return far_side_counts(x_, placed_surface(of_.boundaries, feature)); }
    if (plain || feature.kind != FeatureKind::facet) { return true; }
    if (closest.region != TriangleRegion::face && facet_is_closer(of_.slots[k].feature, feature, closest)) {
      return false;
    }
    for (offset_t other = begin_; other < k; ++other) {
      if (of_.slots[other].accepted == 0 || of_.feature_at(other).boundary != feature.boundary) { continue; }
      const Vec3d apart = of_.slots[other].point - closest.point;
      if (dot(apart, apart) < 1e-12 * radius_ * radius_) { return false; }
    }
    return true;
  }

  /// Whether slot k can be part of a joined contact: it is a facet, or a feature with joints.
  SCREE_HD bool may_join(offset_t k, const Feature& feature) const {
    if (feature.kind == FeatureKind::facet) { return true; }
    const Span<std::uint32_t>& start = of_.boundaries.joint_start;
    return start.size > 0 && start[of_.slots[k].feature] < start[of_.slots[k].feature + 1];
  }

  /// Whether a facet of another boundary, which forms one surface with this one, lies between the centre and the
  /// closest point, like a ramp between a sphere and the plane that the ramp stands on. If the point lies on both
  /// boundaries, the feature with the higher index counts. In a mesh that is joined with itself the same holds for
  /// facets without a common vertex.
  SCREE_HD bool is_hidden(offset_t k, const Feature& feature, const Vec3d& point) const {
    constexpr double hair = 1e-6;  // of the way, and of the radius: what is nearer than this counts as the same place
    const BoundaryView& all = of_.boundaries;
    for (offset_t other = begin_; other < end_; ++other) {
      const Feature f = of_.feature_at(other);
      if (f.kind != FeatureKind::facet) { continue; }
      if (f.boundary == feature.boundary && (all.info[f.boundary].joins_itself == 0 || share_vertex(f, feature))) {
        continue;
      }
      if (all.info[f.boundary].joined != all.info[feature.boundary].joined) { continue; }
      const Vec3d a = all.vertex[f.a], b = all.vertex[f.b], c = all.vertex[f.c];
      const Vec3d normal = cross(b - a, c - a), way = point - x_;
      const double height = dot(normal, a - x_), along = dot(normal, way);
      const double share = along != 0 ? height / along : 2;
      if (!(share > 0 && share < (other > k ? 1 + hair : 1 - hair))) { continue; }
      const Vec3d hit = x_ + share * way, off = hit - closest_on_triangle(hit, a, b, c).point;
      if (dot(off, off) < hair * hair * radius_ * radius_) { return true; }
    }
    return false;
  }

  /// Whether another facet at the same edge or vertex has a point closer to the centre. Facets at equal distances are
  /// not closer: counts() removes them as duplicates.
  SCREE_HD bool facet_is_closer(std::uint32_t facet, const Feature& f, const ClosestPoint& closest) const {
    const BoundaryView& all = of_.boundaries;
    const Vec3d away = x_ - closest.point;
    const double tolerance = 1e-9 * radius_;
    const auto region = static_cast<std::uint32_t>(closest.region);
    if (closest.region >= TriangleRegion::vertex_a) {
      const std::uint32_t vertex = f.corner(region - static_cast<std::uint32_t>(TriangleRegion::vertex_a));
      for (std::uint32_t k = all.ring_start[vertex]; k < all.ring_start[vertex + 1]; ++k) {
        const Vec3d along = all.vertex[all.ring[k]] - all.vertex[vertex];
        if (dot(away, along) > tolerance * norm(along)) { return true; }
      }
      return false;
    }
    const std::uint32_t edge = region - static_cast<std::uint32_t>(TriangleRegion::edge_ab);
    const Vec3d a = all.vertex[f.corner(edge)];
    const Vec3d along = all.vertex[f.corner(edge + 1)] - a;
    const std::uint32_t e = 3 * (facet - all.first_facet) + edge;
    for (std::uint32_t k = all.edge_start[e]; k < all.edge_start[e + 1]; ++k) {
      const Vec3d opposite = all.vertex[all.edge_opposite[k]] - a;
      const Vec3d inward = opposite - (dot(opposite, along) / dot(along, along)) * along;
      if (dot(away, inward) > tolerance * norm(inward)) { return true; }
    }
    return false;
  }

  const BoundaryContactViews<R>& of_;
  offset_t begin_, end_;
  index_t body_;
  Vec3d x_;
  double radius_;
};

}  // namespace scree::inline SCREE_BACKEND
