#include "kernels/neighbours/incident.hpp"
#include "kernels/neighbours/lent.hpp"
#include "kernels/neighbours/neighbour_search.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
PairSweep<R> NeighbourSearch<R>::pair_sweep(RunState<R>& run) {
  return {.grid = grid_,
          .position = run.cell.any() ? places_in_cell() : run.bodies.position().view(),
          .radius = run.bodies.radius().view(),
          .skin = run.bodies.skin().view(),
          .range = run.expected.range,
          .key = keys_.view(),
          .records = SweepRecords::in(sweep_records_.data(), run.count.bodies),
          .column_start = column_start_.view(),
          .clump_of = run.clumps.clump_of.view(),
          .cell = run.cell.any() ? run.cell.wrap() : CellWrap{}};
}

template <class R>
void NeighbourSearch<R>::find_pairs(RunState<R>& run) {
  sweep_records_.discard_and_resize(SweepRecords::fields * (run.count.bodies + SweepRecords::padding),
                                    "neighbour search");
  const PairSweep<R> sweep = pair_sweep(run);
  run.exec.for_each("search: pack", run.count.bodies,
                    SweepPack<R>{grid_.origin, sweep.position, run.bodies.radius().view(), run.bodies.skin().view(),
                                 run.expected.range, keys_.view(), sweep.records},
                    run.count.bodies * (24 + 2 * sizeof(R) + 8 + 24));
  const std::uint64_t sweep_bytes = run.count.bodies * (24 + 8) + grid_.n_columns * 4;
  const Span<index_t> found = lent<index_t>(scratch_, 0, run.count.bodies * found_per_body);
  offsets_.discard_and_resize(run.count.bodies + 1, "neighbour search");
  run.exec.for_stretches("search: find pairs", run.count.bodies, PairCount<R>{sweep, offsets_.view(), found},
                         sweep_bytes + run.count.bodies * 40);
  if (grid_.n_levels > 1) {
    const auto find_smaller = [&](std::size_t first, std::size_t end, std::uint32_t parts) {
      run.exec.for_stretches("search: find pairs", (end - first) * parts,
                             PairCountOfLarger<R>{sweep, first, parts, offsets_.view(), found},
                             (end - first) * parts * 48);
    };
    const std::size_t first = column_start_.element(grid_.levels[1].first_column),
                      middle = std::max(first, run.count.first_large);
    find_smaller(first, middle, SCREE_ON_CUDA ? 4 : 1);
    find_smaller(middle, run.count.bodies, SCREE_ON_CUDA ? 64 : 1);
  }
  offset_t total = 0;
  run.exec.timed(
      "search: offsets", [&] { total = run.primitives.exclusive_scan(offsets_, run.count.bodies); },
      run.count.bodies * 16);
  if (total >= most_pairs) {
    throw BackendError("more than 2^31 neighbouring pairs (" + std::to_string(total) + ") of " +
                       std::to_string(run.count.bodies) +
                       " particles: the particles overlap, or the Verlet distance is too long");
  }
  Pairs<R>& pairs = run.contacts.pairs;
  const auto n_pairs = static_cast<std::size_t>(total);
  pairs.bodies.discard_and_resize(n_pairs, "neighbour list");
  pairs.shear.discard_and_resize(n_pairs, "contact history");
  pairs.rows.discard_and_resize_histories(n_pairs, run.laws.row_shape(), "contact history");
  pairs.touching.discard_and_resize(n_pairs, "neighbour list");
  pairs.image.discard_and_resize(run.cell.any() ? n_pairs : 0, "neighbour list");
  incoming_.discard_and_resize(run.count.bodies, "neighbour search");
  incoming_.zero();
  const PairRows rows{
      run.bodies.id.view(), offsets_.view(),    pairs.bodies.view(), lent<std::uint32_t>(pairs.shear, 0, n_pairs),
      incoming_.view(),     pairs.image.view(), image_.view()};
  run.exec.for_each("search: list pairs", run.count.bodies, PairFill{rows, found},
                    run.count.bodies * (32 + 4 + 8 + 8) + n_pairs * 12);
  run.exec.for_stretches("search: list pairs", run.count.bodies, PairFillAgain<R>{sweep, rows}, run.count.bodies * 8);
}

template <class R>
void NeighbourSearch<R>::list_incident(RunState<R>& run) {
  Pairs<R>& pairs = run.contacts.pairs;
  const std::size_t n_pairs = pairs.size();
  pairs.incident.discard_and_resize(2 * n_pairs, "neighbour list");
  pairs.incident_start.discard_and_resize(run.count.bodies + 1, "neighbour list");
  pairs.lowest_slot.discard_and_resize(run.count.bodies, "neighbour list");
  run.exec.for_each("search: count slots", run.count.bodies,
                    IncidentCount{offsets_.view(), incoming_.view(), pairs.incident_start.view()},
                    run.count.bodies * 20);
  run.exec.timed(
      "search: offsets", [&] { run.primitives.exclusive_scan(pairs.incident_start, run.count.bodies); },
      run.count.bodies * 16);
  // The history of the new list is not written yet. Until then its memory holds the ranks and the ids of the other
  // bodies.
  static_assert(sizeof(Vec3<R>) >= 3 * sizeof(std::uint32_t));
  const Span<std::uint32_t> rank = lent<std::uint32_t>(pairs.shear, 0, n_pairs);
  const Span<index_t> other_id = lent<index_t>(pairs.shear, n_pairs, 2 * n_pairs);
  run.exec.for_each("search: list slots", run.count.bodies,
                    IncidentFill{pairs.bodies.view(), run.bodies.id.view(), offsets_.view(), rank, incoming_.view(),
                                 pairs.incident_start.view(), pairs.incident.view(), other_id},
                    run.count.bodies * 24 + n_pairs * (8 + 4 + 16));
  sort_incident(run, other_id);
  const std::size_t n_chunks = (run.count.bodies + chunk_bodies - 1) / chunk_bodies;
  pairs.chunk_start.discard_and_resize(n_chunks + 1, "neighbour list");
  run.exec.for_each("search: chunk starts", n_chunks + 1,
                    ChunkStart{offsets_.view(), run.count.bodies, pairs.chunk_start.view()});
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
  if (carried_.stack.size() > 0) {  // they take as much memory as the stacks and are idle until the next search
    wait_for_backend();
    Buffer<StackEnd<R>>().swap(carried_.stack);
  }
  pairs.force.discard_and_resize(n_pairs, "contact forces");
  run.exec.timed(
      "search: clear forces",
      [&] {
        pairs.force.zero();
        pairs.rows.clear_couples(n_pairs, shape, "contact forces");
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
