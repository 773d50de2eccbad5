// The functions of the CUDA runtime library that programs and CUB call. README.md lists the checks of the emulator.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <utility>

#include "emulator.hpp"

using namespace cudaemu;

static std::map<const void*, Kernel*>& kernels_by_stub() {
  static std::map<const void*, Kernel*> m;
  return m;
}

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  start();
  auto* image = new Image;
  const auto* w = static_cast<const std::uint32_t*>(wrapper);
  const std::uint8_t* data = nullptr;
  std::memcpy(&data, w + 2, sizeof data);
  const auto read = [](const std::uint8_t* p, auto& x) { std::memcpy(&x, p, sizeof x); };
  std::uint32_t magic = 0;
  std::uint16_t header = 0;
  std::uint64_t size = 0;
  read(data, magic), read(data + 6, header), read(data + 8, size);
  if (magic != 0xBA55ED50u) {
    image->error = "unknown fat binary";
    return reinterpret_cast<void**>(image);
  }
  const std::uint8_t *p = data + header, *end = p + size;
  while (p < end) {
    std::uint16_t kind = 0;
    std::uint32_t entry_header = 0, compressed = 0;
    std::uint64_t bytes = 0;
    read(p, kind), read(p + 4, entry_header), read(p + 8, bytes), read(p + 16, compressed);
    if (kind == 1) {
      const char* text = reinterpret_cast<const char*>(p + entry_header);
      if (compressed == 0) {
        image->ptx.emplace_back(text, strnlen(text, bytes));
      } else {
        image->error = "its PTX is compressed";
      }
    }
    p += entry_header + bytes;
  }
  if (image->ptx.empty() && image->error.empty()) { image->error = "the fat binary holds no PTX"; }
  return reinterpret_cast<void**>(image);
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 0; }

void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  auto* image = reinterpret_cast<Image*>(handle);
  auto* kernel = new Kernel{image, name};
  image->kernels.push_back(kernel);
  kernels_by_stub()[stub] = kernel;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

