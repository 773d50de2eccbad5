#include "kernels/neighbours/neighbour_search.hpp"

#include "kernels/backend/rearrange.hpp"
#include "kernels/neighbours/lent.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

template <class R>
void make_bonds(RunState<R>& run) {
  for (const auto& law : run.laws.laws) {
    law->make_bonds(run.exec, run.contacts.pairs.size(), pair_views(run), run.contacts.bonds_made.view());
  }
  if (run.laws.bonds_nodes) {
    run.bonds.make(run);
    run.grains.refresh(run);
  }
}

}  // namespace

template <class R>
void NeighbourSearch<R>::find(RunState<R>& run) {
  const auto start = std::chrono::steady_clock::now();
  if (run.cell.any()) { run.in_cell.list_edges = run.cell.geometry().edges; }
  carry_history(run);
  if (run.lists.rebuilds > 0) {
    tuner_.add(search_seconds_, seconds_between(list_made_, start), run.step - run.lists.step,
               {double(run.count.bodies), double(n_carried_), double(run.contacts.pairs.size()), mean_skin_},
               double(most_list_steps));
  }
  ++run.lists.rebuilds;
  choose_skins(run);
  sort_bodies(run);
  run.clumps.sort(run, {row_keys_, scratch_, row_entries_});
  take_back(run);
  find_pairs(run);
  list_incident(run);
  return_history(run);
  find_boundary_contacts(run);
  run.grains.refresh(run);
  if (run.lists.rebuilds == 1 && run.laws.make_bonds()) { make_bonds(run); }
  run.exec.for_each("search: new list", run.count.bodies, NoTravel<R>{run.bodies.travel().view()});
  run.lists.boundary_travel = 0;
  run.lists.step = run.step;
  run.lists.spent = false;
  list_made_ = std::chrono::steady_clock::now();
  search_seconds_ = seconds_between(start, list_made_);
}

template <class R>
std::uint64_t NeighbourSearch<R>::count_tests(RunState<R>& run) {
  run.exec.for_stretches("count tests", run.count.bodies, TestCount<R>{pair_sweep(run), offsets_.view()});
  return run.primitives.exclusive_scan(offsets_, run.count.bodies);
}

template <class R>
void NeighbourSearch<R>::forget() {
  search_seconds_ = mean_skin_ = 0;
  tuner_ = {};
  list_made_ = std::chrono::steady_clock::now();
  n_carried_ = 0;
  grid_ = {};
}

template <class R>
std::uint64_t NeighbourSearch<R>::bytes() const {
  return keys_.bytes() + order_.bytes() + column_start_.bytes() + offsets_.bytes() + carried_start_.bytes() +
         incoming_.bytes() + sweep_records_.bytes() + scratch_.bytes() + row_keys_.bytes() + row_entries_.bytes() +
         lane_sums_.bytes() + lane_sizes_.bytes() + position_sample_.bytes();
}

template <class R>
void NeighbourSearch<R>::carry_history(RunState<R>& run) {
  carried_start_.discard_and_resize(run.count.bodies + 1, "contact history");
  n_carried_ = 0;
  if (run.contacts.pairs.size() == 0) {
    carried_.discard_and_resize_histories(0, run.laws.row_shape(), "contact history");
    carried_start_.zero();
    return;
  }
  const std::uint64_t list_bytes = run.count.bodies * 16 + run.contacts.pairs.size() * 9;
  run.exec.for_each("search: count history", run.count.bodies,
                    CarriedCount{run.contacts.pairs.touching.view(), run.contacts.pairs.incident_start.view(),
                                 run.contacts.pairs.incident.view(), carried_start_.view()},
                    list_bytes);
  n_carried_ = run.primitives.exclusive_scan(carried_start_, run.count.bodies);
  const RowShape shape = run.laws.row_shape();
  carried_.discard_and_resize_histories(n_carried_, shape, "contact history");
  run.exec.for_each("search: carry history", run.count.bodies,
                    CarriedFill<R>{.pairs = run.contacts.pairs.bodies.view(),
                                   .id = run.bodies.id.view(),
                                   .touching = run.contacts.pairs.touching.view(),
                                   .shear = run.contacts.pairs.shear.view(),
                                   .incident_start = run.contacts.pairs.incident_start.view(),
                                   .incident = run.contacts.pairs.incident.view(),
                                   .start = carried_start_.view(),
                                   .carried = carried_history(run.contacts.pairs.force),
                                   .rows = run.contacts.pairs.rows.view(shape),
                                   .carried_rows = carried_.view(shape)},
                    list_bytes + n_carried_ * (8 + 4 + sizeof(Vec3<R>) + sizeof(CarriedShear<R>)));
}

