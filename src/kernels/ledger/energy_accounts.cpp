#include "kernels/ledger/energy_accounts.hpp"

#include "kernels/run_state.hpp"
#include "kernels/step/ledger/ledger_contacts.hpp"
#include "kernels/step/motion/ledger_fall.hpp"
#include "kernels/step/motion/ledger_motion.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// [m/s2] Gravity as bodies feel it.
template <class R>
Vec3d gravity_of(const RunState<R>& run) {
  const auto single = [](double value) { return double(static_cast<R>(value)); };
  return {single(run.scene.gravity[0]), single(run.scene.gravity[1]), single(run.scene.gravity[2])};
}

}  // namespace

template <class R>
LedgerBodies<R> EnergyAccounts<R>::bodies(RunState<R>& run) {
  return {view(run.bodies), before_.view()};
}

template <class R>
EnergyAccounts<R>::EnergyAccounts(const RunState<R>& run) {
  if (!run.scene.energies) { return; }
  on_ = true;
  lanes_.discard_and_resize(SCREE_ON_CUDA ? 2048 : std::size_t(run.exec.threads()), "energy ledger");
  lanes_.zero();
  note_damping(run);
}

template <class R>
void EnergyAccounts<R>::note_damping(const RunState<R>& run) {
  damped_ = run.scene.integration.damping != 0 || run.scene.integration.viscous_damping != 0;
  for (const SceneGroup& group : run.scene.groups) { damped_ = damped_ || group.damping != 0; }
}

/// Whether gravity is the only force on single bodies beside contacts. LedgerBefore then adds all of its work.
template <class R>
bool EnergyAccounts<R>::only_falls(const RunState<R>& run) const {
  return !damped_ && !run.groups.any() && !(run.cell.any() && run.cell.deforms());
}

template <class R>
void EnergyAccounts<R>::open(RunState<R>& run) {
  if (!only_falls(run) || run.clumps.any()) { add_half(run, true); }
  before_.discard_and_resize(run.count.bodies, "energy ledger");
#if SCREE_IN_BATCHES
  run.exec.for_lanes("energy ledger", lanes_.size(), run.count.bodies, in_step(run, before(run)));
#endif
}

template <class R>
LedgerBefore<R> EnergyAccounts<R>::before(RunState<R>& run) {
  return {.of = bodies(run),
          .falls = only_falls(run),
          .gravity = gravity_of(run),
          .lanes = lanes_.view(),
          .n = run.count.bodies,
          .control = run.control.data()};
}

/// [n_boundaries] At the moment of the last forces. The step changes the velocities of driven boundaries, as it changes
/// those of particles.
template <class R>
Span<Pose> EnergyAccounts<R>::pose_of_forces(RunState<R>& run) {
  return run.boundary.moving() ? run.boundary.pose_of_forces() : run.boundary.view().pose;
}

/// Adds one half of the work on bodies, except the work that LedgerBefore adds.
template <class R>
void EnergyAccounts<R>::add_half(RunState<R>& run, bool after) {
  add_half_of_bodies(run, after);
  if (run.clumps.any()) { add_half_of_clumps(run, after); }
  if (run.modes.any()) { add_half_of_modes(run, after); }
}

template <class R>
void EnergyAccounts<R>::add_half_of_bodies(RunState<R>& run, bool after) {
  if (!only_falls(run)) {
    run.exec.for_lanes("energy ledger", lanes_.size(), before_.size(),
                       in_step(run, LedgerMotion<R>{.of = bodies(run),
                                                    .gather = wrench_gather(run),
                                                    .groups = run.groups.table(),
                                                    .gravity = gravity_of(run),
                                                    .damped = damped_,
                                                    .flow = {},
                                                    .half = WorkHalf{after},
                                                    .lanes = lanes_.view(),
                                                    .control = run.control.data(),
                                                    .wrench = wrenches_.view()}));
  } else if (!after && run.outlets.any()) {
    run.exec.for_lanes("energy ledger", lanes_.size(), before_.size(),
                       in_step(run, LedgerLeft<R>{.of = bodies(run),
                                                  .gather = wrench_gather(run),
                                                  .gravity = gravity_of(run),
                                                  .lanes = lanes_.view(),
                                                  .control = run.control.data()}));
  }
}

template <class R>
void EnergyAccounts<R>::add_half_of_clumps(RunState<R>& run, bool after) {
  clump_kinetic_.discard_and_resize(clump_steps_.size(), "energy ledger");
  run.exec.for_lanes("energy ledger", lanes_.size(), clump_steps_.size(),
                     in_step(run, LedgerClumps<R>{.steps = clump_steps_.view(),
                                                  .kinetic = clump_kinetic_.view(),
                                                  .groups = run.groups.table(),
                                                  .gravity = gravity_of(run),
                                                  .viscous_damping = run.scene.integration.viscous_damping,
                                                  .damped = damped_,
                                                  .flow = {},
                                                  .half = WorkHalf{after},
                                                  .lanes = lanes_.view(),
                                                  .control = run.control.data()}));
}

