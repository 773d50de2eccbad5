#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/output/output_schedule.hpp"
#include "host/run/servo_move.hpp"
#include "host/scene/servo_goal.hpp"
#include "scree/engine.hpp"
#include "scree/engine_state.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The walls of a run that hold stresses or forces. A wall has a mass and a resistance to its velocity; it rests only
/// if the particles push it with the force of its drive. That force follows from the present area of the wall. It is
/// set every `interval` steps, and when a stage begins.
///
/// A wall that keeps moving, such as the side of a sample that dilates, would hold its stress minus or plus the
/// resistance. Therefore the drive also has the force that the resistance to the mean velocity takes. This mean follows
/// the wall more slowly than the wall follows the particles, so that the wall comes to rest as it would without this
/// force.
class Servos {
 public:
  static constexpr std::uint64_t interval = 100;  ///< [steps]

  /// `scene` must outlive it.
  explicit Servos(const Scene& scene);

  [[nodiscard]] bool any() const { return !walls_.empty(); }
  [[nodiscard]] RunTarget next(const Engine& engine) const;
  [[nodiscard]] bool due(const Engine& engine) const { return engine.step() % interval == 0; }
  /// Sets the forces of all drives. Gravity acts on walls as on everything with a mass, so their weight is subtracted.
  void set_forces(Engine& engine);
  /// Makes the changes of a stage that begins at a time [s]. Call set_forces() afterwards.
  void change(const SceneStage& stage, double time);

  /// [-] The largest difference between the stress or force that a wall holds and its goal, over the goal. Walls that
  /// are absent, or that move with a given speed, do not count. Infinite if the particles push a wall whose goal is 0.
  [[nodiscard]] double error(Engine& engine) const;
  /// A sentence about each wall that the particles push with less than half of its goal: it has not reached the
  /// particles yet, or moves too slowly.
  [[nodiscard]] std::vector<std::string> shortfalls(Engine& engine) const;

  /// A sentence about each wall that the particles have recently pushed with a mean of more than 1.1 times its goal: it
  /// would have to retreat faster than its resistance allows.
  [[nodiscard]] std::vector<std::string> excesses() const;

  /// Saves the last forces, and the means, coordinate and time of each wall.
  void save(std::vector<StateArray>& arrays) const;
  /// Sets these forces again. Throws StateError.
  void restore(const std::vector<StateArray>& arrays, Engine& engine);

 private:
  struct Wall {
    std::uint32_t boundary;  ///< index into Scene::boundaries
    SceneServo now;          ///< with the goal of the present stage
    std::unique_ptr<ServoMove> move;
    double wanted = 0;    ///< [N] what it should hold, when the force was set last
    bool present = true;  ///< as far as stages say
    double held = 0;      ///< [N] mean force with which the particles push it
    double velocity = 0;  ///< [m/s] its mean velocity towards the particles, while they push it
    double way = 0;       ///< [m] ServoMove::way() when its force was set last
    double time = 0;      ///< [s] then
  };
  /// Updates the means of a wall. At this point Wall::wanted is the present value, and the force of its drive still the
  /// last one.
  void follow(Wall& wall, const Engine& engine, const BoundaryLoad& load) const;
  template <class Look>
  void each_held(Engine& engine, const Look& look) const;

  const Scene& scene_;
  std::vector<Wall> walls_;
};

}  // namespace scree
