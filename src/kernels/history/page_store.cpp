#include "kernels/history/page_store.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/history/jaeger_segment.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Copies the free pages of the old ring to the start of the new one and adds the new pages behind them.
struct RingGrowth {
  Span<std::uint32_t> old, ring;
  std::uint64_t taken, n_free;
  std::uint32_t first_new;
  SCREE_HD void operator()(std::size_t i) const {
    ring[i] = i < n_free ? old[(taken + i) % old.size] : static_cast<std::uint32_t>(first_new + (i - n_free));
  }
};

constexpr const char* what = "load histories";

}  // namespace

template <class Row>
void PageStore<Row>::turn_on() {
  counters_.assign({PoolCounters{}}, what);
}

template <class Row>
PagePool<Row> PageStore<Row>::view() {
  if (!any()) { return {}; }
  return {table_.view(), below_.view(), ring_.view(), counters_.data(), waiting_.view()};
}

template <class Row>
std::uint64_t PageStore<Row>::pages_in_use() const {
  if (!any()) { return 0; }
  const PoolCounters counters = counters_.element(0);
  return n_pages_ - (counters.given - counters.taken);
}

template <class Row>
void PageStore<Row>::reserve(Exec& exec, std::uint64_t free_pages, std::uint64_t in_use) {
  const std::uint64_t n_free = n_pages_ - in_use;
  if (n_free < free_pages) { grow(exec, std::max(free_pages - n_free, n_pages_ / 32)); }
}

template <class Row>
void PageStore<Row>::make_waiting_room(std::size_t contacts) {
  waiting_.discard_and_resize(contacts, what);
}

template <class Row>
void PageStore<Row>::grow(Exec& exec, std::uint64_t more_pages) {
  // Slabs that fill large memory pages get such pages on a host. Lists are scattered over the pool, and with small
  // pages nearly every access would need an address translation.
  constexpr std::uint64_t large = (std::uint64_t(1) << 21) / 128;  // for pages of 128 bytes; longer ones fill several
  const std::uint64_t unit = 2 * more_pages > large ? large : chunk_pages;
  more_pages = (more_pages + unit - 1) / unit * unit;
  const std::uint64_t n = n_pages_ + more_pages;
  SCREE_EXPECT(n < (std::uint64_t(1) << 32), "load histories of 2^32 pages at most");
  // Everything that can fail comes first, so that a pool that cannot grow stays unchanged.
  Buffer<Page<Row>> slab;
  slab.discard_and_resize(more_pages, what);
  Buffer<std::uint32_t> ring;
  ring.discard_and_resize(n + 1, what);
  Buffer<std::uint32_t> below;
  below.discard_and_resize(n, what);
  std::vector<Page<Row>*> table = table_.to_vector();
  for (std::uint64_t page = 0; page < more_pages; page += chunk_pages) { table.push_back(slab.data() + page); }
  slabs_.reserve(slabs_.size() + 1);
  Buffer<Page<Row>*> fresh_table;
  fresh_table.assign(table, what);

  copy_within_backend(below.data(), below_.data(), n_pages_ * sizeof(std::uint32_t));
  const PoolCounters counters = counters_.element(0);
  const std::uint64_t n_free = counters.given - counters.taken;
  exec.for_each("grow load histories", n_free + more_pages,
                RingGrowth{ring_.view(), ring.view(), counters.taken, n_free, static_cast<std::uint32_t>(n_pages_)});
  wait_for_backend();  // the old ring is freed below
  counters_.set_element(0, PoolCounters{.taken = 0, .given = n_free + more_pages});
  slabs_.push_back(std::move(slab));
  ring_ = std::move(ring);
  below_ = std::move(below);
  table_ = std::move(fresh_table);
  n_pages_ = n;
}

template <class Row>
void PageStore<Row>::forget() {
  if (!any()) { return; }
  if (n_pages_ > 0) {
    std::vector<std::uint32_t> ring(ring_.size());
    std::iota(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(n_pages_), std::uint32_t(0));
    ring_.assign(ring, what);
  }
  counters_.set_element(0, PoolCounters{.taken = 0, .given = n_pages_});
}

template <class Row>
PageStore<Row>::Reader::Reader(const PageStore& store) : below_(store.below_.to_vector()) {
  for (const Buffer<Page<Row>>& slab : store.slabs_) { slabs_.push_back(slab.to_vector()); }
  for (auto& slab : slabs_) {
    for (std::size_t page = 0; page < slab.size(); page += chunk_pages) { table_.push_back(slab.data() + page); }
  }
}

template <class Row>
PageStore<Row>::Writer::Writer(PageStore& store)
    : store_(store),
      counters_(store.counters_.element(0)),
      ring_(store.ring_.to_vector()),
      below_(store.below_.to_vector()),
      table_(store.table_.to_vector()) {}

template <class Row>
std::uint32_t PageStore<Row>::Writer::add(const Page<Row>& page, std::uint32_t below) {
  SCREE_EXPECT(counters_.taken < counters_.given, "a page can be added while there are free ones");
  const std::uint32_t fresh = ring_[counters_.taken++ % ring_.size()];
  below_[fresh] = below;
  copy_to_backend(table_[fresh / chunk_pages] + fresh % chunk_pages, &page, sizeof(page));
  return fresh;
}

template <class Row>
void PageStore<Row>::Writer::finish() {
  store_.counters_.set_element(0, counters_);
  store_.below_.assign(below_, what);
}

template class PageStore<JaegerSegment<float>>;
template class PageStore<JaegerSegment<double>>;

}  // namespace scree::inline SCREE_BACKEND
