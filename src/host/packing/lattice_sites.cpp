#include "host/packing/lattice_sites.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/packing/between_walls.hpp"
#include "host/packing/exact_math.hpp"

namespace scree::packing {
namespace {

/// The largest distance [m] of two centres between two walls; negative if a sphere does not fit between them.
double room_between(double distance, double radius) {
  const double room = distance - 2 * radius;
  return room >= -fit_tolerance * radius ? std::fmax(room, 0.0) : room;
}

/// Planes of a face-centred lattice along each edge of a cell.
struct CellPlanes {
  std::array<std::size_t, 3> count{};
  Real3 step{};  ///< [-] distance of two planes over the edge
};

CellPlanes planes_of(const geometry::CellFrame& cell, double spacing, double radius) {
  CellPlanes planes;
  const double distance = spacing / std::numbers::sqrt2;
  for (std::size_t k = 0; k < 3; ++k) {
    if (cell.periodic(k)) {
      // With an even number the lattice continues across the faces.
      planes.count[k] = 2 * static_cast<std::size_t>(std::floor(geometry::length(cell.edge(k)) / (2 * distance)));
      planes.step[k] = 1 / static_cast<double>(planes.count[k]);
    } else {
      const double room = room_between(cell.width(k), radius);
      if (room < 0) return {};
      planes.count[k] = static_cast<std::size_t>(std::floor(room / distance)) + 1;
      planes.step[k] = planes.count[k] > 1 ? 1 / static_cast<double>(planes.count[k] - 1) : 0;
    }
  }
  return planes;
}

/// Whether neighbouring spheres on the lattice do not overlap. The shear of the cell brings its sites nearer together.
bool neighbours_fit(const geometry::CellFrame& cell, const CellPlanes& planes, double radius) {
  const auto near = [&](const Real3& way) {
    Real3 n{};
    for (std::size_t k = 0; k < 3; ++k)
      n[k] = way[k] * planes.step[k] * (cell.periodic(k) ? 1 : 1 - 2 * radius / cell.width(k));
    return n != Real3{} && geometry::length(cell.sum_of_edges(n)) < 2 * radius;
  };
  for (const double a : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
    for (const double b : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
      for (const double c : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
        if (static_cast<int>(a + b + c) % 2 == 0 && near({a, b, c})) return false;
      }
    }
  }
  return true;
}

std::vector<Real3> cell_lattice_sites(const FillRegion& region, const SphereGrid& obstacles, double spacing,
                                      double radius) {
  const geometry::CellFrame& cell = *region.cell();
  const CellPlanes planes = planes_of(cell, spacing, radius);
  const auto& [nx, ny, nz] = planes.count;
  std::vector<Real3> sites;
  if (nx * ny * nz == 0 || !neighbours_fit(cell, planes, radius)) return sites;
  for (std::size_t z = 0; z < nz; ++z) {
    for (std::size_t y = 0; y < ny; ++y) {
      for (std::size_t x = (y + z) % 2; x < nx; x += 2) {
        const std::array<std::size_t, 3> index{x, y, z};
        Real3 share{};
        for (std::size_t k = 0; k < 3; ++k) share[k] = static_cast<double>(index[k]) * planes.step[k];
        const Real3 site = cell.at_with_margin(share, radius);
        // The region may contain boundaries. The sphere touches the faces of the region, within rounding.
        if (!region.holds(site, (1 - fit_tolerance) * radius)) continue;
        if (obstacles.is_free(site, radius)) sites.push_back(site);
      }
    }
  }
  return sites;
}

}  // namespace

std::vector<Real3> even_sites(const FillRegion& region, const SphereGrid& obstacles, std::size_t count, double radius) {
  // R3 sequence (Roberts 2018): point k has the fractional parts of k/g, k/g^2 and k/g^3 with g^4 = g + 1 as its shares
  // of the edges. Any number of these points is spread evenly.
  constexpr Real3 steps{0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  const geometry::CellFrame& cell = *region.cell();
  const std::size_t most = 50 * count + 10000;
  std::vector<Real3> sites;
  for (std::size_t i = 0; i < most && sites.size() < count; ++i) {
    Real3 share{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double turns = 0.5 + static_cast<double>(i) * steps[k];
      share[k] = turns - std::floor(turns);
    }
    const Real3 site = region.pulled_inside(cell.at_with_margin(share, radius), radius);
    if (region.holds(site, radius) && obstacles.is_free(site, radius)) sites.push_back(site);
  }
  // Sort by boxes of a few spheres each, so that neighbours are near in memory.
  const double box = 2 * exact_cbrt(region.volume() / static_cast<double>(count));
  const auto box_of = [&](const Real3& x) {
    return Real3{std::floor(x[2] / box), std::floor(x[1] / box), std::floor(x[0] / box)};
  };
  std::stable_sort(sites.begin(), sites.end(), [&](const Real3& a, const Real3& b) { return box_of(a) < box_of(b); });
  return sites;
}

std::vector<Real3> lattice_sites(const FillRegion& region, const SphereGrid& obstacles, double spacing, double radius,
                                 Pull pull) {
  if (region.cell() != nullptr) return cell_lattice_sites(region, obstacles, spacing, radius);
  const geometry::Bounds box = region.bounds();
  const double plane_distance = spacing / std::numbers::sqrt2, margin = region.margin(radius);
  std::array<std::size_t, 3> planes{};
  Real3 step{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double room = room_between(box.upper[k] - box.lower[k], margin);
    if (room < 0) return {};
    planes[k] = static_cast<std::size_t>(std::floor(room / plane_distance));
    step[k] = planes[k] > 0 ? room / static_cast<double>(planes[k]) : 0;
  }
  const auto coordinate = [&](std::size_t k, std::size_t index) {
    return std::fmin(box.lower[k] + margin + static_cast<double>(index) * step[k], box.upper[k] - margin);
  };
  std::vector<Real3> sites;
  for (std::size_t z = 0; z <= planes[2]; ++z) {
    for (std::size_t y = 0; y <= planes[1]; ++y) {
      for (std::size_t x = (y + z) % 2; x <= planes[0]; x += 2) {
        Real3 site = {coordinate(0, x), coordinate(1, y), coordinate(2, z)};
        if (pull == Pull::inside && region.holds(site, 0)) site = region.pulled_inside(site, radius);
        if (region.holds(site, radius) && obstacles.is_free(site, radius)) sites.push_back(site);
      }
    }
  }
  return sites;
}

std::vector<Real3> widest_lattice(const FillRegion& region, const SphereGrid& obstacles, std::size_t count,
                                  double closest, double radius, Pull pull) {
  const auto wanted = static_cast<double>(count);
  const geometry::Bounds box = region.bounds();
  // This limits the search to some seconds. No lattice is fine enough for a region of which only a tiny part is free,
  // such as a box whose lengths were given in millimetres.
  const double most_points = 2e7 + 1000 * wanted;
  const auto points = [&](double spacing) {
    double number = std::numbers::sqrt2;  // points of a face-centred lattice per cubed spacing
    for (std::size_t k = 0; k < 3; ++k) number *= (box.upper[k] - box.lower[k]) / spacing;
    return number;
  };
  double spacing = exact_cbrt(std::numbers::sqrt2 * region.volume() / wanted);
  while (true) {
    spacing = std::max(spacing, closest);
    auto sites = lattice_sites(region, obstacles, spacing, radius, pull);
    if (sites.size() >= count || spacing == closest || points(spacing) > most_points) return sites;
    const double share = std::max(static_cast<double>(sites.size()) / wanted, 0.7);
    spacing *= std::min(exact_cbrt(share), 0.995);
  }
}

}  // namespace scree::packing
