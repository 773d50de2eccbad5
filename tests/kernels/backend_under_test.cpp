#include "../engine/engine_kit.hpp"
#include "kernels/factory.hpp"

// The backend that the tests of this program run on.
namespace scree {

#if SCREE_ON_CUDA
std::unique_ptr<Engine> make_backend_engine(const Scene& scene, int) { return make_cuda_engine(scene); }
std::string why_backend_is_missing() {
  const CudaStatus status = cuda_status();
  return status.usable ? "" : "no GPU to test on: " + status.detail;
}
#else
std::unique_ptr<Engine> make_backend_engine(const Scene& scene, int threads) {
  return make_host_engine(scene, threads);
}
std::string why_backend_is_missing() { return ""; }
#endif

}  // namespace scree
