#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The motion of a wall that holds a stress: along its direction, or, for a cylinder, by a change of its radius. Its
/// servo uses one coordinate, the distance towards the particles.
class ServoMove {
 public:
  virtual ~ServoMove() = default;
  ServoMove(const ServoMove&) = delete;
  ServoMove& operator=(const ServoMove&) = delete;

  /// [m] How much nearer to the particles the wall is than at the start.
  [[nodiscard]] virtual double way(const BoundaryLoad& load) const = 0;
  /// [N] The force that drives the wall towards the particles, gravity included.
  [[nodiscard]] virtual double push(const Real3& gravity) const = 0;
  /// Sets the force of the drive so that the total force on the wall, with gravity, is `push` [N].
  virtual void set_push(double push, const Real3& gravity) = 0;
  /// Passes this force to the engine. A wall with a speed [m/s] moves towards the particles at this speed instead.
  virtual void put(const std::optional<double>& speed, Engine& engine) const = 0;

  /// [N] The force of the drive, as in checkpoints. For a cylinder the first number is the sum of the forces towards
  /// its axis, and the others are 0.
  Real3 force{};

 protected:
  ServoMove() = default;
};

/// The move of boundary `index` of a scene, which has a servo. The boundary must outlive it.
[[nodiscard]] std::unique_ptr<ServoMove> make_servo_move(const SceneBoundary& boundary, std::uint32_t index);

}  // namespace scree
