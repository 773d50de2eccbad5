#pragma once

#include "kernels/math/cube_root.hpp"
#include "kernels/shapes/closest.hpp"
#include "kernels/state/boundaries.hpp"

namespace scree::inline SCREE_BACKEND {

/// Facets go on in each other where they meet at a seam of at most this angle: cos 26 degrees. At sharper ones a sphere
/// has contacts of their own on both; the second begins without a jump there as long as overlaps are below a tenth of
/// the radius.
inline constexpr double cosine_of_seam = 0.9;
inline constexpr double least_weight = 1e-9;

/// Makes one contact of those that a sphere has on facets which continue each other, like those of a curved surface.
///
/// The part of the surface in the ball of radius t about the centre consists of pieces, and more of them with growing
/// t: a facet adds one at its distance d_f, a seam takes one away at its distance d_e, unless the facets are already
/// connected. So the seams that count are those of the maximum spanning tree of the facets by overlap, and the overlaps
/// u = r - d make one,
///   u^p = sum over facets u_f^p - sum over seams of the tree u_e^p,
/// with p of the law's energy, 2 for linear springs and 5/2 for Hertz. It is that of the closest facet alone wherever
/// the distance has one minimum, tends to that of a smooth surface, and gives the sum of both forces where a seam is
/// out of reach. The force is that of u times its gradient: it has a potential and does not jump (see docs/theory.md).
///
/// Works on the slots of one row that are marked as near; their `force` is scratch.
template <class R>
class ContactJoin {
 public:
  SCREE_HD ContactJoin(const BoundaryView& boundaries, Span<BoundarySlot<R>> slots, offset_t begin, offset_t end,
                       const Vec3d& x, double radius)
      : boundaries_(boundaries), slots_(slots), begin_(begin), end_(end), x_(x), radius_(radius) {}

  /// Joins all accepted contacts that belong together into the deepest of them: its `point` and `weight` are those of
  /// the sum, and the others are accepted no more. is_hertzian(slot) says which law; move_history(from, to) is called
  /// where a contact of the last step stood in another slot.
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
      if (waiting_ < 2) { return; }  // the last one stands alone
      grow(root, is_hertzian(root), move_history);
    }
  }

 private:
  /// The sums over facets and seams, in overlaps over that of the deepest.
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

  /// Prim's algorithm: the facets that are connected with the deepest, in the order of the overlaps of their seams.
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

  /// A facet without a contact of its own leads to where the surface comes nearer, over the deepest of its seams.
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

  /// Notes for all that are not in the tree whether slot `from` has the deepest seam that leads there.
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

  SCREE_HD offset_t nearest() const {
    offset_t best = end_;
    for (offset_t k = begin_; k < end_; ++k) {
      if (slots_[k].link >= link_first && (best == end_ || slots_[k].force.x > slots_[best].force.x)) { best = k; }
    }
    return best;
  }

  SCREE_HD offset_t slot_of(std::uint32_t link) const { return begin_ + ((link - link_first) >> 2); }

  /// The closest point of the seam that the link of slot k stands for, found again.
  SCREE_HD Vec3d bridge_point(offset_t k) const {
    const std::uint32_t link = slots_[k].link, edge = (link - link_first) & 3;
    const Feature f = feature(slot_of(link));
    if (edge < 3) { return closest_on_edge(f, edge); }
    Vec3d point;
    static_cast<void>(joint_between(slot_of(link), k, point));
    return point;
  }

  /// Whether the surface goes on from one slot to another, and the closest point of the seam; `code` is the edge of the
  /// first, or 3 for a joint of two boundaries.
  SCREE_HD bool bridge(offset_t from, offset_t to, std::uint32_t& code, Vec3d& point) const {
    const Feature f = feature(from), g = feature(to);
    if (f.boundary != g.boundary) {
      code = 3;
      return joint_between(from, to, point);
    }
    if (f.kind != FeatureKind::facet || g.kind != FeatureKind::facet) { return false; }
    const std::uint32_t corner[3] = {f.a, f.b, f.c};
    for (code = 0; code < 3; ++code) {
      const std::uint32_t a = corner[code], b = corner[(code + 1) % 3];
      const bool has_a = a == g.a || a == g.b || a == g.c, has_b = b == g.a || b == g.b || b == g.c;
      if (!has_a || !has_b) { continue; }
      const std::uint32_t beyond = g.a != a && g.a != b ? g.a : g.b != a && g.b != b ? g.b : g.c;
      if (!goes_on(a, b, corner[(code + 2) % 3], beyond)) { return false; }
      point = closest_on_edge(f, code);
      return true;
    }
    return false;
  }

  /// Whether two facets with the edge ab, to the vertices p and q, make a seam and not a corner.
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
    const std::uint32_t corner[3] = {f.a, f.b, f.c};
    return closest_on_segment(x_, boundaries_.vertex[corner[edge]], boundaries_.vertex[corner[(edge + 1) % 3]]);
  }

  SCREE_HD bool joint_between(offset_t from, offset_t to, Vec3d& point) const {
    if (boundaries_.joint_start.size == 0) { return false; }
    // A plane may have thousands, a facet has few.
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

  /// Puts the sum into the slot of the deepest contact, as a point that is as far away as the overlap says.
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
    if (!(length > least_weight)) {  // pressed from all sides: no force, whatever the direction
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
  std::size_t waiting_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
