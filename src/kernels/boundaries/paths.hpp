#pragma once

#include <vector>

#include "kernels/state/boundaries.hpp"
#include "kernels/state/step_times.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// Force of the contacts on a boundary, and its torque about the world's origin.
struct Load {
  Vec3d force{0, 0, 0};   ///< [N]
  Vec3d torque{0, 0, 0};  ///< [N m]
};

/// Gravity and damping of driven boundaries, which are the same for all of them.
struct DriveStep {
  Vec3d gravity;   ///< [m/s2]
  double damping;  ///< [-] Cundall
};

/// A function of time, given by a table of positions or of speeds.
class TimeFunction {
 public:
  /// The times of the rows must ascend. The function is linear between rows; so the integral of speeds is exact.
  TimeFunction(const TimeTable& rows, bool is_speed);
  struct Value {
    double position, velocity;  ///< velocity: derivative of the position; from the right at a row
  };
  /// Value at a time [s]. Outside of the table the position stays constant.
  [[nodiscard]] Value at(double time) const;

 private:
  TimeTable rows_;
  std::vector<double> integral_;  ///< [n_rows] integral of the speed up to each row; empty for positions
};

/// The motion of a boundary: its prescribed motions one after the other, then the motion due to forces.
class BoundaryPath {
 public:
  explicit BoundaryPath(const SceneBoundary& boundary);
  explicit BoundaryPath(std::vector<Motion> motions);

  [[nodiscard]] bool moves() const { return !motions_.empty() || drive_.has_value(); }
  [[nodiscard]] bool driven() const { return drive_.has_value(); }
  [[nodiscard]] DrivenState start() const;

  /// Pose at a time [s]: of the prescribed motions alone, or with the motion due to forces, too.
  [[nodiscard]] Pose at(double time) const;
  [[nodiscard]] Pose at(double time, const DrivenState& state) const;

  /// The state one step earlier, but with the velocities of `state`.
  [[nodiscard]] DrivenState before(const DrivenState& state, const StepTimes& times) const;
  /// The state after the next step. Forces act as on a particle (leapfrog); the work is not counted here.
  [[nodiscard]] DrivenState after(const DrivenState& state, const StepTimes& times, const Load& contacts,
                                  const DriveStep& scheme) const;

 private:
  [[nodiscard]] bool is_free(double time) const { return drive_ && time >= drive_->from; }

  std::vector<Motion> motions_;
  std::vector<TimeFunction> tables_;  ///< one for each TableMotion, in their order
  std::optional<Drive> drive_;
};

/// The mean velocity and spin of a boundary on its way from one pose to another within a time [s]. `now` is its pose in
/// between: the result is this pose with the mean velocity and spin.
[[nodiscard]] Pose mean_velocity(const Pose& before, const Pose& now, const Pose& after, double time);

/// Pose at a time [s] under a list of motions, applied one after the other.
[[nodiscard]] inline Pose pose_at(const std::vector<Motion>& motions, double time) {
  return BoundaryPath(motions).at(time);
}

}  // namespace scree::inline SCREE_BACKEND
