#include "kernels/readout/readout.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/contact/bonds.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

Real3 real3(const Vec3d& a) { return {a.x, a.y, a.z}; }

template <class R>
void count_bonds(RunState<R>& run, EngineCounts& counts) {
  std::uint64_t ends = 0;
  for (const std::uint32_t broken : run.contacts.bonds_broken.to_vector()) { ends += broken; }
  counts.broken_bonds = ends / 2;
  counts.bonds = run.bonds.whole(run);
  if (run.lists.rebuilds == 0 || run.contacts.pairs.size() == 0 || run.laws.bits.makes_bonds == 0) { return; }
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
    result.removed_mass.push_back(double(count.mass_quanta) / run.outlets.quanta_per_mass);
  }
  result.inserted = run.count.inserted - run.clumps.inserted_beyond;
  result.particles = run.count.start + run.count.inserted - run.clumps.members_beyond - removed;
  result.clumps = run.clumps.size();
  for (const double mass : run.clumps.fields.mass.to_vector()) { result.clumps -= mass == 0 ? 1 : 0; }
  result.candidates = run.contacts.pairs.size();
  result.contacts = run.contacts.pairs.size() > 0
                        ? run.primitives.sum(run.contacts.pairs.touching.view(), run.contacts.pairs.size())
                        : 0;
  if (run.boundary.any()) {
    for (const BoundarySlot<R>& slot : run.contacts.near.slot.to_vector()) { result.wall_contacts += slot.touching; }
  }
  result.rebuilds = run.lists.rebuilds;
  if (run.laws.make_bonds()) { count_bonds(run, result); }
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
    if (run.boundary.driven(b)) {
      loads[b].shift = real3(s.shift), loads[b].velocity = real3(s.velocity);
      loads[b].angle = s.angle, loads[b].rate = s.rate;
    }
  }
  if (loads.empty() || run.lists.rebuilds == 0) { return loads; }
  const auto body = run.contacts.near.body_of_row.to_vector();
  const auto start = run.contacts.near.row_start.to_vector();
  const auto slot = run.contacts.near.slot.to_vector();
  const auto couple = run.contacts.near.rows.couple.to_vector();
  const auto id = run.bodies.id.to_vector();
  // By ascending id and feature, so that the sums do not depend on the order in memory.
  std::vector<std::size_t> rows(body.size());
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return id[body[a]] < id[body[b]]; });
  for (const std::size_t row : rows) {
    for (offset_t k = start[row]; k < start[row + 1]; ++k) {
      if (slot[k].touching == 0) { continue; }
      BoundaryLoad& load = loads[run.boundary.features()[slot[k].feature].boundary];
      const Vec3d force = -convert<double>(slot[k].force);
      Vec3d torque = cross(slot[k].point, force);
      if (!couple.empty()) { torque = torque - convert<double>(couple[k]); }
      load.force = {load.force[0] + force.x, load.force[1] + force.y, load.force[2] + force.z};
      load.torque = {load.torque[0] + torque.x, load.torque[1] + torque.y, load.torque[2] + torque.z};
    }
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
