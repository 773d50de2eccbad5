#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/neighbours/incident.hpp"
#include "kernels/system.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

// Lists of moving bodies may grow to about three times those of bodies at rest, and no body gets a skin of many radii.
constexpr double most_mean_skin = 0.5, most_skin = 4;  // [radii]

// A body may soon be as fast as the others are.
constexpr double share_of_mean_speed = 0.5;

// A level of fewer than one in so many bodies goes to the next larger one.
constexpr std::uint64_t fewest_of_level = 256;

// Where bodies are, they are assumed to fill this share of space.
constexpr double solid_share = 0.6;

/// Width [m] of columns that makes the work least for bodies that look `reach` [m] to each side among so many others per
/// volume [1/m3]: narrow columns are many to visit, wide ones hold many bodies to test.
double column_width(double reach, double density) {
  // That cost as much as one visit: on the host as measured, with 16 at a time; on a GPU one after the other.
  constexpr double tests_per_visit = SCREE_ON_CUDA ? 5 : 20;
  double best = 0, least = std::numeric_limits<double>::max();
  for (double width = 0.7 * reach; width < 20 * reach; width *= 1.1) {
    const double visits = (2 * reach / width + 1) * (2 * reach / width + 1);
    const double cost = visits * (tests_per_visit + density * width * width * 2 * reach);
    if (cost < least) {
      least = cost;
      best = width;
    }
  }
  return best;
}

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
  carry_history();
  if (rebuilds_ > 0) {
    tuner_.add(search_seconds_, seconds_between(list_made_, start), step_ - list_step_,
               {double(n_bodies_), double(n_carried_), double(n_pairs_), mean_skin_}, double(most_list_steps));
  }
  ++rebuilds_;
  choose_skins();
  sort_bodies();
  find_pairs();
  find_incident();
  find_boundary_contacts();
  bodies_.travel.zero();
  boundary_travel_ = 0;
  list_step_ = step_;
  list_spent_ = false;
  list_made_ = std::chrono::steady_clock::now();
  search_seconds_ = seconds_between(start, list_made_);
}

template <class R>
SearchReport System<R>::search_neighbours() {
  boundary_.place(exec_, time());
  find_contacts();
  exec_.for_stretches("count tests", n_bodies_, TestCount<R>{pair_sweep(), offsets_.view()});
  return {n_bodies_, primitives_.exclusive_scan(offsets_, n_bodies_), n_pairs_};
}

template <class R>
SkinRule<R> System<R>::skin_rule() {
  const double dt = scene_.time_step, least = 0.5 * scene_.verlet_distance;
  if (!scene_.verlet_auto && scene_.target_interval == 0) {
    return {static_cast<R>(least), static_cast<R>(least), std::numeric_limits<R>::max(), R(0), R(0)};
  }
  lane_sums_.discard_and_resize(n_lanes, "neighbour search");
  exec_.for_lanes("search: speeds", n_lanes, n_bodies_,
                  SpeedSum<R>{bodies_.velocity.view(), bodies_.radius.view(), n_bodies_, lane_sums_.view()}, n_bodies_ * 4 * sizeof(R));
  LaneSums sum{0, 0};
  for (const LaneSums& lane : lane_sums_.to_vector()) {
    sum.speed += lane.speed;
    sum.relative_speed += lane.relative_speed;
  }
  const double n = double(std::max<std::size_t>(n_bodies_, 1));
  const double extra = share_of_mean_speed * sum.speed / n;
  const double radii_per_step = std::max((1 + share_of_mean_speed) * sum.relative_speed / n * dt, 1e-12);
  const double longest = most_mean_skin / radii_per_step;
  if (!std::isfinite(extra) || !std::isfinite(longest)) { return {static_cast<R>(least), static_cast<R>(least), R(1), R(0), R(0)}; }
  if (!scene_.verlet_auto) {
    return {static_cast<R>(0.1 * least), static_cast<R>(least), std::numeric_limits<R>::max(),
            static_cast<R>(std::min(scene_.target_interval, double(most_list_steps)) * dt), static_cast<R>(extra)};
  }
  const double wanted = scene_.target_interval > 0 ? scene_.target_interval : tuner_.interval();
  const double steps = std::min({wanted, longest, double(most_list_steps)});
  mean_skin_ = steps * radii_per_step;
  return {static_cast<R>(least), std::numeric_limits<R>::max(), R(most_skin), static_cast<R>(steps * dt), static_cast<R>(extra)};
}

