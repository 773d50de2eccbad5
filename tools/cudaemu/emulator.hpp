// Shared by the parts of the emulator: settings, reports, device memory, kernels.
#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
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
  std::uint64_t memory = 0;  ///< [bytes] size of the device memory
  int devices = 1;           ///< how many there seem to be; they share memory and everything else
  bool pools = true;         ///< whether they have memory pools

  Settings();
};
Settings& settings();
/// Folder of the library, which also contains the translator.
const std::string& tool_folder();

// ---- reports -------------------------------------------------------------------------------------------------------
struct Counts {
  std::uint64_t launches = 0, threads = 0, faults = 0, conflicts = 0, same_value = 0, doubtful = 0, translated = 0;
  std::map<std::string, std::uint64_t> of_kernel;
};
Counts& counts();
extern std::string current_kernel;
extern Thread* current_thread;  ///< null while no kernel runs
extern std::uint32_t this_launch;
extern std::uint32_t this_phase;  ///< counts the times that threads of a block have waited for each other

void say(const char* format, ...);
/// Reports an error and its place, and ends the program with exit code 86.
[[noreturn]] void fatal(const char* format, ...);
/// Must be called before anything else; further calls do nothing.
void start();

/// Remembers an error for cudaGetLastError.
cudaError_t fail(cudaError_t error);
extern cudaError_t last_error;

// ---- device memory ------------------------------------------------------------------------------------------------
struct Allocation {
  std::uint64_t size;
  bool live;
};
/// Never uses an address twice, so that freed memory is always recognised.
struct Memory {
  std::map<std::uint64_t, Allocation> all;
  std::uint64_t next = emu_arena + 4096, used = 0, most = 0;

  Memory();
  static std::uint8_t* bytes(std::uint64_t address) { return reinterpret_cast<std::uint8_t*>(address + emu_delta); }
  static bool is_device(std::uint64_t address) { return address - emu_arena < emu_arena_size; }

  /// The allocation at or before the address, or end().
  std::map<std::uint64_t, Allocation>::iterator before(std::uint64_t address);
  std::string describe(std::uint64_t address);
  bool holds(std::uint64_t address, std::uint64_t size);
};
Memory& memory();

// ---- accesses to a byte in a launch --------------------------------------------------------------------------------
struct Touch {
  std::uint32_t launch;                              ///< launch to which the other members belong
  std::uint32_t writer, reader;                      ///< index of the thread + 1; reader ~0: several threads
  std::uint32_t writer_phase, reader_phase;          ///< value of `this_phase` at these accesses
  std::uint8_t writer_strong, reader_strong, known;  ///< strong: atomic or volatile; known: written at least once
  const char *writer_site, *reader_site;
};
Touch* touches();
/// Marks bytes as known; those of fresh memory are unknown.
void mark_known(std::uint64_t address, std::uint64_t size);
/// Returns the host memory behind an address range to the system.
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
/// Translates, compiles and loads a kernel that is not in the cache yet.
void load(Kernel& kernel);
/// [bytes] local memory of a kernel per thread, from its PTX.
std::size_t local_bytes(const Kernel& kernel);

/// A launch with the bytes of its parameters.
struct Launch {
  Kernel* kernel = nullptr;
  dim3 grid, block;
  std::size_t dynamic = 0;
  std::vector<std::uint64_t> parameters;
};
/// Checks a launch and copies its parameters.
cudaError_t prepare(Kernel* kernel, dim3 grid, dim3 block, void** arguments, std::size_t dynamic, Launch& launch);
void run(const Launch& launch);
// ---- streams and graphs -------------------------------------------------------------------------------------------
/// Hands work to a stream. Work of the default stream runs at once, after all other work; that of another stream waits
/// until the host waits for it, or is recorded if the stream is captured.
cudaError_t submit(cudaStream_t stream, std::function<void()> work);
/// Runs all work that waits. Returns an error if a stream is captured, because then nothing may wait.
cudaError_t finish_streams();
/// Whether a stream is captured.
bool is_capturing();

/// Runs the threads of a block as fibers, which wait for each other.
void run_block_of_fibers(const EmuKernel& code, const Thread& model, std::uint32_t n);

}  // namespace cudaemu
