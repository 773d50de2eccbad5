#include <algorithm>
#include <numeric>

#include "kernels/state/state_hash.hpp"
#include "kernels/system.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

Real3 real3(const Vec3<float>& a) { return {double(a.x), double(a.y), double(a.z)}; }
Real3 real3(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

template <class R>
std::vector<Vec3d> converted(const std::vector<Vec3<R>>& vectors) {
  std::vector<Vec3d> result;
  for (const Vec3<R>& v : vectors) { result.push_back(convert<double>(v)); }
  return result;
}

void add_rest(const std::vector<VelocityRest<float>>& rest, std::vector<Vec3d>& velocity, std::vector<Vec3d>& spin) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    velocity[i] += convert<double>(rest[i].velocity);
    spin[i] += convert<double>(rest[i].angular_velocity);
  }
}

}  // namespace

template <class R>
Snapshot System<R>::snapshot(const SnapshotRequest& request) {
  SCREE_EXPECT(forces_known_ || !request.force, "contact forces are not known between a search and the next step");
  const auto position = bodies_.position.to_vector();
  auto velocity = converted(bodies_.velocity.to_vector()), spin = converted(bodies_.angular_velocity.to_vector());
  if constexpr (loses_increments<R>) { add_rest(bodies_.rest.to_vector(), velocity, spin); }
  const auto radius = bodies_.radius.to_vector();
  const auto id = bodies_.id.to_vector();
  const auto material = bodies_.material.to_vector();

  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < n_bodies_; ++i) {
    if (!is_parked(position[i])) { order.push_back(i); }
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });

  const bool have_lists = rebuilds_ > 0;
  std::vector<Vec3<R>> force;
  if (request.force) {
    Buffer<Vec3<R>> sums;
    sums.discard_and_resize(n_bodies_, "output");
    if (have_lists) {
      exec_.for_each("force output", n_bodies_, ContactForce<R>{wrench_gather(), bodies_.radius.view(), sums.view()});
    }
    force = sums.to_vector();
  }
  std::vector<std::uint32_t> coordination;
  if (request.coordination) { coordination = coordination_numbers(); }
  std::vector<std::uint32_t> made, broken;
  if (request.damage) {
    made = bonds_made_.to_vector();
    broken = bonds_broken_.to_vector();
  }

  Snapshot result;
  result.step = step_;
  result.time = time();
  if (has_clumps()) { result.clumps = clump_snapshot(); }
  result.last_step = clock_.at(step_).last;
  const CellFlow<R> flow = cell_flow();
  for (SnapshotClump& clump : result.clumps) {
    if (!cell_.any()) { break; }
    const Vec3d place{clump.position[0], clump.position[1], clump.position[2]},
        v{clump.velocity[0], clump.velocity[1], clump.velocity[2]};
    const Vec3d x = cell_.wrap().taken_back(place, cell_.wrap().image(place));
    const CellFlow<double> whole{flow.any, flow.origin, flow.back, flow.gradient, {}};
    clump.position = real3(x);
    if (flow.any) { clump.velocity = real3(v + whole.at(x, v, result.last_step)); }
  }
  const auto image = cell_image_.to_vector();
  for (const std::uint32_t i : order) {
    result.id.push_back(id[i]);
    Vec3d x = position[i];
    if (cell_.any()) {
      const Image away = cell_.wrap().image(x);
      x = cell_.wrap().taken_back(x, away);
      const Image all = image[id[i]] + away;
      result.image.push_back({all.a, all.b, all.c});
      result.fluctuation.push_back(real3(velocity[i]));
    }
    result.position.push_back(real3(x));
    if (flow.any) {
      result.velocity.push_back(real3(velocity[i] + flow.at(x, convert<R>(velocity[i]), result.last_step)));
      result.angular_velocity.push_back(real3(spin[i] + convert<double>(flow.spin)));
    } else {
      result.velocity.push_back(real3(velocity[i]));
      result.angular_velocity.push_back(real3(spin[i]));
    }
    result.radius.push_back(double(radius[i]));
    result.material.push_back(material[i]);
    if (request.force) { result.force.push_back(real3(force[i])); }
    if (request.coordination) { result.coordination.push_back(coordination[i]); }
    if (request.damage) {
      const bool bonded = id[i] < made.size() && made[id[i]] > 0;
      result.damage.push_back(bonded ? double(broken[id[i]]) / double(made[id[i]]) : 0);
    }
  }
  return result;
}

