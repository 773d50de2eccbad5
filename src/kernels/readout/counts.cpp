#include "kernels/readout/readout.hpp"

#include "kernels/backend/lane_sums.hpp"
#include "kernels/boundaries/boundary_loads.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/readout/boundary_slots.hpp"
#include "kernels/run_state.hpp"
#include "kernels/step/pairs/bonds.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// The numbers that are counted in one pass over contacts and clumps.
struct ContactCounts {
  static constexpr std::size_t n_largest = 0;
  std::uint64_t pairs = 0, at_boundaries = 0, clumps = 0, broken_ends = 0;
};

template <class R>
struct CountPair {
  ActingPairs<R> acts;
  SCREE_HD void operator()(std::size_t slot, ContactCounts& sum) const { sum.pairs += acts(slot) ? 1 : 0; }
};
/// Counts contacts with boundaries; one item per row of a body.
template <class R>
struct CountAtBoundary {
  BoundarySlots<R> slots;
  SCREE_HD void operator()(std::size_t row, ContactCounts& sum) const { sum.at_boundaries += slots.count(row); }
};
struct CountClump {
  Span<double> mass;
  SCREE_HD void operator()(std::size_t c, ContactCounts& sum) const { sum.clumps += mass[c] != 0 ? 1 : 0; }
};
struct CountBrokenEnds {
  Span<std::uint32_t> broken;
  SCREE_HD void operator()(std::size_t id, ContactCounts& sum) const { sum.broken_ends += broken[id]; }
};

template <class R>
ContactCounts count_contacts(RunState<R>& run) {
  constexpr const char* label = "count contacts";
  ContactLists<R>& contacts = run.contacts;
  SumLanes<ContactCounts> sums;
  sums.clear(run.exec, contacts.pairs.size());
  sums.add(run.exec, label, contacts.pairs.size(), CountPair<R>{acting_pairs(run)});
  if (run.boundary.any()) {
    sums.add(run.exec, label, contacts.near.body_of_row.size(), CountAtBoundary<R>{boundary_slots(run)});
  }
  sums.add(run.exec, label, run.clumps.size(), CountClump{run.clumps.fields.mass.view()});
  sums.add(run.exec, label, contacts.bonds_broken.size(), CountBrokenEnds{contacts.bonds_broken.view()});
  return sums.total(run.exec, label);
}

/// Before the first search there are only the pairs that a start has brought.
template <class R>
void count_bonds(RunState<R>& run, EngineCounts& counts) {
  counts.bonds = run.bonds.whole(run);
  if (run.contacts.pairs.size() == 0 || run.laws.bits.makes_bonds == 0) { return; }
  Buffer<std::uint8_t> whole;
  whole.discard_and_resize(run.contacts.pairs.size(), "output");
  run.exec.for_each("count bonds", run.contacts.pairs.size(), WholeBond<R>{pair_views(run), whole.view()});
  counts.bonds += run.primitives.sum(whole.view(), run.contacts.pairs.size());
}

}  // namespace

template <class R>
EngineCounts counts_of(RunState<R>& run) {
  EngineCounts result;
  std::uint64_t removed = 0;
  for (const OutletCount& count : run.outlets.counts.to_vector()) {
    removed += count.bodies;
    result.removed.push_back(count.bodies);
    result.removed_mass.push_back(count.mass() / run.outlets.quanta_per_mass);
  }
  result.inserted = run.count.inserted - run.clumps.inserted_beyond;
  result.particles = run.count.start + run.count.inserted - run.clumps.members_beyond - removed;
  const ContactCounts found = count_contacts(run);
  result.clumps = found.clumps;
  result.candidates = run.contacts.pairs.size();
  result.contacts = found.pairs;
  result.boundary_contacts = found.at_boundaries;
  result.searches = run.lists.rebuilds;
  if (run.laws.make_bonds()) {
    result.broken_bonds = found.broken_ends / 2;
    count_bonds(run, result);
  }
  count_segments(run, result);
  return result;
}

template <class R>
std::vector<BoundaryLoad> boundary_loads(RunState<R>& run) {
  SCREE_EXPECT(run.forces_known, "contact forces are not known between a search and the next step");
  std::vector<BoundaryLoad> loads(run.scene.boundaries.size());
  for (std::size_t b = 0; b < loads.size(); ++b) {
    const DrivenState& s = run.boundary.driven_states()[b];
    loads[b].work = s.work;
    const Pose pose = run.boundary.pose_at(b, run.time());
    loads[b].rotation = {real3(pose.row_x), real3(pose.row_y), real3(pose.row_z)};
    loads[b].offset = real3(pose.shift);
    if (!run.boundary.driven(b)) { continue; }
    loads[b].shift = real3(s.shift), loads[b].angle = s.angle, loads[b].growth = s.radial.growth;
    // Before the release the state holds the velocities of the moment of release.
    if (!run.boundary.is_free(b, run.clock.at(run.step).before)) { continue; }
    loads[b].velocity = real3(s.velocity), loads[b].rate = s.rate, loads[b].spin = real3(s.body.spin);
    loads[b].growth_rate = s.radial.rate;
  }
  if (loads.empty() || run.lists.rebuilds == 0) { return loads; }
  BoundaryList<R>& near = run.contacts.near;
  const std::size_t n_loads = loads.size() * load_components;
  const bool grows = run.boundary.view().grows != 0;
  BoundaryLoadSum<R> item{near.slot.view(), near.rows.couple.view(), run.boundary.view().feature, {}};
  item.first_radial = n_loads;
  Buffer<Pose> poses;
  if (grows) {
    std::vector<Pose> now;
    for (std::size_t b = 0; b < loads.size(); ++b) { now.push_back(run.boundary.pose_at(b, run.time())); }
    poses.assign(now, "boundaries");
    item.boundaries = run.boundary.view();
    item.boundaries.pose = poses.view();
    item.boundaries.slides = 0;  // the power of surfaces is not needed
  }
  ExactSums sums;
  const std::vector<double> all = sums.of(run.exec, "boundary loads", near.slot.size(),
                                          n_loads + (grows ? loads.size() : 0), VisitSums<BoundaryLoadSum<R>>{item});
  for (std::size_t b = 0; b < loads.size(); ++b) {
    const double* sum = &all[b * load_components];
    loads[b].force = {sum[0], sum[1], sum[2]};
    loads[b].torque = {sum[3], sum[4], sum[5]};
    if (grows) { loads[b].radial_force = all[n_loads + b]; }
  }
  return loads;
}

template <class R>
std::vector<Real3> boundary_vertices(RunState<R>& run, std::size_t index) {
  SCREE_EXPECT(index < run.scene.boundaries.size(), "no such boundary");
  run.boundary.place(run.exec, run.time());
  std::vector<Real3> result;
  for (const Vec3d& v : run.boundary.vertices(index, run.time())) { result.push_back(real3(v)); }
  return result;
}

template EngineCounts counts_of(RunState<float>&);
template EngineCounts counts_of(RunState<double>&);
template std::vector<BoundaryLoad> boundary_loads(RunState<float>&);
template std::vector<BoundaryLoad> boundary_loads(RunState<double>&);
template std::vector<Real3> boundary_vertices(RunState<float>&, std::size_t);
template std::vector<Real3> boundary_vertices(RunState<double>&, std::size_t);

}  // namespace scree::inline SCREE_BACKEND
