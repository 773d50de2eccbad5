#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/geometry/real3.hpp"
#include "host/grains/solid.hpp"

namespace scree::grains {
namespace {

using geometry::length;
using std::numbers::pi;

/// Moments of a body that is symmetric about the three coordinate planes.
clumps::Moments symmetric(double volume, double xx, double yy, double zz) {
  return {volume, {}, {xx, yy, zz, 0, 0, 0}};
}

/// Distance from the axis z.
double from_axis(const Real3& p) { return std::sqrt(p[0] * p[0] + p[1] * p[1]); }

/// Signed distance from the quadrant x < 0, y < 0.
double from_corner(double x, double y) {
  const double out_x = std::max(x, 0.0), out_y = std::max(y, 0.0);
  return std::sqrt(out_x * out_x + out_y * out_y) + std::min(std::max(x, y), 0.0);
}

class Sphere final : public Solid {
 public:
  explicit Sphere(double radius) : r_(radius) {}
  double distance(const Real3& p) const override { return length(p) - r_; }
  clumps::Moments moments() const override {
    const double volume = 4 * pi / 3 * r_ * r_ * r_, own = volume * r_ * r_ / 5;
    return symmetric(volume, own, own, own);
  }
  double reach(const Real3&) const override { return r_; }
  double farthest(const Real3& from) const override { return length(from) + r_; }
  std::optional<double> area() const override { return 4 * pi * r_ * r_; }

 private:
  double r_;
};

class Box final : public Solid {
 public:
  explicit Box(const Real3& half) : half_(half) {}
  double distance(const Real3& p) const override {
    const Real3 q = {std::fabs(p[0]) - half_[0], std::fabs(p[1]) - half_[1], std::fabs(p[2]) - half_[2]};
    const Real3 out = {std::max(q[0], 0.0), std::max(q[1], 0.0), std::max(q[2], 0.0)};
    return length(out) + std::min(std::max({q[0], q[1], q[2]}), 0.0);
  }
  clumps::Moments moments() const override {
    const auto& [a, b, c] = half_;
    const double volume = 8 * a * b * c;
    return symmetric(volume, volume * a * a / 3, volume * b * b / 3, volume * c * c / 3);
  }
  double reach(const Real3& d) const override {
    return half_[0] * std::fabs(d[0]) + half_[1] * std::fabs(d[1]) + half_[2] * std::fabs(d[2]);
  }
  double farthest(const Real3& from) const override {
    return length({half_[0] + std::fabs(from[0]), half_[1] + std::fabs(from[1]), half_[2] + std::fabs(from[2])});
  }
  std::optional<double> area() const override {
    return 8 * (half_[0] * half_[1] + half_[1] * half_[2] + half_[2] * half_[0]);
  }

 private:
  Real3 half_;
};

class Capsule final : public Solid {
 public:
  Capsule(double radius, double half_length) : r_(radius), half_(half_length) {}
  double distance(const Real3& p) const override {
    return length({p[0], p[1], p[2] - std::clamp(p[2], -half_, half_)}) - r_;
  }
  clumps::Moments moments() const override {
    const double r2 = r_ * r_, middle = 2 * pi * r2 * half_, ball = 4 * pi / 3 * r2 * r_;
    const double across = middle * r2 / 4 + ball * r2 / 5;
    // The two halves of a ball are moved apart by the length of the axis. The centre of mass of a half is at 3/8 r.
    const double along = middle * half_ * half_ / 3 + ball * (r2 / 5 + half_ * half_ + 0.75 * r_ * half_);
    return symmetric(middle + ball, across, across, along);
  }
  double reach(const Real3& d) const override { return half_ * std::fabs(d[2]) + r_; }
  double farthest(const Real3& from) const override {
    return length({from[0], from[1], std::fabs(from[2]) + half_}) + r_;
  }
  std::optional<double> area() const override { return 4 * pi * r_ * (half_ + r_); }

 private:
  double r_, half_;
};

class Cylinder final : public Solid {
 public:
  Cylinder(double radius, double half_height) : r_(radius), half_(half_height) {}
  double distance(const Real3& p) const override { return from_corner(from_axis(p) - r_, std::fabs(p[2]) - half_); }
  clumps::Moments moments() const override {
    const double volume = 2 * pi * r_ * r_ * half_, across = volume * r_ * r_ / 4;
    return symmetric(volume, across, across, volume * half_ * half_ / 3);
  }
  double reach(const Real3& d) const override { return half_ * std::fabs(d[2]) + r_ * from_axis(d); }
  double farthest(const Real3& from) const override {
    const double across = from_axis(from) + r_, along = std::fabs(from[2]) + half_;
    return std::sqrt(across * across + along * along);
  }
  std::optional<double> area() const override { return 2 * pi * r_ * (r_ + 2 * half_); }

 private:
  double r_, half_;
};

class Torus final : public Solid {
 public:
  Torus(double major_radius, double minor_radius) : major_(major_radius), minor_(minor_radius) {}
  double distance(const Real3& p) const override {
    const double across = from_axis(p) - major_;
    return std::sqrt(across * across + p[2] * p[2]) - minor_;
  }
  clumps::Moments moments() const override {
    const double r2 = minor_ * minor_, volume = 2 * pi * pi * major_ * r2;
    const double across = volume * (major_ * major_ / 2 + 3 * r2 / 8);
    return symmetric(volume, across, across, volume * r2 / 4);
  }
  double reach(const Real3& d) const override { return major_ * from_axis(d) + minor_; }
  double farthest(const Real3& from) const override {
    const double across = from_axis(from) + major_;
    return std::sqrt(across * across + from[2] * from[2]) + minor_;
  }
  std::optional<double> area() const override { return 4 * pi * pi * major_ * minor_; }

 private:
  double major_, minor_;
};

}  // namespace

SolidPointer make_sphere(double radius) { return std::make_unique<Sphere>(radius); }
SolidPointer make_box(const Real3& half_edges) { return std::make_unique<Box>(half_edges); }
SolidPointer make_capsule(double radius, double half_length) { return std::make_unique<Capsule>(radius, half_length); }
SolidPointer make_cylinder(double radius, double half_height) {
  return std::make_unique<Cylinder>(radius, half_height);
}
SolidPointer make_torus(double major_radius, double minor_radius) {
  return std::make_unique<Torus>(major_radius, minor_radius);
}

Real3 Placed::in_solid(const Real3& body) const {
  Real3 point = frame.center;
  for (std::size_t axis = 0; axis < 3; ++axis) point = geometry::along(point, body[axis], frame.axes[axis]);
  return point;
}

Real3 Placed::in_body(const Real3& point) const {
  const Real3 from = geometry::subtract(point, frame.center);
  return {geometry::dot(frame.axes[0], from), geometry::dot(frame.axes[1], from), geometry::dot(frame.axes[2], from)};
}

}  // namespace scree::grains
