#include "kernels/readout/readout.hpp"

#include <algorithm>

#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

Real3 real3(const Vec3<float>& a) { return {double(a.x), double(a.y), double(a.z)}; }
Real3 real3(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

Matrix3 rows_of(const Mat3d& m) { return {{{m.x.x, m.x.y, m.x.z}, {m.y.x, m.y.y, m.y.z}, {m.z.x, m.z.y, m.z.z}}}; }

template <class R>
std::vector<Vec3d> converted(const std::vector<Vec3<R>>& vectors) {
  std::vector<Vec3d> result;
  result.reserve(vectors.size());
  for (const Vec3<R>& v : vectors) { result.push_back(convert<double>(v)); }
  return result;
}

void add_rest(const std::vector<VelocityRest<float>>& rest, std::vector<Vec3d>& velocity, std::vector<Vec3d>& spin) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    velocity[i] += convert<double>(rest[i].velocity);
    spin[i] += convert<double>(rest[i].angular_velocity);
  }
}

/// Indices of the bodies that have not been removed, by id.
std::vector<std::uint32_t> order_by_id(const std::vector<Vec3d>& position, const std::vector<index_t>& id) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < id.size(); ++i) {
    if (!is_parked(position[i])) { order.push_back(i); }
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
  return order;
}

/// Contact force [N] on each body, in the order of memory; none before the first search.
template <class R>
std::vector<Vec3<R>> contact_forces(RunState<R>& run) {
  if (run.lists.rebuilds == 0) { return std::vector<Vec3<R>>(run.count.bodies); }
  Buffer<Vec3<R>> sums;
  sums.discard_and_resize(run.count.bodies, "output");
  run.exec.for_each("force output", run.count.bodies,
                    ContactForce<R>{wrench_gather(run), run.bodies.radius().view(), sums.view()});
  return sums.to_vector();
}

/// Takes clumps back into the cell and adds the mean flow to their velocities.
template <class R>
void place_in_cell(const RunState<R>& run, const CellFlow<R>& flow, double last_step,
                   std::vector<SnapshotClump>& clumps) {
  const CellFlow<double> whole{flow.any, flow.origin, flow.back, flow.gradient, {}};
  const CellWrap wrap = run.cell.wrap();
  for (SnapshotClump& clump : clumps) {
    const Vec3d place{clump.position[0], clump.position[1], clump.position[2]},
        v{clump.velocity[0], clump.velocity[1], clump.velocity[2]};
    const Vec3d x = wrap.taken_back(place, wrap.image(place));
    clump.position = real3(x);
    if (flow.any) { clump.velocity = real3(v + whole.at(x, v, last_step)); }
  }
}

/// Columns that are copied without a look at the cell.
template <class R>
void add_properties(RunState<R>& run, const SnapshotRequest& request, const std::vector<std::uint32_t>& order,
                    const std::vector<index_t>& id, Snapshot& result) {
  const auto radius = run.bodies.radius().to_vector();
  const auto material = run.bodies.material.to_vector();
  for (const std::uint32_t i : order) {
    result.id.push_back(id[i]);
    result.radius.push_back(double(radius[i]));
    result.material.push_back(material[i]);
  }
  if (request.force) {
    const std::vector<Vec3<R>> force = contact_forces(run);
    for (const std::uint32_t i : order) { result.force.push_back(real3(force[i])); }
  }
  if (request.coordination) {
    const std::vector<std::uint32_t> coordination = coordination_numbers(run);
    for (const std::uint32_t i : order) { result.coordination.push_back(coordination[i]); }
  }
  if (request.damage) {
    const auto made = run.contacts.bonds_made.to_vector(), broken = run.contacts.bonds_broken.to_vector();
    for (const std::uint32_t i : order) {
      const bool bonded = id[i] < made.size() && made[id[i]] > 0;
      result.damage.push_back(bonded ? double(broken[id[i]]) / double(made[id[i]]) : 0);
    }
  }
}

}  // namespace

