#include "kernels/readout/readout.hpp"

#include "kernels/backend/collect.hpp"
#include "kernels/readout/order.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* label = "touching contacts";

Real3 real3(const Vec3d& a) { return {a.x, a.y, a.z}; }

/// Counts the contacts of the bodies in their order by id: each pair with its first body, those with boundaries apart.
template <class R>
struct CountTouching {
  Span<index_t> order;
  PositionColumn position;
  bool some_are_parked;
  Span<BodyPair> pairs;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<std::uint8_t> touching;
  Span<offset_t> count;  ///< [n + 1]

  /// Calls visit(slot) for each touching pair whose first body is i, by ascending id of the second.
  template <class Visit>
  SCREE_INLINE void visit_pairs(index_t i, Visit&& visit) const {
    for (offset_t k = incident_start[i]; k < incident_start[i + 1]; ++k) {
      const std::uint32_t slot = incident[k] >> 1;
      if ((incident[k] & 1u) != 0 || touching[slot] == 0) { continue; }
      if (some_are_parked && is_parked(position[pairs[slot].second])) { continue; }
      visit(slot);
    }
  }
  SCREE_HD void operator()(std::size_t k) const {
    offset_t n = 0;
    visit_pairs(order[k], [&](std::uint32_t) { ++n; });
    count[k] = n;
  }
};

/// What the host needs of a touching pair beside the places of its bodies.
template <class R>
struct PackedPair {
  std::uint32_t first, second;  ///< places in the order by id
  Vec3<R> force;
  R half_overlap;
  std::uint32_t image;
};

/// Lists the slots of touching pairs by the ids of their bodies.
template <class R>
struct ListTouching {
  CountTouching<R> count;
  Span<offset_t> start;
  Span<std::uint32_t> slot_of;   ///< [n_contacts]
  Span<std::uint32_t> first_of;  ///< [n_contacts] place of the first body in the order
  SCREE_HD void operator()(std::size_t k) const {
    offset_t at = start[k];
    count.visit_pairs(count.order[k], [&](std::uint32_t slot) {
      slot_of[at] = slot;
      first_of[at++] = static_cast<std::uint32_t>(k);
    });
  }
};

template <class R>
struct PackPair {
  Span<std::uint32_t> slot_of, first_of;
  Span<BodyPair> pairs;
  Span<PairForce<R>> force;
  Span<std::uint8_t> image;  ///< empty: there is no cell
  Span<index_t> id;
  Span<offset_t> rank_of_id;  ///< empty: the id itself
  SCREE_HD PackedPair<R> operator()(std::size_t c) const {
    const std::uint32_t slot = slot_of[c];
    const PairForce<R> record = force[slot].read();
    const index_t second = id[pairs[slot].second];
    const std::uint32_t rank = rank_of_id.size > 0 ? static_cast<std::uint32_t>(rank_of_id[second]) : second;
    return {first_of[c], rank, record.force.vec3(), record.half_overlap(), image.size > 0 ? image[slot] : 0u};
  }
};

/// Where a body was at the moment of the forces, one step ago.
template <class R>
struct PlaceBefore {
  Vec3d position;
  R radius;
  std::uint32_t id;
};

template <class R>
struct PackPlaceBefore {
  Span<index_t> order;
  BodyView<R> bodies;
  CellFlow<R> flow;
  double time_step;
  SCREE_HD PlaceBefore<R> operator()(std::size_t k) const {
    const index_t i = order[k];
    const Vec3d x = bodies.position[i] - time_step * convert<double>(bodies.velocity[i]);
    return {flow.any ? flow.origin + flow.back * (x - flow.origin) : x, bodies.radius[i], bodies.id[i]};
  }
};

/// Counts the contacts with boundaries of the bodies in their order by id.
template <class R>
struct CountAtBoundaries {
  Span<index_t> order, row_of_body;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slot;
  Span<offset_t> count;  ///< [n + 1]

  template <class Visit>
  SCREE_INLINE void visit_slots(index_t i, Visit&& visit) const {
    const index_t row = row_of_body[i];
    if (row == no_index) { return; }
    for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
      if (slot[k].touching != 0) { visit(k); }
    }
  }
  SCREE_HD void operator()(std::size_t k) const {
    offset_t n = 0;
    visit_slots(order[k], [&](offset_t) { ++n; });
    count[k] = n;
  }
};

/// A contact with a boundary.
template <class R>
struct PackedAtBoundary {
  std::uint32_t boundary, id;
  Vec3<R> force, normal;
  Vec3d point;
};

template <class R>
struct ListAtBoundaries {
  CountAtBoundaries<R> count;
  Span<offset_t> start;
  Span<Feature> feature;
  Span<index_t> id;
  Span<PackedAtBoundary<R>> contact;
  SCREE_HD void operator()(std::size_t k) const {
    offset_t at = start[k];
    const index_t i = count.order[k];
    count.visit_slots(i, [&](offset_t place) {
      const BoundarySlot<R>& s = count.slot[place];
      contact[at++] = {feature[s.feature].boundary, id[i], s.force, s.normal, s.point};
    });
  }
};

