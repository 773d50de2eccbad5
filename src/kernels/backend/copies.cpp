#include "kernels/backend/copies.hpp"

#include <atomic>

namespace scree::inline SCREE_BACKEND {

namespace {

struct Counter {
  std::atomic<std::uint64_t> calls{0}, bytes{0};
};

Counter& counter_of(CopyKind kind) {
  static Counter counters[all_copy_kinds.size()];
  return counters[static_cast<std::size_t>(kind)];
}

}  // namespace

CopyCount copies_so_far(CopyKind kind) {
  const Counter& counter = counter_of(kind);
  return {counter.calls.load(std::memory_order_relaxed), counter.bytes.load(std::memory_order_relaxed)};
}

void note_copy(CopyKind kind, std::size_t bytes) {
  Counter& counter = counter_of(kind);
  counter.calls.fetch_add(1, std::memory_order_relaxed);
  counter.bytes.fetch_add(bytes, std::memory_order_relaxed);
}

}  // namespace scree::inline SCREE_BACKEND
