#pragma once

#include <vector>

namespace scree::clumps {

struct Disc {
  double x, y, radius;
};

/// Area [m2], first moments [m3] and second moments [m4] of a plane figure.
struct PlaneMoments {
  double area = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
};

/// Integrals over the union of discs, exact within rounding, by line integrals along its boundary arcs (Green's
/// theorem). Keeps its memory between calls.
class DiscUnion {
 public:
  [[nodiscard]] PlaneMoments moments(const std::vector<Disc>& discs);

 private:
  /// A point of a circle: its angle in (-pi, pi], cosine and sine.
  struct Place {
    double angle, cosine, sine;
  };
  struct Arc {
    Place from, to;
  };
  [[nodiscard]] bool cover(const std::vector<Disc>& discs, std::size_t i);
  void add_free_arcs(const Disc& disc, PlaneMoments& sum);
  static void add_arc(const Disc& disc, const Place& from, const Place& to, double angle, PlaneMoments& sum);

  std::vector<Arc> covered_;
};

}  // namespace scree::clumps
