#include <algorithm>
#include <limits>
#include <type_traits>

#include "kernels/backend/collect.hpp"
#include "kernels/backend/large_vector.hpp"
#include "kernels/contact/bonds.hpp"
#include "kernels/contact/touching_nodes.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/readout/at_boundaries.hpp"
#include "kernels/readout/readout.hpp"
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

/// The data that details need of a touching pair, and those of a contact of nodes beside its record.
template <class R>
struct PackedDetail {
  Vec3<R> shear;
  bool bonded, by_nodes;
  Vec3d arm{0, 0, 0};                ///< [m] from the centre of the first body to the contact point of the nodes
  Vec3<R> couple{R(0), R(0), R(0)};  ///< [N m] as in ContactRows; 0 if the law has none
  R strength = R(0);                 ///< [-] of a whole bond of spheres
};
struct NoDetail {};

/// The data of a touching pair that the host needs beside the places of its bodies.
template <class R, bool detailed>
struct PackedPair {
  index_t first, second;  ///< positions in memory
  Vec3<R> force;
  R half_overlap;
  std::uint32_t image;
  std::conditional_t<detailed, PackedDetail<R>, NoDetail> detail;
};

/// Passes each touching pair on by put(place in the order of ids, pair); one thread per body.
template <class R, bool detailed, class Put>
struct PutPairs {
  TouchingPairs<R> contacts;
  Span<PairForce<R>> force;
  Span<std::uint8_t> image;  ///< empty: there is no cell
  Span<Vec3<R>> shear;
  Span<NodeList> nodes;  ///< empty: there are no level-set grains
  Span<Vec3<R>> couple;
  std::uint32_t with_couples;  ///< bit k is set if interaction k has couples
  WholeBond<R> bond;
  Span<offset_t> start;
  Put put;
  SCREE_HD void operator()(std::size_t i) const {
    const std::size_t k = contacts.rank(i);
    if (k == RankOfBody::none) { return; }
    offset_t at = start[k];
    contacts.visit(i, [&](std::uint32_t slot) {
      const PairForce<R> record = force[slot].read();
      PackedPair<R, detailed> pair{static_cast<index_t>(i), contacts.acts.pairs[slot].second,  record.force.vec3(),
                                   record.half_overlap(),   image.size > 0 ? image[slot] : 0u, {}};
      if constexpr (detailed) {
        pair.detail = {shear[slot], bond.is_whole(slot), nodes.size > 0 && nodes[slot].count > 0};
        if (pair.detail.by_nodes) {
          pair.detail.arm = mean_arm(slot);
          pair.detail.couple = couple[slot];
        } else {
          add_moments(slot, pair.detail);
        }
      }
      put(at++, pair);
    });
  }

 private:
  /// Adds the strength of the bond of a pair of spheres, and the moment of its resistance to rolling and twisting.
  SCREE_HD void add_moments(std::size_t slot, PackedDetail<R>& detail) const {
    const PairViews<R>& of = bond.of;
    const std::uint32_t law =
        of.classes.interaction_of(of.classes.pair_of(of.bodies, of.pairs[slot].first, of.pairs[slot].second));
    if ((with_couples >> law & 1u) != 0) { detail.couple = couple[slot]; }
    if (detail.bonded) { detail.strength = of.extra[slot * of.n_extra]; }
  }

  /// [m] The vector from the centre of the first body to the mean contact point of the nodes. Nodes are weighted by the
  /// force of their normal springs, or at bonds, which pull as well, by their stiffness. The bodies have moved on by a
  /// step since the forces, so the mean is off by a small part of their movement in this step.
  SCREE_HD Vec3d mean_arm(std::size_t slot) const {
    const PairViews<R>& of = bond.of;
    const BodyPair pair = of.pairs[slot];
    const Vec3d branch = of.cell.branch(slot, of.bodies.position[pair.first], of.bodies.position[pair.second]);
    Vec3d mean{0, 0, 0};
    const auto take = [&](double share, const Vec3d&, const Vec3d& arm) { mean += share * arm; };
    const TouchingNodes<R> touching{*of.nodes, of.bodies};
    if (BondCursor<R>(of.nodes->bonds, slot).node() != BondCursor<R>::none) {
      touching.each_of_pair(slot, pair, branch, take);
    } else {
      const bool is_hertzian = of.classes.is_hertzian(of.classes.pair_of(of.bodies, pair.first, pair.second));
      touching.each_of_pair(slot, pair, branch, take, ByPressure<R>{is_hertzian});
    }
    return mean;
  }
};

