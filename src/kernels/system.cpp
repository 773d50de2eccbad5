#include "kernels/system.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/contact/boundary_contacts.hpp"
#include "kernels/contact/pair_contacts.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

// With automatic Verlet distances a body gets enough for this many steps, but never more than this share of the
// smallest radius: beyond that, the longer list costs more than the searches it saves.
constexpr double target_interval = 60;
constexpr double most_skin = 0.75;

// In float a step rounds the travel of a body by up to 2^-24 of its skin. So many steps together hide half of what the
// travel limit keeps in reserve, however slowly a body creeps.
constexpr std::uint64_t most_list_steps = 16384;

}  // namespace

template <class R>
std::uint64_t System<R>::advance(std::uint64_t steps, const std::atomic<bool>* stop) {
  // Where launches are asynchronous a batch of steps goes out before the driver looks; kernels stop by themselves when
  // they need it. Moving boundaries are placed by the driver, one step at a time.
  const std::uint64_t batch = Exec::asynchronous() && !boundary_.moving() ? 16 : 1;
  std::uint64_t done = 0;
  if (const std::uint64_t fault = control_.element(0).fault; fault != no_fault) { report_fault(fault); }  // it was over
  while (done < steps && !(stop != nullptr && stop->load(std::memory_order_relaxed))) {
    boundary_.place(exec_, time());
    if (list_spent_) { find_contacts(); }
    const std::uint64_t before = step_;
    const std::uint64_t launched = std::min(batch, steps - done);
    for (std::uint64_t k = 0; k < launched; ++k) { step(before + k); }
    read_control();
    done += step_ - before;
  }
  return done;
}

template <class R>
void System<R>::step(std::uint64_t index) {
  Control* control = control_.data();
  const R dt = static_cast<R>(scene_.time_step);
  const auto n_materials = static_cast<std::uint32_t>(scene_.materials.size());
  const Leapfrog<R> scheme{dt, index == 0 ? R(0.5) * dt : dt, static_cast<R>(scene_.damping)};
  const Vec3<R> gravity{static_cast<R>(scene_.gravity[0]), static_cast<R>(scene_.gravity[1]), static_cast<R>(scene_.gravity[2])};
  std::visit(
      [&](auto& table) {
        using Law = typename std::decay_t<decltype(table)>::Law;
        exec_.for_each("boundary contacts", near_boundary_.body_of_row.size(),
                       BoundaryContacts<Law, R>{view(bodies_), boundary_.view(), near_boundary_.body_of_row.view(),
                                                near_boundary_.row_start.view(), near_boundary_.slot.view(), boundary_wrench_.view(),
                                                table.params.view(), n_materials, dt, control});
        const BodyMotion<R> motion{view(bodies_), wrench_gather(), scheme, gravity,
                                   Outlets{outlet_planes_.view(), outlet_counts_.view(), quanta_per_mass_}, control};
        if (one_material_) {
          contacts_and_motion<true>(table, motion);
        } else {
          contacts_and_motion<false>(table, motion);
        }
      },
      law_);
  exec_.for_each("end of step", 1, StepEnd{control});
}

template <class R>
template <bool one_material, class Law>
void System<R>::contacts_and_motion(LawTable<Law>& table, const BodyMotion<R>& motion) {
  exec_.for_selected_then_each(
      "pair contacts", n_pairs_,
      PairContacts<Law, R, one_material>{view(bodies_), pairs_.bodies.view(), pairs_.shear.view(), pairs_.force.view(),
                                         pairs_.touching.view(), table.params.view(),
                                         static_cast<std::uint32_t>(scene_.materials.size()), table.among_particles,
                                         static_cast<R>(scene_.time_step), control_.data()},
      "gather and move", n_bodies_, motion, ItemOrder{pairs_.chunk_start.view(), chunk_bodies, pairs_.lowest_slot.view()});
}

template <class R>
WrenchGather<R> System<R>::wrench_gather() {
  return {pairs_.force.view(), pairs_.incident_start.view(), pairs_.incident.view(), near_boundary_.row_of_body.view(),
          boundary_wrench_.view()};
}

