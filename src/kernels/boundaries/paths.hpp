#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernels/contact/boundary_drive.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

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

  [[nodiscard]] bool moves() const { return !motions_.empty() || drive_.any; }
  [[nodiscard]] bool driven() const { return drive_.any; }
  [[nodiscard]] const BoundaryDrive& drive() const { return drive_; }
  [[nodiscard]] const DrivenState& start() const { return start_; }

  /// From `time` [s] on the boundary moves by these motions, from where it is then. A motion that began earlier begins
  /// at that time.
  void steer(double time, std::vector<Motion> motions);
  void set_drive(const std::optional<Real3>& force, std::optional<double> torque);

  /// Pose at a time [s]: of the prescribed motions alone, or with the motion due to forces, too.
  [[nodiscard]] Pose at(double time) const;
  [[nodiscard]] Pose at(double time, const DrivenState& state) const { return drive_.pose(at(time), time, state); }

 private:
  void read_tables();

  std::vector<Motion> motions_;
  Pose base_;                                    ///< of the prescribed motions at since_
  double since_ = 0;                             ///< [s] time from which steer() changed the motions
  std::shared_ptr<const BoundaryPath> earlier_;  ///< the path before since_; null: it was never steered
  std::vector<TimeFunction> tables_;             ///< one for each TableMotion, in their order
  BoundaryDrive drive_;
  DrivenState start_;
};

/// Pose at a time [s] under a list of motions, applied one after the other.
[[nodiscard]] inline Pose pose_at(const std::vector<Motion>& motions, double time) {
  return BoundaryPath(motions).at(time);
}

}  // namespace scree::inline SCREE_BACKEND
