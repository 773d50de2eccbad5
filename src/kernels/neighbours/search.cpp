#include "kernels/backend/rearrange.hpp"
#include "kernels/neighbours/incident.hpp"
#include "kernels/system.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Part of a buffer that has nothing to say at the moment, as an array of another type.
template <class T, class U>
Span<T> lent(Buffer<U>& buffer, std::size_t offset, std::size_t size) {
  return {reinterpret_cast<T*>(buffer.data()) + offset, size};
}

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

template <class R>
void System<R>::find_contacts() {
  const auto start = std::chrono::steady_clock::now();
  if (cell_.any()) { list_edges_ = cell_.geometry().edges; }
  carry_history();
  if (rebuilds_ > 0) {
    tuner_.add(search_seconds_, seconds_between(list_made_, start), step_ - list_step_,
               {double(n_bodies_), double(n_carried_), double(n_pairs_), mean_skin_}, double(most_list_steps));
  }
  ++rebuilds_;
  choose_skins();
  sort_bodies();
  sort_clumps();
  take_back_for_search();
  find_pairs();
  find_incident();
  find_boundary_contacts();
  if (rebuilds_ == 1 && laws_.bonding != 0) { make_bonds(); }
  bodies_.travel.zero();
  boundary_travel_ = 0;
  list_step_ = step_;
  list_spent_ = false;
  list_made_ = std::chrono::steady_clock::now();
  search_seconds_ = seconds_between(start, list_made_);
}

template <class R>
SearchReport System<R>::search_neighbours() {
  settle_ledger();
  if (cell_.any()) { prepare_cell(); }
  boundary_.place(exec_, time());
  find_contacts();
  forces_known_ = false;
  exec_.for_stretches("count tests", n_bodies_, TestCount<R>{pair_sweep(), offsets_.view()});
  return {n_bodies_, primitives_.exclusive_scan(offsets_, n_bodies_), n_pairs_};
}

template <class R>
Span<CarriedShear<R>> System<R>::carried_history() {
  // The forces of the last step are not needed any more, and no pair needs more than its force record.
  static_assert(sizeof(CarriedShear<R>) <= sizeof(PairForce<R>));
  return {reinterpret_cast<CarriedShear<R>*>(pairs_.force.data()), pairs_.force.size()};
}

template <class R>
void System<R>::carry_history() {
  carried_start_.discard_and_resize(n_bodies_ + 1, "contact history");
  n_carried_ = 0;
  if (n_pairs_ == 0) {
    carried_stack_.discard_and_resize(0);
    carried_start_.zero();
    return;
  }
  const std::uint64_t list_bytes = n_bodies_ * 16 + n_pairs_ * 9;
  exec_.for_each(
      "search: count history", n_bodies_,
      CarriedCount{pairs_.touching.view(), pairs_.incident_start.view(), pairs_.incident.view(), carried_start_.view()},
      list_bytes);
  n_carried_ = primitives_.exclusive_scan(carried_start_, n_bodies_);
  carried_extra_.discard_and_resize(n_carried_ * laws_.history_size, "contact history");
  carried_stack_.discard_and_resize(stacks_.any() ? n_carried_ : 0, "contact history");
  exec_.for_each("search: carry history", n_bodies_,
                 CarriedFill<R>{pairs_.bodies.view(), bodies_.id.view(), pairs_.touching.view(), pairs_.shear.view(),
                                pairs_.incident_start.view(), pairs_.incident.view(), carried_start_.view(),
                                carried_history(), pairs_.extra.view(), carried_extra_.view(), laws_.history_size,
                                pairs_.stack.view(), carried_stack_.view()},
                 list_bytes + n_carried_ * (8 + 4 + sizeof(Vec3<R>) + sizeof(CarriedShear<R>)));
}