template <class R>
void NeighbourSearch<R>::sort_bodies(RunState<R>& run) {
  keys_.discard_and_resize(run.count.bodies, "neighbour search");
  order_.discard_and_resize(run.count.bodies, "neighbour search");
  run.exec.for_each(
      "search: sweep keys", run.count.bodies,
      SweepKey<R>{grid_, run.bodies.position().view(), run.bodies.radius().view(), run.bodies.skin().view(),
                  run.expected.range, keys_.view(), order_.view(), run.cell.any() ? run.cell.wrap() : CellWrap{}},
      run.count.bodies * (24 + 2 * sizeof(R) + 12));
  int bits = 32;
  while (bits < 63 && (std::uint64_t(grid_.n_columns) >> (bits - 32)) != 0) { ++bits; }
  // One more bit keeps parked bodies, whose key has all bits set, above the last column.
  run.exec.timed(
      "search: sort", [&] { run.primitives.sort_by_key(keys_, order_, run.count.bodies, bits + 1); },
      run.count.bodies * 24 * std::uint64_t((bits + 8) / 8));

  // sized for PairCount, which needs most
  constexpr std::size_t scratch_words =
      std::max(found_per_body * sizeof(index_t), sizeof(BodySpeed<R>)) / sizeof(std::uint64_t);
  scratch_.discard_and_resize(scratch_words * run.count.bodies, "reordering");
  std::apply(
      [&](auto&... field) {
        (
            [&] {
              using T = std::remove_reference_t<decltype(*field.data())>;
              static_assert(sizeof(T) <= scratch_words * sizeof(std::uint64_t));
              run.exec.for_each("search: reorder", run.count.bodies,
                                Permute<T>{order_.view(), field.view(), lent<T>(scratch_, 0, run.count.bodies).data},
                                run.count.bodies * (4 * sizeof(T) + 4));
              copy_within_backend(field.data(), scratch_.data(), run.count.bodies * sizeof(T));
            }(),
            ...);
      },
      run.bodies.all());
  column_start_.discard_and_resize(std::size_t(grid_.n_columns) + 1, "neighbour search");
  run.exec.for_each("search: column starts", grid_.n_columns + 1,
                    ColumnStart{keys_.view(), static_cast<index_t>(run.count.bodies), column_start_.view()},
                    grid_.n_columns * 4 + run.count.bodies * 8);
  // Parked bodies are behind the last column and are dropped here.
  run.count.bodies = column_start_.element(grid_.n_columns);
  std::apply([&](auto&... field) { (field.resize(run.count.bodies), ...); }, run.bodies.all());
  run.count.first_large = run.count.bodies;
  if (grid_.n_levels > 0 && grid_.levels[grid_.n_levels - 1].largest > run.expected.large_radius) {
    run.count.first_large = column_start_.element(grid_.levels[grid_.level_of(run.expected.large_radius)].first_column);
    run.contacts.large_part.discard_and_resize((run.count.bodies - run.count.first_large) * parts_of_large,
                                               "large particles");
  }
}

/// In a periodic cell the search uses positions inside the cell.
template <class R>
void NeighbourSearch<R>::take_back(RunState<R>& run) {
  if (!run.cell.any()) { return; }
  place_.discard_and_resize(run.count.bodies, "neighbour search");
  image_.discard_and_resize(run.count.bodies, "neighbour search");
  run.exec.for_each("search: periodic cell", run.count.bodies,
                    SearchPlace{run.cell.wrap(), run.bodies.position().view(), places_in_cell(), image_.view()},
                    run.count.bodies * 49);
}

