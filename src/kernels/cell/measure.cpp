#include <limits>

#include "kernels/cell/bodies_in_cell.hpp"
#include "kernels/cell/room.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Number of steps from one measure of the stiffness to the next. It changes slowly, and costs more than the stress.
constexpr std::uint64_t slow_measures = 100;

/// The parts of a measure beside the stress that are updated. The other parts keep their values.
struct MeasuredParts {
  bool stiffness, forces;
};

/// Converts the sums to a measure. `volume` [m3] is that of the room in the cell.
void take_measure(const CellSums& result, double volume, const MeasuredParts& parts, CellMeasure& measure) {
  const auto& [found, all, units] = result;
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    measure.stress[k] =
        -(units.value(CellTerm::moment, all.moment[k]) + units.value(CellTerm::momentum_flux, all.momentum_flux[k])) /
        volume;
    if (parts.stiffness) { measure.stiffness[k] = units.value(CellTerm::stiffness, all.stiffness[k]) / volume; }
  }
  measure.contacts = found.contacts;
  if (parts.stiffness) {
    const double springs = (measure.stiffness[0] + measure.stiffness[1] + measure.stiffness[2]) / 3;
    const double dashpots = units.value(CellTerm::dashpot, all.dashpot) / volume;
    measure.dashpot_time = springs > 0 ? dashpots / springs : 0;
  }
  if (!parts.forces) { return; }
  const double force = units.value(CellTerm::force, all.force), net = units.value(CellTerm::net_force, all.net_force);
  const bool any = found.contacts > 0 && found.bodies > 0 && force > 0;
  measure.unbalanced_force = any ? (net / double(found.bodies)) / (force / double(found.contacts)) : 0;
  // Without a body that forces can move, there is no balance. Checkpoints hold finite numbers only.
  if (found.bodies == 0) { measure.unbalanced_force = std::numeric_limits<double>::max(); }
}

/// The pairs of a cell. `stiffness` [n_pairs] is work space, and is filled if it is wanted.
template <class R>
CellContacts<R> contacts_in_cell(RunState<R>& run, Buffer<ContactStiffness<R>>& stiffness, bool wants_stiffness) {
  const PairViews<R> pairs = pair_views(run);
  Span<ContactStiffness<R>> wanted{};
  if (wants_stiffness) {
    stiffness.discard_and_resize(run.contacts.pairs.size(), "time step");
    wanted = stiffness.view();
    for (RunLaw<R>* law : run.laws.among_particles) {
      law->pair_stiffness(run.exec, run.contacts.pairs.size(), pairs, wanted);
    }
  }
  return {.bodies = view(run.bodies),
          .pairs = run.contacts.pairs.bodies.view(),
          .force = run.contacts.pairs.force.view(),
          .acts = acting_pairs(run),
          .cell = pairs.cell,
          .back = inverse(identity<double>() + run.cell.geometry().stretch),
          .time_step = run.clock.at(run.step).last,
          .clumps = view(run.clumps.fields),
          .clump_of = run.clumps.clump_of.view(),
          .stiffness = wanted,
          .chosen = nullptr};
}

template <class R>
CellBodies<R> particles_in_cell(RunState<R>& run, bool wants_forces) {
  return {.bodies = view(run.bodies),
          .gather = wrench_gather(run),
          .gravity = {run.scene.gravity[0], run.scene.gravity[1], run.scene.gravity[2]},
          .groups = run.groups.table(),
          .clumps = view(run.clumps.fields),
          .members = run.clumps.members(),
          .forces = wants_forces,
          .chosen = nullptr,
          .n_bodies = run.count.bodies};
}

template <class R>
CellWalls<R> walls_of_cell(RunState<R>& run) {
  BoundaryList<R>& near = run.contacts.near;
  return {.bodies = view(run.bodies),
          .clumps = view(run.clumps.fields),
          .clump_of = run.clumps.clump_of.view(),
          .row_of_body = near.row_of_body.view(),
          .row_start = near.row_start.view(),
          .slot = near.slot.view(),
          .flow = cell_flow(run),
          .time_step = run.clock.at(run.step).last,
          .chosen = nullptr};
}

/// Sums over the contacts and bodies of the cell, in two passes. `pair_stiffness` is work space.
template <class R>
CellSums sum_up(RunState<R>& run, Buffer<ContactStiffness<R>>& pair_stiffness, const MeasuredParts& parts) {
  BodiesInCell<R>& in_cell = run.in_cell;
  CellContacts<R> contacts = contacts_in_cell(run, pair_stiffness, parts.stiffness);
  CellBodies<R> bodies = particles_in_cell(run, parts.forces);
  CellWalls<R> walls = walls_of_cell(run);
  const bool has_walls = !run.cell.fully_periodic() && run.contacts.near.slot.size() > 0;
  const auto pass = [&] {
    in_cell.lanes.clear(run.exec, run.contacts.pairs.size() + run.count.bodies);
    in_cell.lanes.add(run.exec, "measure cell", run.contacts.pairs.size(), contacts);
    if (has_walls) { in_cell.lanes.add(run.exec, "measure cell", run.count.bodies, walls); }
    in_cell.lanes.add(run.exec, "measure cell", run.count.bodies + run.clumps.size(), bodies);
    return in_cell.lanes.merged(run.exec, "measure cell");
  };
  in_cell.sums.discard_and_resize(1, "sums");
  run.exec.for_each("measure cell", 1, ChooseCellUnits{pass(), in_cell.sums.view()});
  contacts.chosen = bodies.chosen = walls.chosen = in_cell.sums.data();
  run.exec.for_each("measure cell", 1, KeepCellSums{pass(), in_cell.sums.view()});
  return in_cell.sums.element(0);
}

}  // namespace

template <class R>
void BodiesInCell<R>::look(RunState<R>& run, Buffer<ContactStiffness<R>>& pair_stiffness, bool anew) {
  const CellControl& control = run.cell.control();
  if (run.step == 0 || !control.wants_measure(run.step) || (measured_step == run.step && !anew)) { return; }
  SCREE_EXPECT(run.forces_known, "contact forces are not known between a search and the next step");
  const bool slow = run.step % slow_measures == 0 || !measured_slow || control.begins();
  const MeasuredParts parts{slow, slow || control.waits_for_balance()};
  take_measure(sum_up(run, pair_stiffness, parts), room_in_cell(run), parts, measure);
  measured_step = run.step;
  measured_slow = true;
}

template void BodiesInCell<float>::look(RunState<float>&, Buffer<ContactStiffness<float>>&, bool);
template void BodiesInCell<double>::look(RunState<double>&, Buffer<ContactStiffness<double>>&, bool);

}  // namespace scree::inline SCREE_BACKEND
