#pragma once

#include <array>
#include <cmath>

namespace scree::inline SCREE_BACKEND {

struct Oblique {
  double hertz, kappa, mu, slope, pressed, highest, lowest, last, angle;
};
inline constexpr std::array<Oblique, 3> oblique_cases{{
    {.hertz = 1,
     .kappa = 7.0 / 6.0,
     .mu = 0.5,
     .slope = 0.8,
     .pressed = 1,
     .highest = 0.6,
     .lowest = -0.1,
     .last = 0.2,
     .angle = 0},
    {.hertz = 1,
     .kappa = 1.25,
     .mu = 0.3,
     .slope = 2,
     .pressed = 1,
     .highest = 0.32,
     .lowest = -0.2,
     .last = 0.15,
     .angle = 2.1},
    // Glass beads of 1 mm under some newtons.
    {.hertz = 2.034383415e9,
     .kappa = 1.088235294,
     .mu = 0.3,
     .slope = 0.5,
     .pressed = 5,
     .highest = 1.5,
     .lowest = -0.3,
     .last = 0.5,
     .angle = 0.7},
}};

/// A step of a leg of the path that ends at the force `to`.
struct ObliqueStep {
  double force, normal, displacement;  ///< at the end of the step; the displacement is halved
  int number;
  double to;
};

/// Mindlin & Deresiewicz (1953): a contact is pressed with N0, then loaded with dT/dN = slope > mu. Gives the half
/// displacements at which the force is T, while the region of reverse slip lies within the region that has slipped.
struct ObliquePath {
  Oblique o;
  double zeta(double normal) const { return std::cbrt(std::pow(normal / o.hertz, 2)); }
  double scale(double normal) const { return o.kappa * o.mu * zeta(normal); }
  static double root(double x) { return std::cbrt(x * x); }
  double loaded(double force) const {
    const double normal = o.pressed + force / o.slope;
    return scale(normal) * (1 - root(1 - force / (o.mu * normal)));
  }
  double highest_normal() const { return o.pressed + o.highest / o.slope; }
  double lowest_normal() const { return highest_normal() - (o.highest - o.lowest) / o.slope; }
  double outer(double normal) const { return o.highest - o.mu * (highest_normal() - normal); }
  double unloaded(double force) const {
    const double normal = highest_normal() - (o.highest - force) / o.slope, limit = o.mu * normal, tq = outer(normal);
    return scale(normal) * (2 * root(1 - (tq - force) / (2 * limit)) - root(1 - tq / limit) - 1);
  }
  double reloaded(double force) const {
    const double normal = lowest_normal() + (force - o.lowest) / o.slope, limit = o.mu * normal, tq = outer(normal);
    const double tr = o.lowest - o.mu * (normal - lowest_normal());
    return scale(normal) * (1 - 2 * root(1 - (force - tr) / (2 * limit)) + 2 * root(1 - (tq - tr) / (2 * limit)) -
                            root(1 - tq / limit));
  }

  /// Calls visit(ObliqueStep) for loading, unloading and reloading, `steps` times each.
  template <class Visit>
  void each_step(int steps, Visit&& visit) const {
    const auto leg = [&](double from, double to, double normal_from, auto&& displacement) {
      for (int k = 1; k <= steps; ++k) {
        const double force = from + (to - from) * k / steps;
        visit(ObliqueStep{force, normal_from + (force - from) / o.slope, displacement(force), k, to});
      }
    };
    leg(0, o.highest, o.pressed, [&](double f) { return loaded(f); });
    leg(o.highest, o.lowest, highest_normal(), [&](double f) { return unloaded(f); });
    leg(o.lowest, o.last, lowest_normal(), [&](double f) { return reloaded(f); });
  }
};

}  // namespace scree::inline SCREE_BACKEND
