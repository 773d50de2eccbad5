#include <algorithm>
#include <limits>

#include "kernels/backend/collect.hpp"
#include "kernels/backend/large_vector.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/readout/at_boundaries.hpp"
#include "kernels/readout/pair_places.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* contacts_label = "touching contacts";

/// Visits the touching pairs of which body i is the first one, in ascending order of the id of the second.
template <class R>
struct TouchingPairs {
  RankOfBody rank;
  ActingPairs<R> acts;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;

  template <class Visit>
  SCREE_INLINE void visit(std::size_t i, Visit&& visit) const {
    for (offset_t k = incident_start[i]; k < incident_start[i + 1]; ++k) {
      const std::uint32_t slot = incident[k] >> 1;
      if ((incident[k] & 1u) != 0 || !acts(slot)) { continue; }
      if (!rank.is_removed(acts.pairs[slot].second)) { visit(slot); }
    }
  }
};

/// Counts the contacts of each body at its place in the order by id; one thread per body.
template <class Contacts>
struct CountContacts {
  Contacts contacts;
  Span<offset_t> count;  ///< [n + 1]
  SCREE_HD void operator()(std::size_t i) const {
    const std::size_t k = contacts.rank(i);
    if (k == RankOfBody::none) { return; }
    offset_t n = 0;
    contacts.visit(i, [&](offset_t) { ++n; });
    count[k] = n;
  }
};

/// Passes each touching pair on by put(place in the order of ids, pair); one thread per body.
template <class R, bool detailed, class Put>
struct PutPairs {
  TouchingPairs<R> contacts;
  PackPair<R, detailed> pack;
  Span<offset_t> start;
  Put put;
  SCREE_HD void operator()(std::size_t i) const {
    const std::size_t k = contacts.rank(i);
    if (k == RankOfBody::none) { return; }
    offset_t at = start[k];
    contacts.visit(i, [&](std::uint32_t slot) { put(at++, pack(slot)); });
  }
};

template <class T>
struct PutInto {
  Span<T> packed;
  SCREE_HD void operator()(std::size_t at, const T& value) const { packed[at] = value; }
};

/// Converts a packed pair to a contact, on the host.
template <class R>
struct UnpackPair {
  const PlaceBefore<R>* place;  ///< [n_bodies] by position in memory
  LocatePair locate;
  TouchingContact* to;
  ContactDetail* details;  ///< null if no details are needed
  template <bool detailed>
  void operator()(std::size_t at, const PackedPair<R, detailed>& pair) const {
    const PlaceBefore<R>&one = place[pair.first], &two = place[pair.second];
    const LocatedPair c = locate(one, two, pair);
    to[at] = {one.id,          two.id,         false,           real3(c.force),
              real3(c.normal), real3(c.point), real3(c.branch), {c.image.a, c.image.b, c.image.c},
              real3(c.couple)};
    if constexpr (detailed) {
      if (details == nullptr) { return; }
      details[at] = {real3(one.position), 2 * double(pair.half_overlap), real3(convert<double>(pair.detail.shear)),
                     pair.detail.bonded,  double(pair.detail.strength),  real3(convert<double>(pair.detail.couple))};
    }
  }
};

/// Bit k is set if law k of the run has couples.
template <class R>
std::uint32_t laws_with_couples(const RunState<R>& run) {
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < run.laws.laws.size(); ++k) {
    if (run.laws.laws[k]->has_couples()) { bits |= 1u << k; }
  }
  return bits;
}