template <class T>
struct PutInto {
  Span<T> packed;
  SCREE_HD void operator()(std::size_t at, const T& value) const { packed[at] = value; }
};

template <class R>
struct FindPlaceBefore {
  BodyView<R> bodies;
  CellFlow<R> flow;
  double time_step;
  SCREE_HD PlaceBefore<R> operator()(std::size_t i) const {
    return {flow.place_before(bodies.position[i], convert<double>(bodies.velocity[i]), time_step), bodies.radius[i],
            bodies.id[i]};
  }
};

/// Converts a packed pair to a contact, on the host.
template <class R>
struct UnpackPair {
  const PlaceBefore<R>* place;  ///< [n_bodies] by position in memory
  Mat3d edges;                  ///< [m] of the cell at that moment
  bool in_cell;
  TouchingContact* to;
  ContactDetail* details;  ///< null if no details are needed
  template <bool detailed>
  void operator()(std::size_t at, const PackedPair<R, detailed>& pair) const {
    const PlaceBefore<R>&one = place[pair.first], &two = place[pair.second];
    const Image image = in_cell ? image_of(static_cast<std::uint8_t>(pair.image)) : Image{0, 0, 0};
    const Vec3d within = two.position - one.position;
    const Vec3d branch = image.any() ? within + shift_of(edges, image) : within;
    const Vec3d along = (1 / norm(branch)) * branch, force = convert<double>(pair.force);
    const Vec3d of_record = one.position + (double(one.radius) - double(pair.half_overlap)) * along;
    Vec3d n = along, point = of_record, couple{0, 0, 0};
    if constexpr (detailed) {
      if (pair.detail.by_nodes) {
        n = mean_normal(force - convert<double>(pair.detail.shear), along);
        // The force and the couple of a record are equal to the forces at the nodes, but its point only lies on the
        // line of centres: see NodesInField::store.
        point = one.position + pair.detail.arm;
        couple = convert<double>(pair.detail.couple) + cross(of_record - point, force);
      }
    }
    to[at] = {one.id,       two.id,       false,         real3(force),
              real3(n),     real3(point), real3(branch), {image.a, image.b, image.c},
              real3(couple)};
    if constexpr (detailed) {
      if (details == nullptr) { return; }
      details[at] = {real3(one.position), 2 * double(pair.half_overlap), real3(convert<double>(pair.detail.shear)),
                     pair.detail.bonded,  double(pair.detail.strength),  real3(convert<double>(pair.detail.couple))};
    }
  }

 private:
  /// The direction of the sum of the normal forces of all nodes, towards the second body. If these forces cancel, it is
  /// the direction of the branch.
  static Vec3d mean_normal(const Vec3d& force, const Vec3d& along) {
    const double size = norm(force);
    if (!(size > 0)) { return along; }
    return (dot(force, along) < 0 ? -1 / size : 1 / size) * force;
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
  const CellFlow<R> flow = cell_flow(run);
  auto result = large_vector<TouchingContact>(n + n_more);
  if (details != nullptr) { *details = large_vector<ContactDetail>(n + n_more); }
  const Mat3d edges = flow.any ? flow.back * run.cell.geometry().edges : run.cell.geometry().edges;
  const UnpackPair<R> unpack{place, edges, pairs.image.size() > 0, result.data(),
                             details != nullptr ? details->data() : nullptr};
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
                    PutPairs<R, detailed, Put>{touching,
                                               pairs.force.view(),
                                               pairs.image.view(),
                                               pairs.shear.view(),
                                               pairs.rows.nodes.view(),
                                               pairs.rows.couple.view(),
                                               laws_with_couples(run),
                                               {pair_views(run), {}},
                                               start.view(),
                                               put});
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
std::vector<PlaceBefore<R>> places_before(RunState<R>& run) {
  auto places = large_vector<PlaceBefore<R>>(run.count.bodies);
  PlaceBefore<R>* const place = places.data();
  const double dt = double(static_cast<R>(run.clock.at(run.step).last));
  collect(run.exec, contacts_label, places.size(), FindPlaceBefore<R>{view(run.bodies), cell_flow(run), dt},
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

template std::vector<PlaceBefore<float>> places_before(RunState<float>&);
template std::vector<PlaceBefore<double>> places_before(RunState<double>&);
template std::vector<TouchingContact> touching_contacts(RunState<float>&, std::vector<ContactDetail>*);
template std::vector<TouchingContact> touching_contacts(RunState<double>&, std::vector<ContactDetail>*);

}  // namespace scree::inline SCREE_BACKEND
