#include "kernels/readout/readout.hpp"

#include <algorithm>

#include "kernels/backend/lane_sums.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Sums over the load histories of all contacts.
struct SegmentSums {
  static constexpr std::size_t n_largest = 1;
  double longest = 0;
  std::uint64_t segments = 0, slipping = 0, sliding = 0;
};

struct AddHistory {
  Span<HistoryCount> of;
  SCREE_HD void operator()(std::size_t k, SegmentSums& sum) const {
    const HistoryCount& one = of[k];
    sum.segments += one.segments;
    sum.longest = math::max(sum.longest, double(one.segments));
    sum.slipping += one.newest == NewestSegment::slips ? 1 : 0;
    sum.sliding += one.newest == NewestSegment::slides ? 1 : 0;
  }
};

}  // namespace

template <class R>
void count_segments(RunState<R>& run, EngineCounts& counts) {
  // Before the first search there are only the contacts that a start has brought.
  const std::size_t n_contacts = run.contacts.pairs.size() + run.contacts.near.slot.size();
  if (!run.contacts.stacks.any() || (run.lists.rebuilds == 0 && n_contacts == 0)) { return; }
  Buffer<HistoryCount> of_pair, of_slot;
  of_pair.discard_and_resize(run.contacts.pairs.size(), "output");
  of_slot.discard_and_resize(run.contacts.near.slot.size(), "output");
  of_pair.zero();
  of_slot.zero();
  for (const auto& law : run.laws.laws) {
    law->count_segments(run.exec, run.contacts.pairs.size(), pair_views(run), run.contacts.near.body_of_row.size(),
                        boundary_contact_views(run), of_pair.view(), of_slot.view());
  }
  SumLanes<SegmentSums> sums;
  sums.clear(run.exec, of_pair.size());
  sums.add(run.exec, "count segments", of_pair.size(), AddHistory{of_pair.view()});
  sums.add(run.exec, "count segments", of_slot.size(), AddHistory{of_slot.view()});
  const SegmentSums all = sums.total(run.exec, "count segments");
  counts.segments = all.segments;
  counts.longest_history = std::uint64_t(all.longest);
  counts.contacts_in_part_slipping = all.slipping;
  counts.contacts_sliding = all.sliding;
  counts.history_bytes = run.contacts.stacks.bytes_of(run.contacts.stacks.pages_in_use());
  counts.most_history_bytes =
      std::max(run.contacts.stacks.bytes_of(run.contacts.stacks.most_in_use()), counts.history_bytes);
}

template void count_segments(RunState<float>&, EngineCounts&);
template void count_segments(RunState<double>&, EngineCounts&);

}  // namespace scree::inline SCREE_BACKEND
