#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernels/boundaries/boundary_drive.hpp"
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

/// A copy of a path that remembers at most one earlier path. Poses are needed only from the last step on, and a path
/// may be steered in every step.
template <class Path>
[[nodiscard]] std::shared_ptr<const Path> shortened(const Path& path);

/// The motion of the surface of a boundary relative to it: the sum of the velocities of a list of motions.
class SurfacePath {
 public:
  explicit SurfacePath(std::vector<Motion> motions);
  /// From `time` [s] on the surface moves by these motions. A motion that began earlier begins at that time.
  void steer(double time, std::vector<Motion> motions);
  /// Adds the velocity of the surface at a time [s] to a pose.
  void set(Pose& pose, double time) const;

 private:
  friend std::shared_ptr<const SurfacePath> shortened<SurfacePath>(const SurfacePath& path);
  std::vector<Motion> motions_;
  std::vector<TimeFunction> tables_;            ///< one for each TableMotion, in their order
  double since_ = 0;                            ///< [s] time from which steer() changed the motions
  std::shared_ptr<const SurfacePath> earlier_;  ///< before since_; null: it was never steered
};

/// The motion of a boundary: its prescribed motions one after the other, then the motion due to forces.
class BoundaryPath {
 public:
  explicit BoundaryPath(const SceneBoundary& boundary);
  explicit BoundaryPath(std::vector<Motion> motions);

  [[nodiscard]] bool slides() const { return surface_.has_value(); }
  [[nodiscard]] bool driven() const { return drive_.any; }
  [[nodiscard]] const BoundaryDrive& drive() const { return drive_; }
  [[nodiscard]] const DrivenState& start() const { return start_; }

  /// From `time` [s] on the boundary moves by these motions, starting from its place at that time. A motion that began
  /// earlier begins at that time.
  void steer(double time, std::vector<Motion> motions);
  /// The same for the motions of the surface, which must slide.
  void steer_surface(double time, std::vector<Motion> motions);
  void set_drive(const std::optional<Real3>& force, std::optional<double> torque);
  /// See Engine::lead_drive().
  void lead_drive(const std::optional<Real3>& velocity);
  /// See Engine::set_radial_drive().
  void set_radial_drive(double force, std::optional<double> rate);

  /// Pose at a time [s]: of the prescribed motions alone, or with the motion due to forces, too.
  [[nodiscard]] Pose at(double time) const;
  [[nodiscard]] Pose at(double time, const DrivenState& state) const { return drive_.pose(at(time), time, state); }

 private:
  friend std::shared_ptr<const BoundaryPath> shortened<BoundaryPath>(const BoundaryPath& path);
  std::vector<Motion> motions_;
  Pose base_;                                    ///< of the prescribed motions at since_
  double since_ = 0;                             ///< [s] time from which steer() changed the motions
  std::shared_ptr<const BoundaryPath> earlier_;  ///< the path before since_; null: it was never steered
  std::vector<TimeFunction> tables_;             ///< one for each TableMotion, in their order
  std::optional<SurfacePath> surface_;           ///< none: the surface does not move relative to the boundary
  BoundaryDrive drive_;
  DrivenState start_;
};

/// Pose at a time [s] under a list of motions, applied one after the other.
[[nodiscard]] inline Pose pose_at(const std::vector<Motion>& motions, double time) {
  return BoundaryPath(motions).at(time);
}

}  // namespace scree::inline SCREE_BACKEND
