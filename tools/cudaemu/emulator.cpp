// Settings, reports, and the handler of wrong accesses.
#include "emulator.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace cudaemu {

namespace {
std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != 0 ? value : otherwise;
}
}  // namespace

Settings::Settings() {
  cache = setting("CUDAEMU_CACHE", (tool_folder() + "/translated").c_str());
  log = setting("CUDAEMU_LOG", "");
  flags = setting("CUDAEMU_CXXFLAGS", "-O1");
  verbose = setting("CUDAEMU_VERBOSE", "0") != "0";
  memory = std::stoull(setting("CUDAEMU_MEMORY_MB", "8000")) << 20;
  devices = std::stoi(setting("CUDAEMU_DEVICES", "1"));
  pools = setting("CUDAEMU_POOLS", "1") != "0";
  const std::string checks = setting("CUDAEMU_CHECK", "");
  check = !checks.empty() && checks != "0";
  race = checks.find("race") != std::string::npos;
  const std::string wanted = setting("CUDAEMU_ORDER", "forward");
  if (wanted == "backward") { order = Order::backward; }
  if (wanted.rfind("shuffled", 0) == 0) {
    order = Order::shuffled;
    if (const auto colon = wanted.find(':'); colon != std::string::npos) {
      seed = std::stoull(wanted.substr(colon + 1));
    }
  }
}
Settings& settings() {
  static Settings s;
  return s;
}

const std::string& tool_folder() {
  static const std::string folder = [] {
    Dl_info info;
    dladdr(reinterpret_cast<void*>(&tool_folder), &info);
    char* real = realpath(info.dli_fname, nullptr);
    const std::string path = real;
    std::free(real);
    return path.substr(0, path.rfind('/'));
  }();
  return folder;
}

std::string current_kernel;
Thread* current_thread = nullptr;
std::uint32_t this_phase = 0;
std::uint32_t this_launch = 0;
cudaError_t last_error = cudaSuccess;

Counts& counts() {
  static Counts c;
  return c;
}

void say(const char* format, ...) {
  static FILE* out = settings().log.empty() ? stderr : std::fopen(settings().log.c_str(), "a");
  va_list arguments;
  va_start(arguments, format);
  std::fprintf(out, "cudaemu: ");
  std::vfprintf(out, format, arguments);
  std::fprintf(out, "\n");
  std::fflush(out);
  va_end(arguments);
}

[[noreturn]] void fatal(const char* format, ...) {
  char text[2000];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  say("FATAL: %s", text);
  if (current_thread != nullptr) {
    const Thread& t = *current_thread;
    say("  in kernel %s, block (%u,%u,%u) thread (%u,%u,%u)", current_kernel.c_str(), t.ctaid[0], t.ctaid[1],
        t.ctaid[2], t.tid[0], t.tid[1], t.tid[2]);
  } else {
    void* frames[40];
    const int n = backtrace(frames, 40);
    char** names = backtrace_symbols(frames, n);
    for (int i = 1; i < n && i < 16; ++i) { say("  %s", names[i]); }
  }
  _exit(86);
}

cudaError_t fail(cudaError_t error) {
  if (error != cudaSuccess) { last_error = error; }
  return error;
}

namespace {

void on_signal(int, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  if (current_thread != nullptr) {
    const bool device = address - emu_arena - emu_delta < emu_arena_size;
    fatal("a kernel touched %s (run with CUDAEMU_CHECK=1 for the place)",
          memory().describe(device ? address - emu_delta : address).c_str());
  }
  if (Memory::is_device(address)) {
    fatal("HOST code touched device memory at %s", memory().describe(address).c_str());
  }
  std::signal(SIGSEGV, SIG_DFL);
}

void report() {
  const Counts& c = counts();
  if (c.launches == 0) { return; }
  if (settings().verbose || settings().check) {
    say("%llu launches of %zu kernels, %llu threads; %llu translated; %llu faults, %llu conflicts, %llu of the same "
        "value, %llu doubtful; at most %llu MB",
        (unsigned long long)c.launches, c.of_kernel.size(), (unsigned long long)c.threads,
        (unsigned long long)c.translated, (unsigned long long)c.faults, (unsigned long long)c.conflicts,
        (unsigned long long)c.same_value, (unsigned long long)c.doubtful, (unsigned long long)(memory().most >> 20));
  }
  if (settings().verbose) {
    for (const auto& [name, n] : c.of_kernel) { say("  %8llu  %s", (unsigned long long)n, name.c_str()); }
  }
}

}  // namespace

void start() {
  static const bool once = [] {
    memory();
    settings();
    counts();
    stack_t alternate{};
    alternate.ss_sp = std::malloc(64 << 10);
    alternate.ss_size = 64 << 10;
    sigaltstack(&alternate, nullptr);
    struct sigaction action {};
    action.sa_sigaction = &on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
    std::atexit(report);
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace cudaemu
