// The checks of CUDAEMU_CHECK: every memory access of a kernel, and conflicts with other accesses to the same bytes in
// the launch.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "emulator.hpp"

namespace cudaemu {
namespace {

void report_conflict(std::uint64_t address, const char* what, std::uint32_t first, const char* first_site,
                     std::uint64_t second, const char* site, bool same) {
  (same ? counts().same_value : counts().conflicts)++;
  static std::map<std::string, std::uint64_t> seen;
  std::string key = current_kernel + " | " + what + (same ? " (same value)" : "") + " | " + first_site + " | " + site;
  if (seen[key]++ > 0) { return; }
  char text[3000];
  std::snprintf(text, sizeof text, "%s%s: %s\n    %s\n    thread %u at %s\n    thread %llu at %s",
                same ? "conflict, same value: " : "CONFLICT: ", what, memory().describe(address).c_str(),
                current_kernel.c_str(), first - 1, first_site, (unsigned long long)second, site);
  say("%s", text);
}

const char* last_site = "?";

/// One access of a kernel.
struct Access {
  Thread* thread;
  std::uint64_t address;
  std::uint32_t size, kind;
  const char* site;
  const void* value;  ///< value that it writes; null if unknown
  [[nodiscard]] bool writes() const { return (kind & 1) != 0; }
  [[nodiscard]] bool strong() const { return kind >= ATOMIC; }

  [[noreturn]] void wrong(const char* what) const {
    const char* name = kind == ATOMIC ? "atomic" : writes() ? "write" : "read";
    fatal("%s: %s of %u bytes at %s, at %s", what, name, size, memory().describe(address).c_str(), site);
  }
};

/// An allocated range of device memory; one look-up serves neighbouring accesses.
void expect_allocated(const Access& a) {
  static std::uint64_t start = 0, length = 0;
  static std::uint32_t valid_for = ~0u;
  if (valid_for == this_launch && a.address >= start && a.address - start + a.size <= length) { return; }
  const auto it = memory().before(a.address);
  if (!Memory::is_device(a.address) || it == memory().all.end() || !it->second.live ||
      a.address - it->first + a.size > it->second.size) {
    a.wrong("no valid device memory");
  }
  start = it->first, length = it->second.size, valid_for = this_launch;
}

/// The phases that the last fences of blocks began, in one launch.
struct Fences {
  std::uint32_t launch = 0;
  std::map<std::uint64_t, std::uint32_t> phase;
};
Fences& fences() {
  static Fences all;
  if (all.launch != this_launch) { all = {this_launch, {}}; }
  return all;
}

std::uint64_t threads_per_block(const Thread& thread) {
  return std::uint64_t(thread.ntid[0]) * thread.ntid[1] * thread.ntid[2];
}

/// Whether an access is ordered after one by `other` (index + 1; ~0: several threads) in an earlier phase. Within a
/// block it is if threads have waited for each other in between. Otherwise both sides must have passed a fence in
/// between; what is read to find that out is not looked at.
bool ordered(const Access& a, std::uint32_t other, std::uint32_t phase) {
  if (a.thread->block == nullptr || phase == this_phase) { return false; }
  if (other == ~0u) { return a.thread->fences > 0; }
  const std::uint64_t per_block = threads_per_block(*a.thread), block = (other - 1) / per_block;
  if (block == a.thread->id / per_block) { return true; }
  const auto fence = fences().phase.find(block);
  return a.thread->fences > 0 && fence != fences().phase.end() && phase < fence->second;
}

/// Whether the access conflicts with an access to byte i by another thread of the launch; reported once per access.
bool conflicts(const Access& a, std::uint32_t i, const Touch& touch) {
  const std::uint32_t me = static_cast<std::uint32_t>(a.thread->id) + 1;
  const bool written = touch.writer != 0 && touch.writer != me && !(a.strong() && touch.writer_strong) &&
                       !ordered(a, touch.writer, touch.writer_phase);
  const bool read = touch.reader != 0 && touch.reader != me && !(a.strong() && touch.reader_strong) &&
                    !ordered(a, touch.reader, touch.reader_phase);
  const std::uint64_t at = a.address + i;
  if (!a.writes()) {
    if (written) {
      report_conflict(at, "read after another thread's write", touch.writer, touch.writer_site, a.thread->id, a.site,
                      false);
    }
    return written;
  }
  const bool same = a.value != nullptr && std::memcmp(a.value, Memory::bytes(a.address), a.size) == 0;
  if (written) {
    report_conflict(at, "two threads write", touch.writer, touch.writer_site, a.thread->id, a.site, same);
  } else if (read) {
    report_conflict(at, "write after another thread's read", touch.reader == ~0u ? 0 : touch.reader, touch.reader_site,
                    a.thread->id, a.site, same);
  }
  return written || read;
}

void note(const Access& a, Touch& touch) {
  const std::uint32_t me = static_cast<std::uint32_t>(a.thread->id) + 1;
  const std::uint8_t strong = a.strong() ? 1 : 0;
  if (a.writes()) {
    touch.writer_strong = touch.writer == 0 ? strong : touch.writer_strong & strong;
    touch.writer = me, touch.writer_site = a.site, touch.writer_phase = this_phase;
    return;
  }
  touch.reader_strong &= strong;
  if (touch.reader == 0 || touch.reader == me || ordered(a, touch.reader, touch.reader_phase)) {
    touch.reader = me, touch.reader_site = a.site, touch.reader_phase = this_phase;
  } else if (touch.reader != me) {
    touch.reader = ~0u;
  }
}

void look_at_bytes(const Access& a) {
  Touch* const t = touches() + (a.address - emu_arena);
  const bool reads = a.kind != WRITE && a.kind != STRONG_WRITE;
  // Blocks of CUB wait for each other by flags in memory. That order is not followed.
  const bool waits_by_memory = a.thread->block != nullptr && current_kernel.find("cub") != std::string::npos;
  bool unknown = false, told = false;
  for (std::uint32_t i = 0; i < a.size; ++i) {
    Touch& touch = t[i];
    unknown = unknown || (reads && !touch.known);
    if (a.writes()) { touch.known = 1; }
    if (!settings().race || waits_by_memory) { continue; }
    if (touch.launch != this_launch) {
      touch.launch = this_launch;
      touch.writer = touch.reader = 0;
      touch.writer_strong = touch.reader_strong = 1;
    }
    told = told || conflicts(a, i, touch);
    note(a, touch);
  }
  if (!unknown) { return; }
  static std::map<std::string, int> seen;
  ++counts().faults;
  if (seen[current_kernel + a.site]++ == 0) {
    say("UNINITIALISED read of %u bytes at %s\n    %s at %s", a.size, memory().describe(a.address).c_str(),
        current_kernel.c_str(), a.site);
  }
}

}  // namespace
}  // namespace cudaemu

