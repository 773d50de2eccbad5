#include <algorithm>

#include "kernels/readout/readout.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Finds a contact with a load history and asks its law for the tractions.
template <class R>
class TractionReader {
 public:
  TractionReader(RunState<R>& run, std::size_t points)
      : run_(run),
        points_(points),
        id_(run.bodies.id.to_vector()),
        radius_(run.bodies.radius().to_vector()),
        touch_class_(TouchTable::classes_of(run.bodies)),
        reader_(run.contacts.stacks) {}

  /// The tractions of the contact of two particles, given by their ids; none if they do not touch.
  [[nodiscard]] std::optional<ContactTractions> of_pair(std::uint32_t first, std::uint32_t second) const {
    const Pairs<R>& listed = run_.contacts.pairs;
    const auto pairs = listed.bodies.to_vector();
    const auto touching = listed.touching.to_vector();
    for (std::size_t slot = 0; slot < listed.size(); ++slot) {
      const auto [i, j] = pairs[slot];
      if (touching[slot] == 0 ||
          std::pair(id_[i], id_[j]) != std::pair(std::min(first, second), std::max(first, second))) {
        continue;
      }
      const double r1 = double(radius_[i]), r2 = double(radius_[j]);
      return ask(listed.rows, slot, run_.laws.table.pair(touch_class_[i], touch_class_[j]), r1 * r2 / (r1 + r2),
                 normal_of_pair(id_[i], id_[j]));
    }
    return std::nullopt;
  }

  /// The tractions of the contact of a particle with a boundary; none if they do not touch. Of several contacts it is
  /// the one with the largest force.
  [[nodiscard]] std::optional<ContactTractions> at_boundary(std::uint32_t boundary, std::uint32_t particle) const {
    const BoundaryList<R>& near = run_.contacts.near;
    const auto body = near.body_of_row.to_vector();
    const auto start = near.row_start.to_vector();
    const auto slot = near.slot.to_vector();
    std::optional<std::size_t> chosen;
    index_t of_body = 0;
    for (std::size_t row = 0; row < body.size(); ++row) {
      if (id_[body[row]] != particle) { continue; }
      for (offset_t k = start[row]; k < start[row + 1]; ++k) {
        if (slot[k].touching == 0 || run_.boundary.features()[slot[k].feature].boundary != boundary) { continue; }
        if (!chosen || dot(slot[k].force, slot[k].force) > dot(slot[*chosen].force, slot[*chosen].force)) {
          chosen = k;
        }
        of_body = body[row];
      }
    }
    if (!chosen) { return std::nullopt; }
    const auto of_boundary = TouchTable::class_of(run_.scene.boundaries[boundary]);
    return ask(near.rows, *chosen, run_.laws.table.pair(of_boundary, touch_class_[of_body]), double(radius_[of_body]),
               slot[*chosen].normal);
  }

 private:
  [[nodiscard]] Vec3<R> normal_of_pair(index_t first, index_t second) const {
    Vec3<R> normal{};
    for (const TouchingContact& contact : touching_contacts(run_)) {
      if (!contact.with_boundary && contact.first == first && contact.second == second) {
        normal = convert<R>(Vec3d{contact.normal[0], contact.normal[1], contact.normal[2]});
      }
    }
    return normal;
  }

  [[nodiscard]] std::optional<ContactTractions> ask(const ContactRows<R>& rows, std::size_t place, std::size_t classes,
                                                    double effective_radius, const Vec3<R>& normal) const {
    const auto extra = rows.extra.to_vector();
    const auto begin = extra.begin() + static_cast<std::ptrdiff_t>(place * run_.laws.history_size);
    const ContactRecord<R> record{{begin, begin + run_.laws.history_size},
                                  reader_.segments(rows.stack.element(place)),
                                  classes,
                                  effective_radius,
                                  normal};
    return run_.laws.of(classes).tractions(record, points_);
  }

  RunState<R>& run_;
  std::size_t points_;
  std::vector<index_t> id_;
  std::vector<R> radius_;
  std::vector<std::uint32_t> touch_class_;
  typename StackStore<R>::Reader reader_;
};

}  // namespace

template <class R>
std::optional<ContactTractions> tractions_of(RunState<R>& run, std::uint32_t first, std::uint32_t second,
                                             bool with_boundary, std::size_t points) {
  SCREE_EXPECT(run.forces_known, "contact forces are not known between a search and the next step");
  if (!run.contacts.stacks.any() || run.lists.rebuilds == 0) { return std::nullopt; }
  const TractionReader<R> reader(run, points);
  return with_boundary ? reader.at_boundary(first, second) : reader.of_pair(first, second);
}

template std::optional<ContactTractions> tractions_of(RunState<float>&, std::uint32_t, std::uint32_t, bool,
                                                      std::size_t);
template std::optional<ContactTractions> tractions_of(RunState<double>&, std::uint32_t, std::uint32_t, bool,
                                                      std::size_t);

}  // namespace scree::inline SCREE_BACKEND
