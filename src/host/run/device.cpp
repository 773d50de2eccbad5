#include "host/run/device.hpp"

#include <string>

#include "scree/errors.hpp"

namespace scree {

namespace {

/// "1 GPU, numbered 0", "2 GPUs, numbered 0 and 1", "4 GPUs, numbered 0 to 3"
std::string numbered(std::size_t n) {
  if (n == 1) { return "1 GPU, numbered 0"; }
  return std::to_string(n) + " GPUs, numbered 0 " + (n == 2 ? "and " : "to ") + std::to_string(n - 1);
}

}  // namespace

void expect_device(const EngineOptions& options) {
  if (!options.device) { return; }
  const std::string option = "--device " + std::to_string(*options.device);
  if (options.backend == BackendChoice::host) { throw CaseError(option, "the host backend uses no GPU"); }
  for (const BackendStatus& backend : backend_status()) {
    if (backend.name != "cuda") { continue; }
    if (!backend.usable) { throw CaseError(option, "the CUDA backend cannot run: " + backend.detail); }
    if (*options.device < 0 || static_cast<std::size_t>(*options.device) >= backend.devices.size()) {
      throw CaseError(option, "this machine has " + numbered(backend.devices.size()));
    }
  }
}

}  // namespace scree
