// Turns the PTX that nvcc put into the program into functions of the processor.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "emulator.hpp"

namespace cudaemu {
namespace {

std::uint64_t hash(const std::string& text, std::uint64_t h = 14695981039346656037ull) {
  for (const unsigned char ch : text) { h = (h ^ ch) * 1099511628211ull; }
  return h;
}
std::string file_text(const std::string& path) {
  std::ifstream in(path);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

/// Runs a shell command, without the environment that the program set for itself.
bool runs(const std::string& command) { return std::system(("unset LD_PRELOAD; " + command).c_str()) == 0; }

std::string hex(std::uint64_t number) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", (unsigned long long)number);
  return text;
}

/// The module that contains a kernel.
const std::string& ptx_of(const Kernel& kernel) {
  for (const std::string& text : kernel.image->ptx) {
    if (text.find(".entry " + kernel.name) != std::string::npos) { return text; }
  }
  fatal("no PTX of kernel %s (%s): compile for code=compute_NN with --compress-mode=none", kernel.name.c_str(),
        kernel.image->error.c_str());
}

/// Everything besides the PTX that translations depend on.
std::uint64_t tool_version() {
  static const std::uint64_t version = [] {
    std::uint64_t h = hash(settings().flags);
    for (const char* name : {"ptx2cpp.py", "ptx_function.py", "ptx_module.py", "ptx_arithmetic.py", "ptx_memory.py",
                             "device.hpp", "arithmetic.hpp", "warps.hpp"}) {
      h = hash(file_text(tool_folder() + "/" + name), h);
    }
    return h;
  }();
  return version;
}

/// Translates PTX to C++ and compiles it to a library. Another process that needs the same kernel at the same time
/// waits.
void make_library(const Kernel& kernel, const std::string& ptx, const std::string& base, const std::string& library) {
  const Settings& s = settings();
  const int lock = open((library + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  flock(lock, LOCK_EX);
  if (access(library.c_str(), R_OK) != 0) {
    if (s.verbose) { say("translating %s", kernel.name.c_str()); }
    const std::string mine = "." + std::to_string(getpid()), module = base + mine + ".ptx",
                      source = base + mine + ".cpp";
    const std::string fresh = library + mine, folder = "'" + tool_folder() + "'";
    std::ofstream(module) << ptx;
    if (!runs("python3 " + folder + "/ptx2cpp.py '" + module + "' '" + kernel.name + "' '" + source + "'")) {
      fatal("cannot translate %s", kernel.name.c_str());
    }
    // The vectoriser of straight-line code fuses operations and drops roundings in spite of -ffp-contract=off.
    if (!runs("g++ -std=c++20 " + std::string(s.check ? "-O1" : s.flags) + " -DEMU_CHECK=" + (s.check ? "1" : "0") +
              " -march=native -ffp-contract=off -fno-tree-slp-vectorize -fno-math-errno -fno-trapping-math "
              "-fno-strict-aliasing"
              " -fwrapv -fPIC -shared -w -I" +
              folder + " '" + source + "' -o '" + fresh + "'")) {
      fatal("cannot compile %s", source.c_str());
    }
    std::remove(module.c_str());
    std::rename(source.c_str(), (base + ".cpp").c_str());
    std::rename(fresh.c_str(), library.c_str());
    ++counts().translated;
  }
  close(lock);
}

/// Puts the variables of the module into device memory, once for all its kernels.
void place_globals(Kernel& kernel, std::uint64_t* addresses) {
  for (const EmuGlobal* g = kernel.code->globals; g->name != nullptr; ++g, ++addresses) {
    std::uint64_t& at = kernel.image->globals[g->name];
    if (at == 0) {
      void* p = nullptr;
      cudaMalloc(&p, g->size);
      at = reinterpret_cast<std::uint64_t>(p);
      std::memset(Memory::bytes(at), 0, g->size);
      if (g->data != nullptr) { std::memcpy(Memory::bytes(at), g->data, g->size); }
      mark_known(at, g->size);
    }
    *addresses = at;
  }
}

}  // namespace

void load(Kernel& kernel) {
  if (kernel.code != nullptr) { return; }
  const std::string& ptx = ptx_of(kernel);
  const Settings& s = settings();
  mkdir(s.cache.c_str(), 0777);
  const std::string base = s.cache + "/" + hex(hash(kernel.name, hash(ptx, tool_version())));
  const std::string library = base + (s.check ? ".check" : "") + ".so";
  if (access(library.c_str(), R_OK) != 0) { make_library(kernel, ptx, base, library); }
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) { fatal("%s", dlerror()); }
  kernel.code = static_cast<const EmuKernel*>(dlsym(handle, "emu_kernel"));
  place_globals(kernel, static_cast<std::uint64_t*>(dlsym(handle, "emu_global_address")));
  if (kernel.code->contractible > 0) {
    say("%s: %u operations may be contracted to fma by ptxas; here they are not", kernel.name.c_str(),
        kernel.code->contractible);
  }
}

std::size_t local_bytes(const Kernel& kernel) {
  const std::string& ptx = ptx_of(kernel);
  const std::size_t begin = ptx.find(".entry " + kernel.name), end = ptx.find(".entry ", begin + 1);
  const std::string word = "__local_depot";
  const std::size_t depot = ptx.find(word, begin);
  if (depot >= end) { return 0; }
  return std::strtoull(ptx.c_str() + ptx.find('[', depot) + 1, nullptr, 10);
}

}  // namespace cudaemu
