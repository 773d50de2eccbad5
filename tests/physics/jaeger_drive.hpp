#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "scenes.hpp"
#include "scree/contact_test.hpp"

/// Drives one contact of the law jaeger along a path in the quantities of the law: half overlaps, half displacements,
/// A, kappa and mu.
namespace scree::physics {

/// A sphere on a rigid body, with material values that give the Hertz constant A [N m^-1.5] and kappa at this effective
/// radius.
inline Scene jaeger_scene(double hertz, double kappa, double friction, double radius,
                          Precision precision = Precision::double_) {
  const double poisson = (2 * kappa - 2) / (2 * kappa - 1);  // kappa = (2 - nu) / (2 (1 - nu))
  const double effective = hertz / (8.0 / 3.0 * std::sqrt(2 * radius));
  MaterialPair pair;
  pair.friction = friction;
  Scene scene =
      empty_scene(LawKind::jaeger, {effective * (1 - poisson * poisson), poisson, 2500}, {rigid, 0, 1}, pair, 1);
  scene.precision = precision;
  return scene;
}

/// A sphere on a wall, or on a rigid sphere of the same size with its centre at the origin. A step takes one second, so
/// that displacements are velocities. A sphere on a sphere rotates instead of moving, so that the normal is constant.
class DrivenSphere {
 public:
  DrivenSphere(const Scene& scene, double radius, bool wall = true)
      : radius_(radius), wall_(wall), test_(make_contact_test(scene, {{1, 0}, {wall ? 0 : radius, radius}, wall})) {}

  /// Moves the contact to a half overlap, with a half displacement along the wall. An open contact begins with this
  /// step.
  const ContactAnswer& to(double zeta, double x = 0, double y = 0) {
    const double before = std::max(zeta_, 0.0);
    return step(zeta, before - std::max(zeta, 0.0), x, y);
  }
  /// Moves the contact in a straight line from its last position, at any distance.
  const ContactAnswer& straight_to(double zeta, double x, double y) { return step(zeta, zeta_ - zeta, x, y); }

  /// [N] force on the other body, along the movement of the sphere.
  [[nodiscard]] std::array<double, 2> force() const { return {0.0 - answer_.force[1], 0.0 - answer_.force[2]}; }
  [[nodiscard]] double normal() const { return answer_.force[0]; }
  [[nodiscard]] const ContactAnswer& answer() const { return answer_; }

 private:
  const ContactAnswer& step(double zeta, double away, double x, double y) {
    ContactMove move;
    move.time_step = 1;
    move.position[1] = {(wall_ ? radius_ : 2 * radius_) - 2 * zeta, 0, 0};
    if (wall_) {
      move.velocity[1] = {2 * away, 2 * x, 2 * y};
    } else {
      const double arm = radius_ - zeta;
      move.velocity[1] = {2 * away, 0, 0};
      move.spin[1] = {0, 2 * y / arm, -2 * x / arm};
    }
    answer_ = test_->step(move);
    zeta_ = zeta;
    return answer_;
  }

  double radius_, zeta_ = 0;
  bool wall_;
  std::unique_ptr<ContactTest> test_;
  ContactAnswer answer_{};
};

/// A power of two, at least twice eight half overlaps: the rounding error of positions is then 1e-15 of the half
/// overlap.
inline double roomy_radius(double zeta) { return std::exp2(std::ceil(std::log2(8 * zeta)) + 1); }

}  // namespace scree::physics
