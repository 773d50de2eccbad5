#pragma once

#include <vector>

#include "kernels/backend/buffer.hpp"
#include "kernels/fluid/fluid_forces.hpp"
#include "scree/fluid.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// The fluid around the particles of a run, which drags and lifts them as groups pull them: see
/// GroupRules::fluid_on_bodies. Nothing is saved: what the fluid does follows from places, velocities and the scene.
template <class R>
struct FluidSystem {
  bool on = false;
  FluidModel model;
  std::vector<FlowRow> flow;  ///< [s], [m/s] of a fluid that flows the same everywhere
  Buffer<Vec3d> field;        ///< see FlowField
  Buffer<double> density;     ///< [n_materials] [kg/m3]
  Buffer<FluidShape> shapes;  ///< [n_shapes]

  [[nodiscard]] bool any() const { return on; }
  /// Makes that of the scene of a run that has its groups.
  void make(RunState<R>& run);
  /// [m/s] Linear between the rows, constant outside; `time` [s] is that of the run.
  [[nodiscard]] Vec3d flow_at(double time) const;
  /// In a step, before the motion: launches what the fluid does to the bodies at their present places.
  void push(RunState<R>& run);
  [[nodiscard]] std::uint64_t bytes() const { return field.bytes() + density.bytes() + shapes.bytes(); }
};

}  // namespace scree::inline SCREE_BACKEND
