// What the parts of the emulator share: settings, reports, device memory, kernels.
#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device.hpp"

namespace cudaemu {

// ---- settings: see README.md --------------------------------------------------------------------------------------
enum class Order { forward, backward, shuffled };
struct Settings {
  std::string cache, log, flags;
  bool check = false, race = false, verbose = false;
  Order order = Order::forward;
  std::uint64_t seed = 1;
  std::uint64_t memory = 0;  ///< [bytes]

  Settings();
};
Settings& settings();
/// Folder of the library, which holds the translator, too.
const std::string& tool_folder();

// ---- what happened ------------------------------------------------------------------------------------------------
struct Counts {
  std::uint64_t launches = 0, threads = 0, faults = 0, conflicts = 0, same_value = 0, doubtful = 0, translated = 0;
  std::map<std::string, std::uint64_t> of_kernel;
};
Counts& counts();
extern std::string current_kernel;
extern Thread* current_thread;  ///< null while no kernel runs
extern std::uint32_t this_launch;

void say(const char* format, ...);
/// Says what is wrong and where, and ends the program with exit code 86.
[[noreturn]] void fatal(const char* format, ...);
/// To be called before anything else; calls after the first do nothing.
void start();

/// Remembers an error for cudaGetLastError.
cudaError_t fail(cudaError_t error);
extern cudaError_t last_error;

// ---- device memory ------------------------------------------------------------------------------------------------
struct Allocation {
  std::uint64_t size;
  bool live;
};
/// Never hands out an address twice, so that what was freed stays known as freed.
struct Memory {
  std::map<std::uint64_t, Allocation> all;
  std::uint64_t next = emu_arena + 4096, used = 0, most = 0;

  Memory();
  static std::uint8_t* bytes(std::uint64_t address) { return reinterpret_cast<std::uint8_t*>(address + emu_delta); }
  static bool is_device(std::uint64_t address) { return address - emu_arena < emu_arena_size; }

  /// The allocation at or before the address; end() where there is none.
  std::map<std::uint64_t, Allocation>::iterator before(std::uint64_t address);
  std::string describe(std::uint64_t address);
  bool holds(std::uint64_t address, std::uint64_t size);
};
Memory& memory();

// ---- who touched which byte in a launch ---------------------------------------------------------------------------
struct Touch {
  std::uint32_t launch;                              ///< what follows belongs to this launch
  std::uint32_t writer, reader;                      ///< thread + 1; reader ~0: several
  std::uint8_t writer_strong, reader_strong, known;  ///< strong: atomic or volatile; known: was ever written
  const char *writer_site, *reader_site;
};
Touch* touches();
/// From now on its bytes are known; those of fresh memory are not.
void mark_known(std::uint64_t address, std::uint64_t size);
/// Memory of the processor that stands behind an address range is given back to the system.
void give_back_pages(void* begin, std::uint64_t size);

// ---- modules and kernels ------------------------------------------------------------------------------------------
struct Kernel;
struct Image {
  std::vector<std::string> ptx;
  std::string error;
  std::map<std::string, std::uint64_t> globals;
  std::vector<Kernel*> kernels;
};
struct Kernel {
  Image* image;
  std::string name;
  const EmuKernel* code = nullptr;
};
/// Translates, compiles and loads what is not in the cache yet.
void load(Kernel& kernel);
/// [bytes] of local memory that the PTX of a kernel asks for, per thread.
std::size_t local_bytes(const Kernel& kernel);

cudaError_t launch(Kernel* kernel, dim3 grid, dim3 block, void** arguments, std::size_t dynamic);
/// The threads of a block that wait for each other: fibers.
void run_block_of_fibers(const EmuKernel& code, const Thread& model, std::uint32_t n);

}  // namespace cudaemu