/// The contacts between bodies, with room for `n_more` others behind them. The same for details.
template <class R, bool detailed>
std::vector<TouchingContact> contacts_of_pairs(RunState<R>& run, OrderById<R>& order, Buffer<offset_t>& start,
                                               const PlaceBefore<R>* place, std::size_t n_more,
                                               std::vector<ContactDetail>* details) {
  Pairs<R>& pairs = run.contacts.pairs;
  const std::size_t n_bodies = run.count.bodies;
  const TouchingPairs<R> touching{order.rank(), acting_pairs(run), pairs.incident_start.view(), pairs.incident.view()};
  run.exec.for_each(contacts_label, n_bodies, CountContacts<TouchingPairs<R>>{touching, start.view()});
  const std::size_t n = run.primitives.exclusive_scan_total(start, order.size());
  auto result = large_vector<TouchingContact>(n + n_more);
  if (details != nullptr) { *details = large_vector<ContactDetail>(n + n_more); }
  const UnpackPair<R> unpack{place, locate_pair(run), result.data(), details != nullptr ? details->data() : nullptr};
#if SCREE_ON_CUDA
  using Put = PutInto<PackedPair<R, detailed>>;
  Buffer<PackedPair<R, detailed>> packed;
  packed.discard_and_resize(n, "output");
  const Put put{packed.view()};
#else
  using Put = UnpackPair<R>;
  const Put& put = unpack;
#endif
  run.exec.for_each(contacts_label, n_bodies,
                    PutPairs<R, detailed, Put>{touching, pack_pair<R, detailed>(run), start.view(), put});
#if SCREE_ON_CUDA
  const std::vector<PackedPair<R, detailed>> all = packed.to_vector();
  for (std::size_t c = 0; c < n; ++c) { unpack(c, all[c]); }
#endif
  return result;
}

/// Contacts of level-set grains have no overlap and no moment of their own, and their bonds are those of their nodes.
template <class R>
void add_grain_details(RunState<R>& run, const std::vector<TouchingContact>& contacts,
                       std::vector<ContactDetail>& details) {
  if (!run.grains.any()) { return; }
  std::vector<bool> is_grain(run.count.ids());
  const auto id = run.bodies.id.to_vector();
  const auto material = run.bodies.material.to_vector();
  for (std::size_t i = 0; i < id.size(); ++i) { is_grain[id[i]] = run.scene.is_of_grains(material[i]); }
  const auto bonded = run.bonds.bonded_pairs(run);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const TouchingContact& contact = contacts[c];
    if (is_grain[contact.second] || (!contact.with_boundary && is_grain[contact.first])) {
      details[c].overlap = std::numeric_limits<double>::quiet_NaN();
      details[c].moment = {};
    }
    if (contact.with_boundary) { continue; }
    const std::array<index_t, 2> pair{contact.first, contact.second};
    details[c].bonded = details[c].bonded || std::binary_search(bonded.begin(), bonded.end(), pair);
  }
}

template <class R>
std::vector<PackedAtBoundary<R>> contacts_at_boundaries(RunState<R>& run, OrderById<R>& order,
                                                        Buffer<offset_t>& start) {
  if (!run.boundary.any()) { return {}; }
  BoundaryList<R>& near = run.contacts.near;
  const TouchingSlots<R> touching{order.rank(), near.row_of_body.view(), boundary_slots(run)};
  run.exec.for_each(contacts_label, run.count.bodies, CountContacts<TouchingSlots<R>>{touching, start.view()});
  const std::size_t n = run.primitives.exclusive_scan_total(start, order.size());
  Buffer<PackedAtBoundary<R>> packed;
  packed.discard_and_resize(n, "output");
  run.exec.for_each(contacts_label, run.count.bodies,
                    PackAtBoundaries<R>{touching, boundary_contact_views(run), start.view(), packed.view()});
  return packed.to_vector();
}

}  // namespace

template <class R>
FindPlaceBefore<R> find_place_before(RunState<R>& run) {
  return {view(run.bodies), cell_flow(run), double(static_cast<R>(run.clock.at(run.step).last))};
}

