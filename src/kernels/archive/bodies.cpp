#include <algorithm>

#include "kernels/archive/groups_of_arrays.hpp"
#include "kernels/bodies/checks.hpp"
#include "kernels/readout/readout.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::vector<index_t> save_bodies(RunState<R>& run, StateWriter& out) {
  const auto id = run.bodies.id.to_vector();
  std::vector<std::uint32_t> touches;
  if (run.lists.rebuilds > 0) { touches = saved_contacts_of_bodies(run); }
  std::vector<index_t> order;
  {
    const auto position = run.bodies.position().to_vector(run.count.bodies);
    for (index_t i = 0; i < run.count.bodies; ++i) {
      if (!is_parked(position[i]) || (!touches.empty() && touches[i] > 0)) { order.push_back(i); }
    }
  }
  std::sort(order.begin(), order.end(), [&](index_t a, index_t b) { return id[a] < id[b]; });
  run.bodies.each_field([&](const FieldNote& note, const auto& field) {
    if (!note.saved) { return; }
    const auto values = field.to_vector();
    out.rows(
        std::string("bodies/") + note.name, note.unit,
        order.size(), [&](std::size_t i) -> const auto& { return values[order[i]]; });
  });
  std::vector<index_t> ids(order.size());
  for (std::size_t i = 0; i < ids.size(); ++i) { ids[i] = id[order[i]]; }
  return ids;
}

template <class R>
void save_values_of_bodies(const RunState<R>& run, const std::vector<index_t>& ids, const char* name, const char* unit,
                           const Buffer<double>& values, StateWriter& out) {
  const std::vector<index_t> id = run.bodies.id.to_vector();
  std::vector<index_t> place(ids.empty() ? 0 : std::size_t(ids.back()) + 1, no_index);
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (id[i] < place.size()) { place[id[i]] = static_cast<index_t>(i); }
  }
  const std::vector<double> all = values.to_vector();
  out.rows(name, unit, ids.size(), [&](std::size_t i) -> const double& { return all[place[ids[i]]]; });
}

std::vector<double> values_of_bodies(StateReader& in, const std::vector<index_t>& ids,
                                     const std::vector<index_t>& place_of_id, const char* name) {
  std::vector<double> values(ids.size());
  in.rows(name, "", ids.size(), [&](std::size_t i) -> double& { return values[place_of_id[ids[i]]]; });
  return values;
}

namespace {

/// The position in memory of each body of the state. Large bodies come last.
template <class R>
std::vector<index_t> places(RunState<R>& run, StateReader& in) {
  std::vector<R> radius(run.count.bodies);
  in.rows("bodies/radius", "", run.count.bodies, [&](std::size_t i) -> R& { return radius[i]; });
  std::vector<index_t> place(run.count.bodies);
  const auto large = [&](std::size_t i) { return radius[i] > static_cast<R>(run.expected.large_radius); };
  run.count.first_large = 0;
  for (std::size_t i = 0; i < run.count.bodies; ++i) { run.count.first_large += large(i) ? 0 : 1; }
  std::size_t next = 0, next_large = run.count.first_large;
  for (std::size_t i = 0; i < run.count.bodies; ++i) {
    place[i] = static_cast<index_t>(large(i) ? next_large++ : next++);
  }
  return place;
}

template <class R>
void restore_fields(RunState<R>& run, StateReader& in, const std::vector<index_t>& place) {
  std::apply([&](auto&... buffer) { (buffer.discard_and_resize(run.count.bodies, "state"), ...); }, run.bodies.all());
  run.bodies.each_field([&](const FieldNote& note, auto&& field) {
    auto values = field.to_vector();
    using T = typename decltype(values)::value_type;
    std::fill(values.begin(), values.end(), T{});
    const std::string name = std::string("bodies/") + note.name;
    if (note.saved && (in.has(name) || !note.may_be_missing)) {
      in.rows(name, "", run.count.bodies, [&](std::size_t i) -> T& { return values[place[i]]; });
    }
    field.assign(values);
  });
}

}  // namespace

template <class R>
RestoredBodies restore_bodies(RunState<R>& run, StateReader& in) {
  run.count.bodies = in.count("bodies/id");
  const std::vector<index_t> place = places(run, in);
  restore_fields(run, in, place);
  expect_bodies(run.bodies, place, run.count.ids(), run.expected.known_material);
  const auto id = run.bodies.id.to_vector();
  RestoredBodies restored;
  for (const index_t i : place) { restored.ids.push_back(id[i]); }
  restored.place_of_id.resize(id.empty() ? 0 : std::size_t(restored.ids.back()) + 1, no_index);
  for (std::size_t i = 0; i < id.size(); ++i) { restored.place_of_id[id[i]] = static_cast<index_t>(i); }
  return restored;
}

template std::vector<index_t> save_bodies(RunState<float>&, StateWriter&);
template std::vector<index_t> save_bodies(RunState<double>&, StateWriter&);
template void save_values_of_bodies(const RunState<float>&, const std::vector<index_t>&, const char*, const char*,
                                    const Buffer<double>&, StateWriter&);
template void save_values_of_bodies(const RunState<double>&, const std::vector<index_t>&, const char*, const char*,
                                    const Buffer<double>&, StateWriter&);
template RestoredBodies restore_bodies(RunState<float>&, StateReader&);
template RestoredBodies restore_bodies(RunState<double>&, StateReader&);

}  // namespace scree::inline SCREE_BACKEND
