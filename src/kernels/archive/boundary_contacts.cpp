#include <algorithm>
#include <numeric>

#include "kernels/archive/contact_arrays.hpp"
#include "kernels/archive/groups_of_arrays.hpp"
#include "kernels/archive/load_histories.hpp"
#include "kernels/grains/node_lists.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

template <class R, class Visit>
void visit_slot_members(Visit&& visit) {
  using Slot = BoundarySlot<R>;
  // `touching` is 1 in all saved contacts, and every step computes `accepted`.
  visit("boundary_contacts/feature", "1", &Slot::feature);
  visit("boundary_contacts/shear", "N", &Slot::shear);
  visit("boundary_contacts/normal", "1", &Slot::normal);
  visit("boundary_contacts/force", "N", &Slot::force);
  visit("boundary_contacts/point", "m", &Slot::point);
}

}  // namespace

template <class R>
void save_boundary_contacts(RunState<R>& run, StateWriter& out) {
  std::vector<BoundarySlot<R>> slots;
  std::vector<std::size_t> place;  // index of each slot in the list
  std::vector<index_t> slot_id, row_id;
  std::vector<Wrench<R>> wrenches;
  if (run.boundary.any()) {  // also before the first step: a start from a checkpoint may have brought contacts
    const auto id = run.bodies.id.to_vector();
    const auto body = run.contacts.near.body_of_row.to_vector();
    const auto start = run.contacts.near.row_start.to_vector();
    const auto slot = run.contacts.near.slot.to_vector();
    const auto wrench = run.contacts.boundary_wrench.to_vector();
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
  save_rows(out, "boundary_contacts", "boundary_segments", run.contacts.near.rows, run.laws.row_shape(), place,
            run.contacts.stacks);
  save_nodes(out, "boundary_nodes", run.grains, chosen_lists(run.contacts.near.rows, place),
             run.laws.row_shape().ledger());
  out.rows(
      "boundary_forces/id", "1", row_id.size(), [&](std::size_t k) -> const auto& { return row_id[k]; });
  out.rows(
      "boundary_forces/force_torque", "N, N m",
      row_id.size(), [&](std::size_t k) -> const auto& { return wrenches[k]; });
}

namespace {

/// Makes the rows of the bodies `row_id` from the slots of the bodies `slot_id`, and checks that they are possible.
/// Marks all slots as touching.
template <class R>
void restore_lists(RunState<R>& run, const std::vector<index_t>& place_of_id, const std::vector<index_t>& row_id,
                   const std::vector<index_t>& slot_id, std::vector<BoundarySlot<R>>& slots) {
  std::vector<index_t> row_of_body(run.count.bodies, no_index), body_of_row;
  std::vector<offset_t> row_start{0};
  std::size_t k = 0;
  for (std::size_t row = 0; row < row_id.size(); ++row) {
    expect_state(row == 0 || row_id[row] > row_id[row - 1], [&] {
      return broken_rule("boundary_forces/id in row " + std::to_string(row),
                         "above " + std::to_string(row_id[row - 1]) + ", the id before it", row_id[row]);
    });
    body_of_row.push_back(place_of(place_of_id, row_id[row], "boundary_forces"));
    row_of_body[body_of_row.back()] = static_cast<index_t>(row);
    const std::size_t first = k;
    for (; k < slots.size() && slot_id[k] == row_id[row]; ++k) {
      expect_state(slots[k].feature < run.boundary.features().size(), [&] {
        return broken_rule(StateEntry{"boundary_contacts/feature", "contact", k}.text(),
                           "below " + std::to_string(run.boundary.features().size()) + ", the number of features",
                           slots[k].feature);
      });
      expect_state(k == first || slots[k].feature > slots[k - 1].feature, [&] {
        return broken_rule(StateEntry{"boundary_contacts/feature", "contact", k}.text(),
                           "above " + std::to_string(slots[k - 1].feature) + ", that of the contact before it",
                           slots[k].feature);
      });
      slots[k].touching = 1;
    }
    expect_state(k > first, [&] {
      return "boundary_forces/id must be those of boundary_contacts/id, but particle " + std::to_string(row_id[row]) +
             " has no contact there";
    });
    row_start.push_back(static_cast<offset_t>(k));
  }
  expect_state(k == slots.size(), [&] {
    return "boundary_contacts/id must be those of boundary_forces/id, but particle " + std::to_string(slot_id[k]) +
           " has no force there";
  });
  run.contacts.near.row_of_body.assign(row_of_body);
  run.contacts.near.body_of_row.assign(body_of_row);
  run.contacts.near.row_start.assign(row_start);
}

}  // namespace

template <class R>
void restore_boundary_contacts(RunState<R>& run, StateReader& in, const std::vector<index_t>& place_of_id) {
  std::vector<BoundarySlot<R>> slots(in.count("boundary_contacts/id"));
  std::vector<index_t> slot_id(slots.size()), row_id(in.count("boundary_forces/id"));
  std::vector<Wrench<R>> wrenches(row_id.size());
  in.rows(
      "boundary_contacts/id", "", slots.size(), [&](std::size_t k) -> auto& { return slot_id[k]; });
  visit_slot_members<R>([&](const char* name, const char* unit, auto member) {
    in.rows(
        name, unit, slots.size(), [&](std::size_t k) -> auto& { return slots[k].*member; });
  });
  restore_rows(in, "boundary_contacts", "boundary_segments", run.contacts.near.rows, run.laws.row_shape(), slots.size(),
               run.contacts.stacks, run.exec);
  in.rows(
      "boundary_forces/id", "", row_id.size(), [&](std::size_t k) -> auto& { return row_id[k]; });
  in.rows(
      "boundary_forces/force_torque", "", row_id.size(), [&](std::size_t k) -> auto& { return wrenches[k]; });

  restore_lists(run, place_of_id, row_id, slot_id, slots);
  const auto nodes = run.grains.nodes_of_bodies(run);
  run.contacts.near.rows.nodes.assign(
      restore_nodes(in, "boundary_nodes", slots.size(), run.grains, run.step, true, [&](std::size_t slot, bool second) {
        return second ? 0 : nodes[place_of(place_of_id, slot_id[slot], "boundary_contacts")];
      }));
  const auto touch_class = TouchTable::classes_of(run.bodies);
  expect_load_histories(
      run.contacts.stacks, run.contacts.near.rows, run.laws.row_shape(), "boundary_segments", [&](std::size_t slot) {
        const index_t body = place_of(place_of_id, slot_id[slot], "boundary_contacts");
        const SceneBoundary& boundary = run.scene.boundaries[run.boundary.features()[slots[slot].feature].boundary];
        return run.laws.of(TouchTable::class_of(boundary), touch_class[body]).has_stack();
      });
  run.contacts.near.slot.assign(slots);
  run.contacts.boundary_wrench.assign(wrenches);
}

template void save_boundary_contacts(RunState<float>&, StateWriter&);
template void save_boundary_contacts(RunState<double>&, StateWriter&);
template void restore_boundary_contacts(RunState<float>&, StateReader&, const std::vector<index_t>&);
template void restore_boundary_contacts(RunState<double>&, StateReader&, const std::vector<index_t>&);

}  // namespace scree::inline SCREE_BACKEND
