#include "kernels/ledger/collision_log.hpp"

#include <cmath>

#include "kernels/archive/state_io.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* collision_label = "collisions";

/// Carries the digits of sums, so that their bits depend only on their values.
std::vector<CollisionSums> carried_sums(std::vector<CollisionSums> sums) {
  for (CollisionSums& sum : sums) { sum.lost.carry(), sum.speed.carry(); }
  return sums;
}

template <class R>
CollisionPlace<R> collisions_of(RunState<R>& run, ContactRows<R>& rows) {
  return {rows.extra.view(), run.laws.history_size};
}

/// The collisions of a list of contacts, on the host.
template <class R>
std::vector<OpenCollision<R>> collisions_in(const RunState<R>& run, const ContactRows<R>& rows) {
  std::vector<R> extra = rows.extra.to_vector();
  const CollisionPlace<R> place{{extra.data(), extra.size()}, run.laws.history_size};
  std::vector<OpenCollision<R>> all(extra.size() / run.laws.history_size);
  for (std::size_t k = 0; k < all.size(); ++k) { all[k] = place.at(k); }
  return all;
}

}  // namespace

template <class R>
CollisionLog<R>::CollisionLog(const Scene& scene)
    : classes_{static_cast<std::uint32_t>(scene.materials.size()),
               static_cast<std::uint32_t>(scene.boundaries.size())} {
  if (!scene.collisions) { return; }
  SCREE_EXPECT(classes_.size() < (1u << 24) - 1, "too many classes of collisions");  // exact in single precision
  limits_ = scene.collisions->limits;
  limits_there_.assign(limits_, collision_label);
  before_.resize(classes_.size() * (limits_.size() + 1));
  sums_.assign(before_, collision_label);
}

template <class R>
void CollisionLog<R>::carry_in_time(RunState<R>& run) {
  if (!any()) { return; }
  if (end_ >= 0) {
    before_ = carried_sums(sums_.to_vector());
    since_ = end_;
    end_ = goes_on;
  }
  // WindowSum allows 2^31 numbers in a digit. A step adds at most one for each listed contact, and a search two more.
  const std::uint64_t contacts = run.contacts.pairs.size() + run.contacts.near.slot.size();
  if ((run.step - carried_) * 3 * contacts < std::uint64_t(1) << 30) { return; }
  run.exec.for_each(collision_label, sums_.size(), CarryCollisions{sums_.view()});
  carried_ = run.step;
}

template <class R>
template <class Bins>
void CollisionLog<R>::count_open(RunState<R>& run, const Bins& to, int sign) {
  Pairs<R>& pairs = run.contacts.pairs;
  BoundaryList<R>& near = run.contacts.near;
  run.exec.for_each(collision_label, pairs.size(), CountOpen<R, Bins>{collisions_of(run, pairs.rows), to, sign});
  if (!run.boundary.any()) { return; }
  run.exec.for_each(collision_label, near.slot.size(), CountOpen<R, Bins>{collisions_of(run, near.rows), to, sign});
}

/// All open collisions are counted as if they ended. After the search those that continue are subtracted again.
template <class R>
void CollisionLog<R>::before_search(RunState<R>& run) {
  if (any()) { count_open(run, bins(), 1); }
}

template <class R>
void CollisionLog<R>::after_search(RunState<R>& run) {
  if (!any()) { return; }
  count_open(run, bins(), -1);
  BoundaryList<R>& near = run.contacts.near;
  slots_before_.discard_and_resize(near.slot.size(), collision_label);
  run.exec.for_each(collision_label, near.slot.size(),
                    NoteCollisions<R>{collisions_of(run, near.rows), slots_before_.view()});
}

template <class R>
void CollisionLog<R>::step(RunState<R>& run, Span<BodySpeed<R>> before) {
  if (!any()) { return; }
  Pairs<R>& listed = run.contacts.pairs;
  BoundaryList<R>& near = run.contacts.near;
  run.exec.for_each(collision_label, listed.size(),
                    in_step(run, PairCollisions<R>{.loss = contact_loss(run, before),
                                                   .place = collisions_of(run, listed.rows),
                                                   .bins = bins(),
                                                   .pairs = listed.bodies.view(),
                                                   .touching = listed.touching.view(),
                                                   .of_pair = run.losses.lost_by_pairs(),
                                                   .bodies_leave = run.outlets.any(),
                                                   .control = run.control.data()}));
  if (!run.boundary.any()) { return; }
  run.exec.for_each(collision_label, near.body_of_row.size(),
                    in_step(run, SlotCollisions<R>{.loss = contact_loss(run, before),
                                                   .place = collisions_of(run, near.rows),
                                                   .bins = bins(),
                                                   .before = slots_before_.view(),
                                                   .body_of_row = near.body_of_row.view(),
                                                   .row_start = near.row_start.view(),
                                                   .slots = near.slot.view(),
                                                   .control = run.control.data()}));
}

