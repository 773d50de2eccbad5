#pragma once

#include <cmath>

namespace scree::inline SCREE_BACKEND {

struct Oblique {
  double hertz, kappa, mu, slope, pressed, highest, lowest, last, angle;
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
};

}  // namespace scree::inline SCREE_BACKEND
