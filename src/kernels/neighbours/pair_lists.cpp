#include "kernels/neighbours/incident.hpp"
#include "kernels/neighbours/lent.hpp"
#include "kernels/neighbours/neighbour_search.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Makes room for the pairs of a new list. The forces follow with the histories.
template <class R>
void resize_pairs(RunState<R>& run, std::size_t n_pairs) {
  if (n_pairs >= most_pairs) {
    throw BackendError("more than 2^31 neighbouring pairs (" + std::to_string(n_pairs) + ") of " +
                       std::to_string(run.count.bodies) +
                       " particles: the particles overlap, or the Verlet distance is too long");
  }
  Pairs<R>& pairs = run.contacts.pairs;
  pairs.bodies.discard_and_resize(n_pairs, "neighbour list");
  pairs.shear.discard_and_resize(n_pairs, "contact history");
  pairs.rows.discard_and_resize_histories(n_pairs, run.laws.row_shape(), "contact history");
  pairs.touching.discard_and_resize(n_pairs, "neighbour list");
  pairs.image.discard_and_resize(run.cell.any() ? n_pairs : 0, "neighbour list");
}

}  // namespace

template <class R>
PairSweep<R> NeighbourSearch<R>::pair_sweep(RunState<R>& run) {
  return {.grid = grid_,
          .position = run.cell.any() ? places_in_cell() : run.bodies.position().view(),
          .radius = run.bodies.radius().view(),
          .skin = run.bodies.skin().view(),
          .range = run.laws.ranges.of_pairs(run.bodies),
          .key = keys_.view(),
          .records = sweep_records(run.count.bodies),
          .column_start = column_start_.view(),
          .clump_of = run.clumps.clump_of.view(),
          .cell = run.cell.any() ? run.cell.wrap() : CellWrap{}};
}

template <class R>
void NeighbourSearch<R>::find_pairs(RunState<R>& run) {
  const std::size_t n = run.count.bodies;
  column_start_.discard_and_resize(std::size_t(grid_.n_columns) + 1, "neighbour search");
  const PairSweep<R> sweep = pair_sweep(run);
  const SweepPack<R> pack{
      grid_.origin, sweep.position, run.bodies.radius().view(), run.bodies.skin().view(), sweep.range.of_body,
      keys_.view(), sweep.records};
  run.exec.for_each("search: tables", std::max<std::size_t>(n, grid_.n_columns + 1),
                    SweepTables<R>{pack, n, grid_.n_columns, column_start_.view(), incoming()},
                    n * (24 + 2 * sizeof(R) + 16 + 28) + grid_.n_columns * 4);
  start_levels(run);
  const std::uint64_t sweep_bytes = n * (24 + 8) + grid_.n_columns * 4;
  const KeptList found = kept();
  const Span<offset_t> start = offsets(n);
  run.exec.for_stretches("search: find pairs", n, PairCount<R>{sweep, start, found}, sweep_bytes + n * 40);
  if (grid_.n_levels > 1) {
    const auto find_smaller = [&](std::size_t first, std::size_t end, std::uint32_t parts) {
      run.exec.for_stretches("search: find pairs", (end - first) * parts,
                             PairCountOfLarger<R>{sweep, first, parts, start, found}, (end - first) * parts * 48);
    };
    const std::size_t middle = std::max(first_of_level_1_, run.count.first_large);
    find_smaller(first_of_level_1_, middle, SCREE_ON_CUDA ? 4 : 1);
    find_smaller(middle, n, SCREE_ON_CUDA ? 64 : 1);
  }
  offset_t total = 0;
  run.exec.timed(
      "search: offsets",
      [&] {
        run.primitives.exclusive_scan(start, n);
        copy_from_backend(&total, &start.data[n], sizeof total);
      },
      n * 16);
  const auto n_pairs = static_cast<std::size_t>(total);
  resize_pairs(run, n_pairs);
  Pairs<R>& pairs = run.contacts.pairs;
  const PairRows rows{
      run.bodies.id.view(), start,        pairs.bodies.view(), lent<std::uint32_t>(pairs.shear, 0, n_pairs), incoming(),
      pairs.image.view(),   image_.view()};
  run.exec.for_each("search: list pairs", n, PairFill{rows, found}, n * (32 + 4 + 8 + 8) + n_pairs * 12);
  run.exec.for_stretches("search: list pairs", n, PairFillAgain<R>{sweep, rows}, n * 8);
}

