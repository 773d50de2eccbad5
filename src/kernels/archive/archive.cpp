#include "kernels/archive/state_io.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/archive/load_histories.hpp"
#include "kernels/bodies/checks.hpp"
#include "kernels/cell/checks.hpp"
#include "kernels/system.hpp"

/// Checkpoints of a System. Saved is what the further course and the readout of the present step depend on, in an order
/// that does not depend on how bodies stand in memory. Lists, skins and the like are not saved: a restored System
/// stands as if its lists held nothing but the touching contacts, and makes new ones before its next step.
///
/// New state takes one line: of bodies in BodyFields::notes(), of pairs in visit_pair_arrays(), of boundary contacts in
/// visit_slot_members() or visit_slot_arrays(), anything else in visit_totals(). The test checkpoint_guard.test.cpp
/// sees what is forgotten.
namespace scree::inline SCREE_BACKEND {

namespace {

/// Of steps that adapt.
inline bool is_time(const ClockState& clock) {
  return clock.before >= 0 && clock.time >= clock.before && clock.last >= 0 && clock.next > 0;
}

template <class R, class Visit>
void visit_slot_members(Visit&& visit) {
  using Slot = BoundarySlot<R>;
  // touching is 1 in all that is saved; accepted is worked out by every step.
  visit("boundary_contacts/feature", "1", &Slot::feature);
  visit("boundary_contacts/shear", "N", &Slot::shear);
  visit("boundary_contacts/normal", "1", &Slot::normal);
  visit("boundary_contacts/force", "N", &Slot::force);
  visit("boundary_contacts/point", "m", &Slot::point);
}

/// Some columns of an array of contacts: so many, of those it has, from the first.
struct Columns {
  std::size_t width, of, first;
};

/// What the energy ledger remembers may be missing, or not be asked for: the run then keeps none, or begins one.
template <class T>
void restore_columns(StateReader& in, const std::string& name, const char* unit, Buffer<T>& buffer, std::size_t n,
                     const Columns& c) {
  const bool of_ledger = name.ends_with("stored_energy");
  if (of_ledger && c.width == 0) {
    std::vector<T> dropped(n);
    if (in.has(name)) {
      in.rows(name, unit, n, [&](std::size_t k) -> T& { return dropped[k]; });
    }
    return;
  }
  std::vector<T> values = c.first > 0 ? buffer.to_vector() : std::vector<T>(c.width > 0 ? n * c.of : 0);
  if (c.width > 0 && (!of_ledger || in.has(name))) {
    in.rows(
        name, unit, n, [&](std::size_t k) -> T& { return values[k * c.of + c.first]; }, c.width);
  }
  buffer.assign(values);
}

index_t place_of(const std::vector<index_t>& place_of_id, index_t id, const char* group) {
  const index_t place = id < place_of_id.size() ? place_of_id[id] : no_index;
  if (place == no_index) {
    throw StateError(std::string(group) + " name the particle " + std::to_string(id) + ", which is not there");
  }
  return place;
}

}  // namespace

/// Numbers, and arrays whose length follows from the scene.
template <class R>
template <class Visit>
void System<R>::visit_totals(Visit& visit, ClockState& clock_state) {
  visit("totals/step", "1", step_);
  visit("totals/clock", "s", clock_state);
  visit("totals/watch", "1, s", watch_);
  visit("totals/particles_at_start", "1", n_start_);
  visit("totals/particles_inserted", "1", n_inserted_);
  if (has_clumps()) {
    visit("totals/clumps", "1", n_clumps_made_);
    visit("totals/members_beyond_first", "1", members_beyond_);
    visit("totals/members_inserted_beyond_first", "1", inserted_beyond_);
  }
  if (cell_.any()) { visit_cell(visit); }
  visit("totals/large_radius", "m", large_radius_);
  visit("totals/quanta_per_mass", "1/kg", quanta_per_mass_);
  visit("totals/bonds_made", "1", bonds_made_);  // by id
  visit("totals/bonds_broken", "1", bonds_broken_);
  visit("totals/outlets", "1", outlet_counts_);  // particles, quanta of mass
}

template <class R>
template <class Visit>
void System<R>::visit_cell(Visit& visit) {
  CellGeometry geometry = cell_.geometry();
  geometry.edges = transpose(geometry.edges);  // vectors as rows
  CellControlState control = cell_.control().state();
  std::uint64_t out = bodies_are_out_ ? 1 : 0, slow = measured_slow_ ? 1 : 0;
  // this and the next are of the scene: cases that start from the checkpoint take them
  Vec3d origin = cell_.origin();
  std::array<std::uint64_t, 3> along{};
  for (int k = 0; k < 3; ++k) { along[static_cast<std::size_t>(k)] = cell_.along(k) ? 1 : 0; }
  visit("cell/origin", "m", origin);
  visit("cell/periodic", "1", along);
  bool same = origin.x == cell_.origin().x && origin.y == cell_.origin().y && origin.z == cell_.origin().z;
  for (int k = 0; k < 3; ++k) { same = same && (along[static_cast<std::size_t>(k)] != 0) == cell_.along(k); }
  expect_state(same, "cell/origin or cell/periodic are those of another cell");
  visit("cell/edges", "m", geometry.edges);
  visit("cell/deformation", "1", geometry.deformation);
  visit("cell/gradient", "1/s", geometry.gradient);
  visit("cell/stretch", "1", geometry.stretch);
  visit("cell/strain", "1", geometry.strain);
  visit("cell/control", "of the control", control);
  visit("cell/measure", "Pa, Pa, 1", cell_measure_);
  visit("cell/measured", "1", measured_step_);
  visit("cell/measured_slow", "1", slow);
  visit("cell/bodies_are_out", "1", out);
  geometry.edges = transpose(geometry.edges);
  cell_.set_geometry(geometry);
  cell_.control().set_state(control);
  measured_slow_ = slow != 0;
  bodies_are_out_ = out != 0;
}

/// Arrays of listed pairs, with so many elements for each, part of those it has; none: the laws of the run do without.
template <class R>
template <class Visit>
void System<R>::visit_pair_arrays(Visit&& visit) {
  visit("pairs/shear", "N", pairs_.shear, {1, 1, 0});
  visit("pairs/history", "of the law", pairs_.extra, {laws_.own_history_size, laws_.history_size, 0});
  visit("pairs/stored_energy", "J", pairs_.extra, {ledger_.on ? 1u : 0u, laws_.history_size, laws_.own_history_size});
  visit("pairs/force", "N", pairs_.force, {1, 1, 0});
  visit("pairs/image", "1", pairs_.image, {cell_.any() ? 1u : 0u, 1, 0});
  visit("pairs/couple", "N m", pairs_.couple, {laws_.couples ? 1u : 0u, 1, 0});
}

/// The same of boundary slots, beside the slots themselves.
template <class R>
template <class Visit>
void System<R>::visit_slot_arrays(Visit&& visit) {
  visit("boundary_contacts/history", "of the law", near_boundary_.extra,
        {laws_.own_history_size, laws_.history_size, 0});
  visit("boundary_contacts/couple", "N m", near_boundary_.couple, {laws_.couples ? 1u : 0u, 1, 0});
  visit("boundary_contacts/stored_energy", "J", near_boundary_.extra,
        {ledger_.on ? 1u : 0u, laws_.history_size, laws_.own_history_size});
}

template <class R>
EngineState System<R>::save() {
  SCREE_EXPECT(forces_known_, "contact forces are not known between a search and the next step");
  EngineState state;
  StateWriter out(state);
  save_ledger(out);
  ClockState clock_state = clock_.state();
  visit_totals(out, clock_state);
  const std::vector<DrivenState>& driven = boundary_.driven_states();
  out.rows(
      "boundaries/driven", "m, m/s, rad, rad/s, J",
      driven.size(), [&](std::size_t b) -> const auto& { return driven[b]; });
  save_bodies(out);
  save_clumps(out);
  save_pairs(out);
  save_boundary_contacts(out);
  return state;
}

/// A body that has just been removed is kept while its last contacts count: they belong to the forces of this step.
template <class R>
void System<R>::save_bodies(StateWriter& out) {
  const auto id = bodies_.id.to_vector();
  std::vector<std::uint32_t> touches;
  if (rebuilds_ > 0) { touches = coordination_numbers(); }
  std::vector<index_t> order;
  {
    const auto position = bodies_.position.to_vector(n_bodies_);
    for (index_t i = 0; i < n_bodies_; ++i) {
      if (!is_parked(position[i]) || (!touches.empty() && touches[i] > 0)) { order.push_back(i); }
    }
  }
  std::sort(order.begin(), order.end(), [&](index_t a, index_t b) { return id[a] < id[b]; });
  const auto notes = Bodies<R>::notes();
  std::size_t k = 0;
  const auto each = [&](auto& field) {
    const FieldNote note = notes[k++];
    if (!note.saved) { return; }
    const auto values = field.to_vector();
    out.rows(
        std::string("bodies/") + note.name, note.unit,
        order.size(), [&](std::size_t i) -> const auto& { return values[order[i]]; });
  };
  std::apply([&](auto&... field) { (each(field), ...); }, bodies_.all());
  if (cell_.any()) {
    const auto image = cell_image_.to_vector();
    out.rows(
        "bodies/image", "1", order.size(), [&](std::size_t i) -> const auto& { return image[id[order[i]]]; });
  }
  if (group_of_id_.size() == 0) { return; }
  std::vector<std::uint32_t> group;
  for (const std::uint16_t g : group_of_id_.to_vector()) { group.push_back(g); }
  out.rows(
      "bodies/group", "1", order.size(), [&](std::size_t i) -> const auto& { return group[id[order[i]]]; });
}

template <class R>
void System<R>::save_pairs(StateWriter& out) {
  std::vector<std::uint32_t> slots;
  std::vector<std::array<index_t, 2>> ids;
  if (n_pairs_ > 0) {
    const auto id = bodies_.id.to_vector();
    const auto pair = pairs_.bodies.to_vector();
    const auto touching = pairs_.touching.to_vector();
    for (std::uint32_t slot = 0; slot < n_pairs_; ++slot) {
      if (touching[slot] != 0) { slots.push_back(slot); }
    }
    const auto ids_of = [&](std::uint32_t slot) {
      return std::array<index_t, 2>{id[pair[slot].first], id[pair[slot].second]};
    };
    std::sort(slots.begin(), slots.end(), [&](std::uint32_t a, std::uint32_t b) { return ids_of(a) < ids_of(b); });
    for (const std::uint32_t slot : slots) { ids.push_back(ids_of(slot)); }
  }
  out.rows(
      "pairs/ids", "1", ids.size(), [&](std::size_t k) -> const auto& { return ids[k]; });
  visit_pair_arrays([&](const char* name, const char* unit, auto& buffer, const Columns& c) {
    if (c.width == 0) { return; }
    const auto values = slots.empty() ? decltype(buffer.to_vector()){} : buffer.to_vector();
    out.rows(
        name, unit, slots.size(), [&](std::size_t k) -> const auto& { return values[slots[k] * c.of + c.first]; },
        c.width);
  });
  const auto all = stacks_.any() && !slots.empty() ? pairs_.stack.to_vector() : std::vector<StackEnd<R>>{};
  std::vector<StackEnd<R>> stacks;
  for (std::size_t k = 0; k < slots.size() && !all.empty(); ++k) { stacks.push_back(all[slots[k]]); }
  save_stacks(out, "pair_segments", stacks);
}

template <class R>
void System<R>::save_boundary_contacts(StateWriter& out) {
  std::vector<BoundarySlot<R>> slots;
  std::vector<std::size_t> place;  // of a slot in the list
  std::vector<index_t> slot_id, row_id;
  std::vector<Wrench<R>> wrenches;
  if (boundary_.any()) {  // before the first step, too: a start may have brought contacts
    const auto id = bodies_.id.to_vector();
    const auto body = near_boundary_.body_of_row.to_vector();
    const auto start = near_boundary_.row_start.to_vector();
    const auto slot = near_boundary_.slot.to_vector();
    const auto wrench = boundary_wrench_.to_vector();
    std::vector<std::size_t> rows(body.size());
    std::iota(rows.begin(), rows.end(), std::size_t(0));
    std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return id[body[a]] < id[body[b]]; });
    for (const std::size_t row : rows) {
      const std::size_t before = slots.size();
      for (offset_t k = start[row]; k < start[row + 1]; ++k) {
        if (slot[k].touching == 0) { continue; }
        slots.push_back(slot[k]);
        place.push_back(k);
        slot_id.push_back(id[body[row]]);
      }
      if (slots.size() == before) { continue; }
      row_id.push_back(id[body[row]]);
      wrenches.push_back(wrench[row]);
    }
  }
  out.rows(
      "boundary_contacts/id", "1", slot_id.size(), [&](std::size_t k) -> const auto& { return slot_id[k]; });
  visit_slot_members<R>([&](const char* name, const char* unit, auto member) {
    out.rows(
        name, unit, slots.size(), [&](std::size_t k) -> const auto& { return slots[k].*member; });
  });
  visit_slot_arrays([&](const char* name, const char* unit, auto& buffer, const Columns& c) {
    if (c.width == 0) { return; }
    const auto values = slots.empty() ? decltype(buffer.to_vector()){} : buffer.to_vector();
    out.rows(
        name, unit, slots.size(), [&](std::size_t k) -> const auto& { return values[place[k] * c.of + c.first]; },
        c.width);
  });
  const auto all = stacks_.any() && !slots.empty() ? near_boundary_.stack.to_vector() : std::vector<StackEnd<R>>{};
  std::vector<StackEnd<R>> stacks;
  for (std::size_t k = 0; k < place.size() && !all.empty(); ++k) { stacks.push_back(all[place[k]]); }
  save_stacks(out, "boundary_segments", stacks);
  out.rows(
      "boundary_forces/id", "1", row_id.size(), [&](std::size_t k) -> const auto& { return row_id[k]; });
  out.rows(
      "boundary_forces/force_torque", "N, N m",
      row_id.size(), [&](std::size_t k) -> const auto& { return wrenches[k]; });
}

