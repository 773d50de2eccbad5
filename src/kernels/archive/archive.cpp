#include "kernels/archive/archive.hpp"

#include "kernels/archive/groups_of_arrays.hpp"
#include "kernels/ledger/energy_accounts.hpp"
#include "kernels/motion/step_limits.hpp"
#include "kernels/neighbours/neighbour_search.hpp"
#include "kernels/run_state.hpp"

/// Checkpoints of a run. They hold everything on which the further course and the readout of the present step depend,
/// in an order that does not depend on how bodies stand in memory. Lists, skins and the like are not saved: in a
/// restored run the lists hold only the touching contacts, and the next step begins with a search. Nor are most values
/// saved that were set during the run: Engine::save() has the list of them.
///
/// Each part saves and restores itself. A new piece of state takes one line: for bodies in Bodies::each_field(), for
/// rows of contacts in visit_rows(), for pairs in visit_pair_arrays(), for boundary contacts in visit_slot_members(),
/// for anything else where its part saves and restores itself. The test checkpoint_guard.test.cpp finds forgotten
/// state.
namespace scree::inline SCREE_BACKEND {

namespace {

/// Clears all lists, measurements and reports.
template <class R>
void forget(RunState<R>& run, NeighbourSearch<R>& search) {
  run.seen = {};
  run.control.assign({run.seen}, "control");
  run.contacts.stacks.forget();
  run.grains.forget();
  run.lists = {};
  run.forces_known = true;
  search.forget();
}

}  // namespace

template <class R>
EngineState save_run(RunState<R>& run, EnergyAccounts<R>& energies, StepLimits<R>& limits) {
  SCREE_EXPECT(run.forces_known, "contact forces are not known between a search and the next step");
  EngineState state;
  StateWriter out(state);
  energies.save(run, out);  // first, since the energies that it settles are part of the contacts
  out("totals/step", "1", run.step);
  run.clock.save(out);
  limits.save(out);
  run.count.save(out);
  run.expected.save(out);
  run.outlets.save(out);
  run.cell.save(out);
  run.boundary.save(run.time(), out);
  run.faces.save(out);
  const std::vector<index_t> ids = save_bodies(run, out);
  run.in_cell.save(run, ids, out);
  run.losses.save(run, ids, out);
  run.collisions.save(out);
  run.heat.save(run, ids, out);
  run.films.save(run, ids, out);
  run.groups.save(ids, out);
  run.clumps.save(out);
  run.modes.save(run, out);
  save_contacts(run, out);
  return state;
}

template <class R>
void restore_run(RunState<R>& run, EnergyAccounts<R>& energies, StepLimits<R>& limits, NeighbourSearch<R>& search,
                 const EngineState& state) {
  StateReader in(state);
  forget(run, search);
  in("totals/step", "1", run.step);
  expect_state(run.step < std::uint64_t(1) << 53, [&] { return broken_rule("totals/step", "below 2^53", run.step); });
  run.clock.restore(in);
  limits.restore(in);
  run.count.restore(in);
  run.expected.restore(in);
  run.outlets.restore(in);
  run.cell.restore(run.scene, in);
  run.boundary.restore(in);
  run.faces.restore(in);
  const RestoredBodies bodies = restore_bodies(run, in);
  run.in_cell.restore(run, bodies.ids, in);
  run.losses.restore(run, bodies.ids, bodies.place_of_id, in);
  run.heat.restore(run, bodies.ids, bodies.place_of_id, in);
  run.films.restore(run, bodies.ids, bodies.place_of_id, in);
  run.groups.restore(bodies.ids, run.count.ids(), in);
  run.clumps.restore(run, in);
  run.modes.restore(run, in);
  restore_contacts(run, in, bodies.place_of_id);
  run.collisions.restore(run, in);
  energies.restore(run, in);
  in.expect_all_read();
  run.lists.rebuilds = run.step > 0 ? 1 : 0;
  run.lists.step = run.step;
  run.grains.refresh(run);
}

template EngineState save_run(RunState<float>&, EnergyAccounts<float>&, StepLimits<float>&);
template EngineState save_run(RunState<double>&, EnergyAccounts<double>&, StepLimits<double>&);
template void restore_run(RunState<float>&, EnergyAccounts<float>&, StepLimits<float>&, NeighbourSearch<float>&,
                          const EngineState&);
template void restore_run(RunState<double>&, EnergyAccounts<double>&, StepLimits<double>&, NeighbourSearch<double>&,
                          const EngineState&);

}  // namespace scree::inline SCREE_BACKEND
