#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>

#include "kernels/backend/buffer.hpp"
#include "kernels/backend/transpose.hpp"

#if !SCREE_ON_CUDA
#include <omp.h>
#endif

namespace scree::inline SCREE_BACKEND {

/// Throws BackendError with the label when a launch failed. Does nothing on the host.
void check_launch(const char* label);
/// Waits until all launches are done.
void wait_for_backend();
#if SCREE_ON_CUDA
/// [bytes] of memory of its own that each thread of a kernel has, beside its registers.
[[nodiscard]] std::size_t local_bytes_of(const void* kernel);
/// [bytes] that the driver sets aside for so much of each thread that can be at work at a time.
[[nodiscard]] std::uint64_t bytes_for_threads(std::size_t local_bytes);
#endif

struct StageClock {
  double seconds = 0;
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;  ///< least memory traffic, where callers counted it
};

#if SCREE_EMULATE_BATCHES
/// Length of a batch of steps: of the variable SCREE_BATCH of the environment, 16 without; tests change it.
inline std::uint64_t& emulated_batch() {
  static std::uint64_t length = [] {
    const char* text = std::getenv("SCREE_BATCH");
    return text != nullptr ? std::max(std::strtoull(text, nullptr, 10), 1ULL) : 16;
  }();
  return length;
}
#endif

/// Whether items have so much to remember that it is worth to take it to the stage and back by whole vectors: their
/// state is loaded and stored without it (load_state, each_state), their Inputs and Outputs end with it, and row(item)
/// is where it stands in memory: `row_width` numbers. Between evaluate and store comes what needs jumps. On a GPU that
/// is finish(); items for which it answers no are deferred, to a launch of their own. On the host a queue() takes note
/// of such items from each stage, and deals with them after they were stored.
template <class F>
inline constexpr bool keeps_rows = requires {
  requires F::keeps_rows;
};

#if SCREE_ON_CUDA

template <class F>
struct block_size_of {
  static constexpr int value = 128;
};
template <class F>
requires(F::block_size > 0) struct block_size_of<F> {
  static constexpr int value = F::block_size;
};

template <class F>
__global__ void __launch_bounds__(block_size_of<F>::value) run_each(const F functor, const std::size_t n) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) { functor(i); }
}

template <class F>
__global__ void __launch_bounds__(block_size_of<F>::value) run_stretch(const F functor, const std::size_t n) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) { functor(i, i + 1); }
}

template <class F>
__global__ void __launch_bounds__(block_size_of<F>::value) run_selected(const F functor, const std::size_t n) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) { return; }
  const auto geometry = functor.look(i);
  if (geometry.chosen) {
    if constexpr (keeps_rows<F>) {
      const auto input = functor.load(i, geometry);
      auto output = functor.evaluate(input);
      if (functor.finish(i, output.stack.change, input)) {
        functor.store(i, output);
      } else {
        functor.defer(i);
      }
    } else {
      functor.store(i, functor.evaluate(functor.load(i, geometry)));
    }
  } else if (functor.must_reject(i)) {
    functor.reject(i);
  }
}

#else

/// Lanes gathered before the vector loop of for_selected runs; its stage stays within the first-level cache.
inline constexpr std::size_t stage_lanes = 64;
/// How many items ahead the state of an item is asked for, on the host.
inline constexpr std::size_t prefetch_distance = 24;

/// Body of the vector loop. A function of its own: structs declared inside a simd loop would become arrays of structs,
/// which g++ does not take apart again.
template <class F, class R, int n_in, int n_out>
SCREE_INLINE void evaluate_lane(const F& functor, const R (&in)[n_in][stage_lanes], R (&out)[n_out][stage_lanes],
                                std::size_t lane) {
  typename F::Input input;
  input.each([&](int component, R& value) { value = in[component][lane]; });
  typename F::Output output = functor.evaluate(input);
  output.each([&](int component, R& value) { out[component][lane] = value; });
}