template <class R>
void System<R>::sort_bodies() {
  keys_.discard_and_resize(n_bodies_, "neighbour search");
  order_.discard_and_resize(n_bodies_, "neighbour search");
  exec_.for_each("search: sweep keys", n_bodies_,
                 SweepKey<R>{grid_, bodies_.position.view(), bodies_.radius.view(), bodies_.skin.view(), range_,
                             keys_.view(), order_.view(), cell_.any() ? cell_.wrap() : CellWrap{}},
                 n_bodies_ * (24 + 2 * sizeof(R) + 12));
  int bits = 32;
  while (bits < 63 && (std::uint64_t(grid_.n_columns) >> (bits - 32)) != 0) { ++bits; }
  // One more bit keeps the all-ones key of parked bodies above the last column.
  exec_.timed(
      "search: sort", [&] { primitives_.sort_by_key(keys_, order_, n_bodies_, bits + 1); },
      n_bodies_ * 24 * std::uint64_t((bits + 8) / 8));

  // PairCount wants most
  constexpr std::size_t scratch_words = found_per_body * sizeof(index_t) / sizeof(std::uint64_t);
  static_assert(scratch_words * sizeof(std::uint64_t) >= sizeof(Vec3d));
  scratch_.discard_and_resize(scratch_words * n_bodies_, "reordering");
  std::apply(
      [&](auto&... field) {
        (
            [&] {
              using T = std::remove_reference_t<decltype(*field.data())>;
              static_assert(sizeof(T) <= sizeof(Vec3d));
              exec_.for_each("search: reorder", n_bodies_,
                             Permute<T>{order_.view(), field.view(), lent<T>(scratch_, 0, n_bodies_).data},
                             n_bodies_ * (4 * sizeof(T) + 4));
              copy_within_backend(field.data(), scratch_.data(), n_bodies_ * sizeof(T));
            }(),
            ...);
      },
      bodies_.all());
  column_start_.discard_and_resize(std::size_t(grid_.n_columns) + 1, "neighbour search");
  exec_.for_each("search: column starts", grid_.n_columns + 1,
                 ColumnStart{keys_.view(), static_cast<index_t>(n_bodies_), column_start_.view()},
                 grid_.n_columns * 4 + n_bodies_ * 8);
  // Parked bodies are behind the last column: let them go.
  n_bodies_ = column_start_.element(grid_.n_columns);
  std::apply([&](auto&... field) { (field.resize(n_bodies_), ...); }, bodies_.all());
  first_large_ = n_bodies_;
  if (grid_.n_levels > 0 && grid_.levels[grid_.n_levels - 1].largest > large_radius_) {
    first_large_ = column_start_.element(grid_.levels[grid_.level_of(large_radius_)].first_column);
    large_part_.discard_and_resize((n_bodies_ - first_large_) * parts_of_large, "large particles");
  }
}

/// In a periodic cell the search works on places inside of it.
template <class R>
void System<R>::take_back_for_search() {
  if (!cell_.any()) { return; }
  search_place_.discard_and_resize(n_bodies_, "neighbour search");
  search_image_.discard_and_resize(n_bodies_, "neighbour search");
  exec_.for_each("search: periodic cell", n_bodies_,
                 SearchPlace{cell_.wrap(), bodies_.position.view(), search_place_.view(), search_image_.view()},
                 n_bodies_ * 49);
}

template <class R>
PairSweep<R> System<R>::pair_sweep() {
  return {grid_,
          cell_.any() ? search_place_.view() : bodies_.position.view(),
          bodies_.radius.view(),
          bodies_.skin.view(),
          range_,
          keys_.view(),
          SweepRecords::in(sweep_records_.data(), n_bodies_),
          column_start_.view(),
          clump_of_.view(),
          cell_.any() ? cell_.wrap() : CellWrap{}};
}

template <class R>
void System<R>::find_pairs() {
  sweep_records_.discard_and_resize(SweepRecords::fields * (n_bodies_ + SweepRecords::padding), "neighbour search");
  const PairSweep<R> sweep = pair_sweep();
  exec_.for_each("search: pack", n_bodies_,
                 SweepPack<R>{grid_.origin, sweep.position, bodies_.radius.view(), bodies_.skin.view(), range_,
                              keys_.view(), sweep.records},
                 n_bodies_ * (24 + 2 * sizeof(R) + 8 + 24));
  const std::uint64_t sweep_bytes = n_bodies_ * (24 + 8) + grid_.n_columns * 4;
  const Span<index_t> found = lent<index_t>(scratch_, 0, n_bodies_ * found_per_body);
  offsets_.discard_and_resize(n_bodies_ + 1, "neighbour search");
  exec_.for_stretches("search: find pairs", n_bodies_, PairCount<R>{sweep, offsets_.view(), found},
                      sweep_bytes + n_bodies_ * 40);
  if (grid_.n_levels > 1) {
    const auto find_smaller = [&](std::size_t first, std::size_t end, std::uint32_t parts) {
      exec_.for_stretches("search: find pairs", (end - first) * parts,
                          PairCountOfLarger<R>{sweep, first, parts, offsets_.view(), found},
                          (end - first) * parts * 48);
    };
    const std::size_t first = column_start_.element(grid_.levels[1].first_column),
                      middle = std::max(first, first_large_);
    find_smaller(first, middle, SCREE_ON_CUDA ? 4 : 1);
    find_smaller(middle, n_bodies_, SCREE_ON_CUDA ? 64 : 1);
  }
  offset_t total = 0;
  exec_.timed(
      "search: offsets", [&] { total = primitives_.exclusive_scan(offsets_, n_bodies_); }, n_bodies_ * 16);
  if (total >= most_pairs) {
    throw BackendError("more than 2^31 neighbouring pairs (" + std::to_string(total) + ") of " +
                       std::to_string(n_bodies_) +
                       " particles: the particles overlap, or the Verlet distance is too long");
  }
  n_pairs_ = static_cast<std::size_t>(total);
  pairs_.bodies.discard_and_resize(n_pairs_, "neighbour list");
  pairs_.shear.discard_and_resize(n_pairs_, "contact history");
  pairs_.extra.discard_and_resize(n_pairs_ * laws_.history_size, "contact history");
  pairs_.stack.discard_and_resize(stacks_.any() ? n_pairs_ : 0, "contact history");
  pairs_.touching.discard_and_resize(n_pairs_, "neighbour list");
  pairs_.image.discard_and_resize(cell_.any() ? n_pairs_ : 0, "neighbour list");
  incoming_.discard_and_resize(n_bodies_, "neighbour search");
  incoming_.zero();
  const PairRows rows{
      bodies_.id.view(), offsets_.view(),     pairs_.bodies.view(), lent<std::uint32_t>(pairs_.shear, 0, n_pairs_),
      incoming_.view(),  pairs_.image.view(), search_image_.view()};
  exec_.for_each("search: list pairs", n_bodies_, PairFill{rows, found}, n_bodies_ * (32 + 4 + 8 + 8) + n_pairs_ * 12);
  exec_.for_stretches("search: list pairs", n_bodies_, PairFillAgain<R>{sweep, rows}, n_bodies_ * 8);
}

