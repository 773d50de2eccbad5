#include "kernels/readout/readout.hpp"

#include <algorithm>

#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

Real3 real3(const Vec3d& a) { return {a.x, a.y, a.z}; }

}  // namespace

/// Ascending by the ids of the bodies; contacts with boundaries come last.
template <class R>
std::vector<TouchingContact> touching_contacts(RunState<R>& run) {
  SCREE_EXPECT(run.forces_known, "contact forces are not known between a search and the next step");
  std::vector<TouchingContact> result;
  if (run.lists.rebuilds == 0) { return result; }
  const double dt = double(static_cast<R>(run.clock.at(run.step).last));
  const auto id = run.bodies.id.to_vector();
  const auto position = run.bodies.position().to_vector();
  const auto velocity = run.bodies.velocity().to_vector();
  const auto radius = run.bodies.radius().to_vector();
  const CellFlow<R> flow = cell_flow(run);
  const auto before = [&](index_t i) {
    const Vec3d x = position[i] - dt * convert<double>(velocity[i]);
    return flow.any ? run.cell.origin() + flow.back * (x - run.cell.origin()) : x;
  };
  const Mat3d edges_before = flow.any ? flow.back * run.cell.geometry().edges : run.cell.geometry().edges;
  const auto image = run.contacts.pairs.image.to_vector();
  const auto pairs = run.contacts.pairs.bodies.to_vector();
  const auto touching = run.contacts.pairs.touching.to_vector();
  const auto record = run.contacts.pairs.force.to_vector();
  for (std::size_t slot = 0; slot < run.contacts.pairs.size(); ++slot) {
    const auto [i, j] = pairs[slot];
    if (touching[slot] == 0 || is_parked(position[i]) || is_parked(position[j])) { continue; }
    const Vec3d x = before(i);
    const Image to = image.empty() ? Image{0, 0, 0} : image_of(image[slot]);
    const Vec3d branch = to.any() ? before(j) - x + shift_of(edges_before, to) : before(j) - x;
    const Vec3d n = (1 / norm(branch)) * branch;
    const PairForce<R>& pair = record[slot];
    const Vec3d force{double(pair.force[0]), double(pair.force[1]), double(pair.force[2])};
    const Vec3d point = x + (double(radius[i]) - double(pair.half_overlap())) * n;
    result.push_back({id[i], id[j], false, real3(force), real3(n), real3(point), real3(branch), {to.a, to.b, to.c}});
  }
  const auto by_ids = [](const TouchingContact& a, const TouchingContact& b) {
    return std::pair(a.first, a.second) < std::pair(b.first, b.second);
  };
  std::sort(result.begin(), result.end(), by_ids);
  if (!run.boundary.any()) { return result; }
  const auto body = run.contacts.near.body_of_row.to_vector();
  const auto start = run.contacts.near.row_start.to_vector();
  const auto slot = run.contacts.near.slot.to_vector();
  std::vector<std::size_t> rows(body.size());
  for (std::size_t row = 0; row < rows.size(); ++row) { rows[row] = row; }
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return id[body[a]] < id[body[b]]; });
  for (const std::size_t row : rows) {
    if (is_parked(position[body[row]])) { continue; }
    for (offset_t k = start[row]; k < start[row + 1]; ++k) {
      if (slot[k].touching == 0) { continue; }
      result.push_back({run.boundary.features()[slot[k].feature].boundary,
                        id[body[row]],
                        true,
                        real3(convert<double>(slot[k].force)),
                        real3(convert<double>(slot[k].normal)),
                        real3(slot[k].point),
                        {},
                        {}});
    }
  }
  return result;
}

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

template std::vector<TouchingContact> touching_contacts(RunState<float>&);
template std::vector<TouchingContact> touching_contacts(RunState<double>&);
template std::optional<ContactTractions> tractions_of(RunState<float>&, std::uint32_t, std::uint32_t, bool,
                                                      std::size_t);
template std::optional<ContactTractions> tractions_of(RunState<double>&, std::uint32_t, std::uint32_t, bool,
                                                      std::size_t);

}  // namespace scree::inline SCREE_BACKEND