template <class R>
void System<R>::restore(const EngineState& state) {
  StateReader in(state);
  forget_lists();
  ClockState clock_state;
  const auto fixed = [&] { return std::tuple(n_start_, large_radius_, quanta_per_mass_); };
  const auto of_scene = fixed();
  visit_totals(in, clock_state);
  expect_state(fixed() == of_scene, "totals/particles_at_start and what follows from them are those of another scene");
  const std::uint64_t n_ids = std::uint64_t(n_start_) + n_inserted_;
  expect_state(n_inserted_ < no_index && n_ids < no_index, "totals/particles_inserted are more than there can be");
  expect_state(step_ < std::uint64_t(1) << 53, "totals/step is one that no run gets to");
  expect_state(n_clumps_made_ <= n_ids && members_beyond_ <= n_ids && inserted_beyond_ <= n_ids,
               "totals/clumps are more than there can be");
  expect_state(!scene_.adaptive || is_time(clock_state), "totals/clock tells times that cannot be");
  const auto made = bonds_made_.to_vector(), broken = bonds_broken_.to_vector();
  for (std::size_t i = 0; i < made.size(); ++i) {
    expect_state(broken[i] <= made[i], "totals/bonds_broken are more than were made");
  }
  if (cell_.any()) { expect_cell(cell_, cell_measure_, scene_.cell->stages.size()); }
  clock_.set_state(clock_state);
  std::vector<DrivenState> driven(boundary_.driven_states().size());
  in.rows(
      "boundaries/driven", "", driven.size(), [&](std::size_t b) -> auto& { return driven[b]; });
  boundary_.set_driven(std::move(driven));
  const std::vector<index_t> place_of_id = restore_bodies(in);
  restore_clumps(in);
  restore_pairs(in, place_of_id);
  restore_boundary_contacts(in, place_of_id);
  restore_ledger(in);
  in.expect_all_read();
  rebuilds_ = step_ > 0 ? 1 : 0;
  list_step_ = step_;
  restore_large_parts();
  if (measured_step_ == step_) { cell_.ends(clock_.at(step_), cell_measure_); }
}