template <class R>
void add_pairs(RunState<R>& run, OrderById<R>& order, Buffer<offset_t>& start, std::vector<TouchingContact>& result) {
  Pairs<R>& pairs = run.contacts.pairs;
  const CountTouching<R> count{.order = order.body(),
                               .position = run.bodies.position().view(),
                               .some_are_parked = order.some_are_parked(),
                               .pairs = pairs.bodies.view(),
                               .incident_start = pairs.incident_start.view(),
                               .incident = pairs.incident.view(),
                               .touching = pairs.touching.view(),
                               .count = start.view()};
  run.exec.for_each(label, order.size(), count);
  const std::size_t n = run.primitives.exclusive_scan(start, order.size());
  Buffer<std::uint32_t> slot_of, first_of;
  slot_of.discard_and_resize(n, "output"), first_of.discard_and_resize(n, "output");
  run.exec.for_each(label, order.size(), ListTouching<R>{count, start.view(), slot_of.view(), first_of.view()});

  const CellFlow<R> flow = cell_flow(run);
  std::vector<PlaceBefore<R>> places(order.size());
  PlaceBefore<R>* const place = places.data();
  const double dt = double(static_cast<R>(run.clock.at(run.step).last));
  collect(run.exec, label, order.size(), PackPlaceBefore<R>{order.body(), view(run.bodies), flow, dt},
          [place](std::size_t k, const PlaceBefore<R>& before) { place[k] = before; });
  const Mat3d edges = flow.any ? flow.back * run.cell.geometry().edges : run.cell.geometry().edges;
  result.resize(n);
  TouchingContact* const to = result.data();
  const PackPair<R> pack{slot_of.view(),     first_of.view(),      pairs.bodies.view(), pairs.force.view(),
                         pairs.image.view(), run.bodies.id.view(), order.rank_of_id()};
  const bool in_cell = pairs.image.size() > 0;
  collect(run.exec, label, n, pack, [to, place, edges, in_cell](std::size_t c, const PackedPair<R>& pair) {
    const PlaceBefore<R>&one = place[pair.first], &two = place[pair.second];
    const Image image = in_cell ? image_of(static_cast<std::uint8_t>(pair.image)) : Image{0, 0, 0};
    const Vec3d within = two.position - one.position;
    const Vec3d branch = image.any() ? within + shift_of(edges, image) : within;
    const Vec3d n_of = (1 / norm(branch)) * branch;
    const Vec3d point = one.position + (double(one.radius) - double(pair.half_overlap)) * n_of;
    to[c] = {one.id,      two.id,       false,         real3(convert<double>(pair.force)),
             real3(n_of), real3(point), real3(branch), {image.a, image.b, image.c}};
  });
}

template <class R>
void add_at_boundaries(RunState<R>& run, OrderById<R>& order, Buffer<offset_t>& start,
                       std::vector<TouchingContact>& result) {
  BoundaryList<R>& near = run.contacts.near;
  const CountAtBoundaries<R> count{order.body(), near.row_of_body.view(), near.row_start.view(), near.slot.view(),
                                   start.view()};
  run.exec.for_each(label, order.size(), count);
  const std::size_t n = run.primitives.exclusive_scan(start, order.size());
  Buffer<PackedAtBoundary<R>> packed;
  packed.discard_and_resize(n, "output");
  run.exec.for_each(
      label, order.size(),
      ListAtBoundaries<R>{count, start.view(), run.boundary.view().feature, run.bodies.id.view(), packed.view()});
  result.reserve(result.size() + n);
  for (const PackedAtBoundary<R>& c : packed.to_vector()) {
    result.push_back({c.boundary,
                      c.id,
                      true,
                      real3(convert<double>(c.force)),
                      real3(convert<double>(c.normal)),
                      real3(c.point),
                      {},
                      {}});
  }
}

}  // namespace

/// Ascending by the ids of the bodies; contacts with boundaries come last.
template <class R>
std::vector<TouchingContact> touching_contacts(RunState<R>& run) {
  SCREE_EXPECT(run.forces_known, "contact forces are not known between a search and the next step");
  std::vector<TouchingContact> result;
  if (run.lists.rebuilds == 0) { return result; }
  OrderById<R> order(run);
  Buffer<offset_t> start;
  start.discard_and_resize(order.size() + 1, "output");
  add_pairs(run, order, start, result);
  if (run.boundary.any()) { add_at_boundaries(run, order, start, result); }
  return result;
}

template std::vector<TouchingContact> touching_contacts(RunState<float>&);
template std::vector<TouchingContact> touching_contacts(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
