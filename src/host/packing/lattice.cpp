#include "host/packing/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/packing/sizes.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

/// Whether (i, j, k) h / 2 is a site of the lattice whose cubic cell has the edge h.
bool is_site(LatticeKind type, std::uint64_t i, std::uint64_t j, std::uint64_t k) {
  switch (type) {
    case LatticeKind::simple_cubic: return i % 2 == 0 && j % 2 == 0 && k % 2 == 0;
    case LatticeKind::body_centred: return i % 2 == j % 2 && j % 2 == k % 2;
    case LatticeKind::face_centred: return (i + j + k) % 2 == 0;
  }
  return false;
}

double cell_edge(LatticeKind type, double spacing) {
  switch (type) {
    case LatticeKind::simple_cubic: return spacing;
    case LatticeKind::body_centred: return spacing * 2 / std::numbers::sqrt3;
    case LatticeKind::face_centred: return spacing * std::numbers::sqrt2;
  }
  return spacing;
}

[[noreturn]] void too_many() {
  throw CaseError("spacing",
                  "gives more than the " + count_text(most_particles) + " particles that ids can tell apart");
}

void check(const Lattice& lattice, double radius, bool are_balls_around) {
  for (std::size_t k = 0; k < 3; ++k) {
    const double low = lattice.box.min[k], high = lattice.box.max[k];
    if (!std::isfinite(low) || !std::isfinite(high) || !(low < high)) {
      throw CaseError("box.1." + std::to_string(k),
                      "must be greater than " + number_text(low) + " of the lowest corner, got " + number_text(high));
    }
  }
  if (!std::isfinite(lattice.spacing) || !(lattice.spacing >= 2 * radius * (1 - 1e-12))) {
    throw CaseError("spacing", "must be at least twice the largest radius" +
                                   std::string(are_balls_around ? " of the balls around the particles, " : ", ") +
                                   number_text(2 * radius) + ", got " + number_text(lattice.spacing));
  }
  if (!(lattice.jitter >= 0 && lattice.jitter <= 1)) {
    throw CaseError("jitter", "must be in [0, 1], got " + number_text(lattice.jitter));
  }
}

}  // namespace

Spheres lattice_spheres(const Lattice& lattice, const SizeDistribution& sizes, std::uint64_t seed, std::uint64_t group,
                        bool are_balls_around) {
  const double largest = largest_size(sizes), half = cell_edge(lattice.type, lattice.spacing) / 2;
  check(lattice, largest, are_balls_around);
  std::array<std::uint64_t, 3> last{};
  double points = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const double room = lattice.box.max[k] - lattice.box.min[k] - 2 * largest;
    if (room < -1e-9 * largest) {
      throw CaseError("box", std::string("is too small for ") +
                                 (are_balls_around ? "the ball around a particle," : "a sphere") + " of radius " +
                                 number_text(largest) + " along axis " + std::to_string(k));
    }
    // A box of a whole number of cells must be full in spite of rounding.
    const double steps = std::floor(room / half + 1e-9);
    points *= steps + 1;
    if (points > 8.0 * static_cast<double>(most_particles)) too_many();
    last[k] = static_cast<std::uint64_t>(std::max(steps, 0.0));
  }
  Random for_sizes(seed, 2 * group), for_places(seed, 2 * group + 1);
  const SizeSampler sampler(sizes);
  Spheres spheres;
  for (std::uint64_t k = 0; k <= last[2]; ++k) {
    for (std::uint64_t j = 0; j <= last[1]; ++j) {
      for (std::uint64_t i = 0; i <= last[0]; ++i) {
        if (!is_site(lattice.type, i, j, k)) continue;
        const double radius = sampler.draw(for_sizes);
        const double reach = lattice.jitter * std::max(lattice.spacing - 2 * radius, 0.0) / 2;
        const Real3 index = {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
        const Real3 shift = reach > 0 ? for_places.in_ball() : Real3{};
        Real3 centre{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double site = lattice.box.min[axis] + largest + index[axis] * half;
          // If the shift leaves the box, shorten it: the sphere moves back towards its site.
          const double low = std::min(site, lattice.box.min[axis] + radius);
          const double high = std::max(site, lattice.box.max[axis] - radius);
          centre[axis] = std::clamp(site + reach * shift[axis], low, high);
        }
        spheres.position.push_back(centre);
        spheres.radius.push_back(radius);
      }
    }
  }
  if (spheres.radius.size() > most_particles) too_many();
  return spheres;
}

}  // namespace scree::packing
