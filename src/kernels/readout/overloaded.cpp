#include "kernels/readout/overloaded.hpp"

#include <algorithm>
#include <limits>

#include "kernels/backend/rearrange.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/readout/contact_load.hpp"
#include "kernels/readout/pair_places.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* overload_label = "overloaded spheres";

/// Lists the spheres that are overloaded, in any order; one thread per body. A load is the sum over the pairs of a body
/// in ascending order of the other id, and then over its contacts with boundaries, so it has the same bits anywhere.
/// `with_grains`: level-set grains are in the run.
template <class R, bool with_grains>
struct FindOverloaded {
  BodyView<R> bodies;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  PackPair<R, with_grains> pack;
  FindPlaceBefore<R> before;
  LocatePair locate;
  Span<index_t> row_of_body;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  Span<double> strength;
  Span<double> temperature;  ///< empty without heat
  Span<OverloadedBody> found;
  std::uint32_t* n_found;

  SCREE_HD void operator()(std::size_t i) const {
    const index_t id = bodies.id[i];
    if (id >= strength.size || !(strength[id] < infinite) || is_parked(bodies.position[i])) { return; }
    const PlaceBefore<R> own = before(i);
    const double radius = double(own.radius);
    if (!with_grains && ContactLoad::most_shear_stress(force_times_lever(i, own), radius) < strength[id]) { return; }
    const ContactLoad load = load_of(i, own);
    const double stress = load.shear_stress(radius);
    if (!(stress >= strength[id])) { return; }
    const std::uint32_t at = atomic_add(n_found, std::uint32_t(1));
    if (at >= found.size) { return; }
    Vec3d velocity = convert<double>(bodies.velocity[i]), spin = convert<double>(bodies.angular_velocity[i]);
    if constexpr (loses_increments<R>) {  // the part that rounding has left out so far
      velocity += convert<double>(bodies.rest[i].velocity);
      spin += convert<double>(bodies.rest[i].angular_velocity);
    }
    found[at] = {id, stress, load.depth, temperature.size > 0 ? temperature[i] : 0, bodies.position[i], velocity, spin};
  }

 private:
  static constexpr double infinite = 1.7976931348623157e308;  ///< [Pa] any strength from here on

  [[nodiscard]] SCREE_HD ContactLoad load_of(std::size_t i, const PlaceBefore<R>& own) const {
    ContactLoad load;
    const double radius = double(own.radius);
    for (offset_t k = incident_start[i]; k < incident_start[i + 1]; ++k) {
      const std::uint32_t slot = incident[k] >> 1;
      const bool is_second = (incident[k] & 1u) != 0;
      const auto [first, second] = pack.acts.pairs[slot];
      const index_t other = is_second ? first : second;
      if (!pack.acts(slot) || is_parked(bodies.position[other])) { continue; }
      const PlaceBefore<R> there = before(other);
      const LocatedPair c = locate(is_second ? there : own, is_second ? own : there, pack(slot));
      if (is_second) {
        load.add(c.force, c.point - (there.position + c.branch), radius);
      } else {
        load.add(-1.0 * c.force, c.point - own.position, radius);
      }
    }
    visit_slots(i, [&](const BoundarySlot<R>& slot) {
      load.add(convert<double>(slot.force), slot.point - own.position, radius);
    });
    return load;
  }

  /// [N m] The sum over all contacts of |force| times |lever|. It needs no other body, which is why it comes first.
  [[nodiscard]] SCREE_HD double force_times_lever(std::size_t i, const PlaceBefore<R>& own) const {
    double sum = 0;
    for (offset_t k = incident_start[i]; k < incident_start[i + 1]; ++k) {
      const PairForce<R> record = pack.force[incident[k] >> 1].read();
      sum += norm(convert<double>(record.force.vec3())) * (double(own.radius) - double(record.half_overlap()));
    }
    visit_slots(i, [&](const BoundarySlot<R>& slot) {
      sum += norm(convert<double>(slot.force)) * norm(slot.point - own.position);
    });
    return sum;
  }

  /// Calls visit(slot) for each contact of a sphere with a boundary.
  template <class Visit>
  SCREE_INLINE void visit_slots(std::size_t i, Visit&& visit) const {
    const index_t row = row_of_body[i];
    if (row == no_index) { return; }
    for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
      if (slots[k].touching != 0) { visit(slots[k]); }
    }
  }
};

template <class R, bool with_grains>
void find_overloaded(RunState<R>& run, SphereStrengths& strengths) {
  Pairs<R>& pairs = run.contacts.pairs;
  BoundaryList<R>& near = run.contacts.near;
  strengths.n_found.assign({0}, "output");
  run.exec.for_each(overload_label, run.count.bodies,
                    FindOverloaded<R, with_grains>{.bodies = view(run.bodies),
                                                   .incident_start = pairs.incident_start.view(),
                                                   .incident = pairs.incident.view(),
                                                   .pack = pack_pair<R, with_grains>(run),
                                                   .before = find_place_before(run),
                                                   .locate = locate_pair(run),
                                                   .row_of_body = near.row_of_body.view(),
                                                   .row_start = near.row_start.view(),
                                                   .slots = near.slot.view(),
                                                   .strength = strengths.of_id.view(),
                                                   .temperature = run.heat.temperature(),
                                                   .found = strengths.found.view(),
                                                   .n_found = strengths.n_found.data()});
}

}  // namespace

void SphereStrengths::set(std::size_t first, const std::vector<double>& strength) {
  SCREE_EXPECT(first <= of_id.size(), "the strengths of all spheres before are known");
  of_id.resize(first, "output");
  append(of_id, strength, "output");
}

template <class R>
std::vector<OverloadedSphere> overloaded_spheres(RunState<R>& run, SphereStrengths& strengths) {
  SCREE_EXPECT(run.forces_known, "contact forces are not known between a search and the next step");
  if (run.lists.rebuilds == 0 || strengths.of_id.size() == 0) { return {}; }
  constexpr std::size_t usual = 256;
  if (strengths.found.size() == 0) { strengths.found.discard_and_resize(usual, "output"); }
  const auto find = [&] {
    run.grains.any() ? find_overloaded<R, true>(run, strengths) : find_overloaded<R, false>(run, strengths);
  };
  find();
  std::size_t n = strengths.n_found.element(0);
  if (n == 0) { return {}; }
  if (n > strengths.found.size()) {
    strengths.found.discard_and_resize(n, "output");
    find();
  }
  std::vector<OverloadedBody> all = strengths.found.to_vector(n);
  std::sort(all.begin(), all.end(), [](const OverloadedBody& a, const OverloadedBody& b) { return a.id < b.id; });
  std::vector<OverloadedSphere> result;
  for (const OverloadedBody& body : all) {
    OverloadedSphere sphere{.id = body.id, .stress = body.stress, .depth = body.depth};
    sphere.position = real3(body.position);
    if (run.cell.any()) {
      const CellWrap wrap = run.cell.wrap();
      sphere.position = real3(wrap.taken_back(body.position, wrap.image(body.position)));
    }
    sphere.velocity = real3(body.velocity), sphere.angular_velocity = real3(body.spin);
    if (run.groups.of_id.size() > 0) { sphere.group = run.groups.of_id.element(body.id); }
    sphere.temperature = body.temperature;
    result.push_back(sphere);
  }
  return result;
}

template std::vector<OverloadedSphere> overloaded_spheres(RunState<float>&, SphereStrengths&);
template std::vector<OverloadedSphere> overloaded_spheres(RunState<double>&, SphereStrengths&);

}  // namespace scree::inline SCREE_BACKEND