template <class R>
void EnergyAccounts<R>::add_half_of_modes(RunState<R>& run, bool after) {
  run.exec.for_lanes("energy ledger", lanes_.size(), clump_steps_.size(),
                     in_step(run, LedgerModes<R>{.steps = mode_steps_.view(),
                                                 .energies = mode_energies_.view(),
                                                 .clump_steps = clump_steps_.view(),
                                                 .stride = run.modes.stride(),
                                                 .half = WorkHalf{after},
                                                 .flow = {},
                                                 .lanes = lanes_.view(),
                                                 .control = run.control.data()}));
}

template <class R>
void EnergyAccounts<R>::close(RunState<R>& run) {
  add_half(run, false);
}

template <class R>
ContactLedger<R> EnergyAccounts<R>::of_boundaries(RunState<R>& run) {
  ContactLedger<R> ledger{lanes_.view(), pose_of_forces(run)};
  ledger.rest = run.contacts.near.rows.entry_rest();
  return ledger;
}

template <class R>
void EnergyAccounts<R>::settle_for_step(RunState<R>& run) {
  if (run.lists.spent || before_.size() != run.count.bodies) { settle(run); }
}

template <class R>
void EnergyAccounts<R>::settle_for_change(RunState<R>& run) {
  if (!open_) { return; }
  saved_ = energies(run);
  saved_step_ = run.step;
  settle(run);
}

template <class R>
void EnergyAccounts<R>::settle(RunState<R>& run) {
  if (!open_) { return; }
  run.plan.hold(run, made_);
  add_half(run, true);
  if (only_falls(run)) {
    run.exec.for_lanes("energy ledger", lanes_.size(), before_.size(),
                       in_step(run, SettleFall<R>{bodies(run), gravity_of(run), lanes_.view()}));
  }
  settle_pairs(run);
  settle_boundaries(run);
  open_ = false;
  note_inserted(run, before_.size(), clump_steps_.size());  // this was postponed while second halves were missing
}

template <class R>
void EnergyAccounts<R>::settle_pairs(RunState<R>& run) {
  run.exec.for_lanes("energy ledger", lanes_.size(), run.contacts.pairs.size(),
                     in_step(run, SettlePairs<R>{.ledger = {lanes_.view()},
                                                 .place = ledger_of_pairs(run),
                                                 .bodies = view(run.bodies),
                                                 .pairs = run.contacts.pairs.bodies.view(),
                                                 .force = run.contacts.pairs.force.view(),
                                                 .touching = run.contacts.pairs.touching.view()}));
}

template <class R>
void EnergyAccounts<R>::settle_boundaries(RunState<R>& run) {
  if (!run.boundary.any()) { return; }
  auto& near = run.contacts.near;
  run.exec.for_lanes("energy ledger", lanes_.size(), near.body_of_row.size(),
                     in_step(run, SettleBoundaries<R>{.ledger = {lanes_.view()},
                                                      .place = ledger_of_boundaries(run),
                                                      .bodies = view(run.bodies),
                                                      .boundaries = run.boundary.view(),
                                                      .pose = pose_of_forces(run),
                                                      .body_of_row = near.body_of_row.view(),
                                                      .row_start = near.row_start.view(),
                                                      .slots = near.slot.view(),
                                                      .couple = near.rows.couple.view(),
                                                      .nodes = near.rows.nodes.view()}));
}

template <class R>
LedgerSteps<R> EnergyAccounts<R>::steps(RunState<R>& run) {
  if (!on_) { return {}; }
  const std::size_t n = run.clumps.size();
  clump_steps_.discard_and_resize(n, "energy ledger");
  if (run.modes.any()) {
    mode_steps_.discard_and_resize(n * run.modes.stride(), "energy ledger");
    mode_energies_.discard_and_resize(n, "energy ledger");
  }
  // A GPU gathers the wrenches again instead: its motion needs its registers.
  wrenches_.discard_and_resize(SCREE_ON_CUDA || only_falls(run) ? 0 : run.count.bodies, "energy ledger");
  return {lanes_.view(), before(run), wrenches_.view(), clump_steps_.view(), mode_steps_.view(), mode_energies_.view()};
}

template <class R>
std::uint64_t EnergyAccounts<R>::bytes() const {
  return before_.bytes() + wrenches_.bytes() + lanes_.bytes() + state_lanes_.bytes() + merged_.bytes() +
         rounded_.bytes() + clump_steps_.bytes() + clump_kinetic_.bytes() + mode_steps_.bytes() +
         mode_energies_.bytes();
}

template class EnergyAccounts<float>;
template class EnergyAccounts<double>;

}  // namespace scree::inline SCREE_BACKEND
