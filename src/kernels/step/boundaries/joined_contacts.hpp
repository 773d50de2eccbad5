#pragma once

#include "kernels/math/cube_root.hpp"
#include "kernels/shapes/closest.hpp"
#include "kernels/state/boundaries.hpp"

namespace scree::inline SCREE_BACKEND {

/// Two facets continue each other if the surface turns by at most this angle at the seam between them: cos 26 degrees.
/// At a larger angle a sphere has a contact on each facet. The second contact then begins without a jump of the force,
/// as long as overlaps are below a tenth of the radius.
inline constexpr double cosine_of_seam = 0.9;
inline constexpr double least_weight = 1e-9;  ///< [-] weight of a joined contact whose force vanishes

/// Joins the contacts of a sphere on facets that continue each other, like those of a curved surface, into one contact.
///
/// The part of the surface inside a ball of radius t about the centre consists of separate pieces. As t grows, a facet
/// adds a piece at its distance d_f. A seam removes one at its distance d_e, unless the facets are connected already.
/// So the seams that count are those of the maximum spanning tree of the facets, by overlap. The overlaps u = r - d of
/// these facets and seams give the joined overlap,
///   u^p = sum over facets u_f^p - sum over seams of the tree u_e^p,
/// where p is the power of the overlap in the energy of the law: 2 for linear springs and 5/2 for Hertz. If the
/// distance has a single minimum, u is the overlap with the closest facet. With finer facets u tends to the overlap
/// with the smooth surface. If all seams are out of reach, the forces of the facets add up. The force is the force of
/// the law at u times the gradient of u: it has a potential and does not jump (see docs/theory.md).
///
/// Works on the slots of one row that are marked as near (link_near). It overwrites their `force`.
template <class R>
class ContactJoin {
 public:
  SCREE_HD ContactJoin(const BoundaryView& boundaries, Span<BoundarySlot<R>> slots, offset_t begin, offset_t end,
                       const Vec3d& x, double radius)
      : boundaries_(boundaries), slots_(slots), begin_(begin), end_(end), x_(x), radius_(radius) {}

  /// Joins accepted contacts that belong together into the deepest of them. The slot of this contact gets the `point`
  /// and `weight` of the joined contact; the other slots are no longer accepted. is_hertzian(slot) chooses p.
  /// move_history(from, to) is called if the joined contact had another slot in the last step.
  template <class IsHertzian, class MoveHistory>
  SCREE_HD void operator()(IsHertzian&& is_hertzian, MoveHistory&& move_history) {
    for (;;) {
      offset_t root = end_;
      waiting_ = 0;
      for (offset_t k = begin_; k < end_; ++k) {
        if (slots_[k].accepted != 1 || slots_[k].link == link_none || slots_[k].link == link_done) { continue; }
        ++waiting_;
        if (root == end_ || overlap_at(slots_[k].point) > overlap_at(slots_[root].point)) { root = k; }
      }
      if (waiting_ < 2) { return; }  // a single one is left
      grow(root, is_hertzian(root), move_history);
    }
  }

 private:
  /// The sums over facets and seams. Overlaps are divided by `scale`, the overlap of the deepest contact.
  struct Sum {
    double scale;
    bool hertzian;
    double energy = 0;
    Vec3d gradient{0, 0, 0};

    SCREE_HD void add(double sign, double overlap, const Vec3d& away) {
      if (!(overlap > 0)) { return; }
      const double u = overlap / scale, slope = hertzian ? u * math::sqrt(u) : u;
      energy += sign * (u * slope);
      gradient += (sign * slope / norm(away)) * away;
    }
  };

  SCREE_HD double overlap_at(const Vec3d& point) const { return radius_ - norm(x_ - point); }

