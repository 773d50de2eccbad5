#include "kernels/readout/readout.hpp"

#include <algorithm>

#include "kernels/run_state.hpp"
#include "kernels/state/state_hash.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
void hash_stacks(RunState<R>& run, UnorderedHash& sum) {
  if (!run.contacts.stacks.any() || run.lists.rebuilds == 0) { return; }
  const typename StackStore<R>::Reader reader(run.contacts.stacks);
  const auto position = run.bodies.position().to_vector();
  const auto id = run.bodies.id.to_vector();
  constexpr std::uint64_t mark = std::uint64_t(1) << 61;  // distinguishes segments from the other numbers of a contact
  const auto add = [&](std::uint64_t first, std::uint64_t second, const StackEnd<R>& end) {
    const auto segments = reader.segments(end);
    for (std::size_t k = 0; k < segments.size(); ++k) {
      sum.add({first, second, mark + k, bits(segments[k].signed_end), bits(segments[k].kept_slope.x),
               bits(segments[k].kept_slope.y)});
    }
  };
  const auto pair = run.contacts.pairs.bodies.to_vector();
  const auto touching = run.contacts.pairs.touching.to_vector();
  const auto stack = run.contacts.pairs.rows.stack.to_vector();
  for (std::size_t slot = 0; slot < pair.size(); ++slot) {
    const auto [i, j] = pair[slot];
    if (touching[slot] != 0 && !is_parked(position[i]) && !is_parked(position[j])) { add(id[i], id[j], stack[slot]); }
  }
  const auto body = run.contacts.near.body_of_row.to_vector();
  const auto start = run.contacts.near.row_start.to_vector();
  const auto slots = run.contacts.near.slot.to_vector();
  const auto ends = run.contacts.near.rows.stack.to_vector();
  for (std::size_t row = 0; row < body.size(); ++row) {
    if (is_parked(position[body[row]])) { continue; }
    for (offset_t k = start[row]; k < start[row + 1]; ++k) {
      if (slots[k].touching != 0) { add(id[body[row]], ~std::uint64_t(slots[k].feature), ends[k]); }
    }
  }
}

template <class R>
void count_segments(RunState<R>& run, EngineCounts& counts) {
  if (!run.contacts.stacks.any() || run.lists.rebuilds == 0) { return; }
  Buffer<HistoryCount> of_pair, of_slot;
  of_pair.discard_and_resize(run.contacts.pairs.size(), "output");
  of_slot.discard_and_resize(run.contacts.near.slot.size(), "output");
  of_pair.zero();
  of_slot.zero();
  for (const auto& law : run.laws.laws) {
    law->count_segments(run.exec, run.contacts.pairs.size(), pair_views(run), run.contacts.near.body_of_row.size(),
                        boundary_contact_views(run), of_pair.view(), of_slot.view());
  }
  for (const auto& all : {of_pair.to_vector(), of_slot.to_vector()}) {
    for (const HistoryCount& one : all) {
      counts.segments += one.segments;
      counts.longest_history = std::max<std::uint64_t>(counts.longest_history, one.segments);
      counts.contacts_in_part_slipping += one.newest == NewestSegment::slips ? 1 : 0;
      counts.contacts_sliding += one.newest == NewestSegment::slides ? 1 : 0;
    }
  }
  counts.history_bytes = run.contacts.stacks.bytes_of(run.contacts.stacks.pages_in_use());
  counts.most_history_bytes =
      std::max(run.contacts.stacks.bytes_of(run.contacts.stacks.most_in_use()), counts.history_bytes);
}

template void hash_stacks(RunState<float>&, UnorderedHash&);
template void hash_stacks(RunState<double>&, UnorderedHash&);
template void count_segments(RunState<float>&, EngineCounts&);
template void count_segments(RunState<double>&, EngineCounts&);

}  // namespace scree::inline SCREE_BACKEND
