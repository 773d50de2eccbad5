#pragma once

#include <vector>

#include "kernels/backend/buffer.hpp"
#include "kernels/fluid/fluid_forces.hpp"
#include "kernels/fluid/open_space.hpp"
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
  SolidLattice lattice;
  Buffer<std::uint64_t> solid_keys, solids;  ///< see SolidTable; of one step
  Buffer<LatticePlane> planes;               ///< see OpenSpace; of one step

  [[nodiscard]] bool any() const { return on; }
  /// Makes that of the scene of a run that has its groups.
  void make(RunState<R>& run);
  /// [m/s] Of a fluid that flows the same everywhere; `time` [s] is that of the run.
  [[nodiscard]] Vec3d flow_at(double time) const;
  /// In a step, before the motion: launches what the fluid does to the bodies at their present places.
  void push(RunState<R>& run);
  /// [N] The force on all particles, drag and buoyancy, at their places and velocities of now. It is summed without
  /// rounding. 0 without a fluid.
  [[nodiscard]] Vec3d force(RunState<R>& run);
  [[nodiscard]] std::uint64_t bytes() const {
    return field.bytes() + density.bytes() + shapes.bytes() + solid_keys.bytes() + solids.bytes() + planes.bytes();
  }

 private:
  /// All particles in the fluid, at their present places.
  [[nodiscard]] ImmersedParticles<R> immersed(RunState<R>& run);
  /// If particles hinder each other, launches the sums of their volumes, and lets them see these. Boundaries must be at
  /// their present places.
  void sum_solids(RunState<R>& run, ImmersedParticles<R>& particles);
};

}  // namespace scree::inline SCREE_BACKEND