  /// Builds the tree of the facets that are connected with the deepest one, by Prim's algorithm: the facet with the
  /// deepest seam comes next.
  template <class MoveHistory>
  SCREE_HD void grow(offset_t root, bool hertzian, MoveHistory&& move_history) {
    Sum sum{overlap_at(slots_[root].point), hertzian};
    sum.add(1, sum.scale, x_ - slots_[root].point);
    offset_t history = slots_[root].touching != 0 ? root : end_;
    bool joined = false;
    slots_[root].link = link_done;
    --waiting_;
    for (offset_t added = root; waiting_ > 0;) {
      reach_from(added);
      added = nearest();
      if (added == end_) { break; }
      BoundarySlot<R>& slot = slots_[added];
      const Vec3d seam = bridge_point(added);
      const offset_t from = slot_of(slot.link);
      slot.link = link_done;
      if (slot.accepted == 1) {
        sum.add(1, overlap_at(slot.point), x_ - slot.point);
        sum.add(-1, overlap_at(seam), x_ - seam);
        slot.accepted = 0;
        joined = true;
        --waiting_;
        if (history == end_ && slot.touching != 0) { history = added; }
      } else {
        pass_through(added, from, seam, sum);
      }
    }
    if (!joined) { return; }
    if (history != end_ && history != root) { move_history(history, root); }
    conclude(root, sum);
  }

  /// Adds a facet that has no contact of its own. If one of its other seams is deeper than the seam over which the tree
  /// came, the surface comes nearer on the far side of that seam: the facet then counts with the overlap of that seam.
  SCREE_HD void pass_through(offset_t k, offset_t from, const Vec3d& seam, Sum& sum) const {
    const double entered = overlap_at(seam);
    double deepest = entered;
    Vec3d way_on = seam;
    for (offset_t other = begin_; other < end_; ++other) {
      if (other == k || other == from || slots_[other].link == link_none) { continue; }
      std::uint32_t code = 0;
      Vec3d point;
      if (bridge(other, k, code, point) && overlap_at(point) > deepest) {
        deepest = overlap_at(point);
        way_on = point;
      }
    }
    if (deepest == entered) { return; }
    sum.add(1, deepest, x_ - way_on);
    sum.add(-1, entered, x_ - seam);
  }

  /// Updates each slot outside of the tree: if slot `from` leads to it over a deeper seam than before, the slot stores
  /// this link.
  SCREE_HD void reach_from(offset_t from) {
    for (offset_t k = begin_; k < end_; ++k) {
      BoundarySlot<R>& slot = slots_[k];
      if (slot.link == link_none || slot.link == link_done) { continue; }
      std::uint32_t code = 0;
      Vec3d point;
      if (!bridge(from, k, code, point)) { continue; }
      const R level = static_cast<R>(overlap_at(point));
      if (slot.link == link_near || level > slot.force.x) {
        slot.link = link_first + (static_cast<std::uint32_t>(from - begin_) << 2 | code);
        slot.force.x = level;
      }
    }
  }

  /// The slot outside of the tree that the deepest seam leads to, or end_ if no seam does.
  SCREE_HD offset_t nearest() const {
    offset_t best = end_;
    for (offset_t k = begin_; k < end_; ++k) {
      if (slots_[k].link >= link_first && (best == end_ || slots_[k].force.x > slots_[best].force.x)) { best = k; }
    }
    return best;
  }

  /// The slot in the tree at which a link starts.
  SCREE_HD offset_t slot_of(std::uint32_t link) const { return begin_ + ((link - link_first) >> 2); }

  /// Computes the closest point of the seam over which the link leads to slot k.
  SCREE_HD Vec3d bridge_point(offset_t k) const {
    const std::uint32_t link = slots_[k].link, edge = (link - link_first) & 3;
    const Feature f = feature(slot_of(link));
    if (edge < 3) { return closest_on_edge(f, edge); }
    Vec3d point;
    static_cast<void>(joint_between(slot_of(link), k, point));
    return point;
  }

