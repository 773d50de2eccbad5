#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/backend/bound.hpp"
#include "kernels/backend/buffer.hpp"
#include "kernels/backend/cuda_launch.hpp"
#include "kernels/backend/host_sweep.hpp"
#include "kernels/backend/launch_log.hpp"
#include "kernels/backend/stream.hpp"

#if !SCREE_ON_CUDA
#include <omp.h>
#endif

namespace scree::inline SCREE_BACKEND {

/// Throws BackendError with the label if the last launch failed. Does nothing on the host.
void check_launch(const char* label);
/// Waits until all launches are done. Throws BackendError with the label if one of them failed.
void wait_for_backend(const char* label = "waiting for the GPU");
/// Whether the host waits after each launch from the start, so that a fault is reported with the label of its own
/// kernel and not with a later one: on a GPU in debug builds, and if the environment has SCREE_CUDA_WAIT=1.
[[nodiscard]] bool waits_by_default();
#if SCREE_ON_CUDA
/// [bytes] of local memory, beyond its registers, that each thread of a kernel has.
[[nodiscard]] std::size_t local_bytes_of(const void* kernel);
/// [bytes] that the driver sets aside for kernels whose threads need `local_bytes` each: this size for every thread
/// that can be resident at once.
[[nodiscard]] std::uint64_t bytes_for_threads(std::size_t local_bytes);
#endif

struct StageClock {
  double seconds = 0;
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;  ///< least memory traffic, where the caller stated it
};

#if SCREE_EMULATE_BATCHES
/// Length of a batch of steps. It is read from the environment variable SCREE_BATCH, with 16 as the default; tests
/// change it.
inline std::uint64_t& emulated_batch() {
  static std::uint64_t length = [] {
    const char* text = std::getenv("SCREE_BATCH");
    return text != nullptr ? std::max(std::strtoull(text, nullptr, 10), 1ULL) : 16;
  }();
  return length;
}
#endif

/// Whether a functor works on ranges of indices on the host.
template <class F>
inline constexpr bool works_on_ranges = requires(const F& functor) {
  functor.work_on(std::size_t(0), std::size_t(0));
};

/// Which items belong to which owners; see Exec::for_items_then_each.
struct ItemOrder {
  Span<offset_t> chunk_start;       ///< [n_chunks + 1] first item of each chunk of owners
  std::size_t chunk_size;           ///< owners per chunk
  Span<std::uint32_t> lowest_item;  ///< [n_owners] first item that an owner takes part in
};

/// Launches functors over index ranges and keeps the time of each label. A functor is trivially copyable, its name says
/// what it computes, and it writes only the results of its own index. What runs is bound(functor).
class Exec {
 public:
  explicit Exec(int threads) : threads_(threads) {
#if !SCREE_ON_CUDA
    omp_set_num_threads(threads);  // the primitives use the default team
#endif
  }

  [[nodiscard]] int threads() const { return threads_; }
  /// True where launches return before they are done, or where a build for tests imitates this.
  [[nodiscard]] static constexpr bool asynchronous() { return SCREE_IN_BATCHES != 0; }
  /// Largest number of steps that are launched before the driver reads their result.
  [[nodiscard]] static std::uint64_t steps_ahead() {
#if SCREE_EMULATE_BATCHES
    return emulated_batch();
#else
    return asynchronous() ? 64 : 1;
#endif
  }

  /// Runs functor(i) for i in [0, n), one thread per index; on the host functor.work_on(begin, end) for a range per
  /// thread, if there is such a function. `bytes` is the least memory traffic, for reports.
  template <class F>
  void for_each(const char* label, std::size_t n, const F& functor, std::uint64_t bytes = 0) {
    launchable(label, n, functor);
    if (n == 0) { return; }
    const auto start = now();
#if SCREE_ON_CUDA
    constexpr int block = block_size_of<F>::value;
    note_local_bytes(run_each<F>);
    run_each<F><<<static_cast<unsigned>((n + block - 1) / block), block, 0, backend_stream()>>>(functor, n);
    check_launch(label);
#else
    const int threads = threads_for(n);
    const auto& each = bound(functor);
    if constexpr (works_on_ranges<Bound<F>>) {
      each_range(threads, n, [&](std::size_t begin, std::size_t end) { each.work_on(begin, end); });
    } else if (threads == 1) {
      for (std::size_t i = 0; i < n; ++i) { each(i); }
    } else {
#pragma omp parallel for schedule(static) num_threads(threads)
      for (std::size_t i = 0; i < n; ++i) { each(i); }
    }
#endif
    record(label, start, bytes);
  }

