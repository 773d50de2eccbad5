#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/backend/keeps_rows.hpp"
#include "kernels/backend/transpose.hpp"

#if !SCREE_ON_CUDA

/// Exec::for_selected on the host: chosen items are packed, then evaluated by vector instructions.
namespace scree::inline SCREE_BACKEND {

/// Number of lanes that are packed before the vector loop runs. The stage and the data of two stretches of items must
/// fit into the first-level cache, which has 32 KiB in many processors.
template <class R>
inline constexpr std::size_t stage_lanes = 256 / sizeof(R);
/// How many items ahead of its use the state of an item is prefetched on the host.
inline constexpr std::size_t prefetch_distance = 64;

/// Whether a functor looks at a whole stretch of items by vectors: look_in_lanes(first, last, item, in) does what
/// choose() does item by item.
template <class F>
inline constexpr bool looks_in_lanes = requires {
  requires F::looks_in_lanes;
};
/// Whether it moves its other components to the stage and back by vectors, by load_lanes(first, item, count, in) and
/// store_lanes(first, item, count, out). Up to seven lanes after the last item may be written.
template <class F>
inline constexpr bool packs_lanes = requires {
  requires F::packs_lanes;
};

/// Calls each(i) for i in [begin, end), and prefetches the data of the next items meanwhile: hints.prefetch(begin, end)
/// is a hint to the processor that these items will soon be computed.
template <class Hints, class F>
SCREE_INLINE void work_ahead(const Hints& hints, const F& each, std::size_t begin, std::size_t end) {
  constexpr std::size_t most = 32;
  hints.prefetch(begin, std::min(begin + most, end));
  for (std::size_t first = begin; first < end; first += most) {
    const std::size_t next = std::min(first + most, end);
    hints.prefetch(next, std::min(next + most, end));
    for (std::size_t i = first; i < next; ++i) { each(i); }
  }
}

/// Body of the vector loop. It is a function because g++ turns structs declared inside a simd loop into arrays of
/// structs, and does not split these into their components again. Its lambdas are always inlined: where a law is so
/// large that g++ would call them, the loop would not be one of vectors.
template <class F, class R, int n_in, int n_out>
SCREE_INLINE void evaluate_lane(const F& functor, const R (&in)[n_in][stage_lanes<R>], R (&out)[n_out][stage_lanes<R>],
                                std::size_t lane) {
  typename F::Input input;
  input.each([&](int component, R& value) __attribute__((always_inline)) { value = in[component][lane]; });
  typename F::Output output = functor.evaluate(input);
  output.each([&](int component, R& value) __attribute__((always_inline)) { out[component][lane] = value; });
}

template <class F, class R, int n_in>
SCREE_INLINE void load_with_rows(const F& functor, std::size_t first, const std::uint32_t* item, std::size_t count,
                                 R (&in)[n_in][stage_lanes<R>]) {
  for (std::size_t lane = 0; lane < count; ++lane) {
    typename F::Input input = functor.load_state(first + item[lane]);
    input.each_state([&](int component, R& value) { in[component][lane] = value; });
  }
  constexpr std::size_t n = vector_lanes<R>;
  for (std::size_t lane = 0; lane < count; lane += n) {
    const std::size_t last = count - 1;
    rows_to_lanes<F::row_width>(&in[n_in - F::row_width], lane, [&](int i) {
      return functor.row(first + item[lane + std::size_t(i) < last ? lane + std::size_t(i) : last]);
    });
  }
}

template <class F, class R, int n_out>
SCREE_INLINE void store_with_rows(const F& functor, std::size_t first, const std::uint32_t* item, std::size_t count,
                                  R (&out)[n_out][stage_lanes<R>]) {
  constexpr std::size_t n = vector_lanes<R>;
  for (std::size_t lane = 0; lane < count; lane += n) {
    lanes_to_rows<F::row_width>(&out[n_out - F::row_width], lane, int(count - lane),
                                [&](int i) { return functor.row(first + item[lane + std::size_t(i)]); });
  }
  for (std::size_t lane = 0; lane < count; ++lane) {
    typename F::Output output;
    output.each_state([&](int component, R& value) { value = out[component][lane]; });
    functor.store_state(first + item[lane], output);
  }
}

template <class F>
SCREE_INLINE auto queue_of([[maybe_unused]] const F& functor) {
  if constexpr (keeps_rows<F>) {
    return functor.queue();
  } else {
    return 0;
  }
}

/// Packs the looks of those of the items [first, last) that are chosen. Returns their number, and in `item` which they
/// are.
template <class F, class R, int n_in>
SCREE_INLINE std::size_t choose(const F& functor, std::size_t first, std::size_t last, std::uint32_t* item,
                                R (&in)[n_in][stage_lanes<R>]) {
  if constexpr (looks_in_lanes<F>) {
    return functor.look_in_lanes(first, last, item, in);
  } else {
    std::size_t count = 0;
    for (std::size_t i = first; i < last; ++i) {
      functor.prefetch(i + prefetch_distance);
      // The choice is hard to predict, so `count` is advanced without a jump. Items to reject are rare.
      auto geometry = functor.look(i);
      const bool chosen = geometry.chosen;
      item[count] = static_cast<std::uint32_t>(i - first);
      geometry.each([&](int component, R& value) { in[component][count] = value; });
      count += chosen ? 1 : 0;
      if (static_cast<unsigned>(!chosen) & static_cast<unsigned>(functor.must_reject(i))) { functor.reject(i); }
    }
    return count;
  }
}

/// Works through the items [begin, end). Selected items are packed into a stage, component by component, and evaluated
/// by one vector loop. Each lane does the same IEEE operations as a scalar loop, so packing changes no bit.
template <class F>
void run_selected_range(const F& functor, std::size_t begin, std::size_t end) {
  using Input = typename F::Input;
  using Output = typename F::Output;
  using R = typename F::Scalar;
  alignas(64) R in[Input::n_components][stage_lanes<R>];
  alignas(64) R out[Output::n_components][stage_lanes<R>];
  std::uint32_t item[stage_lanes<R>];
  for (auto& component : in) { std::fill_n(component, stage_lanes<R>, R(1)); }
  [[maybe_unused]] auto queue = queue_of(functor);

  for (std::size_t first = begin; first < end; first += stage_lanes<R>) {
    const std::size_t last = first + stage_lanes<R> < end ? first + stage_lanes<R> : end;
    const std::size_t count = choose(functor, first, last, item, in);
    if constexpr (packs_lanes<F>) {
      functor.load_lanes(first, item, count, in);
    } else if constexpr (keeps_rows<F>) {
      load_with_rows(functor, first, item, count, in);
    } else {
      for (std::size_t lane = 0; lane < count; ++lane) {
        Input input = functor.load_state(first + item[lane]);
        input.each_state([&](int component, R& value) { in[component][lane] = value; });
        input.history = functor.history_of_slot(first + item[lane]);
        input.each_history([&](int component, R& value) { in[component][lane] = value; });
      }
    }
    // The loop runs over whole vectors. Lanes after the last item hold old values, and their results are never read.
    const std::size_t whole = in_whole_vectors<R>(count);
#pragma omp simd
    for (std::size_t lane = 0; lane < whole; ++lane) { evaluate_lane(functor, in, out, lane); }
    if constexpr (packs_lanes<F>) {
      functor.store_lanes(first, item, count, out);
    } else if constexpr (keeps_rows<F>) {
      queue.take(first, item, count, in, out);
      store_with_rows(functor, first, item, count, out);
    } else {
      for (std::size_t lane = 0; lane < count; ++lane) {
        Output output;
        output.each([&](int component, R& value) { value = out[component][lane]; });
        functor.store(first + item[lane], output);
      }
    }
  }
  if constexpr (keeps_rows<F>) { queue.finish(); }
}

}  // namespace scree::inline SCREE_BACKEND

#endif