template <class R>
void System<R>::choose_skins() {
  const SkinRule<R> rule = skin_rule();
  boundary_skin_ = 0;
  if (boundary_.moving()) {
    const double speed = boundary_.most_travel(time(), scene_.time_step, reach_) / scene_.time_step;
    boundary_skin_ = std::max(double(rule.least), std::min(2 * smallest_radius_, double(rule.interval) * speed));
  }
  const double smallest = smallest_radius_ + double(rule.least);
  lane_sizes_.discard_and_resize(n_lanes, "neighbour search");
  exec_.for_lanes("search: skins", n_lanes, n_bodies_,
                  SkinChoice<R>{rule, bodies_.velocity.view(), bodies_.travel.view(), bodies_.radius.view(), bodies_.skin.view(),
                                bodies_.clearance.view(), 1 / smallest, static_cast<R>(boundary_travel_), n_bodies_, lane_sizes_.view()},
                  n_bodies_ * 11 * sizeof(R));
  exec_.timed("search: grid", [&] { grid_ = make_grid(lane_sizes_.to_vector(), smallest); }, n_bodies_ * sizeof(Vec3d));
}

template <class R>
ColumnGrid System<R>::make_grid(const std::vector<LaneSizes>& sizes, double smallest) {
  ColumnGrid grid{};
  PositionBounds bounds = primitives_.bounds(bodies_.position.view(), n_bodies_);
  if (bounds.min.x > bounds.max.x) { return grid; }  // every body has been removed
  double largest = 0, cubes = 0;
  std::uint64_t count[n_classes] = {};
  for (const LaneSizes& lane : sizes) {
    largest = std::max(largest, lane.largest);
    cubes += lane.cubes;
    for (int k = 0; k < n_classes; ++k) { count[k] += lane.count[k]; }
  }
  reach_ = largest + scene_.verlet_distance;
  for (const double x : {bounds.min.x, bounds.max.x, bounds.min.y, bounds.max.y, bounds.min.z, bounds.max.z}) { reach_ += std::abs(x); }

  // Room for twice as many columns as bodies in each level. If columns of the smallest would be more, a few bodies may
  // be far away from all others.
  const double most_columns = 2.0 * double(n_bodies_) + 64;
  const auto cells = [&](double width) {
    return ((bounds.max.y - bounds.min.y) / width + 1) * ((bounds.max.z - bounds.min.z) / width + 1);
  };
  if (cells(2 * smallest) > most_columns || bounds.max.x - bounds.min.x > 1e6 * smallest) { bounds = crowded_box(bounds, largest); }
  grid.origin = bounds.min;
  const double span = std::max(bounds.max.x - bounds.min.x, largest);
  grid.sweep_scale = std::min(double(ColumnGrid::sweep_length) / span, 134217728.0 / largest);

  // Factors of two in size, without those that hold next to nothing: each level is visited by all smaller bodies.
  std::uint64_t held = 0;
  int last_class = n_classes - 1;
  while (last_class > 0 && count[last_class] == 0) { --last_class; }
  for (int size_class = 0; size_class <= last_class; ++size_class) {
    held += count[size_class];
    const bool last = size_class == last_class || grid.n_levels + 1 == most_levels;
    if (!last && fewest_of_level * held < n_bodies_) { continue; }
    const double top = smallest * std::pow(class_ratio, size_class + 1);
    ColumnLevel& l = grid.levels[grid.n_levels++];
    l.largest = last ? largest : top;
    l.column_width = column_width(1.5 * l.largest, double(held) * solid_share / (4.18879 * cubes));
    held = 0;
    l.largest_extent = grid.sweep_extent(l.largest);
    const double lower = grid.n_levels == 1 ? smallest : grid.levels[grid.n_levels - 2].largest;
    l.smallest_extent = static_cast<std::uint32_t>(0.999999 * lower * grid.sweep_scale);
    int bits_y = 0, bits_z = 0;
    for (;; l.column_width *= 1.25) {
      const double ny = (bounds.max.y - bounds.min.y) / l.column_width + 1, nz = (bounds.max.z - bounds.min.z) / l.column_width + 1;
      if (!(ny < 60000 && nz < 60000)) { continue; }
      l.ny = static_cast<std::uint32_t>(ny);
      l.nz = static_cast<std::uint32_t>(nz);
      for (bits_y = 0; (1u << bits_y) < l.ny;) { ++bits_y; }
      for (bits_z = 0; (1u << bits_z) < l.nz;) { ++bits_z; }
      if (std::exp2(bits_y + bits_z) <= most_columns) { break; }
    }
    l.inverse_width = 1 / l.column_width;
    l.bits_low = std::min(bits_y, bits_z);
    const std::uint32_t all = static_cast<std::uint32_t>((std::uint64_t(1) << (bits_y + bits_z)) - 1);
    const std::uint32_t interleaved = static_cast<std::uint32_t>((std::uint64_t(1) << (2 * l.bits_low)) - 1);
    l.mask_y = (interleaved & 0x55555555u) | (bits_y > bits_z ? all & ~interleaved : 0u);
    l.mask_z = all & ~l.mask_y;
    l.first_column = grid.n_columns;
    grid.n_columns += all + 1;
    if (last) { break; }
  }
  return grid;
}

