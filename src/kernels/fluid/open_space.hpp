#pragma once

#include "kernels/fluid/solid_table.hpp"
#include "kernels/state/boundaries.hpp"

/// How much of the surroundings of a point is open to particles: what lies in front of all planes.
namespace scree::inline SCREE_BACKEND {

/// A plane, seen by the lattice: the point with the numbers u lies in front of it if normal . u >= offset. The largest
/// component of the normal is 1 or -1.
struct LatticePlane {
  double normal[3];
  double offset;
  double reach;  ///< sum of the components, all positive

  SCREE_INLINE double gap(const Vec3d& u) const { return normal[0] * u.x + normal[1] * u.y + normal[2] * u.z - offset; }
  /// Whether it is normal to a direction of the lattice.
  SCREE_INLINE bool is_straight() const { return reach == 1; }
};

/// Finds the planes at their present places; one thread per feature. Other features and absent boundaries become planes
/// that are in front of nothing.
struct PlanesInLattice {
  BoundaryView boundaries;
  SolidLattice lattice;
  Span<LatticePlane> planes;

  SCREE_HD void operator()(std::size_t f) const {
    LatticePlane& plane = planes[f];
    plane = {{0, 0, 0}, -1, 0};
    const Feature& feature = boundaries.feature[f];
    if (feature.kind != FeatureKind::plane || boundaries.info[feature.boundary].absent != 0) { return; }
    const Pose& pose = boundaries.pose[feature.boundary];
    const Surface& surface = boundaries.surface[feature.a];
    const Mat3d ways = transpose(inverse(lattice.steps));  // [m] row k: to the next point along direction k
    const Vec3d normal = ways * pose.turn(surface.axis);
    const double lean[3] = {normal.x, normal.y, normal.z};
    double largest = 0;
    for (const double part : lean) { largest = math::max(largest, math::abs(part)); }
    for (int k = 0; k < 3; ++k) {
      constexpr double rounding = 1e-9;
      const double part = lean[k] / largest;
      plane.normal[k] = math::abs(part) > rounding ? part : 0;
      plane.reach += math::abs(plane.normal[k]);
    }
    plane.offset = 0;
    plane.offset = plane.gap(lattice.place_of(pose.place(surface.point)));
  }
};

/// Integrals over the part of the surroundings of a point that lies in front of all planes, with the weights by which
/// the point counts there. The surroundings are one step to both sides along each direction.
class OpenSpace {
 public:
  SCREE_HD OpenSpace(const Span<LatticePlane>& planes, const Vec3d& point) : planes_(planes), point_(point) {
    double straightest[3] = {2, 2, 2};
    for (std::size_t k = 0; k < planes.size; ++k) { cut_by(planes[k], straightest); }
    line_ = straightest[0] >= straightest[1] ? (straightest[0] >= straightest[2] ? 0 : 2)
                                             : (straightest[1] >= straightest[2] ? 1 : 2);
  }

  /// [-] The open part. It is exact for planes normal to directions of the lattice. For others it is a sum over lines,
  /// along each of which it is exact.
  SCREE_HD double part() const {
    if (!is_slanted_) { return weight_along(0) * weight_along(1) * weight_along(2); }
    const int a = (line_ + 1) % 3, b = (line_ + 2) % 3;
    double sum = 0;
    visit_nodes(low_[a], high_[a], [&](double x, double weight_x) {
      visit_nodes(low_[b], high_[b], [&](double y, double weight_y) {
        double from = low_[line_], to = high_[line_];
        for (std::size_t k = 0; k < planes_.size; ++k) {
          const LatticePlane& plane = planes_[k];
          clip(plane.normal[line_], plane.gap(point_) + plane.normal[a] * x + plane.normal[b] * y, from, to);
        }
        sum += weight_x * weight_y * weight_between(from, to);
      });
    });
    return sum;
  }

 private:
  SCREE_HD void cut_by(const LatticePlane& plane, double* straightest) {
    const double gap = plane.gap(point_);
    if (gap >= plane.reach) { return; }
    if (plane.is_straight()) {
      for (int axis = 0; axis < 3; ++axis) {
        if (plane.normal[axis] != 0) { clip(plane.normal[axis], gap, low_[axis], high_[axis]); }
      }
      return;
    }
    is_slanted_ = true;
    for (int axis = 0; axis < 3; ++axis) {
      straightest[axis] = math::min(straightest[axis], math::abs(plane.normal[axis]));
    }
  }
  /// Shortens a line to where lean * u + gap >= 0.
  SCREE_HD static void clip(double lean, double gap, double& from, double& to) {
    if (lean > 0) {
      from = math::max(from, -gap / lean);
    } else if (lean < 0) {
      to = math::min(to, gap / -lean);
    } else if (gap < 0) {
      to = from;
    }
  }
  /// Integral of 1 - |u| from -1 to u, for u between -1 and 1.
  SCREE_HD static double weight_below(double u) {
    return u < 0 ? 0.5 * math::square(1 + u) : 1 - 0.5 * math::square(1 - u);
  }
  SCREE_HD static double weight_between(double from, double to) {
    return to > from ? weight_below(to) - weight_below(from) : 0;
  }
  SCREE_HD double weight_along(int axis) const { return weight_between(low_[axis], high_[axis]); }

  /// Calls take(u, weight) for the nodes of an integral over (1 - |u|) du by Gauss's rule, for each side of 0.
  template <class Take>
  SCREE_HD static void visit_nodes(double low, double high, const Take& take) {
    constexpr double node[2] = {0.33998104358485626, 0.86113631159405258};
    constexpr double share[2] = {0.65214515486254614, 0.34785484513745386};
    for (int side = 0; side < 2; ++side) {
      const double from = side == 0 ? low : math::max(low, 0.0), to = side == 0 ? math::min(high, 0.0) : high;
      if (!(to > from)) { continue; }
      const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
      for (int k = 0; k < 4; ++k) {
        const double u = middle + (k < 2 ? -half : half) * node[k % 2];
        take(u, half * share[k % 2] * (1 - math::abs(u)));
      }
    }
  }

  Span<LatticePlane> planes_;
  Vec3d point_;
  double low_[3] = {-1, -1, -1}, high_[3] = {1, 1, 1};
  int line_;  ///< the direction of lines; slanted planes lean least against it
  bool is_slanted_ = false;
};

/// Divides the solid volume at each point by the part of its surroundings that is open; one thread per slot. So a bed
/// that is uniform up to its walls has the same solid fraction everywhere.
struct DivideByOpenPart {
  SolidTable table;
  Span<LatticePlane> planes;

  SCREE_HD void operator()(std::size_t slot) const {
    constexpr double most = 1024 * SolidTable::units;
    const std::uint64_t key = table.key[slot];
    if (key == 0) { return; }
    const double open = OpenSpace(planes, SolidTable::point_of(key)).part();
    // A point without an open part has solid only if the centre of a particle is behind a wall.
    if (open >= 1 || !(open > 0)) { return; }
    table.solid[slot] =
        static_cast<std::uint64_t>(math::floor(math::min(double(table.solid[slot]) / open, most) + 0.5));
  }
};

}  // namespace scree::inline SCREE_BACKEND