template <class R>
void System<R>::find_incident() {
  pairs_.incident.discard_and_resize(2 * n_pairs_, "neighbour list");
  pairs_.incident_start.discard_and_resize(n_bodies_ + 1, "neighbour list");
  pairs_.lowest_slot.discard_and_resize(n_bodies_, "neighbour list");
  exec_.for_each("search: count slots", n_bodies_,
                 IncidentCount{offsets_.view(), incoming_.view(), pairs_.incident_start.view()}, n_bodies_ * 20);
  exec_.timed(
      "search: offsets", [&] { primitives_.exclusive_scan(pairs_.incident_start, n_bodies_); }, n_bodies_ * 16);
  // The history of the new list is not written yet: its memory holds the ranks and the other bodies' ids for so long.
  static_assert(sizeof(Vec3<R>) >= 3 * sizeof(std::uint32_t));
  const Span<std::uint32_t> rank = lent<std::uint32_t>(pairs_.shear, 0, n_pairs_);
  const Span<index_t> other_id = lent<index_t>(pairs_.shear, n_pairs_, 2 * n_pairs_);
  exec_.for_each("search: list slots", n_bodies_,
                 IncidentFill{pairs_.bodies.view(), bodies_.id.view(), offsets_.view(), rank, incoming_.view(),
                              pairs_.incident_start.view(), pairs_.incident.view(), other_id},
                 n_bodies_ * 24 + n_pairs_ * (8 + 4 + 16));
  exec_.for_each(
      "search: sort slots", first_large_,
      IncidentSort{pairs_.incident_start.view(), pairs_.incident.view(), other_id, pairs_.lowest_slot.view()},
      n_bodies_ * 12 + n_pairs_ * 32);
  if (first_large_ < n_bodies_) {
    const offset_t begin = pairs_.incident_start.element(first_large_);
    const auto n = static_cast<std::size_t>(2 * n_pairs_ - begin);
    row_keys_.discard_and_resize(n, "large particles");
    row_entries_.discard_and_resize(n, "large particles");
    exec_.for_each("search: sort slots", n,
                   IncidentKey{pairs_.bodies.view(), pairs_.incident.view(), other_id, begin, row_keys_.view(),
                               row_entries_.view()});
    exec_.timed("search: sort slots", [&] { primitives_.sort_by_key(row_keys_, row_entries_, n, 64); });
    copy_within_backend(pairs_.incident.data() + begin, row_entries_.data(), n * sizeof(std::uint32_t));
    exec_.for_each(
        "search: sort slots", n_bodies_ - first_large_,
        LowestSlot{pairs_.incident_start.view(), pairs_.incident.view(), pairs_.lowest_slot.view(), first_large_});
  }
  const std::size_t n_chunks = (n_bodies_ + chunk_bodies - 1) / chunk_bodies;
  pairs_.chunk_start.discard_and_resize(n_chunks + 1, "neighbour list");
  exec_.for_each("search: chunk starts", n_chunks + 1,
                 ChunkStart{offsets_.view(), n_bodies_, pairs_.chunk_start.view()});
  exec_.for_each("search: return history", n_pairs_,
                 CarriedReturn<R>{pairs_.bodies.view(), bodies_.id.view(), order_.view(), carried_start_.view(),
                                  carried_history(), pairs_.shear.view(), pairs_.touching.view(), carried_extra_.view(),
                                  pairs_.extra.view(), laws_.history_size, carried_stack_.view(), pairs_.stack.view()},
                 n_pairs_ * (8 + 1 + sizeof(Vec3<R>)) + n_bodies_ * 16);
  exec_.for_each("search: return history", carried_stack_.size(),
                 GiveBackCarried<R>{stacks_.view(), carried_stack_.view()});
  if (carried_stack_.size() > 0) {  // as large as the stacks themselves, and idle until the next search
    wait_for_backend();
    Buffer<StackEnd<R>>().swap(carried_stack_);
  }
  pairs_.force.discard_and_resize(n_pairs_, "contact forces");
  pairs_.couple.discard_and_resize(laws_.couples ? n_pairs_ : 0, "contact forces");
  exec_.timed(
      "search: clear forces",
      [&] {
        pairs_.force.zero();
        pairs_.couple.zero();
      },
      n_pairs_ * sizeof(PairForce<R>) + pairs_.couple.bytes());
}

