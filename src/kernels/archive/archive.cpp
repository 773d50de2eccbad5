#include "kernels/archive/archive.hpp"

#include "kernels/archive/groups_of_arrays.hpp"
#include "kernels/cell/checks.hpp"
#include "kernels/ledger/energy_accounts.hpp"
#include "kernels/motion/step_limits.hpp"
#include "kernels/neighbours/neighbour_search.hpp"
#include "kernels/run_state.hpp"

/// Checkpoints of a run. They hold everything on which the further course and the readout of the present step depend,
/// in an order that does not depend on how bodies stand in memory. Lists, skins and the like are not saved: in a
/// restored run the lists hold only the touching contacts, and the next step begins with a search.
///
/// A new piece of state takes one line: for bodies in BodyFields::notes(), for rows of contacts in visit_rows(), for
/// pairs in visit_pair_arrays(), for boundary contacts in visit_slot_members(), for anything else in visit_totals().
/// The test checkpoint_guard.test.cpp finds forgotten state.
namespace scree::inline SCREE_BACKEND {

namespace {

/// Whether the times of a run with adaptive steps are possible.
bool is_time(const ClockState& clock) {
  return clock.before >= 0 && clock.time >= clock.before && clock.last >= 0 && clock.next > 0;
}

template <class R, class Visit>
void visit_cell(RunState<R>& run, Visit& visit) {
  CellGeometry geometry = run.cell.geometry();
  geometry.edges = transpose(geometry.edges);  // edge vectors as rows
  CellControlState control = run.cell.control().state();
  std::uint64_t out = run.in_cell.some_are_out ? 1 : 0, slow = run.in_cell.measured_slow ? 1 : 0;
  // origin and periodic follow from the scene; they are saved for cases that start from this checkpoint
  Vec3d origin = run.cell.origin();
  std::array<std::uint64_t, 3> along{};
  for (int k = 0; k < 3; ++k) { along[static_cast<std::size_t>(k)] = run.cell.along(k) ? 1 : 0; }
  visit("cell/origin", "m", origin);
  visit("cell/periodic", "1", along);
  bool same = origin.x == run.cell.origin().x && origin.y == run.cell.origin().y && origin.z == run.cell.origin().z;
  for (int k = 0; k < 3; ++k) { same = same && (along[static_cast<std::size_t>(k)] != 0) == run.cell.along(k); }
  expect_state(same, "cell/origin or cell/periodic are those of another cell");
  visit("cell/edges", "m", geometry.edges);
  visit("cell/deformation", "1", geometry.deformation);
  visit("cell/gradient", "1/s", geometry.gradient);
  visit("cell/stretch", "1", geometry.stretch);
  visit("cell/strain", "1", geometry.strain);
  visit("cell/control", "of the control", control);
  visit("cell/measure", "Pa, Pa, 1", run.in_cell.measure);
  visit("cell/measured", "1", run.in_cell.measured_step);
  visit("cell/measured_slow", "1", slow);
  visit("cell/bodies_are_out", "1", out);
  geometry.edges = transpose(geometry.edges);
  run.cell.set_geometry(geometry);
  run.cell.control().set_state(control);
  run.in_cell.measured_slow = slow != 0;
  run.in_cell.some_are_out = out != 0;
}

/// Numbers, and arrays whose length follows from the scene.
template <class R, class Visit>
void visit_totals(RunState<R>& run, StepLimits<R>& limits, Visit& visit, ClockState& clock_state) {
  visit("totals/step", "1", run.step);
  visit("totals/clock", "s", clock_state);
  visit("totals/watch", "1, s", limits.watch());
  visit("totals/particles_at_start", "1", run.count.start);
  visit("totals/particles_inserted", "1", run.count.inserted);
  if (run.clumps.any()) {
    visit("totals/clumps", "1", run.clumps.n_made);
    visit("totals/members_beyond_first", "1", run.clumps.members_beyond);
    visit("totals/members_inserted_beyond_first", "1", run.clumps.inserted_beyond);
  }
  if (run.cell.any()) { visit_cell(run, visit); }
  visit("totals/large_radius", "m", run.expected.large_radius);
  visit("totals/quanta_per_mass", "1/kg", run.outlets.quanta_per_mass);
  visit("totals/bonds_made", "1", run.contacts.bonds_made);  // by id
  visit("totals/bonds_broken", "1", run.contacts.bonds_broken);
  visit("totals/outlets", "1", run.outlets.counts);  // particles, quanta of mass
}

/// Resets everything that was listed, measured or reported.
template <class R>
void forget_lists(RunState<R>& run, NeighbourSearch<R>& search) {
  run.control.assign({Control{}}, "control");
  run.contacts.stacks.forget();
  run.grains.forget();
  run.lists = {};
  run.forces_known = true;
  search.forget();
}

/// Computes the contact sums of large bodies anew, as the last step left them.
template <class R>
void restore_large_parts(RunState<R>& run) {
  const std::size_t n_parts = (run.count.bodies - run.count.first_large) * parts_of_large;
  run.contacts.large_part.discard_and_resize(n_parts, "large particles");
  if (n_parts == 0) { return; }
  const auto ids_per_part =
      static_cast<index_t>((run.count.start + run.count.inserted + parts_of_large - 1) / parts_of_large);
  run.exec.for_each("gather large bodies", n_parts,
                    LargeGather<R>{wrench_gather(run), run.contacts.pairs.bodies.view(), run.bodies.id.view(),
                                   run.bodies.radius.view(), ids_per_part, run.control.data()});
}

}  // namespace

template <class R>
EngineState save_run(RunState<R>& run, EnergyAccounts<R>& energies, StepLimits<R>& limits) {
  SCREE_EXPECT(run.forces_known, "contact forces are not known between a search and the next step");
  EngineState state;
  StateWriter out(state);
  energies.save(run, out);
  ClockState clock_state = run.clock.state();
  visit_totals(run, limits, out, clock_state);
  const std::vector<DrivenState>& driven = run.boundary.driven_states();
  out.rows(
      "boundaries/driven", "m, m/s, rad, rad/s, J",
      driven.size(), [&](std::size_t b) -> const auto& { return driven[b]; });
  save_bodies(run, out);
  run.clumps.save(out);
  save_pairs(run, out);
  save_boundary_contacts(run, out);
  return state;
}

template <class R>
void restore_run(RunState<R>& run, EnergyAccounts<R>& energies, StepLimits<R>& limits, NeighbourSearch<R>& search,
                 const EngineState& state) {
  StateReader in(state);
  forget_lists(run, search);
  ClockState clock_state;
  const auto fixed = [&] {
    return std::tuple(run.count.start, run.expected.large_radius, run.outlets.quanta_per_mass);
  };
  const auto of_scene = fixed();
  visit_totals(run, limits, in, clock_state);
  expect_state(fixed() == of_scene, "totals/particles_at_start and what follows from them are those of another scene");
  const std::uint64_t n_ids = std::uint64_t(run.count.start) + run.count.inserted;
  expect_state(run.count.inserted < no_index && n_ids < no_index,
               "totals/particles_inserted are more than there can be");
  expect_state(run.step < std::uint64_t(1) << 53, "totals/step is one that no run gets to");
  expect_state(run.clumps.n_made <= n_ids && run.clumps.members_beyond <= n_ids && run.clumps.inserted_beyond <= n_ids,
               "totals/clumps are more than there can be");
  expect_state(!run.scene.adaptive || is_time(clock_state), "totals/clock tells times that cannot be");
  const auto made = run.contacts.bonds_made.to_vector(), broken = run.contacts.bonds_broken.to_vector();
  for (std::size_t i = 0; i < made.size(); ++i) {
    expect_state(broken[i] <= made[i], "totals/bonds_broken are more than were made");
  }
  if (run.cell.any()) { expect_cell(run.cell, run.in_cell.measure, run.scene.cell->stages.size()); }
  run.clock.set_state(clock_state);
  std::vector<DrivenState> driven(run.boundary.driven_states().size());
  in.rows(
      "boundaries/driven", "", driven.size(), [&](std::size_t b) -> auto& { return driven[b]; });
  run.boundary.set_driven(std::move(driven));
  const std::vector<index_t> place_of_id = restore_bodies(run, in);
  run.clumps.restore(run, in);
  restore_pairs(run, in, place_of_id);
  restore_boundary_contacts(run, in, place_of_id);
  energies.restore(run, in);
  in.expect_all_read();
  run.lists.rebuilds = run.step > 0 ? 1 : 0;
  run.lists.step = run.step;
  restore_large_parts(run);
  run.grains.refresh(run);
  if (run.in_cell.measured_step == run.step) { run.cell.ends(run.clock.at(run.step), run.in_cell.measure); }
}

template EngineState save_run(RunState<float>&, EnergyAccounts<float>&, StepLimits<float>&);
template EngineState save_run(RunState<double>&, EnergyAccounts<double>&, StepLimits<double>&);
template void restore_run(RunState<float>&, EnergyAccounts<float>&, StepLimits<float>&, NeighbourSearch<float>&,
                          const EngineState&);
template void restore_run(RunState<double>&, EnergyAccounts<double>&, StepLimits<double>&, NeighbourSearch<double>&,
                          const EngineState&);

}  // namespace scree::inline SCREE_BACKEND