using namespace cudaemu;

extern "C" {

void emu_fence(Thread* c) {
  ++c->fences;
  if (settings().race) { fences().phase[c->id / threads_per_block(*c)] = ++this_phase; }
}

void emu_doubtful(const char* what) {
  if (current_thread != nullptr && current_thread->block == nullptr &&
      current_kernel.find("cub") == std::string::npos) {
    static std::map<std::string, int> seen;
    ++counts().doubtful;
    if (seen[current_kernel + what + last_site]++ == 0) {
      say("DOUBTFUL: %s\n    %s, thread %llu, soon after %s", what, current_kernel.c_str(),
          (unsigned long long)current_thread->id, last_site);
    }
  }
}

std::uint8_t* emu_check(Thread* c, std::uint64_t address, std::uint32_t size, std::uint32_t space, std::uint32_t access,
                        const char* site, const void* value) {
  last_site = site;
  if (space == SHARED) { address &= 0xffffffffu; }
  const Access a{c, address, size, access, site, value};
  if (space == SHARED) {
    if (address % std::min(size, 16u) != 0) { a.wrong("misaligned shared memory"); }
    if (address + size > c->shared_size) { a.wrong("outside of shared memory"); }
    return c->shared + address;
  }
  if (space == GENERIC && !Memory::is_device(address)) {
    if (address - c->shared_address < c->shared_size) { return reinterpret_cast<std::uint8_t*>(address); }
    space = LOCAL;
  }
  if (address % std::min(size, 16u) != 0) { a.wrong("misaligned"); }
  if (space == LOCAL) {
    if (address - c->local + size > c->local_size) { a.wrong("host memory"); }
    return reinterpret_cast<std::uint8_t*>(address);
  }
  expect_allocated(a);
  look_at_bytes(a);
  return Memory::bytes(address);
}

}  // extern "C"
