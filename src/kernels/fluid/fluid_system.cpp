#include "kernels/fluid/fluid_system.hpp"

#include <cmath>
#include <numbers>

#include "kernels/backend/lane_sums.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"
#include "scree/time_table.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* label = "fluid";

FluidModel model_of(const SceneFluid& scene) {
  SCREE_EXPECT(scene.density >= 0 && scene.viscosity > 0 && scene.grain_scale >= 1, "a fluid has a viscosity");
  FluidModel model;
  model.density = scene.density;
  model.viscosity = scene.viscosity;
  model.grain_scale = scene.grain_scale;
  model.drag = scene.drag;
  if (scene.surface) {
    model.is_bounded = 1;
    model.point = vec(scene.surface->point), model.normal = unit(vec(scene.surface->normal));
  }
  return model;
}

std::vector<FluidShape> shapes_of(const Scene& scene) {
  std::vector<FluidShape> shapes;
  for (const ClumpShape& shape : scene.clump_shapes) {
    const double mean = (shape.inertia[0] + shape.inertia[1] + shape.inertia[2]) / 3;
    // 8 pi r^3 is six times the volume
    shapes.push_back({math::cbrt(0.75 * shape.volume / std::numbers::pi), 6 * shape.volume / mean});
  }
  return shapes;
}

}  // namespace

template <class R>
void FluidSystem<R>::make(RunState<R>& run) {
  const Scene& scene = run.scene;
  if (!scene.fluid) { return; }
  SCREE_EXPECT(run.groups.any(), "a scene with a fluid needs groups");
  SCREE_EXPECT(scene.membranes.empty(), "a scene with a fluid has no membranes");
  SCREE_EXPECT(!run.cell.any() || !run.cell.deforms(), "the cell of a scene with a fluid does not deform");
  on = true;
  model = model_of(*scene.fluid);
  flow = scene.fluid->flow;
  std::vector<double> densities;
  for (const Material& material : scene.materials) { densities.push_back(material.density); }
  density.assign(densities, label);
  shapes.assign(shapes_of(scene), label);
  if (!scene.fluid->grid) {
    SCREE_EXPECT(!flow.empty(), "a fluid flows");
    return;
  }
  const FlowGrid& grid = *scene.fluid->grid;
  const std::size_t n = std::size_t(grid.points[0]) * grid.points[1] * grid.points[2];
  SCREE_EXPECT(n > 0 && grid.velocity.size() == n, "one velocity for each point of a flow");
  std::vector<Vec3d> velocities;
  velocities.reserve(n);
  for (const Real3& v : grid.velocity) { velocities.push_back(vec(v)); }
  field.assign(velocities, label);
  for (std::size_t axis = 0; axis < 3; ++axis) { model.field.points[axis] = grid.points[axis]; }
  model.field.first = vec(grid.first), model.field.spacing = vec(grid.spacing);
  run.scene.fluid->grid.reset();  // it is on the backend
}

template <class R>
Vec3d FluidSystem<R>::flow_at(double time) const {
  if (flow.empty()) { return {0, 0, 0}; }
  const auto at = [&](std::size_t column) { return value_at(flow.data(), flow.size(), time, column); };
  return {at(1), at(2), at(3)};
}

template <class R>
FluidStep<R> FluidSystem<R>::immersed(RunState<R>& run) {
  FluidStep<R> step{.bodies = view(run.bodies),
                    .model = model,
                    .groups = run.groups.table(),
                    .density = density.view(),
                    .control = run.control.data()};
  step.model.field.velocity = field.view();
  return step;
}

template <class R>
ImmersedClumps<R> FluidSystem<R>::clumps_of(RunState<R>& run) {
  return {.clumps = view(run.clumps.fields), .members = run.clumps.members(), .shapes = shapes.view()};
}

template <class R>
void FluidSystem<R>::push(RunState<R>& run) {
  if (!on) { return; }
  run.groups.fluid_on_bodies.discard_and_resize(run.count.bodies, label);
  run.groups.fluid_on_clumps.discard_and_resize(run.clumps.size(), label);
  const FluidStep<R> step = immersed(run);
  run.exec.for_each(label, run.count.bodies, in_step(run, FluidOnBodies<R>{step}));
  run.exec.for_each(label, run.clumps.size(), in_step(run, FluidOnClumps<R>{clumps_of(run), step}));
}

template <class R>
Vec3d FluidSystem<R>::force(RunState<R>& run) {
  if (!on) { return {0, 0, 0}; }
  FluidForce<R> each{clumps_of(run), immersed(run), run.clumps.size()};
  each.step.flow = flow_at(run.time());
  ExactSums exact;
  const std::vector<double> sums = exact.of(run.exec, label, run.count.bodies + each.n_clumps, 3, each);
  return {sums[0], sums[1], sums[2]};
}

template struct FluidSystem<float>;
template struct FluidSystem<double>;

}  // namespace scree::inline SCREE_BACKEND