template <class R>
void System<R>::make_bonds() {
  for (const auto& law : laws_.laws) { law->make_bonds(exec_, n_pairs_, pair_views(), bonds_made_.view()); }
}

template <class R>
void System<R>::find_boundary_contacts() {
  std::swap(near_boundary_, near_boundary_before_);
  BoundaryList<R>& fresh = near_boundary_;
  fresh.row_of_body.discard_and_resize(n_bodies_, "boundary contacts");
  if (!boundary_.any()) {
    exec_.for_each("search: no boundaries", n_bodies_, FillIndex{fresh.row_of_body.view()});
    return;
  }
  const FeatureSearch<R> search{boundary_.view(),    bodies_.position.view(), bodies_.radius.view(),
                                bodies_.skin.view(), boundary_skin_,          range_};
  static_assert(features_kept <= found_per_body);
  const Span<std::uint32_t> found = lent<std::uint32_t>(scratch_, 0, n_bodies_ * features_kept);
  offsets_.discard_and_resize(n_bodies_ + 1, "neighbour search");
  Buffer<offset_t>& row_offsets = carried_start_;  // the history has been returned by now
  row_offsets.discard_and_resize(n_bodies_ + 1, "neighbour search");
  exec_.for_each("search: find features", n_bodies_,
                 FeatureCount<R>{search, bodies_.clearance.view(), offsets_.view(), row_offsets.view(), found},
                 n_bodies_ * (16 + 3 * sizeof(R)));
  offset_t n_slots = 0, n_rows = 0;
  exec_.timed(
      "search: offsets",
      [&] {
        n_slots = primitives_.exclusive_scan(offsets_, n_bodies_);
        n_rows = primitives_.exclusive_scan(row_offsets, n_bodies_);
      },
      n_bodies_ * 32);
  fresh.body_of_row.discard_and_resize(n_rows, "boundary contacts");
  fresh.row_start.discard_and_resize(n_rows + 1, "boundary contacts");
  fresh.slot.discard_and_resize(n_slots, "boundary contacts");
  fresh.extra.discard_and_resize(n_slots * laws_.history_size, "boundary contacts");
  fresh.couple.discard_and_resize(laws_.couples ? n_slots : 0, "boundary contacts");
  fresh.couple.zero();
  fresh.stack.discard_and_resize(stacks_.any() ? n_slots : 0, "boundary contacts");
  boundary_wrench_.discard_and_resize(n_rows, "boundary contacts");
  fresh.row_start.set_element(n_rows, n_slots);
  BoundaryList<R>& old = near_boundary_before_;
  exec_.for_each("search: list features", n_bodies_,
                 FeatureFill<R>{search, offsets_.view(), row_offsets.view(), found, fresh.row_of_body.view(),
                                fresh.body_of_row.view(), fresh.row_start.view(), fresh.slot.view()},
                 n_bodies_ * 12 + n_slots * 4);
  exec_.for_each("search: return boundary history", n_rows,
                 FeatureInherit<R>{fresh.body_of_row.view(), fresh.row_start.view(), fresh.slot.view(), order_.view(),
                                   old.row_of_body.view(), old.row_start.view(), old.slot.view(), fresh.extra.view(),
                                   old.extra.view(), laws_.history_size, fresh.stack.view(), old.stack.view()},
                 n_slots * 2 * sizeof(BoundarySlot<R>));
  exec_.for_each("search: return boundary history", old.stack.size(),
                 GiveBackCarried<R>{stacks_.view(), old.stack.view()});
}

template void System<float>::find_contacts();
template void System<double>::find_contacts();
template SearchReport System<float>::search_neighbours();
template SearchReport System<double>::search_neighbours();

}  // namespace scree::inline SCREE_BACKEND