template <class R>
void System<R>::read_control() {
  Control control = control_.element(0);
  double travel = 0;
  if (boundary_.moving() && control.completed > 0) { travel = boundary_.most_travel(time(), scene_.time_step, reach_); }
  step_ += control.completed;
  boundary_travel_ += travel;
  list_spent_ = control.list_spent != 0 || boundary_travel_ > 0.98 * boundary_skin_ || step_ - list_step_ >= most_list_steps;
  if (control.completed > 0 || control.halted != 0) {
    control_.set_element(0, Control{control.fault, 0, 0, 0});
  }
  if (control.fault != no_fault) { report_fault(control.fault); }
}

template <class R>
void System<R>::find_contacts() {
  ++rebuilds_;
  carry_history();
  choose_skins();
  ColumnGrid grid{};
  exec_.timed("search: grid", [&] { grid = make_grid(); });
  sort_bodies(grid);
  find_pairs();
  find_boundary_contacts();
  bodies_.travel.zero();
  boundary_travel_ = 0;
  list_step_ = step_;
  list_spent_ = false;
}

template <class R>
void System<R>::choose_skins() {
  const double least = 0.5 * scene_.verlet_distance;
  const double smallest_radius = double(primitives_.minimum(bodies_.radius.view(), n_bodies_));
  const double most = scene_.verlet_auto ? std::max(least, most_skin * smallest_radius) : least;
  boundary_skin_ = boundary_.moving() ? std::max(least, scene_.verlet_auto ? 0.5 * smallest_radius : 0.0) : 0.0;
  exec_.for_each("search: skins", n_bodies_,
                 SkinChoice<R>{bodies_.velocity.view(), bodies_.skin.view(), static_cast<R>(least), static_cast<R>(most),
                               static_cast<R>(scene_.verlet_auto ? target_interval * scene_.time_step : 0)});
}

template <class R>
ColumnGrid System<R>::make_grid() {
  ColumnGrid grid{};
  const PositionBounds bounds = primitives_.bounds(bodies_.position.view(), n_bodies_);
  const double smallest = double(primitives_.minimum(bodies_.radius.view(), n_bodies_)) +
                          double(primitives_.minimum(bodies_.skin.view(), n_bodies_));
  const double largest = double(primitives_.maximum(bodies_.radius.view(), n_bodies_)) +
                         double(primitives_.maximum(bodies_.skin.view(), n_bodies_));
  if (bounds.min.x > bounds.max.x) { return grid; }  // every body has been removed

  grid.origin = bounds.min;
  const double span = std::max(bounds.max.x - bounds.min.x, largest);
  grid.sweep_scale = std::min(1073741824.0 / span, 134217728.0 / largest);
  reach_ = 0;
  for (const double x : {bounds.min.x, bounds.max.x, bounds.min.y, bounds.max.y, bounds.min.z, bounds.max.z}) {
    reach_ += std::abs(x);
  }
  reach_ += largest + scene_.verlet_distance;

  // Factors of two in size; columns are as wide as a body from the middle of their level (narrower ones mean more
  // columns to visit, wider ones more bodies to test), or wider where that would make more columns than bodies.
  double top = 2 * smallest;
  for (int level = 0;; ++level) {
    ColumnLevel& l = grid.levels[level];
    const bool last = top >= largest || level + 1 == most_levels;
    l.largest = last ? largest : top;
    l.column_width = 2 * std::sqrt(0.5 * top * l.largest);
    l.largest_extent = grid.sweep_extent(l.largest);
    const double wide_y = bounds.max.y - bounds.min.y, wide_z = bounds.max.z - bounds.min.z;
    const double most = 4.0 * double(n_bodies_) + 64;
    while ((wide_y / l.column_width + 1) * (wide_z / l.column_width + 1) > most || wide_y / l.column_width > 60000 ||
           wide_z / l.column_width > 60000) {
      l.column_width *= 1.25;
    }
    l.ny = static_cast<std::uint32_t>(wide_y / l.column_width) + 1;
    l.nz = static_cast<std::uint32_t>(wide_z / l.column_width) + 1;
    int bits_y = 0, bits_z = 0;
    while ((1u << bits_y) < l.ny) { ++bits_y; }
    while ((1u << bits_z) < l.nz) { ++bits_z; }
    l.bits_low = std::min(bits_y, bits_z);
    l.first_column = grid.n_columns;
    grid.n_columns += 1u << (bits_y + bits_z);
    ++grid.n_levels;
    if (last) { break; }
    top *= 2;
  }
  return grid;
}

