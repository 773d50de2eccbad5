#include "host/clumps/disc_union.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "host/packing/exact_math.hpp"

namespace scree::clumps {

PlaneMoments DiscUnion::moments(const std::vector<Disc>& discs) {
  PlaneMoments sum;
  for (std::size_t i = 0; i < discs.size(); ++i) {
    if (cover(discs, i)) add_free_arcs(discs[i], sum);
  }
  return sum;
}

/// Collects the arcs of circle i that lie in other discs. Returns false if the whole circle does.
bool DiscUnion::cover(const std::vector<Disc>& discs, std::size_t i) {
  constexpr Place end{std::numbers::pi, -1, 0}, begin{-std::numbers::pi, -1, 0};
  const Disc& a = discs[i];
  covered_.clear();
  for (std::size_t j = 0; j < discs.size(); ++j) {
    const Disc& b = discs[j];
    const double dx = b.x - a.x, dy = b.y - a.y, reach = a.radius + b.radius, d2 = dx * dx + dy * dy;
    if (j == i || d2 >= reach * reach) continue;
    const double d = std::sqrt(d2);
    // A circle inside another one has no free arcs. Among equal circles, only the first one has some.
    if (d + a.radius <= b.radius && (j < i || d + b.radius > a.radius)) return false;
    if (d + b.radius <= a.radius || d + a.radius <= b.radius) continue;
    // The circles intersect where the angle to the line of centres has the cosine c.
    const double c = (d2 + (a.radius - b.radius) * (a.radius + b.radius)) / (2 * d * a.radius);
    if (c <= -1) return false;
    if (c >= 1) continue;
    const double s = std::sqrt((1 - c) * (1 + c)), ux = dx / d, uy = dy / d;
    const auto place = [](double x, double y) { return Place{packing::exact_atan2(y, x), x, y}; };
    const Place from = place(ux * c + uy * s, uy * c - ux * s), to = place(ux * c - uy * s, uy * c + ux * s);
    if (from.angle <= to.angle) {
      covered_.push_back({from, to});
    } else {
      covered_.push_back({from, end});
      covered_.push_back({begin, to});
    }
  }
  return true;
}

void DiscUnion::add_free_arcs(const Disc& disc, PlaneMoments& sum) {
  std::sort(covered_.begin(), covered_.end(), [](const Arc& a, const Arc& b) { return a.from.angle < b.from.angle; });
  constexpr Place end{std::numbers::pi, -1, 0};
  Place free_from{-std::numbers::pi, -1, 0};
  for (const Arc& arc : covered_) {
    if (arc.from.angle > free_from.angle) add_arc(disc, free_from, arc.from, arc.from.angle - free_from.angle, sum);
    if (arc.to.angle > free_from.angle) free_from = arc.to;
  }
  if (end.angle > free_from.angle) add_arc(disc, free_from, end, end.angle - free_from.angle, sum);
}

void DiscUnion::add_arc(const Disc& disc, const Place& from, const Place& to, double angle, PlaneMoments& sum) {
  // Integrals of powers of cosine (c) and sine (s) over the arc.
  const double c0 = from.cosine, s0 = from.sine, c1 = to.cosine, s1 = to.sine;
  const double c = s1 - s0, s = c0 - c1, cs = (s1 * s1 - s0 * s0) / 2, product = s1 * c1 - s0 * c0;
  const double cc = (angle + product) / 2, ss = (angle - product) / 2;
  const double ccc = c - (s1 * s1 * s1 - s0 * s0 * s0) / 3, sss = s + (c1 * c1 * c1 - c0 * c0 * c0) / 3;
  const double ccs = (c0 * c0 * c0 - c1 * c1 * c1) / 3, cccs = (c0 * c0 * c0 * c0 - c1 * c1 * c1 * c1) / 4;
  const double cccc = (c1 * c1 * c1 * s1 - c0 * c0 * c0 * s0) / 4 + 0.75 * cc;
  const double ssss = (s0 * s0 * s0 * c0 - s1 * s1 * s1 * c1) / 4 + 0.75 * ss;
  // x = a + r cos, y = b + r sin: the integrals of x dy, x^2 dy / 2, -y^2 dx / 2, x^3 dy / 3, -y^3 dx / 3, x^2 y dy / 2
  const double a = disc.x, b = disc.y, r = disc.radius;
  sum.area += r * (a * c + r * cc);
  sum.x += r / 2 * (a * a * c + 2 * a * r * cc + r * r * ccc);
  sum.y += r / 2 * (b * b * s + 2 * b * r * ss + r * r * sss);
  sum.xx += r / 3 * (a * a * a * c + 3 * a * a * r * cc + 3 * a * r * r * ccc + r * r * r * cccc);
  sum.yy += r / 3 * (b * b * b * s + 3 * b * b * r * ss + 3 * b * r * r * sss + r * r * r * ssss);
  sum.xy +=
      r / 2 * (b * (a * a * c + 2 * a * r * cc + r * r * ccc) + r * (a * a * cs + 2 * a * r * ccs + r * r * cccs));
}

}  // namespace scree::clumps