template <class R>
PositionBounds System<R>::crowded_box(const PositionBounds& bounds, double largest) {
  const std::size_t n_samples = std::min<std::size_t>(n_bodies_, 4096);
  position_sample_.discard_and_resize(n_samples, "neighbour search");
  exec_.for_each("search: sample", n_samples, PositionSample{bodies_.position.view(), n_bodies_ / n_samples, position_sample_.view()});
  std::vector<Vec3d> sample = position_sample_.to_vector();
  std::erase_if(sample, [](const Vec3d& x) { return is_parked(x); });
  if (sample.empty()) { return bounds; }
  // From the first to the last percentile, and as much again on either side: all of a crowd is within.
  PositionBounds box = bounds;
  for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
    const auto rank = [&](std::size_t k) {
      const auto place = sample.begin() + std::ptrdiff_t(k);
      std::nth_element(sample.begin(), place, sample.end(), [&](const Vec3d& a, const Vec3d& b) { return a.*axis < b.*axis; });
      return (*place).*axis;
    };
    const double low = rank(sample.size() / 100), high = rank(sample.size() - 1 - sample.size() / 100);
    const double around = (high - low) + 4 * largest;
    box.min.*axis = std::max(bounds.min.*axis, low - around);
    box.max.*axis = std::min(bounds.max.*axis, high + around);
  }
  return box;
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
    carried_start_.zero();
    return;
  }
  const std::uint64_t list_bytes = n_bodies_ * 16 + n_pairs_ * 9;
  exec_.for_each("search: count history", n_bodies_,
                 CarriedCount{pairs_.touching.view(), pairs_.incident_start.view(), pairs_.incident.view(), carried_start_.view()}, list_bytes);
  n_carried_ = primitives_.exclusive_scan(carried_start_, n_bodies_);
  exec_.for_each("search: carry history", n_bodies_,
                 CarriedFill<R>{pairs_.bodies.view(), bodies_.id.view(), pairs_.touching.view(), pairs_.shear.view(),
                                pairs_.incident_start.view(), pairs_.incident.view(), carried_start_.view(), carried_history()},
                 list_bytes + n_carried_ * (8 + 4 + sizeof(Vec3<R>) + sizeof(CarriedShear<R>)));
}

