#include "kernels/readout/order.hpp"

#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* order_label = "order by id";

struct PlaceOfId {
  PositionColumn position;
  Span<index_t> id, place;
  SCREE_HD void operator()(std::size_t i) const {
    if (!is_parked(position[i])) { place[id[i]] = static_cast<index_t>(i); }
  }
};

struct IsPresent {
  Span<index_t> place;
  Span<offset_t> present;
  SCREE_HD void operator()(std::size_t id) const { present[id] = place[id] != no_index ? 1 : 0; }
};

struct BodyOfRank {
  Span<index_t> place;
  Span<offset_t> rank;
  Span<index_t> body;
  SCREE_HD void operator()(std::size_t id) const {
    if (place[id] != no_index) { body[rank[id]] = place[id]; }
  }
};

}  // namespace

template <class R>
OrderById<R>::OrderById(RunState<R>& run) {
  const std::size_t n_ids = run.count.ids();
  place_.discard_and_resize(n_ids, "output");
  rank_.discard_and_resize(n_ids + 1, "output");
  run.exec.for_each(order_label, n_ids, FillIndex{place_.view()});
  run.exec.for_each(order_label, run.count.bodies,
                    PlaceOfId{run.bodies.position().view(), run.bodies.id.view(), place_.view()});
  run.exec.for_each(order_label, n_ids, IsPresent{place_.view(), rank_.view()});
  size_ = run.primitives.exclusive_scan_total(rank_, n_ids);
  n_bodies_ = run.count.bodies;
  rank_of_body_ = {run.bodies.position().view(), run.bodies.id.view(), is_whole() ? Span<offset_t>{} : rank_.view(),
                   size_ < n_bodies_};
  if (!SCREE_ON_CUDA || is_whole()) { return; }
  body_.discard_and_resize(size_, "output");
  run.exec.for_each(order_label, n_ids, BodyOfRank{place_.view(), rank_.view(), body_.view()});
}

template class OrderById<float>;
template class OrderById<double>;

}  // namespace scree::inline SCREE_BACKEND
