#pragma once

#include "kernels/backend/lanes.hpp"
#include "kernels/neighbours/column_grid.hpp"
#include "kernels/state/bodies.hpp"

/// The share of each body in the Verlet distance. It affects only the amount of work, no result.
namespace scree::inline SCREE_BACKEND {

/// Sums over the bodies of one lane.
struct LaneSums {
  double speed, relative_speed;  ///< [m/s], [1/s] sums of |v| and of |v| / radius
};

template <class R>
struct SpeedSum {
  SpeedColumn<Vec3<R>, R> velocity;
  RadiusColumn<R> radius;
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

/// How skins follow from speeds. A body gets a skin that lasts for `interval` at its own speed plus a share of the mean
/// speed, which it may soon reach.
template <class R>
struct SkinRule {
  R least, most;             ///< [m]
  R most_of_radius;          ///< [-]
  R interval;                ///< [s]
  R extra_speed;             ///< [m/s]
  R strain_rate = R(0);      ///< [1/s] of a periodic cell, whose deformation also separates neighbours
  R last_move = R(0);        ///< [s] length of the last move; 0 unless contacts can hold bodies that are apart
  R longest_move = R(0);     ///< [m] bound of the last move of any body
  R most_in_cell = R(3e38);  ///< [m]

  SCREE_INLINE R operator()(R speed, R radius) const {
    const R wanted = interval * (speed + extra_speed + strain_rate * radius);
    const R skin = math::max(least, math::min(wanted, math::min(most, most_of_radius * radius)));
    // A neck that tore in the last move is listed once more, so that the law sees it break. The product is
    // the second argument of the inner min(), which leaves it out if the speed is nan.
    return math::min(skin + math::min(longest_move, last_move * (speed + strain_rate * radius)), most_in_cell);
  }
};

/// Ratio of the upper limits of neighbouring classes of size.
inline constexpr double class_ratio = 2;
inline constexpr int n_size_classes = 16;  ///< the last one also holds all larger bodies

/// Bodies of one lane by class of size, which is counted from the smallest enlarged radius.
struct LaneSizes {
  std::uint32_t count[n_size_classes];
  double cubes[n_size_classes];  ///< [m3] sum of the cubes of enlarged radii
  double largest;                ///< [m] largest enlarged radius
};

/// Gives each body its skin, counts sizes, and updates the distance to the nearest boundary.
template <class R>
struct SkinChoice {
  SkinRule<R> rule;
  SpeedColumn<Vec3<R>, R> velocity;
  TravelColumn<Vec3<R>, R> travel;
  RadiusColumn<R> radius;
  TravelColumn<R, R> skin;
  Span<R> clearance;
  double range;             ///< [-] farthest distance of a contact, in radii
  double inverse_smallest;  ///< [1/m] inverse of the smallest enlarged radius
  R boundary_travel;        ///< [m] of the farthest boundary since the last search
  std::size_t n_bodies;
  Span<LaneSizes> sizes;

  SCREE_HD void operator()(std::size_t lane) const {
    LaneSizes& lane_sizes = sizes[lane];
    lane_sizes = {};
    double largest = 0;
    visit_lane(lane, n_bodies, [&](std::size_t i) {
      // The travel is a rounded sum. Its error is within the part of the skin that is never used. The factor on the
      // clearance exceeds the rounding of a long clearance, however short the travel.
      clearance[i] =
          R(0.9999995) * clearance[i] - (R(1.0001) * (norm(travel[i]) + boundary_travel) + R(0.002) * skin[i]);
      skin[i] = rule(norm(velocity[i]), radius[i]);
      const double enlarged = range * double(radius[i]) + double(skin[i]);
      largest = math::max(largest, enlarged);
      int size_class = 0;
      for (double rest = enlarged * inverse_smallest; rest >= class_ratio && size_class + 1 < n_size_classes;
           rest *= 1 / class_ratio) {
        ++size_class;
      }
      ++lane_sizes.count[size_class];
      lane_sizes.cubes[size_class] += enlarged * enlarged * enlarged;
    });
    lane_sizes.largest = largest;
  }
};

/// The bodies of a new list have not moved yet.
template <class R>
struct NoTravel {
  TravelColumn<Vec3<R>, R> travel;
  SCREE_HD void operator()(std::size_t i) const { travel[i] = {}; }
};

/// Takes every `stride`-th position.
struct PositionSample {
  PositionColumn position;
  std::size_t stride;
  Span<Vec3d> sample;
  SCREE_HD void operator()(std::size_t i) const { sample[i] = position[i * stride]; }
};

}  // namespace scree::inline SCREE_BACKEND
