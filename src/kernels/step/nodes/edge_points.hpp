#pragma once

#include "kernels/shapes/closest.hpp"
#include "kernels/step/nodes/node_geometry.hpp"

/// Level-set grains touch the sharp edges of boundaries at points on these edges. The nodes of a grain find the surface
/// of a boundary, but an edge can enter the grain between two nodes. So each edge has points of its own, which are
/// looked up in the field of the grain.
///
/// These points lie as close together as the nodes of the grain. Each of them stands for the area of a node times the
/// width of the edge (MeshAdjacency::edge_width): a free edge acts like one row of nodes, and the seams of a flat or
/// smooth surface add nothing to the forces on the nodes. The points are fixed to the boundary, so their springs store
/// energy as those of nodes do.
namespace scree::inline SCREE_BACKEND {

/// An edge of a facet, or a rim of a cylinder or cone, with its points.
struct EdgeLine {
  Vec3d from;           ///< [m] the first end, or the centre of the rim
  Vec3d along;          ///< [m] to the other end
  Vec3d first, second;  ///< [m] rim: radii at angles 0 and pi/2
  bool is_rim;
  double width;  ///< [-] see MeshAdjacency::edge_width; 1 for a rim
  std::uint32_t points;
  double step;   ///< [m] between points
  double share;  ///< [-] the part of a node that a point stands for; a point at an end stands for half of it

  static constexpr std::uint32_t shift = 28;  ///< NodeRow::node has the number of the edge in the bits from this one on

  /// The number of a point in NodeRow.
  SCREE_INLINE static std::uint32_t number(std::uint32_t edge, std::uint32_t point) {
    return node_on_edge | edge << shift | point;
  }

  /// Finds edge `edge` of a feature. Returns false if the edge has no points. Neighbouring points are at most `spacing`
  /// [m] apart.
  SCREE_HD static bool find(const BoundaryView& boundaries, std::uint32_t feature, std::uint32_t edge, double spacing,
                            EdgeLine& line) {
    const Feature& of = boundaries.feature[feature];
    if (of.kind == FeatureKind::facet) {
      const double width = double(boundaries.edge_width[3 * (feature - boundaries.first_facet) + edge]);
      if (!(width > 0)) { return false; }
      line.from = boundaries.vertex[of.corner(edge)];
      line.along = boundaries.vertex[of.corner(edge + 1)] - line.from;
      line.set_points(false, norm(line.along), width, spacing);
      return true;
    }
    if ((of.kind != FeatureKind::cylinder && of.kind != FeatureKind::cone) || of.is_far_side() || edge > 1) {
      return false;
    }
    const Surface& shell = boundaries.surface[of.a];
    const double radius = of.kind == FeatureKind::cone && edge == 1 ? shell.second_radius : shell.radius;
    if (!(radius > 0)) { return false; }
    const Pose& pose = boundaries.pose[of.boundary];
    const Vec3d least = math::abs(shell.axis.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d across = cross(shell.axis, least);
    const Vec3d unit = (1 / norm(across)) * across;
    line.from = pose.place(edge == 0 ? shell.point : shell.point + shell.length * shell.axis);
    line.first = radius * pose.turn(unit);
    line.second = radius * pose.turn(cross(shell.axis, unit));
    line.set_points(true, two_pi * radius, 1, spacing);
    return true;
  }

  SCREE_HD Vec3d point(std::uint32_t k) const {
    if (!is_rim) { return from + (double(k) / double(points - 1)) * along; }
    const math::SineCosine at = math::sincos(two_pi * double(k) / double(points));
    return from + at.cosine * first + at.sine * second;
  }
  SCREE_INLINE bool is_end(std::uint32_t k) const { return !is_rim && (k == 0 || k + 1 == points); }
  SCREE_INLINE double share_of(std::uint32_t k) const { return is_end(k) ? 0.5 * share : share; }

  /// The point of the edge that is closest to x.
  SCREE_HD Vec3d closest(const Vec3d& x) const {
    if (!is_rim) { return closest_on_segment(x, from, from + along); }
    const Vec3d away = x - from;
    const double u = dot(away, first), v = dot(away, second), length = math::sqrt(u * u + v * v);
    return length > 0 ? from + (u / length) * first + (v / length) * second : from + first;
  }
  SCREE_INLINE bool is_beyond(const Vec3d& x, double reach) const {
    const Vec3d away = x - closest(x);
    return dot(away, away) > reach * reach;
  }

 private:
  static constexpr double two_pi = 6.283185307179586477;

  SCREE_HD void set_points(bool rim, double length, double sharpness, double spacing) {
    constexpr double most = double((std::uint32_t(1) << shift) - 2);
    const double least = rim ? 3 : 1;
    const double parts = math::max(least, math::min(-math::floor(-length / spacing), most));
    is_rim = rim;
    width = sharpness;
    points = static_cast<std::uint32_t>(parts) + (rim ? 0 : 1);
    step = length / parts;
    share = sharpness * step / spacing;
  }
};

/// [m] The largest distance between points of edges for a grain.
template <class R>
SCREE_INLINE double edge_spacing(const NodeBody<R>& grain) {
  return grain.size * grain.form->node_spacing;
}

/// Where a grain touches a feature of a boundary: at nodes, or at points of its edges.
template <class R>
struct FeaturePoints {
  const GrainViews<R>& grains;
  const NodeBody<R>& grain;
  Vec3d centre;
  const BoundaryView& boundaries;
  std::uint32_t feature;