struct PushedConfiguration {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
};
static std::vector<PushedConfiguration> pushed;
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
  pushed.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  const PushedConfiguration c = pushed.back();
  pushed.pop_back();
  *grid = c.grid, *block = c.block, *shared = c.shared;
  *static_cast<cudaStream_t*>(stream) = c.stream;
  return cudaSuccess;
}
static Kernel* kernel_of(const void* stub) {
  const auto it = kernels_by_stub().find(stub);
  if (it != kernels_by_stub().end()) { return it->second; }
  for (const auto& [_, k] : kernels_by_stub()) {
    if (k == stub) { return k; }
  }
  return nullptr;
}
static cudaError_t launch(Kernel* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                          cudaStream_t stream) {
  Launch prepared;
  if (const cudaError_t status = prepare(kernel, grid, block, arguments, shared, prepared); status != cudaSuccess) {
    return status;
  }
  return submit(stream, [prepared = std::move(prepared)] { run(prepared); });
}
cudaError_t __cudaGetKernel(cudaKernel_t* out, const void* stub) {
  *out = reinterpret_cast<cudaKernel_t>(kernel_of(stub));
  return *out == nullptr ? fail(cudaErrorInvalidDeviceFunction) : cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
  return launch(reinterpret_cast<Kernel*>(kernel), grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
  return launch(kernel_of(stub), grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* stub, void** arguments) {
  return launch(kernel_of(stub), config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                config->stream);
}

cudaError_t cudaMalloc(void** out, std::size_t size) {
  start();
  Memory& m = memory();
  *out = nullptr;
  if (is_capturing()) { return fail(cudaErrorStreamCaptureUnsupported); }
  if (size == 0) { return cudaSuccess; }
  if (m.used + size > settings().memory || m.next + size + 1024 > emu_arena + emu_arena_size) {
    return fail(cudaErrorMemoryAllocation);
  }
  const std::uint64_t at = m.next;
  m.all[at] = {size, true};
  m.next += (size + 511) / 256 * 256;  // at least 256 unused bytes in between
  m.used += size;
  m.most = std::max(m.most, m.used);
  std::memset(Memory::bytes(at), 0xFF, size);
  *out = reinterpret_cast<void*>(at);
  return cudaSuccess;
}
cudaError_t cudaFree(void* p) {
  if (p == nullptr) { return cudaSuccess; }
  if (finish_streams() != cudaSuccess) { return last_error; }
  Memory& m = memory();
  const auto it = m.all.find(reinterpret_cast<std::uint64_t>(p));
  if (it == m.all.end() || !it->second.live) {
    ++counts().faults;
    say("FAULT: cudaFree of %s", m.describe(reinterpret_cast<std::uint64_t>(p)).c_str());
    return fail(cudaErrorInvalidValue);
  }
  it->second.live = false;
  m.used -= it->second.size;
  std::uint8_t* bytes = Memory::bytes(it->first);
  std::memset(bytes, 0xFB, std::min<std::uint64_t>(it->second.size, 1 << 16));
  give_back_pages(bytes, it->second.size);
  if (settings().check) { give_back_pages(touches() + (it->first - emu_arena), it->second.size * sizeof(Touch)); }
  return cudaSuccess;
}

// A pool takes and gives memory at once. As addresses are not used twice, a kernel that still uses memory that was
// given back is found.
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return *pool = reinterpret_cast<cudaMemPool_t>(std::uintptr_t(device) + 1), cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return cudaSuccess; }
cudaError_t cudaMallocAsync(void** out, std::size_t size, cudaStream_t) { return cudaMalloc(out, size); }
cudaError_t cudaFreeAsync(void* p, cudaStream_t) { return cudaFree(p); }

static cudaError_t copy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  if (size == 0) { return cudaSuccess; }
  Memory& m = memory();
  const auto target = reinterpret_cast<std::uint64_t>(to), source = reinterpret_cast<std::uint64_t>(from);
  const bool to_device = Memory::is_device(target), from_device = Memory::is_device(source);
  const bool wants_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
             wants_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind != cudaMemcpyDefault && (to_device != wants_to || from_device != wants_from)) {
    fatal("copy of %zu bytes: kind %d does not fit its pointers %p and %p", size, kind, to, from);
  }
  if (to_device && !m.holds(target, size)) { fatal("copy of %zu bytes to %s", size, m.describe(target).c_str()); }
  if (from_device && !m.holds(source, size)) { fatal("copy of %zu bytes from %s", size, m.describe(source).c_str()); }
  auto* out = to_device ? Memory::bytes(target) : static_cast<std::uint8_t*>(to);
  const auto* in = from_device ? Memory::bytes(source) : static_cast<const std::uint8_t*>(from);
  if (to_device && from_device && target < source + size && source < target + size) {
    fatal("copy within device memory of %zu bytes overlaps", size);
  }
  std::memcpy(out, in, size);
  if (settings().check && to_device) {
    Touch* t = touches() + (target - emu_arena);
    for (std::size_t i = 0; i < size; ++i) { t[i].known = from_device ? touches()[source - emu_arena + i].known : 1; }
  }
  if (settings().check && from_device && !to_device) {
    const Touch* t = touches() + (source - emu_arena);
    for (std::size_t i = 0; i < size; ++i) {
      if (!t[i].known) {
        ++counts().faults;
        say("UNINITIALISED bytes copied to the host: %s", m.describe(source + i).c_str());
        break;
      }
    }
  }
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  if (finish_streams() != cudaSuccess) { return last_error; }
  return copy(to, from, size, kind);
}
/// Memory of the host that is pinned.
static std::map<std::uint64_t, std::size_t>& pinned() {
  static std::map<std::uint64_t, std::size_t> m;
  return m;
}
static bool is_pinned(const void* p) {
  const auto at = reinterpret_cast<std::uint64_t>(p);
  const auto it = pinned().upper_bound(at);
  return it != pinned().begin() && at - std::prev(it)->first < std::prev(it)->second;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind, cudaStream_t stream) {
  const auto source = reinterpret_cast<std::uint64_t>(from), target = reinterpret_cast<std::uint64_t>(to);
  if (!Memory::is_device(source) && !is_pinned(from)) {  // read now, written when the stream comes to it
    const auto* bytes = static_cast<const std::uint8_t*>(from);
    std::vector<std::uint8_t> staged(bytes, bytes + size);
    return submit(stream, [=, staged = std::move(staged)] { copy(to, staged.data(), size, kind); });
  }
  const cudaError_t status = submit(stream, [=] { copy(to, from, size, kind); });
  if (status != cudaSuccess || Memory::is_device(target) || is_pinned(to)) { return status; }
  return is_capturing() ? cudaSuccess : finish_streams();  // memory that is not pinned has been written on return
}
static cudaError_t fill(void* p, int value, std::size_t size) {
  if (size == 0) { return cudaSuccess; }
  const auto at = reinterpret_cast<std::uint64_t>(p);
  if (!Memory::is_device(at) || !memory().holds(at, size)) {
    fatal("memset of %zu bytes at %s", size, memory().describe(at).c_str());
  }
  std::memset(Memory::bytes(at), value, size);
  mark_known(at, size);
  return cudaSuccess;
}
cudaError_t cudaMemset(void* p, int value, std::size_t size) {
  if (finish_streams() != cudaSuccess) { return last_error; }
  return fill(p, value, size);
}
cudaError_t cudaMemsetAsync(void* p, int value, std::size_t size, cudaStream_t stream) {
  return submit(stream, [=] { fill(p, value, size); });
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  start();
  *total = settings().memory;
  *free = settings().memory - memory().used;
  return cudaSuccess;
}
cudaError_t cudaMallocHost(void** p, std::size_t size) {
  if ((*p = std::malloc(size)) == nullptr) { return fail(cudaErrorMemoryAllocation); }
  pinned()[reinterpret_cast<std::uint64_t>(*p)] = size;
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** p, std::size_t size, unsigned) { return cudaMallocHost(p, size); }
cudaError_t cudaFreeHost(void* p) {
  if (finish_streams() != cudaSuccess) { return last_error; }
  pinned().erase(reinterpret_cast<std::uint64_t>(p));
  std::free(p);
  return cudaSuccess;
}

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }
const char* cudaGetErrorName(cudaError_t e) { return e == cudaSuccess ? "cudaSuccess" : "cudaError"; }
const char* cudaGetErrorString(cudaError_t e) {
  switch (e) {
    case cudaSuccess: return "no error";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorInvalidDeviceFunction: return "invalid device function";
    case cudaErrorStreamCaptureUnsupported: return "operation not permitted when stream is capturing";
    case cudaErrorNoDevice: return "no CUDA-capable device is detected";
    default: return "error of the emulator";
  }
}