template <class R>
void NeighbourSearch<R>::list_incident(RunState<R>& run) {
  Pairs<R>& pairs = run.contacts.pairs;
  const std::size_t n_pairs = pairs.size();
  const std::size_t n = run.count.bodies, n_chunks = (n + chunk_bodies - 1) / chunk_bodies;
  pairs.incident.discard_and_resize(2 * n_pairs, "neighbour list");
  pairs.incident_start.discard_and_resize(n + 1, "neighbour list");
  pairs.lowest_slot.discard_and_resize(n, "neighbour list");
  pairs.chunk_start.discard_and_resize(n_chunks + 1, "neighbour list");
  if (n == 0) { pairs.chunk_start.zero(); }
  const Span<offset_t> start = offsets(n);
  // A body has the slots that it found, and those that others found with it.
  run.exec.timed(
      "search: offsets", [&] { run.primitives.exclusive_scan_onto(start, incoming(), pairs.incident_start.view(), n); },
      n * 20);
  // The history of the new list is not written yet. Until then its memory holds the ranks and the ids of the other
  // bodies.
  static_assert(sizeof(Vec3<R>) >= 3 * sizeof(std::uint32_t));
  const Span<std::uint32_t> rank = lent<std::uint32_t>(pairs.shear, 0, n_pairs);
  const Span<index_t> other_id = lent<index_t>(pairs.shear, n_pairs, 2 * n_pairs);
  run.exec.for_each(
      "search: list slots", n,
      IncidentFill{pairs.bodies.view(), run.bodies.id.view(), start, rank, incoming(), pairs.incident_start.view(),
                   pairs.incident.view(), other_id, pairs.chunk_start.view()},
      n * 24 + n_pairs * (8 + 4 + 16));
  sort_incident(run, other_id);
}

/// Sorts the slots of each body by ascending id of the other body.
template <class R>
void NeighbourSearch<R>::sort_incident(RunState<R>& run, Span<index_t> other_id) {
  Pairs<R>& pairs = run.contacts.pairs;
  const std::size_t n_pairs = pairs.size();
  run.exec.for_each(
      "search: sort slots", run.count.first_large,
      IncidentSort{pairs.incident_start.view(), pairs.incident.view(), other_id, pairs.lowest_slot.view()},
      run.count.bodies * 12 + n_pairs * 32);
  if (run.count.first_large < run.count.bodies) {
    const offset_t begin = pairs.incident_start.element(run.count.first_large);
    const auto n = static_cast<std::size_t>(2 * n_pairs - begin);
    row_keys_.discard_and_resize(n, "large particles");
    row_entries_.discard_and_resize(n, "large particles");
    run.exec.for_each("search: sort slots", n,
                      IncidentKey{pairs.bodies.view(), pairs.incident.view(), other_id, begin, row_keys_.view(),
                                  row_entries_.view()});
    run.exec.timed("search: sort slots", [&] { run.primitives.sort_by_key(row_keys_, row_entries_, n, 64); });
    copy_within_backend(pairs.incident.data() + begin, row_entries_.data(), n * sizeof(std::uint32_t));
    run.exec.for_each("search: sort slots", run.count.bodies - run.count.first_large,
                      LowestSlot{pairs.incident_start.view(), pairs.incident.view(), pairs.lowest_slot.view(),
                                 run.count.first_large});
  }
}

/// Gives the new pairs the history of the old ones, and zero forces.
template <class R>
void NeighbourSearch<R>::return_history(RunState<R>& run) {
  Pairs<R>& pairs = run.contacts.pairs;
  const std::size_t n_pairs = pairs.size();
  const RowShape shape = run.laws.row_shape();
  run.exec.for_each("search: return history", n_pairs,
                    CarriedReturn<R>{.pairs = pairs.bodies.view(),
                                     .id = run.bodies.id.view(),
                                     .order = order_.view(),
                                     .start = carried_start_.view(),
                                     .carried = carried_history(pairs.force),
                                     .shear = pairs.shear.view(),
                                     .touching = pairs.touching.view(),
                                     .carried_rows = carried_.view(shape),
                                     .rows = pairs.rows.view(shape)},
                    n_pairs * (8 + 1 + sizeof(Vec3<R>)) + run.count.bodies * 16);
  run.exec.for_each("search: return history", carried_.stack.size(),
                    GiveBackCarried<R>{run.contacts.stacks.view(), carried_.stack.view()});
  // They take as much memory as the stacks and are idle until the next search.
  if (carried_.stack.size() > 0) { Buffer<StackEnd<R>>().swap(carried_.stack); }
  pairs.force.discard_and_resize(n_pairs, "contact forces");
  run.exec.timed(
      "search: clear forces",
      [&] {
        pairs.force.zero();
        pairs.rows.clear_step(n_pairs, shape, true, "contact forces");
      },
      n_pairs * (sizeof(PairForce<R>) + (shape.couples ? sizeof(Vec3<R>) : 0)));
}

template PairSweep<float> NeighbourSearch<float>::pair_sweep(RunState<float>&);
template PairSweep<double> NeighbourSearch<double>::pair_sweep(RunState<double>&);
template void NeighbourSearch<float>::find_pairs(RunState<float>&);
template void NeighbourSearch<double>::find_pairs(RunState<double>&);
template void NeighbourSearch<float>::list_incident(RunState<float>&);
template void NeighbourSearch<double>::list_incident(RunState<double>&);
template void NeighbourSearch<float>::return_history(RunState<float>&);
template void NeighbourSearch<double>::return_history(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
