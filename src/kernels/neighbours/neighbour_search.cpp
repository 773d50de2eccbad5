#include "kernels/neighbours/neighbour_search.hpp"

#include <utility>

#include "kernels/backend/rearrange.hpp"
#include "kernels/neighbours/lent.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// The last of several offsets, which is the total of a scan. The driver waits for it.
offset_t last_of(Span<offset_t> offsets) {
  offset_t total = 0;
  copy_from_backend(&total, offsets.data + (offsets.size - 1), sizeof total);
  return total;
}

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

template <class R>
void make_bonds(RunState<R>& run) {
  for (const auto& law : run.laws.laws) {
    law->make_bonds(run.exec, run.contacts.pairs.size(), pair_views(run), run.contacts.bonds_made.view(),
                    bond_making(run), run.time());
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
  if (run.lists.rebuilds > 0) {
    // The number of contacts is that of the last search, so that nothing has to be waited for.
    tuner_.add(search_seconds_, seconds_between(list_made_, start), run.step - run.lists.step,
               {double(run.count.bodies), double(n_carried_), double(run.contacts.pairs.size()), mean_skin_},
               double(most_list_steps));
  }
  count_history(run);
  choose_skins(run);
  carry_history(run);
  sort_bodies(run);
  run.clumps.sort(run, {row_keys_, row_entries_, spare_.place.data(), spare_.place.size() * sizeof(BodyPlace<R>)});
  take_back(run);
  find_pairs(run);
  list_incident(run);
  return_history(run);
  find_boundary_contacts(run);
  run.grains.refresh(run);
  run.membranes.find(run);
  if (run.lists.rebuilds == 0 && run.laws.make_bonds()) { make_bonds(run); }
  ++run.lists.rebuilds;  // only now, since a first search that throws leaves no lists
  run.lists.boundary_travel = 0;
  run.lists.wide = std::exchange(run.lists.new_speeds, false);
  run.lists.step = run.step;
  run.lists.spent = false;
  list_made_ = std::chrono::steady_clock::now();
  search_seconds_ = seconds_between(start, list_made_);
}

template <class R>
std::uint64_t NeighbourSearch<R>::count_tests(RunState<R>& run) {
  const std::size_t n = run.count.bodies;
  run.exec.for_stretches("count tests", n, TestCount<R>{pair_sweep(run), offsets(n)});
  run.primitives.exclusive_scan(offsets(n), n);
  return last_of(offsets(n));
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
  std::uint64_t spare = 0;
  std::apply([&](const auto&... field) { ((spare += field.bytes()), ...); }, const_cast<Bodies<R>&>(spare_).all());
  return spare + keys_.bytes() + order_.bytes() + column_start_.bytes() + level_start_.bytes() +
         carried_start_.bytes() + row_keys_.bytes() + row_entries_.bytes() + looks_.bytes() + sizes_.bytes() +
         plan_.bytes() + position_sample_.bytes();
}

template <class R>
KeptList NeighbourSearch<R>::kept() {
  static_assert(sizeof(BodyPlace<R>) >= KeptList::first_part * sizeof(std::uint32_t) &&
                sizeof(BodyTravel<R>) >= KeptList::second_part * sizeof(std::uint32_t));
  return {lent<std::uint32_t>(spare_.place, 0, spare_.place.size() * KeptList::first_part),
          lent<std::uint32_t>(spare_.way, 0, spare_.way.size() * KeptList::second_part)};
}

template <class R>
SweepRecords NeighbourSearch<R>::sweep_records(std::size_t n_bodies) {
  return SweepRecords::in(lent<std::uint32_t>(spare_.speed, 0, 0).data, n_bodies);
}

/// The offsets lie behind the sweep records, in the same memory.
template <class R>
Span<offset_t> NeighbourSearch<R>::offsets(std::size_t n_bodies) {
  constexpr std::size_t words = SweepRecords::fields;
  static_assert(words % 2 == 0 && sizeof(BodySpeed<R>) >= words * sizeof(std::uint32_t) + sizeof(offset_t));
  return lent<offset_t>(spare_.speed, words / 2 * (n_bodies + SweepRecords::padding), n_bodies + 1);
}

/// Finds where the histories of each body go.
template <class R>
void NeighbourSearch<R>::count_history(RunState<R>& run) {
  carried_start_.discard_and_resize(run.count.bodies + 1, "contact history");
  if (run.contacts.pairs.size() == 0) {
    carried_start_.zero();
    return;
  }
  run.exec.for_each("search: count history", run.count.bodies,
                    CarriedCount{run.contacts.pairs.touching.view(), run.contacts.pairs.incident_start.view(),
                                 run.contacts.pairs.incident.view(), carried_start_.view()},
                    run.count.bodies * 16 + run.contacts.pairs.size() * 9);
  run.exec.timed(
      "search: offsets", [&] { run.primitives.exclusive_scan(carried_start_.view(), run.count.bodies); },
      run.count.bodies * 16);
}

template <class R>
void NeighbourSearch<R>::carry_history(RunState<R>& run) {
  const RowShape shape = run.laws.row_shape();
  carried_.discard_and_resize_histories(n_carried_, shape, "contact history");
  if (n_carried_ == 0) { return; }
  const std::uint64_t list_bytes = run.count.bodies * 16 + run.contacts.pairs.size() * 9;
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
  run.exec.for_each("search: sweep keys", run.count.bodies,
                    SweepKey<R>{grid_, run.bodies.position().view(), run.bodies.radius().view(),
                                run.bodies.skin().view(), run.laws.ranges.of_pairs(run.bodies).of_body, keys_.view(),
                                order_.view(), run.cell.any() ? run.cell.wrap() : CellWrap{}},
                    run.count.bodies * (24 + 2 * sizeof(R) + 12));
  int bits = 32;
  while (bits < 63 && (std::uint64_t(grid_.n_columns) >> (bits - 32)) != 0) { ++bits; }
  // One more bit keeps parked bodies, whose key has all bits set, above the last column.
  run.exec.timed(
      "search: sort", [&] { run.primitives.sort_by_key(keys_, order_, run.count.bodies, bits + 1); },
      run.count.bodies * 24 * std::uint64_t((bits + 8) / 8));

  reorder(run);
  // Parked bodies are behind the last column and are dropped here.
  run.count.bodies = grid_.n_columns > 0 ? run.count.bodies - n_parked_ : 0;
  std::apply([&](auto&... field) { (field.resize(run.count.bodies), ...); }, run.bodies.all());
  run.losses.sort(run, order_.view());
  run.heat.sort(run, order_.view());
  run.films.sort(run, order_.view());
}

template <class R>
void NeighbourSearch<R>::reorder(RunState<R>& run) {
  const std::size_t n = run.count.bodies;
  const auto bodies = run.bodies.all(), spare = spare_.all();
  std::uint64_t bytes = 0;
  const auto make_room = [&](auto& field) {
    field.discard_and_resize(n, "reordering");
    bytes += 2 * sizeof(*field.data());
  };
  std::apply([&](auto&... field) { (make_room(field), ...); }, spare);
  const auto permute = permute_all(order_.view(), bodies, spare);
  run.exec.for_lanes("search: reorder", permute.blocks(), n, permute, n * (4 + bytes));
  std::apply([&](auto&... field) { std::apply([&](auto&... other) { (field.swap(other), ...); }, spare); }, bodies);
  spare_.speed.discard_and_resize(n + SweepRecords::padding, "neighbour search");
}

/// Finds where the bodies of higher levels begin. The driver waits only if there are several levels.
template <class R>
void NeighbourSearch<R>::start_levels(RunState<R>& run) {
  run.count.first_large = first_of_level_1_ = run.count.bodies;
  if (grid_.n_levels == 0) { return; }
  const auto n_levels = static_cast<std::size_t>(grid_.n_levels);
  std::vector<index_t> start(n_levels, 0);
  if (n_levels > 1) {
    level_start_.discard_and_resize(n_levels, "neighbour search");
    run.exec.for_each("search: level starts", n_levels, LevelStart{grid_, column_start_.view(), level_start_.view()});
    start = level_start_.to_vector();
    first_of_level_1_ = start[1];
  }
  if (grid_.levels[n_levels - 1].largest > run.expected.large_radius) {
    run.count.first_large = start[static_cast<std::size_t>(grid_.level_of(run.expected.large_radius))];
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
  list_features(run);
  return_boundary_history(run);
}

/// Lists the features near each body: counts them, makes room, and writes the rows.
template <class R>
void NeighbourSearch<R>::list_features(RunState<R>& run) {
  BoundaryList<R>& fresh = run.contacts.near;
  const FeatureSearch<R> search{.boundaries = run.boundary.view(),
                                .position = run.bodies.position().view(),
                                .radius = run.bodies.radius().view(),
                                .skin = run.bodies.skin().view(),
                                .boundary_skin = run.lists.boundary_skin,
                                .range = run.laws.ranges.at_boundaries(run.bodies),
                                .velocity = run.bodies.velocity().view(),
                                .last_move = static_cast<R>(last_move_of_bodies(run))};
  const std::size_t n = run.count.bodies;
  const Span<offset_t> start = offsets(n);
  const PackedRows packed = PackedRows::of(n);
  run.exec.for_each("search: find features", n,
                    FeatureCount<R>{search, run.bodies.clearance.view(), packed, start, kept()},
                    n * (16 + 3 * sizeof(R)));
  offset_t total = 0;
  run.exec.timed(
      "search: offsets",
      [&] {
        run.primitives.exclusive_scan(start, n);
        total = last_of(start);
      },
      n * 16);
  const offset_t n_slots = packed.slots(total), n_rows = packed.rows(total);
  fresh.body_of_row.discard_and_resize(n_rows, "boundary contacts");
  fresh.row_start.discard_and_resize(n_rows + 1, "boundary contacts");
  fresh.slot.discard_and_resize(n_slots, "boundary contacts");
  const RowShape shape = run.laws.row_shape();
  fresh.rows.discard_and_resize_histories(n_slots, shape, "boundary contacts");
  fresh.rows.clear_step(n_slots, shape, false, "boundary contacts");
  run.contacts.boundary_wrench.discard_and_resize(n_rows, "boundary contacts");
  if (n == 0) { fresh.row_start.zero(); }
  run.exec.for_each("search: list features", run.count.bodies,
                    FeatureFill<R>{.search = search,
                                   .packed = packed,
                                   .start = start,
                                   .found = kept(),
                                   .row_of_body = fresh.row_of_body.view(),
                                   .body_of_row = fresh.body_of_row.view(),
                                   .row_start = fresh.row_start.view(),
                                   .slot = fresh.slot.view()},
                    run.count.bodies * 12 + n_slots * 4);
}

/// Gives the new slots the history of the old ones.
template <class R>
void NeighbourSearch<R>::return_boundary_history(RunState<R>& run) {
  const RowShape shape = run.laws.row_shape();
  BoundaryList<R>&fresh = run.contacts.near, &old = run.contacts.near_before;
  run.exec.for_each("search: return boundary history", fresh.body_of_row.size(),
                    FeatureInherit<R>{.body_of_row = fresh.body_of_row.view(),
                                      .row_start = fresh.row_start.view(),
                                      .slot = fresh.slot.view(),
                                      .order = order_.view(),
                                      .old_row_of_body = old.row_of_body.view(),
                                      .old_row_start = old.row_start.view(),
                                      .old_slot = old.slot.view(),
                                      .rows = fresh.rows.view(shape),
                                      .old_rows = old.rows.view(shape)},
                    fresh.slot.size() * 2 * sizeof(BoundarySlot<R>));
  run.exec.for_each("search: return boundary history", old.rows.stack.size(),
                    GiveBackCarried<R>{run.contacts.stacks.view(), old.rows.stack.view()});
}

template class NeighbourSearch<float>;
template class NeighbourSearch<double>;

}  // namespace scree::inline SCREE_BACKEND
