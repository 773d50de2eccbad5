#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "host/geometry/real3.hpp"
#include "host/probes/meters.hpp"

/// What probes of regions share.
namespace scree::probe {

using Matrix = std::array<Real3, 3>;

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::array<const char*, 3> axes{"x", "y", "z"};

inline void add_dyad(Matrix& m, double weight, const Real3& a, const Real3& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) m[i][j] += weight * a[i] * b[j];
  }
}

inline void append_all(std::vector<double>& values, const Matrix& m, double factor) {
  for (const Real3& row : m) {
    for (const double component : row) values.push_back(factor * component);
  }
}

inline void append_symmetric(std::vector<double>& values, const Matrix& m, double factor) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) values.push_back(factor * m[i][j]);
  }
}

inline std::vector<std::string> tensor_names(const std::string& name, const std::string& unit, bool symmetric) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = symmetric ? i : 0; j < 3; ++j) names.push_back(name + "_" + axes[i] + axes[j] + unit);
  }
  return names;
}

inline std::optional<Matrix> inverse(const Matrix& m) {
  const Matrix cofactor{geometry::cross(m[1], m[2]), geometry::cross(m[2], m[0]), geometry::cross(m[0], m[1])};
  const double determinant = geometry::dot(m[0], cofactor[0]);
  const double scale = geometry::length(m[0]) * geometry::length(m[1]) * geometry::length(m[2]);
  if (!(std::fabs(determinant) > 1e-12 * scale)) return std::nullopt;
  Matrix result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = cofactor[j][i] / determinant;
  }
  return result;
}

/// A probe that looks at the particles whose centres lie in a region.
class RegionProbe : public Probe {
 public:
  explicit RegionProbe(std::unique_ptr<packing::FillRegion> region) : region_(std::move(region)) {}

 protected:
  [[nodiscard]] bool inside(const Real3& point) const { return region_ == nullptr || region_->holds(point, 0); }
  [[nodiscard]] double volume() const { return region_->volume(); }
  [[nodiscard]] std::vector<std::uint32_t> particles_inside(const ProbeView& view) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < view.position.size(); ++i) {
      if (inside(view.position[i])) found.push_back(i);
    }
    return found;
  }

  /// Sum over the contacts of the particles inside of force on the particle x arm from its centre to the contact [N m].
  [[nodiscard]] Matrix force_moments(const ProbeView& view) const {
    Matrix sum{};
    const auto add = [&](std::uint32_t id, const Real3& point, const Real3& force, double sign) {
      const std::uint32_t i = view.index[id];
      if (i == ProbeView::none || !inside(view.position[i])) return;
      add_dyad(sum, sign, force, geometry::subtract(point, view.position[i]));
    };
    for (const TouchingContact& contact : view.contacts) {
      if (!contact.with_boundary) add(contact.first, contact.point, contact.force, -1);
      add(contact.second, contact.point, contact.force, 1);
    }
    return sum;
  }

 private:
  std::unique_ptr<packing::FillRegion> region_;
};

}  // namespace scree::probe