template <class R>
void NeighbourSearch<R>::find_boundary_contacts(RunState<R>& run) {
  std::swap(run.contacts.near, run.contacts.near_before);
  BoundaryList<R>& fresh = run.contacts.near;
  fresh.row_of_body.discard_and_resize(run.count.bodies, "boundary contacts");
  if (!run.boundary.any()) {
    run.exec.for_each("search: no boundaries", run.count.bodies, FillIndex{fresh.row_of_body.view()});
    return;
  }
  const FeatureSearch<R> search{run.boundary.view(),      run.bodies.position().view(), run.bodies.radius().view(),
                                run.bodies.skin().view(), run.lists.boundary_skin,      run.expected.range};
  static_assert(features_kept <= found_per_body);
  const Span<std::uint32_t> found = lent<std::uint32_t>(scratch_, 0, run.count.bodies * features_kept);
  offsets_.discard_and_resize(run.count.bodies + 1, "neighbour search");
  Buffer<offset_t>& row_offsets = carried_start_;  // carried_start_ is free, as the history has been returned
  row_offsets.discard_and_resize(run.count.bodies + 1, "neighbour search");
  run.exec.for_each("search: find features", run.count.bodies,
                    FeatureCount<R>{search, run.bodies.clearance.view(), offsets_.view(), row_offsets.view(), found},
                    run.count.bodies * (16 + 3 * sizeof(R)));
  offset_t n_slots = 0, n_rows = 0;
  run.exec.timed(
      "search: offsets",
      [&] {
        n_slots = run.primitives.exclusive_scan(offsets_, run.count.bodies);
        n_rows = run.primitives.exclusive_scan(row_offsets, run.count.bodies);
      },
      run.count.bodies * 32);
  fresh.body_of_row.discard_and_resize(n_rows, "boundary contacts");
  fresh.row_start.discard_and_resize(n_rows + 1, "boundary contacts");
  fresh.slot.discard_and_resize(n_slots, "boundary contacts");
  const RowShape shape = run.laws.row_shape();
  fresh.rows.discard_and_resize_histories(n_slots, shape, "boundary contacts");
  fresh.rows.clear_couples(n_slots, shape, "boundary contacts");
  run.contacts.boundary_wrench.discard_and_resize(n_rows, "boundary contacts");
  fresh.row_start.set_element(n_rows, n_slots);
  BoundaryList<R>& old = run.contacts.near_before;
  run.exec.for_each("search: list features", run.count.bodies,
                    FeatureFill<R>{.search = search,
                                   .start = offsets_.view(),
                                   .row = row_offsets.view(),
                                   .found = found,
                                   .row_of_body = fresh.row_of_body.view(),
                                   .body_of_row = fresh.body_of_row.view(),
                                   .row_start = fresh.row_start.view(),
                                   .slot = fresh.slot.view()},
                    run.count.bodies * 12 + n_slots * 4);
  run.exec.for_each("search: return boundary history", n_rows,
                    FeatureInherit<R>{.body_of_row = fresh.body_of_row.view(),
                                      .row_start = fresh.row_start.view(),
                                      .slot = fresh.slot.view(),
                                      .order = order_.view(),
                                      .old_row_of_body = old.row_of_body.view(),
                                      .old_row_start = old.row_start.view(),
                                      .old_slot = old.slot.view(),
                                      .rows = fresh.rows.view(shape),
                                      .old_rows = old.rows.view(shape)},
                    n_slots * 2 * sizeof(BoundarySlot<R>));
  run.exec.for_each("search: return boundary history", old.rows.stack.size(),
                    GiveBackCarried<R>{run.contacts.stacks.view(), old.rows.stack.view()});
}

template class NeighbourSearch<float>;
template class NeighbourSearch<double>;

}  // namespace scree::inline SCREE_BACKEND
