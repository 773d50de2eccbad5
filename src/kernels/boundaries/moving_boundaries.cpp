#include "kernels/boundaries/moving_boundaries.hpp"

#include <algorithm>
#include <cstdio>

#include "kernels/contact/boundary_loads.hpp"
#include "kernels/contact/boundary_sweep.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
StepMoves MovingBoundaries<R>::finish_step(RunState<R>& run) {
  const StepTimes times = run.clock.at(run.step);
  const Real3& g = run.scene.gravity;
  const bool matter = run.boundary.loads_matter(times);
  const std::vector<Load> of_step = matter ? loads(run) : std::vector<Load>(run.boundary.n_moving());
  return run.boundary.finish_step(times, of_step, {{g[0], g[1], g[2]}, run.scene.integration.damping}, run.lists.reach,
                                  run.expected.smallest_radius);
}

template <class R>
std::vector<Load> MovingBoundaries<R>::loads(RunState<R>& run) {
  const std::size_t n_rows = run.contacts.near.body_of_row.size(), n_sums = run.boundary.n_moving() * load_components;
  std::vector<Load> loads(run.boundary.n_moving());
  if (n_rows == 0) { return loads; }
  const std::size_t most = SCREE_ON_CUDA ? std::max<std::size_t>(1, 16384 / n_sums) : std::size_t(run.exec.threads());
  const std::size_t lanes = std::min(most, (n_rows + 255) / 256 * (SCREE_ON_CUDA ? 64 : 1));
  load_sums_.discard_and_resize(lanes * n_sums, "boundary loads");
  moving_loads_.discard_and_resize(n_sums, "boundary loads");
  run.exec.for_lanes("boundary loads", lanes, n_rows,
                     BoundaryLoadSum<R>{.row_start = run.contacts.near.row_start.view(),
                                        .slot = run.contacts.near.slot.view(),
                                        .couple = run.contacts.near.rows.couple.view(),
                                        .feature = run.boundary.view().feature,
                                        .place = run.boundary.place_among_moving(),
                                        .n_rows = n_rows,
                                        .lanes = lanes,
                                        .n_moving = run.boundary.n_moving(),
                                        .sums = load_sums_.view()});
  if (lanes > 1) {
    run.exec.for_each("boundary loads", n_sums * exact_sum_words, BoundaryLoadMerge{load_sums_.view(), lanes, n_sums});
  }
  run.exec.for_each("boundary loads", n_sums, BoundaryLoadRound{load_sums_.view(), moving_loads_.view()});
  const std::vector<double> sums = moving_loads_.to_vector();
  for (std::size_t m = 0; m < loads.size(); ++m) {
    const double* sum = &sums[m * load_components];
    loads[m] = {{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}};
  }
  return loads;
}

template <class R>
void MovingBoundaries<R>::sweep(RunState<R>& run, const FastMove& move, double length) {
  swept_pose_.assign(move.pose, "boundaries");
  run.exec.for_each("fast boundaries", run.count.bodies,
                    BoundarySweep<R>{run.boundary.reference_view(), move.boundary, move.travel, swept_pose_.view(),
                                     view(run.bodies), length, cell_flow(run), run.control.data()});
  const std::uint64_t fault = run.control.element(0).fault;
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
