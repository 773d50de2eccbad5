#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "host/geometry/real3.hpp"
#include "host/geometry/symmetric_matrix.hpp"
#include "host/measure/cell_meters.hpp"
#include "host/measure/meters.hpp"
#include "host/measure/placed_region.hpp"
#include "host/measure/unknown.hpp"

/// What probes of regions share.
namespace scree::probe {

inline constexpr std::array<const char*, 3> axes{"x", "y", "z"};

inline void add_dyad(Matrix3& m, double weight, const Real3& a, const Real3& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) m[i][j] += weight * a[i] * b[j];
  }
}

inline void append_all(std::vector<double>& values, const Matrix3& m, double factor) {
  for (const Real3& row : m) {
    for (const double component : row) values.push_back(factor * component);
  }
}

inline void append_symmetric(std::vector<double>& values, const Matrix3& m, double factor) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) values.push_back(factor * m[i][j]);
  }
}

inline std::vector<std::string> tensor_names(const std::string& name, const std::string& unit, bool symmetric) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = symmetric ? i : 0; j < 3; ++j) {
      names.push_back((name + "_").append(axes[i]).append(axes[j]).append(unit));
    }
  }
  return names;
}

/// Columns of a force and a torque.
inline std::vector<std::string> force_and_torque_names() {
  std::vector<std::string> names;
  names.reserve(6);
  for (const char* axis : axes) { names.push_back(std::string("force_") + axis + "[N]"); }
  for (const char* axis : axes) { names.push_back(std::string("torque_") + axis + "[N m]"); }
  return names;
}

inline std::optional<Matrix3> inverse(const Matrix3& m) {
  const Matrix3 cofactor{geometry::cross(m[1], m[2]), geometry::cross(m[2], m[0]), geometry::cross(m[0], m[1])};
  const double determinant = geometry::dot(m[0], cofactor[0]);
  const double scale = geometry::length(m[0]) * geometry::length(m[1]) * geometry::length(m[2]);
  if (!(std::fabs(determinant) > 1e-12 * scale)) return std::nullopt;
  Matrix3 result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = cofactor[j][i] / determinant;
  }
  return result;
}

/// One particle, or in a periodic cell one image of it.
struct Present {
  std::uint32_t index = 0;  ///< in the view
  Real3 position{};         ///< [m] where the forces acted
  Real3 velocity{};         ///< [m/s]
};

/// Distances from an axis.
class DistanceFromAxis {
 public:
  explicit DistanceFromAxis(const ProbeAxis& axis) : point_(axis.point), direction_(geometry::unit(axis.direction)) {}

  /// [m] Distance of a point.
  [[nodiscard]] double of(const Real3& position) const {
    return geometry::length(geometry::cross(geometry::subtract(position, point_), direction_));
  }
  /// Whether the cell repeats across the axis. Then a particle has many distances.
  [[nodiscard]] bool is_repeated_by(const CellState& cell) const {
    for (std::size_t k = 0; k < 3; ++k) {
      const Real3 edge = geometry::unit(cell.edges[k]);
      if (cell.periodic[k] && geometry::length(geometry::cross(edge, direction_)) > geometry::no_lean) return true;
    }
    return false;
  }

 private:
  Real3 point_, direction_;
};

/// A probe that looks at the particles whose centres lie in a region. In a periodic cell all images of particles count
/// that lie there, and of the region that is the cell just one of each.
class RegionProbe : public Probe {
 public:
  explicit RegionProbe(std::unique_ptr<packing::FillRegion> region) : region_(std::move(region)) {}

 protected:
  /// [m3] Volume of the region; of a region that is the periodic cell, the present volume.
  [[nodiscard]] double volume(const ProbeView& view) const {
    return region_.is_everywhere() ? view.cell.value().volume : region_.volume();
  }

  /// Calls `visit(shift)` for each image of a point that is inside, by its way from there [m].
  template <class Visit>
  void visit_inside(const ProbeView& view, const Real3& point, Visit&& visit) const {
    region_.visit_inside(view.frame ? &*view.frame : nullptr, point, visit);
  }

  [[nodiscard]] double times_inside(const ProbeView& view, const Real3& point) const {
    double times = 0;
    visit_inside(view, point, [&](const Real3&) { ++times; });
    return times;
  }

  /// [n] How often each of the points point(0) to point(n - 1) is inside. All threads share the work.
  template <class Point>
  [[nodiscard]] std::vector<double> times_inside(const ProbeView& view, std::size_t n, const Point& point) const {
    std::vector<double> times(n);
#pragma omp parallel for schedule(static) if (n > few)
    for (std::size_t i = 0; i < n; ++i) times[i] = times_inside(view, point(i));
    return times;
  }

  [[nodiscard]] std::vector<Present> particles_inside(const ProbeView& view) const {
    std::vector<Present> found;
    for (std::uint32_t i = 0; i < view.position.size(); ++i) {
      if (!view.sees(i)) continue;
      visit_inside(view, view.position[i], [&](const Real3& shift) {
        const Real3 drift = view.cell ? mean_flow(*view.cell, shift) : Real3{};
        found.push_back({i, geometry::add(view.position[i], shift), geometry::add(view.now.velocity[i], drift)});
      });
    }
    return found;
  }

  /// Sum over the contacts of the particles inside of force on the particle x arm from its centre to the contact [N m].
  [[nodiscard]] Matrix3 force_moments(const ProbeView& view) const {
    Matrix3 sum{};
    if (!view.contacts_known) {
      for (Real3& row : sum) { row = {unknown, unknown, unknown}; }
      return sum;
    }
    const std::vector<double> times =
        times_inside(view, view.position.size(), [&](std::size_t i) { return view.position[i]; });
    const auto add = [&](std::uint32_t i, const TouchingContact& contact, double sign) {
      if (i == ProbeView::none || times[i] == 0 || !view.sees(i)) return;
      const Real3 arm = geometry::subtract(contact.point, view.position[i]);
      add_dyad(sum, sign * times[i], contact.force, view.shortest(arm));
    };
    for (std::size_t c = 0; c < view.ends.size(); ++c) {
      add(view.ends[c][0], view.contacts[c], -1);
      add(view.ends[c][1], view.contacts[c], 1);
    }
    return sum;
  }

  /// The momentum that the fluctuations of velocities carry.
  struct MomentumFlux {
    Matrix3 sum{};    ///< [J] of mass x fluctuation x fluctuation
    double mass = 0;  ///< [kg] of the particles that fluctuate
  };
  /// The momentum flux of the given particles. A particle that its group holds does not fluctuate, because it moves as
  /// a wall does. The probe must ask for MeasureNeeds::held.
  [[nodiscard]] static MomentumFlux momentum_flux(const ProbeView& view, std::vector<Present> all) {
    std::erase_if(all, [&](const Present& particle) { return view.is_held(particle.index); });
    MomentumFlux flux;
    Real3 momentum{};
    for (const auto& [i, position, velocity] : all) {
      flux.mass += view.mass[i];
      momentum = geometry::along(momentum, view.mass[i], velocity);
    }
    const Real3 mean = flux.mass > 0 ? geometry::scaled(momentum, 1 / flux.mass) : Real3{};
    for (const auto& [i, position, velocity] : all) {
      const Real3 v = view.cell ? view.now.fluctuation[i] : geometry::subtract(velocity, mean);
      add_dyad(flux.sum, view.mass[i], v, v);
    }
    return flux;
  }

 private:
  static constexpr std::size_t few = 4096;  ///< points that are not worth a team of threads

  PlacedRegion region_;
};

}  // namespace scree::probe
