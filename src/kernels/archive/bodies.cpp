#include <algorithm>

#include "kernels/archive/groups_of_arrays.hpp"
#include "kernels/bodies/checks.hpp"
#include "kernels/readout/readout.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
void save_bodies(RunState<R>& run, StateWriter& out) {
  const auto id = run.bodies.id.to_vector();
  std::vector<std::uint32_t> touches;
  if (run.lists.rebuilds > 0) { touches = coordination_numbers(run); }
  std::vector<index_t> order;
  {
    const auto position = run.bodies.position.to_vector(run.count.bodies);
    for (index_t i = 0; i < run.count.bodies; ++i) {
      if (!is_parked(position[i]) || (!touches.empty() && touches[i] > 0)) { order.push_back(i); }
    }
  }
  std::sort(order.begin(), order.end(), [&](index_t a, index_t b) { return id[a] < id[b]; });
  const auto notes = Bodies<R>::notes();
  std::size_t k = 0;
  const auto each = [&](auto& field) {
    const FieldNote note = notes[k++];
    if (!note.saved) { return; }
    const auto values = field.to_vector();
    out.rows(
        std::string("bodies/") + note.name, note.unit,
        order.size(), [&](std::size_t i) -> const auto& { return values[order[i]]; });
  };
  std::apply([&](auto&... field) { (each(field), ...); }, run.bodies.all());
  if (run.cell.any()) {
    const auto image = run.in_cell.image.to_vector();
    out.rows(
        "bodies/image", "1", order.size(), [&](std::size_t i) -> const auto& { return image[id[order[i]]]; });
  }
  if (run.groups.of_id.size() == 0) { return; }
  std::vector<std::uint32_t> group;
  for (const std::uint16_t g : run.groups.of_id.to_vector()) { group.push_back(g); }
  out.rows(
      "bodies/group", "1", order.size(), [&](std::size_t i) -> const auto& { return group[id[order[i]]]; });
}

namespace {

/// Where each body of the state stands in memory: large bodies come last.
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
  const auto notes = Bodies<R>::notes();
  std::size_t k = 0;
  const auto each = [&](auto& field) {
    using T = std::remove_reference_t<decltype(*field.data())>;
    const FieldNote note = notes[k++];
    std::vector<T> values(run.count.bodies);
    const std::string name = std::string("bodies/") + note.name;
    if (note.saved && (in.has(name) || !note.may_be_missing)) {
      in.rows(name, "", run.count.bodies, [&](std::size_t i) -> T& { return values[place[i]]; });
    }
    field.assign(values);
  };
  std::apply([&](auto&... field) { (each(field), ...); }, run.bodies.all());
}

/// The image of the cell that each body has gone to; `id` is that of each body.
template <class R>
void restore_images(RunState<R>& run, StateReader& in, const std::vector<index_t>& place,
                    const std::vector<index_t>& id) {
  std::vector<Image> read(run.count.bodies), image(run.count.start + run.count.inserted);
  in.rows(
      "bodies/image", "", run.count.bodies, [&](std::size_t i) -> auto& { return read[place[i]]; });
  constexpr std::int32_t far = 1 << 30;
  for (std::size_t i = 0; i < id.size(); ++i) {
    const Image& of = read[i];
    expect_state(std::max({of.a, of.b, of.c}) < far && std::min({of.a, of.b, of.c}) > -far,
                 "bodies/image tells of one that is too far away");
    image[id[i]] = of;
  }
  run.in_cell.image.assign(image, "periodic cell");
}

template <class R>
void restore_groups(RunState<R>& run, StateReader& in, const std::vector<index_t>& place,
                    const std::vector<index_t>& id) {
  std::vector<std::uint32_t> group(run.count.bodies);
  in.rows(
      "bodies/group", "", run.count.bodies, [&](std::size_t i) -> auto& { return group[place[i]]; });
  // Groups of bodies that no longer exist are never read.
  std::vector<std::uint16_t> of_id(run.count.start + run.count.inserted);
  for (std::size_t i = 0; i < id.size(); ++i) {
    expect_state(group[i] < run.scene.groups.size(), "bodies/group names a group that is not there");
    of_id[id[i]] = static_cast<std::uint16_t>(group[i]);
  }
  run.groups.of_id.assign(of_id);
}

}  // namespace

template <class R>
std::vector<index_t> restore_bodies(RunState<R>& run, StateReader& in) {
  run.count.bodies = in.count("bodies/id");
  const std::vector<index_t> place = places(run, in);
  restore_fields(run, in, place);
  expect_bodies(run.bodies, place, run.count.start + run.count.inserted, run.expected.known_material);
  const auto id = run.bodies.id.to_vector();
  std::vector<index_t> place_of_id;
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (id[i] >= place_of_id.size()) { place_of_id.resize(std::size_t(id[i]) + 1, no_index); }
    place_of_id[id[i]] = static_cast<index_t>(i);
  }
  if (run.cell.any()) { restore_images(run, in, place, id); }
  run.groups.of_id.assign({});
  if (run.scene.groups.size() > 1) { restore_groups(run, in, place, id); }
  return place_of_id;
}

template void save_bodies(RunState<float>&, StateWriter&);
template void save_bodies(RunState<double>&, StateWriter&);
template std::vector<index_t> restore_bodies(RunState<float>&, StateReader&);
template std::vector<index_t> restore_bodies(RunState<double>&, StateReader&);

}  // namespace scree::inline SCREE_BACKEND