template <class R>
Snapshot snapshot_of(RunState<R>& run, const SnapshotRequest& request) {
  SCREE_EXPECT(run.forces_known || !request.force, "contact forces are not known between a search and the next step");
  const auto position = run.bodies.position().to_vector();
  auto velocity = converted(run.bodies.velocity().to_vector()),
       spin = converted(run.bodies.angular_velocity().to_vector());
  if constexpr (loses_increments<R>) { add_rest(run.bodies.rest.to_vector(), velocity, spin); }
  const auto id = run.bodies.id.to_vector();
  const std::vector<std::uint32_t> order = order_by_id(position, id);

  Snapshot result;
  result.step = run.step;
  result.time = run.time();
  result.last_step = run.clock.at(run.step).last;
  add_properties(run, request, order, id, result);
  const CellFlow<R> flow = cell_flow(run);
  if (run.clumps.any()) { result.clumps = run.clumps.snapshot(run); }
  if (run.cell.any()) { place_in_cell(run, flow, result.last_step, result.clumps); }
  const auto image = run.in_cell.image.to_vector();
  for (const std::uint32_t i : order) {
    Vec3d x = position[i];
    if (run.cell.any()) {
      const Image away = run.cell.wrap().image(x);
      x = run.cell.wrap().taken_back(x, away);
      const Image all = image[id[i]] + away;
      result.image.push_back({all.a, all.b, all.c});
      result.fluctuation.push_back(real3(velocity[i]));
    }
    result.position.push_back(real3(x));
    const Vec3d& v = velocity[i];
    const Vec3d mean = flow.any ? flow.at(x, convert<R>(v), result.last_step) : Vec3d{0, 0, 0};
    result.velocity.push_back(real3(flow.any ? v + mean : v));
    result.angular_velocity.push_back(real3(flow.any ? spin[i] + convert<double>(flow.spin) : spin[i]));
  }
  return result;
}

template <class R>
std::vector<std::uint32_t> coordination_numbers(const RunState<R>& run) {
  std::vector<std::uint32_t> count(run.count.bodies);
  if (run.lists.rebuilds == 0) { return count; }
  const auto pair = run.contacts.pairs.bodies.to_vector();
  const auto touching = run.contacts.pairs.touching.to_vector();
  for (std::size_t slot = 0; slot < pair.size(); ++slot) {
    count[pair[slot].first] += touching[slot];
    count[pair[slot].second] += touching[slot];
  }
  const auto body = run.contacts.near.body_of_row.to_vector();
  const auto start = run.contacts.near.row_start.to_vector();
  const auto slot = run.contacts.near.slot.to_vector();
  for (std::size_t row = 0; row < body.size(); ++row) {
    for (offset_t k = start[row]; k < start[row + 1]; ++k) { count[body[row]] += slot[k].touching; }
  }
  return count;
}

template <class R>
std::optional<CellState> cell_state(const RunState<R>& run) {
  if (!run.cell.any()) { return std::nullopt; }
  const CellGeometry& g = run.cell.geometry();
  CellState state;
  state.edges = rows_of(transpose(g.edges));
  state.origin = {run.cell.origin().x, run.cell.origin().y, run.cell.origin().z};
  for (int k = 0; k < 3; ++k) { state.periodic[static_cast<std::size_t>(k)] = run.cell.along(k); }
  state.deformation = rows_of(g.deformation);
  state.velocity_gradient = rows_of(g.gradient);
  state.strain = g.strain;
  state.volume = run.cell.volume();
  state.stage = static_cast<std::uint32_t>(run.cell.control().state().stage);
  return state;
}

template Snapshot snapshot_of(RunState<float>&, const SnapshotRequest&);
template Snapshot snapshot_of(RunState<double>&, const SnapshotRequest&);
template std::vector<std::uint32_t> coordination_numbers(const RunState<float>&);
template std::vector<std::uint32_t> coordination_numbers(const RunState<double>&);
template std::optional<CellState> cell_state(const RunState<float>&);
template std::optional<CellState> cell_state(const RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
