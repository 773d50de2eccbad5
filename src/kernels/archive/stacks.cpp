#include "kernels/archive/stacks.hpp"

#include "kernels/archive/state_io.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
void save_stacks(StateWriter& out, const char* group, const StackStore<R>& store,
                 const std::vector<StackEnd<R>>& stacks) {
  if (!store.any()) { return; }
  const typename StackStore<R>::Reader reader(store);
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
std::vector<StackEnd<R>> restore_stacks(StateReader& in, const char* group, std::size_t n, StackStore<R>& store,
                                        Exec& exec) {
  if (!store.any()) { return {}; }
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
  expect_state(sum == segments.size(), [&] {
    return broken_rule("the sum of " + name + "/count",
                       std::to_string(segments.size()) + ", the length of " + name + "/end", sum);
  });
  return store.fill(exec, counts, segments);
}

template void save_stacks(StateWriter&, const char*, const StackStore<float>&, const std::vector<StackEnd<float>>&);
template void save_stacks(StateWriter&, const char*, const StackStore<double>&, const std::vector<StackEnd<double>>&);
template std::vector<StackEnd<float>> restore_stacks(StateReader&, const char*, std::size_t, StackStore<float>&, Exec&);
template std::vector<StackEnd<double>> restore_stacks(StateReader&, const char*, std::size_t, StackStore<double>&,
                                                      Exec&);

}  // namespace scree::inline SCREE_BACKEND