/// Whatever was listed, measured or reported is of no meaning any more.
template <class R>
void System<R>::forget_lists() {
  control_.assign({Control{}}, "control");
  stacks_.reset();
  list_spent_ = true;
  forces_known_ = true;
  boundary_skin_ = boundary_travel_ = reach_ = search_seconds_ = mean_skin_ = 0;
  tuner_ = {};
  list_made_ = std::chrono::steady_clock::now();
  n_carried_ = 0;
  grid_ = {};
}

/// Returns the place in memory of each id.
template <class R>
std::vector<index_t> System<R>::restore_bodies(StateReader& in) {
  n_bodies_ = in.count("bodies/id");
  std::vector<R> radius(n_bodies_);
  in.rows("bodies/radius", "", n_bodies_, [&](std::size_t i) -> R& { return radius[i]; });
  // Large bodies stand last.
  std::vector<index_t> place(n_bodies_);
  const auto large = [&](std::size_t i) { return radius[i] > static_cast<R>(large_radius_); };
  first_large_ = 0;
  for (std::size_t i = 0; i < n_bodies_; ++i) { first_large_ += large(i) ? 0 : 1; }
  std::size_t next = 0, next_large = first_large_;
  for (std::size_t i = 0; i < n_bodies_; ++i) { place[i] = static_cast<index_t>(large(i) ? next_large++ : next++); }

  const auto notes = Bodies<R>::notes();
  std::size_t k = 0;
  const auto each = [&](auto& field) {
    using T = std::remove_reference_t<decltype(*field.data())>;
    const FieldNote note = notes[k++];
    std::vector<T> values(n_bodies_);
    const std::string name = std::string("bodies/") + note.name;
    if (note.saved && (in.has(name) || !note.may_be_missing)) {
      in.rows(name, "", n_bodies_, [&](std::size_t i) -> T& { return values[place[i]]; });
    }
    field.assign(values);
  };
  std::apply([&](auto&... field) { (each(field), ...); }, bodies_.all());

  expect_bodies(bodies_, place, n_start_ + n_inserted_, known_material_);
  const auto id = bodies_.id.to_vector();
  std::vector<index_t> place_of_id;
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (id[i] >= place_of_id.size()) { place_of_id.resize(std::size_t(id[i]) + 1, no_index); }
    place_of_id[id[i]] = static_cast<index_t>(i);
  }
  if (cell_.any()) {
    std::vector<Image> read(n_bodies_), image(n_start_ + n_inserted_);
    in.rows(
        "bodies/image", "", n_bodies_, [&](std::size_t i) -> auto& { return read[place[i]]; });
    constexpr std::int32_t far = 1 << 30;
    for (std::size_t i = 0; i < id.size(); ++i) {
      const Image& of = read[i];
      expect_state(std::max({of.a, of.b, of.c}) < far && std::min({of.a, of.b, of.c}) > -far,
                   "bodies/image tells of one that is too far away");
      image[id[i]] = of;
    }
    cell_image_.assign(image, "periodic cell");
  }
  group_of_id_.assign({});
  if (scene_.groups.size() > 1) {
    std::vector<std::uint32_t> group(n_bodies_);
    in.rows(
        "bodies/group", "", n_bodies_, [&](std::size_t i) -> auto& { return group[place[i]]; });
    std::vector<std::uint16_t> of_id(n_start_ + n_inserted_);  // of bodies that are not there any more nobody asks
    for (std::size_t i = 0; i < id.size(); ++i) {
      expect_state(group[i] < scene_.groups.size(), "bodies/group names a group that is not there");
      of_id[id[i]] = static_cast<std::uint16_t>(group[i]);
    }
    group_of_id_.assign(of_id);
  }
  return place_of_id;
}