template <class F, class R, int n_in>
SCREE_INLINE void load_with_rows(const F& functor, std::size_t first, const std::uint32_t* item, std::size_t count,
                                 R (&in)[n_in][stage_lanes]) {
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
                                  R (&out)[n_out][stage_lanes]) {
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

/// Works through [begin, end): selected items are packed into a stage, component by component, and evaluated by one
/// vector loop. Lanes do the same IEEE operations as a scalar loop would, so packing changes no bit.
template <class F>
void run_selected_range(const F& functor, std::size_t begin, std::size_t end) {
  using Input = typename F::Input;
  using Output = typename F::Output;
  using R = typename F::Scalar;
  alignas(64) R in[Input::n_components][stage_lanes];
  alignas(64) R out[Output::n_components][stage_lanes];
  std::uint32_t item[stage_lanes];
  for (auto& component : in) { std::fill_n(component, stage_lanes, R(1)); }
  [[maybe_unused]] auto queue = queue_of(functor);

  for (std::size_t first = begin; first < end; first += stage_lanes) {
    const std::size_t last = first + stage_lanes < end ? first + stage_lanes : end;
    std::size_t count = 0;
    for (std::size_t i = first; i < last; ++i) {
      functor.prefetch(i + prefetch_distance);
      // Which items are chosen is hard to predict: count instead of jump. Items to reject are rare.
      auto geometry = functor.look(i);
      const bool chosen = geometry.chosen;
      item[count] = static_cast<std::uint32_t>(i - first);
      geometry.each([&](int component, R& value) { in[component][count] = value; });
      count += chosen ? 1 : 0;
      if (static_cast<unsigned>(!chosen) & static_cast<unsigned>(functor.must_reject(i))) { functor.reject(i); }
    }
    if constexpr (keeps_rows<F>) {
      load_with_rows(functor, first, item, count, in);
    } else {
      for (std::size_t lane = 0; lane < count; ++lane) {
        Input input = functor.load_state(first + item[lane]);
        input.each_state([&](int component, R& value) { in[component][lane] = value; });
        input.history = functor.history_of_slot(first + item[lane]);
        input.each_history([&](int component, R& value) { in[component][lane] = value; });
      }
    }
    // Whole vectors: the lanes past the last one hold old values, and nobody reads what they give.
    const std::size_t whole = (count + 15) / 16 * 16;
#pragma omp simd
    for (std::size_t lane = 0; lane < whole; ++lane) { evaluate_lane(functor, in, out, lane); }
    if constexpr (keeps_rows<F>) {
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

#endif

/// How items hang together with their owners; see Exec::for_items_then_each.
struct ItemOrder {
  Span<offset_t> chunk_start;       ///< [n_chunks + 1] first item of each chunk of owners
  std::size_t chunk_size;           ///< owners per chunk
  Span<std::uint32_t> lowest_item;  ///< [n_owners] first item that an owner takes part in
};

/// Launches functors over index ranges and keeps the time of each label. A functor is trivially copyable, has a name
/// that says what it computes, and writes only what belongs to its index.
class Exec {
 public:
  explicit Exec(int threads) : threads_(threads) {
#if !SCREE_ON_CUDA
    omp_set_num_threads(threads);  // for the primitives, which use the default team
#endif
  }

  [[nodiscard]] int threads() const { return threads_; }
  /// True where launches return before they are done, or where a build for tests acts as if they did.
  [[nodiscard]] static constexpr bool asynchronous() { return SCREE_IN_BATCHES != 0; }
  /// How many steps are launched at most before the driver looks at what became of them.
  [[nodiscard]] static std::uint64_t steps_ahead() {
#if SCREE_EMULATE_BATCHES
    return emulated_batch();
#else
    return asynchronous() ? 16 : 1;
#endif
  }

  /// functor(i) for i in [0, n), one thread per index. `bytes` is the least memory traffic, for reports.
  template <class F>
  void for_each(const char* label, std::size_t n, const F& functor, std::uint64_t bytes = 0) {
    if (n == 0) { return; }
    const auto start = now();
#if SCREE_ON_CUDA
    constexpr int block = block_size_of<F>::value;
    note_local_bytes(run_each<F>);
    run_each<F><<<static_cast<unsigned>((n + block - 1) / block), block>>>(functor, n);
    check_launch(label);
#else
    const int threads = threads_for(n);
    if (threads == 1) {
      for (std::size_t i = 0; i < n; ++i) { functor(i); }
    } else {
#pragma omp parallel for schedule(static) num_threads(threads)
      for (std::size_t i = 0; i < n; ++i) { functor(i); }
    }
#endif
    record(label, start, bytes);
  }

  /// functor(begin, end) for stretches that cover [0, n): of one index each on a GPU, longer on the host, where a
  /// thread can hand on what it learnt from one index to the next.
  template <class F>
  void for_stretches(const char* label, std::size_t n, const F& functor, std::uint64_t bytes = 0) {
    if (n == 0) { return; }
    const auto start = now();
#if SCREE_ON_CUDA
    constexpr int block = block_size_of<F>::value;
    note_local_bytes(run_stretch<F>);
    run_stretch<F><<<static_cast<unsigned>((n + block - 1) / block), block>>>(functor, n);
    check_launch(label);
#else
    constexpr std::size_t length = 256;
    const std::size_t stretches = (n + length - 1) / length;
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads_for(n))
    for (std::size_t s = 0; s < stretches; ++s) { functor(s * length, std::min(n, (s + 1) * length)); }
#endif
    record(label, start, bytes);
  }

  /// functor(lane) for each lane; together the lanes work through n indices.
  template <class F>
  void for_lanes(const char* label, std::size_t lanes, std::size_t n, const F& functor, std::uint64_t bytes = 0) {
#if SCREE_ON_CUDA
    static_cast<void>(n);
    for_each(label, lanes, functor, bytes);
#else
    const auto start = now();
#pragma omp parallel for schedule(static) num_threads(threads_for(n))
    for (std::size_t i = 0; i < lanes; ++i) { functor(i); }
    record(label, start, bytes);
#endif
  }

  /// functor.look(i) decides: chosen indices run load -> evaluate -> store, the others reject where they must_reject.
  /// prefetch(i) is a hint and may see indices past the end. evaluate is pure
  /// arithmetic without jumps, on structs of scalars that list their components by each(); on the host it is the
  /// body of a vector loop.
  template <class F>
  void for_selected(const char* label, std::size_t n, const F& functor) {
    if (n == 0) { return; }
    const auto start = now();
#if SCREE_ON_CUDA
    constexpr int block = block_size_of<F>::value;
    note_local_bytes(run_selected<F>);
    run_selected<F><<<static_cast<unsigned>((n + block - 1) / block), block>>>(functor, n);
    check_launch(label);
#else
    const int threads = threads_for(n);
    if (threads == 1) {
      run_selected_range(functor, 0, n);
    } else {
#pragma omp parallel num_threads(threads)
      {
        const auto team = static_cast<std::size_t>(omp_get_num_threads());
        const auto rank = static_cast<std::size_t>(omp_get_thread_num());
        run_selected_range(functor, n * rank / team, n * (rank + 1) / team);
      }
    }
#endif
    record(label, start);
  }

  /// Items first, then each owner. `items` run as for_selected does, in one or several passes: by items.launch(*this,
  /// n) on a GPU, by items.run(begin, end) on the host. An item may read the state of its two owners; it stands in the
  /// stretch of the one that comes first, `order.items_of` chunk by chunk, and an owner reads what its items stored. So
  /// on the host an owner can follow as soon as the items of its own chunk are done, while everything is still in the
  /// cache: no later item reads it. Owners that take part in an item of another thread wait until all threads are
  /// through.
  template <class Items, class Owner>
  void for_items_then_each(const char* item_label, std::size_t n_items, const Items& items, const char* owner_label,
                           std::size_t n_owners, const Owner& owner, [[maybe_unused]] const ItemOrder& order) {
#if SCREE_ON_CUDA
    static_cast<void>(item_label);
    items.launch(*this, n_items);
    for_each(owner_label, n_owners, owner);
#else
    if (threads_ > 1 && threads_for(n_owners) == 1) {  // too few to share
      const auto start = now();
      if (n_items > 0) { items.run(0, n_items); }
      record(item_label, start);
      for_each(owner_label, n_owners, owner);
      return;
    }
    const auto start = now();
#pragma omp parallel num_threads(threads_)
    {
      const auto team = static_cast<std::size_t>(omp_get_num_threads());
      const auto rank = static_cast<std::size_t>(omp_get_thread_num());
      const std::size_t n_chunks = order.chunk_start.size - 1;
      const std::size_t last_chunk = n_chunks * (rank + 1) / team;
      std::size_t chunk = n_chunks * rank / team;
      const std::size_t first_owner = chunk * order.chunk_size;
      const offset_t first_item = order.chunk_start[chunk];
      std::size_t owners_done = first_owner;
      std::size_t n_waiting = 0;
      for (; chunk < last_chunk; ++chunk) {
        items.run(order.chunk_start[chunk], order.chunk_start[chunk + 1]);
        const std::size_t end = (chunk + 1) * order.chunk_size < n_owners ? (chunk + 1) * order.chunk_size : n_owners;
        for (; owners_done < end; ++owners_done) {
          owner.prefetch(owners_done + 4);
          if (order.lowest_item[owners_done] >= first_item) {
            owner(owners_done);
          } else {
            ++n_waiting;
          }
        }
      }
#pragma omp barrier
      for (std::size_t i = first_owner; n_waiting > 0; ++i) {
        if (order.lowest_item[i] < first_item) {
          owner(i);
          --n_waiting;
        }
      }
    }
    record(item_label, start);
#endif
  }

  /// Time of a stretch of host code under a label, for stages that are not one launch.
  template <class Work>
  void timed(const char* label, Work&& work, std::uint64_t bytes = 0) {
    const auto start = now();
    work();
    record(label, start, bytes);
  }

  [[nodiscard]] const std::map<std::string, StageClock>& clocks() const { return clocks_; }

  /// [bytes] that a GPU sets aside for threads of the kernels launched so far; 0 on the host.
  [[nodiscard]] std::uint64_t thread_bytes() const {
#if SCREE_ON_CUDA
    return bytes_for_threads(most_local_bytes_);
#else
    return 0;
#endif
  }

 private:
  using Time = std::chrono::steady_clock::time_point;
  static Time now() { return std::chrono::steady_clock::now(); }

  void record(const char* label, Time start, std::uint64_t bytes = 0) {
    StageClock& clock = clocks_[label];
    clock.seconds += std::chrono::duration<double>(now() - start).count();
    ++clock.calls;
    clock.bytes += bytes;
  }

#if SCREE_ON_CUDA
  template <class Kernel>
  void note_local_bytes(Kernel* kernel) {
    static const std::size_t bytes = local_bytes_of(reinterpret_cast<const void*>(kernel));
    most_local_bytes_ = std::max(most_local_bytes_, bytes);
  }
  std::size_t most_local_bytes_ = 0;
#endif

  // Waking a team costs more than the work of a few hundred indices.
  [[nodiscard]] int threads_for(std::size_t n) const { return n < 512 ? 1 : threads_; }

  int threads_;
  std::map<std::string, StageClock> clocks_;
};

}  // namespace scree::inline SCREE_BACKEND
