#include "kernels/readout/readout.hpp"

#include "kernels/backend/collect.hpp"
#include "kernels/backend/large_vector.hpp"
#include "kernels/readout/order.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* label = "touching contacts";

Real3 real3(const Vec3d& a) { return {a.x, a.y, a.z}; }

/// Touching pairs, each with its first body and by ascending id of the second.
template <class R>
struct TouchingPairs {
  RankOfBody rank;
  Span<BodyPair> pairs;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<std::uint8_t> touching;

  template <class Visit>
  SCREE_INLINE void visit(std::size_t i, Visit&& visit) const {
    for (offset_t k = incident_start[i]; k < incident_start[i + 1]; ++k) {
      const std::uint32_t slot = incident[k] >> 1;
      if ((incident[k] & 1u) != 0 || touching[slot] == 0) { continue; }
      if (!rank.is_removed(pairs[slot].second)) { visit(slot); }
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

/// What the host needs of a touching pair beside the places of its bodies.
template <class R>
struct PackedPair {
  index_t first, second;  ///< positions in memory
  Vec3<R> force;
  R half_overlap;
  std::uint32_t image;
};

/// Hands each touching pair on: put(place in the order of ids, pair); one thread per body.
template <class R, class Put>
struct PutPairs {
  TouchingPairs<R> contacts;
  Span<PairForce<R>> force;
  Span<std::uint8_t> image;  ///< empty: there is no cell
  Span<offset_t> start;
  Put put;
  SCREE_HD void operator()(std::size_t i) const {
    const std::size_t k = contacts.rank(i);
    if (k == RankOfBody::none) { return; }
    offset_t at = start[k];
    contacts.visit(i, [&](std::uint32_t slot) {
      const PairForce<R> record = force[slot].read();
      put(at++, PackedPair<R>{static_cast<index_t>(i), contacts.pairs[slot].second, record.force.vec3(),
                              record.half_overlap(), image.size > 0 ? image[slot] : 0u});
    });
  }
};

template <class T>
struct PutInto {
  Span<T> packed;
  SCREE_HD void operator()(std::size_t at, const T& value) const { packed[at] = value; }
};

/// Where a body was at the moment of the forces, one step ago.
template <class R>
struct PlaceBefore {
  Vec3d position;
  R radius;
  std::uint32_t id;
};

template <class R>
struct FindPlaceBefore {
  BodyView<R> bodies;
  CellFlow<R> flow;
  double time_step;
  SCREE_HD PlaceBefore<R> operator()(std::size_t i) const {
    const Vec3d x = bodies.position[i] - time_step * convert<double>(bodies.velocity[i]);
    return {flow.any ? flow.origin + flow.back * (x - flow.origin) : x, bodies.radius[i], bodies.id[i]};
  }
};

/// Slots of a body near boundaries that touch.
template <class R>
struct TouchingSlots {
  RankOfBody rank;
  Span<index_t> row_of_body;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slot;

  template <class Visit>
  SCREE_INLINE void visit(std::size_t i, Visit&& visit) const {
    const index_t row = row_of_body[i];
    if (row == no_index) { return; }
    for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
      if (slot[k].touching != 0) { visit(k); }
    }
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
struct PackAtBoundaries {
  TouchingSlots<R> contacts;
  Span<Feature> feature;
  Span<offset_t> start;
  Span<PackedAtBoundary<R>> packed;
  SCREE_HD void operator()(std::size_t i) const {
    const std::size_t k = contacts.rank(i);
    if (k == RankOfBody::none) { return; }
    offset_t at = start[k];
    contacts.visit(i, [&](offset_t place) {
      const BoundarySlot<R>& s = contacts.slot[place];
      packed[at++] = {feature[s.feature].boundary, contacts.rank.id[i], s.force, s.normal, s.point};
    });
  }
};

/// Makes a contact of a packed pair, on the host.
template <class R>
struct UnpackPair {
  const PlaceBefore<R>* place;  ///< [n_bodies] by position in memory
  Mat3d edges;                  ///< [m] of the cell at that moment
  bool in_cell;
  TouchingContact* to;
  void operator()(std::size_t at, const PackedPair<R>& pair) const {
    const PlaceBefore<R>&one = place[pair.first], &two = place[pair.second];
    const Image image = in_cell ? image_of(static_cast<std::uint8_t>(pair.image)) : Image{0, 0, 0};
    const Vec3d within = two.position - one.position;
    const Vec3d branch = image.any() ? within + shift_of(edges, image) : within;
    const Vec3d n = (1 / norm(branch)) * branch;
    const Vec3d point = one.position + (double(one.radius) - double(pair.half_overlap)) * n;
    to[at] = {one.id,   two.id,       false,         real3(convert<double>(pair.force)),
              real3(n), real3(point), real3(branch), {image.a, image.b, image.c}};
  }
};

/// The contacts between bodies, and behind them room for `n_more` others.
template <class R>
std::vector<TouchingContact> contacts_of_pairs(RunState<R>& run, OrderById<R>& order, Buffer<offset_t>& start,
                                               std::size_t n_more) {
  Pairs<R>& pairs = run.contacts.pairs;
  const std::size_t n_bodies = run.count.bodies;
  const TouchingPairs<R> touching{order.rank(), pairs.bodies.view(), pairs.incident_start.view(), pairs.incident.view(),
                                  pairs.touching.view()};
  run.exec.for_each(label, n_bodies, CountContacts<TouchingPairs<R>>{touching, start.view()});
  const std::size_t n = run.primitives.exclusive_scan_total(start, order.size());
  const CellFlow<R> flow = cell_flow(run);
  auto places = large_vector<PlaceBefore<R>>(n_bodies);
  PlaceBefore<R>* const place = places.data();
  const double dt = double(static_cast<R>(run.clock.at(run.step).last));
  collect(run.exec, label, n_bodies, FindPlaceBefore<R>{view(run.bodies), flow, dt},
          [place](std::size_t i, const PlaceBefore<R>& before) { place[i] = before; });
  auto result = large_vector<TouchingContact>(n + n_more);
  const Mat3d edges = flow.any ? flow.back * run.cell.geometry().edges : run.cell.geometry().edges;
  const UnpackPair<R> unpack{place, edges, pairs.image.size() > 0, result.data()};
#if SCREE_ON_CUDA
  using Put = PutInto<PackedPair<R>>;
  Buffer<PackedPair<R>> packed;
  packed.discard_and_resize(n, "output");
  const Put put{packed.view()};
#else
  using Put = UnpackPair<R>;
  const Put& put = unpack;
#endif
  run.exec.for_each(label, n_bodies,
                    PutPairs<R, Put>{touching, pairs.force.view(), pairs.image.view(), start.view(), put});
#if SCREE_ON_CUDA
  const std::vector<PackedPair<R>> all = packed.to_vector();
  for (std::size_t c = 0; c < n; ++c) { unpack(c, all[c]); }
#endif
  return result;
}

template <class R>
std::vector<PackedAtBoundary<R>> contacts_at_boundaries(RunState<R>& run, OrderById<R>& order,
                                                        Buffer<offset_t>& start) {
  if (!run.boundary.any()) { return {}; }
  BoundaryList<R>& near = run.contacts.near;
  const TouchingSlots<R> touching{order.rank(), near.row_of_body.view(), near.row_start.view(), near.slot.view()};
  run.exec.for_each(label, run.count.bodies, CountContacts<TouchingSlots<R>>{touching, start.view()});
  const std::size_t n = run.primitives.exclusive_scan_total(start, order.size());
  Buffer<PackedAtBoundary<R>> packed;
  packed.discard_and_resize(n, "output");
  run.exec.for_each(label, run.count.bodies,
                    PackAtBoundaries<R>{touching, run.boundary.view().feature, start.view(), packed.view()});
  return packed.to_vector();
}

}  // namespace

/// Ascending by the ids of the bodies; contacts with boundaries come last.
template <class R>
std::vector<TouchingContact> touching_contacts(RunState<R>& run) {
  SCREE_EXPECT(run.forces_known, "contact forces are not known between a search and the next step");
  if (run.lists.rebuilds == 0) { return {}; }
  OrderById<R> order(run);
  Buffer<offset_t> start;
  start.discard_and_resize(order.size() + 1, "output");
  const auto at_boundaries = contacts_at_boundaries(run, order, start);
  std::vector<TouchingContact> result = contacts_of_pairs(run, order, start, at_boundaries.size());
  TouchingContact* to = result.data() + (result.size() - at_boundaries.size());
  for (const PackedAtBoundary<R>& c : at_boundaries) {
    *to++ = {c.boundary,     c.id, true, real3(convert<double>(c.force)), real3(convert<double>(c.normal)),
             real3(c.point), {},   {}};
  }
  return result;
}

template std::vector<TouchingContact> touching_contacts(RunState<float>&);
template std::vector<TouchingContact> touching_contacts(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
