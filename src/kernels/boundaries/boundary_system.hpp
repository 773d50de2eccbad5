#pragma once

#include <vector>

#include "kernels/backend/exec.hpp"
#include "kernels/boundaries/paths.hpp"
#include "kernels/state/boundaries.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
struct UnorderedHash;

struct Ball {
  Vec3d centre{0, 0, 0};  ///< [m]
  double radius = 0;      ///< [m]
};

/// The movement of a boundary that moved far in a step.
struct FastMove {
  std::uint32_t boundary;
  double travel;           ///< [m] no point of the boundary moved farther
  std::vector<Pose> pose;  ///< from the start of the step to its end, at equal intervals of time
};

/// The movements of all boundaries in a step.
struct StepMoves {
  double most_travel = 0;  ///< [m] see BoundarySystem::most_travel
  std::vector<FastMove> fast;
};

/// All boundaries of a run: their arrays on the backend, and their motions.
class BoundarySystem {
 public:
  explicit BoundarySystem(const Scene& scene);

  [[nodiscard]] bool any() const { return boundaries_.info.size() > 0; }
  [[nodiscard]] bool moving() const { return n_moving_ > 0; }
  [[nodiscard]] std::size_t n_moving() const { return n_moving_; }
  [[nodiscard]] BoundaryView view();

  /// Moves poses and vertices to a time [s]. Poses are functions of the time and of the driven states.
  void place(Exec& exec, double time);

  /// [m] Upper bound of the way of any point of a boundary in one step. For a mesh it holds for all points, for other
  /// shapes for the points within `extent` [m] of the world's origin. It compares the poses before and after the step,
  /// so it also covers a motion that begins and ends within the step.
  [[nodiscard]] double most_travel(double time, double time_step, double extent) const;

  /// Whether the loads of a step do work or drive a boundary. They do not while nothing is driven and all boundaries
  /// stand still.
  [[nodiscard]] bool loads_matter(const StepTimes& times) const;
  /// Ends a step. `loads` has the loads on the moving boundaries, in their order. They move the driven boundaries, and
  /// their work is summed. Boundaries of which a point may have moved farther than an eighth of `smallest_radius` [m]
  /// are among the fast ones.
  StepMoves finish_step(const StepTimes& times, const std::vector<Load>& loads, const DriveStep& scheme, double extent,
                        double smallest_radius);
  /// A view of the boundaries in their reference poses. It is valid until the next call or the end of this object.
  [[nodiscard]] BoundaryView reference_view();

  /// [n_boundaries] The state of all boundaries.
  [[nodiscard]] const std::vector<DrivenState>& driven_states() const { return states_; }
  void save(StateWriter& out) const;
  /// Restores the states; poses and vertices are placed with the next step. Throws StateError.
  void restore(StateReader& in);
  void hash(UnorderedHash& sum) const;
  /// Whether forces drive a boundary.
  [[nodiscard]] bool driven(std::size_t boundary) const { return paths_[boundary].driven(); }
  /// [n_boundaries] Place of each boundary among the moving ones; no_index: it does not move.
  [[nodiscard]] Span<std::uint32_t> place_among_moving() { return place_.view(); }

  /// [m] The vertices of a mesh as they were placed last, or of the outline of another shape at `time` [s].
  [[nodiscard]] std::vector<Vec3d> vertices(std::size_t boundary, double time) const;
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] const std::vector<Feature>& features() const { return features_; }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  Boundaries boundaries_;
  std::vector<BoundaryPath> paths_;
  std::vector<DrivenState> states_;
  std::vector<std::vector<Vec3d>> outline_;  ///< [n_boundaries] vertices for pictures; empty for meshes
  Buffer<Pose> reference_pose_;              ///< [n_boundaries] see reference_view(); empty before its first call
  Buffer<std::uint32_t> place_;              ///< see place_among_moving()
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