  /// Whether the surface continues from one slot to another. If so, `point` is the closest point of the seam, and
  /// `code` is the edge of the first facet, or 3 for a joint.
  SCREE_HD bool bridge(offset_t from, offset_t to, std::uint32_t& code, Vec3d& point) const {
    const Feature f = feature(from), g = feature(to);
    const bool same = f.boundary == g.boundary;
    for (code = 0; same && f.kind == FeatureKind::facet && code < 3; ++code) {
      const std::uint32_t a = f.corner(code), b = f.corner(code + 1);
      const bool has_a = a == g.a || a == g.b || a == g.c, has_b = b == g.a || b == g.b || b == g.c;
      if (!has_a || !has_b) { continue; }
      const std::uint32_t beyond = g.a != a && g.a != b ? g.a : g.b != a && g.b != b ? g.b : g.c;
      if (!goes_on(a, b, f.corner(code + 2), beyond)) { return false; }
      point = closest_on_edge(f, code);
      return true;
    }
    code = 3;
    return (!same || boundaries_.info[f.boundary].joins_itself != 0) && joint_between(from, to, point);
  }

  /// Whether the facets abp and abq continue each other at their edge ab (see cosine_of_seam).
  SCREE_HD bool goes_on(std::uint32_t a, std::uint32_t b, std::uint32_t p, std::uint32_t q) const {
    const Vec3d origin = boundaries_.vertex[a], along = boundaries_.vertex[b] - origin;
    const auto inward = [&](std::uint32_t vertex) {
      const Vec3d v = boundaries_.vertex[vertex] - origin;
      return v - (dot(v, along) / dot(along, along)) * along;
    };
    const Vec3d u = inward(p), v = inward(q);
    const double cosine = dot(u, v);
    return cosine < 0 && cosine * cosine >= cosine_of_seam * cosine_of_seam * dot(u, u) * dot(v, v);
  }

  SCREE_HD Vec3d closest_on_edge(const Feature& f, std::uint32_t edge) const {
    return closest_on_segment(x_, boundaries_.vertex[f.corner(edge)], boundaries_.vertex[f.corner(edge + 1)]);
  }

  /// Whether two slots have a joint. If so, `point` is the closest point of all their joints.
  SCREE_HD bool joint_between(offset_t from, offset_t to, Vec3d& point) const {
    if (boundaries_.joint_start.size == 0) { return false; }
    // A plane may have thousands of joints, but a facet has few, so this searches the joints of the facet.
    const bool is_plane = feature(from).kind == FeatureKind::plane;
    const std::uint32_t f = slots_[is_plane ? to : from].feature, g = slots_[is_plane ? from : to].feature;
    const Pose& pose = boundaries_.pose[boundaries_.feature[f].boundary];
    bool any = false;
    for (std::uint32_t k = boundaries_.joint_start[f]; k < boundaries_.joint_start[f + 1]; ++k) {
      const Joint& joint = boundaries_.joint[k];
      if (joint.other != g) { continue; }
      const Vec3d here = closest_on_segment(x_, pose.place(joint.from), pose.place(joint.to));
      if (!any || overlap_at(here) > overlap_at(point)) { point = here; }
      any = true;
    }
    return any;
  }

  /// Stores the joined contact in the slot of the deepest contact: a weight, and a point at the distance that gives the
  /// joined overlap.
  SCREE_HD void conclude(offset_t root, const Sum& sum) {
    double overlap = sum.scale, slope = 1;
    if (sum.hertzian) {
      const double fifth = math::fifth_root(sum.energy);
      overlap *= fifth * fifth;
      slope = fifth * fifth * fifth;
    } else {
      const double root_of_energy = math::sqrt(sum.energy);
      overlap *= root_of_energy;
      slope = root_of_energy;
    }
    const double length = norm(sum.gradient);
    BoundarySlot<R>& slot = slots_[root];
    // A sphere that is pressed from all sides feels no force, and has no direction of the normal.
    if (!(length > least_weight)) {
      slot.weight = static_cast<float>(least_weight);
      return;
    }
    slot.weight = static_cast<float>(length / slope);
    slot.point = x_ - ((radius_ - overlap) / length) * sum.gradient;
  }

  SCREE_HD Feature feature(offset_t k) const { return boundaries_.feature[slots_[k].feature]; }

  const BoundaryView& boundaries_;
  Span<BoundarySlot<R>> slots_;
  offset_t begin_, end_;
  Vec3d x_;
  double radius_;
  std::size_t waiting_ = 0;  ///< accepted contacts that are not in a tree yet
};

}  // namespace scree::inline SCREE_BACKEND
