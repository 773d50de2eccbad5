#pragma once

#include <optional>
#include <vector>

#include "kernels/backend/exec.hpp"
#include "kernels/boundaries/boundary_step.hpp"
#include "kernels/boundaries/paths.hpp"
#include "kernels/state/boundaries.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

struct BoundaryFeatures;
class StateReader;
class StateWriter;
struct UnorderedHash;

/// The movement of a boundary that moved far in a step.
struct FastMove {
  std::uint32_t boundary;
  double travel;           ///< [m] bound of the movement of any point of the boundary
  std::vector<Pose> pose;  ///< from the start of the step to its end, at equal intervals of time
};

/// All boundaries of a run: their arrays on the backend, and their motions.
class BoundarySystem {
 public:
  explicit BoundarySystem(const Scene& scene);

  [[nodiscard]] bool any() const { return boundaries_.info.size() > 0; }
  [[nodiscard]] bool moving() const { return n_moving_ > 0; }
  [[nodiscard]] std::size_t n_moving() const { return n_moving_; }
  /// Whether any boundary is a free body.
  [[nodiscard]] bool has_bodies() const { return has_bodies_; }
  [[nodiscard]] BoundaryView view();

  /// Moves poses and vertices to a time [s]. Poses are functions of the time and of the driven states. Within a batch
  /// of steps a kernel does this (BoundaryPlacement).
  void place(Exec& exec, double time);
  /// Moves the vertices of moving meshes to the poses on the backend.
  void place_vertices(Exec& exec);

  /// [m] Upper bound of the way of any point of a boundary in one step. For a mesh it holds for all points, for other
  /// shapes for the points within `extent` [m] of the world's origin. It compares the poses before and after the step,
  /// so it also covers a motion that begins and ends within the step.
  [[nodiscard]] double most_travel(double time, double time_step, double extent) const;

  /// Begins the plan of a batch of steps, the first of which is at `times`. In a run without moving boundaries this and
  /// the next two do nothing.
  void begin_plan(const StepTimes& times);
  /// Plans one more step: computes the poses of prescribed motions after it. `extent` [m] is that of most_travel().
  [[nodiscard]] BoundaryMoment plan(const StepTimes& times, double extent, double smallest_radius);
  /// Copies the planned poses to the backend. There is room for batches of `most_steps` steps.
  void send_plan(std::size_t most_steps);
  /// Whether the prescribed motion of a boundary in the last planned step so far is so fast that bodies could be passed
  /// over.
  [[nodiscard]] bool plan_is_fast() const { return plan_is_fast_; }
  /// Whether loads do work or drive a boundary in a planned step. They have no effect while nothing is driven and all
  /// boundaries rest.
  [[nodiscard]] bool loads_matter() const { return loads_matter_; }
  /// The moving boundaries, as kernels of a step see them.
  [[nodiscard]] MovingView moving_view(Control* control);
  /// To be called after a batch in which steps were made.
  void note_steps() { states_known_ = !moving(); }
  /// The boundaries that were fast in the last step, which was at `times`: one of their points may have moved farther
  /// than an eighth of `smallest_radius` [m].
  [[nodiscard]] std::vector<FastMove> fast_moves(const StepTimes& times, double extent, double smallest_radius) const;
  /// [n_boundaries] The poses at the moment of the last forces, with the mean velocities of boundaries in the step
  /// after it. The second halves of the work need them.
  [[nodiscard]] Span<Pose> pose_of_forces() { return pose_of_forces_.view(); }

  /// A view of the boundaries in their reference poses, but with this growth [m] of the radius of one of them. It is
  /// valid until the next call or the end of this object.
  [[nodiscard]] BoundaryView reference_view(std::size_t boundary, double growth);