  /// [m] From the centre of the grain to the contact point, which lies in the middle of the overlap.
  SCREE_HD Vec3<R> arm_of(const NodeRow<R>& row) const {
    const Vec3<R> half = (R(0.5) * row.overlap) * row.normal;
    if ((row.node & node_on_edge) == 0) { return convert<R>(grain.arm_of(grains, row.node)) + half; }
    return convert<R>(line_of(row.node).point(point_of(row.node)) - centre) - half;
  }

  /// [-] Weight in the law of two spheres of the radius of the grain: see NodePasses::weight_of_area.
  SCREE_HD R weight_of(std::uint32_t node, bool by_area) const {
    R area, share = R(1);
    if ((node & node_on_edge) == 0) {
      if (!by_area) { return share; }
      area = grain.area_of(grains.node[grain.form->first_node + node]);
    } else {
      const double spacing = edge_spacing(grain);
      share = static_cast<R>(line_of(node).share_of(point_of(node)));
      area = share * static_cast<R>(spacing * spacing);
    }
    return by_area ? area / (R(3.14159265358979323846) * grain.radius * grain.radius) : share;
  }

 private:
  SCREE_INLINE static std::uint32_t point_of(std::uint32_t node) {
    return node & ((std::uint32_t(1) << EdgeLine::shift) - 1);
  }
  SCREE_HD EdgeLine line_of(std::uint32_t node) const {
    EdgeLine line{};
    EdgeLine::find(boundaries, feature, node >> EdgeLine::shift & 3u, edge_spacing(grain), line);
    return line;
  }
};

/// Looks up points of boundaries in the field of a grain, and finds the edge points that are inside the grain.
template <class R, class Field>
struct GrainField {
  const BoundaryView& boundaries;
  const GrainViews<R>& grains;
  const NodeBody<R>& grain;
  Vec3d centre;
  double reach;  ///< [m] no part of the grain is farther from its centre

  /// [m] The depth of a point below the surface of the grain; 0 outside.
  SCREE_HD double depth_at(const Vec3d& x) const {
    const Vec3d arm = x - centre;
    if (dot(arm, arm) > reach * reach) { return 0; }
    DisplacementCell<R> cell(grains.modes, *grain.form, grain.amplitude, 1 / grain.size);
    FieldSample<R> at{};
    return sample(place_of(arm), cell, at) ? -double(at.distance) : 0;
  }

  /// [-] How much the surface of the grain at x faces against a direction: the cosine of the angle, at least 0. x must
  /// lie on the surface or near it.
  SCREE_HD double facing(const Vec3d& x, const Vec3d& direction) const {
    DisplacementCell<R> cell(grains.modes, *grain.form, grain.amplitude, 1 / grain.size);
    FieldSample<R> at{};
    sample_any(place_of(x - centre), cell, at);
    const Vec3d outwards = grain.turn * convert<double>(at.gradient);
    return math::max(-dot(outwards, direction) / math::max(norm(outwards), 1e-30), 0.0);
  }