namespace {

template <class T>
struct Permute {
  Span<index_t> order;
  Span<T> from;
  T* to;
  SCREE_HD void operator()(std::size_t i) const { to[i] = from[order[i]]; }
};

}  // namespace

template <class R>
void System<R>::sort_bodies() {
  keys_.discard_and_resize(n_bodies_, "neighbour search");
  order_.discard_and_resize(n_bodies_, "neighbour search");
  exec_.for_each("search: sweep keys", n_bodies_,
                 SweepKey<R>{grid_, bodies_.position.view(), bodies_.radius.view(), bodies_.skin.view(), keys_.view(), order_.view()},
                 n_bodies_ * (24 + 2 * sizeof(R) + 12));
  int bits = 32;
  while (bits < 63 && (std::uint64_t(grid_.n_columns) >> (bits - 32)) != 0) { ++bits; }
  // One more bit keeps the all-ones key of parked bodies above the last column.
  exec_.timed("search: sort", [&] { primitives_.sort_by_key(keys_, order_, n_bodies_, bits + 1); },
              n_bodies_ * 24 * std::uint64_t((bits + 8) / 8));

  constexpr std::size_t scratch_words = found_per_body * sizeof(index_t) / sizeof(std::uint64_t);  // PairCount wants most
  static_assert(scratch_words * sizeof(std::uint64_t) >= sizeof(Vec3d));
  scratch_.discard_and_resize(scratch_words * n_bodies_, "reordering");
  std::apply(
      [&](auto&... field) {
        (
            [&] {
              using T = std::remove_reference_t<decltype(*field.data())>;
              static_assert(sizeof(T) <= sizeof(Vec3d));
              exec_.for_each("search: reorder", n_bodies_, Permute<T>{order_.view(), field.view(), lent<T>(scratch_, 0, n_bodies_).data},
                             n_bodies_ * (4 * sizeof(T) + 4));
              copy_within_backend(field.data(), scratch_.data(), n_bodies_ * sizeof(T));
            }(),
            ...);
      },
      bodies_.all());
  // Parked bodies are last now: let them go.
  std::uint64_t removed = 0;
  for (const OutletCount& count : outlet_counts_.to_vector()) { removed += count.bodies; }
  n_bodies_ = n_start_ - removed;
  std::apply([&](auto&... field) { (field.resize(n_bodies_), ...); }, bodies_.all());

  column_start_.discard_and_resize(std::size_t(grid_.n_columns) + 1, "neighbour search");
  exec_.for_each("search: column starts", grid_.n_columns + 1,
                 ColumnStart{keys_.view(), static_cast<index_t>(n_bodies_), column_start_.view()}, grid_.n_columns * 4 + n_bodies_ * 8);
  first_large_ = n_bodies_;
  if (grid_.n_levels > 0 && grid_.levels[grid_.n_levels - 1].largest > large_radius_) {
    first_large_ = column_start_.element(grid_.levels[grid_.level_of(large_radius_)].first_column);
    large_part_.discard_and_resize((n_bodies_ - first_large_) * parts_of_large, "large particles");
  }
}

template <class R>
PairSweep<R> System<R>::pair_sweep() {
  return {grid_, bodies_.position.view(), bodies_.radius.view(), bodies_.skin.view(), keys_.view(),
          SweepRecords::in(sweep_records_.data(), n_bodies_), column_start_.view()};
}