  /// Runs functor(begin, end) for ranges that cover [0, n). A range is one index on a GPU and longer on the host, where
  /// a thread can use results of one index for the next.
  template <class F>
  void for_stretches(const char* label, std::size_t n, const F& functor, std::uint64_t bytes = 0) {
    launchable(label, n, functor);
    if (n == 0) { return; }
    const auto start = now();
#if SCREE_ON_CUDA
    constexpr int block = block_size_of<F>::value;
    note_local_bytes(run_stretch<F>);
    run_stretch<F><<<static_cast<unsigned>((n + block - 1) / block), block, 0, backend_stream()>>>(functor, n);
    check_launch(label);
#else
    constexpr std::size_t length = 256;
    const std::size_t stretches = (n + length - 1) / length;
    const auto& each = bound(functor);
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads_for(n))
    for (std::size_t s = 0; s < stretches; ++s) { each(s * length, std::min(n, (s + 1) * length)); }
#endif
    record(label, start, bytes);
  }

  /// Runs functor(lane) for each lane; together the lanes work through n indices.
  template <class F>
  void for_lanes(const char* label, std::size_t lanes, std::size_t n, const F& functor, std::uint64_t bytes = 0) {
    launchable(label, lanes, functor);
#if SCREE_ON_CUDA
    static_cast<void>(n);
    for_each(label, lanes, functor, bytes);
#else
    const auto start = now();
    const auto& each = bound(functor);
#pragma omp parallel for schedule(static) num_threads(threads_for(n))
    for (std::size_t i = 0; i < lanes; ++i) { each(i); }
    record(label, start, bytes);
#endif
  }

  /// Runs load -> evaluate -> store for each index that functor.look(i) chooses, and reject for each other index that
  /// must_reject. prefetch(i) is a hint and may be called with indices past the end. evaluate is arithmetic without
  /// jumps, on structs of scalars that list their components by each(), because on the host it is the body of a vector
  /// loop.
  template <class F>
  void for_selected(const char* label, std::size_t n, const F& functor) {
    launchable(label, n, functor);
    if (n == 0) { return; }
    const auto start = now();
#if SCREE_ON_CUDA
    constexpr int block = block_size_of<F>::value;
    note_local_bytes(run_selected<F>);
    run_selected<F><<<static_cast<unsigned>((n + block - 1) / block), block, 0, backend_stream()>>>(functor, n);
    check_launch(label);
#else
    const auto& chosen = bound(functor);
    each_range(threads_for(n), n, [&](std::size_t begin, std::size_t end) { run_selected_range(chosen, begin, end); });
#endif
    record(label, start);
  }

  /// Runs all items, then all owners. `items` run as in for_selected, in one or several passes: by items.launch(*this,
  /// n) on a GPU, by items.run(begin, end) on the host. An item may read the state of its two owners. It is listed in
  /// the chunk (`order.chunk_start`) of the owner that comes first, and an owner reads the results of its items. On the
  /// host an owner therefore runs as soon as the items of its own chunk are done, while its data are still in the
  /// cache: no later item reads this owner. Owners with an item of another thread wait until all threads have done
  /// their items.
  template <class Items, class Owner>
  void for_items_then_each(const char* item_label, std::size_t n_items, const Items& items, const char* owner_label,
                           std::size_t n_owners, const Owner& owner, [[maybe_unused]] const ItemOrder& order) {
    launchable(item_label, n_items, items);
    launchable(owner_label, n_owners, owner);
#if SCREE_ON_CUDA
    static_cast<void>(item_label);
    items.launch(*this, n_items);
    for_each(owner_label, n_owners, owner);
#else
    const auto& all = bound(items);
    if (threads_ > 1 && threads_for(n_owners) == 1) {  // too few owners to share among threads
      const auto start = now();
      if (n_items > 0) { all.run(0, n_items); }
      record(item_label, start);
      for_each(owner_label, n_owners, owner);
      return;
    }
    const auto& each = bound(owner);
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
        all.run(order.chunk_start[chunk], order.chunk_start[chunk + 1]);
        const std::size_t end = (chunk + 1) * order.chunk_size < n_owners ? (chunk + 1) * order.chunk_size : n_owners;
        while (owners_done < end) {
          const std::size_t first = owners_done;
          while (owners_done < end && order.lowest_item[owners_done] >= first_item) { ++owners_done; }
          each.work_on(first, owners_done);
          for (; owners_done < end && order.lowest_item[owners_done] < first_item; ++owners_done) { ++n_waiting; }
        }
      }
#pragma omp barrier
      for (std::size_t i = first_owner; n_waiting > 0; ++i) {
        if (order.lowest_item[i] < first_item) {
          each(i);
          --n_waiting;
        }
      }
    }
    record(item_label, start);