cudaError_t cudaDeviceSynchronize() { return finish_streams(); }
cudaError_t cudaDeviceReset() { return cudaSuccess; }
static thread_local int present_device = 0;
cudaError_t cudaGetDevice(int* d) { return *d = present_device, cudaSuccess; }
cudaError_t cudaSetDevice(int d) {
  if (d < 0 || d >= settings().devices) { return fail(cudaErrorInvalidDevice); }
  present_device = d;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* n) { return *n = settings().devices, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* v) { return *v = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* v) { return *v = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (device < 0 || device >= settings().devices) { return fail(cudaErrorInvalidDevice); }
  *p = cudaDeviceProp{};
  std::strcpy(p->name, "cudaemu: the processor");
  p->totalGlobalMem = settings().memory;
  p->sharedMemPerBlock = 48 << 10;
  p->regsPerBlock = 65536;
  p->warpSize = 32;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->major = 9;
  p->multiProcessorCount = 4;
  p->maxThreadsPerMultiProcessor = 2048;
  p->sharedMemPerMultiprocessor = 228 << 10;
  p->sharedMemPerBlockOptin = 227 << 10;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* out, cudaDeviceAttr which, int) {
  switch (which) {
    case cudaDevAttrMaxThreadsPerBlock: *out = 1024; break;
    case cudaDevAttrMaxGridDimX: *out = 2147483647; break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: *out = 65535; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *out = 48 << 10; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *out = 227 << 10; break;
    case cudaDevAttrWarpSize: *out = 32; break;
    case cudaDevAttrMultiProcessorCount: *out = 4; break;
    case cudaDevAttrComputeCapabilityMajor: *out = 9; break;
    case cudaDevAttrComputeCapabilityMinor: *out = 0; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *out = 2048; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *out = 228 << 10; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *out = 32; break;
    case cudaDevAttrMemoryPoolsSupported: *out = settings().pools ? 1 : 0; break;
    default: *out = 0;
  }
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, const void* stub) {
  *a = cudaFuncAttributes{};
  const Kernel* kernel = kernel_of(stub);
  if (kernel == nullptr) { return fail(cudaErrorInvalidDeviceFunction); }
  a->localSizeBytes = local_bytes(*kernel);  // from the PTX; spills of ptxas come in addition
  a->ptxVersion = a->binaryVersion = 90;
  a->maxThreadsPerBlock = 1024;
  a->numRegs = 32;
  a->maxDynamicSharedSizeBytes = 48 << 10;
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, const void*, int block, std::size_t) {
  return *n = std::max(1, 2048 / std::max(block, 1)), cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* n, const void*, int block, std::size_t,
                                                                   unsigned) {
  return *n = std::max(1, 2048 / std::max(block, 1)), cudaSuccess;
}
}  // extern "C"
