#include "host/packing/membrane_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/geometry/real3.hpp"
#include "host/packing/exact_math.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

constexpr std::uint32_t fewest_around = 12, fewest_rings = 8;
constexpr double touching = 1 + 1e-12;  // up to this distance over the sum of radii two spheres touch within rounding

/// The chord [-] of 1/n of a circle of radius 1.
double chord(double n) { return 2 * exact_sine_cosine(std::numbers::pi / n).sine; }

/// Sine and cosine of k/n of a full turn. The four quarters differ only in signs and in the order of the two.
SineCosine turned_by(std::uint64_t k, std::uint64_t n) {
  const std::uint64_t quarter = 4 * k / n, rest = 4 * k % n;
  const double angle = 0.5 * std::numbers::pi * (static_cast<double>(rest) / static_cast<double>(n));
  const auto [sine, cosine] = exact_sine_cosine(angle);
  switch (quarter % 4) {
    case 0: return {sine, cosine};
    case 1: return {cosine, -sine};
    case 2: return {-sine, -cosine};
    default: return {-cosine, sine};
  }
}

/// The smallest number of nodes in a ring at which neighbours touch. `circle` [m] is the radius through their centres.
std::uint32_t number_around(double circle, double radius) {
  const double least = std::numbers::pi * circle / radius - 8;  // the sine of an angle is shorter than its arc
  if (!(least < static_cast<double>(most_particles))) { refuse_too_many(); }
  auto n = static_cast<std::uint32_t>(std::max(least, 3.0));
  while (circle * chord(n) > 2 * radius * touching) { ++n; }
  return n;
}

/// The smallest number of rings at which neighbours touch. `length` [m] is the distance between the first and last
/// ring.
std::uint32_t number_of_rings(double length, double circle, double radius, std::uint32_t around) {
  const double aside = circle * chord(2.0 * around);
  const double rise = std::sqrt(4 * radius * radius - aside * aside);
  const double steps = std::ceil(length / (rise * touching));
  if (!((steps + 1) * around < static_cast<double>(most_particles))) { refuse_too_many(); }
  return 1 + static_cast<std::uint32_t>(steps);
}

}  // namespace

MembraneNodes membrane_nodes(const Membrane& membrane, double radius) {
  const Real3 way = geometry::subtract(membrane.to, membrane.from), axis = geometry::unit(way);
  const double circle = membrane.radius + radius, length = geometry::length(way) - 2 * radius;
  const std::uint32_t around = number_around(circle, radius);
  if (around < fewest_around) {
    throw CaseError("radius", "must be larger: only " + std::to_string(around) + " nodes of radius " +
                                  number_text(radius) + " m stand around it, and a membrane needs at least " +
                                  std::to_string(fewest_around));
  }
  const std::uint32_t rings = length > 0 ? number_of_rings(length, circle, radius, around) : 1;
  if (rings < fewest_rings) {
    throw CaseError("to", "must be farther from \"from\": a membrane needs at least " + std::to_string(fewest_rings) +
                              " rings of nodes of radius " + number_text(radius) + " m");
  }
  MembraneNodes nodes{{around, rings}, {}};
  const Real3 u = geometry::any_normal_to(axis), v = geometry::cross(axis, u);
  for (std::uint32_t ring = 0; ring < rings; ++ring) {
    const Real3 centre = geometry::along(membrane.from, radius + length * (double(ring) / double(rings - 1)), axis);
    for (std::uint32_t i = 0; i < around; ++i) {
      const auto [sine, cosine] = turned_by(2 * std::uint64_t{i} + ring % 2, 2 * std::uint64_t{around});
      nodes.spheres.position.push_back(geometry::along(geometry::along(centre, circle * cosine, u), circle * sine, v));
    }
  }
  nodes.spheres.radius.assign(nodes.spheres.position.size(), radius);
  return nodes;
}

}  // namespace scree::packing
