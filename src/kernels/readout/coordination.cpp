#include "kernels/readout/coordination.hpp"

#include "kernels/backend/collect.hpp"
#include "kernels/readout/readout.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* coordination_label = "coordination";

/// The bodies of a pair, and whether they have a contact.
struct PackedEnds {
  index_t first, second;
  std::uint32_t acts;
};
template <class R>
struct EndsOfPair {
  ActingPairs<R> acts;
  SCREE_HD PackedEnds operator()(std::size_t slot) const {
    const auto [i, j] = acts.pairs[slot];
    return {i, j, acts(slot) ? 1U : 0U};
  }
};

/// The number of contacts with boundaries in a row.
template <class R>
struct CountOfRow {
  BoundarySlots<R> slots;
  SCREE_HD std::uint32_t operator()(std::size_t row) const { return slots.count(row); }
};

}  // namespace

template <class R>
CoordinationOfBody<R> coordination_of_body(RunState<R>& run, const ActingPairs<R>& acts) {
  Pairs<R>& pairs = run.contacts.pairs;
  return {pairs.incident_start.view(), pairs.incident.view(), acts, run.contacts.near.row_of_body.view(),
          boundary_slots(run)};
}

template <class R>
std::vector<std::uint32_t> contacts_of_start(RunState<R>& run) {
  std::vector<std::uint32_t> count(run.count.bodies);
  std::vector<PackedEnds> ends(run.contacts.pairs.size());
  PackedEnds* const to = ends.data();
  collect(run.exec, coordination_label, ends.size(), EndsOfPair<R>{acting_pairs(run)},
          [to](std::size_t slot, const PackedEnds& pair) { to[slot] = pair; });
  for (const PackedEnds& pair : ends) { count[pair.first] += pair.acts, count[pair.second] += pair.acts; }
  if (!run.boundary.any()) { return count; }
  const std::vector<index_t> body_of_row = run.contacts.near.body_of_row.to_vector();
  std::vector<std::uint32_t> at_boundaries(body_of_row.size());
  std::uint32_t* const of_row = at_boundaries.data();
  collect(run.exec, coordination_label, at_boundaries.size(), CountOfRow<R>{boundary_slots(run)},
          [of_row](std::size_t row, std::uint32_t n) { of_row[row] = n; });
  for (std::size_t row = 0; row < body_of_row.size(); ++row) { count[body_of_row[row]] += at_boundaries[row]; }
  return count;
}

template <class R>
std::vector<std::uint32_t> saved_contacts_of_bodies(RunState<R>& run) {
  if (run.lists.rebuilds == 0) { return std::vector<std::uint32_t>(run.count.bodies); }
  std::vector<std::uint32_t> count(run.count.bodies);
  std::uint32_t* const to = count.data();
  ActingPairs<R> all = acting_pairs(run);
  all.bonds = false;
  CoordinationOfBody<R> contacts = coordination_of_body(run, all);
  contacts.at_boundaries.nodes = {};  // each slot is saved
  collect(run.exec, coordination_label, count.size(), contacts, [to](std::size_t i, std::uint32_t n) { to[i] = n; });
  return count;
}

template CoordinationOfBody<float> coordination_of_body(RunState<float>&, const ActingPairs<float>&);
template CoordinationOfBody<double> coordination_of_body(RunState<double>&, const ActingPairs<double>&);
template std::vector<std::uint32_t> contacts_of_start(RunState<float>&);
template std::vector<std::uint32_t> contacts_of_start(RunState<double>&);
template std::vector<std::uint32_t> saved_contacts_of_bodies(RunState<float>&);
template std::vector<std::uint32_t> saved_contacts_of_bodies(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
