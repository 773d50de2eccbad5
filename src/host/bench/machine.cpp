#include "host/bench/machine.hpp"

#include <algorithm>

#include "scree/errors.hpp"

namespace scree {

double seconds_since(BenchClock::time_point start) {
  return std::chrono::duration<double>(BenchClock::now() - start).count();
}

BackendChoice bench_backend(const std::string& wanted) {
  if (wanted == "host") { return BackendChoice::host; }
  for (const BackendStatus& status : backend_status()) {
    if (status.name == "cuda" && status.usable) { return BackendChoice::cuda; }
  }
  if (wanted == "cuda") {
    throw BackendError("the CUDA backend was asked for and cannot run here; see `scree doctor`");
  }
  return BackendChoice::host;
}

std::vector<int> bench_threads(const std::vector<int>& wanted, BackendChoice backend, std::vector<int> usual) {
  if (backend == BackendChoice::cuda) { return {1}; }
  if (!wanted.empty()) { return wanted; }
  usual.erase(std::unique(usual.begin(), usual.end()), usual.end());
  return usual;
}

std::vector<std::string> bench_precisions(const std::vector<std::string>& wanted,
                                          const std::vector<std::string>& usual) {
  if (std::find(wanted.begin(), wanted.end(), "both") != wanted.end()) { return {"double", "mixed"}; }
  return wanted.empty() ? usual : wanted;
}

std::vector<std::uint64_t> bench_sizes(const std::vector<std::uint64_t>& wanted,
                                       const std::vector<std::uint64_t>& usual) {
  return wanted.empty() ? usual : wanted;
}

}  // namespace scree