template <class R, bool detailed>
PackPair<R, detailed> pack_pair(RunState<R>& run) {
  Pairs<R>& pairs = run.contacts.pairs;
  return {.acts = acting_pairs(run),
          .force = pairs.force.view(),
          .image = pairs.image.view(),
          .shear = pairs.shear.view(),
          .nodes = pairs.rows.nodes.view(),
          .couple = pairs.rows.couple.view(),
          .with_couples = laws_with_couples(run),
          .bond = {pair_views(run), {}}};
}

template <class R>
LocatePair locate_pair(RunState<R>& run) {
  const CellFlow<R> flow = cell_flow(run);
  const Mat3d& edges = run.cell.geometry().edges;
  return {flow.any ? flow.back * edges : edges, run.contacts.pairs.image.size() > 0};
}

template <class R>
std::vector<PlaceBefore<R>> places_before(RunState<R>& run) {
  auto places = large_vector<PlaceBefore<R>>(run.count.bodies);
  PlaceBefore<R>* const place = places.data();
  collect(run.exec, contacts_label, places.size(), find_place_before(run),
          [place](std::size_t i, const PlaceBefore<R>& before) { place[i] = before; });
  return places;
}

/// Ascending by the ids of the bodies; contacts with boundaries come last.
template <class R>
std::vector<TouchingContact> touching_contacts(RunState<R>& run, std::vector<ContactDetail>* details) {
  SCREE_EXPECT(run.forces_known, "contact forces are not known between a search and the next step");
  if (details != nullptr) { details->clear(); }
  if (run.lists.rebuilds == 0) { return {}; }
  OrderById<R> order(run);
  Buffer<offset_t> start;
  start.discard_and_resize(order.size() + 1, "output");
  const auto at_boundaries = contacts_at_boundaries(run, order, start);
  const std::vector<PlaceBefore<R>> places = places_before(run);
  const auto of_pairs = [&]<bool detailed>() {
    return contacts_of_pairs<R, detailed>(run, order, start, places.data(), at_boundaries.size(), details);
  };
  const bool detailed = details != nullptr || run.grains.any();
  std::vector<TouchingContact> result =
      detailed ? of_pairs.template operator()<true>() : of_pairs.template operator()<false>();
  std::size_t at = result.size() - at_boundaries.size();
  for (const PackedAtBoundary<R>& c : at_boundaries) {
    if (details != nullptr) {
      const PlaceBefore<R>& place = places[c.body];
      // The point lies in the middle of the overlap.
      (*details)[at] = {real3(place.position),
                        2 * (double(place.radius) - norm(place.position - c.point)),
                        real3(convert<double>(c.shear)),
                        false,
                        0,
                        {}};
    }
    Vec3d normal = convert<double>(c.normal);
    if (c.pressing >= 0) { normal = (1 / math::max(norm(normal), 1e-30)) * normal; }
    result[at++] = {c.boundary, c.id, true,           real3(convert<double>(c.force)), real3(normal), real3(c.point),
                    {},         {},   real3(c.couple)};
  }
  if (details != nullptr) { add_grain_details(run, result, *details); }
  return result;
}

template FindPlaceBefore<float> find_place_before(RunState<float>&);
template FindPlaceBefore<double> find_place_before(RunState<double>&);
template PackPair<float, false> pack_pair<float, false>(RunState<float>&);
template PackPair<float, true> pack_pair<float, true>(RunState<float>&);
template PackPair<double, false> pack_pair<double, false>(RunState<double>&);
template PackPair<double, true> pack_pair<double, true>(RunState<double>&);
template LocatePair locate_pair(RunState<float>&);
template LocatePair locate_pair(RunState<double>&);
template std::vector<PlaceBefore<float>> places_before(RunState<float>&);
template std::vector<PlaceBefore<double>> places_before(RunState<double>&);
template std::vector<TouchingContact> touching_contacts(RunState<float>&, std::vector<ContactDetail>*);
template std::vector<TouchingContact> touching_contacts(RunState<double>&, std::vector<ContactDetail>*);

}  // namespace scree::inline SCREE_BACKEND