template <class R>
CollisionReport CollisionLog<R>::read(RunState<R>& run, bool begin_interval) {
  SCREE_EXPECT(any(), "the scene counts no collisions");
  CollisionReport report;
  report.since = since_;
  const std::vector<CollisionSums> now = carried_sums(sums_.to_vector());
  const std::size_t n_bins = limits_.size() + 1;
  const auto add = [&](std::uint32_t of, std::uint32_t first, std::uint32_t second, bool with_boundary) {
    for (std::size_t k = of * n_bins; k < (of + 1) * n_bins; ++k) {
      const std::uint64_t count = now[k].count - before_[k].count;
      if (count == 0) { continue; }
      report.bins.push_back({first, second, with_boundary, k - of * n_bins, count, now[k].lost.minus(before_[k].lost),
                             now[k].speed.minus(before_[k].speed)});
    }
  };
  for (std::uint32_t a = 0; a < classes_.n_materials; ++a) {
    for (std::uint32_t b = a; b < classes_.n_materials; ++b) { add(classes_.of_materials(a, b), a, b, false); }
  }
  for (std::uint32_t b = 0; b < classes_.n_boundaries; ++b) {
    for (std::uint32_t m = 0; m < classes_.n_materials; ++m) { add(classes_.at_boundary(b, m), b, m, true); }
  }
  open_.assign({CollisionSums{}}, collision_label);
  count_open(run, OpenCollisions{open_.view()}, 1);
  const CollisionSums open = open_.element(0);
  report.open = open.count;
  report.open_lost = open.lost.value();
  if (begin_interval) { end_ = run.time(); }
  return report;
}

template <class R>
void CollisionLog<R>::save(StateWriter& out) const {
  if (!any()) { return; }
  const std::vector<CollisionSums> now = carried_sums(sums_.to_vector());
  out("collisions/limits", "J", limits_there_);
  out.rows("collisions/sums", "1", now.size(), [&](std::size_t k) -> const CollisionSums& { return now[k]; });
  out.rows("collisions/before", "1", before_.size(), [&](std::size_t k) -> const CollisionSums& { return before_[k]; });
  out("collisions/since", "s", since_);
  out("collisions/end", "s", end_);
}

template <class R>
void CollisionLog<R>::restore(RunState<R>& run, StateReader& in) {
  std::vector<double> limits;
  std::vector<CollisionSums> sums, before;
  double since = run.time(), end = goes_on;
  if (in.has("collisions/sums")) {
    const auto read = [&](const char* name, const char* unit, auto& values) {
      values.resize(in.count(name));
      in.rows(
          name, unit, values.size(), [&](std::size_t k) -> auto& { return values[k]; });
    };
    read("collisions/limits", "J", limits), read("collisions/sums", "1", sums), read("collisions/before", "1", before);
    in("collisions/since", "s", since), in("collisions/end", "s", end);
  }
  if (!any()) { return; }
  if (limits != limits_ || sums.size() != before_.size() || before.size() != before_.size()) {
    sums.assign(before_.size(), {}), before.assign(before_.size(), {});
    since = run.time(), end = goes_on;
  }
  sums_.assign(sums, collision_label);
  before_ = before;
  since_ = since, end_ = end, carried_ = 0;
  expect_known_classes(run);
}

template <class R>
void CollisionLog<R>::expect_known_classes(RunState<R>& run) const {
  for (const ContactRows<R>* const rows : {&run.contacts.pairs.rows, &run.contacts.near.rows}) {
    for (const OpenCollision<R>& collision : collisions_in(run, *rows)) {
      const double of = double(collision.of);
      expect_state(of >= 0 && of <= classes_.size() && of == std::floor(of), [&] {
        return broken_rule("the class of a collision in pairs/collision or boundary_contacts/collision",
                           "a whole number from 0 to " + std::to_string(classes_.size()), of);
      });
    }
  }
}

template class CollisionLog<float>;
template class CollisionLog<double>;

}  // namespace scree::inline SCREE_BACKEND
