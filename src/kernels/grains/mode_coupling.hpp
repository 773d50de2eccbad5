#pragma once

#include <cstdint>
#include <vector>

#include "kernels/step/modes/coupled_modes.hpp"
#include "scree/grain_shape.hpp"

namespace scree {
struct Scene;
}

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
template <class R>
struct RunState;

/// The part of the modes that couples to the rotation of grains (ModeInertia). Empty in a run in which none does.
template <class R>
class ModeCoupling {
 public:
  /// Adds the numbers of a shape to its `form`. Throws ContractError if they do not fit.
  void add_shape(const GrainModes& modes, ModeForm& form);
  /// Copies the shapes to the backend; after the last one was added. `stride` is the most modes of a grain.
  void send_shapes(const Scene& scene, std::uint32_t stride);
  [[nodiscard]] bool any() const { return holds_.size() > 0; }

  /// Fills in the views of the coupling for kernels.
  void show(ModeViews<R>& views);
  /// [n_shapes] 1 for clumps whose turning is left to the modes; empty if there are none.
  [[nodiscard]] Span<std::uint8_t> holds() { return holds_.view(); }
  /// [n_clumps]
  [[nodiscard]] Span<HeldTurn> held() { return held_.view(); }
  /// Appends the state of `n` new clumps, without their momenta.
  void append(std::size_t n);
  /// Sets the momenta of the clumps from `first` on by their spins and rates.
  void start(RunState<R>& run, std::size_t first);
  /// The same for these clumps, whose orientations or spins a caller has changed.
  void restart(RunState<R>& run, Span<index_t> clumps);
  /// Calls bring(values, numbers per clump) for each array that must keep the order of the clumps.
  template <class Bring>
  void sort(Bring&& bring) {
    if (any()) { bring(momentum_, stride_); }
  }
  /// Turns the grains and moves their modes by a step.
  void move(RunState<R>& run, Span<double> force, Span<double> room, Span<ClumpStep> clump_steps, Span<ModeStep> steps,
            Span<ModeEnergy> energies);
  void save(const RunState<R>& run, StateWriter& out) const;
  void restore(const RunState<R>& run, StateReader& in);
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  friend struct StateScrambler;  // names every member, see checkpoint_guard.test.cpp

  std::uint32_t stride_ = 0;
  std::vector<Moments> slope_, curve_;  ///< until they are sent, as swirl_
  std::vector<Vec3d> swirl_;

  Buffer<Moments> slope_there_, curve_there_;
  Buffer<Vec3d> swirl_there_;
  Buffer<std::uint8_t> holds_;  ///< [n_shapes]
  Buffer<double> momentum_;     ///< [n_clumps * stride]
  Buffer<HeldTurn> held_;       ///< [n_clumps] of one step, as the next two
  Buffer<double> scratch_;
  Buffer<Vec3d> lean_;
};

}  // namespace scree::inline SCREE_BACKEND
