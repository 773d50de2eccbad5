#pragma once

#include "kernels/history/jaeger.hpp"

/// The upper end of a Jaeger contact in one record. Nearly all steps need only this part of the stack.
namespace scree::inline SCREE_BACKEND {

/// The two uppermost segments, the beginning of the second one, and the tangential force. A contact that has not begun
/// is all zero. The owner of a JaegerTop keeps the segments below it elsewhere; the third segment from above is the top
/// there.
template <class R>
struct JaegerTop {
  /// [m] signed ends of the first, second and third segment from above; 0 if there is no such segment
  double end1, end2, end3;
  Vec2<R> slope1, slope2;  ///< [-] as stored, see JaegerSegment::kept_slope
  Vec2<double> force;      ///< [N] over mu
};

/// The effect of a step of the record on the number of segments, and on the segments that are kept elsewhere.
enum class JaegerChange : std::uint32_t {
  same,        ///< the number of segments stays
  grows,       ///< one more: the old second segment, if there was one, goes to the segments kept elsewhere
  one,         ///< one segment is left and none is kept elsewhere: the contact slides as a whole, or has just begun
  goes_on,     ///< the first segment is popped, and the step needs more of the stack: the result is not valid
  by_options,  ///< the result is not valid because options may change it (only from functions that know options)
};

template <class R>
struct JaegerTopStep {
  JaegerTop<R> after;
  R normal;  ///< [N]
  JaegerChange change;
};

/// A step that needs only the record: elastic, or at most one segment is popped, or the whole contact slides. The bits
/// are those of jaeger_step without options. The half overlap zeta must be above 0. u1 is the displacement after the
/// step of the fibres at the end of the first segment. There are no jumps, so this can be the body of a vector loop. If
/// `whole` is false, segments above the record have been popped in this step, which is therefore known to slip.
template <class R>
SCREE_INLINE JaegerTopStep<R> jaeger_step_from(const JaegerTop<R>& top, const JaegerValues<R>& of, double zeta,
                                               const Vec2<double>& u1, bool whole) {
  const JaegerSegment<R> first{top.end1, top.slope1}, second{top.end2, top.slope2};
  const double end1 = first.end(), end2 = second.end(), end3 = math::abs(top.end3);
  const Vec2<double> slope1 = first.slope(), slope2 = second.slope();
  const double normal = of.normal_force(zeta), normal1 = of.normal_force(end1), normal2 = of.normal_force(end2);
  const double grown = zeta - end1, square = dot(u1, u1);
  const bool elastic = whole & (grown > 0.0) & (square <= grown * grown);

  // The slip zone begins in the first or in the second segment. A step without any change leaves both as they are.
  const Vec2<double> u2 = u1 + (end1 - end2) * slope1;
  const Vec2<double> u3 = u2 + (end2 - end3) * slope2;
  const bool rests = whole & (grown == 0.0) & (square == 0.0);
  const bool stays1 = jaeger_sticks(u2, zeta - end2) | rests;
  const bool stays2 = jaeger_sticks(u3, zeta - end3);

  const double signed_end = stays1 ? top.end1 : top.end2;
  const double end = stays1 ? end1 : end2, below = stays1 ? end2 : end3;
  const Vec2<double> slope = select(stays1, slope1, slope2), u_end = select(stays1, u1, u2);
  const double begin = zeta - jaeger_slip_width(u_end, slope, signed_end < 0.0, zeta - end);
  const double cut = math::max(math::min(math::min(begin, end), zeta), 0.0);
  const double normal_cut = of.normal_force(cut), normal_end = stays1 ? normal1 : normal2;
  const Vec2<double> u = u_end + (end - cut) * slope;
  const Vec2<double> without1 = top.force - jaeger_share(normal2, normal1, slope1);
  const Vec2<double> force = select(stays1, top.force, without1) - jaeger_share(normal_cut, normal_end, slope);
  const double length = norm(u);

  const bool slips = !elastic, passes1 = !stays1, passes2 = !stays2;
  const bool slides = slips & passes1 & (end2 == 0.0);
  const bool retraces = slips & ((zeta - cut <= jaeger_thinnest * zeta) | (length == 0.0));
  const bool starts = !retraces;
  const bool grows = elastic | (stays1 & starts);

  const double scale = 1.0 / math::max(elastic ? grown : length, 1e-300);
  const Vec2<R> newest = select(retraces, top.slope1, JaegerSegment<R>::stored(scale * select(elastic, u1, u)));
  const double retraced_end = top.end1 < 0.0 ? -zeta : zeta, pushed_end = elastic ? zeta : -zeta;
  const JaegerSegment<R> pushed{retraces ? retraced_end : pushed_end, newest};
  const double normal_slips = slides ? 0.0 : normal_cut;
  const Vec2<double> share = jaeger_share(elastic ? normal1 : normal_slips, normal, pushed.slope());

  JaegerTop<R> after;
  const Vec2<R> none{R(0), R(0)};
  after.end1 = pushed.signed_end;
  after.slope1 = newest;
  const double cut_end = signed_end < 0.0 ? -cut : cut;
  const double end2_of_slip = retraces ? top.end2 : cut_end;
  const double end2_of_growth = elastic ? top.end1 : end2_of_slip;
  const double end3_unless_one = grows ? top.end2 : top.end3;
  after.end2 = slides ? 0.0 : end2_of_growth;
  after.end3 = slides ? 0.0 : end3_unless_one;
  after.slope2 = select(slides, none, select(grows, top.slope1, top.slope2));
  after.force = select(slides, share, select(elastic, top.force, force) + share);

  const bool partial = !slides;
  const bool deeper = (passes1 & (passes2 | retraces)) | (begin <= below);
  const bool unknown = slips & ((slides & (length == 0.0)) | (partial & deeper));
  const bool one = slides | (elastic & (end1 == 0.0));
  const JaegerChange change = grows ? JaegerChange::grows : JaegerChange::same;
  const JaegerChange known = one ? JaegerChange::one : change;
  return {after, static_cast<R>(normal), unknown ? JaegerChange::goes_on : known};
}

template <class R>
SCREE_INLINE JaegerTopStep<R> jaeger_step_of_top(const JaegerTop<R>& top, const JaegerValues<R>& of, double zeta,
                                                 const Vec2<R>& movement) {
  return jaeger_step_from<R>(top, of, zeta, double(of.inverse_reach) * convert<double>(movement), true);
}

/// The result of `step` followed by jaeger_merge, with the same bits: the segment of an elastic step and the one below
/// it become one. `before` is the record before the step. If the merged segment could be merged with the next one
/// below, too, the change is by_options.
template <class R>
SCREE_INLINE JaegerTopStep<R> jaeger_merged_in_record(const JaegerTopStep<R>& step, const JaegerTop<R>& before,
                                                      const JaegerValues<R>& of) {
  const JaegerSegment<R> upper{step.after.end1, step.after.slope1}, lower{step.after.end2, step.after.slope2},
      third{before.end2, before.slope2};
  const double least = math::square(double(of.merging));
  const Vec2<double> apart = upper.slope() - lower.slope();
  // Conditions as numbers, one of each width: see MindlinReversal.
  const R grows = step.change == JaegerChange::grows ? R(1) : R(0);
  const R elastic1 = upper.signed_end > 0.0 ? R(1) : R(0), elastic2 = lower.signed_end > 0.0 ? R(1) : R(0);
  const R close = dot(apart, apart) < least ? R(1) : R(0);
  const R near = grows * elastic1 * elastic2 * close;
  const double merge = near;

  const double low = third.end();
  const JaegerSegment<R> merged = jaeger_joined(lower, upper, low);
  Vec2<double> force{step.after.force.x, step.after.force.y};
  jaeger_exchange(force, of, low, lower, upper, merged);
  const Vec2<double> further = merged.slope() - third.slope();
  const R elastic3 = third.signed_end > 0.0 ? R(1) : R(0), close3 = dot(further, further) < least ? R(1) : R(0);

  JaegerTopStep<R> result;
  result.normal = step.normal;
  result.after.end1 = step.after.end1;
  result.after.end2 = merge > 0.0 ? before.end2 : step.after.end2;
  result.after.end3 = merge > 0.0 ? before.end3 : step.after.end3;
  result.after.slope1 = select(near > R(0), merged.kept_slope, step.after.slope1);
  result.after.slope2 = select(near > R(0), before.slope2, step.after.slope2);
  result.after.force = select(merge > 0.0, force, step.after.force);
  const JaegerChange shorter = near > R(0) ? JaegerChange::same : step.change;
  result.change = near * elastic3 * close3 > R(0) ? JaegerChange::by_options : shorter;
  return result;
}

/// The state of a step that continues below the record, on its way down the stack. Segments that are known to slip have
/// been popped, except the last of these, `first`. Below it are two more segments, and `end4` is where the lower one
/// begins. u [m] is the displacement of the fibres at the end of `first`. `force` [N] is the tangential force over mu
/// of `first` and all segments below it.
struct JaegerDescent {
  double end1, end2, end3, end4;        ///< [m] signed
  Vec2<double> slope1, slope2, slope3;  ///< as stored, but in double
  Vec2<double> u, force;