template <class R>
std::vector<std::uint32_t> System<R>::coordination_numbers() const {
  std::vector<std::uint32_t> count(n_bodies_);
  if (rebuilds_ == 0) { return count; }
  const auto pair = pairs_.bodies.to_vector();
  const auto touching = pairs_.touching.to_vector();
  for (std::size_t slot = 0; slot < pair.size(); ++slot) {
    count[pair[slot].first] += touching[slot];
    count[pair[slot].second] += touching[slot];
  }
  const auto body = near_boundary_.body_of_row.to_vector();
  const auto start = near_boundary_.row_start.to_vector();
  const auto slot = near_boundary_.slot.to_vector();
  for (std::size_t row = 0; row < body.size(); ++row) {
    for (offset_t k = start[row]; k < start[row + 1]; ++k) { count[body[row]] += slot[k].touching; }
  }
  return count;
}

template <class R>
StateHash System<R>::hash() {
  UnorderedHash sum;
  const auto position = bodies_.position.to_vector();
  const auto velocity = bodies_.velocity.to_vector();
  const auto spin = bodies_.angular_velocity.to_vector();
  const auto id = bodies_.id.to_vector();
  for (std::size_t i = 0; i < n_bodies_; ++i) {
    if (is_parked(position[i])) { continue; }
    sum.add({id[i], bits(position[i].x), bits(position[i].y), bits(position[i].z), bits(velocity[i].x),
             bits(velocity[i].y), bits(velocity[i].z), bits(spin[i].x), bits(spin[i].y), bits(spin[i].z)});
  }
  if constexpr (loses_increments<R>) {
    const auto rest = bodies_.rest.to_vector();
    for (std::size_t i = 0; i < n_bodies_; ++i) {
      if (is_parked(position[i])) { continue; }
      const Vec3<R>&v = rest[i].velocity, &w = rest[i].angular_velocity;
      sum.add({id[i], bits(v.x), bits(v.y), bits(v.z), bits(w.x), bits(w.y), bits(w.z)});
    }
  }
  if (rebuilds_ > 0) {
    const auto pair = pairs_.bodies.to_vector();
    const auto touching = pairs_.touching.to_vector();
    const auto shear = pairs_.shear.to_vector();
    const auto extra = pairs_.extra.to_vector();
    for (std::size_t slot = 0; slot < pair.size(); ++slot) {
      // A pair that lost a body to an outlet since its last evaluation would be forgotten at the next list: leave it
      // out.
      if (touching[slot] == 0 || is_parked(position[pair[slot].first]) || is_parked(position[pair[slot].second])) {
        continue;
      }
      const std::uint64_t first = id[pair[slot].first], second = id[pair[slot].second];
      sum.add({first, second, bits(shear[slot].x), bits(shear[slot].y), bits(shear[slot].z)});
      // Without what the energy ledger keeps: it changes no result.
      for (std::size_t c = 0; c < laws_.own_history_size; ++c) {
        sum.add({first, second, c, bits(extra[slot * laws_.history_size + c])});
      }
    }
    const auto body = near_boundary_.body_of_row.to_vector();
    const auto start = near_boundary_.row_start.to_vector();
    const auto slot = near_boundary_.slot.to_vector();
    const auto near_extra = near_boundary_.extra.to_vector();
    for (std::size_t row = 0; row < body.size(); ++row) {
      if (is_parked(position[body[row]])) { continue; }
      for (offset_t k = start[row]; k < start[row + 1]; ++k) {
        if (slot[k].touching == 0) { continue; }
        sum.add({id[body[row]], ~std::uint64_t(slot[k].feature), bits(slot[k].shear.x), bits(slot[k].shear.y),
                 bits(slot[k].shear.z), bits(slot[k].normal.x), bits(slot[k].normal.y), bits(slot[k].normal.z)});
        for (std::size_t c = 0; c < laws_.own_history_size; ++c) {
          sum.add({id[body[row]], ~std::uint64_t(slot[k].feature), c, bits(near_extra[k * laws_.history_size + c])});
        }
      }
    }
  }
  hash_stacks(sum);
  if (has_clumps()) { hash_clumps(sum); }
  if (cell_.any()) {
    const CellGeometry& g = cell_.geometry();
    for (const Mat3d* m : {&g.edges, &g.deformation, &g.gradient}) {
      for (const Vec3d* row : {&m->x, &m->y, &m->z}) { sum.add({bits(row->x), bits(row->y), bits(row->z)}); }
    }
    const auto image = cell_image_.to_vector();
    for (std::size_t i = 0; i < n_bodies_; ++i) {
      const Image& k = image[id[i]];
      if (!is_parked(position[i])) {
        sum.add({id[i], std::uint64_t(std::uint32_t(k.a)), std::uint64_t(std::uint32_t(k.b)),
                 std::uint64_t(std::uint32_t(k.c))});
      }
    }
  }
  for (const OutletCount& count : outlet_counts_.to_vector()) { sum.add({count.bodies, count.mass_quanta}); }
  for (std::size_t b = 0; b < scene_.boundaries.size(); ++b) {
    const DrivenState& s = boundary_.driven_states()[b];
    if (!boundary_.driven(b)) { continue; }
    sum.add({~std::uint64_t(b), bits(s.shift.x), bits(s.shift.y), bits(s.shift.z), bits(s.velocity.x),
             bits(s.velocity.y), bits(s.velocity.z), bits(s.angle), bits(s.rate)});
  }
  const auto made = bonds_made_.to_vector();
  const auto broken = bonds_broken_.to_vector();
  for (std::size_t i = 0; i < made.size(); ++i) { sum.add({i, made[i], broken[i]}); }
  sum.add({step_});
  if (scene_.adaptive) { sum.add({bits(clock_.state().time), bits(clock_.state().last), bits(clock_.state().next)}); }
  return {sum.words};
}

