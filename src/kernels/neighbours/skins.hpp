#pragma once

#include <limits>

#include "kernels/neighbours/column_grid.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/contact_ranges.hpp"

/// The share of each body in the Verlet distance. It affects only the amount of work, no result.
namespace scree::inline SCREE_BACKEND {

/// Bounding box of positions. If there are none, min is above max.
struct PositionBounds {
  Vec3d min, max;
};

/// What a look at all bodies tells about where they are and how fast.
struct BodyLook {
  static constexpr double far = std::numeric_limits<double>::max();
  static constexpr double farthest_place = 1e29;  ///< [m] bounds omit bodies beyond this, which have been removed

  double speed = 0, relative_speed = 0;              ///< [m/s], [1/s] sums of |v| and of |v| / radius
  Vec3d low{far, far, far}, high{-far, -far, -far};  ///< [m] bounds of positions; no bodies: low is above high
  std::uint64_t n_parked = 0;

  SCREE_INLINE void merge(const BodyLook& other) {
    speed += other.speed;
    relative_speed += other.relative_speed;
    low = {math::min(low.x, other.low.x), math::min(low.y, other.low.y), math::min(low.z, other.low.z)};
    high = {math::max(high.x, other.high.x), math::max(high.y, other.high.y), math::max(high.z, other.high.z)};
    n_parked += other.n_parked;
  }
};

static_assert(parking_place > BodyLook::farthest_place);

/// Looks at one body.
template <class R>
struct LookAt {
  PositionColumn position;
  SpeedColumn<Vec3<R>, R> velocity;
  RadiusColumn<R> radius;
  bool with_speeds;
  SCREE_HD void operator()(std::size_t i, BodyLook& look) const {
    const Vec3d x = position[i];
    if (with_speeds) {
      const double v = double(norm(velocity[i]));
      look.speed += v;
      look.relative_speed += v / double(radius[i]);
    }
    look.low = {math::min(look.low.x, x.x), math::min(look.low.y, x.y), math::min(look.low.z, x.z)};
    if (x.x < BodyLook::farthest_place) {
      look.high = {math::max(look.high.x, x.x), math::max(look.high.y, x.y), math::max(look.high.z, x.z)};
    }
    if (is_parked(x)) { ++look.n_parked; }
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
  R most_in_cell = R(3e38);  ///< [m]

  SCREE_INLINE R operator()(R speed, R radius) const {
    const R wanted = interval * (speed + extra_speed + strain_rate * radius);
    const R skin = math::max(least, math::min(wanted, math::min(most, most_of_radius * radius)));
    // A neck that tore in the last move is listed once more, so that the law sees it break. In a step a body moves at
    // most by its radius, otherwise the run ends with a fault. The product is the second argument of the inner min(),
    // which leaves it out if it is nan.
    return math::min(skin + math::min(radius, last_move * (speed + strain_rate * radius)), most_in_cell);
  }
};

/// Ratio of the upper limits of neighbouring classes of size.
inline constexpr double class_ratio = 2;
inline constexpr int n_size_classes = 16;  ///< the last one also holds all larger bodies

/// Bodies by class of size: powers of class_ratio times the smallest enlarged radius.
struct SizeClasses {
  std::uint32_t count[n_size_classes] = {};
  double cubes[n_size_classes] = {};  ///< [m3] sums of the cubes of enlarged radii
  double largest = 0;                 ///< [m] largest enlarged radius

  SCREE_INLINE void merge(const SizeClasses& other) {
    for (int k = 0; k < n_size_classes; ++k) {
      count[k] += other.count[k];
      cubes[k] += other.cubes[k];
    }
    largest = math::max(largest, other.largest);
  }
};

/// How far bodies are searched for. The backend finds it out and goes on with it; the driver reads all of it at once.
template <class R>
struct SearchPlan {
  SkinRule<R> rule;
  double mean_skin;  ///< [radii] as far as it grows with the interval
  double smallest;   ///< [m] lower bound of enlarged radii
  BodyLook look;
  SizeClasses sizes;
  offset_t n_carried;  ///< number of touching pairs
};

/// Chooses the rule for skins, once all bodies have been looked at.
template <class R>
struct RuleChoice {
  // The first bound keeps lists of moving bodies from growing beyond about three times the length of those at rest; the
  // second keeps any single body from a skin of many radii.
  static constexpr double most_mean_skin = 0.5, most_skin = 4;  // [radii]
  // A body may soon move as fast as others do.
  static constexpr double share_of_mean_speed = 0.5;

  double n_bodies;
  double least;         ///< [m] half of the Verlet distance
  bool is_fixed;        ///< every body gets `least`
  bool is_automatic;    ///< the Verlet distance of the case is only the least one
  double wanted_steps;  ///< for which the list should last
  double most_steps;
  double dt;            ///< [s]
  double strain_rate;   ///< [1/s] of a periodic cell
  double least_radius;  ///< [m] smallest range times the smallest radius
  SkinRule<R> bounds;   ///< has the members strain_rate to most_in_cell, which do not depend on speeds
  SearchPlan<R>* plan;

