#include <cstdio>

#include "host/commands/host_isa.hpp"
#include "kernels/factory.hpp"
#include "scree/engine.hpp"
#include "scree/errors.hpp"

/// This is the only file that chooses a backend.
namespace scree {

std::string StateHash::text() const {
  char digits[33];
  std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(words[0]),
                static_cast<unsigned long long>(words[1]));
  return digits;
}

namespace {

BackendStatus cuda_backend() {
#if SCREE_HAS_CUDA
  const CudaStatus status = cuda_status();
  return {"cuda", true, status.usable, status.detail, status.devices};
#else
  return {"cuda", false, false, "this executable was built without CUDA"};
#endif
}

}  // namespace

std::vector<BackendStatus> backend_status() { return {{"host", true, true, "OpenMP"}, cuda_backend()}; }

std::unique_ptr<Engine> make_engine(const Scene& scene, const EngineOptions& options, std::string* reason) {
  if (options.backend == BackendChoice::host) { return make_engine_of_isa(scene, options.threads); }
  const BackendStatus cuda = cuda_backend();
#if SCREE_HAS_CUDA
  if (cuda.usable) { return make_cuda_engine(scene, options.device.value_or(0)); }
#endif
  if (options.backend == BackendChoice::cuda) {
    throw BackendError("the CUDA backend was asked for and cannot run: " + cuda.detail);
  }
  if (reason != nullptr) { *reason += "host backend: " + cuda.detail; }
  return make_engine_of_isa(scene, options.threads);
}

}  // namespace scree
