// Threads of a block that wait for each other: fibers with a switch of their own, barriers, and exchanges within a
// warp.
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

#include "emulator.hpp"

extern "C" void emu_switch(void** save, void* load);
asm(R"(
.text
.globl emu_switch
.type emu_switch,@function
emu_switch:
  push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp
  ret
.size emu_switch,.-emu_switch
)");

namespace {
struct Fiber {
  Thread thread;
  void* stack_pointer;
  std::uint64_t values[32];  ///< values of the last exchange, by lane
  const char* waits_at;
  bool done;
};
struct Meeting {  ///< a meeting of the lanes of a mask
  std::uint32_t warp, mask, arrived;
  std::uint64_t values[32];
};
struct Barrier {
  std::uint32_t arrived = 0, yes = 0, generation = 0;
  std::uint64_t result = 0;
};
constexpr std::size_t stack_bytes = 256 << 10;
}  // namespace

/// The running block.
struct Block {
  std::vector<Fiber> fibers;
  std::vector<Meeting> meetings;
  Barrier barriers[16];
  Fiber* running = nullptr;
  void* scheduler = nullptr;
  std::uint32_t alive = 0;
  std::uint64_t progress = 0;
  void (*body)(Thread*) = nullptr;
};

namespace cudaemu {
namespace {

std::uint8_t* stack_of(std::size_t i) {
  static std::vector<std::uint8_t*> stacks;
  while (stacks.size() <= i) {
    auto* p = static_cast<std::uint8_t*>(
        mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (p == MAP_FAILED) { fatal("no memory for stacks"); }
    mprotect(p, 4096, PROT_NONE);
    stacks.push_back(p);
  }
  return stacks[i];
}

Block* running_block = nullptr;

void back_to_scheduler(Block& b) { emu_switch(&b.running->stack_pointer, b.scheduler); }

[[noreturn]] void fiber_start() {
  Block& b = *running_block;
  b.body(&b.running->thread);
  Fiber& f = *b.running;
  f.done = true;
  --b.alive;
  ++b.progress;
  // Threads that have ended count as arrived.
  for (Barrier& barrier : b.barriers) {
    if (barrier.arrived > 0 && barrier.arrived >= b.alive) {
      barrier.result = std::uint64_t(barrier.arrived) << 32 | barrier.yes;
      barrier.arrived = barrier.yes = 0;
      ++barrier.generation;
      ++this_phase;
    }
  }
  back_to_scheduler(b);
  std::abort();
}

void permutation(std::vector<std::uint32_t>& order, std::uint64_t seed) {
  std::iota(order.begin(), order.end(), 0u);
  if (settings().order == Order::backward) { std::reverse(order.begin(), order.end()); }
  if (settings().order == Order::shuffled) {
    std::uint64_t x = seed * 6364136223846793005ull + 1442695040888963407ull;
    for (std::size_t i = order.size(); i > 1; --i) {
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
      std::swap(order[i - 1], order[x % i]);
    }
  }
}

}  // namespace

void run_block_of_fibers(const EmuKernel& code, const Thread& model, std::uint32_t n) {
  static Block b;
  b.fibers.resize(n);
  b.meetings.clear();
  for (Barrier& barrier : b.barriers) { barrier = Barrier{}; }
  b.alive = n;
  b.body = code.body;
  running_block = &b;
  for (std::uint32_t i = 0; i < n; ++i) {
    Fiber& f = b.fibers[i];
    f.thread = model;
    f.thread.tid[0] = i % model.ntid[0], f.thread.tid[1] = i / model.ntid[0] % model.ntid[1],
    f.thread.tid[2] = i / model.ntid[0] / model.ntid[1];
    f.thread.lane = i % 32, f.thread.warp = i / 32, f.thread.id = model.id + i, f.thread.block = &b;
    f.thread.local = reinterpret_cast<std::uint64_t>(stack_of(i)), f.thread.local_size = stack_bytes;
    f.done = false;
    f.waits_at = "start";
    auto* top = reinterpret_cast<void**>(stack_of(i) + stack_bytes);
    *--top = nullptr;
    *--top = reinterpret_cast<void*>(&fiber_start);
    for (int k = 0; k < 6; ++k) { *--top = nullptr; }
    f.stack_pointer = top;
  }
  std::vector<std::uint32_t> order(n);
  permutation(order, settings().seed + this_launch * 1000003ull + model.ctaid[0]);
  std::uint64_t idle = 0;
  while (b.alive > 0) {
    const std::uint64_t before = b.progress;
    for (const std::uint32_t i : order) {
      Fiber& f = b.fibers[i];
      if (f.done) { continue; }
      b.running = &f;
      current_thread = &f.thread;
      emu_switch(&b.scheduler, f.stack_pointer);
    }
    idle = b.progress == before ? idle + 1 : 0;
    if (idle > 1000) {
      for (const Fiber& f : b.fibers) {
        if (!f.done) { say("  thread %u waits at %s", f.thread.tid[0], f.waits_at); }
      }
      fatal("threads of a block wait for each other for ever");
    }
  }
  current_thread = nullptr;
}

}  // namespace cudaemu

using namespace cudaemu;

extern "C" {

void emu_yield(Thread* c) {
  if (c->block != nullptr) { back_to_scheduler(*c->block); }
}

void emu_barrier(Thread* c, std::uint32_t id, std::uint32_t count, const char* site) {
  emu_barrier_count(c, id, count, false, site);
}

std::uint64_t emu_barrier_count(Thread* c, std::uint32_t id, std::uint32_t count, bool p, const char* site) {
  Block& b = *c->block;
  Barrier& barrier = b.barriers[id & 15];
  b.running->waits_at = site;
  ++b.progress;
  barrier.yes += p;
  const std::uint32_t needed = count == 0 ? b.alive : count;
  if (++barrier.arrived >= needed) {
    barrier.result = std::uint64_t(barrier.arrived) << 32 | barrier.yes;
    barrier.arrived = barrier.yes = 0;
    ++barrier.generation;
    ++this_phase;
  } else {
    const std::uint32_t mine = barrier.generation;
    while (barrier.generation == mine) { back_to_scheduler(b); }
  }
  return barrier.result;
}

const std::uint64_t* emu_exchange(Thread* c, std::uint32_t mask, std::uint64_t value, const char* site) {
  Block& b = *c->block;
  Fiber& f = *b.running;
  f.waits_at = site;
  if (!(mask >> c->lane & 1)) { fatal("a lane is not in the mask 0x%08x of its own warp operation at %s", mask, site); }
  const std::uint32_t first = c->warp * 32, n = static_cast<std::uint32_t>(b.fibers.size());
  Meeting* m = nullptr;
  for (Meeting& other : b.meetings) {
    if (other.warp == c->warp && other.mask == mask && other.arrived != mask) { m = &other; }
  }
  if (m == nullptr) {
    for (std::uint32_t l = 0; l < 32; ++l) {
      if ((mask >> l & 1) && first + l < n && b.fibers[first + l].done) {
        fatal("lane %u has ended, but is in the mask 0x%08x at %s", l, mask, site);
      }
    }
    b.meetings.push_back(Meeting{c->warp, mask, 0, {}});
    m = &b.meetings.back();
  }
  m->values[c->lane] = value;
  m->arrived |= 1u << c->lane;
  ++b.progress;
  std::uint32_t missing = mask;
  if (first + 32 > n) { missing &= (1u << (n - first)) - 1; }  // lanes that do not exist
  if ((m->arrived & missing) == missing) {
    ++this_phase;
    // All lanes have arrived: each takes the values.
    for (std::uint32_t l = 0; l < 32 && first + l < n; ++l) {
      if (mask >> l & 1) {
        std::memcpy(b.fibers[first + l].values, m->values, sizeof m->values);
        b.fibers[first + l].waits_at = nullptr;
      }
    }
    *m = b.meetings.back();
    b.meetings.pop_back();
    return f.values;
  }
  while (f.waits_at != nullptr) { back_to_scheduler(b); }
  return f.values;
}

}  // extern "C"
