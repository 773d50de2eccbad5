#pragma once

#include <vector>

#include "kernels/backend/exec.hpp"
#include "kernels/boundaries/paths.hpp"
#include "kernels/state/boundaries.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

struct Ball {
  Vec3d centre{0, 0, 0};  ///< [m]
  double radius = 0;      ///< [m]
};

/// A boundary that went far in a step.
struct FastMove {
  std::uint32_t boundary;
  double travel;           ///< [m] no point of it went farther
  std::vector<Pose> pose;  ///< from the start of the step to its end, at equal times
};

/// What the boundaries did in a step.
struct StepMoves {
  double most_travel = 0;  ///< [m] as most_travel() gives it
  std::vector<FastMove> fast;
};

/// Boundaries on the backend and how they move.
class BoundarySystem {
 public:
  explicit BoundarySystem(const Scene& scene);

  [[nodiscard]] bool any() const { return boundaries_.info.size() > 0; }
  [[nodiscard]] bool moving() const { return n_moving_ > 0; }
  [[nodiscard]] std::size_t n_moving() const { return n_moving_; }
  [[nodiscard]] BoundaryView view();

  /// Moves everything to where it stands at a time. Poses are functions of time and of the driven states.
  void place(Exec& exec, double time);

  /// Upper bound [m] of how far any point of a boundary moves in one step: of a mesh any point, of planes and cylinders
  /// those within `extent` of the world's origin. It compares where they stand before and after, so a motion that
  /// begins and ends within the step counts.
  [[nodiscard]] double most_travel(double time, double time_step, double extent) const;

  /// Whether the loads of a step do work or drive anything: not while all that can move stands still.
  [[nodiscard]] bool loads_matter(const StepTimes& times) const;
  /// Ends a step: `loads` of those that move, in their order, drive what is driven and do work. Boundaries with a point
  /// that may have gone farther than an eighth of `smallest_radius` [m] are among the fast ones.
  StepMoves finish_step(const StepTimes& times, const std::vector<Load>& loads, const DriveStep& scheme, double extent,
                        double smallest_radius);
  /// The boundaries as they stand in their reference poses, until the next call or the end of this object.
  [[nodiscard]] BoundaryView reference_view();

  /// [n_boundaries] What the run has made of them, to be saved and restored; `driven(b)` says whose motion it is.
  [[nodiscard]] const std::vector<DrivenState>& driven_states() const { return states_; }
  void set_driven(std::vector<DrivenState> states);
  [[nodiscard]] bool driven(std::size_t boundary) const { return paths_[boundary].driven(); }
  [[nodiscard]] Span<std::uint32_t> place_among_moving() { return place_.view(); }

  /// Where the vertices of a mesh stand, or those of the outline of another shape.
  [[nodiscard]] std::vector<Vec3d> vertices(std::size_t boundary, double time) const;
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] const std::vector<Feature>& features() const { return features_; }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  Boundaries boundaries_;
  std::vector<BoundaryPath> paths_;
  std::vector<DrivenState> states_;
  std::vector<std::vector<Vec3d>> outline_;  ///< [n_boundaries] for pictures; empty for meshes
  Buffer<Pose> reference_pose_;              ///< [n_boundaries] of no motion; empty until it is asked for
  Buffer<std::uint32_t> place_;              ///< [n_boundaries] among those that move, or no_index
  std::vector<BoundaryInfo> info_;
  std::vector<Feature> features_;
  std::vector<Ball> mesh_ball_;  ///< [n_boundaries] around the vertices of a mesh in the reference pose
  std::uint32_t n_moving_ = 0;

  [[nodiscard]] std::vector<Pose> poses(double time) const;
  [[nodiscard]] Ball ball(std::size_t boundary, const Pose& pose, double extent) const;
  [[nodiscard]] double travel(std::size_t boundary, const Pose& before, const Pose& after, double extent) const;
  [[nodiscard]] std::vector<Pose> poses_in_step(std::size_t boundary, const StepTimes& times, const DrivenState& before,
                                                std::size_t pieces) const;
};

}  // namespace scree::inline SCREE_BACKEND