  SCREE_HD void operator()(const BodyLook& look) const {
    plan->rule = bounds;
    plan->mean_skin = 0;
    by_speed(look, *plan);
    plan->rule.least = math::min(plan->rule.least, bounds.most_in_cell);
    plan->smallest = least_radius + double(plan->rule.least);
    plan->look = look;
  }

 private:
  SCREE_HD void set(SkinRule<R>& rule, double low, R most, R most_of_radius, double interval, double extra) const {
    rule.least = static_cast<R>(low);
    rule.most = most;
    rule.most_of_radius = most_of_radius;
    rule.interval = static_cast<R>(interval);
    rule.extra_speed = static_cast<R>(extra);
  }

  SCREE_HD void by_speed(const BodyLook& look, SearchPlan<R>& made) const {
    constexpr R endless = std::numeric_limits<R>::max();
    const R fixed = static_cast<R>(least);
    const double n = math::max(n_bodies, 1.0);
    const double extra = share_of_mean_speed * look.speed / n;
    const double radii_per_step =
        math::max(((1 + share_of_mean_speed) * look.relative_speed / n + strain_rate) * dt, 1e-12);
    const double longest = most_mean_skin / radii_per_step;
    if (is_fixed) {
      set(made.rule, least, fixed, endless, 0, 0);
    } else if (!(extra - extra == 0) || !(longest - longest == 0)) {  // a speed is not finite
      set(made.rule, least, fixed, R(1), 0, 0);
    } else if (!is_automatic) {
      set(made.rule, 0.1 * least, fixed, endless, math::min(wanted_steps, most_steps) * dt, extra);
    } else {
      const double steps = math::min(math::min(wanted_steps, longest), most_steps);
      made.mean_skin = steps * radii_per_step;
      set(made.rule, least, endless, R(most_skin), steps * dt, extra);
    }
  }
};

/// Gives each body its skin, adds its size, and updates the distance to the nearest boundary. Bodies of a new list have
/// not moved yet.
template <class R>
struct SkinChoiceBy {
  SkinRule<R> rule;
  double inverse_smallest;  ///< [1/m] inverse of the smallest enlarged radius
  SpeedColumn<Vec3<R>, R> velocity;
  TravelColumn<Vec3<R>, R> travel;
  RadiusColumn<R> radius;
  TravelColumn<R, R> skin;
  Span<R> clearance;
  RangeOfBody range;
  R boundary_travel;  ///< [m] of the farthest boundary since the last search

  SCREE_HD void operator()(std::size_t i, SizeClasses& sizes) const {
    // The travel is a rounded sum. Its error is within the part of the skin that is never used. The factor on the
    // clearance exceeds the rounding of a long clearance, however short the travel.
    clearance[i] = R(0.9999995) * clearance[i] - (R(1.0001) * (norm(travel[i]) + boundary_travel) + R(0.002) * skin[i]);
    travel[i] = {};
    skin[i] = rule(norm(velocity[i]), radius[i]);
    const double enlarged = range(i) * double(radius[i]) + double(skin[i]);
    sizes.largest = math::max(sizes.largest, enlarged);
    int size_class = 0;
    for (double rest = enlarged * inverse_smallest; rest >= class_ratio && size_class + 1 < n_size_classes;
         rest *= 1 / class_ratio) {
      ++size_class;
    }
    ++sizes.count[size_class];
    sizes.cubes[size_class] += enlarged * enlarged * enlarged;
  }
};

/// SkinChoiceBy with the rule of a plan, which is read where it runs.
template <class R>
struct SkinChoice {
  const SearchPlan<R>* plan;
  SkinChoiceBy<R> choice;
  SCREE_HD SkinChoiceBy<R> bound() const {
    SkinChoiceBy<R> found = choice;
    found.rule = plan->rule;
    found.inverse_smallest = 1 / plan->smallest;
    return found;
  }
};

/// Enters what is known last into a plan.
template <class R>
struct PlanEnd {
  Span<offset_t> carried_start;  ///< [n_bodies + 1]
  SearchPlan<R>* plan;
  SCREE_HD void operator()(const SizeClasses& sizes) const {
    plan->sizes = sizes;
    plan->n_carried = carried_start[carried_start.size - 1];
  }
};

/// Takes every `stride`-th position.
struct PositionSample {
  PositionColumn position;
  std::size_t stride;
  Span<Vec3d> sample;
  SCREE_HD void operator()(std::size_t i) const { sample[i] = position[i * stride]; }
};

}  // namespace scree::inline SCREE_BACKEND
