#include "host/packing/region_round.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "host/geometry/real3.hpp"
#include "host/geometry/sphere_volume.hpp"
#include "host/packing/between_walls.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

using namespace geometry;

constexpr double wider = 1 + fit_tolerance;  // rounding must not put a sphere outside that was pulled inside

void expect_radius(double radius, const std::string& path) {
  if (!std::isfinite(radius) || !(radius > 0)) throw CaseError(path, "must be > 0, got " + number_text(radius));
}

class FillCylinder final : public FillRegion {
 public:
  explicit FillCylinder(const CylinderRegion& cylinder)
      : from_(cylinder.from), radius_(cylinder.radius), inner_(cylinder.inner_radius) {
    const Real3 span = subtract(cylinder.to, cylinder.from);
    axis_ = unit(span);
    length_ = length(span);
    if (axis_ == Real3{}) throw CaseError("cylinder.to", "must be finite and differ from \"from\"");
    expect_radius(radius_, "cylinder.radius");
    if (!(inner_ >= 0 && inner_ < radius_)) {
      throw CaseError("cylinder.inner_radius", "must be >= 0 and below the radius, got " + number_text(inner_));
    }
    across_ = any_normal_to(axis_);
    third_ = cross(axis_, across_);
  }
  [[nodiscard]] std::string name() const override { return "cylinder"; }
  [[nodiscard]] Bounds bounds() const override {
    Bounds box;
    for (std::size_t k = 0; k < 3; ++k) {
      const double end = from_[k] + length_ * axis_[k];
      const double reach = radius_ * std::sqrt(std::fmax(0.0, 1 - axis_[k] * axis_[k]));
      box.lower[k] = std::fmin(from_[k], end) - reach;
      box.upper[k] = std::fmax(from_[k], end) + reach;
    }
    return box;
  }
  [[nodiscard]] double volume() const override {
    return std::numbers::pi * radius_ * radius_ * length_ - std::numbers::pi * inner_ * inner_ * length_;
  }
  [[nodiscard]] bool holds(const Real3& centre, double radius) const override {
    const Real3 offset = subtract(centre, from_);
    const double height = dot(offset, axis_);
    double most = radius_ - radius, least = inner_ > 0 ? inner_ + radius : 0;
    const double slack = slack_in(most - least, radius);
    most += slack, least -= slack;
    if (most < 0 || !fits_between(height, radius, 0, length_)) return false;
    const double away = squared_length(along(offset, -height, axis_));
    return away <= most * most && (inner_ == 0 || away >= least * least);
  }
  [[nodiscard]] Real3 pulled_inside(const Real3& centre, double radius) const override {
    const double room = radius * wider;
    const Real3 offset = subtract(centre, from_);
    const double height = pulled_between(dot(offset, axis_), radius, 0, length_);
    const Real3 across = along(offset, -dot(offset, axis_), axis_);
    double most = std::fmax(radius_ - room, 0.0), least = inner_ > 0 ? inner_ + room : 0;
    if (least > most) most = least = 0.5 * (inner_ + radius_);  // the gap is not wider than the sphere
    const double away = length(across);
    const Real3 middle = along(from_, height, axis_);
    if (away < least) { return away > 0 ? along(middle, least / away, across) : along(middle, least, across_); }
    return along(middle, away > most ? most / away : 1.0, across);
  }
  [[nodiscard]] Real3 candidate(double radius, Random& random) const override {
    const double room = radius_ - radius, height = random.uniform(radius, length_ - radius);
    const Real3 middle = along(from_, height, axis_);
    if (inner_ > 0) {
      const double least = inner_ + radius, away = std::sqrt(random.uniform(least * least, room * room));
      const auto [u, v] = direction(random);
      return along(along(middle, away * u, across_), away * v, third_);
    }
    const double u = room * random.uniform(-1, 1), v = room * random.uniform(-1, 1);
    return along(along(middle, u, across_), v, third_);
  }

 private:
  /// A random unit vector in the plane.
  static std::pair<double, double> direction(Random& random) {
    while (true) {
      const double u = random.uniform(-1, 1), v = random.uniform(-1, 1), square = u * u + v * v;
      if (square <= 1 && square > 1e-6) { return {u / std::sqrt(square), v / std::sqrt(square)}; }
    }
  }

  Real3 from_, axis_{}, across_{}, third_{};
  double radius_, inner_, length_ = 0;
};

class FillSphere final : public FillRegion {
 public:
  explicit FillSphere(const SphereRegion& sphere) : sphere_(sphere) {
    expect_radius(sphere.radius, "sphere.radius");
    if (!is_finite(sphere.center)) throw CaseError("sphere.center", "must be finite");
  }
  [[nodiscard]] std::string name() const override { return "sphere"; }
  [[nodiscard]] Bounds bounds() const override {
    const Real3 reach = {sphere_.radius, sphere_.radius, sphere_.radius};
    return {subtract(sphere_.center, reach), add(sphere_.center, reach)};
  }
  [[nodiscard]] double volume() const override { return sphere_volume(sphere_.radius); }
  [[nodiscard]] bool holds(const Real3& centre, double radius) const override {
    const double room = sphere_.radius - radius, most = room + slack_in(room, radius);
    return most >= 0 && squared_length(subtract(centre, sphere_.center)) <= most * most;
  }
  [[nodiscard]] Real3 pulled_inside(const Real3& centre, double radius) const override {
    const Real3 offset = subtract(centre, sphere_.center);
    const double away = length(offset), most = std::fmax(sphere_.radius - radius * wider, 0.0);
    return away > most ? along(sphere_.center, most / away, offset) : centre;
  }
  [[nodiscard]] Real3 candidate(double radius, Random& random) const override {
    return along(sphere_.center, sphere_.radius - radius, random.in_ball());
  }

 private:
  SphereRegion sphere_;
};

}  // namespace

std::unique_ptr<FillRegion> make_region_cylinder(const CylinderRegion& cylinder) {
  return std::make_unique<FillCylinder>(cylinder);
}

std::unique_ptr<FillRegion> make_region_sphere(const SphereRegion& sphere) {
  return std::make_unique<FillSphere>(sphere);
}

}  // namespace scree::packing