#endif
  }

  /// Adds the time of `work` to a label, for stages that are not one launch.
  template <class Work>
  void timed(const char* label, Work&& work, std::uint64_t bytes = 0) {
    const auto start = now();
    work();
    record(label, start, bytes);
  }

  [[nodiscard]] const std::map<std::string, StageClock>& clocks() const { return clocks_; }
  /// From now on each launch is waited for, so that the clocks show the time of the work on a GPU, too.
  void wait_for_launches() { waits_ = true; }
  [[nodiscard]] bool waits() const { return waits_; }

  /// From now on launches are recorded and not made (see StepGraph): `clocks` gets their clocks, and nothing is
  /// counted.
  void begin_recording(std::vector<StageClock*>& clocks) { recorded_ = &clocks; }
  void end_recording() { recorded_ = nullptr; }

  /// [bytes] that a GPU sets aside for the threads of the kernels launched so far; 0 on the host.
  [[nodiscard]] std::uint64_t thread_bytes() const {
#if SCREE_ON_CUDA
    return bytes_for_threads(most_local_bytes_);
#else
    return 0;
#endif
  }

 private:
  /// On a GPU a functor is a kernel parameter, which is copied byte by byte.
  template <class F>
  static void launchable(const char* label, std::size_t n, const F& functor) {
    static_assert(std::is_trivially_copyable_v<F>, "a functor that is launched must be trivially copyable");
    log_launch(label, n, functor);
  }

  using Time = std::chrono::steady_clock::time_point;
  static Time now() { return std::chrono::steady_clock::now(); }

  void record(const char* label, Time start, std::uint64_t bytes = 0) {
    if (waits_) { wait_for_backend(label); }
    StageClock& clock = clocks_[label];
    if (recorded_ != nullptr) {
      recorded_->push_back(&clock);
      return;
    }
    clock.seconds += std::chrono::duration<double>(now() - start).count();
    ++clock.calls;
    clock.bytes += bytes;
  }

#if !SCREE_ON_CUDA
  /// Divides [0, n) among the threads: one range for each.
  template <class Work>
  static void each_range(int threads, std::size_t n, Work&& work) {
    if (threads == 1) { return work(std::size_t(0), n); }
#pragma omp parallel num_threads(threads)
    {
      const auto team = static_cast<std::size_t>(omp_get_num_threads());
      const auto rank = static_cast<std::size_t>(omp_get_thread_num());
      work(n * rank / team, n * (rank + 1) / team);
    }
  }
#endif

#if SCREE_ON_CUDA
  template <class Kernel>
  void note_local_bytes(Kernel* kernel) {
    static const std::size_t bytes = local_bytes_of(reinterpret_cast<const void*>(kernel));
    most_local_bytes_ = std::max(most_local_bytes_, bytes);
  }
  std::size_t most_local_bytes_ = 0;
#endif

  // Starting a team of threads costs more than the work of a few hundred indices.
  [[nodiscard]] int threads_for(std::size_t n) const { return n < 512 ? 1 : threads_; }

  int threads_;
  bool waits_ = waits_by_default();
  std::map<std::string, StageClock> clocks_;
  std::vector<StageClock*>* recorded_ = nullptr;  ///< see begin_recording()
};

}  // namespace scree::inline SCREE_BACKEND
