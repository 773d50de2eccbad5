#include "kernels/run_state.hpp"

#include <cmath>

#include "kernels/bodies/insertion.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

static_assert(parking_place > farthest_place, "removed bodies must not count in the bounds of the grid");

/// The scene itself, after its arrays were found to fit together.
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
  SCREE_EXPECT(scene.verlet_distance > 0, "the Verlet distance must be positive");
  for (const std::uint32_t material : scene.particles.material) {
    SCREE_EXPECT(material < n_materials, "unknown material");
  }
  for (const SceneInlet& inlet : scene.inlets) { SCREE_EXPECT(inlet.material < n_materials, "unknown material"); }
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
      cell(of_run) {
  scene.particles = {};
  for (SceneBoundary& each : scene.boundaries) { each.mesh = {}; }
  clumps.set_shapes(scene);
  append_bodies(*this, of_run.particles);
  count.start = count.bodies;
  in_cell.enter(*this, 0);
  groups.make(scene, clock.next());
  if (laws.bonding != 0) {
    contacts.bonds_made.assign(std::vector<std::uint32_t>(count.start), "bonds");
    contacts.bonds_broken.assign(std::vector<std::uint32_t>(count.start), "bonds");
  }
  control.assign({Control{}}, "control");
  if (laws.stacks) { contacts.stacks.turn_on(); }
  cell.ends(clock.at(0), in_cell.measure);  // a control that has nothing to do
}

template <class R>
PairViews<R> pair_views(RunState<R>& run) {
  // Contacts are updated by the step that led here.
  return {view(run.bodies),
          run.contacts.pairs.bodies.view(),
          run.contacts.pairs.shear.view(),
          run.contacts.pairs.rows.extra.view(),
          run.laws.history_size,
          run.contacts.pairs.force.view(),
          run.contacts.pairs.rows.couple.view(),
          run.contacts.pairs.touching.view(),
          run.laws.law_of.view(),
          static_cast<std::uint32_t>(run.scene.materials.size()),
          static_cast<R>(run.clock.at(run.step).last),
          run.control.data(),
          run.scene.no_ratcheting ? R(1) : R(0),
          run.contacts.bonds_broken.view(),
          cell_pairs(run),
          run.contacts.stacks.view(),
          run.contacts.pairs.rows.stack.view()};
}

template <class R>
BoundaryContactViews<R> boundary_contact_views(RunState<R>& run) {
  return {view(run.bodies),
          run.boundary.view(),
          run.contacts.near.body_of_row.view(),
          run.contacts.near.row_start.view(),
          run.contacts.near.slot.view(),
          run.contacts.near.rows.extra.view(),
          run.laws.history_size,
          run.contacts.near.rows.couple.view(),
          run.contacts.boundary_wrench.view(),
          run.laws.law_of.view(),
          run.laws.holding,
          run.laws.hertzian,
          static_cast<std::uint32_t>(run.scene.materials.size()),
          static_cast<R>(run.clock.at(run.step).last),
          run.control.data(),
          cell_flow(run),
          run.contacts.stacks.view(),
          run.contacts.near.rows.stack.view()};
}

template <class R>
WrenchGather<R> wrench_gather(RunState<R>& run) {
  return {run.contacts.pairs.force.view(),
          run.contacts.pairs.rows.couple.view(),
          run.contacts.pairs.incident_start.view(),
          run.contacts.pairs.incident.view(),
          run.contacts.near.row_of_body.view(),
          run.contacts.boundary_wrench.view(),
          static_cast<R>(run.expected.large_radius),
          static_cast<index_t>(run.count.first_large),
          run.contacts.large_part.view()};
}

template struct RunState<float>;
template struct RunState<double>;
template PairViews<float> pair_views(RunState<float>&);
template PairViews<double> pair_views(RunState<double>&);
template BoundaryContactViews<float> boundary_contact_views(RunState<float>&);
template BoundaryContactViews<double> boundary_contact_views(RunState<double>&);
template WrenchGather<float> wrench_gather(RunState<float>&);
template WrenchGather<double> wrench_gather(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