template <class R>
void System<R>::hash_clumps(UnorderedHash& sum) {
  for (const SnapshotClump& c : clump_snapshot()) {
    constexpr std::uint64_t mark = std::uint64_t(1) << 62;  // apart from particles and boundaries
    const auto add = [&](std::uint64_t part, const Real3& a) {
      sum.add({mark + c.id, part, bits(a[0]), bits(a[1]), bits(a[2])});
    };
    add(0, c.position), add(1, c.velocity), add(2, c.angular_velocity);
    const auto& q = c.orientation;
    sum.add({mark + c.id, 3, bits(q[0]), bits(q[1]), bits(q[2]), bits(q[3])});
  }
  if (scene_.rotation != RotationScheme::fincham) { return; }
  const auto momentum = clumps_.angular_momentum.to_vector();
  const auto id = clumps_.id.to_vector();
  const auto mass = clumps_.mass.to_vector();
  for (std::size_t c = 0; c < id.size(); ++c) {
    if (mass[c] != 0) {
      sum.add({(std::uint64_t(1) << 62) + id[c], 4, bits(momentum[c].x), bits(momentum[c].y), bits(momentum[c].z)});
    }
  }
}

template <class R>
EngineCounts System<R>::counts() {
  EngineCounts result;
  std::uint64_t removed = 0;
  for (const OutletCount& count : outlet_counts_.to_vector()) {
    removed += count.bodies;
    result.removed.push_back(count.bodies);
    result.removed_mass.push_back(double(count.mass_quanta) / quanta_per_mass_);
  }
  result.inserted = n_inserted_ - inserted_beyond_;
  result.particles = n_start_ + n_inserted_ - members_beyond_ - removed;
  result.clumps = clumps_.mass.size();
  for (const double mass : clumps_.mass.to_vector()) { result.clumps -= mass == 0 ? 1 : 0; }
  result.candidates = n_pairs_;
  result.contacts = n_pairs_ > 0 ? primitives_.sum(pairs_.touching.view(), n_pairs_) : 0;
  if (boundary_.any()) {
    for (const BoundarySlot<R>& slot : near_boundary_.slot.to_vector()) { result.wall_contacts += slot.touching; }
  }
  result.rebuilds = rebuilds_;
  if (laws_.bonding != 0) { count_bonds(result); }
  count_segments(result);
  return result;
}

