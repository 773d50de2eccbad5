#pragma once

#include <vector>

#include "kernels/state/boundaries.hpp"
#include "kernels/state/step_times.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// Force and torque about the world's origin.
struct Load {
  Vec3d force{0, 0, 0};   ///< [N]
  Vec3d torque{0, 0, 0};  ///< [N m]
};

/// What acts on a driven boundary in a step, besides the contacts.
struct DriveStep {
  Vec3d gravity;   ///< [m/s2]
  double damping;  ///< [-] Cundall
};

/// A table over time, ready to be looked up.
class TimeFunction {
 public:
  /// Rows with ascending times. A speed is integrated: exactly, as it is linear in between.
  TimeFunction(const TimeTable& rows, bool is_speed);
  struct Value {
    double position, velocity;  ///< the derivative of the position, from the right where it jumps
  };
  [[nodiscard]] Value at(double time) const;

 private:
  TimeTable rows_;
  std::vector<double> integral_;  ///< [n_rows] of a speed; empty for positions
};

/// How a boundary moves: its prescribed motions one after the other, then what forces have done to it.
class BoundaryPath {
 public:
  explicit BoundaryPath(const SceneBoundary& boundary);
  explicit BoundaryPath(std::vector<Motion> motions);

  [[nodiscard]] bool moves() const { return !motions_.empty() || drive_.has_value(); }
  [[nodiscard]] bool driven() const { return drive_.has_value(); }
  [[nodiscard]] DrivenState start() const;

  /// Where it stands at a time, without and with what forces have done by then.
  [[nodiscard]] Pose at(double time) const;
  [[nodiscard]] Pose at(double time, const DrivenState& state) const;

  /// The state before and after a step; what drives it acts as on a particle (leapfrog).
  [[nodiscard]] DrivenState before(const DrivenState& state, const StepTimes& times) const;
  [[nodiscard]] DrivenState after(const DrivenState& state, const StepTimes& times, const Load& contacts,
                                  const DriveStep& scheme) const;

 private:
  [[nodiscard]] bool is_free(double time) const { return drive_ && time >= drive_->from; }

  std::vector<Motion> motions_;
  std::vector<TimeFunction> tables_;  ///< of the motions by table, in their order
  std::optional<Drive> drive_;
};

/// Velocity field with which a boundary went from one pose to another within a time [s], as seen from `now` between
/// them. Only velocity and spin are set.
[[nodiscard]] Pose mean_velocity(const Pose& before, const Pose& now, const Pose& after, double time);

/// Pose at a time under a list of motions applied one after the other.
[[nodiscard]] inline Pose pose_at(const std::vector<Motion>& motions, double time) {
  return BoundaryPath(motions).at(time);
}

}  // namespace scree::inline SCREE_BACKEND
