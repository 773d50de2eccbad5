#pragma once

#include "kernels/backend/lanes.hpp"
#include "kernels/neighbours/column_grid.hpp"
#include "kernels/state/bodies.hpp"

/// The share of each body in the Verlet distance. Only the work depends on it, no result.
namespace scree::inline SCREE_BACKEND {

/// What the bodies of one lane are like.
struct LaneSums {
  double speed, relative_speed;  ///< [m/s], [1/s] sums of |v| and of |v| / radius
};

template <class R>
struct SpeedSum {
  Span<Vec3<R>> velocity;
  Span<R> radius;
  std::size_t n_bodies;
  Span<LaneSums> sums;
  SCREE_HD void operator()(std::size_t lane) const {
    LaneSums sum{0, 0};
    visit_lane(lane, n_bodies, [&](std::size_t i) {
      const double speed = double(norm(velocity[i]));
      sum.speed += speed;
      sum.relative_speed += speed / double(radius[i]);
    });
    sums[lane] = sum;
  }
};

/// How skins follow from speeds. A body gets what it needs to last for `interval` at its speed and a share of the mean
/// speed, which it may soon have.
template <class R>
struct SkinRule {
  R least, most;             ///< [m]
  R most_of_radius;          ///< [-]
  R interval;                ///< [s]
  R extra_speed;             ///< [m/s]
  R strain_rate = R(0);      ///< [1/s] of a periodic cell, which parts neighbours as well
  R last_move = R(0);        ///< [s] 0 unless contacts hold bodies that are apart
  R longest_move = R(0);     ///< [m] no body is thought to have moved farther
  R most_in_cell = R(3e38);  ///< [m]

  SCREE_INLINE R operator()(R speed, R radius) const {
    const R wanted = interval * (speed + extra_speed + strain_rate * radius);
    const R skin = math::max(least, math::min(wanted, math::min(most, most_of_radius * radius)));
    // A neck that the last move has torn is listed once more, so that the law sees it snap.
    // The product comes second, where min() leaves a speed that is no number out.
    return math::min(skin + math::min(longest_move, last_move * (speed + strain_rate * radius)), most_in_cell);
  }
};

/// Classes of size: each reaches this factor beyond the one below.
inline constexpr double class_ratio = 2;
inline constexpr int n_classes = 16;  ///< the last one holds all that is larger, too

/// The bodies of one lane whose enlarged radius lies in each class above the smallest.
struct LaneSizes {
  std::uint32_t count[n_classes];
  double cubes[n_classes];  ///< [m3] sum of the enlarged radii to the third
  double largest;           ///< [m] enlarged radius
};

/// Gives each body its skin, counts sizes, and brings the distance to the nearest boundary up to date.
template <class R>
struct SkinChoice {
  SkinRule<R> rule;
  Span<Vec3<R>> velocity, travel;
  Span<R> radius, skin, clearance;
  double range;             ///< [-] farthest distance of a contact, in radii
  double inverse_smallest;  ///< [1/m] of the smallest enlarged radius
  R boundary_travel;        ///< [m] of any boundary since the last search
  std::size_t n_bodies;
  Span<LaneSizes> sizes;

  SCREE_HD void operator()(std::size_t lane) const {
    LaneSizes& lane_sizes = sizes[lane];
    lane_sizes = {};
    double largest = 0;
    visit_lane(lane, n_bodies, [&](std::size_t i) {
      // The travel is a rounded sum: what it may hide is within the part of the skin that is never used.
      // The factor is more than what rounding can add to a long clearance, however short the way.
      clearance[i] =
          R(0.9999995) * clearance[i] - (R(1.0001) * (norm(travel[i]) + boundary_travel) + R(0.002) * skin[i]);
      skin[i] = rule(norm(velocity[i]), radius[i]);
      const double enlarged = range * double(radius[i]) + double(skin[i]);
      largest = math::max(largest, enlarged);
      int size_class = 0;
      for (double rest = enlarged * inverse_smallest; rest >= class_ratio && size_class + 1 < n_classes;
           rest *= 1 / class_ratio) {
        ++size_class;
      }
      ++lane_sizes.count[size_class];
      lane_sizes.cubes[size_class] += enlarged * enlarged * enlarged;
    });
    lane_sizes.largest = largest;
  }
};

/// Every so many-th position.
struct PositionSample {
  Span<Vec3d> position;
  std::size_t stride;
  Span<Vec3d> sample;
  SCREE_HD void operator()(std::size_t i) const { sample[i] = position[i * stride]; }
};

}  // namespace scree::inline SCREE_BACKEND