  static constexpr int n_components = 14;
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    visit(0, end1), visit(1, end2), visit(2, end3), visit(3, end4);
    visit(4, slope1.x), visit(5, slope1.y), visit(6, slope2.x), visit(7, slope2.y), visit(8, slope3.x),
        visit(9, slope3.y);
    visit(10, u.x), visit(11, u.y), visit(12, force.x), visit(13, force.y);
  }
  /// Moves on to the next lower segment, once `first` has been popped.
  SCREE_INLINE void shift() {
    end1 = end2, slope1.x = slope2.x, slope1.y = slope2.y;
    end2 = end3, slope2.x = slope3.x, slope2.y = slope3.y;
  }
};

/// Pops `first` and checks whether the slip zone begins in one of the next two segments. Afterwards u and `force` are
/// those at the end of the second segment, which is the next to be popped. In the returned record, `same` means that
/// the third segment has been taken from the segments kept elsewhere, and `grows` that it is still there. `whole` is
/// false; it is a parameter because g++ 12 makes no vector loop with a constant in its place.
template <class R>
SCREE_INLINE JaegerTopStep<R> jaeger_descend(JaegerDescent& at, const JaegerValues<R>& of, double zeta, bool whole) {
  const JaegerSegment<R> first{at.end1, convert<R>(at.slope1)};
  const double end1 = first.end(), end2 = math::abs(at.end2);
  const Vec2<double> slope1 = first.slope();
  const Vec2<double> share = jaeger_share(of.normal_force(end2), of.normal_force(end1), slope1);
  at.u.x += (end1 - end2) * slope1.x, at.u.y += (end1 - end2) * slope1.y;
  at.force.x -= share.x, at.force.y -= share.y;
  const JaegerTop<R> rest{
      at.end2, at.end3, math::abs(at.end4), convert<R>(at.slope2), convert<R>(at.slope3), {at.force.x, at.force.y}};
  return jaeger_step_from<R>(rest, of, zeta, {at.u.x, at.u.y}, whole);
}