template <class R>
void System<R>::find_pairs() {
  sweep_records_.discard_and_resize(SweepRecords::fields * (n_bodies_ + SweepRecords::padding), "neighbour search");
  const PairSweep<R> sweep = pair_sweep();
  exec_.for_each("search: pack", n_bodies_,
                 SweepPack<R>{grid_.origin, bodies_.position.view(), bodies_.radius.view(), bodies_.skin.view(), keys_.view(), sweep.records},
                 n_bodies_ * (24 + 2 * sizeof(R) + 8 + 24));
  const std::uint64_t sweep_bytes = n_bodies_ * (24 + 8) + grid_.n_columns * 4;
  const Span<index_t> found = lent<index_t>(scratch_, 0, n_bodies_ * found_per_body);
  offsets_.discard_and_resize(n_bodies_ + 1, "neighbour search");
  exec_.for_stretches("search: find pairs", n_bodies_, PairCount<R>{sweep, offsets_.view(), found}, sweep_bytes + n_bodies_ * 40);
  offset_t total = 0;
  exec_.timed("search: offsets", [&] { total = primitives_.exclusive_scan(offsets_, n_bodies_); }, n_bodies_ * 16);
  if (total >= most_pairs) {
    throw BackendError("more than 2^31 neighbouring pairs (" + std::to_string(total) + ") of " + std::to_string(n_bodies_) +
                       " particles: the particles overlap, or the Verlet distance is too long");
  }
  n_pairs_ = static_cast<std::size_t>(total);
  pairs_.bodies.discard_and_resize(n_pairs_, "neighbour list");
  pairs_.shear.discard_and_resize(n_pairs_, "contact history");
  pairs_.touching.discard_and_resize(n_pairs_, "neighbour list");
  incoming_.discard_and_resize(n_bodies_, "neighbour search");
  incoming_.zero();
  const PairRows rows{bodies_.id.view(), offsets_.view(), pairs_.bodies.view(), lent<std::uint32_t>(pairs_.shear, 0, n_pairs_),
                      incoming_.view()};
  exec_.for_each("search: list pairs", n_bodies_, PairFill{rows, found}, n_bodies_ * (32 + 4 + 8 + 8) + n_pairs_ * 12);
  exec_.for_stretches("search: list pairs", n_bodies_, PairFillAgain<R>{sweep, rows}, n_bodies_ * 8);
}

