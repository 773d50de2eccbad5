#include "kernels/fluid/fluid_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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
  model.hindrance = scene.hindrance;
  if (scene.surface) {
    model.is_bounded = 1;
    model.point = vec(scene.surface->point), model.normal = unit(vec(scene.surface->normal));
  }
  return model;
}

/// The points are about `width` [m] apart; along the edges of a cell a whole number of them fits.
template <class R>
SolidLattice lattice_of(const RunState<R>& run, double width) {
  SCREE_EXPECT(width > 0, "grains that hinder each other have surroundings");
  SolidLattice lattice;
  lattice.steps = (1 / width) * identity<double>();
  if (run.cell.any()) {
    const Mat3d& edges = run.cell.geometry().edges;
    const Mat3d fraction = inverse(edges), columns = transpose(edges);
    const auto steps = [&](int axis, const Vec3d& edge, const Vec3d& row) {
      const double points = norm(edge) / width;
      if (!run.cell.along(axis)) { return points * row; }
      lattice.repeat[axis] = points < 1 ? 1 : static_cast<std::int64_t>(math::floor(points + 0.5));
      return double(lattice.repeat[axis]) * row;
    };
    lattice.origin = run.cell.origin();
    lattice.steps = {steps(0, columns.x, fraction.x), steps(1, columns.y, fraction.y), steps(2, columns.z, fraction.z)};
  }
  lattice.points_per_volume = math::abs(determinant(lattice.steps));
  return lattice;
}

/// Number of features up to the last plane.
std::size_t features_with_planes(const BoundarySystem& boundaries) {
  const std::vector<Feature>& all = boundaries.features();
  const auto last =
      std::find_if(all.rbegin(), all.rend(), [](const Feature& f) { return f.kind == FeatureKind::plane; });
  return static_cast<std::size_t>(all.rend() - last);
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
  if (model.hindrance != Hindrance::none) {
    lattice = lattice_of(run, scene.fluid->hindrance_width);
    planes.discard_and_resize(features_with_planes(run.boundary), label);
  }
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
ImmersedParticles<R> FluidSystem<R>::immersed(RunState<R>& run) {
  FluidStep<R> step{.bodies = view(run.bodies),
                    .model = model,
                    .groups = run.groups.table(),
                    .density = density.view(),
                    .control = run.control.data()};
  step.model.field.velocity = field.view();
  const ImmersedClumps<R> all{
      .clumps = view(run.clumps.fields), .members = run.clumps.members(), .shapes = shapes.view()};
  return {all, step, run.clumps.size()};
}

template <class R>
void FluidSystem<R>::sum_solids(RunState<R>& run, ImmersedParticles<R>& particles) {
  if (model.hindrance == Hindrance::none) { return; }
  const std::size_t n = particles.size();
  const PositionBounds& room = run.lists.room;
  const double points =
      run.lists.spent ? std::numeric_limits<double>::infinity() : lattice.points_between(room.min, room.max);
  solid_keys.discard_and_resize(SolidTable::slots_for(n, points), label);
  solids.discard_and_resize(solid_keys.size(), label);
  const SolidTable table{lattice, solid_keys.view(), solids.view()};
  particles.step.solids = table;
  run.exec.for_each(label, solids.size(), FreeSolids{table});
  run.exec.for_each(label, n, AddSolids<R>{particles});
  if (planes.size() == 0) { return; }
  run.exec.for_each(label, planes.size(), PlanesInLattice{run.boundary.view(), lattice, planes.view()});
  run.exec.for_each(label, solids.size(), DivideByOpenPart{table, planes.view()});
}

template <class R>
void FluidSystem<R>::push(RunState<R>& run) {
  if (!on) { return; }
  run.groups.fluid_on_bodies.discard_and_resize(run.count.bodies, label);
  run.groups.fluid_on_clumps.discard_and_resize(run.clumps.size(), label);
  ImmersedParticles<R> particles = immersed(run);
  sum_solids(run, particles);
  run.exec.for_each(label, run.count.bodies, in_step(run, FluidOnBodies<R>{particles.step}));
  run.exec.for_each(label, run.clumps.size(), in_step(run, FluidOnClumps<R>{particles.all, particles.step}));
}

template <class R>
Vec3d FluidSystem<R>::force(RunState<R>& run) {
  if (!on) { return {0, 0, 0}; }
  FluidForce<R> each{immersed(run)};
  each.particles.step.flow = flow_at(run.time());
  if (model.hindrance != Hindrance::none) {
    run.boundary.place(run.exec, run.time());
    sum_solids(run, each.particles);
  }
  ExactSums exact;
  const std::vector<double> sums = exact.of(run.exec, label, each.particles.size(), 3, each);
  return {sums[0], sums[1], sums[2]};
}

template struct FluidSystem<float>;
template struct FluidSystem<double>;

}  // namespace scree::inline SCREE_BACKEND
