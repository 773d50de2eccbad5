#pragma once

#include <vector>

#include "kernels/backend/exec.hpp"
#include "kernels/state/boundaries.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

struct Ball {
  Vec3d centre{0, 0, 0};  ///< [m]
  double radius = 0;      ///< [m]
};

/// Boundaries on the backend and their prescribed motion.
class BoundarySystem {
 public:
  explicit BoundarySystem(const Scene& scene);

  [[nodiscard]] bool any() const { return boundaries_.info.size() > 0; }
  [[nodiscard]] bool moving() const { return any_moving_; }
  [[nodiscard]] BoundaryView view();

  /// Moves everything to where it stands at a time. Poses are functions of time alone, not of the steps taken.
  void place(Exec& exec, double time);

  /// Upper bound [m] of how far any point of a boundary moves in one step: of a mesh any point, of planes and cylinders
  /// those within `extent` of the world's origin. It compares where they stand before and after, so a motion that begins
  /// and ends within the step counts.
  [[nodiscard]] double most_travel(double time, double time_step, double extent) const;

  [[nodiscard]] std::vector<Vec3d> vertices(std::size_t boundary) const;
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] const std::vector<Feature>& features() const { return features_; }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  Boundaries boundaries_;
  std::vector<std::vector<Motion>> motions_;
  std::vector<BoundaryInfo> info_;
  std::vector<Feature> features_;
  std::vector<Ball> mesh_ball_;  ///< [n_boundaries] around the vertices of a mesh in the reference pose
  bool any_moving_ = false;
};

/// Pose at a time under a list of motions applied one after the other.
[[nodiscard]] Pose pose_at(const std::vector<Motion>& motions, double time);

}  // namespace scree::inline SCREE_BACKEND
