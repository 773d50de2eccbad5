#include "host/run/servo_move.hpp"

#include "host/geometry/real3.hpp"
#include "host/measure/displacement.hpp"

namespace scree {
namespace {

class MoveAlongDirection final : public ServoMove {
 public:
  MoveAlongDirection(const SceneBoundary& boundary, std::uint32_t index)
      : boundary_(boundary),
        index_(index),
        direction_(boundary.servo->direction),
        mass_(boundary.drive->translation->mass) {}

  [[nodiscard]] double way(const BoundaryLoad& load) const override {
    return geometry::dot(displacement(boundary_, load), direction_);
  }
  [[nodiscard]] double push(const Real3& gravity) const override {
    return geometry::dot(geometry::along(force, mass_, gravity), direction_);
  }
  void set_push(double push, const Real3& gravity) override {
    force = geometry::along(geometry::scaled(direction_, push), -mass_, gravity);
  }
  void put(const std::optional<double>& speed, Engine& engine) const override {
    engine.set_drive(index_, force, std::nullopt);
    engine.lead_drive(index_, speed ? std::optional(geometry::scaled(direction_, *speed)) : std::nullopt);
  }

 private:
  const SceneBoundary& boundary_;
  std::uint32_t index_;
  Real3 direction_;
  double mass_;  ///< [kg]
};

/// Gravity has no part along a radius.
class MoveByRadius final : public ServoMove {
 public:
  explicit MoveByRadius(std::uint32_t index) : index_(index) {}

  [[nodiscard]] double way(const BoundaryLoad& load) const override { return -load.growth; }
  [[nodiscard]] double push(const Real3&) const override { return force[0]; }
  void set_push(double push, const Real3&) override { force = {push, 0, 0}; }
  void put(const std::optional<double>& speed, Engine& engine) const override {
    engine.set_radial_drive(index_, -force[0], speed ? std::optional(-*speed) : std::nullopt);
  }

 private:
  std::uint32_t index_;
};

}  // namespace

std::unique_ptr<ServoMove> make_servo_move(const SceneBoundary& boundary, std::uint32_t index) {
  if (boundary.changes_radius()) { return std::make_unique<MoveByRadius>(index); }
  return std::make_unique<MoveAlongDirection>(boundary, index);
}

}  // namespace scree
