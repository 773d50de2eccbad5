#include "kernels/boundaries/moving_boundaries.hpp"

#include <cstdio>

#include "kernels/boundaries/boundary_loads.hpp"
#include "kernels/boundaries/boundary_sweep.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
void MovingBoundaries<R>::begin_batch(RunState<R>& run) {
  if (!run.boundary.moving()) { return; }
  const MovingView moving = run.boundary.moving_view(run.control.data());
  if (run.boundary.has_bodies()) {
    run.exec.for_each("move boundaries", moving.all.size, in_step(run, BoundaryPlacement<true>{moving}));
  } else {
    run.exec.for_each("move boundaries", moving.all.size, in_step(run, BoundaryPlacement<false>{moving}));
  }
}

template <class R>
void MovingBoundaries<R>::begin_step(RunState<R>& run) {
  if (run.boundary.moving()) { run.boundary.place_vertices(run.exec); }
}

template <class R>
void MovingBoundaries<R>::end_step(RunState<R>& run) {
  const StepEnd end = step_end(run);
  if (!run.boundary.moving()) {
    run.exec.for_each("end of step", 1, end);
    return;
  }
  const MovingView moving = run.boundary.moving_view(run.control.data());
  BoundaryList<R>& near = run.contacts.near;
  const bool slides = run.boundary.view().slides != 0, grows = run.boundary.view().grows != 0;
  const std::size_t n = run.boundary.n_moving(), n_loads = n * load_components,
                    n_more = (slides || grows ? n : 0) + (grows ? n : 0);
  const std::size_t n_sums = run.boundary.loads_matter() ? n_loads + n_more : 0;
  // The power of a sliding surface is that of this moment, in the middle of the two halves of its work.
  BoundaryView sliding{};
  if (slides || grows) { sliding = run.boundary.view(); }
  if (slides) { sliding.pose = moving.momentary_pose; }
  const Span<ExactSum> loads = load_sums_.prepare(run.exec, near.slot.size(), n_sums);
  const BoundaryLoadSum<R> item{.slot = near.slot.view(),
                                .couple = near.rows.couple.view(),
                                .feature = run.boundary.view().feature,
                                .place = run.boundary.place_among_moving(),
                                .boundaries = sliding,
                                .nodes = near.rows.nodes.view(),
                                .first_power = n_loads,
                                .first_radial = n_loads + n};
  const DriveStep scheme{vec(run.scene.gravity), run.scene.integration.damping};
  const auto launch = [&](const auto& step) {
    sum_then(run.exec,
             SumLaunch{.label = "move boundaries",
                       .last_label = "end of step",
                       .n = near.slot.size(),
                       .space = load_sums_,
                       .sums = loads,
                       .n_each = run.boundary.n_moving(),
                       .idle = &run.control.data()->halted,
                       .blocks_ended = run.blocks_ended.view()},
             item, in_step(run, step), in_step(run, MovingStepEnd{end, moving}));
  };
  const double smallest = run.expected.smallest_radius;
  if (run.boundary.has_bodies()) {
    launch(BoundaryStep<true>{.moving = moving, .loads = loads, .scheme = scheme, .smallest_radius = smallest});
  } else {
    launch(BoundaryStep<false>{.moving = moving, .loads = loads, .scheme = scheme, .smallest_radius = smallest});
  }
}

template <class R>
void MovingBoundaries<R>::sweep(RunState<R>& run, const FastMove& move, double length) {
  swept_pose_.assign(move.pose, "boundaries");
  run.exec.for_each(
      "fast boundaries", run.count.bodies,
      BoundarySweep<R>{run.boundary.reference_view(move.boundary, move.pose.front().growth), move.boundary, move.travel,
                       swept_pose_.view(), view(run.bodies), length, cell_flow(run), run.control.data()});
  run.seen = run.control.element(0);
  const std::uint64_t fault = run.seen.fault;
  if (fault == no_fault) { return; }
  const auto id = static_cast<index_t>(fault & 0xffffffffu);
  char way[120];
  std::snprintf(way, sizeof way, "at up to %.4g m/s it goes up to %.4g mm in a step of %.4g s", move.travel / length,
                1e3 * move.travel, length);
  throw KernelFault("boundary \"" + run.scene.boundaries[move.boundary].name +
                        "\" met it and went past it by more than its radius in one step: " + way +
                        ", which is too long for this speed",
                    run.step, {id});
}

template class MovingBoundaries<float>;
template class MovingBoundaries<double>;

}  // namespace scree::inline SCREE_BACKEND
