// Device memory: its addresses are not mapped, and its bytes lie at a fixed distance above them.
#include <sys/mman.h>

#include <cstdio>
#include <iterator>

#include "emulator.hpp"

namespace cudaemu {

Memory::Memory() {
  void* hole = mmap(reinterpret_cast<void*>(emu_arena), emu_arena_size, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  void* bytes = mmap(reinterpret_cast<void*>(emu_arena + emu_delta), emu_arena_size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (hole == MAP_FAILED || bytes == MAP_FAILED) { fatal("no address space for device memory"); }
}

std::map<std::uint64_t, Allocation>::iterator Memory::before(std::uint64_t address) {
  auto it = all.upper_bound(address);
  return it == all.begin() ? all.end() : std::prev(it);
}

std::string Memory::describe(std::uint64_t address) {
  char text[200];
  if (!is_device(address)) {
    std::snprintf(text, sizeof text, "0x%llx, no device memory", (unsigned long long)address);
    return text;
  }
  const auto it = before(address);
  if (it == all.end()) {
    std::snprintf(text, sizeof text, "0x%llx, before all allocations", (unsigned long long)address);
  } else {
    std::snprintf(text, sizeof text, "0x%llx, byte %llu of a%s allocation of %llu bytes", (unsigned long long)address,
                  (unsigned long long)(address - it->first), it->second.live ? "n" : " freed",
                  (unsigned long long)it->second.size);
  }
  return text;
}

bool Memory::holds(std::uint64_t address, std::uint64_t size) {
  const auto it = before(address);
  return it != all.end() && it->second.live && address - it->first + size <= it->second.size;
}

Memory& memory() {
  static Memory m;
  return m;
}

Touch* touches() {
  static Touch* t = [] {
    void* p = mmap(nullptr, emu_arena_size * sizeof(Touch), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) { fatal("no address space for the record of accesses"); }
    return static_cast<Touch*>(p);
  }();
  return t;
}

void mark_known(std::uint64_t address, std::uint64_t size) {
  if (!settings().check) { return; }
  Touch* t = touches() + (address - emu_arena);
  for (std::uint64_t i = 0; i < size; ++i) { t[i].known = 1; }
}
void give_back_pages(void* begin, std::uint64_t size) {
  const auto at = reinterpret_cast<std::uintptr_t>(begin), first = (at + 4095) & ~std::uintptr_t(4095),
             last = (at + size) & ~std::uintptr_t(4095);
  if (last > first) { madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED); }
}

}  // namespace cudaemu
