// System calls of kernels: traps, assertions, clocks, printf.
#include <chrono>
#include <cstdio>
#include <cstring>

#include "emulator.hpp"

using namespace cudaemu;

extern "C" {

[[noreturn]] void emu_trap(Thread*, const char* site) { fatal("trap at %s", site); }
[[noreturn]] void emu_assertfail_(Thread*, const char* message, const char* file, std::uint32_t line,
                                  const char* function) {
  fatal("%s:%u: %s: device assertion '%s' failed", file, line, function, message);
}
std::uint64_t emu_clock() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

int emu_vprintf_(const char* format, const std::uint8_t* arguments) {
  std::size_t at = 0;
  auto take = [&](std::size_t size) {
    at = (at + size - 1) / size * size;
    const std::uint8_t* p = arguments + at;
    at += size;
    return p;
  };
  for (const char* p = format; *p != 0; ++p) {
    if (*p != '%') {
      std::putchar(*p);
      continue;
    }
    std::string one = "%";
    bool wide = false;
    for (++p; *p != 0 && std::strchr("diouxXeEfgGcsp%aA", *p) == nullptr; ++p) {
      wide = wide || *p == 'l' || *p == 'z' || *p == 'j';
      if (std::strchr("lhzj", *p) == nullptr) { one += *p; }
    }
    if (*p == '%') {
      std::putchar('%');
    } else if (std::strchr("eEfgGaA", *p) != nullptr) {
      std::printf((one + *p).c_str(), emu_read<double>(take(8)));
    } else if (*p == 's') {
      std::printf((one + 's').c_str(), reinterpret_cast<const char*>(emu_host_view(emu_read<std::uint64_t>(take(8)))));
    } else if (wide || *p == 'p') {
      std::printf(*p == 'p' ? "0x%llx" : (one + "ll" + *p).c_str(), emu_read<unsigned long long>(take(8)));
    } else {
      std::printf((one + *p).c_str(), emu_read<int>(take(4)));
    }
  }
  return 0;
}

}  // extern "C"