/// The touching pairs as a list: enough to read forces from, and to carry the history from into the next list.
template <class R>
void System<R>::restore_pairs(StateReader& in, const std::vector<index_t>& place_of_id) {
  n_pairs_ = in.count("pairs/ids");
  std::vector<std::array<index_t, 2>> ids(n_pairs_);
  in.rows(
      "pairs/ids", "", n_pairs_, [&](std::size_t k) -> auto& { return ids[k]; });
  expect_state(n_pairs_ < no_index / 2, "the state has more pairs than there can be");
  for (std::size_t k = 0; k < n_pairs_; ++k) {
    expect_state(ids[k][0] < ids[k][1] && (k == 0 || ids[k - 1] < ids[k]),
                 "the array pairs/ids is not one of pairs in ascending order");
  }
  std::vector<BodyPair> pair(n_pairs_);
  std::vector<offset_t> start(n_bodies_ + 1);
  for (std::size_t k = 0; k < n_pairs_; ++k) {
    pair[k] = {place_of(place_of_id, ids[k][0], "pairs"), place_of(place_of_id, ids[k][1], "pairs")};
    ++start[pair[k].first + 1];
    ++start[pair[k].second + 1];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  // Pairs come by the first id, then the second: so each body meets the others in ascending order of their ids.
  std::vector<offset_t> end = start;
  std::vector<std::uint32_t> incident(2 * n_pairs_);
  for (std::size_t k = 0; k < n_pairs_; ++k) {
    incident[end[pair[k].first]++] = static_cast<std::uint32_t>(2 * k);
    incident[end[pair[k].second]++] = static_cast<std::uint32_t>(2 * k + 1);
  }
  pairs_.bodies.assign(pair);
  pairs_.incident_start.assign(start);
  pairs_.incident.assign(incident);
  pairs_.touching.assign(std::vector<std::uint8_t>(n_pairs_, 1));
  pairs_.lowest_slot.assign(std::vector<std::uint32_t>(n_bodies_));
  pairs_.chunk_start.assign(std::vector<offset_t>((n_bodies_ + chunk_bodies - 1) / chunk_bodies + 1));
  visit_pair_arrays([&](const char* name, const char* unit, auto& buffer, const Columns& c) {
    restore_columns(in, name, unit, buffer, n_pairs_, c);
  });
  for (const std::uint8_t image : pairs_.image.to_vector()) {
    expect_state(image < n_images, "pairs/image names an image that is not there");
  }
  const auto stacks = restore_stacks(in, "pair_segments", n_pairs_);
  const auto material = bodies_.material.to_vector();
  expect_load_histories(stacks_, stacks, pairs_.extra.to_vector(), laws_.history_size, "pair_segments",
                        [&](std::size_t k) {
                          return scene_.law_of(material[pair[k].first], material[pair[k].second]) == LawKind::jaeger;
                        });
  pairs_.stack.assign(stacks);
}

template <class R>
void System<R>::restore_boundary_contacts(StateReader& in, const std::vector<index_t>& place_of_id) {
  std::vector<BoundarySlot<R>> slots(in.count("boundary_contacts/id"));
  std::vector<index_t> slot_id(slots.size()), row_id(in.count("boundary_forces/id"));
  std::vector<Wrench<R>> wrenches(row_id.size());
  in.rows(
      "boundary_contacts/id", "", slots.size(), [&](std::size_t k) -> auto& { return slot_id[k]; });
  visit_slot_members<R>([&](const char* name, const char* unit, auto member) {
    in.rows(
        name, unit, slots.size(), [&](std::size_t k) -> auto& { return slots[k].*member; });
  });
  visit_slot_arrays([&](const char* name, const char* unit, auto& buffer, const Columns& c) {
    restore_columns(in, name, unit, buffer, slots.size(), c);
  });
  const auto stacks = restore_stacks(in, "boundary_segments", slots.size());
  in.rows(
      "boundary_forces/id", "", row_id.size(), [&](std::size_t k) -> auto& { return row_id[k]; });
  in.rows(
      "boundary_forces/force_torque", "", row_id.size(), [&](std::size_t k) -> auto& { return wrenches[k]; });

  std::vector<index_t> row_of_body(n_bodies_, no_index), body_of_row;
  std::vector<offset_t> row_start{0};
  std::size_t k = 0;
  for (std::size_t row = 0; row < row_id.size(); ++row) {
    expect_state(row == 0 || row_id[row] > row_id[row - 1], "boundary_forces/id are not in ascending order");
    body_of_row.push_back(place_of(place_of_id, row_id[row], "boundary_forces"));
    row_of_body[body_of_row.back()] = static_cast<index_t>(row);
    const std::size_t first = k;
    for (; k < slots.size() && slot_id[k] == row_id[row]; ++k) {
      expect_state(slots[k].feature < boundary_.features().size(),
                   "boundary_contacts name a feature that is not there");
      expect_state(k == first || slots[k].feature > slots[k - 1].feature,
                   "boundary_contacts/feature are not in ascending order");
      slots[k].touching = 1;
    }
    expect_state(k > first, "boundary_forces name a particle that touches nothing");
    row_start.push_back(static_cast<offset_t>(k));
  }
  if (k != slots.size()) { throw StateError("boundary_contacts and boundary_forces are not of the same particles"); }
  const auto material = bodies_.material.to_vector();
  expect_load_histories(stacks_, stacks, near_boundary_.extra.to_vector(), laws_.history_size, "boundary_segments",
                        [&](std::size_t slot) {
                          const index_t body = place_of(place_of_id, slot_id[slot], "boundary_contacts");
                          const SceneBoundary& boundary =
                              scene_.boundaries[boundary_.features()[slots[slot].feature].boundary];
                          return scene_.law_of(boundary.material, material[body]) == LawKind::jaeger;
                        });
  near_boundary_.stack.assign(stacks);
  near_boundary_.row_of_body.assign(row_of_body);
  near_boundary_.body_of_row.assign(body_of_row);
  near_boundary_.row_start.assign(row_start);
  near_boundary_.slot.assign(slots);
  boundary_wrench_.assign(wrenches);
}

/// Sums of the contacts of large bodies, as the last step had them.
template <class R>
void System<R>::restore_large_parts() {
  const std::size_t n_parts = (n_bodies_ - first_large_) * parts_of_large;
  large_part_.discard_and_resize(n_parts, "large particles");
  if (n_parts == 0) { return; }
  const auto ids_per_part = static_cast<index_t>((n_start_ + n_inserted_ + parts_of_large - 1) / parts_of_large);
  exec_.for_each("gather large bodies", n_parts,
                 LargeGather<R>{wrench_gather(), pairs_.bodies.view(), bodies_.id.view(), bodies_.radius.view(),
                                ids_per_part, control_.data()});
}

template EngineState System<float>::save();
template EngineState System<double>::save();
template void System<float>::restore(const EngineState&);
template void System<double>::restore(const EngineState&);

}  // namespace scree::inline SCREE_BACKEND
