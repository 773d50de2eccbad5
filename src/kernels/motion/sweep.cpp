#include "kernels/motion/sweep.hpp"

#include "kernels/backend/last_block.hpp"
#include "kernels/ledger/ledger_steps.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/run_state.hpp"
#include "kernels/step/motion/motion.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Moves the bodies from first_large on, after all pairs are done: many threads sum the parts of each large body.
template <class R, class Motion>
void move_large(RunState<R>& run, const WrenchGather<R>& gather, const Motion& motion) {
  const std::size_t first = run.count.first_large, n_large = run.count.bodies - first;
  if (n_large == 0) { return; }
  const auto ids_per_part = static_cast<index_t>((run.count.ids() + parts_of_large - 1) / parts_of_large);
  run.exec.for_each("gather large bodies", n_large * parts_of_large,
                    LargeGather<R>{gather, run.contacts.pairs.bodies.view(), run.bodies.id.view(),
                                   run.bodies.radius().view(), ids_per_part, run.control.data()});
  run.exec.for_each("gather and move", n_large, in_step(run, LaterMotion<Motion>{motion, first}));
}

template <class R, bool grouped, bool clumps, bool periodic>
bool sweep_with(RunState<R>& run, const BodyMotion<R, grouped, clumps, periodic>& motion, const LedgerSteps<R>& ledger,
                [[maybe_unused]] bool may_end_step) {
  Pairs<R>& listed = run.contacts.pairs;
  PairViews<R> views = pair_views_of_steps(run);
  views.ledger = {ledger.lanes};
  views.ledger.rest = listed.entry_rest();
  if (run.losses.noted()) {
    views.ledger.losses = run.losses.of_pairs(listed.size());
    views.ledger.powers = run.losses.powers_of_pairs(listed.size());
  }
  const PairItems<R> items{run.laws, views, run.plan.moments(run.control.data())};
#if SCREE_ON_CUDA
  if constexpr (!clumps) {
    const std::size_t n = run.count.bodies;
    if (may_end_step && n > 0 && run.count.first_large == n) {
      items.launch(run.exec, listed.size());
      for_each_then(run.exec, "gather and move", n, in_step(run, motion), step_end(run), run.blocks_ended.view());
      return true;
    }
  }
#endif
  const auto touch_and_move = [&](const auto& moves) {
    run.exec.for_items_then_each("pair contacts", listed.size(), items, "gather and move", run.count.first_large,
                                 in_step(run, moves),
                                 ItemOrder{listed.chunk_start.view(), chunk_bodies, listed.lowest_slot.view()});
    move_large(run, motion.gather, moves);
  };
#if SCREE_IN_BATCHES
  touch_and_move(motion);
#else
  using Motion = BodyMotion<R, grouped, clumps, periodic>;
  if (ledger.lanes.size > 0) {
    touch_and_move(MotionInLedger<R, Motion>{ledger.before, motion});
  } else {
    touch_and_move(motion);
  }
#endif
  if constexpr (clumps) {
    run.modes.move(run, ledger.modes, ledger.mode_energies);
    run.clumps.move(run, motion, ledger.clumps);
    run.modes.turn(run, ledger.clumps, ledger.modes, ledger.mode_energies);
  }
  return false;
}

}  // namespace

template <class R>
bool sweep(RunState<R>& run, const LedgerSteps<R>& ledger, bool may_end_step) {
  const Scene& scene = run.scene;
  const Vec3<R> gravity = convert<R>(vec(scene.gravity));
  if (run.clumps.any()) { run.clumps.member_wrench.discard_and_resize(run.count.bodies, "clumps"); }
  const auto go_with = [&]<bool grouped, bool clumps, bool periodic>(const auto& groups, const auto& cell) {
    return sweep_with(run,
                      BodyMotion<R, grouped, clumps, periodic>{
                          .bodies = view(run.bodies),
                          .gather = wrench_gather(run),
                          .scheme = {R(0), R(0), static_cast<R>(scene.integration.damping)},
                          .gravity = gravity,
                          .outlets = run.outlets.view(run.heat.temperature(), run.films.volume()),
                          .control = run.control.data(),
                          .groups = groups,
                          .member_wrench = run.clumps.member_wrench.view(),
                          .cell = cell,
                          .noted = ledger.wrenches},
                      ledger, may_end_step);
  };
  const auto go = [&]<bool grouped, bool clumps>(const auto& groups) {
    if (run.cell.any()) {
      return go_with.template operator()<grouped, clumps, true>(groups, run.in_cell.motion(run.cell));
    }
    return go_with.template operator()<grouped, clumps, false>(groups, NoCell{});
  };
  const bool clumps = run.clumps.any();
  if (run.groups.any()) {
    const Grouped<R> groups{run.groups.table(), {}};
    return clumps ? go.template operator()<true, true>(groups) : go.template operator()<true, false>(groups);
  }
  return clumps ? go.template operator()<false, true>(NoGroups{}) : go.template operator()<false, false>(NoGroups{});
}

template bool sweep(RunState<float>&, const LedgerSteps<float>&, bool);
template bool sweep(RunState<double>&, const LedgerSteps<double>&, bool);

}  // namespace scree::inline SCREE_BACKEND
