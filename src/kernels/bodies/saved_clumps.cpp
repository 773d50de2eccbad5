#include <algorithm>

#include "kernels/backend/lane_sums.hpp"
#include "kernels/bodies/checks.hpp"
#include "kernels/run_state.hpp"
#include "kernels/state/state_hash.hpp"

/// Clumps in checkpoints, in the hash and in the table of memory.
namespace scree::inline SCREE_BACKEND {

namespace {

template <class R, class Visit>
void visit_totals(RigidBodies<R>& clumps, Visit& visit) {
  visit("totals/clumps", "1", clumps.n_made);
  visit("totals/members_beyond_first", "1", clumps.members_beyond);
  visit("totals/members_inserted_beyond_first", "1", clumps.inserted_beyond);
}

/// Adds a clump to the hash; removed ones are left out.
struct HashClump {
  ClumpView clumps;
  bool momentum;  ///< whether the angular momentum is state

  SCREE_HD void operator()(std::size_t c, UnorderedHash& sum) const {
    if (clumps.mass[c] == 0) { return; }
    constexpr std::uint64_t mark = std::uint64_t(1) << 62;  // distinguishes clumps from particles and boundaries
    const std::uint64_t id = mark + clumps.id[c];
    const auto add = [&](std::uint64_t part, const Vec3d& a) { sum.add({id, part, bits(a.x), bits(a.y), bits(a.z)}); };
    add(0, clumps.position[c]), add(1, clumps.velocity[c]), add(2, clumps.angular_velocity[c]);
    const Quaterniond& q = clumps.orientation[c];
    sum.add({id, 3, bits(q.w), bits(q.x), bits(q.y), bits(q.z)});
    if (momentum) { add(4, clumps.angular_momentum[c]); }
  }
};

}  // namespace

template <class R>
std::vector<std::size_t> RigidBodies<R>::places_by_id() const {
  const auto mass = fields.mass.to_vector();
  const auto id = fields.id.to_vector();
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < mass.size(); ++c) {
    if (mass[c] != 0) { order.push_back(c); }
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
  return order;
}

template <class R>
void RigidBodies<R>::save(StateWriter& out) {
  if (!any()) { return; }
  visit_totals(*this, out);
  const std::vector<std::size_t> order = places_by_id();
  std::size_t k = 0;
  const auto each = [&](auto& field) {
    const FieldNote note = ClumpView::notes()[k++];
    const auto values = field.to_vector();
    out.rows(
        std::string("clumps/") + note.name, note.unit,
        order.size(), [&](std::size_t i) -> const auto& { return values[order[i]]; });
  };
  std::apply([&](auto&... field) { (each(field), ...); }, fields.all());
}

template <class R>
void RigidBodies<R>::restore(RunState<R>& run, StateReader& in) {
  if (!any()) { return; }
  visit_totals(*this, in);
  const std::uint64_t n_ids = run.count.ids();
  const auto expect_few = [&](const char* array, std::uint64_t number) {
    expect_state(number <= n_ids, [&] {
      return broken_rule(array, "at most " + std::to_string(n_ids) + ", the number of ids of particles", number);
    });
  };
  expect_few("totals/clumps", n_made);
  expect_few("totals/members_beyond_first", members_beyond);
  expect_few("totals/members_inserted_beyond_first", inserted_beyond);
  const std::size_t n = in.count("clumps/id");
  std::size_t k = 0;
  const auto each = [&](auto& field) {
    using T = std::remove_reference_t<decltype(*field.data())>;
    const FieldNote note = ClumpView::notes()[k++];
    std::vector<T> values(n);
    in.rows(std::string("clumps/") + note.name, "", n, [&](std::size_t i) -> T& { return values[i]; });
    field.assign(values);
  };
  std::apply([&](auto&... field) { (each(field), ...); }, fields.all());
  std::vector<std::uint32_t> size_of_shape;
  for (const ClumpShape& shape : run.scene.clump_shapes) {
    size_of_shape.push_back(static_cast<std::uint32_t>(shape.radius.size()));
  }
  expect_clumps(fields, run.bodies, size_of_shape, n_made);
  std::vector<index_t> place(n_ids);
  const auto id = run.bodies.id.to_vector();
  for (std::size_t i = 0; i < id.size(); ++i) { place[id[i]] = static_cast<index_t>(i); }
  body_of_id.assign(place, "clumps");
}

template <class R>
void RigidBodies<R>::hash(RunState<R>& run, UnorderedHash& sum) {
  if (!any()) { return; }
  sum.add(sum_of_items<UnorderedHash>(run.exec, "hash", size(),
                                      HashClump{view(fields), keeps_momentum(run.scene.integration.rotation)}));
}

template <class R>
std::uint64_t RigidBodies<R>::bytes() const {
  std::uint64_t sum =
      shape_start.bytes() + shape_place.bytes() + body_of_id.bytes() + clump_of.bytes() + member_wrench.bytes();
  std::apply([&](const auto&... field) { ((sum += field.bytes()), ...); }, const_cast<Clumps&>(fields).all());
  return sum;
}

template std::vector<std::size_t> RigidBodies<float>::places_by_id() const;
template std::vector<std::size_t> RigidBodies<double>::places_by_id() const;
template void RigidBodies<float>::save(StateWriter&);
template void RigidBodies<float>::restore(RunState<float>&, StateReader&);
template void RigidBodies<float>::hash(RunState<float>&, UnorderedHash&);
template std::uint64_t RigidBodies<float>::bytes() const;
template void RigidBodies<double>::save(StateWriter&);
template void RigidBodies<double>::restore(RunState<double>&, StateReader&);
template void RigidBodies<double>::hash(RunState<double>&, UnorderedHash&);
template std::uint64_t RigidBodies<double>::bytes() const;

}  // namespace scree::inline SCREE_BACKEND