  /// [n_boundaries] The state of all boundaries. The first call after a step copies it from the backend.
  [[nodiscard]] const std::vector<DrivenState>& driven_states() const;
  /// The pose of a boundary at the present time [s].
  [[nodiscard]] Pose pose_at(std::size_t boundary, double now) const {
    return paths_[boundary].at(now, driven_states()[boundary]);
  }
  /// `now` [s] is the present time.
  void save(double now, StateWriter& out) const;
  /// Restores the states; poses and vertices are placed with the next step. Throws StateError.
  void restore(StateReader& in);
  void hash(UnorderedHash& sum) const;
  /// Whether forces move a boundary at a time [s]: it is released.
  [[nodiscard]] bool is_free(std::size_t boundary, double time) const { return paths_[boundary].drive().is_free(time); }
  /// Whether the boundary has a drive, so that forces may move it.
  [[nodiscard]] bool driven(std::size_t boundary) const { return paths_[boundary].driven(); }
  /// [n_boundaries] Place of each boundary among the moving ones; no_index: it does not move.
  [[nodiscard]] Span<std::uint32_t> place_among_moving() { return place_.view(); }

  /// From `since` [s] on, which is `now` [s] or earlier, a boundary moves by other motions, from its place there.
  /// Throws ContractError for one that does not move.
  void set_motion(std::size_t boundary, const std::vector<Motion>& motions, double since, double now);
  /// The same for the motions of its surface. Throws ContractError for a boundary whose surface does not move in the
  /// scene.
  void set_surface_motion(std::size_t boundary, const std::vector<Motion>& motions, double since, double now);
  /// Whether bodies can touch it; the caller orders a search. Throws ContractError if there is no such boundary.
  void set_present(std::size_t boundary, bool present);
  [[nodiscard]] bool is_present(std::size_t boundary) const { return info_[boundary].absent == 0; }
  /// Sets the force [N] and the torque [N m] of a driven boundary. A value that is left out stays as it is. Throws
  /// ContractError for a boundary that is not driven.
  void set_drive(std::size_t boundary, const std::optional<Real3>& force, std::optional<double> torque);
  void lead_drive(std::size_t boundary, const std::optional<Real3>& velocity);
  /// See Engine::set_radial_drive().
  void set_radial_drive(std::size_t boundary, double force, std::optional<double> rate);

  /// [m] The vertices of a mesh as they were placed last, or of the outline of another shape at `time` [s].
  [[nodiscard]] std::vector<Vec3d> vertices(std::size_t boundary, double time) const;
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] const std::vector<Feature>& features() const { return features_; }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  Boundaries boundaries_;
  std::vector<BoundaryPath> paths_;
  mutable std::vector<DrivenState> states_;  ///< see driven_states()
  mutable bool states_known_ = true;         ///< whether states_ are those on the backend
  std::vector<MovingBoundary> movers_;       ///< [n_moving]
  Buffer<MovingBoundary> mover_;             ///< the copy of movers_ on the backend
  Buffer<DrivenState> state_, last_state_;   ///< [n_moving] see MovingView
  Buffer<double> travel_;                    ///< [n_moving] likewise
  Buffer<Pose> pose_of_forces_;              ///< see pose_of_forces()
  Buffer<Pose> momentary_pose_;              ///< see MovingView
  std::vector<Pose> planned_;                ///< see MovingView::prescribed
  Buffer<Pose> prescribed_;                  ///< the copy of planned_ on the backend
  StepTimes planned_times_{};                ///< of the last planned step
  bool plan_is_fast_ = false, loads_matter_ = false;
  std::vector<std::vector<Vec3d>> outline_;  ///< [n_boundaries] vertices for pictures; empty for meshes
  Buffer<Pose> reference_pose_;              ///< [n_boundaries] see reference_view(); empty before its first call
  Buffer<std::uint32_t> place_;              ///< see place_among_moving()
  std::vector<BoundaryInfo> info_;
  std::vector<Feature> features_;
  std::uint32_t n_moving_ = 0;
  bool has_bodies_ = false;

  [[nodiscard]] std::vector<Pose> poses(double time) const;
  [[nodiscard]] std::vector<Pose> poses_in_step(std::size_t boundary, const StepTimes& times, const DrivenState& before,
                                                std::size_t pieces) const;
  void collect_movers(const Scene& scene);
  void send(const BoundaryFeatures& all);
  void send_states();
  void replan(std::size_t boundary, double now);
  void send_drive(std::size_t boundary);
};

}  // namespace scree::inline SCREE_BACKEND