template <class R>
void System<R>::find_incident() {
  pairs_.incident.discard_and_resize(2 * n_pairs_, "neighbour list");
  pairs_.incident_start.discard_and_resize(n_bodies_ + 1, "neighbour list");
  pairs_.lowest_slot.discard_and_resize(n_bodies_, "neighbour list");
  exec_.for_each("search: count slots", n_bodies_, IncidentCount{offsets_.view(), incoming_.view(), pairs_.incident_start.view()},
                 n_bodies_ * 20);
  exec_.timed("search: offsets", [&] { primitives_.exclusive_scan(pairs_.incident_start, n_bodies_); }, n_bodies_ * 16);
  // The history of the new list is not written yet: its memory holds the ranks and the other bodies' ids for so long.
  static_assert(sizeof(Vec3<R>) >= 3 * sizeof(std::uint32_t));
  const Span<std::uint32_t> rank = lent<std::uint32_t>(pairs_.shear, 0, n_pairs_);
  const Span<index_t> other_id = lent<index_t>(pairs_.shear, n_pairs_, 2 * n_pairs_);
  exec_.for_each("search: list slots", n_bodies_,
                 IncidentFill{pairs_.bodies.view(), bodies_.id.view(), offsets_.view(), rank, incoming_.view(),
                              pairs_.incident_start.view(), pairs_.incident.view(), other_id},
                 n_bodies_ * 24 + n_pairs_ * (8 + 4 + 16));
  exec_.for_each("search: sort slots", first_large_,
                 IncidentSort{pairs_.incident_start.view(), pairs_.incident.view(), other_id, pairs_.lowest_slot.view()},
                 n_bodies_ * 12 + n_pairs_ * 32);
  if (first_large_ < n_bodies_) {
    const offset_t begin = pairs_.incident_start.element(first_large_);
    const auto n = static_cast<std::size_t>(2 * n_pairs_ - begin);
    row_keys_.discard_and_resize(n, "large particles");
    row_entries_.discard_and_resize(n, "large particles");
    exec_.for_each("search: sort slots", n,
                   IncidentKey{pairs_.bodies.view(), pairs_.incident.view(), other_id, begin, row_keys_.view(), row_entries_.view()});
    exec_.timed("search: sort slots", [&] { primitives_.sort_by_key(row_keys_, row_entries_, n, 64); });
    copy_within_backend(pairs_.incident.data() + begin, row_entries_.data(), n * sizeof(std::uint32_t));
    exec_.for_each("search: sort slots", n_bodies_ - first_large_,
                   LowestSlot{pairs_.incident_start.view(), pairs_.incident.view(), pairs_.lowest_slot.view(), first_large_});
  }
  const std::size_t n_chunks = (n_bodies_ + chunk_bodies - 1) / chunk_bodies;
  pairs_.chunk_start.discard_and_resize(n_chunks + 1, "neighbour list");
  exec_.for_each("search: chunk starts", n_chunks + 1, ChunkStart{offsets_.view(), n_bodies_, pairs_.chunk_start.view()});
  exec_.for_each("search: return history", n_pairs_,
                 CarriedReturn<R>{pairs_.bodies.view(), bodies_.id.view(), order_.view(), carried_start_.view(), carried_history(),
                                  pairs_.shear.view(), pairs_.touching.view()},
                 n_pairs_ * (8 + 1 + sizeof(Vec3<R>)) + n_bodies_ * 16);
  pairs_.force.discard_and_resize(n_pairs_, "contact forces");
  exec_.timed("search: clear forces", [&] { pairs_.force.zero(); }, n_pairs_ * sizeof(PairForce<R>));
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
  const FeatureSearch<R> search{boundary_.view(), bodies_.position.view(), bodies_.radius.view(), bodies_.skin.view(),
                                boundary_skin_};
  static_assert(features_kept <= found_per_body);
  const Span<std::uint32_t> found = lent<std::uint32_t>(scratch_, 0, n_bodies_ * features_kept);
  offsets_.discard_and_resize(n_bodies_ + 1, "neighbour search");
  Buffer<offset_t>& row_offsets = carried_start_;  // the history has been returned by now
  row_offsets.discard_and_resize(n_bodies_ + 1, "neighbour search");
  exec_.for_each("search: find features", n_bodies_,
                 FeatureCount<R>{search, bodies_.clearance.view(), offsets_.view(), row_offsets.view(), found}, n_bodies_ * (16 + 3 * sizeof(R)));
  offset_t n_slots = 0, n_rows = 0;
  exec_.timed("search: offsets", [&] {
    n_slots = primitives_.exclusive_scan(offsets_, n_bodies_);
    n_rows = primitives_.exclusive_scan(row_offsets, n_bodies_);
  }, n_bodies_ * 32);
  fresh.body_of_row.discard_and_resize(n_rows, "boundary contacts");
  fresh.row_start.discard_and_resize(n_rows + 1, "boundary contacts");
  fresh.slot.discard_and_resize(n_slots, "boundary contacts");
  boundary_wrench_.discard_and_resize(n_rows, "boundary contacts");
  fresh.row_start.set_element(n_rows, n_slots);
  BoundaryList<R>& old = near_boundary_before_;
  exec_.for_each("search: list features", n_bodies_,
                 FeatureFill<R>{search, offsets_.view(), row_offsets.view(), found, fresh.row_of_body.view(), fresh.body_of_row.view(),
                                fresh.row_start.view(), fresh.slot.view()},
                 n_bodies_ * 12 + n_slots * 4);
  exec_.for_each("search: return boundary history", n_rows,
                 FeatureInherit<R>{fresh.body_of_row.view(), fresh.row_start.view(), fresh.slot.view(), order_.view(),
                                   old.row_of_body.view(), old.row_start.view(), old.slot.view()},
                 n_slots * 2 * sizeof(BoundarySlot<R>));
}

template void System<float>::find_contacts();
template void System<double>::find_contacts();
template SearchReport System<float>::search_neighbours();
template SearchReport System<double>::search_neighbours();

}  // namespace scree::inline SCREE_BACKEND
