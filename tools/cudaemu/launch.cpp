// A launch: runs all its threads one after the other, in the requested order.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "emulator.hpp"

namespace cudaemu {

namespace {

/// Shared memory of a block; as large as the largest request so far.
std::uint8_t* shared_memory(std::uint32_t size) {
  static std::vector<std::uint64_t> words;
  words.resize(std::max<std::size_t>(words.size(), size / 8 + 3));
  return reinterpret_cast<std::uint8_t*>((reinterpret_cast<std::uintptr_t>(words.data()) + 15) / 16 * 16);
}

/// The coordinates of an index in a grid or block of these extents.
void place(std::uint32_t (&at)[3], std::uint64_t number, const std::uint32_t (&extent)[3]) {
  at[0] = static_cast<std::uint32_t>(number % extent[0]);
  at[1] = static_cast<std::uint32_t>(number / extent[0] % extent[1]);
  at[2] = static_cast<std::uint32_t>(number / extent[0] / extent[1]);
}

/// Thread k of the order is (first + k * stride) mod n, with a stride of 1, of -1, or without a common factor with n.
struct ThreadOrder {
  std::uint64_t first = 0, stride = 1;

  explicit ThreadOrder(std::uint64_t n) {
    if (settings().order == Order::backward) { stride = n - 1, first = n - 1; }
    if (settings().order != Order::shuffled) { return; }
    const std::uint64_t x = (settings().seed + this_launch) * 0x9E3779B97F4A7C15ull;
    stride = n == 1 ? 1 : (x >> 20) % (n - 1) + 1;
    while (std::gcd(stride, n) != 1) { stride = stride % n + 1; }
    first = (x >> 7) % n;
  }
};

void run_threads(const EmuKernel& code, Thread& thread, std::uint64_t per_block, std::uint64_t blocks) {
  thread.local_size = 1 << 20;
  thread.local = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)) - thread.local_size;
  current_thread = &thread;
  const std::uint64_t n = blocks * per_block;
  const ThreadOrder order(n);
  const bool flat = thread.ntid[1] == 1 && thread.ntid[2] == 1;
  std::uint64_t last_block = ~0ull, i = order.first;
  for (std::uint64_t k = 0; k < n; ++k) {
    const std::uint64_t b = i / per_block, t = i - b * per_block;
    if (b != last_block) { place(thread.ctaid, last_block = b, thread.nctaid); }
    if (flat) {
      thread.tid[0] = static_cast<std::uint32_t>(t);
    } else {
      place(thread.tid, t, thread.ntid);
    }
    thread.lane = t % 32, thread.warp = static_cast<std::uint32_t>(t / 32), thread.id = i, thread.fences = 0;
    code.body(&thread);
    i += order.stride;
    if (i >= n) { i -= n; }
  }
  current_thread = nullptr;
}

/// Runs blocks in ascending order: a block that waits for an earlier one finds it finished.
void run_blocks(const EmuKernel& code, Thread& model, std::uint64_t per_block, std::uint64_t blocks) {
  for (std::uint64_t b = 0; b < blocks; ++b) {
    std::memset(model.shared, 0xFF, model.shared_size);
    place(model.ctaid, b, model.nctaid);
    model.id = b * per_block;
    run_block_of_fibers(code, model, static_cast<std::uint32_t>(per_block));
  }
}

}  // namespace

cudaError_t prepare(Kernel* kernel, dim3 grid, dim3 block, void** arguments, std::size_t dynamic, Launch& launch) {
  if (kernel == nullptr) { return fail(cudaErrorInvalidDeviceFunction); }
  const std::uint64_t per_block = std::uint64_t(block.x) * block.y * block.z;
  const std::uint64_t blocks = std::uint64_t(grid.x) * grid.y * grid.z;
  if (per_block == 0 || per_block > 1024 || blocks == 0 || grid.x > 2147483647u || grid.y > 65535 || grid.z > 65535) {
    return fail(cudaErrorInvalidConfiguration);
  }
  load(*kernel);
  const EmuKernel& code = *kernel->code;
  if (code.shared_size + dynamic > 227 * 1024) { return fail(cudaErrorInvalidValue); }
  // ptxas refuses this; nvcc for a virtual architecture does not.
  if (code.shared_size > 48 * 1024) { fatal("%u bytes of static shared memory: 49152 are allowed", code.shared_size); }
  if (code.params_size > 32764) { fatal("%u bytes of parameters: 32764 are allowed", code.params_size); }

  launch = {kernel, grid, block, dynamic, std::vector<std::uint64_t>((code.params_size + 15) / 8)};
  auto* bytes = reinterpret_cast<std::uint8_t*>(launch.parameters.data());
  for (std::uint32_t i = 0; i < code.n_params; ++i) {
    std::memcpy(bytes + code.params[i].offset, arguments[i], code.params[i].size);
  }
  return cudaSuccess;
}

void run(const Launch& launch) {
  const dim3 grid = launch.grid, block = launch.block;
  const EmuKernel& code = *launch.kernel->code;
  const std::uint64_t per_block = std::uint64_t(block.x) * block.y * block.z;
  const std::uint64_t blocks = std::uint64_t(grid.x) * grid.y * grid.z;
  std::vector<std::uint64_t> parameters = launch.parameters;
  Thread model{};
  model.ntid[0] = block.x, model.ntid[1] = block.y, model.ntid[2] = block.z;
  model.nctaid[0] = grid.x, model.nctaid[1] = grid.y, model.nctaid[2] = grid.z;
  model.dynamic_shared = static_cast<std::uint32_t>(launch.dynamic);
  model.dynamic_offset = (code.shared_size + 15) / 16 * 16;
  model.shared_size = static_cast<std::uint32_t>(model.dynamic_offset) + model.dynamic_shared;
  model.shared = shared_memory(model.shared_size);
  model.shared_address = reinterpret_cast<std::uint64_t>(model.shared);
  model.params = reinterpret_cast<std::uint8_t*>(parameters.data());
  std::memset(model.shared, 0xFF, model.shared_size);

  ++this_launch;
  current_kernel = launch.kernel->name;
  Counts& seen = counts();
  ++seen.launches;
  seen.threads += blocks * per_block;
  ++seen.of_kernel[launch.kernel->name];
  code.fibers ? run_blocks(code, model, per_block, blocks) : run_threads(code, model, per_block, blocks);
}

}  // namespace cudaemu