  /// Calls touch(number, arm, sample) for each edge point of a feature that is inside the grain, in ascending order.
  /// The arm [m] leads from the centre to the point. The sample has the distance [m] in the world.
  template <class Touch>
  SCREE_HD void visit_edges(std::uint32_t feature, Touch&& touch) const {
    for (std::uint32_t edge = 0; edge < 3; ++edge) {
      EdgeLine line{};
      if (!EdgeLine::find(boundaries, feature, edge, edge_spacing(grain), line)) { continue; }
      if (line.is_beyond(centre, reach) || faces_inwards(feature, edge)) { continue; }
      visit_line(line, edge, touch);
    }
  }

 private:
  /// Whether the centre of the grain lies in the wedge between two facets at an edge. Then the nodes of the grain touch
  /// the two facets, and the edge needs no points.
  SCREE_HD bool faces_inwards(std::uint32_t feature, std::uint32_t edge) const {
    const Feature& of = boundaries.feature[feature];
    if (of.kind != FeatureKind::facet) { return false; }
    const Vec3d a = boundaries.vertex[of.corner(edge)], along = boundaries.vertex[of.corner(edge + 1)] - a;
    const Vec3d own = boundaries.vertex[of.corner(edge + 2)] - a, to_centre = centre - a;
    const std::uint32_t side = 3 * (feature - boundaries.first_facet) + edge;
    for (std::uint32_t k = boundaries.edge_start[side]; k < boundaries.edge_start[side + 1]; ++k) {
      const Vec3d other = boundaries.vertex[boundaries.edge_opposite[k]] - a;
      const Vec3d of_own = cross(along, own), of_other = cross(along, other);
      if ((dot(of_own, other) >= 0) == (dot(of_own, to_centre) >= 0) &&
          (dot(of_other, own) >= 0) == (dot(of_other, to_centre) >= 0)) {
        return true;
      }
    }
    return false;
  }

  /// Walks along the edge and skips the points that cannot be inside.
  template <class Touch>
  SCREE_HD void visit_line(const EdgeLine& line, std::uint32_t edge, Touch&& touch) const {
    const GrainForm<R>& form = *grain.form;
    DisplacementCell<R> cell(grains.modes, form, grain.amplitude, 1 / grain.size);
    const double slack = 1e-4 * form.spacing + double(place_error<R>) * double(form.reach);
    const R swollen = static_cast<R>(slack + 1.0001 * grain.swell / grain.size);
    for (std::uint32_t k = 0; k < line.points;) {
      const Vec3d arm = line.point(k) - centre;
      double clear = norm(arm) - reach;
      if (!(clear > 0)) {
        const Vec3d place = place_of(arm);
        clear = grain.size * double(grains.clearance(form, convert<R>(place), swollen));
        if (!(clear > 0)) {
          FieldSample<R> at{};
          if (sample(place, cell, at)) { touch(EdgeLine::number(edge, k), arm, at); }
        }
      }
      const double passed = math::min(math::max(clear, 0.0) / line.step, double(line.points));
      k += 1 + static_cast<std::uint32_t>(passed);
    }
  }

  SCREE_HD Vec3d place_of(const Vec3d& arm) const { return (1 / grain.size) * (transpose(grain.turn) * arm); }

  /// Looks up a place of the template in the field of the grain, and tells whether it is inside.
  SCREE_HD bool sample(const Vec3d& place, DisplacementCell<R>& cell, FieldSample<R>& at) const {
    const bool known = sample_any(place, cell, at);
    at.distance = static_cast<R>(grain.size) * at.distance;
    return known && at.distance < R(0);
  }
  SCREE_HD bool sample_any(const Vec3d& place, DisplacementCell<R>& cell, FieldSample<R>& at) const {
    if (!grain.deforms()) { return grains.sample(*grain.form, place, at); }
    return Field::sample(grains, *grain.form, grain.amplitude, 1 / grain.size, cell, place, at);
  }
};

}  // namespace scree::inline SCREE_BACKEND
