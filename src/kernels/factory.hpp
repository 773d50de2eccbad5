#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scree/engine.hpp"

/// The only header of src/kernels that the host driver includes: how an engine of each backend is made.
namespace scree {

/// Engine on the processor. `threads` 0 means as many as the scene can use, but at most the cores that this process may
/// use.
[[nodiscard]] std::unique_ptr<Engine> make_host_engine(const Scene& scene, int threads);
/// The same for processors with these instruction sets. They exist only in builds with SCREE_HOST_ISA=dispatch.
[[nodiscard]] std::unique_ptr<Engine> make_host_engine_x86_64_v3(const Scene& scene, int threads);
[[nodiscard]] std::unique_ptr<Engine> make_host_engine_x86_64_v4(const Scene& scene, int threads);

/// Engine on a GPU; exists only in builds with CUDA. Throws BackendError when there is no such device or it does not
/// answer.
[[nodiscard]] std::unique_ptr<Engine> make_cuda_engine(const Scene& scene, int device = 0);

/// Whether a GPU can be used, with a sentence about the first GPU or about the reason why none can.
struct CudaStatus {
  bool usable = false;
  std::string detail;
  std::vector<std::string> devices = {};  ///< name and memory of each
};
[[nodiscard]] CudaStatus cuda_status();

}  // namespace scree
