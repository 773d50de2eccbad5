#include "kernels/run_state.hpp"

#include <cmath>

#include "kernels/bodies/insertion.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Returns the scene after checking that its arrays fit together.
const Scene& checked(const Scene& scene) {
  const std::size_t n = scene.particles.size();
  const std::size_t n_materials = scene.materials.size();
  SCREE_EXPECT(scene.particles.velocity.size() == n && scene.particles.angular_velocity.size() == n &&
                   scene.particles.radius.size() == n && scene.particles.material.size() == n &&
                   (scene.particles.group.empty() || scene.particles.group.size() == n),
               "particle arrays differ in length");
  SCREE_EXPECT(scene.pairs.size() == n_materials * n_materials, "one entry per ordered pair of materials is needed");
  SCREE_EXPECT(scene.time_step > 0 && std::isfinite(scene.time_step), "the time step must be positive");
  SCREE_EXPECT(scene.interaction_range >= 1, "the interaction range must be at least 1");
  for (const MaterialPair& pair : scene.pairs) {
    SCREE_EXPECT(!pair.range || (*pair.range >= 1 && *pair.range <= scene.interaction_range),
                 "the range of a pair of materials must lie between 1 and the interaction range");
  }
  SCREE_EXPECT(scene.verlet_distance > 0, "the Verlet distance must be positive");
  for (const std::uint32_t material : scene.particles.material) {
    SCREE_EXPECT(material < n_materials, "unknown material");
  }
  for (const SceneInlet& inlet : scene.inlets) { SCREE_EXPECT(inlet.material < n_materials, "unknown material"); }
  bool fragments_are_known = true;
  visit_fragments(scene.breakage, [&](double, std::size_t material) {
    fragments_are_known = fragments_are_known && material < n_materials;
  });
  SCREE_EXPECT(fragments_are_known, "unknown material of fragments");
  for (const SceneBoundary& boundary : scene.boundaries) {
    SCREE_EXPECT(boundary.material < n_materials, "unknown material");
  }
  return scene;
}

}  // namespace

template <class R>
RunState<R>::RunState(const Scene& of_run, int threads)
    : scene(checked(of_run)),
      exec(threads),
      primitives(exec),
      clock(of_run),
      laws(make_laws<R>(of_run)),
      expected(expected_bodies<R>(of_run)),
      outlets(of_run),
      boundary(of_run),
      faces(of_run),
      cell(of_run),
      losses(of_run),
      collisions(of_run),
      heat(of_run),
      films(of_run) {
  scene.particles = {};
  for (SceneBoundary& each : scene.boundaries) { each.mesh = {}; }
  clumps.set_shapes(scene);
  grains.set_shapes(scene, modes);
  append_bodies(*this, of_run.particles, true);
  count.start = count.bodies;
  in_cell.enter(*this, 0);
  groups.make(scene, clock.next());
  membranes.make(*this);
  fluid.make(*this);
  if (laws.make_bonds()) {
    contacts.bonds_made.assign(std::vector<std::uint32_t>(count.start), "bonds");
    contacts.bonds_broken.assign(std::vector<std::uint32_t>(count.start), "bonds");
  }
  control.assign({Control{}}, "control");
  blocks_ended.assign({0}, "control");
  if (laws.stacks) { contacts.stacks.turn_on(); }
  cell.ends(clock.at(0), in_cell.measure);  // finishes a control that has nothing to do
}

template <class R>
PairViews<R> pair_views_of_steps(RunState<R>& run) {
  return {.bodies = view(run.bodies),
          .pairs = run.contacts.pairs.bodies.view(),
          .shear = run.contacts.pairs.shear.view(),
          .extra = run.contacts.pairs.rows.extra.view(),
          .n_extra = run.laws.history_size,
          .force = run.contacts.pairs.force.view(),
          .couple = run.contacts.pairs.rows.couple.view(),
          .touching = run.contacts.pairs.touching.view(),
          .classes = run.laws.touch_classes(),
          .time_step = R(0),
          .control = run.control.data(),
          .no_ratcheting = run.scene.no_ratcheting ? R(1) : R(0),
          .broken = run.contacts.bonds_broken.view(),
          .cell = cell_pairs_of_steps(run),
          .pool = run.contacts.stacks.view(),
          .stack = run.contacts.pairs.rows.stack.view(),
          .nodes = run.grains.views()};
}

template <class R>
BoundaryContactViews<R> boundary_contact_views_of_steps(RunState<R>& run) {
  return {.bodies = view(run.bodies),
          .boundaries = run.boundary.view(),
          .body_of_row = run.contacts.near.body_of_row.view(),
          .row_start = run.contacts.near.row_start.view(),
          .slots = run.contacts.near.slot.view(),
          .extra = run.contacts.near.rows.extra.view(),
          .n_extra = run.laws.history_size,
          .couple = run.contacts.near.rows.couple.view(),
          .wrench = run.contacts.boundary_wrench.view(),
          .classes = run.laws.touch_classes(),
          .time_step = R(0),
          .control = run.control.data(),
          .flow = cell_flow_of_steps(run),
          .pool = run.contacts.stacks.view(),
          .stack = run.contacts.near.rows.stack.view(),
          .nodes = run.grains.views()};
}

template <class R>
PairViews<R> pair_views(RunState<R>& run) {
  PairViews<R> views = pair_views_of_steps(run);
  views.time_step = static_cast<R>(run.clock.at(run.step).last);
  views.cell = cell_pairs(run);
  return views;
}

template <class R>
BoundaryContactViews<R> boundary_contact_views(RunState<R>& run) {
  BoundaryContactViews<R> views = boundary_contact_views_of_steps(run);
  views.time_step = static_cast<R>(run.clock.at(run.step).last);
  return views;
}

template <class R>
WrenchGather<R> wrench_gather(RunState<R>& run) {
  return {.force = run.contacts.pairs.force.view(),
          .couple = run.contacts.pairs.rows.couple.view(),
          .incident_start = run.contacts.pairs.incident_start.view(),
          .incident = run.contacts.pairs.incident.view(),
          .boundary_row = run.contacts.near.row_of_body.view(),
          .boundary_wrench = run.contacts.boundary_wrench.view(),
          .large_radius = static_cast<R>(run.expected.large_radius),
          .first_large = static_cast<index_t>(run.count.first_large),
          .part = run.contacts.large_part.view()};
}

template struct RunState<float>;
template struct RunState<double>;
template PairViews<float> pair_views(RunState<float>&);
template PairViews<double> pair_views(RunState<double>&);
template BoundaryContactViews<float> boundary_contact_views(RunState<float>&);
template BoundaryContactViews<double> boundary_contact_views(RunState<double>&);
template PairViews<float> pair_views_of_steps(RunState<float>&);
template PairViews<double> pair_views_of_steps(RunState<double>&);
template BoundaryContactViews<float> boundary_contact_views_of_steps(RunState<float>&);
template BoundaryContactViews<double> boundary_contact_views_of_steps(RunState<double>&);
template WrenchGather<float> wrench_gather(RunState<float>&);
template WrenchGather<double> wrench_gather(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