template <class R>
void System<R>::count_bonds(EngineCounts& counts) {
  std::uint64_t ends = 0;
  for (const std::uint32_t broken : bonds_broken_.to_vector()) { ends += broken; }
  counts.broken_bonds = ends / 2;
  if (rebuilds_ == 0 || n_pairs_ == 0) { return; }
  Buffer<std::uint8_t> whole;
  whole.discard_and_resize(n_pairs_, "output");
  exec_.for_each("count bonds", n_pairs_, WholeBond<R>{pair_views(), laws_.bonding, whole.view()});
  counts.bonds = primitives_.sum(whole.view(), n_pairs_);
}

template <class R>
std::vector<BoundaryLoad> System<R>::boundary_loads() {
  SCREE_EXPECT(forces_known_, "contact forces are not known between a search and the next step");
  std::vector<BoundaryLoad> loads(scene_.boundaries.size());
  for (std::size_t b = 0; b < loads.size(); ++b) {
    const DrivenState& s = boundary_.driven_states()[b];
    loads[b].work = s.work;
    if (boundary_.driven(b)) {
      loads[b].shift = real3(s.shift), loads[b].velocity = real3(s.velocity);
      loads[b].angle = s.angle, loads[b].rate = s.rate;
    }
  }
  if (loads.empty() || rebuilds_ == 0) { return loads; }
  const auto body = near_boundary_.body_of_row.to_vector();
  const auto start = near_boundary_.row_start.to_vector();
  const auto slot = near_boundary_.slot.to_vector();
  const auto couple = near_boundary_.couple.to_vector();
  const auto id = bodies_.id.to_vector();
  // By ascending id and feature: the sums then do not depend on the order in memory.
  std::vector<std::size_t> rows(body.size());
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return id[body[a]] < id[body[b]]; });
  for (const std::size_t row : rows) {
    for (offset_t k = start[row]; k < start[row + 1]; ++k) {
      if (slot[k].touching == 0) { continue; }
      BoundaryLoad& load = loads[boundary_.features()[slot[k].feature].boundary];
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
std::vector<Real3> System<R>::boundary_vertices(std::size_t index) {
  SCREE_EXPECT(index < scene_.boundaries.size(), "no such boundary");
  boundary_.place(exec_, time());
  std::vector<Real3> result;
  for (const Vec3d& v : boundary_.vertices(index, time())) { result.push_back(real3(v)); }
  return result;
}

template <class R>
std::uint64_t System<R>::clump_bytes() const {
  std::uint64_t bytes =
      shape_start_.bytes() + shape_place_.bytes() + body_of_id_.bytes() + clump_of_.bytes() + member_wrench_.bytes();
  std::apply([&](const auto&... field) { ((bytes += field.bytes()), ...); }, const_cast<Clumps&>(clumps_).all());
  return bytes;
}

template <class R>
std::vector<MemoryItem> System<R>::memory() const {
  std::uint64_t bodies = 0;
  std::apply([&](const auto&... field) { ((bodies += field.bytes()), ...); }, const_cast<Bodies<R>&>(bodies_).all());
  bodies += group_rules_.bytes() + group_of_id_.bytes();
  const auto& near = near_boundary_;
  const auto& before = near_boundary_before_;
  std::vector<MemoryItem> items{
      {"bodies", bodies},
      {"neighbour list", pairs_.bodies.bytes() + pairs_.touching.bytes() + pairs_.incident_start.bytes() +
                             pairs_.incident.bytes() + pairs_.lowest_slot.bytes() + pairs_.chunk_start.bytes()},
      {"contact history", pairs_.shear.bytes() + pairs_.extra.bytes() + carried_extra_.bytes() + bonds_made_.bytes() +
                              bonds_broken_.bytes()},
      {"load histories", stacks_.bytes() + pairs_.stack.bytes() + carried_stack_.bytes()},
      {"contact forces", pairs_.force.bytes() + pairs_.couple.bytes() + large_part_.bytes()},
      {"boundary contacts", near.row_of_body.bytes() + near.body_of_row.bytes() + near.row_start.bytes() +
                                near.slot.bytes() + near.extra.bytes() + before.extra.bytes() + near.couple.bytes() +
                                before.couple.bytes() + near.stack.bytes() + before.stack.bytes() +
                                before.row_of_body.bytes() + before.body_of_row.bytes() + before.row_start.bytes() +
                                before.slot.bytes() + boundary_wrench_.bytes() + load_sums_.bytes() +
                                moving_loads_.bytes()},
      {"energy ledger", ledger_.velocity_before.bytes() + ledger_.spin_before.bytes() +
                            ledger_.inverse_mass_before.bytes() + ledger_.kinetic.bytes() + ledger_.lanes.bytes()},
      {"clumps", clump_bytes()},
      {"time step", pair_stiffness_.bytes() + slot_stiffness_.bytes() + first_limit_.bytes() + body_limit_.bytes() +
                        square_speed_.bytes() + body_overlap_.bytes() + limiting_component_.bytes()},
      {"periodic cell", pairs_.image.bytes() + cell_image_.bytes() + cell_shift_.bytes() + search_place_.bytes() +
                            search_image_.bytes() + cell_lanes_.bytes()},
      {"boundaries", boundary_.bytes()},
      {"neighbour search", keys_.bytes() + order_.bytes() + column_start_.bytes() + offsets_.bytes() +
                               carried_start_.bytes() + incoming_.bytes() + sweep_records_.bytes() + scratch_.bytes() +
                               row_keys_.bytes() + row_entries_.bytes() + lane_sums_.bytes() + lane_sizes_.bytes() +
                               position_sample_.bytes() + primitives_.bytes()}};
  if (exec_.thread_bytes() > 0) { items.push_back({"threads of kernels", exec_.thread_bytes()}); }
  return items;
}

template Snapshot System<float>::snapshot(const SnapshotRequest&);
template Snapshot System<double>::snapshot(const SnapshotRequest&);
template std::vector<std::uint32_t> System<float>::coordination_numbers() const;
template std::vector<std::uint32_t> System<double>::coordination_numbers() const;
template StateHash System<float>::hash();
template StateHash System<double>::hash();
template EngineCounts System<float>::counts();
template EngineCounts System<double>::counts();
template std::vector<BoundaryLoad> System<float>::boundary_loads();
template std::vector<BoundaryLoad> System<double>::boundary_loads();
template std::vector<Real3> System<float>::boundary_vertices(std::size_t);
template std::vector<Real3> System<double>::boundary_vertices(std::size_t);
template std::vector<MemoryItem> System<float>::memory() const;
template std::vector<MemoryItem> System<double>::memory() const;

}  // namespace scree::inline SCREE_BACKEND