/// A stack whose upper end is in a record, for steps that go on below the record and for options. `Deep` holds all
/// segments below the second one. It has size, top, push, pop and clear; if merging limits the number of segments, also
/// at, replace and erase.
template <class R, class Deep>
struct JaegerTopStack {
  JaegerTop<R>& record;
  Deep& deep;
  std::uint32_t n;  ///< number of all segments

  SCREE_INLINE std::uint32_t size() const { return n; }
  SCREE_INLINE JaegerSegment<R> top() const { return {record.end1, record.slope1}; }
  SCREE_INLINE JaegerSegment<R> below_top() const { return {record.end2, record.slope2}; }
  SCREE_INLINE double below_end() const { return math::abs(record.end2); }
  SCREE_INLINE JaegerSegment<R> at(std::uint32_t i) const {
    return i + 1 == n ? top() : i + 2 == n ? below_top() : deep.at(i);
  }
  SCREE_INLINE void push(const JaegerSegment<R>& segment) {
    if (n > 1) { deep.push(below_top()); }
    record.end3 = record.end2;
    record.end2 = record.end1, record.slope2 = record.slope1;
    replace_top(segment);
    ++n;
  }
  SCREE_INLINE void pop() {
    record.end1 = record.end2, record.slope1 = record.slope2;
    --n;
    take_second();
  }
  SCREE_INLINE void replace_top(const JaegerSegment<R>& segment) {
    record.end1 = segment.signed_end, record.slope1 = segment.kept_slope;
  }
  SCREE_INLINE void replace(std::uint32_t i, const JaegerSegment<R>& segment) {
    if (i + 1 == n) {
      replace_top(segment);
    } else if (i + 2 == n) {
      record.end2 = segment.signed_end, record.slope2 = segment.kept_slope;
    } else {
      deep.replace(i, segment);
      if (i + 3 == n) { record.end3 = segment.signed_end; }
    }
  }
  SCREE_INLINE void erase(std::uint32_t i) {
    if (i + 1 == n) { return pop(); }
    --n;
    if (i + 1 == n) { return take_second(); }
    deep.erase(i);
    record.end3 = deep.size() > 0 ? deep.top().signed_end : 0.0;
  }
  SCREE_INLINE void clear() {
    deep.clear();
    record = JaegerTop<R>{};
    n = 0;
  }

 private:
  /// Refills the second segment from the segments kept elsewhere.
  SCREE_INLINE void take_second() {
    const bool any = deep.size() > 0;
    const JaegerSegment<R> second = any ? deep.top() : JaegerSegment<R>{0.0, {R(0), R(0)}};
    if (any) { deep.pop(); }
    record.end2 = second.signed_end, record.slope2 = second.kept_slope;
    record.end3 = deep.size() > 0 ? deep.top().signed_end : 0.0;
  }
};

}  // namespace scree::inline SCREE_BACKEND
