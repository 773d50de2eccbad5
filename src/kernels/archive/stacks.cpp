#include <algorithm>

#include "kernels/archive/state_io.hpp"
#include "kernels/state/state_hash.hpp"
#include "kernels/system.hpp"
#include "scree/errors.hpp"

/// Load histories in checkpoints, in the hash and in counts: what they are, never where.
namespace scree::inline SCREE_BACKEND {

/// Arrays of a group: segments of each contact, in the order of its other arrays, and all segments one after another,
/// bottom to top. Of these, those that the contact keeps itself are in its history.
template <class R>
void System<R>::save_stacks(StateWriter& out, const char* group, const std::vector<StackEnd<R>>& stacks) {
  if (!stacks_.any()) { return; }
  const typename StackStore<R>::Reader reader(stacks_);
  std::vector<JaegerSegment<R>> segments;
  for (const StackEnd<R>& stack : stacks) {
    const auto own = reader.segments(stack);
    segments.insert(segments.end(), own.begin(), own.end());
  }
  const std::string name = group;
  out.rows(
      name + "/count", "1", stacks.size(), [&](std::size_t k) -> const auto& { return stacks[k].count; });
  out.rows(
      name + "/end", "m", segments.size(), [&](std::size_t k) -> const auto& { return segments[k].signed_end; });
  out.rows(
      name + "/slope_1", "1", segments.size(), [&](std::size_t k) -> const auto& { return segments[k].kept_slope.x; });
  out.rows(
      name + "/slope_2", "1", segments.size(), [&](std::size_t k) -> const auto& { return segments[k].kept_slope.y; });
}

template <class R>
std::vector<StackEnd<R>> System<R>::restore_stacks(StateReader& in, const char* group, std::size_t n) {
  if (!stacks_.any()) { return {}; }
  const std::string name = group;
  std::vector<std::uint32_t> counts(n);
  in.rows(
      name + "/count", "", n, [&](std::size_t k) -> auto& { return counts[k]; });
  std::vector<JaegerSegment<R>> segments(in.count((name + "/end").c_str()));
  in.rows(
      name + "/end", "", segments.size(), [&](std::size_t k) -> auto& { return segments[k].signed_end; });
  in.rows(
      name + "/slope_1", "", segments.size(), [&](std::size_t k) -> auto& { return segments[k].kept_slope.x; });
  in.rows(
      name + "/slope_2", "", segments.size(), [&](std::size_t k) -> auto& { return segments[k].kept_slope.y; });
  std::uint64_t sum = 0;
  for (const std::uint32_t count : counts) { sum += count; }
  if (sum != segments.size()) {
    throw StateError(name + "/count and " + name + "/end are not of the same load histories");
  }
  return stacks_.fill(exec_, counts, segments);
}

template <class R>
void System<R>::hash_stacks(UnorderedHash& sum) {
  if (!stacks_.any() || rebuilds_ == 0) { return; }
  const typename StackStore<R>::Reader reader(stacks_);
  const auto position = bodies_.position.to_vector();
  const auto id = bodies_.id.to_vector();
  constexpr std::uint64_t mark = std::uint64_t(1) << 61;  // apart from the other numbers of a contact
  const auto add = [&](std::uint64_t first, std::uint64_t second, const StackEnd<R>& end) {
    const auto segments = reader.segments(end);
    for (std::size_t k = 0; k < segments.size(); ++k) {
      sum.add({first, second, mark + k, bits(segments[k].signed_end), bits(segments[k].kept_slope.x),
               bits(segments[k].kept_slope.y)});
    }
  };
  const auto pair = pairs_.bodies.to_vector();
  const auto touching = pairs_.touching.to_vector();
  const auto stack = pairs_.stack.to_vector();
  for (std::size_t slot = 0; slot < pair.size(); ++slot) {
    const auto [i, j] = pair[slot];
    if (touching[slot] != 0 && !is_parked(position[i]) && !is_parked(position[j])) { add(id[i], id[j], stack[slot]); }
  }
  const auto body = near_boundary_.body_of_row.to_vector();
  const auto start = near_boundary_.row_start.to_vector();
  const auto slots = near_boundary_.slot.to_vector();
  const auto ends = near_boundary_.stack.to_vector();
  for (std::size_t row = 0; row < body.size(); ++row) {
    if (is_parked(position[body[row]])) { continue; }
    for (offset_t k = start[row]; k < start[row + 1]; ++k) {
      if (slots[k].touching != 0) { add(id[body[row]], ~std::uint64_t(slots[k].feature), ends[k]); }
    }
  }
}

template <class R>
void System<R>::count_segments(EngineCounts& counts) {
  if (!stacks_.any() || rebuilds_ == 0) { return; }
  Buffer<HistoryCount> of_pair, of_slot;
  of_pair.discard_and_resize(n_pairs_, "output");
  of_slot.discard_and_resize(near_boundary_.slot.size(), "output");
  of_pair.zero();
  of_slot.zero();
  for (const auto& law : laws_.laws) {
    law->count_segments(exec_, n_pairs_, pair_views(), near_boundary_.body_of_row.size(), boundary_contact_views(),
                        of_pair.view(), of_slot.view());
  }
  for (const auto& all : {of_pair.to_vector(), of_slot.to_vector()}) {
    for (const HistoryCount& one : all) {
      counts.segments += one.segments;
      counts.longest_history = std::max<std::uint64_t>(counts.longest_history, one.segments);
      counts.contacts_in_part_slipping += one.newest == NewestSegment::slips ? 1 : 0;
      counts.contacts_sliding += one.newest == NewestSegment::slides ? 1 : 0;
    }
  }
  counts.history_bytes = stacks_.bytes_of(stacks_.pages_in_use());
  counts.most_history_bytes = std::max(stacks_.bytes_of(stacks_.most_in_use()), counts.history_bytes);
}

template void System<float>::save_stacks(StateWriter&, const char*, const std::vector<StackEnd<float>>&);
template void System<double>::save_stacks(StateWriter&, const char*, const std::vector<StackEnd<double>>&);
template std::vector<StackEnd<float>> System<float>::restore_stacks(StateReader&, const char*, std::size_t);
template std::vector<StackEnd<double>> System<double>::restore_stacks(StateReader&, const char*, std::size_t);
template void System<float>::hash_stacks(UnorderedHash&);
template void System<double>::hash_stacks(UnorderedHash&);
template void System<float>::count_segments(EngineCounts&);
template void System<double>::count_segments(EngineCounts&);

}  // namespace scree::inline SCREE_BACKEND