template <class R>
Span<CarriedShear<R>> System<R>::carried_history() {
  // The forces of the last step are not needed any more, and no pair needs more than its force record.
  static_assert(sizeof(CarriedShear<R>) <= sizeof(PairForce<R>));
  return {reinterpret_cast<CarriedShear<R>*>(pairs_.force.data()), pairs_.force.size()};
}

template <class R>
void System<R>::carry_history() {
  if (n_pairs_ == 0) {
    carried_start_.discard_and_resize(n_bodies_ + 1, "contact history");
    carried_start_.zero();
    return;
  }
  carried_start_.discard_and_resize(n_bodies_ + 1, "contact history");
  exec_.for_each("search: count history", n_bodies_,
                 CarriedCount{pairs_.touching.view(), pairs_.incident_start.view(), pairs_.incident.view(), carried_start_.view()});
  primitives_.exclusive_scan(carried_start_, n_bodies_);
  exec_.for_each("search: carry history", n_bodies_,
                 CarriedFill<R>{pairs_.bodies.view(), bodies_.id.view(), pairs_.touching.view(), pairs_.shear.view(),
                                pairs_.incident_start.view(), pairs_.incident.view(), carried_start_.view(), carried_history()});
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
void System<R>::sort_bodies(const ColumnGrid& grid) {
  keys_.discard_and_resize(n_bodies_, "neighbour search");
  order_.discard_and_resize(n_bodies_, "neighbour search");
  exec_.for_each("search: sweep keys", n_bodies_,
                 SweepKey<R>{grid, bodies_.position.view(), bodies_.radius.view(), bodies_.skin.view(), keys_.view(), order_.view()});
  int bits = 32;
  while (bits < 63 && (std::uint64_t(grid.n_columns) >> (bits - 32)) != 0) { ++bits; }
  // One more bit keeps the all-ones key of parked bodies above the last column.
  exec_.timed("search: sort", [&] { primitives_.sort_by_key(keys_, order_, n_bodies_, bits + 1); });

  permuted_.discard_and_resize(n_bodies_, "reordering");
  std::apply(
      [&](auto&... field) {
        (
            [&] {
              using T = std::remove_reference_t<decltype(*field.data())>;
              static_assert(sizeof(T) <= sizeof(Vec3d));
              exec_.for_each("search: reorder", n_bodies_, Permute<T>{order_.view(), field.view(), reinterpret_cast<T*>(permuted_.data())});
              copy_within_backend(field.data(), permuted_.data(), n_bodies_ * sizeof(T));
            }(),
            ...);
      },
      bodies_.all());
  // Parked bodies are last now: let them go.
  std::uint64_t removed = 0;
  for (const OutletCount& count : outlet_counts_.to_vector()) { removed += count.bodies; }
  n_bodies_ = n_start_ - removed;
  std::apply([&](auto&... field) { (field.resize(n_bodies_), ...); }, bodies_.all());

  column_start_.discard_and_resize(std::size_t(grid.n_columns) + 1, "neighbour search");
  exec_.for_each("search: column starts", grid.n_columns + 1,
                 ColumnStart{keys_.view(), static_cast<index_t>(n_bodies_), column_start_.view()});
  grid_ = grid;
}

template <class R>
void System<R>::find_pairs() {
  const PairSweep<R> sweep{grid_, bodies_.position.view(), bodies_.radius.view(), bodies_.skin.view(), keys_.view(), column_start_.view()};
  offsets_.discard_and_resize(n_bodies_ + 1, "neighbour search");
  exec_.for_each("search: count pairs", n_bodies_, PairCount<R>{sweep, offsets_.view()});
  const offset_t total = primitives_.exclusive_scan(offsets_, n_bodies_);
  if (total >= most_pairs) {
    throw BackendError("more than 2^31 neighbouring pairs (" + std::to_string(total) + "): reduce the Verlet distance");
  }
  n_pairs_ = static_cast<std::size_t>(total);
  pairs_.bodies.discard_and_resize(n_pairs_, "neighbour list");
  pairs_.shear.discard_and_resize(n_pairs_, "contact history");
  pairs_.touching.discard_and_resize(n_pairs_, "neighbour list");
  pairs_.incident.discard_and_resize(2 * n_pairs_, "neighbour list");
  pairs_.incident_start.discard_and_resize(n_bodies_ + 1, "neighbour list");
  pairs_.lowest_slot.discard_and_resize(n_bodies_, "neighbour list");
  pairs_.incident_start.zero();
  exec_.for_each("search: list pairs", n_bodies_,
                 PairFill<R>{sweep, bodies_.id.view(), offsets_.view(), pairs_.bodies.view(), pairs_.incident_start.view()});
  primitives_.exclusive_scan(pairs_.incident_start, n_bodies_);
  used_.discard_and_resize(n_bodies_, "neighbour search");
  used_.zero();
  exec_.for_each("search: list slots", n_pairs_,
                 IncidentFill{pairs_.bodies.view(), pairs_.incident_start.view(), used_.view(), pairs_.incident.view()});
  exec_.for_each("search: sort slots", n_bodies_,
                 IncidentSort{pairs_.bodies.view(), bodies_.id.view(), pairs_.incident_start.view(), pairs_.incident.view(),
                              pairs_.lowest_slot.view()});
  const std::size_t n_chunks = (n_bodies_ + chunk_bodies - 1) / chunk_bodies;
  pairs_.chunk_start.discard_and_resize(n_chunks + 1, "neighbour list");
  exec_.for_each("search: chunk starts", n_chunks + 1, ChunkStart{offsets_.view(), n_bodies_, pairs_.chunk_start.view()});
  exec_.for_each("search: return history", n_pairs_,
                 CarriedReturn<R>{pairs_.bodies.view(), bodies_.id.view(), order_.view(), carried_start_.view(), carried_history(),
                                  pairs_.shear.view(), pairs_.touching.view()});
  pairs_.force.discard_and_resize(n_pairs_, "contact forces");
  pairs_.force.zero();
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
  offsets_.discard_and_resize(n_bodies_ + 1, "neighbour search");
  Buffer<offset_t>& row_offsets = carried_start_;  // the history has been returned by now
  row_offsets.discard_and_resize(n_bodies_ + 1, "neighbour search");
  exec_.for_each("search: count features", n_bodies_, FeatureCount<R>{search, offsets_.view(), row_offsets.view()});
  const offset_t n_slots = primitives_.exclusive_scan(offsets_, n_bodies_);
  const offset_t n_rows = primitives_.exclusive_scan(row_offsets, n_bodies_);
  fresh.body_of_row.discard_and_resize(n_rows, "boundary contacts");
  fresh.row_start.discard_and_resize(n_rows + 1, "boundary contacts");
  fresh.slot.discard_and_resize(n_slots, "boundary contacts");
  boundary_wrench_.discard_and_resize(n_rows, "boundary contacts");
  fresh.row_start.set_element(n_rows, n_slots);
  BoundaryList<R>& old = near_boundary_before_;
  exec_.for_each("search: list features", n_bodies_,
                 FeatureFill<R>{search, offsets_.view(), row_offsets.view(), fresh.row_of_body.view(), fresh.body_of_row.view(),
                                fresh.row_start.view(), fresh.slot.view()});
  exec_.for_each("search: return history", n_rows,
                 FeatureInherit<R>{fresh.body_of_row.view(), fresh.row_start.view(), fresh.slot.view(), order_.view(),
                                   old.row_of_body.view(), old.row_start.view(), old.slot.view()});
}

template <class R>
void System<R>::report_fault(std::uint64_t fault) {
  const auto kind = static_cast<FaultKind>(fault >> 32);
  const auto id = static_cast<index_t>(fault & 0xffffffffu);
  std::vector<std::uint32_t> ids{id};
  std::string what;
  switch (kind) {
    case FaultKind::not_finite: what = "the velocity is no longer a finite number"; break;
    case FaultKind::moved_too_far: what = "it moved more than its radius in one step"; break;
    case FaultKind::deep_overlap: what = "another particle's surface passed its centre, or the reverse"; break;
    case FaultKind::crossed_boundary: what = "its centre passed through a boundary"; break;
  }
  throw KernelFault(what + "; the time step is too large, the material too soft, or the start was overlapping",
                    step_, std::move(ids));
}

template std::uint64_t System<float>::advance(std::uint64_t, const std::atomic<bool>*);
template std::uint64_t System<double>::advance(std::uint64_t, const std::atomic<bool>*);
template WrenchGather<float> System<float>::wrench_gather();
template WrenchGather<double> System<double>::wrench_gather();

}  // namespace scree::inline SCREE_BACKEND
