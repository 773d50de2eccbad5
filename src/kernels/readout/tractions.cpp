#include <algorithm>

#include "kernels/readout/readout.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::optional<ContactTractions> tractions_of(RunState<R>& run, std::uint32_t first, std::uint32_t second,
                                             bool with_boundary, std::size_t points) {
  SCREE_EXPECT(run.forces_known, "contact forces are not known between a search and the next step");
  if (!run.contacts.stacks.any() || run.lists.rebuilds == 0) { return std::nullopt; }
  const auto id = run.bodies.id.to_vector();
  const auto radius = run.bodies.radius().to_vector();
  const auto touch_class = TouchTable::classes_of(run.bodies);
  const typename StackStore<R>::Reader reader(run.contacts.stacks);
  const auto answer = [&](const std::vector<R>& extra, std::size_t place, const StackEnd<R>& end, std::size_t classes,
                          double effective_radius, const Vec3<R>& normal) {
    const auto begin = extra.begin() + static_cast<std::ptrdiff_t>(place * run.laws.history_size);
    const ContactRecord<R> record{
        {begin, begin + run.laws.history_size}, reader.segments(end), classes, effective_radius, normal};
    return run.laws.of(classes).tractions(record, points);
  };
  if (!with_boundary) {
    const auto pairs = run.contacts.pairs.bodies.to_vector();
    const auto touching = run.contacts.pairs.touching.to_vector();
    for (std::size_t slot = 0; slot < run.contacts.pairs.size(); ++slot) {
      const auto [i, j] = pairs[slot];
      if (touching[slot] == 0 ||
          std::pair(id[i], id[j]) != std::pair(std::min(first, second), std::max(first, second))) {
        continue;
      }
      Vec3<R> normal{};
      for (const TouchingContact& contact : touching_contacts(run)) {
        if (!contact.with_boundary && contact.first == id[i] && contact.second == id[j]) {
          normal = convert<R>(Vec3d{contact.normal[0], contact.normal[1], contact.normal[2]});
        }
      }
      const double r1 = double(radius[i]), r2 = double(radius[j]);
      return answer(run.contacts.pairs.rows.extra.to_vector(), slot, run.contacts.pairs.rows.stack.element(slot),
                    run.laws.table.pair(touch_class[i], touch_class[j]), r1 * r2 / (r1 + r2), normal);
    }
    return std::nullopt;
  }
  const auto body = run.contacts.near.body_of_row.to_vector();
  const auto start = run.contacts.near.row_start.to_vector();
  const auto slot = run.contacts.near.slot.to_vector();
  std::optional<std::size_t> chosen;
  index_t of_body = 0;
  for (std::size_t row = 0; row < body.size(); ++row) {
    if (id[body[row]] != second) { continue; }
    for (offset_t k = start[row]; k < start[row + 1]; ++k) {
      if (slot[k].touching == 0 || run.boundary.features()[slot[k].feature].boundary != first) { continue; }
      if (!chosen || dot(slot[k].force, slot[k].force) > dot(slot[*chosen].force, slot[*chosen].force)) { chosen = k; }
      of_body = body[row];
    }
  }
  if (!chosen) { return std::nullopt; }
  return answer(run.contacts.near.rows.extra.to_vector(), *chosen, run.contacts.near.rows.stack.element(*chosen),
                run.laws.table.pair(TouchTable::class_of(run.scene.boundaries[first]), touch_class[of_body]),
                double(radius[of_body]), slot[*chosen].normal);
}

template std::optional<ContactTractions> tractions_of(RunState<float>&, std::uint32_t, std::uint32_t, bool,
                                                      std::size_t);
template std::optional<ContactTractions> tractions_of(RunState<double>&, std::uint32_t, std::uint32_t, bool,
                                                      std::size_t);

}  // namespace scree::inline SCREE_BACKEND
